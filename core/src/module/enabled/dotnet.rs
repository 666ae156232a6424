//! .NET: project files, and the solutions that name them. A project is a test project by its packages, as
//! `dotnet test` judges.

use super::graph::{LocatedModule, MODULES_MAX, ModuleGraph};
use super::places::Places;
use super::reader::ManifestReader;
use super::xml::{Document, Element};
use super::{DependencyScope, DependsOn, TestNames};
use crate::budget::Stopped;
use crate::workspace::RelPath;
use crate::workspace::fs::Kind;
use std::collections::{BTreeSet, HashMap};

/// The endings of project files, after a `*`.
const PROJECTS: &[&str] = &["*.csproj", "*.fsproj", "*.vbproj"];
const SOLUTION: &str = "*.sln";
const XML_SOLUTION: &str = "*.slnx";
/// The starts of the names of packages, in lower case, that only test projects need.
const TEST_PACKAGES: &[&str] =
    &["microsoft.net.test.sdk", "mstest", "nunit", "tunit", "xunit", "microsoft.testing."];
/// The maximum number of references of a project, and of projects of a solution.
const REFERENCES_MAX: usize = 5_000;
/// The maximum number of paths in all solutions that are looked up.
const LOOKED_UP_MAX: usize = 20_000;
/// The maximum depth of the folders of a solution.
const FOLDERS_MAX: usize = 20;

pub(super) fn find(
    reader: &mut ManifestReader<'_>,
    places: &Places,
) -> Result<ModuleGraph, Stopped> {
    let mut graph = ModuleGraph::default();
    let mut by_file: HashMap<RelPath, usize> = HashMap::new();
    let mut references = Vec::new();
    for file in project_files(reader, places)? {
        reader.budget.poll()?;
        if graph.modules.len() == MODULES_MAX {
            reader.problem(&file, format_args!("more than {MODULES_MAX} projects"));
            break;
        }
        let Some(document) = reader.xml(&file)? else {
            continue;
        };
        let stem = String::from_utf8_lossy(file.file_name()).into_owned();
        let stem = stem.rsplit_once('.').map_or(&*stem, |(stem, _)| stem);
        let Some(name) = reader.name(&file, stem) else {
            continue;
        };
        let dir = file.parent().unwrap_or_default();
        let mut module = LocatedModule::of_manifest(&dir, name, TestNames::None);
        module.add_source(dir.clone(), is_test(&document));
        for built in reader.dirs_named(&dir, &["bin", "obj"]) {
            module.exclude(built);
        }
        references.push(project_references(reader, &file, &document));
        by_file.insert(file, graph.modules.len());
        graph.modules.push(module);
    }
    for (at, references) in references.into_iter().enumerate() {
        for on in references.iter().filter_map(|file| by_file.get(file)) {
            graph.modules[at].depend(DependsOn::Module(*on), DependencyScope::Compile);
        }
    }
    Ok(graph)
}

/// Returns the project files near the root, and those that a solution near the root names.
fn project_files(
    reader: &mut ManifestReader<'_>,
    places: &Places,
) -> Result<BTreeSet<RelPath>, Stopped> {
    let mut files = listed(reader, places, PROJECTS)?;
    let mut n_left = LOOKED_UP_MAX;
    for solution in listed(reader, places, &[SOLUTION, XML_SOLUTION])? {
        if solution.file_name().ends_with(b"x") {
            let Some(document) = reader.xml(&solution)? else { continue };
            let mut paths = Vec::new();
            add_paths(document.root(), 0, &mut paths);
            add_projects(reader, &solution, paths.into_iter(), &mut n_left, &mut files)?;
        } else {
            let text = reader.text(&solution)?.unwrap_or_default();
            let paths = text.lines().filter_map(named_project).take(REFERENCES_MAX);
            add_projects(reader, &solution, paths, &mut n_left, &mut files)?;
        }
    }
    Ok(files)
}

/// Returns the files with these endings.
fn listed(
    reader: &mut ManifestReader<'_>,
    places: &Places,
    endings: &[&str],
) -> Result<BTreeSet<RelPath>, Stopped> {
    let dirs: BTreeSet<&RelPath> = endings.iter().flat_map(|ending| places.with(ending)).collect();
    let is_one = |name: &[u8], kind| {
        kind == Kind::File && endings.iter().any(|ending| name.ends_with(&ending.as_bytes()[1..]))
    };
    let mut files = BTreeSet::new();
    for dir in dirs {
        let entries = reader.entries_where(dir, &is_one)?;
        let room = (MODULES_MAX + 1).saturating_sub(files.len());
        files.extend(entries.iter().take(room).map(|entry| dir.join(&entry.name)));
    }
    Ok(files)
}

/// Adds the projects of a solution that exist.
fn add_projects<'p>(
    reader: &mut ManifestReader<'_>,
    solution: &RelPath,
    paths: impl Iterator<Item = &'p str>,
    n_left: &mut usize,
    files: &mut BTreeSet<RelPath>,
) -> Result<(), Stopped> {
    let dir = solution.parent().unwrap_or_default();
    for path in paths {
        reader.budget.poll()?;
        let is_project = PROJECTS.iter().any(|ending| path.ends_with(&ending[1..]));
        let file = reader.resolve(&dir, &path.replace('\\', "/")).filter(|_| is_project);
        let Some(file) = file.filter(|file| !files.contains(file)) else { continue };
        if *n_left == 0 || files.len() > MODULES_MAX {
            break;
        }
        *n_left -= 1;
        if reader.is_file(&file) {
            files.insert(file);
        }
    }
    Ok(())
}

/// Returns the path in a line `Project("{KIND}") = "NAME", "PATH", "{ID}"` of a solution.
fn named_project(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("Project(")?.split('"').nth(5)
}

/// Adds the paths of the projects in a solution of XML, in its folders too.
fn add_paths<'d>(element: Element<'d>, depth: usize, paths: &mut Vec<&'d str>) {
    for child in element.children() {
        match child.name() {
            "Project" if paths.len() < REFERENCES_MAX => paths.extend(child.attribute("Path")),
            "Folder" if depth < FOLDERS_MAX => add_paths(child, depth + 1, paths),
            _ => {}
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_solutions() {
        for (line, expected) in [
            ("Project(\"{F}\") = \"a\", \"src\\a\\a.csproj\", \"{1}\"\r", Some("src\\a\\a.csproj")),
            ("  Project(\"{F}\") = \"a\", \"a.fsproj\", \"{1}\"", Some("a.fsproj")),
            ("Project(\"{F}\") = \"a\", \"open", Some("open")),
            ("Project(\"{F}\") = \"a\"", None),
            ("EndProject", None),
            ("# Project(\"a\")", None),
        ] {
            assert_eq!(named_project(line), expected, "{line}");
        }
    }
}
