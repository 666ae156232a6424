//! The modules of source sets: `app.main` and `app.test` of the project `app`, as an IDE makes them.

use super::source_sets::SourceDir;
use crate::budget::Stopped;
use crate::module::enabled::graph::{LocatedModule, MODULES_MAX, ModuleGraph};
use crate::module::enabled::reader::ManifestReader;
use crate::module::{ContentRoot, DependencyScope, DependsOn, Module, SourceRoot};
use crate::workspace::RelPath;
use std::collections::BTreeMap;

/// The maximum number of source sets of a project.
const SETS_MAX: usize = 200;
/// The maximum number of directories of the source sets of a project.
const DIRS_MAX: usize = 2_000;

/// The modules of the source sets of one project, by name.
#[derive(Default)]
pub(super) struct SetModules(BTreeMap<String, usize>);

impl SetModules {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the module of the main source set.
    pub(super) fn main(&self) -> Option<usize> {
        self.0.get("main").or_else(|| self.0.get("commonMain")).copied()
    }

    /// Adds a dependency of the project to its source sets. Only tests have those of tests.
    pub(super) fn depend(&self, graph: &mut ModuleGraph, on: usize, scope: DependencyScope) {
        for (name, at) in &self.0 {
            if scope != DependencyScope::Test || is_test_set(name) {
                graph.modules[*at].depend(DependsOn::Module(on), scope);
            }
        }
    }

    /// Adds the dependency of the test source sets on the main one.
    pub(super) fn depend_on_main(&self, graph: &mut ModuleGraph) {
        let Some(main) = self.main() else { return };
        for (name, at) in &self.0 {
            if is_test_set(name) {
                graph.modules[*at].depend(DependsOn::Module(main), DependencyScope::Compile);
            }
        }
    }
}

/// The content roots of a source set and their source roots.
#[derive(Default)]
pub(super) struct SourceSet(Vec<ContentRoot>);

impl SourceSet {
    /// Adds a source root, with a content root of its own unless one contains it.
    fn add(&mut self, project: &RelPath, path: RelPath, is_test: bool) {
        let holder = self.0.iter().position(|content| path.starts_with(&content.path));
        let at = holder.unwrap_or_else(|| {
            self.add_content(project, path.clone());
            self.0.len() - 1
        });
        let sources = &mut self.0[at].sources;
        if !sources.iter().any(|source| source.path == path) {
            sources.push(SourceRoot { path, is_test, ..SourceRoot::default() });
        }
    }

    fn add_content(&mut self, project: &RelPath, path: RelPath) {
        let is_source_set = path != *project;
        self.0.push(ContentRoot { path, is_source_set, ..ContentRoot::default() });
    }
}

