//! The engine compared with ripgrep, fd and git, if they are installed, on real trees and on the cases.
//!
//! ripgrep has another order, so sets are compared. Deliberate differences are listed here; the test
//! also fails if a listed difference no longer occurs.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests start the other programs and copy real trees"
)]

mod dice;
mod engine;
mod git;
mod odd_trees;
mod peers;
mod stage_options;
mod stages;
mod trees;

use engine::{Engine, Hits};
use peers::Ripgrep;
use searchscope_tests::case::{Case, WorkspaceCases, load};
use searchscope_tests::tree::Tree;
use searchscope_tests::{repository, say, skip};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Queries for real trees, and whether each is a regex. All have few matches.
const QUERIES: &[(&str, bool)] = &[
    ("catch_unwind(", false),
    ("FIXME", false),
    ("é", false),
    ("$(", false),
    (r"^\s*unsafe impl<\w+> Send", true),
    (r"\bmutex_?lock\b", true),
    (r"(?i)^.{0,3}copyright \(c\) \d{4}", true),
    (r"\p{Greek}{2,}", true),
    (r"[0-9a-f]{41,}$", true),
    (r"(goto|break|continue) (out|'outer)\b.*;$", true),
];

/// A NUL within this prefix makes the whole file binary.
const BINARY_HEAD: usize = 64 << 10;

const NAMES: &[&str] =
    &["*.toml", "lib.rs", "*[0-9]*.c", "{README,LICENSE}*", "?*.{md,txt}", "Kconfig", "*a*b*c*"];

const PATHS: &[&str] =
    &["**/src/*.rs", "*/src/**/mod.rs", "**/tests/**", "kernel/*.c", "**/*-*/?[a-m]*/*.h"];

#[test]
fn unpacked_crates_equal_ripgrep_and_fd() {
    match trees::unpacked_crates() {
        Some(root) => compare_tree(&root),
        None => skip("the tree of unpacked crates", "every dependency is in the repository"),
    }
}

#[test]
fn the_linux_tree_equals_ripgrep_and_fd() {
    match trees::linux() {
        Some(root) => compare_tree(&root),
        None => skip("the Linux tree", "SEARCHSCOPE_LINUX_TREE does not name one"),
    }
}

#[test]
fn a_tree_full_of_ignore_files_equals_ripgrep_and_fd() {
    match trees::unpacked_crates() {
        Some(root) => compare_tree(trees::copy_with_ignore_files(&root).root()),
        None => skip("a copied tree with ignore files", "every dependency is in the repository"),
    }
}

#[test]
fn random_ignore_files_equal_git() {
    git::compare_random_trees();
}

#[test]
fn random_calls_of_two_stages_equal_fd_and_ripgrep() {
    stages::compare_random_calls();
}

fn compare_tree(root: &Path) {
    let engine = Engine::open(root);
    let mut passed_over = BTreeSet::new();
    if let Some(ripgrep) = Ripgrep::find() {
        for &(query, use_regex) in QUERIES {
            let ours = engine.search(query, use_regex);
            let theirs = ripgrep.search(root, query, use_regex, &[]);
            let binary = binary_files(root, ours.symmetric_difference(&theirs));
            for (path, ..) in &ours {
                let nul = binary.get(path).copied().unwrap_or(usize::MAX);
                assert!(nul >= BINARY_HEAD, "{query:?}: {path} is binary from byte {nul}");
            }
            let comparable = |hits: Hits| -> Hits {
                hits.into_iter().filter(|(path, ..)| !binary.contains_key(path)).collect()
            };
            let ours = with_whole_lines(ours, &theirs);
            assert_same(&format!("search {query:?}"), &comparable(ours), &comparable(theirs));
            passed_over.extend(binary.into_keys());
        }
        let all = ripgrep.files(root, None);
        assert_same("find *", &engine.find("*"), &all);
        for glob in PATHS {
            // A glob of ripgrep also includes hidden and ignored files; ours never does.
            let theirs = ripgrep.files(root, Some(glob)).intersection(&all).cloned().collect();
            assert_same(&format!("find {glob}"), &engine.find(glob), &theirs);
        }
    }
    for glob in NAMES {
        if let Some(theirs) = peers::fd(root, glob) {
            assert_same(&format!("find {glob}"), &engine.find(glob), &theirs);
        }
    }
    if !passed_over.is_empty() {
        say(&format!("skipped {} files with a NUL: {passed_over:?}", passed_over.len()));
    }
}

/// Replaces each part of a long line, which a reply too large for whole lines has, by the line of `theirs` if that
/// has these bytes there.
fn with_whole_lines(ours: Hits, theirs: &Hits) -> Hits {
    let lines: BTreeMap<_, _> =
        theirs.iter().map(|(path, line, text)| ((path.clone(), *line), text)).collect();
    let whole = |(path, line, text): (String, u64, String)| {
        let place = (path, line);
        let whole = lines.get(&place).filter(|whole| is_part(&text, whole)).copied();
        let whole = whole.cloned().unwrap_or(text);
        (place.0, place.1, whole)
    };
    ours.into_iter().map(whole).collect()
}

/// Returns whether `[bytes FIRST-LAST of LENGTH] TEXT` is a part of a line.
fn is_part(part: &str, line: &str) -> bool {
    let fields = part.strip_prefix("[bytes ").and_then(|rest| rest.split_once("] "));
    let Some((place, text)) = fields else { return false };
    let numbers: Vec<usize> =
        place.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    let [first, last, length] = numbers[..] else { return false };
    length == line.len() && first > 0 && line.get(first - 1..last) == Some(text)
}

