//! Cargo packages, their roots and the dependencies between them.

use super::manifest::{Manifest, Package, Workspace};
use crate::budget::Stopped;
use crate::module::enabled::graph::{LocatedModule, MODULES_MAX, ModuleGraph};
use crate::module::enabled::members;
use crate::module::enabled::places::Places;
use crate::module::enabled::reader::ManifestReader;
use crate::module::{DependencyScope, DependsOn, TestNames};
use crate::workspace::RelPath;
use std::collections::{BTreeMap, BTreeSet};

const FILE: &str = "Cargo.toml";

/// The conventional target directories, and whether they contain tests.
const ROOTS: &[(&str, bool)] =
    &[("src", false), ("examples", false), ("tests", true), ("benches", true)];

/// Manifests by directory, in byte order: a directory precedes those below it.
type Manifests = BTreeMap<RelPath, Manifest>;

pub(in crate::module::enabled) fn find(
    reader: &mut ManifestReader<'_>,
    places: &Places,
) -> Result<ModuleGraph, Stopped> {
    let manifests = read_all(reader, places.with(FILE))?;
    let mut graph = ModuleGraph::default();
    let mut packages = BTreeMap::new();
    for (dir, manifest) in &manifests {
        let file = dir.join(FILE.as_bytes());
        let Some(package) = &manifest.package else {
            continue;
        };
        let Some(name) = reader.name(&file, &package.name) else {
            continue;
        };
        packages.insert(dir.clone(), graph.modules.len());
        let mut module = LocatedModule::of_manifest(dir, name, TestNames::None);
        add_roots(reader, &file, package, &mut module);
        graph.modules.push(module);
    }
    for (dir, manifest) in &manifests {
        let Some(&at) = packages.get(dir) else {
            continue;
        };
        reader.budget.poll()?;
        for (target, scope) in path_dependencies(reader, &manifests, dir, manifest) {
            if let Some(&on) = packages.get(&target) {
                graph.modules[at].depend(DependsOn::Module(on), scope);
            }
        }
    }
    Ok(graph)
}

/// Reads the manifests in `dirs` and all manifests reachable from them.
fn read_all(reader: &mut ManifestReader<'_>, dirs: &[RelPath]) -> Result<Manifests, Stopped> {
    let mut manifests = Manifests::new();
    let mut todo: BTreeSet<RelPath> = dirs.iter().cloned().collect();
    let mut seen = todo.clone();
    while let Some(dir) = todo.pop_first() {
        let file = dir.join(FILE.as_bytes());
        let Some(mut manifest) = reader.toml(&file, Manifest::of)? else {
            continue;
        };
        let n = reader.admit_dependencies(&file, manifest.dependencies.len());
        manifest.dependencies.truncate(n);
        let mut next = Vec::new();
        if let Some(workspace) = &manifest.workspace {
            next.extend(workspace_members(reader, &file, workspace)?);
            let paths = workspace.dependencies.values();
            let mut paths: Vec<RelPath> =
                paths.filter_map(|path| reader.resolve(&dir, path)).collect();
            // The order of a hash map is not deterministic.
            paths.sort_unstable();
            next.append(&mut paths);
        }
        let paths =
            manifest.dependencies.iter().filter_map(|dependency| dependency.path.as_deref());
        next.extend(paths.filter_map(|path| reader.resolve(&dir, path)));
        manifests.insert(dir, manifest);
        for dir in next {
            if seen.len() < MODULES_MAX && seen.insert(dir.clone()) {
                todo.insert(dir);
            }
        }
    }
    if seen.len() == MODULES_MAX {
        let problem = format_args!("more than {MODULES_MAX} packages");
        reader.problem(&RelPath::of_bytes(FILE.as_bytes()), problem);
    }
    Ok(manifests)
}

fn workspace_members(
    reader: &mut ManifestReader<'_>,
    file: &RelPath,
    workspace: &Workspace,
) -> Result<BTreeSet<RelPath>, Stopped> {
    let members: Vec<&str> = workspace.members.iter().map(String::as_str).collect();
    let mut dirs = members::expand(reader, file, &members, &[], FILE)?;
    let base = file.parent().unwrap_or_default();
    let excluded: Vec<RelPath> =
        workspace.exclude.iter().filter_map(|path| reader.resolve(&base, path)).collect();
    // An explicit path overrides an exclusion.
    let named: BTreeSet<RelPath> =
        members.iter().filter_map(|path| reader.resolve(&base, path)).collect();
    dirs.retain(|dir| {
        named.contains(dir) || !excluded.iter().any(|excluded| dir.starts_with(excluded))
    });
    Ok(dirs)
}

fn add_roots(
    reader: &mut ManifestReader<'_>,
    file: &RelPath,
    package: &Package,
    module: &mut LocatedModule,
) {
    let dir = module.dir.clone();
    for &(name, is_test) in ROOTS {
        let root = dir.join(name.as_bytes());
        if reader.is_dir(&root) {
            module.add_source(root, is_test);
        }
    }
    for (path, is_test) in &package.targets {
        let Some(path) = reader.follow(file, path) else {
            continue;
        };
        if !path.starts_with(&dir) {
            reader.problem(file, format_args!("'{}' is outside of the package", path.display()));
            continue;
        }
        // The directory of a target is the source root, because its modules are beside it. A target next to
        // the manifest is a root by itself: that directory may contain anything.
        let above = path.parent().filter(|above| *above != dir && above.starts_with(&dir));
        let root = above.unwrap_or(path.clone());
        let sources = &module.module.content[0].sources;
        let is_known = sources.iter().any(|source| path.starts_with(&source.path));
        if !is_known && (reader.is_dir(&root) || reader.is_file(&root)) {
            module.add_source(root, *is_test);
        }
    }
    for built in reader.dirs_named(&dir, &["target"]) {
        module.exclude(built);
    }
}

/// Returns the directories of path dependencies, including those inherited from the workspace.
fn path_dependencies(
    reader: &ManifestReader<'_>,
    manifests: &Manifests,
    dir: &RelPath,
    manifest: &Manifest,
) -> Vec<(RelPath, DependencyScope)> {
    let named = manifest.package.as_ref().and_then(|package| package.workspace.as_deref());
    let root = match named {
        Some(path) => reader.resolve(dir, path),
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
        let target = path.and_then(|path| reader.resolve(base, path));
        found.extend(target.map(|target| (target, dependency.scope)));
    }
    found
}
