//! A tree and calls with large files, listings, arguments and replies.

use searchscope_tests::samples::{Words, samples};
use searchscope_tests::tree::Tree;
use serde_json::{Value, json};

/// More names than fit into a list of 256 KiB.
const NAMES: usize = 6_000;

pub(crate) fn tree() -> Tree {
    let tree = Tree::empty();
    let line = "a line of text with a needle in it, and some more of it\n";
    let large = |bytes: usize| line.repeat(bytes / line.len());
    tree.write("text/middle.txt", large(1 << 20));
    tree.write("text/large.txt", large(6 << 20));
    tree.write("text/line.txt", "needle ".repeat(1 << 17));
    tree.write("text/long_line.txt", "needle ".repeat(10 << 17));
    let utf_16: Vec<u8> = large(1 << 20).encode_utf16().flat_map(u16::to_le_bytes).collect();
    tree.write("text/utf_16.txt", [b"\xff\xfe".as_slice(), &utf_16].concat());
    let source = "def needle(): # a needle\n    return 'needle'\n";
    tree.write("source/middle.py", source.repeat((512 << 10) / source.len()));
    tree.write("source/.gitignore", "ignored-*.py\n".repeat(40_000));
    tree.write("docs/guide.md", format!("# Guide\n\n{}", large(2 << 20)));
    tree.write("docs/other.md", format!("# Other\n\n{}", large(400 << 10)));
    for n in 0..NAMES {
        tree.write(&format!("many/a-file-with-a-rather-long-name-{n:05}.md"), "a needle\n");
    }
    tree
}

/// Tools whose samples parse every source of the tree.
const OF_PARSERS: [&str; 3] = ["scope_search_symbols", "look", "read"];

/// Calls whose large allocations are all ours. SECURITY.md names those of other crates, which abort: the
/// compiler of regular expressions, and the parsers of JSON and TOML.
pub(crate) fn calls() -> Vec<(&'static str, Value)> {
    let large = vec![
        (
            "search",
            json!({ "patterns": ["needle"], "matches_max": 100_000, "output_bytes_max": 8 << 20 }),
        ),
        ("search", json!({ "patterns": ["no such text"], "paths": ["text"] })),
        (
            "search",
            json!({ "patterns": ["needle in it"], "multiline": true, "paths": ["text"],
                           "matches_max": 50_000, "context_before": 5, "context_after": 5 }),
        ),
        (
            "search",
            json!({ "patterns": ["needle"], "search_context": "in_comments", "enclosing": true, "uses": ["any"],
                           "paths": ["source"], "matches_max": 20_000 }),
        ),
        (
            "search",
            json!({ "patterns": ["needle"], "order": "mtime", "mode": "files", "files_max": 10_000 }),
        ),
        ("find", json!({ "files_max": 10_000, "details": true })),
        ("find", json!({ "files_max": 10_000, "order": "mtime" })),
        ("search_in_files", json!({ "query": "guide", "file_pattern": "*.md" })),
        (
            "find_and_grep",
            json!({ "roots": ["."], "query": "needle", "extensions": ["md", "txt"] }),
        ),
        (
            "find_and_grep",
            json!({ "roots": ["."], "query": "needle", "extensions": ["md"],
                                  "output_file": "out.json" }),
        ),
        ("scope_list_catalog", json!({ "limit": 10_000 })),
        ("scope_search_files", json!({ "scope": "All Places", "query": "long" })),
    ];
    let words = Words { text: "needle", document: "docs/guide.md", symbol: "needle" };
    let samples = samples(&words).into_iter().filter(|(tool, _)| !OF_PARSERS.contains(tool));
    large.into_iter().chain(samples).collect()
}
