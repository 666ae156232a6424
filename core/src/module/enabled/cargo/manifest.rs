//! The relevant parts of a `Cargo.toml`. A parsed file takes forty times the memory of its text, so the rest
//! is dropped before the next file is read.

use crate::module::DependencyScope;
use crate::module::enabled::toml_values::{table, texts};
use std::collections::HashMap;
use toml::{Table, Value};

/// The maximum number of targets, and of dependencies, of a package.
const ENTRIES_MAX: usize = 5_000;

/// The tables of dependencies and their scopes.
const DEPENDENCIES: &[(&str, DependencyScope)] = &[
    ("dependencies", DependencyScope::Compile),
    // Dependents of the package do not see its build dependencies.
    ("build-dependencies", DependencyScope::Provided),
    ("build_dependencies", DependencyScope::Provided),
    ("dev-dependencies", DependencyScope::Test),
    ("dev_dependencies", DependencyScope::Test),
];

/// A parsed `Cargo.toml`.
pub(super) struct Manifest {
    pub package: Option<Package>,
    pub workspace: Option<Workspace>,
    /// Dependencies with a path, given here or in the workspace.
    pub dependencies: Vec<Dependency>,
}

/// The table `package` and its targets.
pub(super) struct Package {
    pub name: String,
    /// The directory of the workspace, if specified.
    pub workspace: Option<String>,
    /// The files of explicit targets, and whether they are tests.
    pub targets: Vec<(String, bool)>,
}

/// The table `workspace`.
pub(super) struct Workspace {
    pub members: Vec<String>,
    pub exclude: Vec<String>,
    /// The paths of the dependencies that members may inherit.
    pub dependencies: HashMap<Box<str>, Box<str>>,
}

/// A dependency of a package.
pub(super) struct Dependency {
    pub scope: DependencyScope,
    pub path: Option<Box<str>>,
    /// Its name, if the path is in the workspace's manifest.
    pub inherited: Option<Box<str>>,
}

impl Manifest {
    pub(super) fn of(manifest: &Table) -> Manifest {
        Manifest {
            package: table(manifest, "package").map(|package| Package {
                name: text(package, "name").unwrap_or_default(),
                workspace: text(package, "workspace"),
                targets: targets(manifest, package),
            }),
            workspace: table(manifest, "workspace").map(Workspace::of),
            dependencies: dependencies(manifest),
        }
    }
}

impl Workspace {
    fn of(workspace: &Table) -> Workspace {
        let owned = |name| texts(workspace.get(name)).map(str::to_owned).collect();
        let dependencies = table(workspace, "dependencies").into_iter().flatten();
        let dependencies = dependencies
            .take(ENTRIES_MAX)
            .filter_map(|(name, value)| Some((name.as_str().into(), path(value)?)));
        Workspace {
            members: owned("members"),
            exclude: owned("exclude"),
            dependencies: dependencies.collect(),
        }
    }
}

fn text(holder: &Table, name: &str) -> Option<String> {
    holder.get(name)?.as_str().map(str::to_owned)
}

fn path(value: &Value) -> Option<Box<str>> {
    value.get("path")?.as_str().map(Box::from)
}

fn targets(manifest: &Table, package: &Table) -> Vec<(String, bool)> {
    let build = match package.get("build") {
        Some(Value::String(path)) => Some(path.clone()),
        Some(Value::Boolean(false)) => None,
        _ => Some("build.rs".to_owned()),
    };
    let library = table(manifest, "lib").and_then(|library| text(library, "path"));
    let mut targets: Vec<(String, bool)> = Vec::new();
    targets.extend(build.into_iter().chain(library).map(|path| (path, false)));
    for (kind, is_test) in [("bin", false), ("example", false), ("test", true), ("bench", true)] {
        let all = manifest.get(kind).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let paths = all.iter().take(ENTRIES_MAX).filter_map(|target| target.get("path")?.as_str());
        targets.extend(paths.map(|path| (path.to_owned(), is_test)));
    }
    targets
}

/// Returns the dependencies of every table, including platform-specific ones.
fn dependencies(manifest: &Table) -> Vec<Dependency> {
    let targets = table(manifest, "target").into_iter().flat_map(|targets| targets.values());
    let holders = targets.take(ENTRIES_MAX).filter_map(Value::as_table);
    let mut found = Vec::new();
    for holder in std::iter::once(manifest).chain(holders) {
        for &(name, scope) in DEPENDENCIES {
            let entries = table(holder, name).into_iter().flatten();
            found.extend(entries.take(ENTRIES_MAX).filter_map(|(name, value)| {
                let is_inherited = value.get("workspace").and_then(Value::as_bool) == Some(true);
                let inherited = is_inherited.then(|| name.as_str().into());
                let path = path(value);
                let is_used = path.is_some() || inherited.is_some();
                is_used.then_some(Dependency { scope, path, inherited })
            }));
        }
    }
    found
}