/// Returns the source sets of the project of `module`, by the name of their modules, and adds their roots to
/// the module itself.
///
/// A directory `src/NAME` is the content root of the set `NAME`, and the directories in it are its source
/// roots. A directory that the script names is a content root of its own outside of that.
pub(super) fn find(
    reader: &mut ManifestReader<'_>,
    module: &mut LocatedModule,
    root: &RelPath,
    dirs: &[SourceDir],
) -> Result<BTreeMap<String, (Module, RelPath)>, Stopped> {
    let project = module.dir.clone();
    let mut declared = Vec::new();
    let mut is_cut = false;
    for dir in dirs {
        reader.budget.poll()?;
        let path = reader.resolve(if dir.is_from_root { root } else { &project }, &dir.path);
        // A directory above the project would contain its other source sets and projects.
        let path = path.filter(|path| !project.starts_with(path) || *path == project);
        let Some(path) = path.filter(|path| reader.is_dir(path)) else { continue };
        match dir.contains_roots {
            true => declared.extend(reader.dirs(&path)?.into_iter().map(|path| (&dir.set, path))),
            false => declared.push((&dir.set, path)),
        }
        if declared.len() > DIRS_MAX {
            declared.truncate(DIRS_MAX);
            is_cut = true;
            break;
        }
    }
    let mut n_left = DIRS_MAX - declared.len();
    let mut sets: BTreeMap<String, SourceSet> = BTreeMap::new();
    for dir in reader.dirs(&project.join(b"src"))? {
        reader.budget.poll()?;
        let name = String::from_utf8_lossy(dir.file_name()).into_owned();
        let is_source = declared.iter().any(|(_, path)| dir.starts_with(path) && dir != *path);
        let mut roots = if is_source { Vec::new() } else { reader.dirs(&dir)? };
        let is_declared = declared.iter().any(|(set, path)| **set == name && *path == dir);
        let is_skipped = sets.len() == SETS_MAX || roots.is_empty() && !is_declared;
        if is_skipped || reader.name(&dir, &name).is_none() {
            continue;
        }
        is_cut |= roots.len() > n_left;
        roots.truncate(n_left);
        n_left -= roots.len();
        let is_test = is_test_set(&name);
        let set = sets.entry(name).or_default();
        set.add_content(&project, dir);
        if !is_declared {
            roots.into_iter().for_each(|path| set.add(&project, path, is_test));
        }
    }
    for (name, path) in declared {
        reader.budget.poll()?;
        if sets.len() < SETS_MAX || sets.contains_key(name) {
            sets.entry(name.clone()).or_default().add(&project, path, is_test_set(name));
        }
    }
    if is_cut {
        reader.problem(&project, format_args!("only {DIRS_MAX} source directories are used"));
    }
    Ok(sets.into_iter().map(|(name, set)| of_set(module, name, set)).collect())
}

/// Returns the module of a source set, and adds its roots to that of the project.
fn of_set(
    project: &mut LocatedModule,
    name: String,
    set: SourceSet,
) -> (String, (Module, RelPath)) {
    for content in &set.0 {
        let is_below = content.path.starts_with(&project.dir);
        if content.is_source_set {
            let sources = if is_below { Vec::new() } else { content.sources.clone() };
            project.module.content.push(ContentRoot { sources, ..content.clone() });
        }
        for source in content.sources.iter().filter(|_| is_below) {
            project.add_source(source.path.clone(), source.is_test);
        }
    }
    let joined = |of: &str| match of {
        // The project of the root has no name of its own.
        "." => name.clone(),
        of => format!("{of}.{name}"),
    };
    let module = Module {
        name: joined(&project.module.name),
        qualified_name: joined(&project.module.qualified_name),
        content: set.0,
        is_of_import: true,
        ..Module::default()
    };
    (name, (module, project.dir.clone()))
}

/// Adds the modules of source sets to the graph.
pub(super) fn add(
    reader: &mut ManifestReader<'_>,
    file: &RelPath,
    graph: &mut ModuleGraph,
    sets: BTreeMap<String, (Module, RelPath)>,
) -> SetModules {
    let mut added = SetModules::default();
    for (name, (module, dir)) in sets {
        if graph.modules.len() == MODULES_MAX {
            reader.problem(file, format_args!("more than {MODULES_MAX} projects and source sets"));
            break;
        }
        added.0.insert(name, graph.modules.len());
        graph.modules.push(LocatedModule { dir, module });
    }
    added
}

/// Returns whether a source set contains tests, including variants such as `testDebug`.
fn is_test_set(name: &str) -> bool {
    let is_variant_of = |start: &str| {
        let rest = name.strip_prefix(start);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_uppercase))
    };
    ["test", "testFixtures", "androidTest"].iter().any(|start| is_variant_of(start))
        || name.ends_with("Test")
        || name.ends_with("Tests")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_sets() {
        for (name, expected) in [
            ("main", false),
            ("test", true),
            ("testDebug", true),
            ("testing", false),
            ("commonTest", true),
            ("integrationTests", true),
            ("testFixtures", true),
            ("androidTestRelease", true),
            ("latest", false),
        ] {
            assert_eq!(is_test_set(name), expected, "{name}");
        }
    }
}
