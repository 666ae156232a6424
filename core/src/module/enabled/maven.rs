//! Maven: reactor modules and dependencies between them.

use super::graph::{LocatedModule, MODULES_MAX, ModuleGraph};
use super::places::Places;
use super::reader::ManifestReader;
use super::xml::{Document, Element};
use super::{DependencyScope, DependsOn, TestNames};
use crate::budget::Stopped;
use crate::workspace::RelPath;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

const FILE: &str = "pom.xml";
/// The maximum number of modules, and of dependencies, of a file.
const ENTRIES_MAX: usize = 5_000;
/// The maximum length of a chain of parents.
const PARENTS_MAX: usize = 32;
/// The maximum length of an interpolated value.
const VALUE_BYTES_MAX: usize = 2_000;

/// The maximum number of elements in all files: one takes ten to forty times the memory of its text.
const ELEMENTS_MAX: usize = 500_000;

/// The files by path.
type Poms = BTreeMap<RelPath, Read>;

/// A parsed file.
struct Read {
    document: Document,
    properties: HashMap<String, String>,
}

pub(super) fn find(
    reader: &mut ManifestReader<'_>,
    places: &Places,
) -> Result<ModuleGraph, Stopped> {
    let poms = read_all(reader, places.with(FILE))?;
    let mut graph = ModuleGraph::default();
    let mut modules: Vec<(&RelPath, Option<String>, usize)> = Vec::new();
    let mut by_artifact: HashMap<String, Vec<usize>> = HashMap::new();
    for (file, read) in &poms {
        let pom = Pom::new(reader, &poms, file, read);
        let Some(artifact) = pom.value(reader, pom.project, "artifactId") else {
            reader.problem(file, "no 'artifactId'");
            continue;
        };
        let Some(name) = reader.name(file, &artifact) else {
            continue;
        };
        let dir = file.parent().unwrap_or_default();
        let mut module = LocatedModule::of_manifest(&dir, name, TestNames::None);
        module.module.is_of_import = true;
        add_roots(reader, &pom, &mut module)?;
        by_artifact.entry(name.to_owned()).or_default().push(modules.len());
        modules.push((file, pom.group(), graph.modules.len()));
        graph.modules.push(module);
    }
    for (file, _, at) in &modules {
        let pom = Pom::new(reader, &poms, file, &poms[*file]);
        let dependencies = pom.project.child("dependencies").into_iter();
        let dependencies = dependencies.flat_map(|all| all.children_named("dependency"));
        for dependency in dependencies.take(ENTRIES_MAX) {
            reader.budget.poll()?;
            let Some(artifact) = pom.value(reader, dependency, "artifactId") else {
                continue;
            };
            let group = pom.value(reader, dependency, "groupId");
            let candidates = by_artifact.get(&artifact).map_or(&[][..], Vec::as_slice);
            let is_it = |&&at: &&usize| match (&group, &modules[at].1) {
                (Some(wanted), Some(group)) => wanted == group,
                _ => true,
            };
            let Some(&on) = candidates.iter().find(is_it) else {
                continue;
            };
            let scope = pom.value(reader, dependency, "scope");
            let scope = match scope.as_deref() {
                Some("test") => DependencyScope::Test,
                Some("runtime") => DependencyScope::Runtime,
                Some("provided" | "system") => DependencyScope::Provided,
                _ => DependencyScope::Compile,
            };
            graph.modules[*at].depend(DependsOn::Module(modules[on].2), scope);
        }
    }
    Ok(graph)
}

