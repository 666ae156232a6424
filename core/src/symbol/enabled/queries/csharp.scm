; Definitions of C#.

(file_scoped_namespace_declaration name: (_) @package)
(namespace_declaration name: (_) @name) @definition.module

(class_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(struct_declaration name: (identifier) @name) @definition.struct
(record_declaration name: (identifier) @name) @definition.struct
(enum_declaration name: (identifier) @name) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.enum_member
(delegate_declaration name: (identifier) @name) @definition.type
(using_directive name: (identifier) @name) @definition.type

(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.method
(destructor_declaration name: (identifier) @name) @definition.method
(operator_declaration operator: _ @name) @definition.method
(conversion_operator_declaration "operator" @name) @definition.method
(local_function_statement name: (identifier) @name) @definition.function

; Properties, events and fields; each of several in one declaration has its own range.
(property_declaration name: (identifier) @name) @definition.field
(indexer_declaration "this" @name) @definition.field
(event_declaration name: (identifier) @name) @definition.field
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition.field))
(field_declaration (modifier "const") (variable_declaration type: (_)
  . (variable_declarator name: (identifier) @name) .)) @definition.constant
(field_declaration (modifier "const") (variable_declaration
  (variable_declarator name: (identifier) @name) @definition.constant))
(field_declaration (variable_declaration type: (_)
  . (variable_declarator name: (identifier) @name) .)) @definition.field
(field_declaration (variable_declaration
  (variable_declarator name: (identifier) @name) @definition.field))
(event_field_declaration (variable_declaration type: (_)
  . (variable_declarator name: (identifier) @name) .)) @definition.field
(event_field_declaration (variable_declaration
  (variable_declarator name: (identifier) @name) @definition.field))

(preproc_define (preproc_arg) @name) @definition.macro
