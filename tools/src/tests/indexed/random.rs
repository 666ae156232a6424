//! Random trees, random edits between the calls, random questions.

use super::{Remembering, open, reply, write};
use crate::tests::trees::cases;
use proptest::prelude::*;
use searchscope::{IndexMode, testing};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Words for contents and patterns; some are parts of others.
const WORDS: [&str; 9] =
    ["needle", "need", "edl", "Needle", "hay", "\u{212A}elvin", "x", "hİ", "i\u{307}x"];
const NAMES: [&str; 6] = ["a", "b.txt", "c.rs", ".h", "d", "e.txt"];
/// Ignore files, relative to the directory to which their rules apply.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".git/info/exclude"];

/// One line of an ignore file.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    name: u8,
    is_negated: bool,
    is_for_directories: bool,
}

/// One change; its choices are applied as far as the tree has the named entries.
#[derive(Clone, Debug)]
pub(super) enum Edit {
    Write(Vec<u8>, Vec<u8>),
    Append(Vec<u8>, u8),
    Truncate(Vec<u8>),
    RenameOver(Vec<u8>, Vec<u8>),
    Remove(Vec<u8>),
    MakeDir(Vec<u8>),
    Link(Vec<u8>, Vec<u8>),
    Symlink(Vec<u8>, Vec<u8>),
    SetTime(Vec<u8>, u8),
    Mode(Vec<u8>, bool),
    /// A temporary link through which a file is written.
    WriteThroughLink(Vec<u8>, u8),
    /// Rules for one of the ignore files of a directory; an empty list removes the file.
    Ignore(Vec<u8>, u8, Vec<Rule>),
    LoseEvents,
    ColdBuild,
}

pub(super) fn path() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0..NAMES.len() as u8, 1..4)
}

pub(super) fn words() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0..(WORDS.len() + 2) as u8, 0..6)
}

fn rules() -> impl Strategy<Value = Vec<Rule>> {
    let rule = (0..NAMES.len() as u8, any::<bool>(), any::<bool>());
    let rule = rule.prop_map(|(name, is_negated, is_for_directories)| Rule {
        name,
        is_negated,
        is_for_directories,
    });
    prop::collection::vec(rule, 0..4)
}

/// Selects the root or a directory near it.
fn directory() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0..NAMES.len() as u8, 0..3)
}

pub(super) fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        4 => (path(), words()).prop_map(|(path, words)| Edit::Write(path, words)),
        2 => (path(), any::<u8>()).prop_map(|(path, word)| Edit::Append(path, word)),
        1 => path().prop_map(Edit::Truncate),
        3 => (path(), path()).prop_map(|(from, to)| Edit::RenameOver(from, to)),
        2 => path().prop_map(Edit::Remove),
        1 => path().prop_map(Edit::MakeDir),
        2 => (path(), path()).prop_map(|(from, to)| Edit::Link(from, to)),
        1 => (path(), path()).prop_map(|(from, to)| Edit::Symlink(from, to)),
        1 => (path(), any::<u8>()).prop_map(|(path, time)| Edit::SetTime(path, time)),
        1 => (path(), any::<bool>()).prop_map(|(path, is_open)| Edit::Mode(path, is_open)),
        2 => (path(), any::<u8>()).prop_map(|(path, word)| Edit::WriteThroughLink(path, word)),
        3 => (directory(), 0..IGNORE_FILES.len() as u8, rules())
            .prop_map(|(dir, file, rules)| Edit::Ignore(dir, file, rules)),
        1 => Just(Edit::LoseEvents),
        1 => Just(Edit::ColdBuild),
    ]
}

pub(super) fn question() -> impl Strategy<Value = (&'static str, Value)> {
    let word = (0..WORDS.len()).prop_map(|word| WORDS[word]);
    let flags = any::<(bool, bool, bool, bool)>();
    let call = (word, flags, 0..9_u8);
    let call = call.prop_map(|(word, (hidden, no_ignore, insensitive, follow), kind)| {
        let case = if insensitive { "insensitive" } else { "sensitive" };
        let search = |more: Value| {
            let mut args = json!({
                "patterns": [word], "case": case, "hidden": hidden, "no_ignore": no_ignore,
                "follow": follow,
            });
            let more = more.as_object().expect("an object").clone();
            args.as_object_mut().expect("an object").extend(more);
            ("search", args)
        };
        match kind {
            0 => search(json!({})),
            1 => search(json!({"mode": "count"})),
            2 => search(json!({"patterns": [format!("{word}\\w*\\s?h")]})),
            3 => search(json!({"multiline": true, "patterns": [format!("{word}\\n?hay")]})),
            4 => search(json!({"order": "mtime", "matches_max": 3})),
            5 => ("search_documents", json!({"query": word, "case_sensitive": !insensitive})),
            6 => ("search_documents", json!({"query": format!("{word}ha"), "path": "/a"})),
            7 => ("find", json!({"hidden": hidden, "no_ignore": no_ignore, "follow": follow})),
            _ => ("find", json!({"globs": ["*.txt"], "details": true, "order": "mtime"})),
        }
    });
    let start = prop::option::weighted(0.3, prop::collection::vec(0..NAMES.len() as u8, 1..3));
    (call, start).prop_map(|((tool, mut args), start)| {
        if let (Some(start), "search" | "find") = (start, tool) {
            args["paths"] = json!([named(Path::new(""), &start)]);
        }
        (tool, args)
    })
}

