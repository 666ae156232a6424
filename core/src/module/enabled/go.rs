//! Go: modules, workspaces and the vendor directory.

use super::graph::{LocatedModule, MODULES_MAX, ModuleGraph};
use super::installed::go_vendor;
use super::places::Places;
use super::reader::ManifestReader;
use super::{DependencyScope, DependsOn, TestNames};
use crate::budget::Stopped;
use crate::workspace::RelPath;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const FILE: &str = "go.mod";
const WORK_FILE: &str = "go.work";
/// The maximum number of requirements of a file.
const ENTRIES_MAX: usize = 20_000;

/// A parsed `go.mod` or `go.work`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Manifest {
    module: Option<String>,
    /// The paths of required modules.
    required: Vec<String>,
    /// Module paths and the directories that replace them.
    replaced: Vec<(String, String)>,
    /// The directories of a workspace.
    used: Vec<String>,
}

pub(super) fn find(
    reader: &mut ManifestReader<'_>,
    places: &Places,
) -> Result<ModuleGraph, Stopped> {
    let mut todo: BTreeSet<RelPath> = places.with(FILE).iter().cloned().collect();
    let mut works: Vec<(RelPath, Vec<RelPath>)> = Vec::new();
    for dir in places.with(WORK_FILE) {
        let file = dir.join(WORK_FILE.as_bytes());
        if let Some(text) = reader.text(&file)? {
            let used = parse(&text).used;
            let used: Vec<_> = used.iter().filter_map(|path| reader.follow(&file, path)).collect();
            todo.extend(used.iter().cloned());
            works.push((dir.clone(), used));
        }
    }
    let manifests = read_all(reader, todo)?;
    let mut graph = ModuleGraph::default();
    let mut places: BTreeMap<&RelPath, usize> = BTreeMap::new();
    let mut by_path: HashMap<&str, usize> = HashMap::new();
    for (dir, manifest) in &manifests {
        let file = dir.join(FILE.as_bytes());
        let path = manifest.module.as_deref().unwrap_or_default();
        let Some(name) = reader.name(&file, path) else {
            continue;
        };
        places.insert(dir, graph.modules.len());
        by_path.entry(path).or_insert(graph.modules.len());
        let mut module = LocatedModule::of_manifest(dir, name, TestNames::Go);
        module.add_source(dir.clone(), false);
        graph.modules.push(module);
    }
    for (dir, &at) in &places {
        reader.budget.poll()?;
        for on in required(reader, dir, &manifests[*dir], &places, &by_path) {
            graph.modules[at].depend(DependsOn::Module(on), DependencyScope::Compile);
        }
        if let Some(vendor) = go_vendor(reader, dir)? {
            graph.modules[at].exclude(vendor.dir);
            let library = DependsOn::Library(graph.libraries.len());
            graph.modules[at].depend(library, DependencyScope::Compile);
            graph.libraries.push(vendor.library);
        }
    }
    for (dir, used) in works.iter().filter(|(dir, _)| !places.contains_key(dir)) {
        if let Some(vendor) = go_vendor(reader, dir)? {
            let library = DependsOn::Library(graph.libraries.len());
            for &at in used.iter().filter_map(|dir| places.get(dir)) {
                graph.modules[at].depend(library, DependencyScope::Compile);
            }
            graph.libraries.push(vendor.library);
        }
    }
    Ok(graph)
}

/// Reads the manifests in the directories and in those that replace modules.
fn read_all(
    reader: &mut ManifestReader<'_>,
    mut todo: BTreeSet<RelPath>,
) -> Result<BTreeMap<RelPath, Manifest>, Stopped> {
    let mut manifests = BTreeMap::new();
    let mut seen = todo.clone();
    while let Some(dir) = todo.pop_first() {
        let file = dir.join(FILE.as_bytes());
        let Some(text) = reader.text(&file)? else {
            continue;
        };
        if manifests.len() == MODULES_MAX {
            reader.problem(&file, format_args!("more than {MODULES_MAX} modules"));
            break;
        }
        let manifest = parse(&text);
        for (_, path) in &manifest.replaced {
            if let Some(dir) = reader.resolve(&dir, path)
                && seen.len() < MODULES_MAX
                && seen.insert(dir.clone())
            {
                todo.insert(dir);
            }
        }
        manifests.insert(dir, manifest);
    }
    Ok(manifests)
}

