; Definitions of PHP.

; A namespace without a body applies to the whole file.
(namespace_definition name: (namespace_name) @package !body)
(namespace_definition name: (namespace_name) @name body: (_)) @definition.module

(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.trait
(enum_declaration name: (name) @name) @definition.enum
(enum_case name: (name) @name) @definition.enum_member
(function_definition name: (name) @name) @definition.function
(method_declaration name: (name) @name) @definition.method

; Properties, including promoted constructor parameters.
(property_element name: (variable_name (name) @name)) @definition.field
(property_promotion_parameter name: (variable_name (name) @name)) @definition.field
(property_promotion_parameter name: (by_ref (variable_name (name) @name))) @definition.field

; Constants of files, of classes, and from calls.
(const_element . (name) @name) @definition.constant
(function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument [(string (string_content) @name) (encapsed_string . (string_content) @name .)]))
  (#any-of? @_define "define" "DEFINE")) @definition.constant

; Variables of the file.
(program (expression_statement
  (assignment_expression left: (variable_name (name) @name)) @definition.variable))
