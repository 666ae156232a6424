//! The number and size of allocations in a call: figures that do not flicker.
//!
//! Unless a test says otherwise, the calls use one thread, so all their requests are counted, and
//! exactly. Each count is of a repeated call, since a first call also fills caches.

mod counter;
mod git;
mod memory;

use counter::{Counting, Usage, of_all_threads, of_this_thread};
use searchscope::{Call, Workspace};
use searchscope_tests::tree::Tree;
use searchscope_tools::CallTools;
use searchscope_tools::open_workspace;
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Two directory sizes whose listings fit into the same buffer and one chunk.
const FEW: usize = 36;
const MORE: usize = 56;
const DIRS: usize = 12;

/// Returns calls that open every file of a tree and find nothing.
fn searches_without_hit() -> Vec<(&'static str, Value)> {
    vec![
        ("search", json!({ "patterns": ["no such word"] })),
        ("search", json!({ "patterns": [r"no\s+such\s+\w+"] })),
        ("search", json!({ "patterns": ["no such word"], "literal": true, "context_before": 2 })),
        ("search_in_files", json!({ "query": "no such word" })),
        ("search_in_files", json!({ "query": r"[xyz]\d{7}", "use_regex": true })),
    ]
}

/// Makes `n_dirs` directories with `n_files` files each; all names have the same length.
fn tree(n_dirs: usize, n_files: usize) -> Tree {
    let tree = Tree::empty();
    for dir in 0..n_dirs {
        for file in 0..n_files {
            let text = format!("the file {file} of {dir}\nneedle\n");
            tree.write(&format!("dir{dir:05}/f{file:05}.rs"), text);
        }
    }
    tree
}

fn open(tree: &Tree, threads: usize) -> Workspace {
    let options = json!({ "threads": threads }).to_string();
    open_workspace(tree.root(), options.as_bytes()).expect("the tree is there")
}

fn call(workspace: &Workspace, tool: &str, args: &str) -> Value {
    let reply = workspace.call(tool, args.as_bytes(), &Call::new());
    let reply = reply.unwrap_or_else(|error| panic!("{tool} {args}: {error:?}"));
    serde_json::from_slice(&reply).expect("a reply is JSON")
}

/// Returns the allocations of a repeated call. The minimum of several runs: a number in a reply may
/// happen to need a larger buffer.
fn usage(workspace: &Workspace, tool: &str, args: &Value) -> Usage {
    let (args, call) = (args.to_string(), Call::new());
    let run = || workspace.call(tool, args.as_bytes(), &call);
    for _ in 0..3 {
        drop(run().unwrap_or_else(|error| panic!("{tool} {args}: {error:?}")));
    }
    let usages = (0..5).map(|_| of_this_thread(|| drop(run())).1);
    let usage = usages.min_by_key(|usage| usage.allocations).expect("there were runs");
    assert_eq!(usage.live_bytes, 0, "{tool} {args} keeps memory");
    usage
}

fn allocations(tree: &Tree, tool: &str, args: &Value) -> u64 {
    usage(&open(tree, 1), tool, args).allocations
}

/// Returns the number of additional allocations per additional entry, from `few` to `more` with `n` more
/// entries.
fn each(few: u64, more: u64, n: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of a test are small")]
    let each = (more as f64 - few as f64) / n as f64;
    each
}

#[test]
fn a_file_without_a_hit_costs_no_allocation() {
    let (few, more) = (tree(DIRS, FEW), tree(DIRS, MORE));
    for (tool, args) in searches_without_hit() {
        let reply = call(&open(&more, 1), tool, &args.to_string());
        let searched = [&reply["files_searched"], &reply["searched_files"]];
        let n_files = json!(DIRS * MORE);
        assert!(searched.contains(&&n_files), "{tool} {args} does not look at all files: {reply}");
        let of_few = allocations(&few, tool, &args);
        let of_more = allocations(&more, tool, &args);
        assert_eq!(of_few, of_more, "{tool} {args}: {} files more", DIRS * (MORE - FEW));
    }
}

#[test]
fn an_excluded_file_costs_no_allocation() {
    let (few, more) = (tree(DIRS, FEW), tree(DIRS, MORE));
    for (tool, args) in [
        ("find_files_by_name", json!({ "name_pattern": "*.c" })),
        ("find", json!({ "globs": ["*.c"] })),
        ("search_in_files", json!({ "query": "needle", "file_pattern": "*.c" })),
        ("find_and_grep", json!({ "roots": ["."], "query": "needle", "extensions": ["c"] })),
    ] {
        let (of_few, of_more) = (allocations(&few, tool, &args), allocations(&more, tool, &args));
        assert_eq!(of_few, of_more, "{tool} {args}: {} files more", DIRS * (MORE - FEW));
    }
}

