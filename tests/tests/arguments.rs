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
const OTHERS: [(&str, &str); 4] = [
    ("Grep", "include"),
    ("search_documents", "case_sensitive"),
    ("search_documents", "context_chars"),
    ("search_documents", "max_results"),
];

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
search_documents context_chars 10..500
search_documents max_results 1..100
read_document start_line 1..
read_document lines_max 1..
look page 1..6000
look bytes_max 500..1000000
read bytes_max 500..1000000
";

/// Returns the text of an error with its code and parameter, or of a reply that reports one; otherwise the text of
/// the reply as an error.
fn refusal(workspace: &Workspace, tool: &str, args: &Value) -> Result<String, String> {
    match workspace.call(tool, args.to_string().as_bytes(), &Call::new()) {
        Err(error) => {
            let param = error.param().unwrap_or_default();
            Ok(format!("{} of {param}: {}", error.code(), error.message()))
        }
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
    } else {
        // One of several types or of a list of values.
        refuses(json!(1.5), "must be ".into());
    }
    values
}

/// Returns whether a refusal is about this parameter: by its code and parameter, or in the words of a reply.
fn is_about(text: &str, param: &str, part: &str) -> bool {
    let is_error = text.starts_with(&format!("invalid_param of {param}: "));
    let is_named = text.contains(&format!("'{param}'")) || text.contains(&format!("'{param}["));
    text.contains(part) && is_named && (is_error || text.starts_with('{'))
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
                if !refused.as_ref().is_ok_and(|text| is_about(text, param, &part)) {
                    wrong.push(format!("{name} {args}: expected {part:?}, got {refused:?}"));
                }
                n_refused += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    bounds.sort();
    let mut expected: Vec<&str> = BOUNDS.lines().filter(|line| !line.is_empty()).collect();
    expected.sort();
    assert_eq!(bounds, expected);
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
            // In the tools for documents an absolute path counts from the documents' root, and a link is not a
            // document.
            let is_absent = path.starts_with('/') || text.starts_with("not_found ");
            let is_document = tool.contains("document") && is_absent;
            assert!(is_denied || is_document, "{tool} {path:?}: {text}");
        }
    }
}
