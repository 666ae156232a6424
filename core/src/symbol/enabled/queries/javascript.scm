; Definitions of JavaScript.

(field_definition
  property: [(property_identifier) (private_property_identifier) (string) (computed_property_name)] @name
  value: [(arrow_function) (function_expression)]) @definition.method
(field_definition
  property: [(property_identifier) (private_property_identifier) (string) (computed_property_name)] @name) @definition.field
