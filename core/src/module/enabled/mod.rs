//! The readers of modules.

mod cargo;
mod discover;
mod dotnet;
mod go;
mod gradle;
mod graph;
mod ide_url;
mod idea;
mod installed;
mod maven;
mod members;
mod npm;
mod php;
mod places;
mod python;
mod reader;
mod ruby;
mod setup_py;
#[cfg(all(test, unix))]
mod tests;
mod toml_values;
pub(crate) mod xml;

use super::{
    ContentRoot, Dependency, DependencyScope, DependsOn, Library, LibraryNames, Module, Modules,
    SourceRoot, TestNames,
};
