//! PHP: `composer.json` and the directories that it loads classes from.

use super::TestNames;
use super::graph::{LocatedModule, ModuleGraph};
use super::places::Places;
use super::reader::ManifestReader;
use crate::budget::Stopped;
use crate::workspace::RelPath;
use serde_json::Value;

const FILE: &str = "composer.json";
/// The maximum number of directories of a file.
const ENTRIES_MAX: usize = 2_000;
/// Directories of tests by convention, and of sources where the file names none.
const TEST_DIRS: &[&str] = &["test", "tests", "Tests"];
const SOURCE_DIRS: &[&str] = &["app", "lib", "src"];

/// The relevant parts of a `composer.json`.
struct Manifest {
    name: Option<String>,
    roots: Vec<Autoload>,
}

/// A directory or a file from which classes are loaded.
struct Autoload {
    path: String,
    /// The namespace of the files directly in it, with dots.
    package: String,
    is_test: bool,
}

impl Manifest {
    fn of(json: &Value) -> Manifest {
        let mut roots = Vec::new();
        for (key, is_test) in [("autoload", false), ("autoload-dev", true)] {
            if let Some(autoload) = json.get(key) {
                add_roots(autoload, is_test, &mut roots);
            }
        }
        roots.truncate(ENTRIES_MAX);
        // The order of an object's members depends on the features of the parser.
        roots.sort_by(|a, b| a.path.cmp(&b.path));
        let name = json.get("name").and_then(Value::as_str).map(str::to_owned);
        Manifest { name, roots }
    }
}

/// Adds the paths of `psr-4`, `psr-0`, `classmap` and `files`.
fn add_roots(autoload: &Value, is_test: bool, roots: &mut Vec<Autoload>) {
    for standard in ["psr-4", "psr-0"] {
        let namespaces = autoload.get(standard).and_then(Value::as_object);
        for (namespace, paths) in namespaces.into_iter().flatten().take(ENTRIES_MAX) {
            // Below a root of PSR-0, the namespace is a directory.
            let is_mapped = standard == "psr-4";
            let package = if is_mapped { namespace.trim_matches('\\') } else { "" };
            let package = package.replace('\\', ".");
            let add =
                |path: &str| Autoload { path: path.to_owned(), package: package.clone(), is_test };
            roots.extend(texts(paths).map(add));
        }
    }
    for list in ["classmap", "files"] {
        let paths = autoload.get(list).into_iter().flat_map(texts);
        roots.extend(paths.map(|path| Autoload {
            path: path.to_owned(),
            package: String::new(),
            is_test,
        }));
    }
}

/// Yields a text, or the texts of a list.
fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let list = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    list.iter().filter_map(Value::as_str).take(ENTRIES_MAX)
}

pub(super) fn find(
    reader: &mut ManifestReader<'_>,
    places: &Places,
) -> Result<ModuleGraph, Stopped> {
    let mut graph = ModuleGraph::default();
    for dir in places.with(FILE) {
        let file = dir.join(FILE.as_bytes());
        let Some(manifest) = reader.json(&file, Manifest::of)? else {
            continue;
        };
        let shown = dir.display();
        let name = manifest.name.as_deref().filter(|name| !name.trim().is_empty());
        let Some(name) = reader.name(&file, name.unwrap_or(&shown)) else {
            continue;
        };
        let mut module = LocatedModule::of_manifest(dir, name, TestNames::Php);
        add_autoloads(reader, &file, &manifest.roots, &mut module)?;
        let is_named = module.has_sources();
        if !is_named {
            reader
                .dirs_named(dir, SOURCE_DIRS)
                .into_iter()
                .for_each(|path| module.add_source(path, false));
        }
        for tests in reader.dirs_named(dir, TEST_DIRS) {
            module.add_source(tests, true);
        }
        // Composer installs packages there.
        for installed in reader.dirs_named(dir, &["vendor"]) {
            module.exclude(installed);
        }
        graph.modules.push(module);
    }
    Ok(graph)
}

fn add_autoloads(
    reader: &mut ManifestReader<'_>,
    file: &RelPath,
    roots: &[Autoload],
    module: &mut LocatedModule,
) -> Result<(), Stopped> {
    let dir = module.dir.clone();
    for Autoload { path, package, is_test } in roots {
        reader.budget.poll()?;
        let Some(path) = reader.follow(file, path) else {
            continue;
        };
        // A package beside this one, in a repository of several.
        if path.starts_with(&dir) && (reader.is_dir(&path) || reader.is_file(&path)) {
            module.add_package(path, package.clone(), *is_test);
        }
    }
    Ok(())
}
