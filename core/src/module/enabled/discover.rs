//! Discovers the modules of a tree, from one IDE or from all build tools; each has its own reader.

use super::graph::ModuleGraph;
use super::places::Places;
use super::reader::ManifestReader;
use super::{Modules, cargo, dotnet, go, gradle, idea, maven, npm, php, python, ruby, setup_py};
use crate::budget::{Budget, Stopped};
use crate::workspace::Workspace;

/// Manifests larger than this in total leave enough freed memory to return it to the system.
const LARGE_BYTES: u64 = 2 << 20;

impl Modules {
    /// Discovers modules from the files of an IDE, else from the manifests of all build tools.
    ///
    /// The result depends only on the tree. Modules of equal name in one directory are united. In different
    /// directories, the first directory keeps the name and the others append ` (<directory>)`.
    pub(crate) fn discover(workspace: &Workspace, budget: &Budget) -> Result<Modules, Stopped> {
        let mut reader = ManifestReader::new(workspace, budget);
        let of_ide = idea::find(&mut reader)?;
        let is_of_ide = of_ide.is_some();
        let graph = match of_ide {
            Some(graph) => graph,
            None => manifests(&mut reader)?,
        };
        let is_large = reader.bytes_read() > LARGE_BYTES;
        let modules = graph.into_modules(reader.into_problems());
        let modules = Modules { is_of_ide, ..modules };
        if is_large {
            searchscope_memory::trim();
        }
        Ok(modules)
    }
}

/// Returns the modules that the manifests of all build tools describe.
fn manifests(reader: &mut ManifestReader<'_>) -> Result<ModuleGraph, Stopped> {
    let places = Places::find(reader)?;
    let mut graph = ModuleGraph::default();
    for find in [
        cargo::find,
        npm::find,
        go::find,
        maven::find,
        gradle::find,
        python::find,
        setup_py::find,
        php::find,
        dotnet::find,
        ruby::find,
    ] {
        graph.append(find(reader, &places)?);
    }
    Ok(graph)
}
