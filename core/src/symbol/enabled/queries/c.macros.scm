; A definition after a macro without a semicolon, `DECLARE(x)`, which the parser takes for a type; the grammar
; of C++ does not.

((function_definition
  type: (macro_type_specifier) declarator: (identifier) @_word . (ERROR . (identifier) @name)) @definition.struct
  (#any-of? @_word "struct" "union" "enum"))
((declaration type: (macro_type_specifier) declarator: (identifier) @_word . (MISSING ";"))
  . (declaration declarator: (_) @declarator) @definition.type
  (#eq? @_word "typedef"))
