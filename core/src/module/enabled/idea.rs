//! Modules of an IDE: `.idea/modules.xml`, the `.iml` files it refers to, and `.idea/libraries`.

use super::graph::{LocatedModule, MODULES_MAX, ModuleGraph};
use super::ide_url::Macros;
use super::reader::ManifestReader;
use super::xml::Element;
use super::{ContentRoot, Dependency, DependencyScope, DependsOn, Library, LibraryNames};
use super::{Module, SourceRoot, installed};
use crate::budget::Stopped;
use crate::workspace::RelPath;
use crate::workspace::fs::Kind;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The maximum number of library files.
const LIBRARIES_MAX: usize = 5_000;
/// The maximum number of roots, folders or dependencies in a module file; more are an error.
const ENTRIES_MAX: usize = 20_000;
const PATTERNS_MAX: usize = 100;
const PATTERN_BYTES_MAX: usize = 256;

/// The `.iml` file of a module and the module's groups.
type ModuleFile = (RelPath, Vec<String>);

/// The index of each project library by name; `None` if all of it is outside the root.
type LibraryPlaces = HashMap<String, Option<usize>>;

/// A module whose dependencies are not yet resolved.
struct Described {
    path: RelPath,
    module: Module,
    /// In file order.
    entries: Vec<OrderEntry>,
}

struct OrderEntry {
    on: EntryKind,
    scope: DependencyScope,
    is_exported: bool,
}

enum EntryKind {
    Module(String),
    ProjectLibrary(String),
    OwnLibrary(Library),
}

/// Reads the project files of an IDE; `None` if there are no such files.
pub(super) fn find(reader: &mut ManifestReader<'_>) -> Result<Option<ModuleGraph>, Stopped> {
    let idea = RelPath::of_bytes(b".idea");
    let list = idea.join(b"modules.xml");
    let Some(files) = module_files(reader, &list)? else {
        return Ok(None);
    };
    let mut described = Vec::new();
    for (path, group) in files {
        if let Some(mut one) = read_iml(reader, &path)? {
            one.module.group = group;
            described.push(one);
        }
    }
    if described.is_empty() {
        reader.problem(&list, "none of its modules could be read, so build files are used instead");
        return Ok(None);
    }
    let (libraries, by_name) = project_libraries(reader, &idea.join(b"libraries"))?;
    let mut graph = link(reader, described, libraries, &by_name);
    add_installed(reader, &mut graph)?;
    Ok(Some(graph))
}

/// Adds packages installed in the root and the content roots, which IDE files do not list.
fn add_installed(reader: &mut ManifestReader<'_>, graph: &mut ModuleGraph) -> Result<(), Stopped> {
    let content = graph.modules.iter().flat_map(|located| &located.module.content);
    let mut dirs: BTreeSet<RelPath> = content.map(|content| content.path.clone()).collect();
    dirs.insert(RelPath::root());
    let known = graph.libraries.iter().flat_map(|library| &library.classes);
    let known: HashSet<RelPath> = known.cloned().collect();
    for dir in dirs.iter().take(MODULES_MAX) {
        for installed in installed::all(reader, dir)? {
            if !installed.library.classes.iter().any(|path| known.contains(path)) {
                graph.libraries.push(installed.library);
            }
        }
    }
    Ok(())
}

