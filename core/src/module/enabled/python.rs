//! Python: `pyproject.toml` and virtual environments.

use super::graph::{LocatedModule, MODULES_MAX, ModuleGraph, Target};
use super::installed::environments;
use super::places::Places;
use super::reader::ManifestReader;
use super::toml_values::{table, texts};
use super::{DependencyScope, DependsOn, TestNames, members};
use crate::budget::Stopped;
use crate::workspace::RelPath;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use toml::{Table, Value};

const FILE: &str = "pyproject.toml";
/// The maximum number of dependencies of a project.
const ENTRIES_MAX: usize = 5_000;

/// The relevant parts of a `pyproject.toml`.
struct Manifest {
    name: Option<String>,
    /// The patterns of workspace members, and their exclusions.
    members: Vec<String>,
    exclude: Vec<String>,
    has_members: bool,
    dependencies: Vec<(Target, DependencyScope)>,
}

impl Manifest {
    fn of(manifest: &Table) -> Manifest {
        let poetry = tool(manifest, "poetry");
        let name = table(manifest, "project").and_then(|project| project.get("name"));
        let name = name.or_else(|| poetry?.get("name")).and_then(Value::as_str);
        let workspace = tool(manifest, "uv").and_then(|uv| table(uv, "workspace"));
        let patterns = |name| {
            let patterns = texts(workspace.and_then(|workspace| workspace.get(name)));
            patterns.map(str::to_owned).collect()
        };
        Manifest {
            name: name.map(str::to_owned),
            members: patterns("members"),
            exclude: patterns("exclude"),
            has_members: workspace.is_some(),
            dependencies: dependencies(manifest),
        }
    }
}

pub(super) fn find(
    reader: &mut ManifestReader<'_>,
    places: &Places,
) -> Result<ModuleGraph, Stopped> {
    let manifests = read_all(reader, places.with(FILE))?;
    let mut graph = ModuleGraph::default();
    let mut projects: BTreeMap<&RelPath, usize> = BTreeMap::new();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for (dir, manifest) in &manifests {
        // Many files only configure tools.
        let Some(name) = &manifest.name else {
            continue;
        };
        let Some(name) = reader.name(&dir.join(FILE.as_bytes()), name) else {
            continue;
        };
        projects.insert(dir, graph.modules.len());
        by_name.entry(normalized(name)).or_insert(graph.modules.len());
        let mut module = LocatedModule::of_manifest(dir, name, TestNames::Python);
        let src = reader.dirs_named(dir, &["src"]).pop();
        module.add_source(src.unwrap_or_else(|| dir.clone()), false);
        for tests in reader.dirs_named(dir, &["test", "tests"]) {
            module.add_source(tests, true);
        }
        graph.modules.push(module);
    }
    let installed = installed(reader, &mut graph, &projects)?;
    for (dir, &at) in &projects {
        reader.budget.poll()?;
        for (target, scope) in &manifests[*dir].dependencies {
            let on = match target {
                Target::Name(name) => by_name.get(&normalized(name)).copied(),
                Target::Path(path) => {
                    reader.resolve(dir, path).and_then(|path| projects.get(&path).copied())
                }
            };
            if let Some(on) = on {
                graph.modules[at].depend(DependsOn::Module(on), *scope);
            }
        }
        let mut above = std::iter::successors(Some((*dir).clone()), RelPath::parent);
        if let Some(libraries) = above.find_map(|above| installed.get(&above)) {
            for &library in libraries {
                graph.modules[at].depend(DependsOn::Library(library), DependencyScope::Compile);
            }
        }
    }
    Ok(graph)
}

/// Reads the manifests in `dirs` and those of workspace members.
fn read_all(
    reader: &mut ManifestReader<'_>,
    dirs: &[RelPath],
) -> Result<BTreeMap<RelPath, Manifest>, Stopped> {
    let mut manifests = BTreeMap::new();
    let mut todo: BTreeSet<RelPath> = dirs.iter().cloned().collect();
    while let Some(dir) = todo.pop_first() {
        let file = dir.join(FILE.as_bytes());
        if manifests.len() == MODULES_MAX {
            reader.problem(&file, format_args!("more than {MODULES_MAX} projects"));
            break;
        }
        let Some(mut manifest) = reader.toml(&file, Manifest::of)? else {
            continue;
        };
        let n = reader.admit_dependencies(&file, manifest.dependencies.len());
        manifest.dependencies.truncate(n);
        if manifest.has_members {
            let named = std::mem::take(&mut manifest.members);
            let named: Vec<&str> = named.iter().map(String::as_str).collect();
            let left_out = std::mem::take(&mut manifest.exclude);
            let left_out: Vec<&str> = left_out.iter().map(String::as_str).collect();
            let members = members::expand(reader, &file, &named, &left_out, FILE)?;
            todo.extend(members.into_iter().filter(|dir| !manifests.contains_key(dir)));
        }
        manifests.insert(dir, manifest);
    }
    Ok(manifests)
}

