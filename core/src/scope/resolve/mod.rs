//! Resolution: from the names of a program to the compiled scope that they mean in a workspace.
//!
//! Looks up modules, named scopes and files once per program. Uses the other two parts of `scope`, which
//! know neither this one nor each other.

mod anchors;
mod atom_steps;
mod catalog;
mod context;
mod discovery;
mod expression;
mod freeze;
mod git_changed;
mod module_scope;
mod named;
mod patterns;
mod refs;
mod request_atom;
#[cfg(feature = "modules")]
mod stored_scopes;

pub use catalog::{Catalog, CatalogItem, CatalogRequest};
pub use context::ScopeContext;
pub use freeze::TIME_MAX;
pub use freeze::{PatternCheck, ResolvedAtom, ResolvedScope};
pub use refs::{file_url, path_of};
