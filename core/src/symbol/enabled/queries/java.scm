; Definitions of Java.

(package_declaration [(identifier) (scoped_identifier)] @package)
(module_declaration name: (_) @name) @definition.module

(class_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(record_declaration name: (identifier) @name) @definition.struct
(enum_declaration name: (identifier) @name) @definition.enum
(enum_constant name: (identifier) @name) @definition.enum_member

(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.method
(compact_constructor_declaration name: (identifier) @name) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method

; Fields; each of several in one declaration has its own range.
(field_declaration type: (_)
  . declarator: (variable_declarator name: (identifier) @name) .) @definition.field
(field_declaration
  declarator: (variable_declarator name: (identifier) @name) @definition.field)
(constant_declaration type: (_)
  . declarator: (variable_declarator name: (identifier) @name) .) @definition.constant
(constant_declaration
  declarator: (variable_declarator name: (identifier) @name) @definition.constant)
(record_declaration parameters: (formal_parameters
  (formal_parameter name: (identifier) @name) @definition.field))
(record_declaration parameters: (formal_parameters
  (spread_parameter (variable_declarator name: (identifier) @name)) @definition.field))
