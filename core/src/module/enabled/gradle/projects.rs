//! Projects of Gradle builds, their source roots and the dependencies between them.

use super::lexer::tokens;
use super::script::{self, Needed, Project, Settings};
use super::set_modules::{self, SetModules};
use super::source_sets::{SourceDir, source_dirs};
use crate::budget::Stopped;
use crate::module::enabled::graph::{LocatedModule, MODULES_MAX, ModuleGraph};
use crate::module::enabled::places::Places;
use crate::module::enabled::reader::ManifestReader;
use crate::module::{DependsOn, TestNames};
use crate::workspace::RelPath;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const SETTINGS: &[&str] = &["settings.gradle", "settings.gradle.kts"];
const SCRIPTS: &[&str] = &["build.gradle", "build.gradle.kts"];

/// One build: its projects by path; `:` is the root.
struct Build {
    /// The settings script, or else the build script.
    file: RelPath,
    root: RelPath,
    root_name: Option<String>,
    /// The directory of each project.
    projects: BTreeMap<String, RelPath>,
}

/// The relevant parts of the build scripts of a project.
#[derive(Default)]
struct Scripts {
    needed: Vec<Needed>,
    source_dirs: Vec<SourceDir>,
}

/// The modules of one project.
struct BuildModule {
    /// The index of the project's own module.
    at: usize,
    sets: SetModules,
    needed: Vec<Needed>,
}

pub(in crate::module::enabled) fn find(
    reader: &mut ManifestReader<'_>,
    places: &Places,
) -> Result<ModuleGraph, Stopped> {
    let mut graph = ModuleGraph::default();
    for build in builds(reader, places)? {
        let mut modules = HashMap::new();
        for (path, dir) in &build.projects {
            reader.budget.poll()?;
            let scripts = read_scripts(reader, dir)?;
            if graph.modules.len() == MODULES_MAX {
                reader.problem(&build.file, format_args!("more than {MODULES_MAX} projects"));
                return Ok(graph);
            }
            if let Some(mut module) = module(reader, &build, path, dir)? {
                let root = &build.root;
                let sets = set_modules::find(reader, &mut module, root, &scripts.source_dirs)?;
                let at = graph.modules.len();
                graph.modules.push(module);
                let sets = set_modules::add(reader, &build.file, &mut graph, sets);
                modules.insert(path.as_str(), BuildModule { at, sets, needed: scripts.needed });
            }
        }
        link(reader, &build, &modules, &mut graph)?;
    }
    Ok(graph)
}

/// Adds the dependencies between the projects of a build, and those of their source sets.
fn link(
    reader: &mut ManifestReader<'_>,
    build: &Build,
    modules: &HashMap<&str, BuildModule>,
    graph: &mut ModuleGraph,
) -> Result<(), Stopped> {
    let accessors: HashMap<String, &str> =
        build.projects.keys().map(|path| (accessor(path), path.as_str())).collect();
    for path in build.projects.keys() {
        let Some(module) = modules.get(path.as_str()) else {
            continue;
        };
        reader.budget.poll()?;
        for needed in &module.needed {
            let on = match &needed.project {
                Project::Path(named) => modules.get(absolute(path, named).as_str()),
                Project::Accessor(words) => {
                    accessed(&accessors, build, words).and_then(|path| modules.get(path))
                }
            };
            if let Some(on) = on {
                graph.modules[module.at].depend(DependsOn::Module(on.at), needed.scope);
                let n_sets = module.sets.len();
                if reader.admit_dependencies(&build.file, n_sets) == n_sets {
                    module.sets.depend(graph, on.sets.main().unwrap_or(on.at), needed.scope);
                }
            }
        }
        module.sets.depend_on_main(graph);
    }
    Ok(())
}

/// Reads the build scripts in `dir`, as far as they describe dependencies and source sets.
fn read_scripts(reader: &mut ManifestReader<'_>, dir: &RelPath) -> Result<Scripts, Stopped> {
    let mut scripts = Scripts::default();
    for script in SCRIPTS {
        let Some(text) = reader.text(&dir.join(script.as_bytes()))? else {
            continue;
        };
        let tokens = tokens(&text, script.ends_with(".kts"));
        scripts.needed.extend(script::needed(&tokens));
        scripts.source_dirs.extend(source_dirs(&tokens));
    }
    Ok(scripts)
}

/// Returns the builds of settings scripts, then of build scripts without a settings script above.
fn builds(reader: &mut ManifestReader<'_>, places: &Places) -> Result<Vec<Build>, Stopped> {
    let mut builds: BTreeMap<RelPath, Build> = BTreeMap::new();
    for script in SETTINGS {
        for dir in places.with(script) {
            let file = dir.join(script.as_bytes());
            let Some(text) = reader.text(&file)? else {
                continue;
            };
            let settings = script::settings(&tokens(&text, script.ends_with(".kts")));
            // Gradle prefers the first of two scripts in one directory.
            if !builds.contains_key(dir) {
                builds.insert(dir.clone(), build(reader, file, dir, settings)?);
            }
        }
    }
    let mut lone: BTreeSet<&RelPath> =
        SCRIPTS.iter().flat_map(|script| places.with(script)).collect();
    lone.retain(|dir| {
        let mut above = std::iter::successors(Some((*dir).clone()), RelPath::parent);
        !above.any(|dir| builds.contains_key(&dir))
    });
    let mut all: Vec<Build> = builds.into_values().collect();
    for dir in lone {
        let file = dir.join(SCRIPTS[0].as_bytes());
        let name = String::from_utf8_lossy(dir.file_name()).into_owned();
        let root_name = Some(name).filter(|name| !name.is_empty());
        let projects = BTreeMap::from([(":".to_owned(), dir.clone())]);
        all.push(Build { file, root: dir.clone(), root_name, projects });
    }
    Ok(all)
}

