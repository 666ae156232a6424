; Comments and string literals of C#.

(comment) @comment
(string_literal) @string
(verbatim_string_literal) @string
(raw_string_literal) @string
(interpolated_string_expression) @string
(character_literal) @string
(interpolation) @code
