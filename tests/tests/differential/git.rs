//! Random ignore files: the engine must ignore the same files as git.

use crate::engine::Engine;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use searchscope_tests::skip;
use searchscope_tests::tree::Tree;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Number of trees compared in one run.
const TREES: usize = 150;

/// Files of every tree, with names short enough for random patterns to match.
const FILES: &[&str] = &[
    "a",
    "b.c",
    "ab",
    "a.b",
    "c/a",
    "c/b.c",
    "c/a.b",
    "c/c/a",
    "c/c/b",
    "c/c/c/a.b",
    "ba/a",
    "ba/c/b",
    "a.c/a",
    "a.c/b/c",
    "[a]",
    "{a,b}",
    "b c",
    "b!/a",
    "#a",
    "!a",
];

/// Parts of patterns. `**` occurs only between slashes: elsewhere implementations differ.
const PIECES: &[&str] = &[
    "a",
    "b",
    "c",
    ".",
    "*",
    "?",
    "[ab]",
    "[!a]",
    "[^bc]",
    "[a-c]",
    "\\a",
    "{a,b}",
    "[[:alpha:]]",
    "ab",
    "\\*",
    " c",
    "[]a]",
];

pub(crate) fn compare_random_trees() {
    if Command::new("git").arg("--version").output().is_err() {
        skip("the comparison with git", "no git");
        return;
    }
    let mut runner = TestRunner::deterministic();
    let ignore_files = vec(ignore_file(), 1..4);
    for n in 0..TREES {
        let rules = ignore_files.new_tree(&mut runner).expect("nothing is filtered").current();
        compare(n, &rules);
    }
}

/// Draws an ignore file of the root or of a directory: its location and its lines.
fn ignore_file() -> impl Strategy<Value = (&'static str, Vec<String>)> {
    (select(vec!["", "c/", "c/c/", "ba/"]), vec(line(), 1..6))
}

fn line() -> impl Strategy<Value = String> {
    let segment = vec(select(PIECES.to_vec()), 1..4).prop_map(|pieces| pieces.concat());
    let segment = prop_oneof![6 => segment, 1 => Just("**".to_owned())];
    let mark = select(vec!["", "", "", "!", "/", "!/"]);
    let end = select(vec!["", "", "", "/"]);
    (mark, vec(segment, 1..4), end)
        .prop_map(|(mark, path, end)| format!("{mark}{}{end}", path.join("/")))
}

fn compare(n: usize, rules: &[(&str, Vec<String>)]) {
    let tree = Tree::of(&FILES.iter().map(|path| (*path, "")).collect::<Vec<_>>());
    git(tree.root(), &["init", "--quiet"]);
    for (directory, lines) in rules {
        tree.write(&format!("{directory}.gitignore"), lines.join("\n") + "\n");
    }
    let listed = git(tree.root(), &["ls-files", "--others", "--exclude-standard", "-z"]);
    let listed = String::from_utf8(listed).expect("the names are UTF-8");
    // As in ripgrep, a rule such as `!*` includes hidden names, `.git` among them; git has no such rule.
    let is_shown = |path: &&str| {
        !path.is_empty() && !path.starts_with(".git/") && !path.contains(".gitignore")
    };
    let theirs: BTreeSet<String> = listed.split('\0').filter(is_shown).map(str::to_owned).collect();
    let ours = Engine::open(tree.root()).find("*");
    let ours: BTreeSet<String> = ours.into_iter().filter(|path| is_shown(&path.as_str())).collect();
    let difference: Vec<_> = ours.symmetric_difference(&theirs).collect();
    assert!(difference.is_empty(), "tree {n}, rules {rules:?}: {difference:?} (ours: {ours:?})");
}

/// Runs git without the settings of the user and of the machine.
fn git(root: &Path, args: &[&str]) -> Vec<u8> {
    let output = Command::new("git")
        .current_dir(root)
        .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "")])
        .env_remove("GIT_DIR")
        .env("HOME", root)
        .env("XDG_CONFIG_HOME", root)
        .args(args)
        .output()
        .expect("it just printed its version");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}