/// Returns the `.iml` files and their groups; `None` if no list exists.
fn module_files(
    reader: &mut ManifestReader<'_>,
    list: &RelPath,
) -> Result<Option<Vec<ModuleFile>>, Stopped> {
    let Some(document) = reader.xml(list)? else {
        return Ok(None);
    };
    let mut files = Vec::new();
    let mut names = HashSet::new();
    let components = document.root().children_named("component");
    let modules = components
        .filter(|component| component.attribute("name") == Some("ProjectModuleManager"))
        .flat_map(|component| component.children_named("modules"))
        .flat_map(|modules| modules.children_named("module"));
    for module in modules {
        if files.len() == MODULES_MAX {
            reader.problem(list, format_args!("more than {MODULES_MAX} modules"));
            break;
        }
        let macros = Macros::of_project();
        let (url, path) = (module.attribute("fileurl"), module.attribute("filepath"));
        let Some(shown) = url.or(path) else {
            reader.problem(list, "'module' without 'fileurl'");
            continue;
        };
        let file = match (url, path) {
            (Some(url), _) => macros.resolve(reader, url),
            (None, Some(path)) => macros.resolve_path(reader, path),
            (None, None) => None,
        };
        let Some(file) = file else {
            let shown = shown.escape_debug();
            reader.problem(list, format_args!("'{shown}' is outside the root, and not read"));
            continue;
        };
        if !names.insert(module_name(&file)) {
            reader.problem(&file, "another module has that name");
            continue;
        }
        let group = module.attribute("group").unwrap_or_default().split('/');
        let group = group.filter(|name| !name.is_empty()).map(str::to_owned).collect();
        files.push((file, group));
    }
    Ok(Some(files))
}

fn module_name(file: &RelPath) -> String {
    let name = file.file_name();
    String::from_utf8_lossy(name.strip_suffix(b".iml").unwrap_or(name)).into_owned()
}

fn read_iml(reader: &mut ManifestReader<'_>, path: &RelPath) -> Result<Option<Described>, Stopped> {
    let name = module_name(path);
    if reader.name(path, &name).is_none() {
        return Ok(None);
    }
    if !reader.is_file(path) {
        let problem = "the module file does not exist; an IDE may keep it elsewhere";
        reader.problem(path, problem);
        return Ok(None);
    }
    let Some(document) = reader.xml(path)? else {
        return Ok(None);
    };
    let mut iml = Iml {
        path,
        macros: Macros::of_module(path),
        module: Module { name, ..Module::default() },
        entries: Vec::new(),
        n_roots: 0,
    };
    let components = document.root().children_named("component");
    let managers =
        components.filter(|component| component.attribute("name") == Some("NewModuleRootManager"));
    for element in managers.flat_map(Element::children) {
        let taken = match element.name() {
            "content" => iml.take_content(reader, element),
            "orderEntry" => iml.take_order_entry(reader, element),
            _ => Ok(()),
        };
        if let Err(problem) = taken {
            reader.problem(path, format_args!("{problem}, so the module is left out"));
            return Ok(None);
        }
    }
    Ok(Some(Described { path: path.clone(), module: iml.module, entries: iml.entries }))
}

/// An `.iml` file while it is parsed.
struct Iml<'a> {
    path: &'a RelPath,
    macros: Macros,
    module: Module,
    entries: Vec<OrderEntry>,
    n_roots: usize,
}

