; Comments and string literals of shell scripts. Expansions inside a literal are code.

(comment) @comment
(string) @string
(raw_string) @string
(ansi_c_string) @string
(translated_string) @string
(heredoc_body) @string
(string [(expansion) (simple_expansion) (command_substitution) (arithmetic_expansion)] @code)
(heredoc_body [(expansion) (simple_expansion) (command_substitution)] @code)
