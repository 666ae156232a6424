//! Unsaved texts compared with the same texts on disk.

use super::random::{self, Edit, apply, files, path, question, text, words};
use super::{Remembering, open, questions, reply, write};
use proptest::prelude::*;
use searchscope::{Call, IndexMode, Workspace, WorkspaceOptions};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

type Unsaved = Vec<(String, Option<Vec<u8>>)>;

fn more_questions() -> Vec<(&'static str, Value)> {
    let mut questions = vec![
        ("Grep", json!({"pattern": "needle"})),
        ("search_in_files", json!({"query": "needle"})),
        ("find_files_by_name", json!({"name_pattern": "*.txt"})),
        ("find_and_grep", json!({"roots": ["."], "query": "needle"})),
        ("search_documents", json!({"query": "needle"})),
        ("list_documents", json!({})),
        ("look", json!({"q": "needle"})),
        ("read", json!({"what": ["a/b.txt"]})),
        ("scope_search_text", json!({"scope": "All Places", "query": "needle"})),
        ("search", json!({"patterns": ["needle"], "paths": ["a"], "follow": true})),
        ("find", json!({"order": "mtime", "details": true, "paths": ["e.txt"]})),
    ];
    if cfg!(feature = "symbols") {
        let args = json!({"scope": "All Places", "query": "needle"});
        questions.push(("scope_search_symbols", args));
    }
    questions
}

/// Writes to disk what an overlay does in memory, with the same times.
fn save(root: &Path, edited: &Workspace, unsaved: &Unsaved) {
    for (path, text) in unsaved {
        let place = root.join(path);
        let Some(text) = text else {
            let _ = fs::remove_file(&place);
            continue;
        };
        fs::create_dir_all(place.parent().expect("has one")).expect("directories");
        let place = fs::canonicalize(&place).unwrap_or(place);
        // Other names of the file keep their text.
        let saved = root.join("saved");
        fs::write(&saved, text).expect("written");
        if let Ok(meta) = fs::metadata(&place) {
            fs::set_permissions(&saved, meta.permissions()).expect("set");
        }
        let meta = edited.details(&edited.resolve(path).expect("inside")).expect("is there");
        let after = std::time::Duration::from_nanos(u64::try_from(meta.modified_ns).expect("now"));
        let file = fs::File::options().write(true).open(&saved).expect("opens");
        file.set_modified(std::time::UNIX_EPOCH + after).expect("set");
        fs::rename(&saved, &place).expect("renamed");
    }
}

/// Returns the entries that the workspace accepts as an overlay.
fn accepted(workspace: &Workspace, entries: Unsaved) -> Unsaved {
    let mut kept = Unsaved::new();
    for entry in entries {
        kept.push(entry);
        if workspace.with_overlay(kept.clone()).is_err() {
            kept.pop();
        }
    }
    kept
}

/// Returns the reply without its cursor, which contains the identity of files.
fn asked(workspace: &Workspace, tool: &str, args: &Value) -> String {
    let reply = reply(workspace, tool, args);
    let end = reply.find("\"cursor\":").unwrap_or(reply.len());
    reply[..end].to_owned()
}

