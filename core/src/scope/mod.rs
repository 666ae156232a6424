//! Scopes: sets of files that a caller selects, as expressions over kinds of files, modules, named scopes,
//! patterns, directories and files.
//!
//! A program of atoms and operators in reverse Polish notation is resolved once against a workspace, into a
//! frozen [`Scope`] that decides about the paths of a walk. The pattern language, the algebra and the ref ids
//! are those of IntelliJ's search scopes; docs/contracts/scopes.md#differences-from-an-ide lists the
//! differences. This module searches nothing and reads only the files that describe scopes and modules.
//!
//! It has three parts: `language` parses programs and patterns, `resolve` looks up the names in them,
//! `compiled` decides about paths. `resolve` uses the other two, which do not know each other.

mod compiled;
pub(crate) mod language;
mod resolve;

pub use compiled::Scope;
pub use language::{
    AtomKind, AtomTarget, FailureMode, ModuleFlavor, SCOPE_REFERENCE, ScopeAtom, ScopeOp,
    ScopeProgram, ScopeShape, ScopeToken,
};
pub use language::{is_file_extension, is_standard_id};
pub use resolve::{
    Catalog, CatalogItem, CatalogRequest, PatternCheck, ResolvedAtom, ResolvedScope, ScopeContext,
};
pub use resolve::{TIME_MAX, file_url, path_of};

#[cfg(all(test, feature = "modules", unix))]
mod tests;
