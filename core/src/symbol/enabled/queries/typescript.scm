; Definitions that only TypeScript has.

(function_signature name: (identifier) @name) @definition.function
(abstract_class_declaration name: (type_identifier) @name) @definition.class
(interface_declaration name: (type_identifier) @name) @definition.interface
(type_alias_declaration name: (type_identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.enum
(enum_body name: [(property_identifier) (string)] @name @definition.enum_member)
(enum_assignment name: [(property_identifier) (string)] @name) @definition.enum_member
(module name: (_) @name) @definition.module
(internal_module name: (_) @name) @definition.module

; Members of classes and interfaces.
(public_field_definition
  name: [(property_identifier) (private_property_identifier) (string) (computed_property_name)] @name
  value: [(arrow_function) (function_expression)]) @definition.method
(public_field_definition
  name: [(property_identifier) (private_property_identifier) (string) (computed_property_name)] @name) @definition.field
(abstract_method_signature name: (_) @name) @definition.method
(class_body (method_signature name: (_) @name) @definition.method)
(interface_body (method_signature name: (_) @name) @definition.method)
(interface_body (property_signature name: (_) @name) @definition.field)
(type_alias_declaration
  value: (object_type (method_signature name: (_) @name) @definition.method))
(type_alias_declaration
  value: (object_type (property_signature name: (_) @name) @definition.field))
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.field

; Ambient variables, and those of namespaces.
(ambient_declaration (lexical_declaration kind: "const"
  (variable_declarator name: (identifier) @name) @definition.constant))
(ambient_declaration [
  (lexical_declaration kind: "let"
    (variable_declarator name: (identifier) @name) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)])
(ambient_declaration (statement_block [
  (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)]))
(internal_module body: (statement_block (lexical_declaration kind: "const"
  (variable_declarator name: (identifier) @name) @definition.constant)))
(internal_module body: (statement_block [
  (lexical_declaration kind: "let"
    (variable_declarator name: (identifier) @name) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)]))
(module body: (statement_block (lexical_declaration kind: "const"
  (variable_declarator name: (identifier) @name) @definition.constant)))
(module body: (statement_block [
  (lexical_declaration kind: "let"
    (variable_declarator name: (identifier) @name) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)]))
