; String literals that only C++ has.

(raw_string_literal) @string
