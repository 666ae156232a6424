//! Defaults of arguments, where they differ from those of the types.
//!
//! Enums have the default of their type. The argument structs implement no `Default`, because some
//! fields are required.

use crate::arguments::choices::CaseArg;

/// Returns `N`, a number of items.
pub(crate) fn count<const N: usize>() -> usize {
    N
}

/// Returns `N`, an amount such as a time.
pub(crate) fn amount<const N: u64>() -> u64 {
    N
}

pub(crate) fn yes() -> bool {
    true
}

pub(crate) fn smart_case() -> CaseArg {
    CaseArg::Smart
}

/// Returns the glob that every file matches.
pub(crate) fn every_file() -> String {
    "*".to_owned()
}

/// Returns the label for detecting the encoding.
pub(crate) fn encoding() -> String {
    "auto".to_owned()
}

/// Returns the path of the root.
pub(crate) fn root() -> String {
    ".".to_owned()
}

/// Returns the start paths of a walk of the whole tree.
pub(crate) fn start_paths() -> Vec<String> {
    vec![root()]
}

/// Returns the path of the documents' root.
pub(crate) fn documents_root() -> String {
    "/".to_owned()
}
