//! Names that are legal but unusual.

use crate::ask::{ask, open, texts};
use searchscope_tests::tree::Tree;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// File names; each also occurs with `.md` appended.
const NAMES: &[&str] = &[
    "line\nfeed",
    "carriage\rreturn",
    "tab\there",
    "bell\u{7}escape\u{1b}[31m",
    "delete\u{7f}",
    "-",
    "--",
    "-rf",
    "--pre=x",
    "*",
    "?",
    "**",
    "{a,b}",
    "[x]",
    "[!a]",
    "!x",
    "#x",
    "~",
    "$HOME",
    "%2e%2e",
    " leading",
    "trailing ",
    "trailing.",
    "back\\slash",
    "quote'quote",
    "quote\"quote",
    "`echo x`",
    "a;b",
    "a|b",
    "a&b",
    "a:b",
    "C:",
    "con",
    "\u{202e}gpj.exe",
    "\u{200f}mark",
    "\u{feff}bom",
    "\u{a0}space",
    "e\u{301}",
    "\u{e9}",
    "日本語",
    "🦀",
    "\u{fffd}",
    "file:x",
    "file://x",
    "\u{1}\u{2}\u{3}",
];

fn tree() -> (Tree, Vec<String>) {
    let tree = Tree::empty();
    // The longest possible name.
    let longest = "n".repeat(252);
    let of = |name: &str| [format!("{name}.md"), format!("{name}/{name}.md")];
    let names = NAMES.iter().copied();
    let mut paths: Vec<String> = names.chain([longest.as_str()]).flat_map(of).collect();
    for path in &paths {
        tree.write(path, "# hit\n");
    }
    paths.sort();
    (tree, paths)
}

/// Returns the paths in a reply of any tool, relative to the root.
fn paths_of(reply: &Value, tree: &Tree) -> Vec<String> {
    let mut paths = match reply {
        reply if reply["matches"].is_array() => {
            let key = if reply["matches"][0]["path"].is_string() { "path" } else { "file_path" };
            texts(&reply["matches"], key)
        }
        reply if reply["data"]["matches"].is_array() => texts(&reply["data"]["matches"], "file"),
        reply if reply["results"].is_array() => texts(&reply["results"], "path"),
        reply if reply["occurrences"].is_array() => texts(&reply["occurrences"], "filePath"),
        reply if reply["matchedFilePaths"].is_array() => strings(&reply["matchedFilePaths"]),
        reply => match reply["files"][0].is_string() {
            true => strings(&reply["files"]),
            false => texts(&reply["files"], "path"),
        },
    };
    let root = format!("{}/", tree.root().display());
    for path in &mut paths {
        *path = path.strip_prefix(&root).unwrap_or(path).to_owned();
    }
    paths.sort();
    paths.dedup();
    paths
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().expect("a list").iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[test]
fn every_tool_finds_every_name() {
    let (tree, all) = tree();
    let workspace = open(tree.root());
    for (tool, args) in [
        ("search", json!({"patterns": ["hit"]})),
        ("find", json!({"types": ["f"]})),
        ("search_in_files", json!({"query": "hit"})),
        ("find_files_by_name", json!({"name_pattern": "*.md"})),
        ("Grep", json!({"pattern": "hit"})),
        ("scope_search_text", json!({"scope": "All Places", "query": "hit"})),
        ("scope_search_files", json!({"scope": "All Places", "query": "md", "maxResults": 1000})),
    ] {
        let reply = ask(&workspace, tool, &args);
        let found = paths_of(&reply, &tree);
        // Grep returns the newest hundred.
        let n_expected = if tool == "Grep" { all.len().min(100) } else { all.len() };
        let missing: Vec<&String> = all.iter().filter(|path| !found.contains(path)).collect();
        assert_eq!(found.len(), n_expected, "{tool}: not {missing:?}");
    }
}

/// Every tool accepts the paths that another tool returns.
#[test]
fn every_returned_path_is_accepted() {
    let (tree, _) = tree();
    let workspace = open(tree.root());
    let given = ask(&workspace, "find", &json!({"types": ["f"]}));
    for path in texts(&given["files"], "path") {
        for (tool, args) in [
            ("search", json!({"patterns": ["hit"], "paths": [path]})),
            ("find", json!({"paths": [path]})),
            ("search_in_files", json!({"query": "hit", "path": path})),
        ] {
            let reply = ask(&workspace, tool, &args);
            assert_eq!(reply["error"], Value::Null, "{tool} {path:?}: {reply}");
            assert_eq!(paths_of(&reply, &tree), std::slice::from_ref(&path), "{tool}: {reply}");
        }
        let document = ask(&workspace, "read_document", &json!({"path": path}));
        assert!(document.to_string().contains("# hit"), "{path:?}: {document}");
        if let Some((directory, _)) = path.rsplit_once('/') {
            let args = json!({"roots": [directory], "query": "hit", "fixed_strings": true});
            let reply = ask(&workspace, "find_and_grep", &args).to_string();
            let quoted = json!(path).to_string();
            assert!(reply.contains(quoted.trim_matches('"')), "{path:?}: {reply}");
        }
    }
}

/// Files that are not text are found too, and their bytes can be read.
#[test]
fn names_that_are_not_utf8_are_found_with_their_bytes() {
    let tree = Tree::empty();
    for name in [b"\xff.md".as_slice(), b"a\xc3.md", b"\xed\xa0\x80.md", b"\xf8\x88\x80.md"] {
        std::fs::write(tree.root().join(OsStr::from_bytes(name)), "hit\n").expect("written");
    }
    let workspace = open(tree.root());
    let reply = ask(&workspace, "search", &json!({"patterns": ["hit"]}));
    let mut bytes = texts(&reply["matches"], "path_base64");
    bytes.sort();
    assert_eq!(bytes, ["+IiALm1k", "/y5tZA==", "7aCALm1k", "YcMubWQ="]);
    assert_eq!(reply["complete"], true, "{reply}");
    for (tool, args) in crate::ask::every_tool() {
        // The document that read_document names does not exist in this tree.
        if tool != "read_document" {
            ask(&workspace, tool, &args);
        }
    }
}
