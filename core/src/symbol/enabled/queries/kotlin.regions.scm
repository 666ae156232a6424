; Comments and string literals of Kotlin.

(shebang) @comment
(line_comment) @comment
(block_comment) @comment
(string_literal) @string
(multiline_string_literal) @string
(character_literal) @string
(interpolation) @code
