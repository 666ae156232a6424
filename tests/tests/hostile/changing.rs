//! Files and directories that change while they are read.

use crate::ask::{ask, every_tool, open, try_ask};
use searchscope_tests::tree::Tree;
use serde_json::json;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Runs `work` while a thread repeats `change`.
fn while_changing(change: impl FnMut() + Send, work: impl FnOnce()) {
    struct Raised<'a>(&'a AtomicBool);
    // Also if `work` panics: otherwise the thread would run for ever.
    impl Drop for Raised<'_> {
        fn drop(&mut self) {
            self.0.store(true, Relaxed);
        }
    }
    let (done, mut change) = (AtomicBool::new(false), change);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                change();
            }
        });
        let _raised = Raised(&done);
        work();
    });
}

/// A search of a file that keeps growing ends, and is right about the contents at its start.
#[test]
fn a_growing_file_does_not_prolong_a_search() {
    const GROWN_MAX: u64 = 2 << 30;
    let tree = Tree::empty();
    let start = format!("first hit\n{}last hit\n", "filler line\n".repeat(200_000));
    tree.write("log.txt", &start);
    let path = tree.root().join("log.txt");
    let mut file = std::fs::File::options().append(true).open(&path).expect("opened");
    let more = "grown line\n".repeat(6_000);
    let grow = || {
        file.write_all(more.as_bytes()).expect("written");
        if file.metadata().expect("asked").len() > GROWN_MAX {
            file.set_len(start.len() as u64).expect("cut");
        }
    };
    let workspace = open(tree.root());
    while_changing(grow, || {
        for multiline in [false, true] {
            for pattern in ["hit$", "hit", "absent|hit$"] {
                let args = json!({"patterns": [pattern], "multiline": multiline,
                    "file_bytes_max": 8_u64 << 30, "deadline_ms": 60_000});
                let reply = ask(&workspace, "search", &args);
                let lines: Vec<_> = reply["matches"]
                    .as_array()
                    .expect("matches")
                    .iter()
                    .map(|found| found["line"].clone())
                    .collect();
                // A file that grew too large for memory is skipped and reported.
                let is_told = multiline && reply["skipped"]["too_large"] == 1;
                assert!(is_told || lines == [1, 200_002], "{pattern} {multiline}: {reply}");
                assert_ne!(reply["stopped"], "deadline", "{pattern} {multiline}");
            }
        }
    });
}

/// Each read returns one file, not halves of two files.
#[test]
fn a_replaced_file_is_read_consistently() {
    let tree = Tree::empty();
    let text = |letter: &str| format!("{letter} hit {}\n", "filler ".repeat(30)).repeat(9_000);
    let (a, b) = (text("a"), text("b"));
    tree.write("f.txt", &a);
    let (path, new) = (tree.root().join("f.txt"), tree.around().join("new"));
    let mut is_a = false;
    let replace = || {
        std::fs::write(&new, if is_a { &a } else { &b }).expect("written");
        std::fs::rename(&new, &path).expect("renamed");
        is_a = !is_a;
    };
    let workspace = open(tree.root());
    while_changing(replace, || {
        for n in 0..20 {
            let args = json!({"patterns": ["a hit", "b hit"], "multiline": n % 2 == 0,
                "matches_max": 10_000, "output_bytes_max": 16 << 20});
            let reply = ask(&workspace, "search", &args);
            let found = reply["matches"].as_array().expect("matches");
            let texts: std::collections::BTreeSet<_> =
                found.iter().filter_map(|one| one["text"].as_str()).collect();
            assert_eq!((found.len(), texts.len()), (9_000, 1), "{texts:?}");
        }
    });
}

/// Directories appear, vanish and are renamed while every tool walks them.
#[test]
fn a_constantly_changing_tree_is_not_an_error() {
    let tree = Tree::empty();
    for n in 0..400 {
        tree.write(&format!("stays/d{}/f{n}.md", n % 20), "hit\n");
    }
    let root = tree.root().to_owned();
    let mut n = 0_usize;
    let change = || {
        n += 1;
        let (one, other) = (root.join(format!("x{}", n % 7)), root.join(format!("y{}", n % 5)));
        let _ = std::fs::create_dir_all(one.join("deep/er"));
        let _ = std::fs::write(one.join("deep/er/f.md"), "hit\n");
        let _ = std::fs::write(one.join("package.json"), "{\"name\": \"x\"}");
        let _ = std::fs::rename(&one, &other);
        let _ = std::fs::remove_dir_all(&one);
        if n.is_multiple_of(11) {
            let _ = std::fs::remove_dir_all(&other);
        }
    };
    let workspace = open(tree.root());
    while_changing(change, || {
        for round in 0..30 {
            for (tool, args) in every_tool() {
                let reply = try_ask(&workspace, tool, &args);
                // The document never existed.
                assert!(reply.is_ok() || tool.starts_with("read"), "{tool}: {reply:?}");
                if tool == "search_in_files" {
                    let reply = reply.expect("asked");
                    let matches = reply["matches"].as_array().expect("matches");
                    let stays = |found: &&serde_json::Value| {
                        found["file_path"].as_str().is_some_and(|path| path.starts_with("stays/"))
                    };
                    assert_eq!(matches.iter().filter(stays).count(), 400, "in round {round}");
                }
            }
        }
    });
}

/// The root moves away and another directory takes its place: the workspace keeps its own.
#[test]
fn a_replaced_root_stays_the_opened_directory() {
    let tree = Tree::of(&[("a.md", "hit\n"), ("../other/CANARY.md", "CANARY hit\n")]);
    let workspace = open(tree.root());
    let away = tree.around().join("away");
    std::fs::rename(tree.root(), &away).expect("renamed");
    std::fs::rename(tree.around().join("other"), tree.root()).expect("renamed");
    for (tool, args) in every_tool() {
        let reply = format!("{:?}", try_ask(&workspace, tool, &args));
        assert!(!reply.contains("CANARY"), "{tool}: {reply}");
    }
    let reply = ask(&workspace, "search", &json!({"patterns": ["hit"]}));
    assert_eq!(crate::ask::texts(&reply["matches"], "path"), ["a.md"]);
}