#[test]
fn a_directory_costs_few_allocations() {
    let (few, more) = (tree(DIRS, FEW), tree(4 * DIRS, FEW));
    let mut calls = searches_without_hit();
    calls.push(("find_files_by_name", json!({ "name_pattern": "*.c" })));
    for (tool, args) in calls {
        let (of_few, of_more) = (allocations(&few, tool, &args), allocations(&more, tool, &args));
        let each = each(of_few, of_more, 3 * DIRS);
        println!("{tool} {args}: {each} for each directory");
        assert!(each <= 24.0, "{tool} {args}: {each} for each directory");
    }
}

/// A large directory is searched in chunks of dozens of files, and each chunk costs a little.
#[test]
fn files_of_one_large_directory_share_allocations() {
    let (few, more) = (tree(1, 1_000), tree(1, 2_000));
    for (tool, args) in searches_without_hit() {
        let (of_few, of_more) = (allocations(&few, tool, &args), allocations(&more, tool, &args));
        let each = each(of_few, of_more, 1_000);
        println!("{tool} {args}: {each} for each file");
        assert!(each <= 0.25, "{tool} {args}: {each} for each file");
    }
}

/// In time order the files are listed before they are searched, all in one list.
#[test]
fn a_file_sorted_by_time_costs_few_allocations() {
    let (few, more) = (tree(DIRS, FEW), tree(DIRS, MORE));
    for (tool, args) in [
        ("Grep", json!({ "pattern": "no such word" })),
        ("search", json!({ "patterns": ["no such word"], "order": "mtime" })),
        ("search", json!({ "patterns": ["no such word"], "order": "relevance" })),
    ] {
        let (of_few, of_more) = (allocations(&few, tool, &args), allocations(&more, tool, &args));
        let each = each(of_few, of_more, DIRS * (MORE - FEW));
        println!("{tool} {args}: {each} for each file");
        assert!(each <= 1.75, "{tool} {args}: {each} for each file");
    }
}

#[test]
fn a_found_file_costs_few_allocations() {
    let (few, more) = (tree(DIRS, FEW), tree(DIRS, MORE));
    for (tool, args, each_max) in [
        ("find_files_by_name", json!({ "name_pattern": "*.rs" }), 0.1),
        ("find", json!({}), 0.1),
        ("find", json!({ "details": true }), 1.1),
        ("search", json!({ "patterns": ["needle"], "mode": "files" }), 2.1),
        ("search_in_files", json!({ "query": "needle" }), 3.1),
    ] {
        let (of_few, of_more) = (allocations(&few, tool, &args), allocations(&more, tool, &args));
        let each = each(of_few, of_more, DIRS * (MORE - FEW));
        println!("{tool} {args}: {each} for each file");
        let reply = call(&open(&more, 1), tool, &args.to_string());
        let found = reply["files"].as_array().or(reply["matches"].as_array()).map(Vec::len);
        assert_eq!(found, Some(DIRS * MORE), "{tool} {args}");
        assert!(each <= each_max, "{tool} {args}: {each} for each file");
    }
}

#[test]
fn a_call_on_a_small_tree_costs_a_fixed_number_of_allocations() {
    let tree = tree(2, 10);
    for (tool, args, most) in [
        ("search_in_files", json!({ "query": "no such word" }), 140),
        ("search_in_files", json!({ "query": "needle" }), 300),
        ("search", json!({ "patterns": ["no such word"] }), 195),
        ("search", json!({ "patterns": ["needle"] }), 420),
        ("Grep", json!({ "pattern": "no such word" }), 1_600),
        ("Grep", json!({ "pattern": "needle" }), 2_200),
        ("find_files_by_name", json!({ "name_pattern": "*.rs" }), 480),
        ("find", json!({}), 210),
        (
            "find_and_grep",
            json!({ "roots": ["."], "query": "needle", "extensions": ["rs"] }),
            3_000,
        ),
    ] {
        let n = allocations(&tree, tool, &args);
        println!("{tool} {args}: {n} allocations");
        assert!(n <= most, "{tool} {args}: {n} allocations, {most} are enough");
    }
}

/// The scheduler decides which thread lists which directory, so the bound is loose.
#[test]
fn files_without_a_hit_cost_few_allocations_with_two_threads() {
    /// Enough of them for one that nothing disturbed, also on a busy machine.
    const RUNS: usize = 30;
    let _alone = memory::alone();
    let (few, more) = (tree(DIRS, FEW), tree(DIRS, MORE));
    let (tool, args) = ("search_in_files", json!({ "query": "no such word" }));
    let of = |tree: &Tree| {
        let workspace = open(tree, 2);
        drop(call(&workspace, tool, &args.to_string()));
        let runs =
            (0..RUNS).map(|_| of_all_threads(|| call(&workspace, tool, &args.to_string())).1);
        runs.map(|usage| usage.allocations).min().expect("there were runs")
    };
    let each = each(of(&few), of(&more), DIRS * (MORE - FEW));
    assert!(each <= 0.5, "{each} for each file");
}
