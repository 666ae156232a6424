//! Names: patterns for them, start paths that a caller names, and the nearest names to one that does not exist.

mod cost;
pub(super) mod named_starts;
pub(super) mod near;
#[cfg(all(test, unix))]
mod near_tests;
pub(super) mod pattern;

pub use pattern::{NameOptions, NamePattern};
