//! Replies as text: every case of the corpus is parsed back and compared with its JSON.

use searchscope::{Call, Workspace};
use searchscope_tests::case::{WorkspaceCases, load};
use searchscope_tests::repository;
use searchscope_tests::tree::{Tree, user_is_refused_nothing};
use searchscope_tools::CallTools;
use searchscope_tools::open_workspace;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ops::Range;

/// Minimum number of replies to compare.
const REPLIES_MIN: usize = 700;

#[test]
fn texts_contain_the_values_of_the_json() {
    let (mut n_replies, mut n_rows, mut failures) = (0, 0, Vec::new());
    for (file_name, file) in &load(&repository().join("tests/cases")) {
        for cases in &file.workspace {
            if cases.unprivileged && user_is_refused_nothing() {
                continue;
            }
            for (case, json, text) in replies(&file.tool, cases) {
                n_replies += 1;
                // The reply of look and read is text already; Grep has a text for people beside its data.
                if json.get("text").is_some() && json.get("status").is_none() {
                    // On a busy machine one of the two may have stopped at the share of time that a step has.
                    let is_stopped = |text: &str| text.contains("; incomplete]\n");
                    if is_stopped(&text) != json["text"].as_str().is_some_and(is_stopped) {
                        continue;
                    }
                    assert_eq!(json["text"], text, "{case}");
                    continue;
                }
                let parsed = Parsed::of(&text);
                n_rows += parsed.rows.len();
                if let Err(why) = compare(&json, &parsed) {
                    failures.push(format!("{file_name}: {case}: {why}\n{json}\n{text}"));
                }
            }
        }
    }
    let n = failures.len();
    failures.truncate(20);
    assert!(failures.is_empty(), "{n} of {n_replies}\n\n{}", failures.join("\n\n"));
    assert!(
        n_replies >= REPLIES_MIN && n_rows >= REPLIES_MIN,
        "{n_replies} replies, {n_rows} rows"
    );
}

/// Returns the replies of the cases of a workspace as JSON and as text.
fn replies(tool: &str, cases: &WorkspaceCases) -> Vec<(String, Value, String)> {
    let tree = Tree::build(&cases.tree).unwrap_or_else(|why| panic!("{}: {why}", cases.name));
    let options = Value::from(cases.options.clone()).to_string();
    let workspace = open_workspace(tree.root(), options.as_bytes()).expect("the tree is there");
    let asked = cases.case.iter().map(|case| (case, case.call(tool, tree.root())));
    let replied = asked.filter_map(|(case, call)| {
        let (json, text) = reply(&workspace, &call.tool, &call.args)?;
        Some((format!("{}: {}", cases.name, case.name), json, text))
    });
    replied.collect()
}

/// Returns a reply in both forms; `None` if the call fails, in which case it must fail in both.
fn reply(workspace: &Workspace, tool: &str, args: &[u8]) -> Option<(Value, String)> {
    let call = Call::new();
    let json = workspace.call(tool, &with_text_defaults(tool, args), &call);
    let text = workspace.call_text(tool, args, &call);
    match (json, text) {
        (Ok(json), Ok(text)) => Some((serde_json::from_slice(&json).expect("JSON"), text)),
        (Err(one), Err(other)) => {
            assert_eq!(one.code(), other.code());
            None
        }
        (json, text) => panic!("{tool}: {:?} but as text {text:?}", json.map(|json| json.len())),
    }
}

/// Returns the arguments with which the JSON reply has the same page as the text reply. They are added
/// to the text of the object, because a JSON parser would lose its duplicate keys.
fn with_text_defaults(tool: &str, args: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(args);
    let Ok(Value::Object(given)) = serde_json::from_str(&text) else { return args.to_vec() };
    if tool == "scope_search_symbols" && !given.is_empty() && !given.contains_key("signatures") {
        return text.replacen('{', "{\"signatures\": true, ", 1).into_bytes();
    }
    if tool != "search" || given.is_empty() {
        return args.to_vec();
    }
    let defaults = [
        ("count_all", json!(true)),
        ("line_bytes_max", json!(300)),
        ("output_bytes_max", json!(49_152)),
        ("matches_max", json!(100)),
    ];
    let is_count = given.get("mode") == Some(&json!("count"));
    let is_limited = is_count || given.contains_key("limit") || given.contains_key("max_results");
    let is_missing =
        |name: &str| !(given.contains_key(name) || is_limited && name == "matches_max");
    let missing = defaults.iter().filter(|(name, _)| is_missing(name));
    let added: String = missing.map(|(name, value)| format!("\"{name}\": {value}, ")).collect();
    text.replacen('{', &format!("{{{added}"), 1).into_bytes()
}

