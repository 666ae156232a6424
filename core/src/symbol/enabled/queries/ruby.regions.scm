; Comments and string literals of Ruby. Symbols and regular expressions are code.

(comment) @comment
(string) @string
(character) @string
(string_array) @string
(heredoc_body) @string
(subshell) @string
(interpolation) @code
