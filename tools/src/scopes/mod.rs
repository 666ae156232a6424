//! The tools over scopes.

pub(crate) mod describe_program;
pub(crate) mod diagnostics;
pub(crate) mod file_mask;
pub(crate) mod list_catalog;
pub(crate) mod occurrences;
pub(crate) mod resolve_program;
pub(crate) mod search_files;
#[cfg(feature = "parsers")]
pub(crate) mod search_symbols;
pub(crate) mod search_text;
pub(crate) mod validate_pattern;
