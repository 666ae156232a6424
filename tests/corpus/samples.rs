//! The sample call of each tool, for tests that call every tool on their own tree.

use searchscope_tools::{TOOLS, tools_json};
use serde_json::{Value, json};

const SAMPLES: &str = include_str!("../../tools/src/tests/samples.txt");

/// Names in a tree that the sample calls use.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// A word in files of the tree.
    pub text: &'a str,
    /// The path of a Markdown document.
    pub document: &'a str,
    /// The name of a definition.
    pub symbol: &'a str,
}

/// Returns one call of each tool, in the order of the table.
///
/// # Panics
///
/// A tool of the table has no sample, or a sample is of no tool.
pub fn samples(words: &Words<'_>) -> Vec<(&'static str, Value)> {
    let lines = SAMPLES.lines().filter(|line| !line.starts_with('#'));
    let mut calls: Vec<(&str, Value)> = lines.map(|line| call(line, words)).collect();
    let place = |name: &str| TOOLS.iter().position(|tool| tool.name == name);
    if let Some((name, _)) = calls.iter().find(|(name, _)| place(name).is_none()) {
        panic!("tools/src/tests/samples.txt calls {name}, which is not a tool");
    }
    if let Some(tool) = TOOLS.iter().find(|tool| calls.iter().all(|(name, _)| *name != tool.name)) {
        panic!("tools/src/tests/samples.txt has no call of {}", tool.name);
    }
    calls.sort_by_key(|(name, _)| place(name));
    calls
}

/// Parameters that take one path, and those that take a list.
const PATH: [&str; 2] = ["path", "in"];
const PATHS: [&str; 3] = ["paths", "roots", "what"];

/// Returns the calls of [`samples`] whose tool has a parameter for paths or a scope, with that parameter set to
/// `path`: a file or a directory.
///
/// # Panics
///
/// As [`samples`].
pub fn samples_at(words: &Words<'_>, path: &str) -> Vec<(&'static str, Value)> {
    let tools: Value = serde_json::from_slice(&tools_json()).expect("the tool table is JSON");
    let tools = tools.as_array().expect("the tool table is an array");
    let at = |(tool, mut args): (&'static str, Value)| {
        if args["scope"].is_string() {
            args["scope"] = format!("file:{path}||file:{path}//*").into();
            return Some((tool, args));
        }
        let tool_of_table = tools.iter().find(|listed| listed["name"] == tool)?;
        let has = |name: &&&str| !tool_of_table["inputSchema"]["properties"][**name].is_null();
        match PATH.iter().find(has) {
            Some(name) => args[*name] = path.into(),
            None => args[*PATHS.iter().find(has)?] = json!([path]),
        }
        Some((tool, args))
    };
    samples(words).into_iter().filter_map(at).collect()
}

fn call(line: &'static str, words: &Words<'_>) -> (&'static str, Value) {
    let (name, rest) = line.split_once(' ').expect("a name and a call");
    let (_results, args) = rest.split_once(' ').expect("a pointer and arguments");
    let args = args
        .replace("$text", words.text)
        .replace("$document", words.document)
        .replace("$symbol", words.symbol);
    (name, args.parse().unwrap_or_else(|error| panic!("{line}: {error}")))
}
