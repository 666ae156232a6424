; Comments and string literals of C, and of C++ as far as it is C.

(comment) @comment
(string_literal) @string
(char_literal) @string
(system_lib_string) @string
; The rest of a directive: `#define A 1 // comment`.
(preproc_arg) @lexed
