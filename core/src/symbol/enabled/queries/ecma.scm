; Definitions shared by JavaScript and TypeScript.

; Declared functions and classes, anywhere.
(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(class_declaration name: (_) @name) @definition.class

; Variables that contain a function or class.
(variable_declarator
  name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(variable_declarator name: (identifier) @name value: (class)) @definition.class

; Members of classes and of object literals.
(method_definition
  name: [(property_identifier) (private_property_identifier) (string) (computed_property_name)] @name) @definition.method
(pair
  key: [(property_identifier) (string)] @name
  value: [(arrow_function) (function_expression) (generator_function)]) @definition.method
(pair key: [(property_identifier) (string)] @name value: (class)) @definition.class

; Functions and classes assigned to the export of a module, to a prototype, or to an object.
(assignment_expression
  left: (member_expression
    object: [(this) (identifier)] @_object
    property: [(property_identifier) (private_property_identifier)] @name)
  right: [(arrow_function) (function_expression) (generator_function)]
  (#any-of? @_object "exports" "this" "self" "window" "globalThis" "global")) @definition.function
(assignment_expression
  left: (member_expression
    object: (identifier) @scope
    property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]
  (#not-eq? @scope "module")) @definition.function
(assignment_expression
  left: (member_expression
    object: (member_expression
      object: [(identifier) (member_expression)] @scope
      property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]
  (#eq? @_prototype "prototype")) @definition.method
(assignment_expression
  left: (member_expression
    object: [(member_expression) (call_expression) (subscript_expression)]
    property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(assignment_expression
  left: (identifier) @name
  right: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(assignment_expression left: (identifier) @name right: (class)) @definition.class
(assignment_expression
  left: (member_expression object: (identifier) @_module)
  right: (class name: (_) @name)
  (#eq? @_module "module")) @definition.class
(assignment_expression
  left: (member_expression object: (identifier) @_object property: (property_identifier) @name)
  right: (class)
  (#not-eq? @_object "module")) @definition.class
(assignment_expression
  left: (member_expression object: (member_expression) property: (property_identifier) @name)
  right: (class)) @definition.class

; Named functions and classes in expressions.
(arguments [
  (function_expression name: (identifier) @name) @definition.function
  (generator_function name: (identifier) @name) @definition.function
  (class name: (_) @name) @definition.class])
(parenthesized_expression [
  (function_expression name: (identifier) @name) @definition.function
  (generator_function name: (identifier) @name) @definition.function
  (class name: (_) @name) @definition.class])
(return_statement [
  (function_expression name: (identifier) @name) @definition.function
  (generator_function name: (identifier) @name) @definition.function
  (class name: (_) @name) @definition.class])
(assignment_expression
  left: (member_expression object: (identifier) @_module)
  right: [(function_expression name: (identifier) @name) (generator_function name: (identifier) @name)] @definition.function
  (#eq? @_module "module"))
(arrow_function body: [
  (function_expression name: (identifier) @name) @definition.function
  (generator_function name: (identifier) @name) @definition.function
  (class name: (_) @name) @definition.class])

; Values that a module exports by assignment, and other members of a prototype.
(assignment_expression
  left: (member_expression
    object: [
      (identifier) @_exports
      (member_expression object: (identifier) @_module property: (property_identifier) @_exports)]
    property: (property_identifier) @name)
  right: [(new_expression) (object) (array) (string) (template_string) (number) (regex)]
  (#eq? @_exports "exports")) @definition.constant
(assignment_expression
  left: (member_expression
    object: (member_expression
      object: [(identifier) (member_expression)] @scope
      property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  (#eq? @_prototype "prototype")) @definition.field

; Variables of the file, which may have errors; exports are never in functions.
([
  (program (lexical_declaration kind: "const"
    (variable_declarator name: (identifier) @name) @definition.constant))
  (ERROR (lexical_declaration kind: "const"
    (variable_declarator name: (identifier) @name) @definition.constant))])
([
  (program (lexical_declaration kind: "let"
    (variable_declarator name: (identifier) @name) @definition.variable))
  (ERROR (lexical_declaration kind: "let"
    (variable_declarator name: (identifier) @name) @definition.variable))])
([
  (program (variable_declaration
    (variable_declarator name: (identifier) @name) @definition.variable))
  (ERROR (variable_declaration
    (variable_declarator name: (identifier) @name) @definition.variable))])
(program (lexical_declaration
  (variable_declarator name: (array_pattern (identifier) @name @definition.constant))))
(export_statement (lexical_declaration
  (variable_declarator name: (array_pattern (identifier) @name @definition.constant))))
(export_statement (lexical_declaration kind: "const"
  (variable_declarator name: (identifier) @name) @definition.constant))
(export_statement (lexical_declaration kind: "let"
  (variable_declarator name: (identifier) @name) @definition.variable))
(export_statement (variable_declaration
  (variable_declarator name: (identifier) @name) @definition.variable))
(export_statement (lexical_declaration
  (variable_declarator name: (object_pattern [
    (shorthand_property_identifier_pattern) @name @definition.constant
    (object_assignment_pattern
      left: (shorthand_property_identifier_pattern) @name) @definition.constant
    (pair_pattern value: [
      (identifier) @name
      (assignment_pattern left: (identifier) @name)]) @definition.constant]))))
