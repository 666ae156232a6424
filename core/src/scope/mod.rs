//! Scopes: which files a caller means, as an expression over kinds of files, modules, named scopes,
//! patterns, directories and files.
//!
//! A program of atoms and operators in reverse Polish notation is resolved against a workspace once,
//! into a frozen [`Scope`] that the walk asks about paths. The pattern language, the algebra and the
//! ref ids are those of IntelliJ's search scopes; docs/contracts/scopes.md#differences-from-an-ide
//! lists the differences. This area searches nothing, and reads only what describes scopes and
//! modules.

pub(crate) mod ast;
mod hints;
#[cfg(test)]
mod language_tests;
mod lex;
mod name_filter;
pub(crate) mod parse;
mod reference;
#[cfg(test)]
mod round_trip_tests;
mod warnings;

mod asked;
mod atom;
mod catalog;
mod module_scope;
mod named;
mod patterns;
mod program;
mod refs;
mod resolve;
mod resolver;
mod standard;

mod descent;
mod dirs;
mod files;
mod filter;
mod formula;
mod regions;

pub use atom::{AtomKind, AtomTarget, FailureMode, ModuleFlavor, ScopeAtom};
pub use catalog::{Catalog, CatalogItem, CatalogRequest};
pub use filter::Scope;
pub use program::{ScopeOp, ScopeProgram, ScopeShape, ScopeToken};
pub use reference::SCOPE_REFERENCE;
pub(crate) use refs::{file_url, path_of};
pub(crate) use resolve::TIME_MAX;
pub use resolve::{PatternCheck, ResolvedAtom, ResolvedScope, ScopeContext};
pub(crate) use standard::is_standard_id;

#[cfg(all(test, unix))]
mod tests;
