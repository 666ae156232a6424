//! Defaults of arguments, where they differ from those of the types.
//!
//! Enums have the default of their type. The argument structs implement no `Default`, because some
//! fields are required.

use super::wire::CaseArg;

/// Returns `N`, a number of items.
pub(super) fn count<const N: usize>() -> usize {
    N
}

/// Returns `N`, an amount such as a time.
pub(super) fn amount<const N: u64>() -> u64 {
    N
}

pub(super) fn yes() -> bool {
    true
}

pub(super) fn smart_case() -> CaseArg {
    CaseArg::Smart
}

/// Returns the glob that every file matches.
pub(super) fn every_file() -> String {
    "*".to_owned()
}

/// Returns the label for detecting the encoding.
pub(super) fn encoding() -> String {
    "auto".to_owned()
}

/// Returns the path of the root.
pub(super) fn root() -> String {
    ".".to_owned()
}

/// Returns the start paths of a walk of the whole tree.
pub(super) fn start_paths() -> Vec<String> {
    vec![root()]
}

/// Returns the path of the documents' root.
pub(super) fn documents_root() -> String {
    "/".to_owned()
}
