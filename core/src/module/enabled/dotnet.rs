//! .NET: project files. A project is a test project by its packages, as `dotnet test` judges.

use super::graph::{LocatedModule, MODULES_MAX, ModuleGraph};
use super::places::Places;
use super::reader::ManifestReader;
use super::xml::Document;
use super::{DependencyScope, DependsOn, TestNames};
use crate::budget::Stopped;
use crate::workspace::RelPath;
use crate::workspace::fs::Kind;
use std::collections::{BTreeSet, HashMap};

const ENDINGS: &[&str] = &[".csproj", ".fsproj", ".vbproj"];
/// The starts of the names of packages, in lower case, that only test projects need.
const TEST_PACKAGES: &[&str] =
    &["microsoft.net.test.sdk", "mstest", "nunit", "tunit", "xunit", "microsoft.testing."];
/// The maximum number of references of a project.
const REFERENCES_MAX: usize = 5_000;

pub(super) fn find(
    reader: &mut ManifestReader<'_>,
    places: &Places,
) -> Result<ModuleGraph, Stopped> {
    let mut dirs = BTreeSet::new();
    for ending in ["*.csproj", "*.fsproj", "*.vbproj"] {
        dirs.extend(places.with(ending));
    }
    let mut graph = ModuleGraph::default();
    let mut by_file: HashMap<RelPath, usize> = HashMap::new();
    let mut references = Vec::new();
    for dir in dirs {
        let is_project = |name: &[u8], kind| {
            kind == Kind::File && ENDINGS.iter().any(|ending| name.ends_with(ending.as_bytes()))
        };
        for entry in reader.entries_where(dir, &is_project)? {
            let file = dir.join(&entry.name);
            if graph.modules.len() == MODULES_MAX {
                reader.problem(&file, format_args!("more than {MODULES_MAX} projects"));
                return Ok(graph);
            }
            let Some(document) = reader.xml(&file)? else {
                continue;
            };
            let stem = String::from_utf8_lossy(&entry.name).into_owned();
            let stem = stem.rsplit_once('.').map_or(&*stem, |(stem, _)| stem);
            let Some(name) = reader.name(&file, stem) else {
                continue;
            };
            let mut module = LocatedModule::of_manifest(dir, name, TestNames::None);
            module.add_source(dir.clone(), is_test(&document));
            for built in reader.dirs_named(dir, &["bin", "obj"]) {
                module.exclude(built);
            }
            references.push(project_references(reader, &file, &document));
            by_file.insert(file, graph.modules.len());
            graph.modules.push(module);
        }
    }
    for (at, references) in references.into_iter().enumerate() {
        for on in references.iter().filter_map(|file| by_file.get(file)) {
            graph.modules[at].depend(DependsOn::Module(*on), DependencyScope::Compile);
        }
    }
    Ok(graph)
}

/// Returns whether a project says that it is one of tests, or refers to a package that only tests need.
fn is_test(document: &Document) -> bool {
    let mut packages = items(document, "PackageReference");
    let is_marked = document
        .root()
        .children_named("PropertyGroup")
        .filter_map(|group| group.child("IsTestProject"))
        .any(|value| value.text().trim().eq_ignore_ascii_case("true"));
    is_marked
        || packages.any(|package| {
            let package = package.to_ascii_lowercase();
            TEST_PACKAGES.iter().any(|start| package.starts_with(start))
        })
}

/// Yields what the items of a kind include.
fn items<'d>(document: &'d Document, kind: &'d str) -> impl Iterator<Item = &'d str> {
    let groups = document.root().children_named("ItemGroup");
    let items = groups.flat_map(move |group| group.children_named(kind));
    items.filter_map(|item| item.attribute("Include"))
}

/// Returns the project files that a project refers to.
fn project_references(
    reader: &mut ManifestReader<'_>,
    file: &RelPath,
    document: &Document,
) -> Vec<RelPath> {
    let dir = file.parent().unwrap_or_default();
    let all: Vec<RelPath> = items(document, "ProjectReference")
        .take(REFERENCES_MAX)
        .filter_map(|path| reader.resolve(&dir, &path.replace('\\', "/")))
        .collect();
    let n = reader.admit_dependencies(file, all.len());
    all.into_iter().take(n).collect()
}
