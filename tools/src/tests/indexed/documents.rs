//! Documents found through the index.

use super::{Remembering, open, reply, write};
use crate::call::CallTools;
use searchscope::testing::{Faults, Op};
use searchscope::{Call, IndexMode, IndexState, Workspace, WorkspaceOptions};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn documents() -> Vec<(String, String)> {
    let text = |n| if n == 7 { "the needle\n" } else { "only hay\n" };
    (0..40).map(|n| (format!("part{}/{n}.md", n % 4), text(n).to_owned())).collect()
}

#[test]
fn only_documents_that_may_match_are_read() {
    let files = documents();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let Remembering { dir, .. } = Remembering::new(&files);
    let faults = Arc::new(Faults::default());
    let workspace = faults.opening(|| open(dir.path(), IndexMode::Auto));
    workspace.warm(&Call::new()).expect("built");
    let n_read = |query: &str, n_matches: usize| {
        faults.plan([]);
        let found = reply(&workspace, "search_documents", &json!({"query": query}));
        assert!(found.contains(&format!("\"total_matches\":{n_matches},")), "{found}");
        let n_of = |op| faults.ops().into_iter().filter(|&each| each == op).count();
        (n_of(Op::Read), n_of(Op::List))
    };
    // A second read finds the end of the document.
    assert!(matches!(n_read("NEEDLE", 1), (1..=2, 0)));
    assert_eq!(n_read("absent", 0), (0, 0));
    assert!(n_read("hay", 39).0 >= 39);
    workspace.call("list_documents", b"{}", &Call::new()).expect("listed");
    assert!(faults.ops().contains(&Op::Read), "descriptions come from the documents");
}

#[test]
fn document_searches_start_the_index() {
    let files = documents();
    let dir = tempfile::tempdir().expect("a directory");
    files.iter().for_each(|(path, text)| write(&dir.path().join(path), text.as_bytes()));
    let workspace = open(dir.path(), IndexMode::Auto);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while workspace.index_status().state != IndexState::Ready {
        assert!(std::time::Instant::now() < until, "{:?}", workspace.index_status());
        reply(&workspace, "search_documents", &json!({"query": "needle"}));
    }
}

fn open_docs(root: &Path, docs_root: &str, index: IndexMode) -> Workspace {
    let docs_root = Some(docs_root.into());
    let options = WorkspaceOptions { index, docs_root, ..Default::default() };
    options.open(root).expect("opens")
}

/// A documents' root below the root is a handle: it stays with its directory when that is moved.
#[test]
fn a_documents_root_that_is_moved_and_replaced_keeps_its_documents() {
    let tree = Remembering::new(&[("docs/a.md", "old needle\n"), ("docs/b/c.md", "old hay\n")]);
    let workspaces =
        [IndexMode::Auto, IndexMode::Off].map(|index| open_docs(tree.dir.path(), "docs", index));
    let [indexed, cold] = &workspaces;
    let assert_equal = |when: &str| {
        for query in ["old needle", "new needle", "hay", "late"] {
            let args = json!({"query": query});
            let found = workspaces.each_ref().map(|all| reply(all, "search_documents", &args));
            assert_eq!(found[0], found[1], "{query} {when}");
        }
    };
    indexed.warm(&Call::new()).expect("built");
    assert_equal("at first");
    write(&tree.at("docs/b/d.md"), b"late\n");
    assert_equal("after an edit");
    fs::rename(tree.at("docs"), tree.at("moved")).expect("renamed");
    assert_equal("after the move");
    write(&tree.at("docs/a.md"), b"new needle\n");
    assert_equal("with another directory in its place");
    indexed.warm(&Call::new()).expect("built");
    // A search lists the new directory again: it is too young to be verified by its times.
    reply(indexed, "search", &json!({"patterns": ["needle"]}));
    assert_equal("after it is indexed");
    let found = reply(cold, "search_documents", &json!({"query": "needle"}));
    assert!(found.contains("**needle**") && found.contains("old"), "{found}");
    write(&tree.at("moved/b/c.md"), b"late needle\n");
    assert_equal("after an edit at the new place");
}

#[test]
fn documents_with_special_letters_are_found() {
    let texts = ["xİx", "xi\u{307}x", "ti", "tİ", "TI", "\u{212A}elvin", "a\u{FFFD}b", "ma\u{df}"];
    let files: Vec<(String, String)> = texts
        .iter()
        .enumerate()
        .map(|(n, text)| (format!("{n}.md"), format!("abc {text} abc\n")))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let tree = Remembering::new(&files);
    write(&tree.at("new_letters.md"), "zi\u{A7CE}abc\nİ\n".as_bytes());
    write(&tree.at("invalid.md"), b"abc a\xffb abc\n");
    write(&tree.at("utf16.md"), b"\xff\xfea\x00b\x00c\x00 \x00t\x00i\x00\n\x00");
    write(&tree.at("binary.md"), b"abc ti\0abc ti\n");
    tree.workspace.warm(&Call::new()).expect("built");
    let queries = texts.iter().copied().chain(["abc ti", "\u{307}x abc", "c i", "a\u{FFFD}"]);
    for query in
        queries.chain(["xi\u{307}", "c ti abc", "KELVIN", "MASS", "zi\u{A7CF}abc", "I\u{A7CE}ABC"])
    {
        for case_sensitive in [false, true] {
            let args = json!({"query": query, "case_sensitive": case_sensitive});
            tree.assert_equal("search_documents", &args, "with special letters");
        }
    }
}
