//! The language of scopes: atoms, programs of atoms in reverse Polish notation, and textual patterns.
//!
//! This module parses and prints, and knows no workspace: `resolve` decides whether a name exists.

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
#[cfg(feature = "modules")]
pub(super) use parse::TEXT_BYTES_MAX;
pub(crate) use parse::parse;
pub use program::{ScopeOp, ScopeProgram, ScopeShape, ScopeToken};
pub use reference::SCOPE_REFERENCE;
pub(super) use standard::Standard;
pub use standard::is_standard_id;
pub use warnings::is_file_extension;
pub(super) use warnings::warnings;

#[cfg(test)]
mod language_tests;
