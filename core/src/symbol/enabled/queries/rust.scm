; Definitions of Rust.

(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.union
(enum_item name: (type_identifier) @name) @definition.enum
(enum_variant name: (identifier) @name) @definition.enum_member
(trait_item name: (type_identifier) @name) @definition.trait
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(field_declaration name: (field_identifier) @name) @definition.field
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.variable
(mod_item name: (identifier) @name) @definition.module
(macro_definition name: (identifier) @name) @definition.macro

; Implementation blocks, by the type's name, or by the whole type if it has no name.
(impl_item type: [
  (type_identifier) @name
  (scoped_type_identifier name: (type_identifier) @name)
  (dynamic_type trait: (type_identifier) @name)
  (bounded_type . (dynamic_type trait: (type_identifier) @name))
  (primitive_type) @name
  (array_type) @name
  (tuple_type) @name
  (unit_type) @name
  (pointer_type) @name
  (function_type) @name
]) @definition.impl
(impl_item type: (generic_type type: [
  (type_identifier) @name
  (scoped_type_identifier name: (type_identifier) @name)
])) @definition.impl
(impl_item type: (reference_type type: [
  (type_identifier) @name
  (scoped_type_identifier name: (type_identifier) @name)
  (generic_type type: (type_identifier) @name)
  (dynamic_type trait: (type_identifier) @name)
  (primitive_type) @name
  (array_type) @name
  (tuple_type) @name
])) @definition.impl
