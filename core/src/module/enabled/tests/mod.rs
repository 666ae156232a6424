//! Discovery on whole trees: their manifests and the modules found.

mod bounds;
mod cargo;
mod go;
mod idea;
mod jvm;
mod layouts;
mod npm;
mod python;

use super::{ContentRoot, Dependency, DependencyScope, DependsOn, Library, LibraryNames, Module};
use super::{Modules, TestNames};
use crate::budget::Budget;
use crate::call::Call;
use crate::tests::tree;
use crate::workspace::{RelPath, Workspace, WorkspaceOptions};
use proptest::prelude::*;
use std::path::Path;
use std::time::Duration;

fn discover(dir: &Path) -> Modules {
    let workspace = Workspace::open(dir).expect("opened");
    let budget = Budget::of(&Call::new());
    Modules::discover(&workspace, &budget).expect("not stopped")
}

/// Returns the modules found in a tree of these files, one per line, then the problems.
fn found<P: AsRef<str>, C: AsRef<[u8]>>(files: &[(P, C)]) -> Vec<String> {
    shown(&discover(tree(files).path()))
}

#[track_caller]
fn assert_found(found: &[String], expected: &[&str]) {
    assert!(found == expected, "found:\n{}\nexpected:\n{}", found.join("\n"), expected.join("\n"));
}

/// Returns a line for each module: `name {groups} root: +source -test ~excluded (tests) > dependencies`, for
/// each library: `library name: classes / sources`, and for each problem: `! problem`.
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

#[test]
fn the_order_of_files_and_listings_has_no_effect() {
    let mut files = vec![
        ("package.json".to_owned(), "{\"name\": \"r\", \"workspaces\": [\"p/*\"]}".to_owned()),
        ("go.work".to_owned(), "use ./p/1\nuse ./p/2\n".to_owned()),
    ];
    for n in 0..20 {
        let on = (n + 1) % 20;
        files.push((format!("p/{n}/go.mod"), format!("module m{n}\nrequire m{on} v1\n")));
        let json =
            format!("{{\"name\": \"same\", \"dependencies\": {{\"r\": \"1\", \"m{on}\": \"1\"}}}}");
        files.push((format!("p/{n}/package.json"), json));
        files.push((format!("p/{n}/Cargo.toml"), format!("[package]\nname = \"c{n}\"\n")));
        files.push((format!("p/{n}/node_modules/x/y"), String::new()));
    }
    let first = found(&files);
    assert!(first.len() > 60, "{first:#?}");
    files.reverse();
    assert_eq!(found(&files), first);
    let third = files.len() / 3;
    files.rotate_left(third);
    assert_eq!(found(&files), first);
}

#[test]
fn denied_manifests_are_absent() {
    let dir = tree(&[
        ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
        ("b/Cargo.toml", "[package]\nname = \"b\"\n"),
        ("c/package.json", "{\"name\": \"c\"}"),
        ("node_modules/x/y", ""),
        (".idea/modules.xml", "<project/>"),
    ]);
    let deny = ["/a/", "/c/package.json", "node_modules", ".idea/"].map(str::to_owned).to_vec();
    let options = WorkspaceOptions { deny, ..Default::default() };
    let workspace = options.open(dir.path()).expect("opened");
    let budget = Budget::of(&Call::new());
    let modules = Modules::discover(&workspace, &budget).expect("not stopped");
    assert_found(&shown(&modules), &["b b:"]);
}

#[test]
fn a_deadline_or_a_cancelled_token_stops() {
    let dir = tree(&[("Cargo.toml", "[package]\nname = \"a\"\n")]);
    let workspace = Workspace::open(dir.path()).expect("opened");
    let passed = Budget::of(&Call::new().with_timeout(Duration::ZERO));
    assert!(passed.poll_clock().is_err());
    assert!(Modules::discover(&workspace, &passed).is_err());
    let call = Call::new();
    call.cancel_token().cancel();
    assert!(Modules::discover(&workspace, &Budget::of(&call)).is_err());
}

#[test]
fn problems_are_bounded_in_number_and_length() {
    let files: Vec<_> = (0..150).map(|n| (format!("{n:03}/go.mod"), "")).collect();
    let all = found(&files);
    assert_eq!(all.len(), 101);
    assert_eq!(all[100], "! 50 more problems are not listed");
    let long = found(&[("go.mod", format!("module {}", "ä".repeat(5_000)))]);
    assert!(long.len() == 1 && (500..520).contains(&long[0].len()), "{long:?}");
}

fn assert_parses_anything(name: &str, bytes: &[u8]) {
    let dir = tree(&[(name, bytes)]);
    let modules = discover(dir.path());
    assert!(modules.modules.len() <= 1, "{modules:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_bytes_are_handled(
        which in 0_usize..MANIFESTS.len(),
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
    ) {
        assert_parses_anything(MANIFESTS[which], &bytes);
    }

    #[test]
    fn any_text_is_handled(which in 0_usize..MANIFESTS.len(), text in "[a-c:=\"'{}\\[\\]\\-\n #.,*&!|>?%@`(<)/]{0,120}") {
        assert_parses_anything(MANIFESTS[which], text.as_bytes());
    }
}

const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "pnpm-workspace.yaml",
    "go.mod",
    "go.work",
    "pom.xml",
    "settings.gradle",
    "build.gradle.kts",
    "pyproject.toml",
    ".idea/modules.xml",
    "vendor/modules.txt",
    "composer.json",
    "a.csproj",
    "a.sln",
    "a.slnx",
    "setup.py",
    "setup.cfg",
    "a.gemspec",
];
