//! The exit status of a reply: whether the tool found something.

use crate::finish::Ending;
use serde_json::Value;

/// Where the replies of the tools that search have their results: lists of them or numbers of them.
/// A tool that is not here has done its job when it replies.
const RESULTS: &[(&str, &[&str])] = &[
    ("search", &["/matches", "/files"]),
    ("find", &["/files"]),
    ("search_in_files", &["/matches"]),
    ("find_files_by_name", &["/files"]),
    ("find_and_grep", &["", "/count", "/total_matches", "/summary/total_matches"]),
    ("Grep", &["/data/matches"]),
    ("search_documents", &["/results"]),
    ("list_documents", &["/documents"]),
    ("scope_list_catalog", &["/items"]),
    ("scope_search_files", &["/matchedFilePaths"]),
    ("scope_search_text", &["/occurrences"]),
    ("scope_search_symbols", &["/items"]),
    ("look", &["/total"]),
];

/// Fields of a reply that is not complete, each with its value.
const INCOMPLETE: &[(&str, bool)] = &[
    ("/complete", false),
    ("/timed_out", true),
    ("/timedOut", true),
    ("/truncated", true),
    ("/data/truncated", true),
    ("/meta/truncated", true),
    ("/probablyHasMoreMatchingEntries", true),
    ("/probablyHasMoreMatchingFiles", true),
];

/// Returns how a call ended whose reply is this JSON.
pub(crate) fn ending(tool: &str, reply: &[u8]) -> Ending {
    // A reply that cannot be read back nests arguments deeper than JSON is read; it is an error.
    let Ok(reply) = serde_json::from_slice::<Value>(reply) else { return Ending::Unknown };
    if reply["status"] == "error" || reply["success"] == false {
        return Ending::Unknown;
    }
    let Some((_, places)) = RESULTS.iter().find(|(name, _)| *name == tool) else {
        return Ending::Found;
    };
    if places.iter().any(|place| reply.pointer(place).is_some_and(is_some)) {
        return Ending::Found;
    }
    let is_incomplete =
        INCOMPLETE.iter().any(|(place, value)| reply.pointer(place) == Some(&(*value).into()));
    let has_warnings = reply["warnings"].as_array().is_some_and(|list| !list.is_empty());
    if is_incomplete || has_warnings { Ending::Unknown } else { Ending::Nothing }
}

/// Whether a list or a number of results has any.
fn is_some(results: &Value) -> bool {
    match results {
        Value::Array(list) => !list.is_empty(),
        Value::Number(number) => number.as_u64() != Some(0),
        _ => false,
    }
}

/// Returns how a call ended whose reply is this text.
pub(crate) fn ending_of_text(tool: &str, text: &str) -> Ending {
    if text.starts_with("# error:") {
        return Ending::Unknown;
    }
    if !RESULTS.iter().any(|(name, _)| *name == tool) {
        return Ending::Found;
    }
    // Every line but a remark and the last one is a result or names its file; a number of results
    // without them is in the last line.
    let last = text.lines().last().unwrap_or_default();
    let is_result = |line: &str| !line.starts_with("# ") && !line.starts_with('[');
    let fields = || last.trim_matches(['[', ']']).split("; ");
    let is_count = |field: &str| {
        let (name, number) = field.split_once(": ").unwrap_or_default();
        ["total", "count", "total_matches", "totalItems"].contains(&name)
            && number.parse().is_ok_and(|n: u64| n > 0)
    };
    if text.lines().any(is_result) || fields().any(is_count) {
        return Ending::Found;
    }
    match fields().any(|field| field == "complete: false") {
        true => Ending::Unknown,
        false => Ending::Nothing,
    }
}
