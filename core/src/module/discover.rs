//! Discovery of the modules of a tree: one IDE or all build tools, each a reader of its own.

use super::graph::ModuleGraph;
use super::places::Places;
use super::reader::ManifestReader;
use super::{Modules, cargo, go, gradle, idea, maven, npm, python};
use crate::budget::{Budget, Stopped};
use crate::workspace::Workspace;

/// Manifests of more bytes leave behind so much freed memory that it is returned to the system.
const LARGE_BYTES: u64 = 2 << 20;

impl Modules {
    /// Looks for modules: in the files of an IDE, else in the manifests of all build tools.
    ///
    /// The same tree gives the same modules. Of modules in different directories with one name the
    /// first by directory keeps it, and the others have ` (<directory>)` behind it; of one directory
    /// they are one module.
    pub(crate) fn discover(workspace: &Workspace, budget: &Budget) -> Result<Modules, Stopped> {
        let mut reader = ManifestReader::new(workspace, budget);
        let graph = match idea::find(&mut reader)? {
            Some(graph) => graph,
            None => manifests(&mut reader)?,
        };
        let is_large = reader.bytes_read() > LARGE_BYTES;
        let modules = graph.into_modules(reader.into_problems());
        if is_large {
            searchscope_memory::trim();
        }
        Ok(modules)
    }
}

/// What the manifests of all build tools say together.
fn manifests(reader: &mut ManifestReader<'_>) -> Result<ModuleGraph, Stopped> {
    let places = Places::find(reader)?;
    let mut graph = ModuleGraph::default();
    for find in [cargo::find, npm::find, go::find, maven::find, gradle::find, python::find] {
        graph.append(find(reader, &places)?);
    }
    Ok(graph)
}
