; Definitions of Ruby.

(module name: (constant) @name) @definition.module
(module name: (scope_resolution scope: (_) @scope name: (constant) @name)) @definition.module
(module name: (scope_resolution name: (constant) @name)) @definition.module
(class name: (constant) @name) @definition.class
(class name: (scope_resolution scope: (_) @scope name: (constant) @name)) @definition.class
(class name: (scope_resolution name: (constant) @name)) @definition.class
; The singleton class of `self` is part of the class around it.
(singleton_class value: (constant) @name) @definition.impl

; Methods by declaration, by alias, and by calls.
(program (method name: (_) @name) @definition.function)
(method name: (_) @name) @definition.method
(singleton_method object: [(constant) (identifier)] @scope name: (_) @name) @definition.method
(singleton_method name: (_) @name) @definition.method
(alias name: (_) @name) @definition.method
(call
  !receiver
  method: (identifier) @_define
  arguments: (argument_list . [(simple_symbol) @name (string . (string_content) @name .)])
  (#any-of? @_define "define_method" "define_singleton_method" "alias_method")) @definition.method
(call
  !receiver
  method: (identifier) @_accessor
  arguments: (argument_list [(simple_symbol) @name (string . (string_content) @name .)] @definition.field)
  (#any-of? @_accessor
    "attr_accessor" "attr_reader" "attr_writer" "attr"
    "cattr_accessor" "cattr_reader" "cattr_writer"
    "mattr_accessor" "mattr_reader" "mattr_writer"
    "class_attribute" "thread_mattr_accessor" "attribute"))

; Constants; those that name a class created in place are classes.
(assignment
  left: (constant) @name
  right: (call receiver: (constant) @_class method: (identifier) @_new)
  (#any-of? @_class "Class" "Struct" "Data")
  (#any-of? @_new "new" "define")) @definition.class
(assignment
  left: (constant) @name
  right: (call receiver: (constant) @_class method: (identifier) @_new)
  (#eq? @_class "Module")
  (#eq? @_new "new")) @definition.module
(assignment left: (constant) @name) @definition.constant
(assignment left: (scope_resolution scope: (_) @scope name: (constant) @name)) @definition.constant
(assignment left: (left_assignment_list (constant) @name @definition.constant))
(operator_assignment left: (constant) @name) @definition.constant
