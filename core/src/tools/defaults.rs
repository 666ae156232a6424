//! Defaults of arguments that several tools have, and those that are numbers.
//!
//! An enum has the default of its type. The arguments themselves have no `Default`, because some of
//! them are required.

/// Returns `N`, a number of things.
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

/// Returns the path of the root.
pub(super) fn root() -> String {
    ".".to_owned()
}
