//! Each large allocation of each tool fails in turn: the call replies or fails, and the process survives.
//!
//! An unhandled failure aborts the process, so every fault is tried in a child: this program itself,
//! with the name of the test to run there.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "each fault is tried in a child, which reads its environment and reports by its output"
)]

mod allocator;
mod calls;

use allocator::{Failing, fail, fail_above, heal};
use calls::{calls, tree};
use searchscope::Call;
use searchscope_tests::tree::Tree;
use searchscope_tools::CallTools;
use searchscope_tools::open_workspace;
use serde_json::json;
use std::path::Path;
use std::process::Command;

#[global_allocator]
static ALLOCATOR: Failing = Failing;

/// Names the call, the first fault and its kind for a child.
const CALL: &str = "SEARCHSCOPE_TEST_CALL";
/// Names the tree for the child's calls.
const ROOT: &str = "SEARCHSCOPE_TEST_ROOT";
/// A call with more large allocations is tested with the first of them only, and the last attempt.
const FAULTS_MAX: usize = 400;

/// The errors that a call may report. All others would mislead.
const CODES: &[&str] = &["internal", "result_too_large"];

/// Tries faults from the given one until the call meets none; prints each before the attempt.
fn child(request: &str) {
    let (at, rest) = request.split_once(' ').expect("two numbers and a kind");
    let (first, all) = rest.split_once(' ').expect("two numbers and a kind");
    let (tool, args) = calls().remove(at.parse::<usize>().expect("a number"));
    let root = std::env::var_os(ROOT).expect("it is there beside the call");
    let root = Path::new(&root);
    let options = json!({ "threads": 1, "output_dir": root }).to_string();
    let workspace = open_workspace(root, options.as_bytes()).expect("the tree is there");
    let args = args.to_string();
    let usual = workspace.call(tool, args.as_bytes(), &Call::new());
    let usual = usual.err().map(|error| error.code());
    for nth in first.parse::<usize>().expect("a number")..FAULTS_MAX {
        println!("trying {nth}");
        fail(nth, all == "all");
        let reply = workspace.call(tool, args.as_bytes(), &Call::new());
        let seen = heal();
        if let Err(error) = reply
            && seen >= nth
        {
            let is_right = CODES.contains(&error.code()) || Some(error.code()) == usual;
            assert!(is_right, "{tool}, fault {nth}: {error:?}");
        }
        if seen < nth {
            break;
        }
    }
    println!("done");
}

/// Returns the faults of a call that end the process, each with the output.
fn aborts(root: &Path, at: usize, all: &str) -> Vec<String> {
    let mut aborts = Vec::new();
    let mut first = 1;
    loop {
        let program = std::env::current_exe().expect("it runs");
        let output = Command::new(program)
            .args(["--exact", "--nocapture", CHILD])
            .env(ROOT, root)
            .env(CALL, format!("{at} {first} {all}"))
            .output()
            .expect("it runs");
        let stdout = String::from_utf8_lossy(&output.stdout);
        if output.status.success() && stdout.contains("done") {
            return aborts;
        }
        let tried = stdout.lines().filter_map(|line| line.split_once("trying ")).next_back();
        let tried: usize = tried.and_then(|(_, n)| n.parse().ok()).expect("it tries faults");
        let stderr = String::from_utf8_lossy(&output.stderr);
        aborts.push(format!("fault {tried} ({all}): {} {stderr}", output.status));
        first = tried + 1;
    }
}

/// The test that a child runs.
const CHILD: &str = "no_large_allocation_that_fails_ends_the_process";

#[test]
fn no_large_allocation_that_fails_ends_the_process() {
    match std::env::var(CALL) {
        Ok(request) => child(&request),
        Err(_) => let_allocations_fail(6),
    }
}

#[test]
fn long_run_no_large_allocation_of_any_call_that_fails_ends_the_process() {
    let_allocations_fail(1);
}

/// Tries one call in `one_in`.
fn let_allocations_fail(one_in: usize) {
    let tree = tree();
    let mut offences = Vec::new();
    for (at, (tool, args)) in calls().into_iter().enumerate().step_by(one_in) {
        for all in ["one", "all"] {
            let found = aborts(tree.root(), at, all);
            println!("{tool} {:.100}: {} offences ({all})", args.to_string(), found.len());
            offences.extend(found.into_iter().map(|found| format!("{tool} {found}")));
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

/// Patterns whose automata are large.
const LARGE_PATTERNS: [&str; 6] = [
    r"\w{30}x",
    r"\w{200}x",
    r"(?i)[\w-]{90}needle",
    r"(\pL{9}\d{9}){9}",
    r"(?s).{3000}z",
    r"\w+\s\w+",
];
/// The test that a child runs with less memory.
const WITHOUT_LARGE_BLOCKS: &str = "a_pattern_without_memory_for_it_is_an_error";

/// Compiles patterns and searches with them, where no allocation may have more than 1 MiB.
fn search_without_large_blocks() {
    let root = std::env::var_os(ROOT).expect("it is there beside the call");
    let options = json!({ "threads": 1 }).to_string();
    let workspace =
        open_workspace(Path::new(&root), options.as_bytes()).expect("the tree is there");
    fail_above(1 << 20);
    for (tool, name) in [("search", "patterns"), ("Grep", "pattern"), ("look", "q")] {
        for pattern in LARGE_PATTERNS {
            let value = if name == "patterns" { json!([pattern]) } else { json!(pattern) };
            let args = json!({ (name): value }).to_string();
            let reply = workspace.call(tool, args.as_bytes(), &Call::new());
            if let Err(error) = reply {
                let is_told = error.to_string().contains("not enough memory to compile");
                assert!(is_told, "{tool} {pattern}: {error:?}");
                println!("refused {tool} {pattern}");
            }
        }
    }
    println!("done");
}

#[test]
fn a_pattern_without_memory_for_it_is_an_error() {
    if std::env::var_os(CALL).is_some() {
        return search_without_large_blocks();
    }
    let tree = Tree::empty();
    tree.write("a.txt", "some words and a needle in a line of text\n".repeat(20_000));
    let program = std::env::current_exe().expect("it runs");
    let output = Command::new(program)
        .args(["--exact", "--nocapture", WITHOUT_LARGE_BLOCKS])
        .env(ROOT, tree.root())
        .env(CALL, "")
        .output()
        .expect("it runs");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stdout.contains("done"), "{stdout}{stderr}");
    assert!(stdout.matches("refused search").count() >= 4, "{stdout}");
}
