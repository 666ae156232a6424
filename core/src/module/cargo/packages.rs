//! Packages of Cargo, their roots and the dependencies between them.

use super::manifest::{Manifest, Package, Workspace};
use crate::budget::Stopped;
use crate::module::found::{Found, FoundModule, MODULES_MAX};
use crate::module::look::Look;
use crate::module::places::Places;
use crate::module::{DependencyScope, DependsOn, TestNames, members};
use crate::workspace::RelPath;
use std::collections::{BTreeMap, BTreeSet};

const FILE: &str = "Cargo.toml";

/// Where packages usually have their targets, and whether those are tests.
const ROOTS: &[(&str, bool)] =
    &[("src", false), ("examples", false), ("tests", true), ("benches", true)];

/// The manifests by their directories; in byte order, so that a directory above comes before.
type Manifests = BTreeMap<RelPath, Manifest>;

pub(in crate::module) fn find(look: &mut Look<'_>, places: &Places) -> Result<Found, Stopped> {
    let manifests = read_all(look, places.with(FILE))?;
    let mut found = Found::default();
    let mut packages = BTreeMap::new();
    for (dir, manifest) in &manifests {
        let file = dir.join(FILE.as_bytes());
        let Some(package) = &manifest.package else {
            continue;
        };
        let Some(name) = look.name(&file, &package.name) else {
            continue;
        };
        packages.insert(dir.clone(), found.modules.len());
        let mut module = FoundModule::of_manifest(dir, name, TestNames::None);
        add_roots(look, &file, package, &mut module);
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
        let Some(mut manifest) = look.toml(&file, Manifest::of)? else {
            continue;
        };
        let n = look.admit_dependencies(&file, manifest.dependencies.len());
        manifest.dependencies.truncate(n);
        let mut next = Vec::new();
        if let Some(workspace) = &manifest.workspace {
            next.extend(workspace_members(look, &file, workspace)?);
            let paths = workspace.dependencies.values();
            let mut paths: Vec<RelPath> =
                paths.filter_map(|path| look.resolve(&dir, path)).collect();
            // A hash map has an order of its own each time.
            paths.sort_unstable();
            next.append(&mut paths);
        }
        let paths =
            manifest.dependencies.iter().filter_map(|dependency| dependency.path.as_deref());
        next.extend(paths.filter_map(|path| look.resolve(&dir, path)));
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
    workspace: &Workspace,
) -> Result<BTreeSet<RelPath>, Stopped> {
    let members: Vec<&str> = workspace.members.iter().map(String::as_str).collect();
    let mut dirs = members::expand(look, file, &members, &[], FILE)?;
    let base = file.parent().unwrap_or_default();
    let excluded: Vec<RelPath> =
        workspace.exclude.iter().filter_map(|path| look.resolve(&base, path)).collect();
    // What is named without stars stays.
    let named: BTreeSet<RelPath> =
        members.iter().filter_map(|path| look.resolve(&base, path)).collect();
    dirs.retain(|dir| {
        named.contains(dir) || !excluded.iter().any(|excluded| dir.starts_with(excluded))
    });
    Ok(dirs)
}

fn add_roots(look: &mut Look<'_>, file: &RelPath, package: &Package, module: &mut FoundModule) {
    let dir = module.dir.clone();
    for &(name, is_test) in ROOTS {
        let root = dir.join(name.as_bytes());
        if look.is_dir(&root) {
            module.add_source(root, is_test);
        }
    }
    for (path, is_test) in &package.targets {
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
            module.add_source(root, *is_test);
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
    manifest: &Manifest,
) -> Vec<(RelPath, DependencyScope)> {
    let named = manifest.package.as_ref().and_then(|package| package.workspace.as_deref());
    let root = match named {
        Some(path) => look.resolve(dir, path),
        None => std::iter::successors(Some(dir.clone()), RelPath::parent).find(|above| {
            manifests.get(above).is_some_and(|manifest| manifest.workspace.is_some())
        }),
    };
    let workspace = root.as_ref().and_then(|root| {
        let workspace = manifests.get(root)?.workspace.as_ref()?;
        Some((root, workspace))
    });
    let mut found = Vec::new();
    for dependency in &manifest.dependencies {
        let (base, path) = match (&dependency.inherited, workspace) {
            (Some(name), Some((root, workspace))) => (root, workspace.dependencies.get(name)),
            _ => (dir, dependency.path.as_ref()),
        };
        let target = path.and_then(|path| look.resolve(base, path));
        found.extend(target.map(|target| (target, dependency.scope)));
    }
    found
}
