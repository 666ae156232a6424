//! Module scopes: their roots in each flavor, and their names.

use crate::module::{DependencyScope, DependsOn};
use crate::scope::compiled::number;
use crate::scope::compiled::{Regions, Roots};
use crate::scope::language::ModuleFlavor;
use crate::workspace::Workspace;
use std::collections::BTreeSet;

/// Returns the ref id of a module scope.
pub(super) fn module_ref(name: &str, flavor: ModuleFlavor) -> String {
    format!("module:{name}:{}", flavor.code())
}

/// Returns the name of the module that a project without an IDE's modules is: that of the root's directory,
/// as an IDE names it. `None` for the root of a file system.
pub(super) fn project_name(workspace: &Workspace) -> Option<String> {
    Some(workspace.root().file_name()?.to_string_lossy().into_owned())
}

/// Returns the display name of a module scope.
pub(super) fn module_name(name: &str, flavor: ModuleFlavor) -> String {
    let with = match flavor {
        ModuleFlavor::Module => "",
        ModuleFlavor::ModuleWithDependencies => " with dependencies",
        ModuleFlavor::ModuleWithLibraries => " with libraries",
        ModuleFlavor::ModuleWithDependenciesAndLibraries => " with dependencies and libraries",
    };
    format!("Module '{name}'{with}")
}

/// Returns the roots of a module and, depending on the flavor, of its dependencies: its direct ones, and
/// the exported ones of those, as far as a compiler sees them.
pub(super) fn roots_of(regions: &Regions, module: usize, flavor: ModuleFlavor) -> Roots {
    use ModuleFlavor as F;
    let with_modules =
        matches!(flavor, F::ModuleWithDependencies | F::ModuleWithDependenciesAndLibraries);
    let with_libraries =
        matches!(flavor, F::ModuleWithLibraries | F::ModuleWithDependenciesAndLibraries);
    let modules = &regions.modules.modules;
    let mut roots = Roots::default();
    let (mut seen, mut open) = (BTreeSet::from([module]), vec![module]);
    while let Some(at) = open.pop() {
        if at == module || with_modules {
            let sources = modules[at].content.iter().flat_map(|content| &content.sources);
            roots.sources.extend(sources.filter_map(|source| regions.source_at(&source.path)));
        }
        for dependency in &modules[at].dependencies {
            let is_seen = (at == module || dependency.is_exported)
                && dependency.scope != DependencyScope::Runtime;
            match dependency.on {
                _ if !is_seen => {}
                DependsOn::Module(on) => {
                    if seen.insert(on) {
                        open.push(on);
                    }
                }
                DependsOn::Library(library) if with_libraries => {
                    roots.libraries.insert(number(library));
                }
                DependsOn::Library(_) => {}
            }
        }
    }
    roots
}
