; String literals that only TypeScript has: template literal types.

(template_literal_type) @string
(template_type) @code
