//! The contracts of tools that exist elsewhere: `search_in_files` with `find_files_by_name`, `find_and_grep`, `Grep`.

pub(crate) mod errors;
pub(crate) mod find_and_grep;
pub(crate) mod find_files_by_name;
pub(crate) mod grep;
pub(crate) mod long_lines;
pub(crate) mod search_in_files;