impl Iml<'_> {
    fn take_content(
        &mut self,
        reader: &mut ManifestReader<'_>,
        content: Element<'_>,
    ) -> Result<(), String> {
        self.count_root()?;
        let url = required(content, "url")?;
        let root = self.resolve(reader, url, "the content root");
        let mut taken =
            ContentRoot { path: root.clone().unwrap_or_default(), ..Default::default() };
        for element in content.children() {
            self.count_root()?;
            match element.name() {
                "sourceFolder" => {
                    let url = required(element, "url")?;
                    // Without its content root a folder cannot be resolved.
                    let Some(root) = &root else { continue };
                    let Some(path) = self.resolve(reader, url, "the source folder") else {
                        continue;
                    };
                    if path.starts_with(root) {
                        taken.sources.push(self.source_root(reader, path, element));
                    } else {
                        let shown = url.escape_debug();
                        let problem =
                            format_args!("the source folder '{shown}' is not in its content root");
                        reader.problem(self.path, problem);
                    }
                }
                "excludeFolder" => {
                    let url = required(element, "url")?;
                    taken.excluded.extend(self.macros.resolve(reader, url));
                }
                "excludePattern" => {
                    let pattern = required(element, "pattern")?;
                    let n = taken.exclude_patterns.len();
                    if n == PATTERNS_MAX || pattern.len() > PATTERN_BYTES_MAX {
                        return Err("too many or too long patterns".to_owned());
                    }
                    taken.exclude_patterns.push(pattern.to_owned());
                }
                _ => {}
            }
        }
        if root.is_some() {
            self.module.content.push(taken);
        }
        Ok(())
    }

    fn count_root(&mut self) -> Result<(), String> {
        self.n_roots += 1;
        let problem = || format!("more than {ENTRIES_MAX} folders");
        if self.n_roots > ENTRIES_MAX { Err(problem()) } else { Ok(()) }
    }

    fn source_root(
        &self,
        reader: &mut ManifestReader<'_>,
        path: RelPath,
        element: Element<'_>,
    ) -> SourceRoot {
        let is_marked = element.attribute("isTestSource") == Some("true");
        let is_test = match element.attribute("type") {
            None => is_marked,
            Some("java-source" | "java-resource" | "kotlin-source" | "kotlin-resource") => false,
            Some("java-test" | "java-test-resource" | "kotlin-test" | "kotlin-test-resource") => {
                true
            }
            Some(other) => {
                let shown = other.escape_debug();
                let problem = format_args!("the source folder '{shown}' has an unknown type");
                reader.problem(self.path, problem);
                is_marked
            }
        };
        SourceRoot {
            path,
            is_test,
            is_generated: element.attribute("generated") == Some("true"),
            package_prefix: element.attribute("packagePrefix").unwrap_or_default().to_owned(),
        }
    }

    fn take_order_entry(
        &mut self,
        reader: &mut ManifestReader<'_>,
        entry: Element<'_>,
    ) -> Result<(), String> {
        let on = match entry.attribute("type") {
            Some("module") => EntryKind::Module(required(entry, "module-name")?.to_owned()),
            Some("library") => {
                let (name, level) = (required(entry, "name")?, required(entry, "level")?);
                // Other levels are outside the root, or defined where they are used.
                if level != "project" {
                    return Ok(());
                }
                EntryKind::ProjectLibrary(name.to_owned())
            }
            Some("module-library") => {
                let Some(library) = entry.child("library") else {
                    return Err("'module-library' without 'library'".to_owned());
                };
                match read_library(reader, &self.macros, library)? {
                    Some(library) => EntryKind::OwnLibrary(library),
                    None => return Ok(()),
                }
            }
            Some("jdk") => {
                required(entry, "jdkName")?;
                return Ok(());
            }
            Some(_) => return Ok(()),
            None => return Err("'orderEntry' without 'type'".to_owned()),
        };
        if self.entries.len() == ENTRIES_MAX {
            return Err(format!("more than {ENTRIES_MAX} dependencies"));
        }
        let scope = match entry.attribute("scope") {
            Some("TEST") => DependencyScope::Test,
            Some("RUNTIME") => DependencyScope::Runtime,
            Some("PROVIDED") => DependencyScope::Provided,
            _ => DependencyScope::Compile,
        };
        // The presence of the attribute decides, not its value.
        let is_exported = entry.attribute("exported").is_some();
        self.entries.push(OrderEntry { on, scope, is_exported });
        Ok(())
    }

    fn resolve(&self, reader: &mut ManifestReader<'_>, url: &str, what: &str) -> Option<RelPath> {
        let found = self.macros.resolve(reader, url);
        if found.is_none() {
            let shown = url.escape_debug();
            let problem = format_args!("{what} '{shown}' is outside the root, and left out");
            reader.problem(self.path, problem);
        }
        found
    }
}

fn required<'d>(element: Element<'d>, name: &str) -> Result<&'d str, String> {
    element.attribute(name).ok_or_else(|| format!("'{}' without '{name}'", element.name()))
}

