//! The engine's results as sets.

use searchscope::{Call, Workspace};
use searchscope_tools::CallTools;
use searchscope_tools::open_workspace;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Path, line number, text of the line.
pub(crate) type Hits = BTreeSet<(String, u64, String)>;

pub(crate) struct Engine(Workspace);

impl Engine {
    pub(crate) fn open(root: &Path) -> Engine {
        Engine(open_workspace(root, b"").expect("the tree is there"))
    }

    pub(crate) fn search(&self, query: &str, use_regex: bool) -> Hits {
        let args = json!({ "query": query, "use_regex": use_regex, "timeout": 900 });
        hits_of(&self.call("search_in_files", &args))
    }

    pub(crate) fn find(&self, name_pattern: &str) -> BTreeSet<String> {
        let reply = self.call("find_files_by_name", &json!({ "name_pattern": name_pattern }));
        let reply: Value = serde_json::from_slice(&reply).expect("a reply is JSON");
        let files = reply["files"].as_array().expect("files is an array");
        let paths: BTreeSet<String> = files.iter().map(text).collect();
        assert_eq!(reply["total_found"], files.len(), "{name_pattern}");
        assert_eq!(paths.len(), files.len(), "{name_pattern}: a file twice");
        paths
    }

    pub(crate) fn root(&self) -> String {
        self.0.root().display().to_string()
    }

    /// Returns the reply of any tool as JSON.
    pub(crate) fn ask(&self, tool: &str, args: &Value) -> Value {
        serde_json::from_slice(&self.call(tool, args)).expect("a reply is JSON")
    }

    fn call(&self, tool: &str, args: &Value) -> Vec<u8> {
        let reply = self.0.call(tool, args.to_string().as_bytes(), &Call::new());
        reply.unwrap_or_else(|error| panic!("{tool} {args}: {error:?}"))
    }
}

/// Returns the matches in a complete reply of `search_in_files`.
pub(crate) fn hits_of(reply: &[u8]) -> Hits {
    let reply: Value = serde_json::from_slice(reply).expect("a reply is JSON");
    assert_eq!(reply["timed_out"], false, "give it more time");
    let matches = reply["matches"].as_array().expect("matches is an array");
    let hit = |hit: &Value| {
        let line = hit["line_number"].as_u64().expect("a line number is a number");
        (text(&hit["file_path"]), line, text(&hit["line_content"]))
    };
    let hits: Hits = matches.iter().map(hit).collect();
    assert_eq!(hits.len(), matches.len(), "a line twice");
    hits
}

fn text(value: &Value) -> String {
    value.as_str().expect("it is a string").to_owned()
}