/// Lines above this size are cut in texts, unless their tool has limited them.
const LINE_BYTES_MAX: usize = 500;

/// A text reply, parsed by the first bytes of its lines alone.
#[derive(Default)]
struct Parsed {
    /// Path, line and text of every row that is not context.
    rows: Vec<(String, u64, String)>,
    /// The bytes that a row has of its line, by path and line, where it has a part.
    parts: BTreeMap<(String, u64), Range<usize>>,
    paths: Vec<String>,
    remarks: Map<String, Value>,
    last: Map<String, Value>,
}

impl Parsed {
    fn of(text: &str) -> Parsed {
        let (mut parsed, mut remarks) = (Parsed::default(), Vec::new());
        let body = text.strip_suffix('\n').expect("a text ends its last line");
        let lines: Vec<&str> = body.split('\n').collect();
        for (at, line) in lines.iter().enumerate() {
            if let Some(fields) = line.strip_prefix('[') {
                assert_eq!(at + 1, lines.len(), "one last line: {text}");
                parsed.last = pairs(fields.strip_suffix(']').expect("it is closed"));
            } else if let Some(remark) = line.strip_prefix("# ") {
                let inner = remark.trim_start_matches(' ');
                if !remark.starts_with("in: ") {
                    remarks.push(((remark.len() - inner.len()) / 2, inner));
                }
            } else if line.starts_with([' ', '>']) {
                let (place, text) = line[1..].split_once(": ").expect("a row has a colon");
                // The uses of its matches may follow the number.
                let place = place.split(' ').next().expect("a first part");
                let number = place.split('[').next().expect("a first part").parse();
                let path = parsed.paths.last().expect("a heading comes first").clone();
                let number = number.expect("a number");
                if let Some((_, part)) = place.split_once('[') {
                    let (range, _) = part.split_once('/').expect("a part has a length");
                    let (start, end) = range.split_once('-').expect("a part has two ends");
                    let at = |text: &str| text.parse::<usize>().expect("a position");
                    parsed.parts.insert((path.clone(), number), at(start)..at(end));
                }
                parsed.rows.push((path, number, text.to_owned()));
            } else if !line.starts_with('-') {
                parsed.paths.push(unquoted(line.split('\t').next().expect("a first part")));
            }
        }
        assert!(lines[lines.len() - 1].starts_with('['), "{text}");
        if let (Value::Object(fields), _) = nested(&remarks, 0) {
            parsed.remarks = fields;
        }
        parsed
    }
}

/// Parses the fields of the last line.
fn pairs(mut text: &str) -> Map<String, Value> {
    let mut fields = Map::new();
    while let Some((key, rest)) = text.split_once(": ") {
        let (value, len) = if rest.starts_with(['"', '[', '{']) {
            let mut json = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
            let value = json.next().expect("a value").expect("JSON");
            (value, json.byte_offset())
        } else {
            let len = rest.find("; ").unwrap_or(rest.len());
            let text = &rest[..len];
            (serde_json::from_str(text).unwrap_or_else(|_| text.into()), len)
        };
        fields.insert(key.to_owned(), value);
        text = rest[len..].strip_prefix("; ").unwrap_or_default();
    }
    fields
}

/// Returns the value of the remarks at this depth, and the number of these remarks.
fn nested(lines: &[(usize, &str)], depth: usize) -> (Value, usize) {
    let (mut fields, mut items, mut at) = (Map::new(), Vec::new(), 0);
    while at < lines.len() && lines[at].0 == depth {
        let (key, rest) = split_key(lines[at].1);
        at += 1;
        let value = if rest.is_empty() {
            let (value, n) = nested(&lines[at..], depth + 1);
            at += n;
            value
        } else {
            let text = &rest[1..];
            serde_json::from_str(text).unwrap_or_else(|_| text.into())
        };
        match key {
            Some(key) => _ = fields.insert(key, value),
            None => items.push(value),
        }
    }
    (if items.is_empty() { fields.into() } else { items.into() }, at)
}

