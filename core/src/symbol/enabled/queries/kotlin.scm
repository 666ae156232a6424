; Definitions of Kotlin.

(package_header (qualified_identifier) @package)

(class_declaration (modifiers (class_modifier "enum"))
  name: (identifier) @name) @definition.enum
(class_declaration "interface" name: (identifier) @name) @definition.interface
(class_declaration name: (identifier) @name) @definition.class
(object_declaration name: (identifier) @name) @definition.class
(companion_object name: (identifier) @name) @definition.class
(enum_entry (identifier) @name) @definition.enum_member
(type_alias type: (identifier) @name) @definition.type

; Functions, extension functions first.
(function_declaration [
    (user_type (identifier) @scope . (type_arguments)? .)
    (nullable_type (user_type (identifier) @scope . (type_arguments)? .))
  ] . name: (identifier) @name) @definition.function
(class_body (function_declaration name: (identifier) @name) @definition.method)
(function_declaration name: (identifier) @name) @definition.function
(secondary_constructor "constructor" @name) @definition.method

; Properties; declarations inside functions do not count.
(class_parameter ["val" "var"] . (identifier) @name) @definition.field
(property_declaration (modifiers (property_modifier "const"))
  (variable_declaration (identifier) @name)) @definition.constant
(source_file (property_declaration [
    (user_type (identifier) @scope . (type_arguments)? .)
    (nullable_type (user_type (identifier) @scope . (type_arguments)? .))
  ] . (variable_declaration (identifier) @name)) @definition.variable)
(source_file (property_declaration
  (variable_declaration (identifier) @name)) @definition.variable)
(source_file (property_declaration (multi_variable_declaration
  (variable_declaration (identifier) @name) @definition.variable)))
; If a class on one line is not understood, its parts are.
(ERROR (property_declaration
  (variable_declaration (identifier) @name)) @definition.variable)
(ERROR "class" . (identifier) @name @definition.class)
(class_body (property_declaration
  (variable_declaration (identifier) @name)) @definition.field)
(enum_class_body (property_declaration
  (variable_declaration (identifier) @name)) @definition.field)
