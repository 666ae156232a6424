//! Replaces test_hooks.rs in every build but that of the C tests: nothing fails on demand.

/// Does nothing.
pub(crate) fn before_result() {}
