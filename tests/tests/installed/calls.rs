//! A tree, and calls of every tool with the replies that every language must get.

use searchscope::Workspace;
use searchscope::tools::{TOOLS, open_workspace};
use searchscope_tests::mask::mask_bytes;
use searchscope_tests::tree::Tree;
use serde_json::Value;
use std::collections::BTreeSet;

/// How many lines of many.log match; the programs know it too.
pub(crate) const N_MANY: usize = 5000;

const PROGRAM: &str = r#"{
    "atoms":[{"atomId":"s","kind":"STANDARD","standardScopeId":"Project Files"}],
    "tokens":[{"op":"PUSH_ATOM","atomId":"s"}]}"#;

const CALLS: &[(&str, &str)] = &[
    ("search", r#"{"patterns":["needle"],"context_before":1}"#),
    ("find", r#"{"globs":["*.txt"]}"#),
    ("search_in_files", r#"{"query":"needle"}"#),
    ("find_files_by_name", r#"{"name_pattern":"*.txt"}"#),
    ("find_and_grep", r#"{"roots":["."],"query":"needle"}"#),
    ("search_documents", r#"{"query":"notes"}"#),
    ("list_documents", "{}"),
    ("read_document", r#"{"path":"/notes.md"}"#),
    ("scope_list_catalog", "{}"),
    ("scope_validate_pattern", r#"{"patternText":"file:b//*"}"#),
    ("scope_resolve_program", PROGRAM),
    ("scope_describe_program", r#"{"scope":"file:b//*"}"#),
    ("scope_search_files", r#"{"scope":"All Places","query":"a"}"#),
    ("scope_search_text", r#"{"scope":"All Places","query":"needle"}"#),
    ("scope_search_symbols", r#"{"scope":"All Places","query":"main"}"#),
    ("Grep", r#"{"pattern":"needle"}"#),
    ("look", r#"{"q":"needle"}"#),
    ("read", r#"{"what":["b/c.txt"]}"#),
];

/// One call and its reply.
pub(crate) struct Call {
    pub(crate) tool: &'static str,
    pub(crate) args: &'static str,
    reply: String,
}

impl Call {
    /// Compares the reply that another language got, but for how long it took.
    pub(crate) fn check(&self, reply: &str) {
        let masked = |reply: &str| String::from_utf8(mask_bytes(reply.as_bytes()));
        assert_eq!(masked(reply), masked(&self.reply), "{} {}", self.tool, self.args);
    }
}

pub(crate) fn tree() -> Tree {
    let many = "one of many\n".repeat(N_MANY);
    Tree::of(&[
        ("a.txt", "one needle\nnothing here\n"),
        ("b/c.txt", "nothing\r\nthe needle, again\r\n"),
        ("main.go", "package main\n\nfunc main() {}\n"),
        ("many.log", &many),
        ("notes.md", "---\nname: notes\ndescription: what is known\n---\nsome notes\n"),
    ])
}

fn call(workspace: &Workspace, tool: &str, args: &str) -> String {
    let reply = workspace.call(tool, args.as_bytes(), &searchscope::Call::new());
    let reply = reply.unwrap_or_else(|error| panic!("{tool} {args}: {error}"));
    String::from_utf8(reply).expect("a reply is text")
}

/// Every tool, called in this process.
pub(crate) fn calls(tree: &Tree) -> Vec<Call> {
    let named: BTreeSet<&str> = CALLS.iter().map(|(tool, _)| *tool).collect();
    let existing: BTreeSet<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    assert_eq!(named, existing, "each tool has a call");
    let workspace = open_workspace(tree.root(), b"").expect("the tree is there");
    let call = |&(tool, args)| Call { tool, args, reply: call(&workspace, tool, args) };
    CALLS.iter().map(call).collect()
}

/// The matches of "needle" as `path:line:column:text`, from a collected reply.
pub(crate) fn needles(tree: &Tree) -> Vec<String> {
    let workspace = open_workspace(tree.root(), b"").expect("the tree is there");
    let reply = call(&workspace, "search", r#"{"patterns":["needle"]}"#);
    let reply: Value = serde_json::from_str(&reply).expect("a reply is JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let matches = reply["matches"].as_array().expect("the matches");
    let line = |found: &Value| {
        let (path, content) = (text(&found["path"]), text(&found["text"]));
        format!("{path}:{}:{}:{content}", found["line"], found["column"])
    };
    matches.iter().map(line).collect()
}

/// The paths that `find` gives.
pub(crate) fn paths(tree: &Tree) -> Vec<String> {
    let workspace = open_workspace(tree.root(), b"").expect("the tree is there");
    let reply: Value = serde_json::from_str(&call(&workspace, "find", "{}")).expect("JSON");
    let files = reply["files"].as_array().expect("the files");
    files.iter().map(|file| file["path"].as_str().expect("a path").to_owned()).collect()
}
