//! The modules of a tree, from the files of an IDE if there are any, else from the manifests of build tools.
//!
//! Manifests are parsed by libraries, never executed, and bounded in size and number. Paths outside the root
//! are not followed. This module knows no scopes and does not walk: it looks at the root, a few levels of
//! directories below it, and the paths that manifests name.

mod cargo;
mod discover;
mod go;
mod gradle;
mod graph;
mod ide_url;
mod idea;
mod installed;
mod library;
mod maven;
mod members;
mod model;
mod npm;
mod places;
mod python;
mod reader;
#[cfg(all(test, unix))]
mod tests;
mod toml_values;
pub(crate) mod xml;

pub(crate) use model::{
    ContentRoot, Dependency, DependencyScope, DependsOn, Library, LibraryNames, Module, Modules,
    SourceRoot, TestNames,
};
