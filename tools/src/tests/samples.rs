//! The sample call of each tool.

use crate::table::TOOLS;
use serde_json::Value;

/// A call of a tool, and the pointer to its results in the reply.
pub(super) struct Sample {
    pub(super) tool: &'static str,
    #[cfg_attr(
        not(any(unix, feature = "symbols")),
        expect(dead_code, reason = "read by a test of all tools")
    )]
    pub(super) results: &'static str,
    pub(super) args: Value,
}

/// Returns a call of each tool for a tree with the word `text` and the Markdown file `document`.
pub(super) fn samples(text: &str, document: &str) -> Vec<Sample> {
    let lines = || include_str!("samples.txt").lines().filter(|line| !line.starts_with('#'));
    let sample = |tool: &'static str| {
        let mut samples = lines().filter_map(|line| line.strip_prefix(tool)?.strip_prefix(' '));
        let sample = samples.next().unwrap_or_else(|| panic!("samples.txt has no call of {tool}"));
        let (results, args) = sample.split_once(' ').expect("a pointer and arguments");
        let words = [("$text", text), ("$symbol", text), ("$document", document)];
        let args =
            words.iter().fold(args.to_owned(), |args, (name, word)| args.replace(name, word));
        Sample { tool, results, args: args.parse().expect("JSON") }
    };
    TOOLS.iter().map(|tool| sample(tool.name)).collect()
}
