; Comments and string literals of Python.

(comment) @comment
(string) @string
(interpolation) @code
