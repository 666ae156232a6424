; Definitions of Python.

; A decorator belongs to its definition.
(decorated_definition definition: (class_definition name: (identifier) @name)) @definition.class
(decorated_definition
  definition: (function_definition name: (identifier) @name)) @definition.function
(class_definition name: (identifier) @name) @definition.class
(function_definition name: (identifier) @name) @definition.function

; Each of several targets has its own range.
(assignment left: (identifier) @name @definition.variable right: (assignment))
(assignment right: (assignment left: (identifier) @name @definition.variable))
(expression_statement (assignment left: (pattern_list (identifier) @name @definition.variable)))

; Attributes of classes.
(class_definition body: (block (expression_statement
  (assignment left: (identifier) @name) @definition.field)))

; File-level names in capitals are constants by convention.
(module (expression_statement
  (assignment left: (identifier) @name) @definition.constant)
  (#match? @name "^[A-Z][A-Z0-9_]+$"))

; Other variables, also below `if` and `try`. Inside a class they are fields; inside a function they are
; dropped.
(expression_statement (assignment left: (identifier) @name) @definition.variable)

(type_alias_statement left: (type (identifier) @name)) @definition.type
(type_alias_statement left: (type (generic_type (identifier) @name))) @definition.type
