//! Whole trees: what modules they have, by what describes them.

mod cargo;
mod go;
mod idea;
mod jvm;
mod npm;
mod python;

use super::{ContentRoot, Dependency, DependencyScope, DependsOn, Library, LibraryNames, Module};
use super::{Modules, TestNames};
use crate::budget::{Budget, CancelToken};
use crate::tests::tree;
use crate::workspace::{RelPath, Workspace};
use std::path::Path;

fn discover(dir: &Path) -> Modules {
    let workspace = Workspace::open(dir, &Default::default()).expect("opened");
    let budget = Budget::new(None, &CancelToken::new());
    Modules::discover(&workspace, &budget).expect("not stopped")
}

/// What is found in a tree of these files, a line each, then the problems.
fn found<P: AsRef<str>, C: AsRef<[u8]>>(files: &[(P, C)]) -> Vec<String> {
    shown(&discover(tree(files).path()))
}

#[track_caller]
fn assert_found(found: &[String], expected: &[&str]) {
    assert!(found == expected, "found:\n{}\nexpected:\n{}", found.join("\n"), expected.join("\n"));
}

/// A line for each module: `name {groups} root: +source -test ~excluded (tests) > dependencies`,
/// for each library: `library name: classes / sources`, and for each problem: `! problem`.
fn shown(modules: &Modules) -> Vec<String> {
    let mut lines: Vec<String> =
        modules.modules.iter().map(|module| shown_module(modules, module)).collect();
    for library in &modules.libraries {
        let join = |paths: &[RelPath]| {
            paths.iter().map(|path| path.display().into_owned()).collect::<Vec<_>>().join(" ")
        };
        let (classes, sources) = (join(&library.classes), join(&library.sources));
        lines.push(format!("library {}: {classes} / {sources}", shown_names(library)));
    }
    lines.extend(modules.problems.iter().map(|problem| format!("! {problem}")));
    lines
}

fn shown_names(library: &Library) -> String {
    match &library.names {
        LibraryNames::One(name) => name.clone(),
        LibraryNames::GoVendor(paths) => format!("GoVendor({})", paths.join(" ")),
        LibraryNames::NodeModules => "NodeModules".to_owned(),
        LibraryNames::Entries => "Entries".to_owned(),
    }
}

fn shown_module(modules: &Modules, module: &Module) -> String {
    let mut line = module.name.clone();
    if !module.group.is_empty() {
        line += &format!(" {{{}}}", module.group.join(" "));
    }
    module.content.iter().for_each(|content| line += &shown_content(content));
    if module.test_names != TestNames::None {
        line += &format!(" ({:?})", module.test_names);
    }
    for (n, dependency) in module.dependencies.iter().enumerate() {
        line += if n == 0 { " > " } else { ", " };
        line += &shown_dependency(modules, dependency);
    }
    line
}

fn shown_content(content: &ContentRoot) -> String {
    let mut text = format!(" {}:", content.path.display());
    for source in &content.sources {
        let mark = if source.is_test { '-' } else { '+' };
        text += &format!(" {mark}{}", source.path.display());
        if source.is_generated {
            text += " generated";
        }
        if !source.package_prefix.is_empty() {
            text += &format!(" of {}", source.package_prefix);
        }
    }
    content.excluded.iter().for_each(|path| text += &format!(" ~{}", path.display()));
    content.exclude_patterns.iter().for_each(|pattern| text += &format!(" ~'{pattern}'"));
    text
}

fn shown_dependency(modules: &Modules, dependency: &Dependency) -> String {
    let mut text = match dependency.on {
        DependsOn::Module(at) => modules.modules[at].name.clone(),
        DependsOn::Library(at) => {
            let library = &modules.libraries[at];
            let root = library.classes.iter().chain(&library.sources).next();
            let root = root.map(|root| root.display().into_owned());
            format!("<{} {}>", shown_names(library), root.unwrap_or_default())
        }
    };
    if dependency.scope != DependencyScope::Compile {
        text += &format!(" {:?}", dependency.scope).to_lowercase();
    }
    if dependency.is_exported {
        text += " exported";
    }
    text
}