/// Compares the replies over `unsaved` with the replies after it is saved.
fn check(tree: &Remembering, unsaved: Unsaved, questions: &[(&'static str, Value)]) {
    let root = tree.dir.path();
    let unsaved = accepted(&tree.workspace, unsaved);
    let edited = tree.workspace.with_overlay(unsaved.clone()).expect("laid over");
    let cold = open(root, IndexMode::Off).with_overlay(unsaved.clone()).expect("laid over");
    let before: Vec<String> =
        questions.iter().map(|(tool, args)| asked(&edited, tool, args)).collect();
    let untouched = open(root, IndexMode::Off);
    for (tool, args) in questions {
        let indexed = reply(&tree.workspace, tool, args);
        assert_eq!(indexed, reply(&untouched, tool, args), "{tool} {args}: the tree itself");
    }
    let now = |workspace: &Workspace| {
        let meta = |path: &String| workspace.details(&workspace.resolve(path).expect("inside"));
        unsaved.iter().map(|(path, _)| meta(path).map(|meta| meta.modified_ns).ok()).collect()
    };
    // Two overlays are not created at the same moment; a reply with times is compared with its own.
    let (of_edited, of_cold): (Vec<Option<i128>>, Vec<Option<i128>>) = (now(&edited), now(&cold));
    let colds: Vec<String> =
        questions.iter().map(|(tool, args)| asked(&cold, tool, args)).collect();
    for (at, (tool, args)) in questions.iter().enumerate() {
        let has_times = args.get("details").is_some() || *tool == "list_documents";
        if of_edited == of_cold || !has_times {
            assert_eq!(before[at], colds[at], "{tool} {args} over {unsaved:?}: the index");
        }
    }
    save(root, &edited, &unsaved);
    let saved = open(root, IndexMode::Off);
    for (at, (tool, args)) in questions.iter().enumerate() {
        assert_eq!(before[at], asked(&saved, tool, args), "{tool} {args} over {unsaved:?}");
    }
}

fn entries() -> impl Strategy<Value = Vec<(Vec<u8>, Option<Vec<u8>>)>> {
    prop::collection::vec((path(), prop::option::weighted(0.7, words())), 1..6)
}

/// Files, edits of them, unsaved text, and calls.
type Case = (
    Vec<(Vec<u8>, Vec<u8>)>,
    Vec<Edit>,
    Vec<(Vec<u8>, Option<Vec<u8>>)>,
    Vec<(&'static str, Value)>,
);

fn case() -> impl Strategy<Value = Case> {
    let edits = prop::collection::vec(random::edit(), 0..6);
    (files(), edits, entries(), prop::collection::vec(question(), 1..4))
}

fn check_case((files, edits, entries, mut calls): Case) {
    let mut tree = Remembering::new(&[("b.txt", "needle\n")]);
    for (path, words) in files {
        apply(&mut tree, &Edit::Write(path, words));
    }
    for edit in &edits {
        apply(&mut tree, edit);
    }
    tree.workspace.warm(&Call::new()).expect("built");
    calls.extend(more_questions());
    let named = |path: &[u8]| {
        let path = random::named(Path::new(""), path);
        path.to_str().expect("text").to_owned()
    };
    let unsaved =
        entries.into_iter().map(|(path, words)| (named(&path), words.map(|words| text(&words))));
    check(&tree, unsaved.collect(), &calls);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn unsaved_text_is_searched_as_if_saved(case in case()) {
        check_case(case);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn long_run_random_unsaved_texts_are_searched_as_if_saved(case in case()) {
        check_case(case);
    }
}

#[test]
fn rules_links_and_new_directories_of_an_overlay_apply() {
    let tree = super::tree();
    std::os::unix::fs::symlink("a/one.txt", tree.at("to_one")).expect("linked");
    std::os::unix::fs::symlink("new/file.txt", tree.at("to_new")).expect("linked");
    std::os::unix::fs::symlink("a", tree.at("to_a")).expect("linked");
    tree.workspace.warm(&Call::new()).expect("built");
    let unsaved = [
        (".gitignore", Some("ignored.txt\n")),
        (".git/info/exclude", Some("kelvin.txt\n")),
        ("new/file.txt", Some("needle in a new directory\n")),
        ("new/deep/er/file.md", Some("# needle\n")),
        ("to_one", Some("needle through a link\n")),
        ("to_a/two.txt", Some("needle through a linked directory\n")),
        ("a/b/three.txt", None),
        ("c/binary", Some("needle, text now\n")),
    ];
    let owned =
        |(path, text): (&str, Option<&str>)| (path.to_owned(), text.map(|text| text.into()));
    let unsaved: Unsaved = unsaved.into_iter().map(owned).collect();
    assert_eq!(accepted(&tree.workspace, unsaved.clone()).len(), unsaved.len());
    let mut calls = questions();
    calls.extend(more_questions());
    calls.push(("search", json!({"patterns": ["needle"], "follow": true})));
    calls.push(("read", json!({"what": ["to_new", "to_one", "new/deep/er/file.md"]})));
    check(&tree, unsaved, &calls);
}

#[test]
fn invalid_overlay_entries_are_refused() {
    let tree = super::tree();
    let outside = tempfile::tempdir().expect("a directory");
    write(&outside.path().join("secret"), b"CANARY\n");
    std::os::unix::fs::symlink(outside.path(), tree.at("out")).expect("linked");
    std::os::unix::fs::symlink("nowhere", tree.at("dangling")).expect("linked");
    std::os::unix::fs::symlink("a", tree.at("to_a")).expect("linked");
    let options = WorkspaceOptions { deny: vec!["d/".into()], ..Default::default() };
    let workspace = options.open(tree.dir.path()).expect("opens");
    for (entries, code, part) in [
        (vec![("../x", Some("t"))], "access_denied", "outside"),
        (vec![("out/x", Some("t"))], "access_denied", "outside"),
        (vec![("out/secret", None)], "access_denied", "outside"),
        (vec![("d/x", Some("t"))], "access_denied", "denied"),
        (vec![(".", Some("t"))], "invalid_param", "is the root"),
        (vec![("a", Some("t"))], "invalid_param", "is a directory"),
        (vec![("a", None)], "invalid_param", "is a directory"),
        (vec![("to_a", Some("t"))], "invalid_param", "not a regular file"),
        (vec![("dangling", Some("t"))], "invalid_param", "leads nowhere"),
        (vec![("dangling/x", Some("t"))], "invalid_param", "not a directory"),
        (vec![("a/one.txt/x", Some("t"))], "invalid_param", "not a directory"),
        (vec![("a/one.txt", Some("t")), ("to_a/one.txt", None)], "invalid_param", "appears twice"),
        (vec![("n/x", Some("t")), ("n", Some("t"))], "invalid_param", "needs a directory"),
        (vec![("n", Some("t")), ("n/x", Some("t"))], "invalid_param", "needs a directory"),
    ] {
        let error = workspace.with_overlay(entries.clone()).expect_err(part);
        assert_eq!((error.code(), error.param()), (code, Some("overlay")), "{entries:?}: {error}");
        assert!(error.message().contains(part), "{entries:?}: {error}");
    }
    assert!(workspace.with_overlay([("never/was", None::<&str>)]).is_ok());
}

#[test]
fn a_later_overlay_replaces_the_earlier_one() {
    let tree = super::tree();
    let first = tree.workspace.with_overlay([("a/two.txt", Some("needle one"))]).expect("laid");
    let second = first.with_overlay([("a/b/new.txt", Some("needle two"))]).expect("laid");
    let found = reply(&second, "search", &json!({"patterns": ["needle (one|two)"]}));
    assert!(found.contains("a/b/new.txt") && !found.contains("a/two.txt"), "{found}");
    // The builder reads the disk, not the overlay.
    second.warm(&Call::new()).expect("built");
    tree.assert_all_equal("after an overlay was searched");
}

#[test]
fn a_cursor_continues_in_the_next_overlay_of_the_same_text() {
    let tree = super::tree();
    let edited = || tree.workspace.with_overlay([("a/one.txt", Some("needle\n".repeat(9)))]);
    let args = |cursor: &Value| json!({"patterns": ["needle"], "paths": ["a/one.txt"], "matches_max": 4, "cursor": cursor});
    let page = |cursor: &Value| {
        let edited = edited().expect("laid over");
        let page: Value =
            serde_json::from_str(&reply(&edited, "search", &args(cursor))).expect("JSON");
        assert_ne!(page["tree_changed"], true, "{page}");
        (page["matches"].as_array().expect("a list").len(), page["cursor"].clone())
    };
    let mut first = args(&Value::Null);
    first.as_object_mut().expect("an object").remove("cursor");
    let edited = edited().expect("laid over");
    let reply: Value = serde_json::from_str(&reply(&edited, "search", &first)).expect("JSON");
    let (n_second, cursor) = page(&reply["cursor"]);
    assert_eq!((n_second, page(&cursor).0), (4, 1));
}