/// Reads the files in `dirs` and those of their modules, each once.
fn read_all(reader: &mut ManifestReader<'_>, dirs: &[RelPath]) -> Result<Poms, Stopped> {
    let mut poms = Poms::new();
    let mut todo: BTreeSet<RelPath> = dirs.iter().map(|dir| dir.join(FILE.as_bytes())).collect();
    let mut seen: HashSet<RelPath> = todo.iter().cloned().collect();
    let mut n_elements = 0;
    while let Some(file) = todo.pop_first() {
        let Some(document) = reader.xml(&file)? else {
            continue;
        };
        n_elements += document.n_elements();
        if n_elements > ELEMENTS_MAX {
            let problem = format_args!(
                "not used: all files may have at most {ELEMENTS_MAX} elements in total"
            );
            reader.problem(&file, problem);
            break;
        }
        if document.root().name() != "project" {
            reader.problem(&file, "its root element is not 'project'");
            continue;
        }
        let modules = document.root().child("modules").into_iter();
        let modules = modules.flat_map(|modules| modules.children_named("module"));
        for module in modules.take(ENTRIES_MAX) {
            // Windows users write backslashes.
            let path = module.text().replace('\\', "/");
            let Some(path) = reader.follow(&file, &path) else {
                continue;
            };
            // A module is named by its directory or its file.
            let path = if reader.is_dir(&path) { path.join(FILE.as_bytes()) } else { path };
            if !reader.is_file(&path) {
                reader.problem(&path, "the module does not exist");
            } else if seen.len() < MODULES_MAX && seen.insert(path.clone()) {
                todo.insert(path);
            }
        }
        let properties = document.root().child("properties").into_iter();
        let properties = properties.flat_map(Element::children);
        let properties =
            properties.map(|element| (element.name().to_owned(), element.text().to_owned()));
        let properties = properties.collect();
        poms.insert(file, Read { document, properties });
    }
    if seen.len() >= MODULES_MAX {
        reader.problem(
            &RelPath::of_bytes(FILE.as_bytes()),
            format_args!("more than {MODULES_MAX} modules"),
        );
    }
    Ok(poms)
}

fn add_roots(
    reader: &mut ManifestReader<'_>,
    pom: &Pom<'_>,
    module: &mut LocatedModule,
) -> Result<(), Stopped> {
    let dir = module.dir.clone();
    for (set, element, is_test) in
        [("main", "sourceDirectory", false), ("test", "testSourceDirectory", true)]
    {
        let base = dir.join(b"src").join(set.as_bytes());
        let mut roots = reader.dirs(&base)?;
        if let Some(path) = pom.inherited(reader, "build", element) {
            roots.retain(|root| root.file_name() != b"java");
            match reader.resolve(&dir, &path.replace('\\', "/")) {
                Some(root) if !root.starts_with(&dir) => {
                    reader.problem(
                        pom.file,
                        format_args!("'{}' is outside of the module", root.display()),
                    );
                }
                Some(root) if reader.is_dir(&root) => roots.insert(0, root),
                Some(_) => {}
                None => {
                    reader.problem(
                        pom.file,
                        format_args!("'{}' is outside the root", path.escape_debug()),
                    );
                }
            }
        }
        roots.into_iter().for_each(|root| module.add_source(root, is_test));
    }
    for built in reader.dirs_named(&dir, &["target"]) {
        module.exclude(built);
    }
    Ok(())
}

/// One file and its context.
struct Pom<'a> {
    file: &'a RelPath,
    project: Element<'a>,
    /// The project's own values, looked up once: a file may have many elements.
    own: HashMap<&'static str, &'a str>,
    /// The file and those of its parents that are in the tree.
    chain: Vec<(&'a RelPath, &'a Read)>,
}

