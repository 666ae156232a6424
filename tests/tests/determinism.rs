//! The same call returns the same bytes with any number of threads; a deadline only truncates the result.

use searchscope::{Call, Workspace};
use searchscope_tests::tree::Tree;
use searchscope_tools::CallTools;
use searchscope_tools::open_workspace;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const RUNS: usize = 20;

/// Tolerated delay after a deadline on a busy machine; the promised one is 20 ms.
const OVERSHOOT_MAX: Duration = Duration::from_millis(700);

fn call(workspace: &Workspace, tool: &str, args: &Value) -> Vec<u8> {
    let reply = workspace.call(tool, args.to_string().as_bytes(), &Call::new());
    reply.unwrap_or_else(|error| panic!("{tool} {args}: {error:?}"))
}

fn open(tree: &Tree, threads: usize) -> Workspace {
    let options = json!({ "threads": threads }).to_string();
    open_workspace(tree.root(), options.as_bytes()).expect("the tree is there")
}

/// Makes thousands of files in directories of very different sizes, some of them ignored.
fn uneven_tree() -> Tree {
    let tree = Tree::empty();
    for n in 0..3_000_usize {
        let directory = ["", "a/", "a/b/c/d/", "many/", "z-/", "z/"][(n * n + n / 7) % 6];
        let text = format!("file {n}\n{}hit {n}\n", "filler\n".repeat(n * n % 97));
        tree.write(&format!("{directory}{n}.txt"), text.repeat(1 + n % 3));
    }
    tree.write(".gitignore", "*7.txt\n");
    tree.write("a/.gitignore", "!*7.txt\n1*\n");
    tree
}

#[test]
fn the_same_call_returns_the_same_bytes_with_any_threads() {
    let tree = uneven_tree();
    let calls = [
        ("search_in_files", json!({ "query": "hit" })),
        ("search_in_files", json!({ "query": r"hit \d*5$", "use_regex": true, "path": "a" })),
        (
            "search_in_files",
            json!({ "query": "hit", "exclude_query": "9", "file_pattern": "many/*" }),
        ),
        ("find_files_by_name", json!({ "name_pattern": "*[05].txt" })),
    ];
    for (tool, args) in calls {
        let first = call(&open(&tree, 1), tool, &args);
        assert!(first.len() > 1_000, "{tool} {args} shows nothing: {}", first.len());
        for threads in [1, 2, 8] {
            let workspace = open(&tree, threads);
            for run in 0..RUNS {
                let again = call(&workspace, tool, &args);
                assert!(again == first, "{tool} {args}: run {run} with {threads} threads differs");
            }
        }
    }
}

#[test]
fn calls_side_by_side_do_not_disturb_each_other() {
    let tree = uneven_tree();
    let workspace = open(&tree, 2);
    let args = [json!({ "query": "hit" }), json!({ "query": "file 1" })];
    let expected = args.clone().map(|args| call(&workspace, "search_in_files", &args));
    std::thread::scope(|scope| {
        for n in 0..8 {
            let (workspace, args, expected) = (&workspace, &args[n % 2], &expected[n % 2]);
            scope.spawn(move || {
                for _ in 0..5 {
                    assert!(call(workspace, "search_in_files", args) == *expected, "{args}");
                }
            });
        }
    });
}

/// A slow regex for an automaton: it must remember which of the last letters were an `a`, in more states
/// than fit into its cache.
const SLOW_REGEX: &str = "^hit|a[ab]{15}[^ab]";

/// Minimum duration of the whole search, so that a deadline cuts it in the middle.
const SLOW_MIN: Duration = Duration::from_secs(3);

