//! The repository around the code: manifests, dependencies, documents, the error table.
#![expect(clippy::disallowed_types, reason = "cargo is asked which packages a build has")]

use crate::assert_none;
use crate::source::{Source, files, read};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, PackageId};
use searchscope::ErrorKind;
use searchscope_tests::repository;
use std::collections::{BTreeSet, HashMap, HashSet};
use toml::Value;

/// Async runtimes. None may become a dependency of the engine, even an indirect one.
const ASYNC_RUNTIMES: &[&str] = &[
    "actix-rt",
    "async-executor",
    "async-global-executor",
    "async-io",
    "async-std",
    "bastion-executor",
    "embassy-executor",
    "futures",
    "futures-executor",
    "glommio",
    "mio",
    "monoio",
    "polling",
    "smol",
    "tokio",
];

/// Files that a repository of this kind has at its top; one of the names in each line.
const DOCUMENTS: &[&[&str]] = &[
    &["README.md"],
    &["CHANGELOG.md"],
    &["ARCHITECTURE.md"],
    &["CONTRIBUTING.md"],
    &["DESIGN.md"],
    &["SECURITY.md"],
    &["LICENSE", "LICENSE-MIT"],
    &["LICENSE", "LICENSE-APACHE"],
];

#[test]
fn no_profile_aborts_on_panic() {
    let is_setting = |path: &String| {
        path.ends_with("Cargo.toml")
            || path.ends_with(".cargo/config.toml")
            || path.ends_with(".cargo/config")
    };
    let settings: Vec<String> = files("").into_iter().filter(is_setting).collect();
    assert!(settings.len() > 3, "there are more manifests than {settings:?}");
    let offences: Vec<String> =
        settings.iter().flat_map(|path| abort_offences(&read(path))).collect();
    assert_none(&offences);
}

#[test]
fn an_aborting_profile_is_found() {
    let bad = [
        "[profile.release]\npanic = \"abort\"",
        "[profile.dist]\ninherits = \"release\"\npanic = 'abort'",
        "[build]\nrustflags = [\"-C\", \"panic=abort\"]",
        "[target.x86_64-unknown-linux-gnu]\nrustflags = \"-Cpanic=abort\"",
    ];
    for text in bad {
        assert_eq!(abort_offences(&Source::new("Cargo.toml", text)).len(), 1, "{text}");
    }
    assert_none(&abort_offences(&Source::new(
        "Cargo.toml",
        "[profile.release]\npanic = \"unwind\"",
    )));
}

fn abort_offences(source: &Source) -> Vec<String> {
    let table: toml::Table =
        source.text.parse().unwrap_or_else(|error| panic!("{}: {error}", source.path));
    fn aborts(key: &str, value: &Value) -> bool {
        match value {
            Value::String(text) => {
                (key == "panic" && text == "abort") || text.contains("panic=abort")
            }
            Value::Array(values) => values.iter().any(|value| aborts(key, value)),
            Value::Table(table) => table.iter().any(|(key, value)| aborts(key, value)),
            _ => false,
        }
    }
    let offence = || format!("{}: panics must unwind", source.path);
    aborts("", &Value::Table(table)).then(offence).into_iter().collect()
}

#[test]
fn no_async_runtime_is_in_the_engine() {
    let metadata =
        MetadataCommand::new().manifest_path(repository().join("core/Cargo.toml")).exec();
    let names = dependencies(&metadata.expect("cargo describes the workspace"), "searchscope");
    assert!(names.contains("regex-automata"), "these are not its dependencies: {names:?}");
    assert_none(&runtime_offences(&names));
}

#[test]
fn an_async_runtime_is_found() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    assert_none(&runtime_offences(&names(&["rayon", "memchr"])));
    assert_eq!(runtime_offences(&names(&["rayon", "tokio", "futures-executor"])).len(), 2);
}

fn runtime_offences(names: &BTreeSet<String>) -> Vec<String> {
    let found = names.iter().filter(|name| ASYNC_RUNTIMES.contains(&name.as_str()));
    found.map(|name| format!("the engine depends on {name}")).collect()
}

/// Returns the dependencies of a package of the workspace at run time, direct and indirect.
fn dependencies(metadata: &Metadata, package: &str) -> BTreeSet<String> {
    let resolve = metadata.resolve.as_ref().expect("metadata with dependencies");
    let nodes: HashMap<&PackageId, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let name_of = |id: &PackageId| metadata[id].name.to_string();
    let start = metadata.workspace_members.iter().find(|id| name_of(id) == package);
    let mut waiting = vec![start.expect("the package is a member")];
    let mut seen = HashSet::new();
    while let Some(id) = waiting.pop() {
        let needed = nodes[id].deps.iter().filter(|dependency| {
            dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal)
        });
        waiting.extend(needed.map(|dependency| &dependency.pkg).filter(|id| seen.insert(*id)));
    }
    seen.into_iter().map(name_of).collect()
}

/// The packages that a build of the engine on Linux compiles, with itself, procedural macros and build
/// dependencies: without features, and with each of those that bring some. Raise a number only for a dependency
/// that earns it; the first stays below 60.
const PACKAGES_MAX: &[(&str, usize)] =
    &[("", 50), ("git", 53), ("modules", 72), ("git,modules", 75)];

#[test]
fn the_engine_without_grammars_has_few_dependencies() {
    for (features, max) in PACKAGES_MAX {
        let packages = compiled_packages(features);
        assert!(packages.iter().any(|name| name.starts_with("regex-automata ")), "{packages:?}");
        let n_packages = packages.len();
        assert!(n_packages <= *max, "features {features:?}: {n_packages} of {max}: {packages:#?}");
    }
}

