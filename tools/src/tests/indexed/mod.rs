//! The index compared with a search without it, on trees that change between the calls.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::cast_possible_truncation,
    reason = "these tests change trees, and choose from short lists"
)]

mod attacks;
mod documents;
mod overlays;
mod random;

use crate::call::CallTools;
use searchscope::testing;
use searchscope::{Call, ErrorKind, IndexMode, IndexState, Workspace, WorkspaceOptions};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A tree, and the workspace that remembers it.
struct Remembering {
    dir: tempfile::TempDir,
    workspace: Workspace,
}

impl Remembering {
    fn new(files: &[(&str, &str)]) -> Remembering {
        let dir = tempfile::tempdir().expect("a directory");
        for (path, text) in files {
            write(&dir.path().join(path), text.as_bytes());
        }
        let workspace = open(dir.path(), IndexMode::Auto);
        workspace.warm(&Call::new()).expect("built");
        assert_eq!(workspace.index_status().state, IndexState::Ready);
        Remembering { dir, workspace }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// Runs a tool with the index and, in a workspace of its own, without it.
    fn assert_equal(&self, tool: &str, args: &Value, when: &str) {
        let cold = open(self.dir.path(), IndexMode::Off);
        let expected = reply(&cold, tool, args);
        assert_eq!(reply(&self.workspace, tool, args), expected, "{tool} {args} {when}");
    }

    fn assert_all_equal(&self, when: &str) {
        for (tool, args) in questions() {
            self.assert_equal(tool, &args, when);
        }
    }
}

fn open(root: &Path, index: IndexMode) -> Workspace {
    let doc_suffixes = vec![".txt".to_owned(), ".md".to_owned()];
    let options = WorkspaceOptions { index, threads: Some(2), doc_suffixes, ..Default::default() };
    options.open(root).expect("opens")
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("has one")).expect("directories");
    fs::write(path, bytes).expect("written");
}

fn reply(workspace: &Workspace, tool: &str, args: &Value) -> String {
    let reply = workspace.call(tool, args.to_string().as_bytes(), &Call::new());
    let text = match reply {
        Ok(reply) => String::from_utf8(reply).expect("text"),
        // A refused question would compare nothing.
        Err(error) if error.kind() == ErrorKind::InvalidParam => panic!("{tool}: {error}"),
        Err(error) => error.to_string(),
    };
    without_time(&text)
}

/// Returns the reply without the values that differ from run to run.
fn without_time(reply: &str) -> String {
    fn strip(value: &mut Value) {
        if let Some(object) = value.as_object_mut() {
            object.retain(|name, _| !name.contains("elapsed") && name != "time_ms");
            // The text of Grep contains its time too.
            if let Some(Value::String(text)) = object.get_mut("text")
                && let Some((start, rest)) = text.split_once("Took ")
                && let Some((_, end)) = rest.split_once("ms)")
            {
                *text = format!("{start}{end}");
            }
            object.values_mut().for_each(strip);
        }
    }
    match serde_json::from_str::<Value>(reply) {
        Ok(mut value) => {
            strip(&mut value);
            value.to_string()
        }
        Err(_) => reply.to_owned(),
    }
}

fn questions() -> Vec<(&'static str, Value)> {
    vec![
        ("search", json!({"patterns": ["needle"]})),
        ("search", json!({"patterns": ["NEEDLE"], "case": "insensitive"})),
        ("search", json!({"patterns": ["ne+dle\\d"], "hidden": true})),
        ("search", json!({"patterns": ["absent"], "mode": "count"})),
        ("search", json!({"patterns": ["one\ntwo"], "multiline": true})),
        ("search", json!({"patterns": ["needle"], "no_ignore": true, "matches_max": 2})),
        ("search", json!({"patterns": ["\\w"], "mode": "files"})),
        ("search", json!({"patterns": ["needle"], "paths": ["a"], "order": "mtime"})),
        ("search_documents", json!({"query": "needle"})),
        ("search_documents", json!({"query": "NOTHING", "path": "/a"})),
        ("search_documents", json!({"query": "Needle7", "case_sensitive": true})),
        ("list_documents", json!({})),
        ("find", json!({})),
        ("find", json!({"globs": ["*.txt"], "hidden": true})),
        ("find", json!({"no_ignore": true, "follow": true})),
    ]
}

fn tree() -> Remembering {
    Remembering::new(&[
        ("a/one.txt", "needle\nother\n"),
        ("a/two.txt", "nothing here\n"),
        ("a/b/three.txt", "one\ntwo\nneedle7\n"),
        ("a/b/.hidden", "needle\n"),
        ("c/binary", "needle\0\n"),
        ("c/kelvin.txt", "needle \u{212A}\n"),
        ("d/ignored.txt", "needle\n"),
        (".gitignore", "nothing-yet\n"),
        (".git/info/exclude", "never\n"),
    ])
}

