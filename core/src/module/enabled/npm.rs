//! npm, Yarn and pnpm: packages, workspaces and `node_modules`.

use super::graph::{LocatedModule, MODULES_MAX, ModuleGraph, Target};
use super::installed::node_modules;
use super::places::Places;
use super::reader::ManifestReader;
use super::{DependencyScope, DependsOn, TestNames, members};
use crate::budget::{Budget, Stopped};
use crate::workspace::RelPath;
use saphyr_parser::{Event, Parser};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const FILE: &str = "package.json";
const PNPM_FILE: &str = "pnpm-workspace.yaml";
/// The maximum number of dependencies, and of patterns, of a file.
const ENTRIES_MAX: usize = 5_000;
/// The maximum nesting of YAML, which no real file reaches.
const DEPTH_MAX: usize = 64;

const DEPENDENCIES: &[(&str, DependencyScope)] = &[
    ("dependencies", DependencyScope::Compile),
    ("peerDependencies", DependencyScope::Compile),
    ("optionalDependencies", DependencyScope::Compile),
    ("devDependencies", DependencyScope::Test),
];

/// Directories of a package that contain its tests.
const TEST_DIRS: &[&str] = &["__tests__", "cypress", "e2e", "spec", "test", "tests"];

/// The relevant parts of a `package.json`, and whether a workspace lists it as a member.
struct Manifest {
    name: Option<String>,
    has_workspaces: bool,
    /// The patterns of its workspace members.
    members: Vec<String>,
    dependencies: Vec<(Target, DependencyScope)>,
    is_member: bool,
}

impl Manifest {
    fn of(json: &Value) -> Manifest {
        let workspaces = json.get("workspaces");
        let members = workspaces.and_then(|value| value.get("packages").or(Some(value)));
        let members = members.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let members = members.iter().filter_map(Value::as_str).take(ENTRIES_MAX);
        Manifest {
            name: json.get("name").and_then(Value::as_str).map(str::to_owned),
            has_workspaces: workspaces.is_some(),
            members: members.map(str::to_owned).collect(),
            dependencies: dependencies(json),
            is_member: false,
        }
    }
}

pub(super) fn find(
    reader: &mut ManifestReader<'_>,
    places: &Places,
) -> Result<ModuleGraph, Stopped> {
    let manifests = read_all(reader, places)?;
    let mut graph = ModuleGraph::default();
    let mut packages: BTreeMap<RelPath, usize> = BTreeMap::new();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for (dir, manifest) in &manifests {
        let file = dir.join(FILE.as_bytes());
        let named = manifest.name.as_deref();
        let shown = dir.display();
        let name = match named.filter(|name| !name.trim().is_empty()) {
            Some(name) => name,
            None if is_package_without_name(dir, manifest, &packages) => &*shown,
            None => continue,
        };
        let Some(name) = reader.name(&file, name) else {
            continue;
        };
        by_name.entry(name.to_owned()).or_insert(graph.modules.len());
        packages.insert(dir.clone(), graph.modules.len());
        let mut module = LocatedModule::of_manifest(dir, name, TestNames::JavaScript);
        module.add_source(dir.clone(), false);
        for tests in reader.dirs_named(dir, TEST_DIRS) {
            module.add_source(tests, true);
        }
        graph.modules.push(module);
    }
    let installed = installed(reader, &mut graph, &packages);
    for (dir, &at) in &packages {
        reader.budget.poll()?;
        for (target, scope) in &manifests[dir].dependencies {
            let on = match target {
                Target::Name(name) => by_name.get(&**name),
                Target::Path(path) => {
                    reader.resolve(dir, path).and_then(|target| packages.get(&target))
                }
            };
            if let Some(&on) = on {
                graph.modules[at].depend(DependsOn::Module(on), *scope);
            }
        }
        // A nearer installation hides those further up.
        for above in std::iter::successors(Some(dir.clone()), RelPath::parent) {
            if let Some(&library) = installed.get(&above) {
                graph.modules[at].depend(DependsOn::Library(library), DependencyScope::Compile);
            }
        }
    }
    Ok(graph)
}

/// Returns whether a manifest without a name describes a package. Many only configure how the files around
/// them are read.
fn is_package_without_name(
    dir: &RelPath,
    manifest: &Manifest,
    packages: &BTreeMap<RelPath, usize>,
) -> bool {
    let mut above = std::iter::successors(dir.parent(), RelPath::parent);
    manifest.is_member
        || !manifest.has_workspaces && !above.any(|above| packages.contains_key(&above))
}

