//! Cargo: packages, workspaces and dependencies by path.

use super::found::{Found, FoundModule, MODULES_MAX};
use super::look::Look;
use super::places::Places;
use super::{DependencyScope, DependsOn, TestNames, members};
use crate::budget::Stopped;
use crate::workspace::RelPath;
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

const FILE: &str = "Cargo.toml";
/// More targets or dependencies of a package are passed over.
const ENTRIES_MAX: usize = 5_000;

/// The tables of dependencies, and when what they name counts.
const DEPENDENCIES: &[(&str, DependencyScope)] = &[
    ("dependencies", DependencyScope::Compile),
    // Nobody who depends on the package sees what builds it.
    ("build-dependencies", DependencyScope::Provided),
    ("build_dependencies", DependencyScope::Provided),
    ("dev-dependencies", DependencyScope::Test),
    ("dev_dependencies", DependencyScope::Test),
];

/// Where packages usually have their targets, and whether those are tests.
const ROOTS: &[(&str, bool)] =
    &[("src", false), ("examples", false), ("tests", true), ("benches", true)];

/// The manifests by their directories; in byte order, so that a directory above comes before.
type Manifests = BTreeMap<RelPath, Table>;

pub(super) fn find(look: &mut Look<'_>, places: &Places) -> Result<Found, Stopped> {
    let manifests = read_all(look, places.with(FILE))?;
    let mut found = Found::default();
    let mut packages = BTreeMap::new();
    for (dir, manifest) in &manifests {
        let file = dir.join(FILE.as_bytes());
        let Some(package) = table(manifest, "package") else {
            continue;
        };
        let name = package.get("name").and_then(Value::as_str).unwrap_or_default();
        let Some(name) = look.name(&file, name) else {
            continue;
        };
        packages.insert(dir.clone(), found.modules.len());
        let mut module = FoundModule::of_manifest(dir, name, TestNames::None);
        add_roots(look, &file, manifest, &mut module);
        found.modules.push(module);
    }
    for (dir, manifest) in &manifests {
        let Some(&at) = packages.get(dir) else {
            continue;
        };
        look.budget.poll()?;
        for (target, scope) in path_dependencies(look, &manifests, dir, manifest) {
            if let Some(&on) = packages.get(&target) {
                found.modules[at].depend(DependsOn::Module(on), scope);
            }
        }
    }
    Ok(found)
}

/// Reads the manifests in `dirs`, and all that they lead to.
fn read_all(look: &mut Look<'_>, dirs: &[RelPath]) -> Result<Manifests, Stopped> {
    let mut manifests = Manifests::new();
    let mut todo: BTreeSet<RelPath> = dirs.iter().cloned().collect();
    let mut seen = todo.clone();
    while let Some(dir) = todo.pop_first() {
        let file = dir.join(FILE.as_bytes());
        let Some(manifest) = look.toml(&file)? else {
            continue;
        };
        let mut next = Vec::new();
        if let Some(workspace) = table(&manifest, "workspace") {
            next.extend(workspace_members(look, &file, workspace)?);
            next.extend(paths(workspace, "dependencies").filter_map(|p| look.resolve(&dir, p)));
        }
        for (_, table) in dependency_tables(&manifest) {
            let named = table.values().filter_map(|value| value.get("path")?.as_str());
            next.extend(named.take(ENTRIES_MAX).filter_map(|path| look.resolve(&dir, path)));
        }
        manifests.insert(dir, manifest);
        for dir in next {
            if seen.len() < MODULES_MAX && seen.insert(dir.clone()) {
                todo.insert(dir);
            }
        }
    }
    if seen.len() == MODULES_MAX {
        let told = format_args!("more than {MODULES_MAX} packages");
        look.problem(&RelPath::of_bytes(FILE.as_bytes()), told);
    }
    Ok(manifests)
}

fn workspace_members(
    look: &mut Look<'_>,
    file: &RelPath,
    workspace: &Table,
) -> Result<BTreeSet<RelPath>, Stopped> {
    let members = strings(workspace.get("members"));
    let mut dirs = members::expand(look, file, &members, &[], FILE)?;
    let base = file.parent().unwrap_or_default();
    let excluded: Vec<RelPath> = strings(workspace.get("exclude"))
        .into_iter()
        .filter_map(|path| look.resolve(&base, path))
        .collect();
    // What is named without stars stays.
    let named: BTreeSet<RelPath> =
        members.iter().filter_map(|path| look.resolve(&base, path)).collect();
    dirs.retain(|dir| {
        named.contains(dir) || !excluded.iter().any(|excluded| dir.starts_with(excluded))
    });
    Ok(dirs)
}

