//! Scopes: which files a caller means, as an expression over kinds of files, modules, named scopes,
//! patterns, directories and files.
//!
//! A program of atoms and operators in reverse Polish notation is resolved against a workspace once,
//! into a frozen [`Scope`] that decides about the paths of a walk. The pattern language, the algebra
//! and the ref ids are those of IntelliJ's search scopes; docs/contracts/scopes.md#differences-from-an-ide
//! lists the differences. This area searches nothing, and reads only what describes scopes and modules.
//!
//! It has three rooms: `language` reads programs and patterns, `resolve` looks up what they name,
//! `compiled` decides about paths. `resolve` uses the other two; they use nothing of each other.

mod compiled;
pub(crate) mod language;
mod resolve;

pub use compiled::Scope;
pub(crate) use language::is_standard_id;
pub use language::{
    AtomKind, AtomTarget, FailureMode, ModuleFlavor, SCOPE_REFERENCE, ScopeAtom, ScopeOp,
    ScopeProgram, ScopeShape, ScopeToken,
};
pub use resolve::{
    Catalog, CatalogItem, CatalogRequest, PatternCheck, ResolvedAtom, ResolvedScope, ScopeContext,
};
pub(crate) use resolve::{TIME_MAX, file_url, path_of};

#[cfg(all(test, unix))]
mod tests;
