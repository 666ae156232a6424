//! The language of scopes: atoms, programs of them in reverse Polish notation, and the patterns that
//! are text.
//!
//! This room reads and prints, and knows no workspace: whether a name exists is for `resolve`.

mod ast;
mod hints;
mod lex;
mod parse;
mod reference;
mod warnings;

mod atom;
mod program;
mod standard;

pub(super) use ast::{Leaf, Prefix};
pub(crate) use ast::{Op, PackageSet};
pub(super) use atom::codes;
pub use atom::{AtomKind, AtomTarget, FailureMode, ModuleFlavor, ScopeAtom};
pub(super) use parse::TEXT_BYTES_MAX;
pub(crate) use parse::parse;
pub use program::{ScopeOp, ScopeProgram, ScopeShape, ScopeToken};
pub use reference::SCOPE_REFERENCE;
pub(super) use standard::Standard;
pub(crate) use standard::is_standard_id;
pub(super) use warnings::warnings;

#[cfg(test)]
mod language_tests;
