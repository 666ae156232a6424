; Definitions of Python.

; A decorator belongs to what it decorates.
(decorated_definition definition: (class_definition name: (identifier) @name)) @definition.class
(decorated_definition
  definition: (function_definition name: (identifier) @name)) @definition.function
(class_definition name: (identifier) @name) @definition.class
(function_definition name: (identifier) @name) @definition.function

; Of several targets each is its own.
(assignment left: (identifier) @name @definition.variable right: (assignment))
(assignment right: (assignment left: (identifier) @name @definition.variable))
(expression_statement (assignment left: (pattern_list (identifier) @name @definition.variable)))

; Attributes of classes.
(class_definition body: (block (expression_statement
  (assignment left: (identifier) @name) @definition.field)))

; What a file calls by capitals is constant to it.
(module (expression_statement
  (assignment left: (identifier) @name) @definition.constant)
  (#match? @name "^[A-Z][A-Z0-9_]+$"))

; Other variables, also those below `if` and `try`; within a class they are fields, and within a
; function nothing.
(expression_statement (assignment left: (identifier) @name) @definition.variable)

(type_alias_statement left: (type (identifier) @name)) @definition.type
(type_alias_statement left: (type (generic_type (identifier) @name))) @definition.type
