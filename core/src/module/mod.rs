//! What modules a tree has: from the files of an IDE where there are some, else from the manifests of
//! build tools.
//!
//! Manifests are parsed by libraries, never executed, and bounded in size and number. What they say
//! of places outside the root is not followed. This area knows no scopes and does not walk: it looks
//! at the root, at a few levels of directories below it, and where manifests point.

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
