//! Resolution: from the names of a program to the compiled scope that they mean in a workspace.
//!
//! Modules, named scopes and files are looked up here, once for each program. Uses the other two
//! rooms, which know neither it nor each other.

mod catalog;
mod expression;
mod freeze;
mod git_changed;
mod module_scope;
mod named;
mod patterns;
mod refs;
mod request_atom;
mod resolver;

pub use catalog::{Catalog, CatalogItem, CatalogRequest};
pub(crate) use freeze::TIME_MAX;
pub use freeze::{PatternCheck, ResolvedAtom, ResolvedScope, ScopeContext};
pub(crate) use refs::{file_url, path_of};
