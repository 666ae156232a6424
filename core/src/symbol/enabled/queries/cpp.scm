; Definitions that only C++ has; they precede those of C.

(class_specifier name: (_) @declarator body: (_)) @definition.class
(namespace_definition name: (_) @declarator) @definition.module
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.type

; A class with a macro before its name, which turns it into a function: `class API Job : Base { … }`.
(function_definition type: (class_specifier !body) declarator: (identifier) @name) @definition.class
; A macro after the parameters replaces the function: `int size() const API { … }`.
(function_definition
  (ERROR [(function_declarator) (_ (function_declarator))] @declarator .)
  . declarator: [(identifier) (field_identifier)] body: (_) @body) @definition.function
(function_definition declarator: [(identifier) (field_identifier)] @name) @hidden
(field_declaration (ERROR (function_declarator) .) . declarator: (field_identifier) @name) @hidden
; A macro that defines members: `ACCESSOR(size)`.
(field_declaration declarator: (parenthesized_declarator (field_identifier) @name) . (MISSING ";")) @hidden

; Tests: `TEST(Suite, name) { … }`.
((translation_unit
  (function_definition !type declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list
      . (parameter_declaration type: (type_identifier) @scope !declarator)
      . (parameter_declaration type: (type_identifier) @name !declarator) .))) @definition.function)
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
((declaration_list
  (function_definition !type declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list
      . (parameter_declaration type: (type_identifier) @scope !declarator)
      . (parameter_declaration type: (type_identifier) @name !declarator) .))) @definition.function)
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
((function_definition !type declarator: (function_declarator
    declarator: (identifier) @name
    parameters: (parameter_list
      . (parameter_declaration type: (type_identifier) !declarator)
      . (parameter_declaration type: (type_identifier) !declarator) .))) @hidden
  (#match? @name "^[A-Z]*TEST(_[A-Z]+)?$"))

; A pure virtual function has no other definition: `virtual void run() = 0;`.
(field_declaration declarator: (function_declarator) @declarator . default_value: (number_literal)) @definition.method
(field_declaration declarator: (_ (function_declarator)) @declarator . default_value: (number_literal)) @definition.method
; Forward declarations with names that C does not have.
(declaration declarator: [
  (operator_cast) @declarator
  (function_declarator declarator: [(destructor_name) (operator_name) (qualified_identifier) (template_function)] @declarator)
  (_ (function_declarator declarator: [(operator_name) (qualified_identifier) (template_function)] @declarator))
]) @hidden
(field_declaration declarator: [
  (function_declarator declarator: [(operator_name) (template_method)] @declarator)
  (_ (function_declarator declarator: [(operator_name) (template_method)] @declarator))
]) @hidden