/// Returns the key of a field, or `None` for an item, and the rest after it.
fn split_key(text: &str) -> (Option<String>, &str) {
    if let Some(rest) = text.strip_prefix('-') {
        return (None, rest);
    }
    if text.starts_with('"') {
        let mut json = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let key = json.next().expect("a key").expect("a key is JSON");
        return (Some(key), &text[json.byte_offset() + 1..]);
    }
    let (key, rest) = text.split_once(':').expect("a remark has a key");
    (Some(key.to_owned()), rest)
}

fn unquoted(heading: &str) -> String {
    let Some(inner) = heading.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else {
        return heading.to_owned();
    };
    let (mut out, mut chars) = (String::new(), inner.chars());
    while let Some(c) = chars.next() {
        out.push(match c {
            '\\' => match chars.next().expect("an escape continues") {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'u' => {
                    let hex: String = chars.by_ref().skip(1).take_while(|c| *c != '}').collect();
                    let number = u32::from_str_radix(&hex, 16).expect("a number");
                    char::from_u32(number).expect("a character")
                }
                c => c,
            },
            c => c,
        });
    }
    out
}

/// Formats content as rows do, without indentation, which rows of a file may share.
fn shown(text: &str) -> String {
    let mut out = String::new();
    for c in text.trim_start_matches([' ', '\t']).chars() {
        match c {
            '\t' => out.push(c),
            '\r' => out.push_str("\\r"),
            c if c.is_control() || "\u{2028}\u{2029}\u{200e}\u{200f}\u{61c}".contains(c) => {
                out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
            }
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}

type Rows = Vec<(String, u64, String)>;

fn text_of(item: &Value, names: &[&str]) -> Option<String> {
    Some(names.iter().find_map(|name| item.get(*name)?.as_str())?.to_owned())
}

fn line_of(item: &Value) -> u64 {
    let names = ["file_line", "line", "line_number", "lineNumber"];
    names.iter().find_map(|name| item.get(*name)?.as_u64()).expect("a line has a number")
}

/// Returns the results of a reply as rows, and the paths of its files.
fn results(json: &Value, parts: &BTreeMap<(String, u64), Range<usize>>) -> (Rows, Vec<String>) {
    let (mut rows, mut paths) = (Rows::new(), Vec::new());
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let path_of = |item: &Value| text_of(item, &["path", "file_path", "file", "filePath"]);
    let mut add = |path: &str, item: &Value| {
        let text = text_of(item, &["text", "line_content", "content", "lineText", "excerpt"]);
        let Some(text) = text else { return };
        let is_part = item.get("text_start").is_some();
        let is_limited = ["spans", "lineText", "excerpt"].iter().any(|key| item.get(key).is_some());
        let is_cut = !is_limited && text.len() > LINE_BYTES_MAX && !text.contains('\n');
        let text = match parts.get(&(path.to_owned(), line_of(item))) {
            Some(range) if is_cut && range.len() <= LINE_BYTES_MAX => {
                text[range.clone()].to_owned()
            }
            _ if is_cut => panic!("a long line is whole in the text: {item}"),
            _ => text,
        };
        let texts = if is_part { vec![text.as_str()] } else { text.split('\n').collect() };
        for (line, text) in (line_of(item)..).zip(texts) {
            let text = if is_part { text.replace('\n', "\\n") } else { text.to_owned() };
            rows.push((path.to_owned(), line, shown(&text)));
        }
    };
    let data = &json["data"];
    let summary = &json["summary"];
    let keys =
        ["matches", "results", "occurrences", "sample_matches", "files", "documents", "top_files"];
    for (part, key) in
        [json, data, summary].into_iter().flat_map(|part| keys.map(|key| (part, key)))
    {
        for item in list(part, key) {
            let Some(path) = item.as_str().map(str::to_owned).or_else(|| path_of(&item)) else {
                continue;
            };
            add(&path, &item);
            for hit in list(&item, "matches") {
                add(&path, &hit);
            }
            paths.push(path);
        }
    }
    let paths_only = list(json, "matchedFilePaths");
    paths.extend(paths_only.iter().filter_map(|path| path.as_str().map(str::to_owned)));
    paths.extend(json["file_counts"].as_object().into_iter().flat_map(|all| all.keys().cloned()));
    (rows, paths)
}

fn compare(json: &Value, parsed: &Parsed) -> Result<(), String> {
    let same = |what: &str, one: &Value, other: &Value| {
        let message = || format!("{what}: {one} in the JSON, {other} in the text");
        if one == other { Ok(()) } else { Err(message()) }
    };
    let Some(fields) = json.as_object() else {
        return same("total", json, &parsed.last["total"]);
    };
    let (mut rows, mut paths) = results(json, &parsed.parts);
    if let (Some(content), Some(start)) = (fields.get("content"), fields.get("start_line")) {
        let lines = content.as_str().expect("text").split_inclusive('\n');
        let lines = lines.map(|line| shown(line.strip_suffix('\n').unwrap_or(line)));
        let path = json["path"].as_str().expect("a path").to_owned();
        rows = (start.as_u64().expect("a number")..)
            .zip(lines)
            .map(|(line, text)| (path.clone(), line, text))
            .collect();
        paths = vec![path];
    }
    for item in json["items"].as_array().into_iter().flatten() {
        let Some(path) = item["filePath"].as_str() else { break };
        paths.push(path.to_owned());
        let row = parsed.rows.iter().find(|(at, line, text)| {
            let name = item["qualifiedName"].as_str().expect("a name");
            at == path && item["line"] == *line && text.contains(name)
        });
        row.ok_or_else(|| format!("no row for {item}"))?;
    }
    if json["items"][0].get("filePath").is_none() {
        let trimmed = parsed.rows.iter().map(|(path, line, text)| {
            (path.clone(), *line, text.trim_start_matches([' ', '\t']).to_owned())
        });
        same("rows", &json!(sorted(rows)), &json!(sorted(trimmed.collect())))?;
    }
    // Matches of one file share a heading.
    paths.dedup();
    let mut headings = parsed.paths.clone();
    headings.dedup();
    same("paths", &json!(sorted(paths)), &json!(sorted(headings)))?;
    compare_told(json, parsed)
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort();
    items
}

const UNTOLD: [&str; 6] =
    ["elapsed_us", "time_ms", "fd_elapsed_ms", "rg_elapsed_ms", "canceled", "success"];

/// Checks that every number and flag is in the last line, and everything else in remarks.
fn compare_told(json: &Value, parsed: &Parsed) -> Result<(), String> {
    let parts = ["data", "stats", "meta", "summary"].iter().filter_map(|part| json.get(*part));
    for (key, value) in parts.chain([json]).filter_map(Value::as_object).flatten() {
        let is_told = match value {
            _ if UNTOLD.contains(&key.as_str()) => true,
            Value::Bool(_) | Value::Number(_) => parsed.last.get(key) == Some(value),
            Value::Array(items) if items.is_empty() => true,
            _ if key == "all" => {
                let mut fields = value.as_object().into_iter().flatten();
                fields.all(|(name, value)| parsed.last.get(&format!("all.{name}")) == Some(value))
            }
            _ if key == "skipped" => value.as_object().into_iter().flatten().all(|(reason, n)| {
                *n == 0 || parsed.last.get(&format!("skipped.{reason}")) == Some(n)
            }),
            _ if ["cursor", "total_kind", "status"].contains(&key.as_str()) => {
                parsed.last.get(key) == Some(value)
            }
            _ if key == "stopped" => value == "none" || parsed.last.get(key) == Some(value),
            _ if ["warnings", "why_nothing", "diagnostics", "error"].contains(&key.as_str()) => {
                parsed.remarks.get(key) == Some(value)
            }
            _ if ["scope", "no_grammar", "descriptor", "atoms"].contains(&key.as_str()) => {
                parsed.remarks.get(key) == Some(value)
            }
            _ => true,
        };
        if !is_told {
            return Err(format!("{key} is not in the text: {value}"));
        }
    }
    Ok(())
}