fn build(
    reader: &mut ManifestReader<'_>,
    file: RelPath,
    root: &RelPath,
    settings: Settings,
) -> Result<Build, Stopped> {
    for problem in &settings.problems {
        reader.problem(&file, problem);
    }
    let mut projects = BTreeMap::from([(":".to_owned(), root.clone())]);
    let dirs: HashMap<String, String> =
        settings.dirs.into_iter().map(|(path, dir)| (absolute(":", &path), dir)).collect();
    for path in settings.included {
        reader.budget.poll()?;
        let path = absolute(":", &path);
        let names = path.split(':').filter(|name| !name.is_empty());
        let default = names.collect::<Vec<_>>().join("/");
        let dir = dirs.get(&path).unwrap_or(&default);
        let Some(dir) = reader.follow(&file, dir) else {
            continue;
        };
        if reader.is_dir(&dir) {
            projects.insert(path, dir);
        } else {
            let shown = path.escape_debug();
            reader.problem(&file, format_args!("the project '{shown}' does not exist"));
        }
    }
    // Parent projects exist without being declared, if their directory has a build script.
    let above: BTreeSet<String> = projects
        .keys()
        .filter_map(|path| path.rsplit_once(':'))
        .map(|(above, _)| above.to_owned())
        .filter(|above| !above.is_empty() && !projects.contains_key(above))
        .collect();
    for path in above {
        reader.budget.poll()?;
        let default = path[1..].replace(':', "/");
        let dir = reader.resolve(root, dirs.get(&path).unwrap_or(&default));
        if let Some(dir) = dir
            && SCRIPTS.iter().any(|script| reader.is_file(&dir.join(script.as_bytes())))
        {
            projects.insert(path, dir);
        }
    }
    Ok(Build { file, root: root.clone(), root_name: settings.root_name, projects })
}

fn module(
    reader: &mut ManifestReader<'_>,
    build: &Build,
    path: &str,
    dir: &RelPath,
) -> Result<Option<LocatedModule>, Stopped> {
    let src = dir.join(b"src");
    let shown;
    let name = if path == ":" {
        match &build.root_name {
            Some(name) => name.as_str(),
            // A root that only contains the other projects.
            None if !reader.is_dir(&src) => return Ok(None),
            None => {
                shown = build.root.display();
                &*shown
            }
        }
    } else {
        &path[1..]
    };
    let Some(name) = reader.name(&build.file, &name.replace(':', ".")).map(str::to_owned) else {
        return Ok(None);
    };
    let mut module = LocatedModule::of_manifest(dir, &name, TestNames::None);
    module.module.is_of_import = true;
    module.module.qualified_name = qualified_name(reader, build, path, &name);
    for built in reader.dirs_named(dir, &["build"]) {
        module.exclude(built);
    }
    Ok(Some(module))
}

/// Returns the name of a project's module in an IDE: that of the build, and the project's path.
fn qualified_name(reader: &ManifestReader<'_>, build: &Build, path: &str, name: &str) -> String {
    let root = match (&build.root_name, build.root.is_root()) {
        (Some(name), _) => name.clone(),
        (None, false) => String::from_utf8_lossy(build.root.file_name()).into_owned(),
        (None, true) => {
            let dir = reader.workspace.root().file_name();
            dir.map_or(String::new(), |name| name.to_string_lossy().into_owned())
        }
    };
    if path == ":" { root } else { format!("{root}.{name}") }
}

/// Resolves the project path `named` relative to the project `from`.
fn absolute(from: &str, named: &str) -> String {
    let above = if named.starts_with(':') { "" } else { from };
    let names = above.split(':').chain(named.split(':')).filter(|name| !name.is_empty());
    let path = names.fold(String::new(), |path, name| path + ":" + name);
    if path.is_empty() { ":".to_owned() } else { path }
}

/// Returns the accessor of a project after `projects.`: its path in camel case.
fn accessor(path: &str) -> String {
    let names = path.split(':').filter(|name| !name.is_empty()).map(|name| {
        let mut parts = name.split(['-', '_', '.', ' ']).filter(|part| !part.is_empty());
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |word, part| {
            let mut rest = part.chars();
            let start = rest.next().into_iter().flat_map(char::to_uppercase);
            word + &start.collect::<String>() + rest.as_str()
        })
    });
    names.collect::<Vec<_>>().join(".")
}

/// Returns the project with the longest matching accessor. The words may begin with the root's name and end
/// with a property.
fn accessed<'p>(
    accessors: &HashMap<String, &'p str>,
    build: &Build,
    words: &[String],
) -> Option<&'p str> {
    let root = build.root_name.as_deref().map(accessor);
    let is_root = words.first() == root.as_ref();
    let longest = |words: &[String]| {
        let mut lengths = (1..=words.len()).rev();
        lengths.find_map(|n| accessors.get(&words[..n].join(".")).copied())
    };
    longest(words).or_else(|| if is_root { longest(&words[1..]) } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (from, named, expected) in [
            (":", "a", ":a"),
            (":", ":a:b", ":a:b"),
            (":a", "b", ":a:b"),
            (":a", ":b", ":b"),
            (":a", ":", ":"),
            (":", "::a::", ":a"),
        ] {
            assert_eq!(absolute(from, named), expected, "{named} in {from}");
        }
        assert_eq!(accessor(":lib-core:my_util.x"), "libCore.myUtilX");
    }
}