#[test]
fn a_part_of_a_line_has_its_bytes() {
    assert!(is_part("[bytes 3-4 of 6] cd", "abcdef"));
    for wrong in ["[bytes 3-4 of 6] ce", "[bytes 2-3 of 6] cd", "[bytes 3-4 of 7] cd", "cd"] {
        assert!(!is_part(wrong, "abcdef"), "{wrong}");
    }
}

/// Returns the binary files among those that differ, with the position of the first NUL. ripgrep's stop
/// position in them depends on its buffers; ours follows a rule.
fn binary_files<'a>(
    root: &Path,
    hits: impl Iterator<Item = &'a (String, u64, String)>,
) -> BTreeMap<String, usize> {
    let paths: BTreeSet<&String> = hits.map(|(path, ..)| path).collect();
    let nul = |path: &String| Some((path.clone(), trees::first_nul(&root.join(path))?));
    paths.into_iter().filter_map(nul).collect()
}

fn assert_same<T: Ord + std::fmt::Debug>(what: &str, ours: &BTreeSet<T>, theirs: &BTreeSet<T>) {
    let head = |set: Vec<&T>| format!("{} such as {:#?}", set.len(), &set[..set.len().min(5)]);
    let only_ours: Vec<_> = ours.difference(theirs).collect();
    let only_theirs: Vec<_> = theirs.difference(ours).collect();
    assert!(
        only_ours.is_empty() && only_theirs.is_empty(),
        "{what}: {} in common\nonly ours: {}\nonly theirs: {}",
        ours.intersection(theirs).count(),
        head(only_ours),
        head(only_theirs),
    );
}

/// Workspaces and cases of the corpus with another result in ripgrep.
const DELIBERATE: &[(&str, &str)] = &[
    // Our globs only narrow; ripgrep's globs also include hidden and ignored files.
    ("a glob never re-includes hidden or ignored files", "a hidden name"),
    ("a glob never re-includes hidden or ignored files", "everything"),
    ("a glob never re-includes hidden or ignored files", "an ignored name"),
    // For git the rules end at a repository; for ripgrep only if it requires one.
    ("a repository inside", "cuts off the git rules above it, not the others"),
    ("a worktree or submodule inside: .git is a file", "cuts off too, and is never followed"),
    // It has an ignore file of its own.
    ("other ignore files have no effect", "those of other programs"),
    // It parses ignore lines as globs; git does not support braces.
    ("where git and a plain glob differ", "braces are characters, classes and stars are git's"),
    // It stops at the buffer that contains the NUL, not at the line.
    ("binary files", "a NUL in the first 64 KiB skips the file, a later one ends it"),
    ("binary files", "a regex obeys the same rule"),
];

#[test]
fn the_cases_expect_the_results_of_ripgrep_except_where_listed() {
    let Some(ripgrep) = Ripgrep::find() else { return };
    let (mut n_compared, mut differing) = (0, Vec::new());
    let files = load(&repository().join("tests/cases"));
    for (_, file) in &files {
        if file.tool != "search_in_files" {
            continue;
        }
        for cases in file.workspace.iter().filter(|cases| ripgrep_can_run(cases)) {
            let tree =
                Tree::build(&cases.tree).unwrap_or_else(|why| panic!("{}: {why}", cases.name));
            for case in cases.case.iter().filter(|case| case.tool.is_none()) {
                let Some(expected) = expected_hits(case, tree.root()) else { continue };
                let Some(theirs) = ask(&ripgrep, cases, case, tree.root()) else { continue };
                n_compared += 1;
                if expected != theirs {
                    differing.push((cases.name.as_str(), case.name.as_str(), expected, theirs));
                }
            }
        }
    }
    assert!(n_compared > 100, "only {n_compared} cases were compared");
    let names: Vec<_> = differing.iter().map(|&(cases, case, ..)| (cases, case)).collect();
    assert_eq!(names, DELIBERATE, "{differing:#?}");
}

/// Returns whether ripgrep can run a case: deny rules are ours alone, and pipes or hostile lines in
/// ignore files end it.
fn ripgrep_can_run(cases: &WorkspaceCases) -> bool {
    let has_fifo = cases.tree.iter().any(|entry| entry.fifo.is_some());
    let has_links = cases.tree.iter().any(|entry| entry.to.as_deref() == Some("/dev/zero"));
    let is_hostile = cases.name.starts_with("hostile");
    !(cases.unprivileged
        || cases.options.contains_key("deny")
        || has_fifo
        || has_links
        || is_hostile)
}

fn expected_hits(case: &Case, root: &Path) -> Option<Hits> {
    let reply = case.matches.as_ref().and(case.expected_reply(root))?;
    Some(engine::hits_of(reply.to_string().as_bytes()))
}

/// Returns the matches of ripgrep for a case that searches the whole tree.
fn ask(ripgrep: &Ripgrep, cases: &WorkspaceCases, case: &Case, root: &Path) -> Option<Hits> {
    let call = case.call("search_in_files", root);
    let args: Value = serde_json::from_slice(&call.args).expect("arguments of a case are JSON");
    let text = |name: &str| args[name].as_str();
    let is_set = |name: &str, default: &str| text(name).is_some_and(|text| text != default);
    if is_set("path", ".") || is_set("exclude_query", "") {
        return None;
    }
    let mut more = Vec::new();
    // Its globs include hidden files, even `*`.
    if is_set("file_pattern", "*") {
        more.push(format!("--glob={}", text("file_pattern")?));
    }
    if cases.options.get("require_git").and_then(Value::as_bool) == Some(true) {
        more.push("--require-git".into());
    }
    let use_regex = args["use_regex"].as_bool().unwrap_or(false);
    Some(ripgrep.search(root, text("query")?, use_regex, &more))
}
