; Definitions of Go.

(package_clause (package_identifier) @package)

(function_declaration name: (identifier) @name) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @scope
    (generic_type type: (type_identifier) @scope)
    (pointer_type [
      (type_identifier) @scope
      (generic_type type: (type_identifier) @scope)
    ])
  ]))
  name: (field_identifier) @name) @definition.method
(method_declaration name: (field_identifier) @name) @definition.method

; Types declared alone, with the keyword.
(type_declaration . (type_spec
  name: (type_identifier) @name type: (struct_type)) .) @definition.struct
(type_declaration . (type_spec
  name: (type_identifier) @name type: (interface_type)) .) @definition.interface
(type_declaration . (type_spec name: (type_identifier) @name) .) @definition.type
(type_declaration . (type_alias name: (type_identifier) @name) .) @definition.type

; Types in a group.
(type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type

; Members of named types. Fields of anonymous structs, as in table tests, do not count.
(type_declaration (_ type: (interface_type
  (method_elem name: (field_identifier) @name) @definition.method)))
(type_declaration (_ type: (struct_type (field_declaration_list
  (field_declaration . name: (field_identifier) @name . type: (_)) @definition.field
  (#not-eq? @name "_")))))
(type_declaration (_ type: (struct_type (field_declaration_list
  (field_declaration (field_identifier) @name @definition.field
  (#not-eq? @name "_"))))))
(type_declaration (_ type: (struct_type (field_declaration_list
  (field_declaration !name type: [
    (type_identifier) @name
    (qualified_type name: (type_identifier) @name)
    (generic_type type: (type_identifier) @name)
    (generic_type type: (qualified_type name: (type_identifier) @name))
  ]) @definition.field))))
; Fields of a struct-typed field.
(field_declaration type: (struct_type (field_declaration_list
  (field_declaration (field_identifier) @name @definition.field (#not-eq? @name "_")))))

; Constants and variables of the file except `_`; several in one line do not contain each other.
(source_file (const_declaration
  . (const_spec . (identifier) @name . [type: (_) value: (_)]) .) @definition.constant
  (#not-eq? @name "_"))
(source_file (const_declaration
  (const_spec . (identifier) @name . [type: (_) value: (_)]) @definition.constant
  (#not-eq? @name "_")))
(source_file (const_declaration
  (const_spec (identifier) @name @definition.constant (#not-eq? @name "_"))))
(source_file (var_declaration
  (var_spec . (identifier) @name . [type: (_) value: (_)])) @definition.variable
  (#not-eq? @name "_"))
(source_file (var_declaration (var_spec_list
  (var_spec . (identifier) @name . [type: (_) value: (_)]) @definition.variable
  (#not-eq? @name "_"))))
(source_file (var_declaration
  (var_spec (identifier) @name @definition.variable (#not-eq? @name "_"))))
(source_file (var_declaration (var_spec_list
  (var_spec (identifier) @name @definition.variable (#not-eq? @name "_")))))