/// Returns the path that the numbers select.
pub(super) fn named(root: &Path, path: &[u8]) -> std::path::PathBuf {
    path.iter().fold(root.to_path_buf(), |path, &name| path.join(NAMES[name as usize]))
}

pub(super) fn text(words: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    for &word in words {
        match WORDS.get(word as usize) {
            Some(word) => text.extend_from_slice(word.as_bytes()),
            None if word as usize == WORDS.len() => text.push(b'\n'),
            None => text.push(0),
        }
    }
    text
}

/// Writes an ignore file, or removes it if it has no rules.
fn write_rules(file: &Path, rules: &[Rule]) {
    let line = |rule: &Rule| {
        let before = if rule.is_negated { "!" } else { "" };
        let after = if rule.is_for_directories { "/" } else { "" };
        format!("{before}{}{after}\n", NAMES[rule.name as usize])
    };
    if rules.is_empty() {
        let _ = fs::remove_file(file);
        return;
    }
    let _ = fs::create_dir_all(file.parent().expect("has one"));
    let _ = fs::write(file, rules.iter().map(line).collect::<String>());
}

/// Applies one change, unless the tree does not allow it.
pub(super) fn apply(tree: &mut Remembering, edit: &Edit) {
    let root = tree.dir.path().to_path_buf();
    let at = |path: &[u8]| named(&root, path);
    let append = |path: &Path, word: u8| {
        let file = fs::OpenOptions::new().append(true).open(path);
        let word = WORDS[word as usize % WORDS.len()];
        let _ = file.and_then(|mut file| file.write_all(word.as_bytes()));
    };
    match edit {
        Edit::Write(path, words) => {
            let path = at(path);
            let _ = fs::create_dir_all(path.parent().expect("has one"));
            let _ = fs::write(path, text(words));
        }
        Edit::Append(path, word) => append(&at(path), *word),
        Edit::Truncate(path) => {
            let file = fs::OpenOptions::new().write(true).open(at(path));
            let _ = file.and_then(|file| file.set_len(2));
        }
        Edit::RenameOver(from, to) => drop(fs::rename(at(from), at(to))),
        Edit::Remove(path) => {
            let path = at(path);
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        }
        Edit::MakeDir(path) => drop(fs::create_dir_all(at(path))),
        Edit::Link(from, to) => drop(fs::hard_link(at(from), at(to))),
        Edit::Symlink(from, to) => drop(std::os::unix::fs::symlink(at(from), at(to))),
        Edit::SetTime(path, time) => {
            let file = fs::OpenOptions::new().write(true).open(at(path));
            let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(u64::from(*time));
            let _ = file.and_then(|file| file.set_modified(time));
        }
        Edit::Mode(path, is_open) => {
            use std::os::unix::fs::PermissionsExt;
            let mode = if *is_open { 0o755 } else { 0o600 };
            let path = at(path);
            if path.is_file() {
                let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode));
            }
        }
        Edit::WriteThroughLink(path, word) => {
            let link = root.join("temporary");
            if fs::hard_link(at(path), &link).is_ok() {
                append(&link, *word);
                let _ = fs::remove_file(link);
            }
        }
        Edit::Ignore(dir, file, rules) => {
            let dir = at(dir);
            if dir.is_dir() {
                write_rules(&dir.join(IGNORE_FILES[*file as usize]), rules);
            }
        }
        Edit::LoseEvents => testing::lose_events(&tree.workspace),
        Edit::ColdBuild => tree.workspace = open(&root, IndexMode::Auto),
    }
}

fn check(files: &[(Vec<u8>, Vec<u8>)], steps: &Steps) {
    let mut tree = Remembering::new(&[("b.txt", "needle\n")]);
    for (path, words) in files {
        apply(&mut tree, &Edit::Write(path.clone(), words.clone()));
    }
    tree.workspace.warm(&searchscope::Call::new()).expect("built");
    for (edits, questions) in steps {
        for edit in edits {
            apply(&mut tree, edit);
        }
        for (tool, args) in questions {
            tree.assert_equal(tool, args, &format!("after {edits:?}"));
        }
    }
    // The index finds a new file in any state.
    write(&tree.at("last.txt"), b"hay needle\n");
    let found = reply(&tree.workspace, "search", &json!({"patterns": ["hay needle"]}));
    assert!(found.contains("last.txt") || found.contains("\"ignored\":"), "{found}");
}

type Steps = Vec<(Vec<Edit>, Vec<(&'static str, Value)>)>;

fn steps() -> impl Strategy<Value = Steps> {
    let edits = prop::collection::vec(edit(), 0..5);
    let questions = prop::collection::vec(question(), 1..4);
    prop::collection::vec((edits, questions), 1..8)
}

pub(super) fn files() -> impl Strategy<Value = Vec<(Vec<u8>, Vec<u8>)>> {
    prop::collection::vec((path(), words()), 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn random_edits_are_seen(files in files(), steps in steps()) {
        check(&files, &steps);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(1_000), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn long_run_random_edits_are_seen(files in files(), steps in steps()) {
        check(&files, &steps);
    }
}
