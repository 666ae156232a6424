; Definitions of shell scripts.

(function_definition name: (word) @name) @definition.function

; Declared variables.
(declaration_command
  "readonly"
  (variable_assignment name: (variable_name) @name) @definition.constant)
(declaration_command
  ["declare" "typeset"]
  (word) @_options
  (variable_assignment name: (variable_name) @name) @definition.constant
  (#match? @_options "^-[A-Za-z]*r"))
(declaration_command
  ["declare" "typeset" "export"]
  (variable_assignment name: (variable_name) @name) @definition.variable)
(declaration_command ["declare" "typeset"] (variable_name) @name @definition.variable)

; Assigned variables, except those for a single command or of a loop. Those in functions are dropped later.
(program (variable_assignment name: (variable_name) @name "=") @definition.variable)
(ERROR (variable_assignment name: (variable_name) @name "=") @definition.variable)
(program (variable_assignments
  (variable_assignment name: (variable_name) @name "=") @definition.variable))
(if_statement (variable_assignment name: (variable_name) @name "=") @definition.variable)
(else_clause (variable_assignment name: (variable_name) @name "=") @definition.variable)
(elif_clause (variable_assignment name: (variable_name) @name "=") @definition.variable)
(case_item (variable_assignment name: (variable_name) @name "=") @definition.variable)
(list (variable_assignment name: (variable_name) @name "=") @definition.variable)
(program (compound_statement
  (variable_assignment name: (variable_name) @name "=") @definition.variable))
