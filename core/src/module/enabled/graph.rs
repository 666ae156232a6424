//! Modules and libraries as manifest readers add them, and their final order.

use super::reader::DEPENDENCIES_MAX;
use super::{ContentRoot, Dependency, DependencyScope, DependsOn, Library, Module, Modules};
use super::{SourceRoot, TestNames};
use crate::workspace::RelPath;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The maximum number of modules.
pub(super) const MODULES_MAX: usize = 5_000;
/// The maximum number of dependencies of one module.
const DEPENDENCIES_PER_MODULE_MAX: usize = 10_000;

/// A reference to another module in a manifest.
pub(super) enum Target {
    Name(Box<str>),
    /// Its directory.
    Path(Box<str>),
}

/// Modules and libraries that refer to each other by index.
#[derive(Debug, Default)]
pub(super) struct ModuleGraph {
    pub modules: Vec<LocatedModule>,
    pub libraries: Vec<Library>,
}

/// A module and the directory of its description.
#[derive(Debug)]
pub(super) struct LocatedModule {
    pub dir: RelPath,
    pub module: Module,
}

impl LocatedModule {
    /// Returns a module whose content is the directory of its manifest.
    pub(super) fn of_manifest(dir: &RelPath, name: &str, test_names: TestNames) -> LocatedModule {
        let content = vec![ContentRoot { path: dir.clone(), ..ContentRoot::default() }];
        let module = Module { name: name.to_owned(), content, test_names, ..Module::default() };
        LocatedModule { dir: dir.clone(), module }
    }

    /// Adds a source root below the manifest's directory, unless it exists already.
    pub(super) fn add_source(&mut self, path: RelPath, is_test: bool) {
        let sources = self.module.content.first_mut().map(|content| &mut content.sources);
        if let Some(sources) = sources
            && !sources.iter().any(|source| source.path == path)
        {
            sources.push(SourceRoot { path, is_test, ..SourceRoot::default() });
        }
    }

    /// Like [`LocatedModule::add_source`], with the package of the files directly in the root.
    pub(super) fn add_package(&mut self, path: RelPath, package: String, is_test: bool) {
        self.add_source(path.clone(), is_test);
        let sources = self.module.content.iter_mut().flat_map(|content| &mut content.sources);
        for source in sources.filter(|source| source.path == path) {
            source.package_prefix = package.clone();
        }
    }

    /// Returns whether the module has a source root.
    pub(super) fn has_sources(&self) -> bool {
        self.module.content.iter().any(|content| !content.sources.is_empty())
    }

    /// Excludes a directory from the module.
    pub(super) fn exclude(&mut self, path: RelPath) {
        if let Some(content) = self.module.content.first_mut() {
            content.excluded.push(path);
        }
    }

    /// Adds a dependency of a build tool's module. Dependencies that exist at run time are exported.
    pub(super) fn depend(&mut self, on: DependsOn, scope: DependencyScope) {
        let is_exported = matches!(scope, DependencyScope::Compile | DependencyScope::Runtime);
        self.module.dependencies.push(Dependency { on, scope, is_exported });
    }
}

impl ModuleGraph {
    /// Appends another reader's graph and shifts its indices.
    pub(super) fn append(&mut self, other: ModuleGraph) {
        let (n_modules, n_libraries) = (self.modules.len(), self.libraries.len());
        self.modules.extend(other.modules);
        self.libraries.extend(other.libraries);
        let moved = self.modules[n_modules..].iter_mut();
        for dependency in moved.flat_map(|graph| &mut graph.module.dependencies) {
            dependency.on = match dependency.on {
                DependsOn::Module(at) => DependsOn::Module(at + n_modules),
                DependsOn::Library(at) => DependsOn::Library(at + n_libraries),
            };
        }
    }

    /// Sorts the modules and makes their names unique.
    pub(super) fn into_modules(mut self, mut problems: Vec<String>) -> Modules {
        // For each module, the index of the one it was united with.
        let united = self.unite();
        self.rename();
        let mut order: Vec<usize> =
            (0..self.modules.len()).filter(|&at| united[at] == at).collect();
        order.sort_by(|&a, &b| self.modules[a].module.name.cmp(&self.modules[b].module.name));
        let mut places = vec![0; self.modules.len()];
        for (place, &at) in order.iter().enumerate() {
            places[at] = place;
        }
        let mut modules = Vec::with_capacity(order.len());
        let (mut n_left, mut is_cut) = (DEPENDENCIES_MAX, false);
        for (place, &at) in order.iter().enumerate() {
            let mut module = std::mem::take(&mut self.modules[at].module);
            for dependency in &mut module.dependencies {
                if let DependsOn::Module(on) = &mut dependency.on {
                    *on = places[united[*on]];
                }
            }
            let mut known = HashSet::new();
            module.dependencies.retain(|dependency| {
                dependency.on != DependsOn::Module(place)
                    && known.len() < DEPENDENCIES_PER_MODULE_MAX
                    && known.insert((dependency.on, dependency.scope, dependency.is_exported))
            });
            is_cut |= module.dependencies.len() > n_left;
            module.dependencies.truncate(n_left);
            n_left -= module.dependencies.len();
            modules.push(module);
        }
        if is_cut {
            problems.push(format!("more than {DEPENDENCIES_MAX} dependencies of all modules"));
        }
        Modules { modules, libraries: self.libraries, problems, is_of_ide: false }
    }

    /// Unites modules of equal name and directory. Returns for each the index it was united with.
    fn unite(&mut self) -> Vec<usize> {
        let mut first: HashMap<(RelPath, String), usize> = HashMap::new();
        let mut united = Vec::with_capacity(self.modules.len());
        for at in 0..self.modules.len() {
            let LocatedModule { dir, module } = &self.modules[at];
            let into = *first.entry((dir.clone(), module.name.clone())).or_insert(at);
            united.push(into);
            if into == at {
                continue;
            }
            let module = std::mem::take(&mut self.modules[at].module);
            let target = &mut self.modules[into];
            for content in module.content {
                if content.is_source_set {
                    target.module.content.push(content);
                    continue;
                }
                for source in content.sources {
                    target.add_source(source.path, source.is_test);
                }
                content.excluded.into_iter().for_each(|path| target.exclude(path));
            }
            target.module.dependencies.extend(module.dependencies);
            target.module.is_of_import |= module.is_of_import;
            if target.module.qualified_name.is_empty() {
                target.module.qualified_name = module.qualified_name;
            }
            if target.module.test_names == TestNames::None {
                target.module.test_names = module.test_names;
            }
        }
        united
    }

    /// Appends the directory to each name that a module in an earlier directory has.
    fn rename(&mut self) {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, found) in self.modules.iter().enumerate() {
            // United modules have lost their names.
            if !found.module.name.is_empty() {
                by_name.entry(found.module.name.clone()).or_default().push(at);
            }
        }
        let mut taken: HashSet<String> = by_name.keys().cloned().collect();
        for (name, mut modules) in by_name {
            modules.sort_by(|&a, &b| self.modules[a].dir.cmp(&self.modules[b].dir));
            for &at in &modules[1..] {
                let mut other = format!("{name} ({})", self.modules[at].dir.display());
                // Only for names that already look like this, or are not UTF-8.
                while !taken.insert(other.clone()) {
                    other.push('\'');
                }
                self.modules[at].module.name = other;
            }
        }
    }
}
