//! Refused arguments of every tool: values of another type, numbers out of bounds, and paths that lead outside.
//!
//! The calls are derived from the samples and the published schemas, so a new tool is tested without cases of its
//! own.

use searchscope::{Call, Workspace};
use searchscope_tests::samples::{Words, samples, samples_at};
use searchscope_tests::tree::Tree;
use searchscope_tools::{CallTools, open_workspace, tools_json};
use serde_json::{Value, json};

const WORDS: Words<'_> = Words { text: "hit", document: "a.md", symbol: "hit" };

/// Parameters whose contracts have words of their own, or replace what is invalid.
const OTHERS: [(&str, &str); 2] = [("Grep", "include"), ("search_documents", "case_sensitive")];

/// Bounds in the contracts, so that no change of a schema goes unnoticed: tool, parameter, minimum and maximum.
const BOUNDS: &str = "
search depth 1..
search context_before 0..1000
search context_after 0..1000
search matches_max 1..100000
search matches_per_file_max 1..
search files_max 1..
search output_bytes_max 1024..67108864
search file_bytes_max 1..
search line_bytes_max 16..8388608
search deadline_ms 1..600000
find depth 1..
find files_max 1..100000
find output_bytes_max 1024..67108864
find deadline_ms 1..600000
search_in_files timeout 1..
find_and_grep depth 1..
find_and_grep file_limit 1..
find_and_grep context_before 0..1000
find_and_grep context_after 0..1000
find_and_grep max_count 1..
find_and_grep timeout_ms 1..
scope_list_catalog limit 1..10000
scope_search_files maxResults 1..100000
scope_search_files timeoutMillis 1..600000
scope_search_text maxUsageCount 1..100000
scope_search_text timeoutMillis 1..600000
scope_search_symbols maxResultCount 1..10000
scope_search_symbols timeoutMillis 1..600000
";

/// Returns the text of an error, or of a reply that reports one; otherwise the text of the reply as an error.
fn refusal(workspace: &Workspace, tool: &str, args: &Value) -> Result<String, String> {
    match workspace.call(tool, args.to_string().as_bytes(), &Call::new()) {
        Err(error) => Ok(format!("{}: {}", error.code(), error.message())),
        Ok(bytes) => {
            let reply: Value = serde_json::from_slice(&bytes).expect("a reply is JSON");
            let text = reply.to_string().replace("\\\"", "\"");
            let has_failed = reply["status"] == "error" || reply["success"] == false;
            if has_failed { Ok(text) } else { Err(text) }
        }
    }
}

/// Returns values that a parameter of this schema refuses, each with a part of the message.
fn refused_values(schema: &Value) -> Vec<(Value, String)> {
    let is = |name: &str| schema["type"].to_string().contains(name);
    let mut values = Vec::new();
    let mut refuses = |value: Value, part: String| values.push((value, part));
    if is("boolean") {
        refuses(json!("x"), "must be true or false, got the string \"x\"".into());
    } else if is("string") {
        refuses(json!([1, 2]), "got an array".into());
    } else if is("integer") {
        refuses(json!("x"), "must be a whole number, got the string \"x\"".into());
        refuses(json!(1.5), "must be a whole number, got the number 1.5".into());
        if let Some(min) = schema["minimum"].as_i64() {
            refuses(json!(min - 1), format!("must be at least {min}, got {}", min - 1));
        }
        if let Some(max) = schema["maximum"].as_i64() {
            refuses(json!(max + 1), format!("must be at most {max}, got {}", max + 1));
        }
    } else if is("array") {
        refuses(json!(1), "must be an array, got the number 1".into());
        refuses(json!([1]), "[0]' must be ".into());
        if schema["minItems"] == 1 {
            refuses(json!([]), "must not be empty".into());
        }
    }
    values
}

#[test]
fn every_parameter_refuses_other_types_and_values_out_of_bounds() {
    let tree = Tree::of(&[("a.md", "hit\n")]);
    let workspace = open_workspace(tree.root(), b"").expect("the tree is there");
    let tools: Vec<Value> = serde_json::from_slice(&tools_json()).expect("the tool table is JSON");
    let samples = samples(&WORDS);
    let (mut bounds, mut wrong, mut n_refused) = (Vec::new(), Vec::new(), 0);
    for tool in &tools {
        let name = tool["name"].as_str().expect("a name");
        let (_, sample) = samples.iter().find(|(tool, _)| *tool == name).expect("its sample");
        let properties = tool["inputSchema"]["properties"].as_object().expect("parameters");
        for (param, schema) in properties {
            if let Some(min) = schema["minimum"].as_u64() {
                let max = schema["maximum"].as_u64().map_or(String::new(), |max| max.to_string());
                bounds.push(format!("{name} {param} {min}..{max}"));
            }
            if OTHERS.contains(&(name, param)) {
                continue;
            }
            for (value, part) in refused_values(schema) {
                let mut args = sample.clone();
                args[param] = value;
                let refused = refusal(&workspace, name, &args);
                let named = format!("'{param}");
                let is_right = refused
                    .as_ref()
                    .is_ok_and(|text| text.contains(&part) && text.contains(&named));
                if !is_right {
                    wrong.push(format!("{name} {args}: expected {part:?}, got {refused:?}"));
                }
                n_refused += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for line in BOUNDS.lines().filter(|line| !line.is_empty()) {
        assert!(bounds.iter().any(|found| found == line), "{line} is not in {bounds:#?}");
    }
    assert!(n_refused > 250, "only {n_refused} values were tried");
}

#[test]
fn no_path_leads_outside() {
    let tree = Tree::of(&[
        ("a.md", "hit\n"),
        ("../outside/a.md", "a CANARY hit\n"),
        ("../root-evil/a.md", "a CANARY hit\n"),
    ]);
    let root = tree.root().display().to_string();
    let (sibling, up) = (format!("{root}-evil"), format!("{root}/../outside"));
    let mut paths = vec!["..", "a/../../outside", "../missing", "/etc", &sibling, &up, "a.md\0"];
    #[cfg(unix)]
    for (to, at) in [("../outside", "link"), ("/etc", "absolute"), ("link", "chain")] {
        std::os::unix::fs::symlink(to, tree.root().join(at)).expect("linked");
        paths.push(at);
    }
    let workspace = open_workspace(tree.root(), b"").expect("the tree is there");
    for path in paths {
        // A pattern of a scope selects files of the tree and is not a path.
        let calls = samples_at(&WORDS, path).into_iter();
        for (tool, args) in calls.filter(|(_, args)| args["scope"].is_null()) {
            let refused = refusal(&workspace, tool, &args);
            let (Ok(text) | Err(text)) = &refused;
            assert!(!text.contains("CANARY"), "{tool} {path:?}: {text}");
            let is_denied = refused.is_ok() && text.to_lowercase().contains("access");
            // In the tools for documents an absolute path counts from the documents' root, and a link is no document.
            let is_absent = path.starts_with('/') || text.starts_with("not_found");
            let is_document = tool.contains("document") && is_absent;
            assert!(is_denied || is_document, "{tool} {path:?}: {text}");
        }
    }
}