/// Returns the `node_modules` of the root and the packages as libraries, by the parent directory.
fn installed(
    reader: &mut ManifestReader<'_>,
    graph: &mut ModuleGraph,
    packages: &BTreeMap<RelPath, usize>,
) -> BTreeMap<RelPath, usize> {
    let mut installed = BTreeMap::new();
    let mut dirs: BTreeSet<&RelPath> = packages.keys().collect();
    let root = RelPath::root();
    dirs.insert(&root);
    for dir in dirs {
        if let Some(modules) = node_modules(reader, dir) {
            if let Some(&at) = packages.get(dir) {
                graph.modules[at].exclude(modules.dir);
            }
            installed.insert(dir.clone(), graph.libraries.len());
            graph.libraries.push(modules.library);
        }
    }
    installed
}

fn dependencies(json: &Value) -> Vec<(Target, DependencyScope)> {
    let mut found = Vec::new();
    for &(table, scope) in DEPENDENCIES {
        let entries = json.get(table).and_then(Value::as_object).into_iter().flatten();
        found.extend(entries.take(ENTRIES_MAX).map(|(name, version)| {
            let version = version.as_str().unwrap_or_default();
            let path = ["file:", "link:", "portal:"];
            let path = path.iter().find_map(|prefix| version.strip_prefix(prefix));
            let target = match path {
                Some(path) => Target::Path(path.into()),
                None => Target::Name(aliased(version).unwrap_or(name).into()),
            };
            (target, scope)
        }));
    }
    found
}

/// Returns the package that another name is an alias of: `npm:name@1` or `workspace:name@*`.
fn aliased(version: &str) -> Option<&str> {
    let target = version.strip_prefix("npm:").or_else(|| version.strip_prefix("workspace:"))?;
    let (name, _) = target.rsplit_once('@')?;
    Some(name).filter(|name| !name.is_empty())
}

/// Reads the manifests found and those of workspace members.
fn read_all(
    reader: &mut ManifestReader<'_>,
    places: &Places,
) -> Result<BTreeMap<RelPath, Manifest>, Stopped> {
    let mut members = BTreeSet::new();
    for dir in places.with(PNPM_FILE) {
        let file = dir.join(PNPM_FILE.as_bytes());
        if let Some(text) = reader.text(&file)? {
            match pnpm_packages(reader.budget, &text)? {
                Ok(patterns) => expand(reader, &file, &patterns, &mut members)?,
                Err(problem) => reader.problem(&file, problem),
            }
        }
    }
    let mut manifests = BTreeMap::new();
    let mut todo: BTreeSet<RelPath> = places.with(FILE).iter().cloned().collect();
    todo.extend(members.iter().cloned());
    while let Some(dir) = todo.pop_first() {
        let file = dir.join(FILE.as_bytes());
        if manifests.len() == MODULES_MAX {
            reader.problem(&file, format_args!("more than {MODULES_MAX} packages"));
            break;
        }
        let Some(mut manifest) = reader.json(&file, Manifest::of)? else {
            continue;
        };
        let n = reader.admit_dependencies(&file, manifest.dependencies.len());
        manifest.dependencies.truncate(n);
        let mut named = BTreeSet::new();
        expand(reader, &file, &std::mem::take(&mut manifest.members), &mut named)?;
        manifests.insert(dir, manifest);
        todo.extend(named.iter().filter(|dir| !manifests.contains_key(*dir)).cloned());
        members.append(&mut named);
    }
    for (dir, manifest) in &mut manifests {
        manifest.is_member = members.contains(dir);
    }
    Ok(manifests)
}

fn expand(
    reader: &mut ManifestReader<'_>,
    file: &RelPath,
    patterns: &[String],
    into: &mut BTreeSet<RelPath>,
) -> Result<(), Stopped> {
    let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
    into.append(&mut members::expand(reader, file, &patterns, &[], FILE)?);
    Ok(())
}

/// Returns the strings of the top-level list `packages`; the rest of the file is ignored.
fn pnpm_packages(budget: &Budget, text: &str) -> Result<Result<Vec<String>, String>, Stopped> {
    let mut packages = Vec::new();
    let mut depth = 0_usize;
    // At the top level: whether a key comes next, and whether the last key was `packages`.
    let (mut is_key, mut is_wanted) = (true, false);
    for event in Parser::new_from_str(text) {
        budget.poll()?;
        let event = match event {
            Ok((event, _)) => event,
            Err(error) => {
                let (what, line) = (error.info(), error.marker().line());
                return Ok(Err(format!("invalid YAML: {what} at line {line}")));
            }
        };
        match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                depth += 1;
                if depth > DEPTH_MAX {
                    return Ok(Err(format!("invalid YAML: nested more than {DEPTH_MAX} deep")));
                }
                continue;
            }
            Event::MappingEnd | Event::SequenceEnd => depth = depth.saturating_sub(1),
            Event::Scalar(value, ..) if depth == 1 && is_key => {
                is_wanted = value == "packages";
                is_key = false;
                continue;
            }
            Event::Scalar(value, ..) if depth == 2 && is_wanted && packages.len() < ENTRIES_MAX => {
                packages.push(value.into_owned());
            }
            _ => {}
        }
        if depth == 1 {
            is_key = !is_key;
        }
    }
    Ok(Ok(packages))
}
