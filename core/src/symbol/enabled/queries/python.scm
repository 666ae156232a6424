; Definitions.
