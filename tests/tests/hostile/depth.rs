//! Trees deeper than the longest possible path, and links in cycles.

use crate::ask::{ask, every_tool, open, texts, try_ask};
use rustix::fs::{Mode, OFlags, mkdirat, openat};
use searchscope_tests::tree::Tree;
use serde_json::json;
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Makes nested directories with a file at the end; no single path can name them.
fn nest(root: &Path, name: &str, depth: usize) {
    let mut dir = rustix::fs::open(root, OFlags::PATH, Mode::empty()).expect("opened");
    for _ in 0..depth {
        mkdirat(&dir, name, Mode::RWXU).expect("made");
        dir = openat(&dir, name, OFlags::PATH, Mode::empty()).expect("opened");
    }
    write(&dir, "end.md", b"---\nname: End\ndescription: deep\n---\na deep hit\n");
    write(&dir, "end.rs", b"fn hit() {}\n");
}

fn write(dir: &OwnedFd, name: &str, text: &[u8]) {
    let file = openat(dir, name, OFlags::CREATE | OFlags::WRONLY, Mode::RWXU).expect("made");
    rustix::io::write(&file, text).expect("written");
}

/// A tree whose deep part is removed by a program that can handle it.
struct Deep(Tree);

impl Drop for Deep {
    fn drop(&mut self) {
        let _ = Command::new("rm").arg("-rf").arg("--").arg(self.0.root()).status();
    }
}

fn deep(name: &str, depth: usize) -> Deep {
    let deep = Deep(Tree::of(&[("a.md", "---\nname: A\n---\nhit\n"), ("z.md", "hit\n")]));
    nest(deep.0.root(), name, depth);
    deep
}

/// Tools that report rules and names of scopes.
const WITHOUT_FILES: [&str; 4] = [
    "scope_list_catalog",
    "scope_validate_pattern",
    "scope_resolve_program",
    "scope_describe_program",
];
/// Tools that report files or definitions without the text of a line.
const WITHOUT_TEXT: [&str; 4] =
    ["find", "find_files_by_name", "scope_search_files", "scope_search_symbols"];

#[test]
fn three_thousand_levels_are_searched_by_every_tool() {
    const DEPTH: usize = 3_000;
    for name in ["d", "directory"] {
        let tree = deep(name, DEPTH);
        let workspace = open(tree.0.root());
        let dir = format!("{name}/").repeat(DEPTH);
        let [end, source] = ["md", "rs"].map(|extension| format!("{dir}end.{extension}"));
        let reply = ask(&workspace, "search", &json!({"patterns": ["hit"]}));
        assert_eq!(texts(&reply["matches"], "path"), ["a.md", &end, &source, "z.md"]);
        assert_eq!(reply["complete"], true);
        // A path from a reply is a valid argument.
        let more = [
            ("search", json!({"patterns": ["hit"], "paths": [end]})),
            ("search", json!({"patterns": ["hit"], "paths": [end], "follow": true})),
            ("search_in_files", json!({"query": "hit", "path": end})),
            ("find", json!({"paths": [end]})),
            ("find_files_by_name", json!({"name_pattern": "*", "path": dir})),
            ("search_documents", json!({"query": "hit", "path": dir})),
            ("scope_search_text", json!({"scope": format!("file:{end}"), "query": "hit"})),
        ];
        for (tool, mut args) in every_tool().into_iter().chain(more) {
            match tool {
                "read_document" => args["path"] = json!(end),
                "read" => args = json!({"what": [end], "bytes_max": 1_000_000}),
                // The heading is the path, which is longer than a default reply.
                "look" => (args["q"], args["bytes_max"]) = (json!("a deep hit"), json!(1_000_000)),
                "scope_search_files" => args["query"] = json!("end"),
                _ => {}
            }
            let reply =
                try_ask(&workspace, tool, &args).unwrap_or_else(|code| panic!("{tool}: {code}"));
            if WITHOUT_FILES.contains(&tool) {
                continue;
            }
            let text = reply.to_string();
            let path = if tool == "scope_search_symbols" { &source } else { &end };
            assert!(text.contains(path.as_str()), "{tool} does not name it: {text:.500}");
            // The description of the document is `deep`, its text `a deep hit`.
            let wanted = if tool == "list_documents" { "deep" } else { "a deep" };
            let has_text = WITHOUT_TEXT.contains(&tool) || text.contains(wanted);
            assert!(has_text, "{tool} has not got to it: {text:.500}");
        }
    }
}