/// Returns the modules of the tree that a module requires.
fn required(
    reader: &ManifestReader<'_>,
    dir: &RelPath,
    manifest: &Manifest,
    places: &BTreeMap<&RelPath, usize>,
    by_path: &HashMap<&str, usize>,
) -> Vec<usize> {
    let replaced = manifest.replaced.iter().filter_map(|(path, target)| {
        Some((path.as_str(), places.get(&reader.resolve(dir, target)?).copied()?))
    });
    let replaced: HashMap<&str, usize> = replaced.collect();
    let required = manifest.required.iter().map(String::as_str);
    required.filter_map(|path| replaced.get(path).or_else(|| by_path.get(path)).copied()).collect()
}

fn parse(text: &str) -> Manifest {
    let mut manifest = Manifest::default();
    let mut block: Option<String> = None;
    for line in text.lines() {
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match (&block, words.as_slice()) {
            (Some(_), [")"]) => block = None,
            (Some(verb), words) => manifest.take(verb, words),
            (None, [verb, "("]) => block = Some((*verb).to_owned()),
            (None, [verb, words @ ..]) => manifest.take(verb, words),
            (None, []) => {}
        }
    }
    manifest
}

impl Manifest {
    fn take(&mut self, verb: &str, words: &[&str]) {
        match (verb, words) {
            ("module", [path]) => self.module = Some((*path).to_owned()),
            ("require", [path, _version]) if self.required.len() < ENTRIES_MAX => {
                self.required.push((*path).to_owned());
            }
            ("use", [path]) if self.used.len() < ENTRIES_MAX => self.used.push((*path).to_owned()),
            ("replace", [path, "=>", target] | [path, _, "=>", target])
                if is_local(target) && self.replaced.len() < ENTRIES_MAX =>
            {
                self.replaced.push(((*path).to_owned(), (*target).to_owned()));
            }
            _ => {}
        }
    }
}

/// Returns whether a replacement is a directory rather than a module from elsewhere.
fn is_local(target: &str) -> bool {
    matches!(target, "." | "..") || ["./", "../", "/"].iter().any(|start| target.starts_with(start))
}

/// Splits a line into words, without its comment. Parentheses are words; quotes delimit one.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next().filter(|_| !rest.starts_with("//")) else {
            return words;
        };
        let (word, after) = match first {
            '"' | '`' => {
                let quoted = &rest[1..];
                quoted.split_once(first).unwrap_or((quoted, ""))
            }
            '(' | ')' => rest.split_at(1),
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
                let end = end.unwrap_or(rest.len());
                rest.split_at(rest[..end].find("//").filter(|&at| at > 0).unwrap_or(end))
            }
        };
        words.push(word.to_owned());
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn manifests() {
        let text = "// a comment\r\nmodule \"a.org/m\" // more\r\n\r\ngo 1.22\r\n\
                    require a.org/one v1.0.0 // indirect\r\nrequire (\r\n\ta.org/two v2.0.0\r\n\
                    \t`a.org/three` v3.0.0//x\r\n)\r\nreplace a.org/one => ./one\r\n\
                    replace (\n a.org/two v2.0.0 => ../two\n a.org/x => b.org/x v1.0.0\n)\n\
                    exclude a.org/y v1.0.0\nuse ./x\nuse (\n\t.\n\t./y\n)\n";
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let replaced =
            [("a.org/one", "./one"), ("a.org/two", "../two")].map(|(a, b)| (a.into(), b.into()));
        assert_eq!(
            parse(text),
            Manifest {
                module: Some("a.org/m".to_owned()),
                required: owned(&["a.org/one", "a.org/two", "a.org/three"]),
                replaced: replaced.to_vec(),
                used: owned(&["./x", ".", "./y"]),
            }
        );
        assert_eq!(parse("module (\n\ta.org/m\n)\n").module.as_deref(), Some("a.org/m"));
        assert_eq!(
            parse("require (\n a v1\n"),
            Manifest { required: owned(&["a"]), ..Default::default() }
        );
        assert_eq!(
            parse("module \"open\nmodule"),
            Manifest { module: Some("open".into()), ..Default::default() }
        );
    }

    proptest! {
        #[test]
        fn any_text_is_handled(text in "[ -~\n\"`()/=>ä]{0,200}") {
            let _: Manifest = parse(&text);
        }
    }
}