#[test]
fn denied_files_are_not_indexed() {
    let dir = tempfile::tempdir().expect("a directory");
    for path in ["a.txt", "k.pem", ".env", "secrets/b.txt", "d/k.pem", "d/e.txt"] {
        write(&dir.path().join(path), b"needle\n");
    }
    let deny = vec!["*.pem".to_owned(), "secrets/".to_owned()];
    let options =
        WorkspaceOptions { index: IndexMode::Auto, deny, deny_secrets: true, ..Default::default() };
    let workspace = options.open(dir.path()).expect("opens");
    let status = workspace.warm(&Call::new()).expect("built");
    assert_eq!((status.state, status.files), (IndexState::Ready, 2));
}

/// A change that a program may make to a tree.
type Edit = (&'static str, fn(&Path));

const EDITS: &[Edit] = &[
    ("write", |root| write(&root.join("a/two.txt"), b"a needle now\n")),
    ("append", |root| {
        use std::io::Write;
        let file = fs::OpenOptions::new().append(true).open(root.join("a/one.txt"));
        file.and_then(|mut file| file.write_all(b"needle2\n")).expect("appended");
    }),
    ("truncate", |root| {
        let file = fs::OpenOptions::new().write(true).open(root.join("a/one.txt"));
        file.and_then(|file| file.set_len(3)).expect("truncated");
    }),
    ("rename over", |root| {
        write(&root.join("new"), b"renamed needle\n");
        fs::rename(root.join("new"), root.join("a/b/three.txt")).expect("renamed");
    }),
    ("create", |root| write(&root.join("a/four.txt"), b"needle\n")),
    ("create a directory", |root| write(&root.join("e/f/g.txt"), b"needle\n")),
    ("write in a new directory", |root| write(&root.join("e/f/g.txt"), b"nothing\n")),
    ("unlink", |root| fs::remove_file(root.join("a/four.txt")).expect("removed")),
    ("an ignore file", |root| write(&root.join(".gitignore"), b"ignored.txt\n")),
    ("an ignore file in a directory", |root| write(&root.join("d/.ignore"), b"!ignored.txt\n")),
    ("an exclude file", |root| write(&root.join(".git/info/exclude"), b"kelvin.txt\n")),
    ("no exclude file", |root| fs::remove_dir_all(root.join(".git/info")).expect("removed")),
    ("a link", |root| {
        fs::hard_link(root.join("a/two.txt"), root.join("c/second")).expect("linked");
    }),
    ("write through the link", |root| {
        use std::io::Write;
        let file = fs::OpenOptions::new().append(true).open(root.join("c/second"));
        file.and_then(|mut file| file.write_all(b"needle3\n")).expect("appended");
    }),
    ("swap directories", |root| {
        fs::rename(root.join("a"), root.join("x")).expect("renamed");
        fs::rename(root.join("c"), root.join("a")).expect("renamed");
        fs::rename(root.join("x"), root.join("c")).expect("renamed");
    }),
    ("write in a moved directory", |root| write(&root.join("c/b/late.txt"), b"needle\n")),
    ("a symlink in the place of a directory", |root| {
        fs::rename(root.join("d"), root.join("real")).expect("renamed");
        std::os::unix::fs::symlink("real", root.join("d")).expect("linked");
    }),
    ("remove a tree", |root| fs::remove_dir_all(root.join("c")).expect("removed")),
    ("a file in its place", |root| write(&root.join("c"), b"needle\n")),
];

#[test]
fn every_edit_is_seen_by_the_next_call() {
    let tree = tree();
    tree.assert_all_equal("at first");
    for (name, edit) in EDITS {
        edit(tree.dir.path());
        tree.assert_all_equal(name);
    }
}

#[test]
fn a_sweep_sees_the_same_edits() {
    let tree = tree();
    for (name, edit) in EDITS {
        edit(tree.dir.path());
        testing::lose_events(&tree.workspace);
        tree.assert_all_equal(name);
        tree.assert_all_equal(name);
    }
}

#[test]
fn a_build_counts_each_file_once() {
    let tree = tree();
    let workspace = open(tree.dir.path(), IndexMode::Auto);
    let call = Call::new();
    workspace.warm(&call).expect("built");
    assert_eq!(call.cancel_token().files_looked_at(), 9, "the files of the tree");
}

#[test]
fn a_second_search_builds_the_index_beside_further_ones() {
    let dir = tempfile::tempdir().expect("a directory");
    for n in 0..400 {
        write(&dir.path().join(format!("part{}/{n}.txt", n % 20)), b"needle\n");
    }
    let workspace = open(dir.path(), IndexMode::Auto);
    let args = json!({"patterns": ["needle"], "mode": "count"});
    let first = reply(&workspace, "search", &args);
    assert_eq!(workspace.index_status().state, IndexState::Cold);
    // The builder gives way to calls; doing so for every file, it would take longer than this.
    let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
    // The builder may be reading a directory that a call has just listed; its files follow after the next
    // call.
    while workspace.index_status().state != IndexState::Ready
        || workspace.index_status().files < 400
    {
        assert!(std::time::Instant::now() < until, "{:?}", workspace.index_status());
        assert_eq!(reply(&workspace, "search", &args), first);
    }
    assert_eq!(reply(&workspace, "search", &args), first);
}

/// A search that looks for the reasons why nothing was found is no search of its own, and ignored files are
/// indexed only where a search has read them, which the status says until it is done.
#[test]
fn where_everything_is_ignored_the_index_has_what_was_searched() {
    let dir = tempfile::tempdir().expect("a directory");
    for n in 0..40 {
        write(&dir.path().join(format!("a/{n}.txt")), b"needle\n");
    }
    write(&dir.path().join(".gitignore"), b"*\n");
    let workspace = open(dir.path(), IndexMode::Auto);
    let answer = reply(&workspace, "search", &json!({"patterns": ["needle"]}));
    assert!(answer.contains("ignore files leave out everything"), "{answer}");
    assert_eq!(workspace.index_status().state, IndexState::Cold);
    let all = json!({"patterns": ["needle"], "no_ignore": true, "mode": "count"});
    let first = reply(&workspace, "search", &all);
    // A builder that this search started may be at work too: it may have read the ignored files, or have left
    // their directory to the next call.
    let status = workspace.warm(&Call::new()).expect("it is built");
    assert_eq!(status.state, IndexState::Ready);
    assert_eq!(reply(&workspace, "search", &all), first);
    if !cfg!(target_os = "linux") {
        return;
    }
    let is_building =
        || workspace.index_status().waiting > 0 || workspace.index_status().files < 40;
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while is_building() {
        assert!(std::time::Instant::now() < until, "{:?}", workspace.index_status());
        assert_eq!(reply(&workspace, "search", &all), first);
        // Not only by the builder beside the searches: a busy machine leaves it no time.
        workspace.warm(&Call::new()).expect("it is built");
    }
    assert_eq!(workspace.warm(&Call::new()).expect("it is built"), workspace.index_status());
}

#[test]
fn a_full_memory_excludes_the_contents_of_the_largest_directories() {
    let dir = tempfile::tempdir().expect("a directory");
    let line = b"a line of some words that make up a text without the word\n";
    for n in 1..=6 {
        write(&dir.path().join(format!("part{n}/text.txt")), &line.repeat(20_000 * n));
    }
    let small = WorkspaceOptions {
        index: IndexMode::Auto,
        memory_bytes_max: Some(1 << 20),
        ..Default::default()
    };
    let workspace = small.open(dir.path()).expect("opens");
    let status = workspace.warm(&Call::new()).expect("built");
    assert!(status.files > 0 && status.left_out > 0, "{status:?}");
    let tree = Remembering { dir, workspace };
    let args = json!({"patterns": ["needle"]});
    tree.assert_equal("search", &args, "with a full memory");
    write(&tree.at("part1/text.txt"), b"needle\n");
    tree.assert_equal("search", &args, "after an edit");
    let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while testing::is_dirty(&tree.workspace) && std::time::Instant::now() < until {
        tree.assert_equal("search", &args, "beside the builder");
    }
    assert_eq!(tree.workspace.index_status().left_out, status.left_out);
}

/// Returns a source of lines of random signs.
fn bytes_without_repetition() -> impl FnMut() -> u8 {
    let mut state = 1_u64;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if state >> 58 == 0 { b'\n' } else { b'!' + (state >> 40) as u8 % 90 }
    }
}

#[test]
fn texts_that_need_more_memory_than_estimated_are_left_out() {
    const MEMORY_BYTES_MAX: usize = 4 << 20;
    let dir = tempfile::tempdir().expect("a directory");
    let mut letter = bytes_without_repetition();
    for n in 0..400 {
        let text: Vec<u8> = (0..20_000).map(|_| letter()).collect();
        write(&dir.path().join(format!("part{}/{n}.txt", n % 40)), &text);
    }
    write(&dir.path().join("part1/needle.txt"), b"needle\n");
    let options = WorkspaceOptions {
        index: IndexMode::Auto,
        memory_bytes_max: Some(MEMORY_BYTES_MAX),
        ..Default::default()
    };
    let workspace = options.open(dir.path()).expect("opens");
    let status = workspace.warm(&Call::new()).expect("built");
    assert!(status.memory_bytes <= MEMORY_BYTES_MAX as u64 && status.left_out > 0, "{status:?}");
    let tree = Remembering { dir, workspace };
    tree.assert_equal("search", &json!({"patterns": ["needle"]}), "with texts left out");
}