#[test]
fn entries_below_the_maximum_depth_are_reported() {
    const DEPTH: usize = 4_200;
    let tree = deep("d", DEPTH);
    let workspace = open(tree.0.root());
    for (tool, args) in [
        ("search", json!({"patterns": ["hit"]})),
        ("find", json!({})),
        ("search", json!({"patterns": ["hit"], "order": "mtime"})),
        ("search", json!({"patterns": ["hit"], "order": "relevance"})),
    ] {
        let reply = ask(&workspace, tool, &args);
        assert_eq!(reply["complete"], false, "{tool}");
        assert_eq!(reply["skipped"]["too_deep"], 1, "{tool}");
    }
    for (tool, args) in every_tool() {
        let reply = try_ask(&workspace, tool, &args);
        assert!(reply.is_ok(), "{tool}: {reply:?}");
    }
}

#[test]
fn loops_and_chains_of_links_end() {
    let tree = Tree::of(&[("a/b/c/f.md", "hit\n"), ("a.md", "hit\n")]);
    let root = tree.root();
    let link = |to: &str, at: &str| symlink(to, root.join(at)).expect("linked");
    link(".", "self");
    link("loop_b", "loop_a");
    link("loop_a", "loop_b");
    link("../../..", "a/b/c/top");
    link("..", "a/b/up");
    link("self/self/self/a", "through");
    // The kernel follows at most forty links; each of these leads to the next.
    link("a.md", "link0");
    for n in 1..60 {
        link(&format!("link{}", n - 1), &format!("link{n}"));
    }
    let workspace = open(root);
    for follow in [false, true] {
        let args = json!({"patterns": ["hit"], "follow": follow, "deadline_ms": 60_000, "matches_max": 100_000});
        let reply = ask(&workspace, "search", &args);
        let paths = texts(&reply["matches"], "path");
        assert!(paths.contains(&"a/b/c/f.md".to_owned()), "{paths:?}");
        assert_ne!(reply["stopped"], "deadline", "follow {follow}");
        assert!(follow || paths.len() == 2, "{paths:?}");
    }
    for (tool, args) in every_tool() {
        let reply = try_ask(&workspace, tool, &args);
        assert!(reply.is_ok(), "{tool}: {reply:?}");
    }
    for path in ["loop_a", "link59", "self/self/self/loop_b"] {
        let args = json!({"patterns": ["hit"], "paths": [path], "follow": true});
        let reply = try_ask(&workspace, "search", &args);
        assert!(!reply.is_ok_and(|reply| reply["total"] != 0), "{path} does not resolve");
    }
}

/// Each of these directories is in all others, by a link, so the number of paths through them is
/// astronomical. A walk continues until its deadline, and reports that.
#[test]
fn a_farm_of_links_is_left_at_the_deadline() {
    const DIRECTORIES: usize = 40;
    let tree = Tree::of(&[("a.md", "hit\n")]);
    for n in 0..DIRECTORIES {
        tree.write(&format!("farm{n}/f.md"), "hit\n");
        for m in 0..DIRECTORIES {
            let at = tree.root().join(format!("farm{n}/to{m}"));
            symlink(format!("../farm{m}"), at).expect("linked");
        }
    }
    let workspace = open(tree.root());
    for (tool, pattern) in [("search", "absent"), ("find", "*.absent")] {
        let args = match tool {
            "search" => json!({"patterns": [pattern], "follow": true, "deadline_ms": 500}),
            _ => json!({"globs": [pattern], "follow": true, "deadline_ms": 500}),
        };
        let started = Instant::now();
        let reply = ask(&workspace, tool, &args);
        assert_eq!(reply["stopped"], "deadline", "{tool}: {reply:.500}");
        assert_eq!(reply["complete"], false, "{tool}");
        assert!(started.elapsed() < Duration::from_secs(20), "{tool}: {:?}", started.elapsed());
    }
    let reply = ask(&workspace, "search", &json!({"patterns": ["hit"]}));
    assert_eq!((&reply["total"], &reply["complete"]), (&json!(DIRECTORIES + 1), &json!(true)));
}
