//! Calls, with what every answer has to be.

use searchscope::tools::{TOOLS, open_workspace};
use searchscope::{Call, Workspace};
use searchscope_tests::run_limited;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// No call here may take longer, on any machine.
const LIMIT: Duration = Duration::from_secs(120);

pub(crate) fn open(root: &Path) -> Workspace {
    open_workspace(root, b"{\"threads\": 4}").expect("the tree is there")
}

/// The reply of a call, or the code of its error.
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

/// The reply of a call that does not fail.
pub(crate) fn ask(workspace: &Workspace, tool: &str, args: &Value) -> Value {
    try_ask(workspace, tool, args).unwrap_or_else(|code| panic!("{tool} {args}: {code}"))
}

/// One call of every tool, about everything in the tree; `hit` is in its files.
pub(crate) fn every_tool() -> Vec<(&'static str, Value)> {
    let atom = json!({"atomId": "a", "kind": "STANDARD", "standardScopeId": "All Places"});
    let program = json!({"atoms": [atom], "tokens": [{"op": "PUSH_ATOM", "atomId": "a"}]});
    let described = json!({"version": 1, "atoms": [atom], "tokens": program["tokens"],
        "displayName": "All Places", "scopeShape": "GLOBAL", "diagnostics": []});
    let calls = vec![
        ("search", json!({"patterns": ["hit"]})),
        ("find", json!({})),
        ("search_in_files", json!({"query": "hit"})),
        ("find_files_by_name", json!({"name_pattern": "*"})),
        ("find_and_grep", json!({"roots": ["."], "query": "hit"})),
        ("Grep", json!({"pattern": "hit"})),
        ("search_documents", json!({"query": "hit"})),
        ("list_documents", json!({})),
        ("read_document", json!({"path": "a.md"})),
        ("scope_list_catalog", json!({})),
        ("scope_validate_pattern", json!({"patternText": "file:a//*"})),
        ("scope_resolve_program", program),
        ("scope_describe_program", json!({"scope": described})),
        ("scope_search_files", json!({"scope": "All Places", "query": "a"})),
        ("scope_search_text", json!({"scope": "All Places", "query": "hit"})),
        ("scope_search_symbols", json!({"scope": "All Places", "query": "hit"})),
        ("look", json!({"q": "hit"})),
        ("read", json!({"what": ["."], "outline": true})),
    ];
    let missing: Vec<_> =
        TOOLS.iter().filter(|tool| calls.iter().all(|(name, _)| *name != tool.name)).collect();
    assert!(missing.is_empty(), "no call of {missing:?}");
    calls
}

/// The texts under `key` in the objects of a list.
pub(crate) fn texts(list: &Value, key: &str) -> Vec<String> {
    let list = list.as_array().unwrap_or_else(|| panic!("no list: {list}"));
    list.iter().filter_map(|found| found[key].as_str()).map(str::to_owned).collect()
}