fn compiled_packages(features: &str) -> BTreeSet<String> {
    let engine = ["--package", "searchscope", "--no-default-features", "--features", features];
    let tree = cargo_tree(&[&engine[..], &["--edges", "normal,build"]].concat());
    let name = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    tree.lines().filter(|line| !line.is_empty()).map(name).collect()
}

/// The native part for the tests and the tests themselves compile each package once, which takes minutes: the
/// packages of the first build have the same features in the second.
#[test]
fn the_tests_use_the_engine_of_their_native_part() {
    let with_features = ["--no-dedupe", "--format", "{p}|{f}", "--edges"];
    let native =
        ["-p", "searchscope-node", "-p", "searchscope-launcher", "-p", "searchscope-tests"];
    let build = cargo_tree(&[&native[..], &with_features, &["normal,build"]].concat());
    let tests = cargo_tree(&[&["--workspace"], &with_features[..], &["all"]].concat());
    let tests: HashSet<&str> = tests.lines().collect();
    let engine = build.lines().filter(|line| line.starts_with("searchscope v"));
    assert!(engine.count() > 0, "the build has an engine: {build}");
    let others: BTreeSet<&str> = build.lines().filter(|line| !tests.contains(line)).collect();
    let offence = |line| format!("tests/Cargo.toml: other features in the tests: {line}");
    assert_none(&others.into_iter().map(offence).collect::<Vec<_>>());
}

/// Returns what `cargo tree` prints on Linux, without indentation.
fn cargo_tree(args: &[&str]) -> String {
    let tree = std::process::Command::new(env!("CARGO"))
        .current_dir(repository())
        .args(["tree", "--locked", "--target", "x86_64-unknown-linux-gnu", "--prefix", "none"])
        .args(args)
        .output()
        .expect("cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    String::from_utf8(tree.stdout).expect("names are text")
}

#[test]
fn the_documents_exist_and_are_not_empty() {
    let is_there =
        |name: &&&str| repository().join(name).metadata().is_ok_and(|file| file.len() > 100);
    let missing = DOCUMENTS.iter().filter(|names| !names.iter().any(|name| is_there(&name)));
    assert_none(&missing.map(|names| format!("no {}", names.join(" or "))).collect::<Vec<_>>());
}

#[test]
fn all_packages_have_one_version() {
    let manifest: toml::Table = read("Cargo.toml").text.parse().expect("Cargo.toml is TOML");
    let cargo = manifest["workspace"]["package"]["version"].as_str();
    assert!(cargo.is_some());
    for path in ["package.json", "server/package.json"] {
        let npm: serde_json::Value =
            serde_json::from_str(&read(path).text).expect("the manifest is JSON");
        assert_eq!(npm["version"].as_str(), cargo, "{path}");
    }
    let requirement =
        format!("\nrequire github.com/searchscope/searchscope/go v{}\n", cargo.unwrap_or_default());
    for path in ["examples/go/go.mod", "tests/go/go.mod"] {
        assert!(
            read(path).text.contains(&requirement),
            "{path} requires the version of Cargo.toml"
        );
    }
}

#[test]
fn the_error_table_has_no_duplicates() {
    let table = ErrorKind::ALL.iter().map(|kind| (kind.code(), kind.number()));
    assert_none(&table_offences(&table.collect::<Vec<_>>()));
}

#[test]
fn a_duplicate_in_the_error_table_is_found() {
    assert_none(&table_offences(&[("a", 1), ("b_c", 2)]));
    assert_eq!(table_offences(&[("a", 1), ("a", 2)]).len(), 1);
    assert_eq!(table_offences(&[("a", 1), ("b", 1)]).len(), 1);
    assert_eq!(table_offences(&[("a", 0)]).len(), 1);
    assert_eq!(table_offences(&[("Not stable!", 3)]).len(), 1);
}

fn table_offences(table: &[(&str, i32)]) -> Vec<String> {
    let (mut codes, mut numbers, mut offences) = (HashSet::new(), HashSet::new(), Vec::new());
    for &(code, number) in table {
        let is_word = code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        if !codes.insert(code) || !numbers.insert(number) || number <= 0 || !is_word {
            offences.push(format!("{code} = {number}"));
        }
    }
    offences
}

#[test]
fn no_file_contains_a_local_path() {
    let offences: Vec<String> =
        files("").iter().flat_map(|path| home_offences(&read(path))).collect();
    assert_none(&offences);
}

#[test]
fn a_local_path_is_found() {
    let of = |text: &str| home_offences(&Source::new("x", text)).len();
    let homes = [
        concat!("/ho", "me/ann/x"),
        concat!("/Us", "ers/ann/x"),
        concat!("C:\\Us", "ers\\ann"),
        concat!("/ro", "ot/.x"),
    ];
    for home in homes {
        assert_eq!(of(&format!("see {home} there")), 1, "{home}");
        assert_eq!(of(&format!("path=\"{home}\"")), 1, "{home}");
    }
    assert_eq!(of("a/home/b, src/root/c, /usr/bin, $HOME/x, ~/x"), 0);
}

fn home_offences(source: &Source) -> Vec<String> {
    // Split in two, so that this file is not an offence itself.
    let homes = [
        concat!("/ho", "me/"),
        concat!("/Us", "ers/"),
        concat!("\\Us", "ers\\"),
        concat!("/ro", "ot/"),
    ];
    let names_home = |line: &&str| {
        homes.iter().any(|home| {
            line.match_indices(home).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                before.is_none_or(|before| {
                    !(before.is_alphanumeric() || "/._-~>)}⟩".contains(before))
                })
            })
        })
    };
    let lines = source.text.lines().enumerate();
    let offences = lines.filter(|(_, line)| names_home(line));
    offences.map(|(n, line)| format!("{}:{}: {}", source.path, n + 1, line.trim())).collect()
}
