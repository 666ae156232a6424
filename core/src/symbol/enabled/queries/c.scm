; Definitions of C, and of C++ as far as it is C.

; Macros.
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

; Types with a body; without one they are references or forward declarations.
(struct_specifier name: (_) @declarator body: (_)) @definition.struct
(union_specifier name: (_) @declarator body: (_)) @definition.union
(enum_specifier name: (_) @declarator body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.enum_member

; A macro before the name turns a type into a function.
(function_definition type: (struct_specifier !body) declarator: (identifier) @name) @definition.struct

; The type of `typedef struct { … } name;` has no other name.
(type_definition type: (struct_specifier !name body: (_)) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_)) declarator: (type_identifier) @name) @definition.union
(type_definition type: (enum_specifier !name body: (_)) declarator: (type_identifier) @name) @definition.enum
; A type with a body is not inside its typedef name.
(type_definition type: (_ name: (_) body: (_)) declarator: (_) @declarator @definition.type)
(type_definition declarator: (_) @declarator) @definition.type

; A macro with a block inside a function is a loop: `for_each(x) { … }`.
(compound_statement (function_definition declarator: (parenthesized_declarator (identifier) @name)) @hidden)
(compound_statement (function_definition type: (type_identifier) @name declarator: (parenthesized_declarator)) @hidden)
; At file level it is a definition: `DEFINE_HANDLER(name) { … }`, `DEFINE_CALL(name, int, x) { … }`,
; `TEST(suite, name) { … }`.
((function_definition type: (type_identifier) @_macro declarator: (parenthesized_declarator (identifier) @name)) @definition.function
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
((translation_unit
  (expression_statement
    (call_expression function: (identifier) @_macro arguments: (argument_list . (identifier) @scope . (identifier) @name .))
    (MISSING ";")) @definition.function
  . (compound_statement) @body)
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
((translation_unit
  (expression_statement
    (call_expression function: (identifier) @_macro arguments: (argument_list . (identifier) @name))
    (MISSING ";")) @definition.function
  . (compound_statement) @body)
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
; Functions without a type that the parser recognizes: `f(void) { … }`, `f() { … }`.
((function_definition type: (type_identifier) @name declarator: (parenthesized_declarator (identifier))) @definition.function
  (#not-match? @name "^[A-Z][A-Z0-9_]+$"))
(function_definition declarator: (parenthesized_declarator (identifier) @name)) @hidden
((translation_unit
  (expression_statement (call_expression function: (identifier) @name) (MISSING ";")) @definition.function
  . (compound_statement) @body)
  (#not-match? @name "^[A-Z][A-Z0-9_]+$"))

; Functions.
(function_definition declarator: (_) @declarator body: (_) @body) @definition.function
; A function with unbalanced braces, mostly because of an `#if` in the middle of a condition.
(ERROR
  (function_declarator parameters: (parameter_list . (parameter_declaration))) @declarator @definition.function
  . "{") @body
(ERROR
  (pointer_declarator (function_declarator parameters: (parameter_list . (parameter_declaration)))) @declarator @definition.function
  . "{") @body
; The names of other functions are prototypes.
(function_declarator declarator: [(identifier) (field_identifier) (type_identifier) (parenthesized_declarator (identifier))] @declarator) @hidden

; A macro as an attribute: `struct a { … } __packed;`.
((declaration type: (_ body: (_)) declarator: (identifier) @name) @hidden (#match? @name "^__(packed|aligned|_*cacheline|attribute|init|exit|ref|read_mostly|ro_after|.*_layout$|.*used$)"))
((field_declaration type: (_ body: (_)) declarator: (field_identifier) @name) @hidden (#match? @name "^__(packed|aligned|_*cacheline|attribute|init|exit|ref|read_mostly|ro_after|.*_layout$|.*used$)"))
; The same between a function's type and name; the declaration seems to end there.
((declaration declarator: (identifier) @name . (MISSING ";")) @hidden (#match? @name "^__"))
((declaration type: (type_identifier) @_macro declarator: [
    (identifier) @name
    (pointer_declarator (identifier) @name)
  ] . (MISSING ";")) @hidden
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))

; Members.
(field_declaration type: (_ name: (_) body: (_)) declarator: (_) @declarator @definition.field)
(field_declaration declarator: (_) @declarator) @definition.field

; Variables, except forward declarations.
(declaration (storage_class_specifier "extern") declarator: (_) @declarator) @hidden
(declaration type: (_ name: (_) body: (_)) declarator: (_) @declarator @definition.variable)
(declaration declarator: (_) @declarator) @definition.variable
