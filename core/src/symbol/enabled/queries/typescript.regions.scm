; String literals that only TypeScript has: types by templates.

(template_literal_type) @string
(template_type) @code
