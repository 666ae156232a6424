//! Checks the peak memory of calls, and that calls retain none.

use crate::counter::{of_all_threads, of_this_thread};
use crate::{call, open, tree, usage};
use searchscope::Call;
use searchscope_tests::tree::Tree;
use searchscope_tools::CallTools;
use serde_json::json;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Number of repetitions of the mixed calls.
const CALLS: usize = 10_000;
const CALLS_OF_WARM_UP: usize = 500;

/// Held by tests that count the requests of all threads.
static ALONE: Mutex<()> = Mutex::new(());

/// Waits for other tests that count the requests of all threads.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn peak_does_not_grow_with_the_tree() {
    let (small, large) = (tree(20, 50), tree(400, 50));
    for (tool, args, more_max) in [
        ("search_in_files", json!({ "query": "no such word" }), 256 << 10),
        ("search", json!({ "patterns": [r"no\s+such\s+\w+"] }), 256 << 10),
        ("find_files_by_name", json!({ "name_pattern": "*.c" }), 256 << 10),
        // Every file is listed with its attributes before the newest are known.
        ("Grep", json!({ "pattern": "no such word" }), 20_000 * 256),
    ] {
        let peak = |tree| usage(&open(tree, 1), tool, &args).peak_bytes;
        let (of_small, of_large) = (peak(&small), peak(&large));
        println!("{tool} {args}: {of_small} bytes for 1,000 files, {of_large} for 20,000");
        assert!(of_small <= 1 << 20, "{tool} {args}: {of_small} bytes for 1,000 files");
        assert!(of_large <= of_small + more_max, "{tool} {args}: {of_small}, then {of_large}");
    }
    let _alone = alone();
    let (args, peak_max) = (json!({ "query": "no such word" }).to_string(), 4 << 20);
    let workspace = open(&large, 2);
    let peak = of_all_threads(|| drop(call(&workspace, "search_in_files", &args))).1.peak_bytes;
    assert!(peak <= peak_max, "two threads hold {peak} bytes");
}

#[test]
fn peak_does_not_grow_with_omitted_results() {
    let (small, large) = (tree(20, 50), tree(200, 50));
    for (tool, args) in [
        ("search", json!({ "patterns": ["needle"], "matches_max": 100 })),
        ("search", json!({ "patterns": ["needle"], "output_bytes_max": 1 << 16 })),
        ("search", json!({ "patterns": ["needle"], "files_max": 10, "mode": "files" })),
        ("find", json!({ "files_max": 100 })),
        ("find", json!({ "output_bytes_max": 1 << 14 })),
    ] {
        let peak = |tree| usage(&open(tree, 1), tool, &args).peak_bytes;
        let (of_small, of_large) = (peak(&small), peak(&large));
        println!("{tool} {args}: {of_small} bytes for 1,000 files, {of_large} for 10,000");
        assert!(of_large <= of_small + (256 << 10), "{tool} {args}: {of_small}, then {of_large}");
    }
}

/// Returns calls of every kind, good and bad, on a small tree.
fn mixed_calls() -> Vec<(&'static str, String)> {
    let calls = [
        ("search", json!({ "patterns": ["needle", "file"], "context_before": 1 })),
        ("search", json!({ "patterns": ["needle"], "matches_max": 3 })),
        ("search", json!({ "patterns": ["(("] })),
        ("search_in_files", json!({ "query": "no such word" })),
        ("search_in_files", json!({ "query": r"f\w+ \d of", "use_regex": true })),
        ("Grep", json!({ "pattern": "NEEDLE" })),
        ("Grep", json!({ "pattern": "x", "path": "../outside" })),
        ("find", json!({ "details": true })),
        ("find_files_by_name", json!({ "name_pattern": "f*[05].rs" })),
        ("find_and_grep", json!({ "roots": ["."], "query": "needle", "extensions": ["rs"] })),
        ("search_documents", json!({ "query": "needle" })),
        ("list_documents", json!({})),
        ("scope_search_files", json!({ "query": "f0" })),
        ("no_such_tool", json!({})),
    ];
    calls.into_iter().map(|(tool, args)| (tool, args.to_string())).collect()
}

#[test]
fn calls_keep_no_memory() {
    let small = tree(2, 4);
    small.write("notes.md", "---\ntitle: Notes\n---\nA needle in the notes\n");
    let (workspace, call, calls) = (open(&small, 1), Call::new(), mixed_calls());
    let mut replies = 0;
    let mut run = |n: usize| {
        for (tool, args) in calls.iter().cycle().take(n) {
            replies += usize::from(workspace.call(tool, args.as_bytes(), &call).is_ok());
        }
    };
    run(CALLS_OF_WARM_UP);
    let ((), usage) = of_this_thread(|| run(CALLS));
    assert!(replies > CALLS / 2, "most calls fail");
    assert_eq!(usage.live_bytes, 0, "{CALLS} calls keep memory: {usage:?}");
}

#[test]
fn workspaces_keep_no_memory_once_closed() {
    let small = tree(2, 4);
    let run = |n: usize| {
        for _ in 0..n {
            let workspace = open(&small, 1);
            drop(call(&workspace, "search_in_files", r#"{"query":"needle"}"#));
        }
    };
    run(10);
    let ((), usage) = of_this_thread(|| run(100));
    assert_eq!(usage.live_bytes, 0, "{usage:?}");
}

/// Helper threads start and exit, but their memory does not accumulate.
#[test]
fn calls_with_two_threads_keep_no_memory() {
    let _alone = alone();
    let tree = tree(20, 50);
    let workspace = open(&tree, 2);
    let run = |n: usize| {
        for _ in 0..n {
            drop(call(&workspace, "search_in_files", r#"{"query":"no such word"}"#));
        }
    };
    run(20);
    let ((), usage) = of_all_threads(|| run(100));
    assert!(usage.live_bytes < 1 << 20, "{usage:?}");
}

/// Packages that all depend on all others: parsing all manifests at once would take forty times the
/// memory of their text.
#[test]
fn the_manifests_of_modules_take_little_memory() {
    const PACKAGES: usize = 400;
    let _alone = alone();
    let tree = Tree::empty();
    let dependencies: String =
        (0..PACKAGES).map(|n| format!("package{n:03}={{path=\"../p{n:03}\"}}\n")).collect();
    for n in 0..PACKAGES {
        let package = format!("[package]\nname=\"package{n:03}\"\n[dependencies]\n{dependencies}");
        tree.write(&format!("p{n:03}/Cargo.toml"), package);
    }
    let workspace = open(&tree, 1);
    let args = json!({}).to_string();
    let usage = of_all_threads(|| drop(call(&workspace, "scope_list_catalog", &args))).1;
    let peak = usage.peak_bytes;
    println!("{} MiB for {PACKAGES} packages", peak >> 20);
    assert!(peak <= 96 << 20, "{peak} bytes");
}
