//! The modules of a tree, from the files of an IDE if there are any, else from the manifests of build tools.
//!
//! Manifests are parsed by libraries, never executed, and bounded in size and number. Paths outside the root
//! are not followed. This module knows no scopes and does not walk: it looks at the root, a few levels of
//! directories below it, and the paths that manifests name. The readers are in the feature `modules`; without
//! it every request for modules is refused, because an empty list would change the meaning of scopes.

#[cfg(feature = "modules")]
mod enabled;
mod library;
mod model;

#[cfg(feature = "modules")]
pub(crate) use enabled::xml;
#[cfg(feature = "modules")]
pub(crate) use model::Dependency;
#[cfg(any(feature = "modules", test))]
pub(crate) use model::Library;
pub(crate) use model::Module;
pub(crate) use model::{
    ContentRoot, DependencyScope, DependsOn, LibraryNames, Modules, SourceRoot, TestNames,
};
