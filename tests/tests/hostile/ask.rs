//! Makes calls and checks the properties that every answer must have.

use searchscope::{Call, Workspace};
use searchscope_tests::run_limited;
use searchscope_tests::samples::{Words, samples, samples_at};
use searchscope_tools::CallTools;
use searchscope_tools::open_workspace;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// Timeout of every call here, on any machine.
const LIMIT: Duration = Duration::from_secs(120);

pub(crate) fn open(root: &Path) -> Workspace {
    open_workspace(root, b"{\"threads\": 4}").expect("the tree is there")
}

/// Returns the reply of a call, or the code of its error.
pub(crate) fn try_ask(workspace: &Workspace, tool: &str, args: &Value) -> Result<Value, String> {
    let (workspace, name, bytes) = (workspace.clone(), tool.to_owned(), args.to_string());
    let reply = run_limited(&format!("{tool} {args}"), LIMIT, move || {
        workspace.call(&name, bytes.as_bytes(), &Call::new())
    });
    match reply {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).expect("a reply is JSON")),
        Err(error) => Err(error.code().to_owned()),
    }
}

/// Returns the reply of a call that does not fail.
pub(crate) fn ask(workspace: &Workspace, tool: &str, args: &Value) -> Value {
    try_ask(workspace, tool, args).unwrap_or_else(|code| panic!("{tool} {args}: {code}"))
}

const WORDS: Words<'_> = Words { text: "hit", document: "a.md", symbol: "hit" };

/// Returns one call of every tool, covering the whole tree; `hit` is in its files.
pub(crate) fn every_tool() -> Vec<(&'static str, Value)> {
    samples(&WORDS)
}

/// Returns one call of every tool that takes a path or a scope, restricted to `path`.
pub(crate) fn every_tool_at(path: &str) -> Vec<(&'static str, Value)> {
    samples_at(&WORDS, path)
}

/// Returns the texts under `key` in the objects of a list.
pub(crate) fn texts(list: &Value, key: &str) -> Vec<String> {
    let list = list.as_array().unwrap_or_else(|| panic!("no list: {list}"));
    list.iter().filter_map(|found| found[key].as_str()).map(str::to_owned).collect()
}
