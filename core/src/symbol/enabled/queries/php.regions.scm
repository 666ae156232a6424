; Comments and string literals of PHP. Text outside the tags is neither.

(comment) @comment
(string) @string
(encapsed_string) @string
(heredoc) @string
(nowdoc) @string
(shell_command_expression) @string

; Variables and braced expressions inside a literal.
(encapsed_string [
  (variable_name) (dynamic_variable_name) (subscript_expression)
  (member_access_expression) (nullsafe_member_access_expression) (expression)] @code)
(heredoc_body [
  (variable_name) (dynamic_variable_name) (subscript_expression)
  (member_access_expression) (nullsafe_member_access_expression) (expression)] @code)
(shell_command_expression [
  (variable_name) (dynamic_variable_name) (subscript_expression)
  (member_access_expression) (nullsafe_member_access_expression) (expression)] @code)