fn add_roots(look: &mut Look<'_>, file: &RelPath, manifest: &Table, module: &mut FoundModule) {
    let dir = module.dir.clone();
    for &(name, is_test) in ROOTS {
        let root = dir.join(name.as_bytes());
        if look.is_dir(&root) {
            module.add_source(root, is_test);
        }
    }
    let build = table(manifest, "package").and_then(|package| package.get("build"));
    let build = match build {
        Some(Value::String(path)) => Some(path.as_str()),
        Some(Value::Boolean(false)) => None,
        _ => Some("build.rs"),
    };
    let mut targets: Vec<(&str, bool)> = Vec::new();
    targets.extend(build.map(|path| (path, false)));
    let library = table(manifest, "lib").and_then(|library| library.get("path")?.as_str());
    targets.extend(library.map(|path| (path, false)));
    for (kind, is_test) in [("bin", false), ("example", false), ("test", true), ("bench", true)] {
        let all = manifest.get(kind).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let paths = all.iter().take(ENTRIES_MAX).filter_map(|target| target.get("path")?.as_str());
        targets.extend(paths.map(|path| (path, is_test)));
    }
    for (path, is_test) in targets {
        let Some(path) = look.follow(file, path) else {
            continue;
        };
        if !path.starts_with(&dir) {
            let told = format_args!("'{}' is outside of the package", path.display());
            look.problem(file, told);
            continue;
        }
        // What lies deeper has its modules beside it; beside the manifest may lie anything.
        let above = path.parent().filter(|above| *above != dir && above.starts_with(&dir));
        let root = above.unwrap_or(path.clone());
        let sources = &module.module.content[0].sources;
        let is_known = sources.iter().any(|source| path.starts_with(&source.path));
        if !is_known && (look.is_dir(&root) || look.is_file(&root)) {
            module.add_source(root, is_test);
        }
    }
    for built in look.dirs_named(&dir, &["target"]) {
        module.exclude(built);
    }
}

/// The directories that dependencies name by `path`, also where the workspace does it for them.
fn path_dependencies(
    look: &Look<'_>,
    manifests: &Manifests,
    dir: &RelPath,
    manifest: &Table,
) -> Vec<(RelPath, DependencyScope)> {
    let package = table(manifest, "package");
    let named = package.and_then(|package| package.get("workspace")?.as_str());
    let root = match named {
        Some(path) => look.resolve(dir, path),
        None => std::iter::successors(Some(dir.clone()), RelPath::parent).find(|above| {
            manifests.get(above).is_some_and(|manifest| manifest.contains_key("workspace"))
        }),
    };
    let inherited = root.as_ref().and_then(|root| {
        let workspace = table(manifests.get(root)?, "workspace")?;
        Some((root, table(workspace, "dependencies")?))
    });
    let mut found = Vec::new();
    for (scope, table) in dependency_tables(manifest) {
        for (name, value) in table.iter().take(ENTRIES_MAX) {
            let is_inherited = value.get("workspace").and_then(Value::as_bool) == Some(true);
            let (base, value) = match inherited {
                Some((root, dependencies)) if is_inherited => (root, dependencies.get(name)),
                _ => (dir, Some(value)),
            };
            let path = value.and_then(|value| value.get("path")?.as_str());
            let target = path.and_then(|path| look.resolve(base, path));
            found.extend(target.map(|target| (target, scope)));
        }
    }
    found
}

/// Every table of dependencies, those for some systems only included.
fn dependency_tables(manifest: &Table) -> Vec<(DependencyScope, &Table)> {
    let targets = table(manifest, "target").into_iter().flat_map(|targets| targets.values());
    let holders = targets.take(ENTRIES_MAX).filter_map(Value::as_table);
    std::iter::once(manifest)
        .chain(holders)
        .flat_map(|holder| {
            DEPENDENCIES
                .iter()
                .filter_map(move |&(name, scope)| Some((scope, table(holder, name)?)))
        })
        .collect()
}

fn paths<'t>(holder: &'t Table, name: &str) -> impl Iterator<Item = &'t str> {
    let values = table(holder, name).into_iter().flat_map(|table| table.values());
    values.take(ENTRIES_MAX).filter_map(|value| value.get("path")?.as_str())
}

/// The table of that name; none where it is something else.
pub(super) fn table<'t>(holder: &'t Table, name: &str) -> Option<&'t Table> {
    holder.get(name)?.as_table()
}

/// The texts of a list; none where it is something else.
pub(super) fn strings(value: Option<&Value>) -> Vec<&str> {
    let list = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(Value::as_str).take(ENTRIES_MAX).collect()
}