fn tool<'t>(manifest: &'t Table, name: &str) -> Option<&'t Table> {
    table(table(manifest, "tool")?, name)
}

/// Returns the virtual environments of the root and the projects as libraries, by the parent directory.
fn installed(
    reader: &mut ManifestReader<'_>,
    graph: &mut ModuleGraph,
    projects: &BTreeMap<&RelPath, usize>,
) -> Result<BTreeMap<RelPath, Vec<usize>>, Stopped> {
    let mut installed: BTreeMap<RelPath, Vec<usize>> = BTreeMap::new();
    let root = RelPath::root();
    let mut dirs: BTreeSet<&RelPath> = projects.keys().copied().collect();
    dirs.insert(&root);
    for dir in dirs {
        for environment in environments(reader, dir)? {
            if let Some(&at) = projects.get(dir) {
                graph.modules[at].exclude(environment.dir);
            }
            installed.entry(dir.clone()).or_default().push(graph.libraries.len());
            graph.libraries.push(environment.library);
        }
    }
    Ok(installed)
}

fn dependencies(manifest: &Table) -> Vec<(Target, DependencyScope)> {
    let mut lists = Vec::new();
    if let Some(project) = table(manifest, "project") {
        lists.push((project.get("dependencies"), DependencyScope::Compile));
        let optional = table(project, "optional-dependencies").into_iter();
        let optional = optional.flat_map(|table| table.values()).take(ENTRIES_MAX);
        lists.extend(optional.map(|list| (Some(list), DependencyScope::Compile)));
    }
    let groups = table(manifest, "dependency-groups").into_iter();
    let groups = groups.flat_map(|table| table.values()).take(ENTRIES_MAX);
    lists.extend(groups.map(|list| (Some(list), DependencyScope::Test)));
    if let Some(uv) = tool(manifest, "uv") {
        lists.push((uv.get("dev-dependencies"), DependencyScope::Test));
    }
    let named = lists.into_iter().flat_map(|(list, scope)| {
        let names = texts(list).map(required_name);
        names.map(move |name| (Target::Name(name.into()), scope))
    });
    let mut found: Vec<_> = named.take(ENTRIES_MAX).collect();
    if let Some(poetry) = tool(manifest, "poetry") {
        let groups = table(poetry, "group").into_iter().flat_map(|groups| groups.values());
        let groups = groups.filter_map(|group| group.get("dependencies")?.as_table());
        let tables = [
            ("dependencies", DependencyScope::Compile),
            ("dev-dependencies", DependencyScope::Test),
        ]
        .into_iter()
        .filter_map(|(name, scope)| Some((table(poetry, name)?, scope)))
        .chain(groups.map(|table| (table, DependencyScope::Test)));
        for (table, scope) in tables {
            found.extend(table.iter().take(ENTRIES_MAX).map(|(name, value)| {
                let path = value.get("path").and_then(Value::as_str);
                let by_name = || Target::Name(name.as_str().into());
                (path.map_or_else(by_name, |path| Target::Path(path.into())), scope)
            }));
        }
    }
    found
}

/// Returns the name at the start of a requirement such as `name[extra] >= 1; python_version > "3"`.
fn required_name(requirement: &str) -> &str {
    let requirement = requirement.trim_start();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let end = requirement.find(|c| !is_name(c)).unwrap_or(requirement.len());
    &requirement[..end]
}

/// Returns the canonical spelling of a project name.
fn normalized(name: &str) -> String {
    let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (requirement, expected) in [
            ("requests", "requests"),
            (" Foo_Bar.baz[extra]>=1,<2; python_version > '3'", "foo-bar-baz"),
            ("a @ file:///x", "a"),
            ("a--b", "a-b"),
            ("", ""),
            (">=1", ""),
            ("ä", ""),
        ] {
            assert_eq!(normalized(required_name(requirement)), expected, "{requirement}");
        }
    }
}