/// Makes a tree on which the slow regex takes long enough; returns it with the whole result.
fn slow_tree(workspace_of: impl Fn(&Tree) -> Workspace) -> (Tree, Value) {
    let tree = Tree::empty();
    let mut seed = 1_u32;
    let mut letters = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if seed >> 31 == 0 { 'a' } else { 'b' }
    };
    let mut n_files: usize = 0;
    let mut wanted = 64;
    loop {
        for n in n_files..wanted {
            // All lines differ, because the automaton caches its states.
            let mut text = format!("hit {n}\n");
            for _ in 0..200 {
                text.extend((0..1_000).map(|_| letters()));
                text.push('\n');
            }
            tree.write(&format!("{n:05}.txt"), text);
        }
        n_files = wanted;
        let args = json!({ "query": SLOW_REGEX, "use_regex": true, "timeout": 600 });
        let started = Instant::now();
        let reply = call(&workspace_of(&tree), "search_in_files", &args);
        if started.elapsed() >= SLOW_MIN {
            return (tree, serde_json::from_slice(&reply).expect("a reply is JSON"));
        }
        assert!(n_files < 4_096, "800 MB of text are quick for {SLOW_REGEX}");
        wanted *= 2;
    }
}

#[test]
fn long_run_a_deadline_returns_a_prefix_in_time() {
    let (tree, whole) = slow_tree(|tree| open(tree, 1));
    assert_eq!(whole["timed_out"], false);
    let args = json!({ "query": SLOW_REGEX, "use_regex": true, "timeout": 1 });
    let started = Instant::now();
    let reply = call(&open(&tree, 1), "search_in_files", &args);
    let elapsed = started.elapsed();
    let part: Value = serde_json::from_slice(&reply).expect("a reply is JSON");
    assert_eq!(part["timed_out"], true);
    assert!(elapsed >= Duration::from_secs(1), "it stopped after {elapsed:?}");
    assert!(elapsed < Duration::from_secs(1) + OVERSHOOT_MAX, "it took {elapsed:?}");
    let matches = |value: &Value| value["matches"].as_array().expect("an array").clone();
    let (part_matches, whole_matches) = (matches(&part), matches(&whole));
    assert!(part_matches.len() < whole_matches.len(), "nothing was cut");
    assert!(whole_matches.starts_with(&part_matches), "not a beginning of the whole answer");
    assert_eq!(part["total_matches"], part_matches.len());
    assert!(part["files_searched"].as_u64() < whole["files_searched"].as_u64());
}

#[test]
fn long_run_a_deadline_ends_a_call_inside_one_huge_line() {
    let tree = Tree::empty();
    tree.write("a.txt", "hit\n");
    tree.write("b.txt", "a".repeat(3 << 20));
    let workspace = open(&tree, 1);
    let args = json!({ "query": "^hit|(?:[ab]?){150}c{3}z", "use_regex": true, "timeout": 1 });
    let started = Instant::now();
    let reply: Value =
        serde_json::from_slice(&call(&workspace, "search_in_files", &args)).expect("JSON");
    let elapsed = started.elapsed();
    assert!(elapsed < Duration::from_secs(1) + OVERSHOOT_MAX, "it took {elapsed:?}");
    assert_eq!(reply["matches"].as_array().map(Vec::len), Some(1), "earlier results stay");
}

#[test]
fn long_run_cancelling_ends_a_running_call_with_the_error() {
    let (tree, _) = slow_tree(|tree| open(tree, 2));
    let workspace = open(&tree, 2);
    let call = Call::new();
    let args = json!({ "query": SLOW_REGEX, "use_regex": true }).to_string();
    let (result, late) = std::thread::scope(|scope| {
        let running = scope.spawn(|| workspace.call("search_in_files", args.as_bytes(), &call));
        std::thread::sleep(Duration::from_millis(300));
        let cancelled = Instant::now();
        call.cancel_token().cancel();
        (running.join().expect("no panic"), cancelled.elapsed())
    });
    assert_eq!(result.expect_err("it was cancelled").code(), "cancelled");
    assert!(late < OVERSHOOT_MAX, "it went on for {late:?}");
}
