//! The licences of the packages that the published binaries contain.
#![expect(clippy::disallowed_types, reason = "cargo is asked which packages a binary has")]

use crate::assert_none;
use crate::source::read;
use searchscope_tests::repository;
use std::collections::BTreeSet;

/// The line between two licences in the notices.
const RULE: &str =
    "================================================================================";

/// The shortest licence text in use has more characters.
const TEXT_CHARS_MIN: usize = 400;

#[test]
fn every_package_in_a_binary_has_its_licence_in_the_notices() {
    let notices = read("THIRD_PARTY_NOTICES").text;
    let needed = needed();
    assert!(needed.iter().any(|name| name.starts_with("tree-sitter-rust ")), "{needed:?}");
    assert!(needed.len() > 80, "{needed:?}");
    assert_none(&offences(&notices, &needed));
}

#[test]
fn the_targets_of_the_notices_are_the_published_ones() {
    let platforms = read("node/platforms.js").text;
    let published = platforms.split("target: '").skip(1).filter_map(|rest| rest.split('\'').next());
    assert_eq!(published.collect::<Vec<_>>(), targets());
}

#[test]
fn a_missing_licence_is_found() {
    let text = "Permission is granted. ".repeat(20);
    let needed: BTreeSet<String> = ["a 1.0.0", "b 2.0.0"].map(str::to_owned).into();
    let notices =
        |packages: &str, text: &str| format!("About\n{RULE}\nMIT\n\n{packages}\n\n{text}");
    let of = |packages, text| offences(&notices(packages, text), &needed).len();
    assert_eq!(of("- a 1.0.0\n- b 2.0.0 <https://example.org>", &text), 0);
    assert_eq!(of("- a 1.0.0", &text), 1, "a package is missing");
    assert_eq!(of("- a 1.0.0\n- b 2.0.1", &text), 1, "another version");
    assert_eq!(of("- a 1.0.0\n- b 2.0.0", "MIT"), 1, "no text");
}

/// Returns the packages of all published binaries, as "name version".
///
/// `cargo tree` selects features as a build of these packages does; `cargo metadata` adds those that
/// only the tests of the workspace need.
fn needed() -> BTreeSet<String> {
    let mut needed = BTreeSet::new();
    for target in targets() {
        let tree = std::process::Command::new(env!("CARGO"))
            .current_dir(repository())
            .args(["tree", "--locked", "--edges", "normal", "--prefix", "none"])
            .args(["--package", "searchscope-node", "--package", "searchscope-ffi"])
            .args(["--package", "searchscope-cli", "--package", "searchscope-launcher"])
            .args(["--format", "{p}", "--target", &target])
            .output()
            .expect("cargo runs");
        assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
        let tree = String::from_utf8(tree.stdout).expect("names are text");
        needed.extend(tree.lines().filter_map(foreign_package));
    }
    needed
}

/// Returns the name and version in a line of `cargo tree`; `None` for a package of this repository.
fn foreign_package(line: &str) -> Option<String> {
    let mut words = line.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    let is_own =
        words.any(|word| word.starts_with('(') && word.contains(std::path::MAIN_SEPARATOR));
    (!is_own).then(|| format!("{name} {version}"))
}

/// Returns the targets that the notices cover.
fn targets() -> Vec<String> {
    let settings: toml::Table = read("about.toml").text.parse().expect("about.toml is TOML");
    let targets = settings["targets"].as_array().expect("a list of targets");
    targets.iter().map(|target| target.as_str().expect("a target").to_owned()).collect()
}

/// Returns the packages that are needed and not listed, and the licences without a text. An unneeded
/// package in the list is harmless.
fn offences(notices: &str, needed: &BTreeSet<String>) -> Vec<String> {
    let (mut listed, mut offences) = (BTreeSet::new(), Vec::new());
    for section in notices.split(RULE).skip(1) {
        let section = section.trim_start();
        let (title, rest) = section.split_once('\n').unwrap_or((section, ""));
        let is_package = |line: &&str| line.starts_with("- ") || line.is_empty();
        let packages =
            rest.lines().take_while(is_package).filter_map(|line| line.strip_prefix("- "));
        listed.extend(packages.map(|line| line.split(" <").next().unwrap_or(line).to_owned()));
        let text: String = rest.lines().skip_while(is_package).collect();
        if text.chars().count() < TEXT_CHARS_MIN {
            offences.push(format!("{title}: the text is missing"));
        }
    }
    let advice = "run \"npm run notices\"";
    offences.extend(needed.difference(&listed).map(|it| format!("{it} is missing: {advice}")));
    offences
}

#[test]
fn the_packages_of_the_vectors_are_in_the_notices() {
    let notices = read("THIRD_PARTY_NOTICES").text;
    let packages = read("bench/vectors/packages.txt").text;
    assert!(packages.lines().count() > 1_000);
    for line in packages.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [registry, name, version, licence] = fields[..] else { panic!("{line}") };
        assert!(!licence.is_empty(), "{line}");
        let listed = format!("\n- {registry}: {name} {version} ({licence})\n");
        assert!(notices.contains(&listed), "{line}: run \"npm run notices\"");
    }
}