impl<'a> Pom<'a> {
    fn new(
        reader: &ManifestReader<'_>,
        poms: &'a Poms,
        file: &'a RelPath,
        read: &'a Read,
    ) -> Pom<'a> {
        let mut chain = vec![(file, read)];
        while let Some(&(file, read)) = chain.last()
            && chain.len() < PARENTS_MAX
            && let Some(parent) = parent(reader, poms, file, read)
            && chain.iter().all(|(known, _)| *known != parent.0)
        {
            chain.push(parent);
        }
        let project = read.document.root();
        let mut own = HashMap::from([("basedir", ".")]);
        let parent = project.child("parent");
        for (name, of_parent) in [
            ("artifactId", "parent.artifactId"),
            ("groupId", "parent.groupId"),
            ("version", "parent.version"),
        ] {
            let above = parent.and_then(|parent| parent.child(name)).map(Element::text);
            own.extend(above.map(|text| (of_parent, text)));
            // `artifactId` is never inherited.
            let inherited = above.filter(|_| name != "artifactId");
            let text = project.child(name).map(Element::text).or(inherited);
            own.extend(text.map(|text| (name, text)));
        }
        Pom { file, project, own, chain }
    }

    /// Returns the interpolated text of an element in `holder`; `None` if a property is unknown.
    fn value(
        &self,
        reader: &mut ManifestReader<'_>,
        holder: Element<'_>,
        name: &str,
    ) -> Option<String> {
        let text = holder.child(name)?.text();
        if text.is_empty() {
            return None;
        }
        let filled = self.fill_in(text);
        if filled.is_none() {
            let shown = text.escape_debug();
            reader.problem(self.file, format_args!("'{shown}' can only be resolved by Maven"));
        }
        filled
    }

    fn group(&self) -> Option<String> {
        self.fill_in(self.own.get("groupId")?)
    }

    /// Returns the text of an element in `holder`, here or in the nearest parent that has it.
    fn inherited(
        &self,
        reader: &mut ManifestReader<'_>,
        holder: &str,
        name: &str,
    ) -> Option<String> {
        let mut all = self.chain.iter().map(|(_, read)| read.document.root());
        let element = all.find_map(|project| project.child(holder)?.child(name))?;
        let filled = self.fill_in(element.text());
        if filled.is_none() {
            let shown = element.text().escape_debug();
            reader.problem(self.file, format_args!("'{shown}' can only be resolved by Maven"));
        }
        filled.filter(|text| !text.is_empty())
    }

    /// Interpolates properties once: values are not interpolated again.
    fn fill_in(&self, text: &str) -> Option<String> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let (name, after) = after.split_once('}')?;
            filled += before;
            let value = self.property(name.trim())?;
            if value.contains("${") || filled.len() + value.len() > VALUE_BYTES_MAX {
                return None;
            }
            filled += value;
            rest = after;
        }
        filled += rest;
        (filled.len() <= VALUE_BYTES_MAX).then_some(filled)
    }

    fn property(&self, name: &str) -> Option<&'a str> {
        let of_project = name.strip_prefix("project.").or_else(|| name.strip_prefix("pom."));
        // `basedir` works with and without the prefix.
        let own = of_project.or((name == "basedir").then_some(name));
        if let Some(text) = own.and_then(|name| self.own.get(name)) {
            return Some(text);
        }
        let mut all = self.chain.iter().map(|(_, read)| &read.properties);
        let set = all.find_map(|properties| properties.get(name)).map(String::as_str);
        // Only old files omit `project.` before the other names.
        set.or_else(|| self.own.get(name).copied())
    }
}

/// Returns the parent that a file names, if it is in the tree.
fn parent<'a>(
    reader: &ManifestReader<'_>,
    poms: &'a Poms,
    file: &RelPath,
    read: &Read,
) -> Option<(&'a RelPath, &'a Read)> {
    let parent = read.document.root().child("parent")?;
    let path = match parent.child("relativePath").map(Element::text) {
        // An empty path means that the parent comes from a repository.
        Some("") => return None,
        Some(path) => path.replace('\\', "/"),
        None => format!("../{FILE}"),
    };
    let path = reader.resolve(&file.parent()?, &path)?;
    let below = path.join(FILE.as_bytes());
    let found = poms.get_key_value(&path).or_else(|| poms.get_key_value(&below))?;
    // The file at that path may be something other than the parent.
    let artifact = |of: Element<'_>| of.child("artifactId").map(|id| id.text().to_owned());
    (artifact(found.1.document.root()) == artifact(parent)).then_some(found)
}