/// Parses a library; `None` if none of its roots is inside the root, which is common.
fn read_library(
    reader: &mut ManifestReader<'_>,
    macros: &Macros,
    element: Element<'_>,
) -> Result<Option<Library>, String> {
    let (mut classes, mut sources) = (Vec::new(), Vec::new());
    for part in element.children() {
        // Archive directories are listed next to the other roots.
        let (roots, into) = match part.name() {
            "CLASSES" => (part.children_named("root").collect(), &mut classes),
            "SOURCES" => (part.children_named("root").collect(), &mut sources),
            "jarDirectory" if part.attribute("type") == Some("SOURCES") => {
                (vec![part], &mut sources)
            }
            "jarDirectory" => (vec![part], &mut classes),
            _ => continue,
        };
        for root in roots {
            if let Some(path) = macros.resolve(reader, required(root, "url")?)
                && !into.contains(&path)
            {
                into.push(path);
            }
            if into.len() > ENTRIES_MAX {
                return Err(format!("more than {ENTRIES_MAX} roots of a library"));
            }
        }
    }
    let name = match (element.attribute("name"), classes.iter().chain(&sources).next()) {
        (_, None) => return Ok(None),
        (Some(name), _) if !name.is_empty() => name.to_owned(),
        (_, Some(first)) => String::from_utf8_lossy(first.file_name()).into_owned(),
    };
    Ok(Some(Library { names: LibraryNames::One(name), classes, sources }))
}

/// Reads the project's libraries.
fn project_libraries(
    reader: &mut ManifestReader<'_>,
    dir: &RelPath,
) -> Result<(Vec<Library>, LibraryPlaces), Stopped> {
    let (mut libraries, mut by_name) = (Vec::new(), HashMap::new());
    let mut entries =
        reader.entries_where(dir, &|name, kind| kind == Kind::File && name.ends_with(b".xml"))?;
    if entries.len() > LIBRARIES_MAX {
        reader.problem(dir, format_args!("more than {LIBRARIES_MAX} libraries"));
        entries.truncate(LIBRARIES_MAX);
    }
    for entry in entries {
        let file = dir.join(&entry.name);
        let Some(document) = reader.xml(&file)? else {
            continue;
        };
        for element in document.root().children_named("library") {
            let Some(name) = element.attribute("name") else {
                reader.problem(&file, "'library' without 'name'");
                continue;
            };
            let place = match read_library(reader, &Macros::of_project(), element) {
                Ok(Some(library)) => {
                    libraries.push(library);
                    Some(libraries.len() - 1)
                }
                Ok(None) => None,
                Err(problem) => {
                    reader.problem(&file, problem);
                    None
                }
            };
            by_name.entry(name.to_owned()).or_insert(place);
        }
    }
    Ok((libraries, by_name))
}

/// Resolves names of modules and libraries to indices.
fn link(
    reader: &mut ManifestReader<'_>,
    described: Vec<Described>,
    libraries: Vec<Library>,
    by_name: &LibraryPlaces,
) -> ModuleGraph {
    let names = described.iter().enumerate().map(|(at, one)| (one.module.name.clone(), at));
    let places: HashMap<String, usize> = names.collect();
    let mut graph = ModuleGraph { modules: Vec::new(), libraries };
    let mut n_unknown = 0;
    for Described { path, mut module, entries } in described {
        for OrderEntry { on, scope, is_exported } in entries {
            let on = match on {
                EntryKind::Module(name) => match places.get(&name) {
                    Some(&at) => DependsOn::Module(at),
                    None => {
                        let shown = name.escape_debug();
                        reader.problem(&path, format_args!("there is no module '{shown}'"));
                        continue;
                    }
                },
                EntryKind::ProjectLibrary(name) => match by_name.get(&name) {
                    Some(&Some(at)) => DependsOn::Library(at),
                    Some(None) => continue,
                    None => {
                        n_unknown += 1;
                        continue;
                    }
                },
                EntryKind::OwnLibrary(library) => {
                    graph.libraries.push(library);
                    DependsOn::Library(graph.libraries.len() - 1)
                }
            };
            module.dependencies.push(Dependency { on, scope, is_exported });
        }
        graph.modules.push(LocatedModule { dir: path.parent().unwrap_or_default(), module });
    }
    // An IDE with external libraries would cause one problem per library and module.
    if n_unknown > 0 {
        let dir = RelPath::of_bytes(b".idea/libraries");
        reader.problem(&dir, format_args!("{n_unknown} dependencies on unknown libraries"));
    }
    graph
}
