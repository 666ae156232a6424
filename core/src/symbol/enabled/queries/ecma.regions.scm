; Comments and string literals of JavaScript and TypeScript. Text of JSX elements is neither; a regular
; expression is code.

(comment) @comment
(hash_bang_line) @comment
(html_comment) @comment
(string) @string
(template_string) @string
(template_substitution) @code
