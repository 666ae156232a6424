//! A tree, and calls of every tool with the replies that every language must return.

use searchscope::Workspace;
use searchscope_tests::mask::mask_bytes;
use searchscope_tests::samples::{Words, samples};
use searchscope_tests::tree::Tree;
use searchscope_tools::CallTools;
use searchscope_tools::open_workspace;
use serde_json::Value;

/// Number of matching lines in many.log; the programs contain it too.
pub(crate) const N_MANY: usize = 5000;

/// One call and its reply.
pub(crate) struct Call {
    pub(crate) tool: &'static str,
    pub(crate) args: String,
    reply: String,
}

impl Call {
    /// Compares the reply in another language, except for its duration.
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

/// Calls every tool in this process.
pub(crate) fn calls(tree: &Tree) -> Vec<Call> {
    let workspace = open_workspace(tree.root(), b"").expect("the tree is there");
    let words = Words { text: "needle", document: "notes.md", symbol: "main" };
    let calls = samples(&words).into_iter().map(|(tool, args)| {
        let args = args.to_string();
        Call { tool, reply: call(&workspace, tool, &args), args }
    });
    calls.collect()
}

/// Returns the matches of "needle" as `path:line:column:text`, from a collected reply.
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

/// Returns the paths that `find` reports.
pub(crate) fn paths(tree: &Tree) -> Vec<String> {
    let workspace = open_workspace(tree.root(), b"").expect("the tree is there");
    let reply: Value = serde_json::from_str(&call(&workspace, "find", "{}")).expect("JSON");
    let files = reply["files"].as_array().expect("the files");
    files.iter().map(|file| file["path"].as_str().expect("a path").to_owned()).collect()
}
