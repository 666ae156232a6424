//! Modules and libraries while readers of manifests add them, and their final order.

use super::reader::DEPENDENCIES_MAX;
use super::{ContentRoot, Dependency, DependencyScope, DependsOn, Library, Module, Modules};
use super::{SourceRoot, TestNames};
use crate::workspace::RelPath;
use std::collections::{BTreeMap, HashMap, HashSet};

/// More modules are not looked for.
pub(super) const MODULES_MAX: usize = 5_000;
/// More dependencies of one module are left out.
const DEPENDENCIES_PER_MODULE_MAX: usize = 10_000;

/// Another module that a manifest names.
pub(super) enum Target {
    Name(Box<str>),
    /// Its directory.
    Path(Box<str>),
}

/// Modules and libraries that know each other by their places in these lists.
#[derive(Debug, Default)]
pub(super) struct ModuleGraph {
    pub modules: Vec<LocatedModule>,
    pub libraries: Vec<Library>,
}

/// A module and the directory of what describes it.
#[derive(Debug)]
pub(super) struct LocatedModule {
    pub dir: RelPath,
    pub module: Module,
}

impl LocatedModule {
    /// A module whose content is the directory of its manifest.
    pub(super) fn of_manifest(dir: &RelPath, name: &str, test_names: TestNames) -> LocatedModule {
        let content = vec![ContentRoot { path: dir.clone(), ..ContentRoot::default() }];
        let module = Module { name: name.to_owned(), content, test_names, ..Module::default() };
        LocatedModule { dir: dir.clone(), module }
    }

    /// Adds a root below the directory of the manifest, once.
    pub(super) fn add_source(&mut self, path: RelPath, is_test: bool) {
        let sources = self.module.content.first_mut().map(|content| &mut content.sources);
        if let Some(sources) = sources
            && !sources.iter().any(|source| source.path == path)
        {
            sources.push(SourceRoot { path, is_test, ..SourceRoot::default() });
        }
    }

    /// Takes a directory below out of the module.
    pub(super) fn exclude(&mut self, path: RelPath) {
        if let Some(content) = self.module.content.first_mut() {
            content.excluded.push(path);
        }
    }

    /// Adds what a build depends on: what is there when it runs is there for who depends on it too.
    pub(super) fn depend(&mut self, on: DependsOn, scope: DependencyScope) {
        let is_exported = matches!(scope, DependencyScope::Compile | DependencyScope::Runtime);
        self.module.dependencies.push(Dependency { on, scope, is_exported });
    }
}

impl ModuleGraph {
    /// Adds the graph of another reader; its indices move after the ones here.
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

    /// Puts the modules in order, with names of their own.
    pub(super) fn into_modules(mut self, mut problems: Vec<String>) -> Modules {
        // Where a module goes that is united with another one.
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
        Modules { modules, libraries: self.libraries, problems }
    }

    /// Unites the modules of one name in one directory; gives for each the one that it became.
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
                for source in content.sources {
                    target.add_source(source.path, source.is_test);
                }
                content.excluded.into_iter().for_each(|path| target.exclude(path));
            }
            target.module.dependencies.extend(module.dependencies);
            if target.module.test_names == TestNames::None {
                target.module.test_names = module.test_names;
            }
        }
        united
    }

    /// Adds its directory to every name that a module in a directory before has.
    fn rename(&mut self) {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, found) in self.modules.iter().enumerate() {
            // What was united with another one has no name any more.
            if !found.module.name.is_empty() {
                by_name.entry(found.module.name.clone()).or_default().push(at);
            }
        }
        let mut taken: HashSet<String> = by_name.keys().cloned().collect();
        for (name, mut modules) in by_name {
            modules.sort_by(|&a, &b| self.modules[a].dir.cmp(&self.modules[b].dir));
            for &at in &modules[1..] {
                let mut other = format!("{name} ({})", self.modules[at].dir.display());
                // Only names of manifests that look like this, or names that are not UTF-8.
                while !taken.insert(other.clone()) {
                    other.push('\'');
                }
                self.modules[at].module.name = other;
            }
        }
    }
}
