//! Memory that stays resident after calls that need much of it. A process of its own with a single test,
//! because the whole process is measured.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the kernel reports the memory of the process, and the test shows it"
)]
#![cfg(target_os = "linux")]

use searchscope::{Call, Workspace};
use searchscope_tests::tree::Tree;
use searchscope_tools::CallTools;
use searchscope_tools::open_workspace;
use serde_json::{Value, json};
use std::sync::Arc;
use std::thread;

/// Threads of a host that call one after the other: each has a heap of its own.
const THREADS: usize = 4;
/// Memory that may stay resident after all of them: buffers, caches, heaps of small blocks.
const RESIDENT_MAX: u64 = 128 << 20;

/// Returns a field of the kernel's statistics of this process, in bytes.
fn status(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the kernel reports");
    let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("it is there");
    let kib = line.trim_start_matches(':').split_whitespace().next().expect("a number");
    kib.parse::<u64>().expect("a number") << 10
}

/// Calls a tool from several threads, which live until all have called; returns the first reply.
fn calls(workspace: &Arc<Workspace>, tool: &'static str, args: &Value) -> Value {
    let args = Arc::new(args.to_string());
    let mut first = Value::Null;
    let mut ends = Vec::new();
    for _ in 0..THREADS {
        let (workspace, args) = (Arc::clone(workspace), Arc::clone(&args));
        let (replied, reply) = std::sync::mpsc::channel();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            let reply = workspace.call(tool, args.as_bytes(), &Call::new());
            let reply = reply.map(|reply| serde_json::from_slice(&reply).expect("JSON"));
            replied
                .send(reply.unwrap_or_else(|error| json!({ "code": error.code() })))
                .expect("sent");
            let _ = ended.recv();
        });
        first = reply.recv().expect("it replies");
        ends.push((end, thread));
    }
    println!("{tool}: {} MiB resident, {} at most", status("VmRSS") >> 20, status("VmHWM") >> 20);
    for (end, thread) in ends {
        drop(end);
        thread.join().expect("it ends");
    }
    first
}

#[test]
fn long_run_memory_is_returned_to_the_system() {
    let tree = Tree::empty();
    let line = "value_a = function_b(value_c, [1, 2, 3], key=value_d.attribute)  # needle\n";
    tree.write("dense/large.py", "a=[1,2,3]#needle\n".repeat((6 << 20) / 17));
    tree.write("parsed/middle.py", line.repeat((2 << 20) / line.len()));
    let options = json!({ "threads": 1 }).to_string();
    let workspace = open_workspace(tree.root(), options.as_bytes()).expect("the tree is there");
    let workspace = Arc::new(workspace);
    let search = |path| {
        json!({ "patterns": ["needle"], "paths": [path], "search_context": "in_comments",
                "matches_max": 10, "deadline_ms": 600_000 })
    };
    calls(&workspace, "search", &json!({ "patterns": ["no such word"] }));
    let before = status("VmRSS");

    let reply = calls(&workspace, "search", &search("parsed"));
    assert_eq!(reply["matches"].as_array().map(Vec::len), Some(10));
    let after = status("VmRSS");
    assert!(after < before + RESIDENT_MAX, "{before}, then {after}");

    let reply = calls(&workspace, "search", &search("dense"));
    let warning = reply["warnings"].to_string();
    assert!(warning.contains("not parsed"), "{warning}");
    let after = status("VmRSS");
    assert!(after < before + RESIDENT_MAX, "{before}, then {after}");
    let most = status("VmHWM");
    assert!(most < before + (384 << 20), "{before}, at most {most}");

    let words: Vec<String> = (0..400_000).map(|n| format!("w{n:06}")).collect();
    calls(&workspace, "search", &json!({ "patterns": words }));
    let after = status("VmRSS");
    assert!(after < before + RESIDENT_MAX, "{before}, then {after}");

    let manifests = manifests();
    let workspace = open_workspace(manifests.root(), options.as_bytes()).expect("it is there");
    let reply = calls(&Arc::new(workspace), "scope_list_catalog", &json!({}));
    assert!(
        reply["diagnostics"].to_string().contains("all modules may have at most 200000 in total")
    );
    let after = status("VmRSS");
    assert!(after < before + RESIDENT_MAX, "{before}, then {after}");
}

/// Makes 1,400 packages that depend on each other, in manifests of 42 MB.
fn manifests() -> Tree {
    const PACKAGES: usize = 1_400;
    let tree = Tree::empty();
    let dependencies: String =
        (0..PACKAGES).map(|n| format!("p{n:04}={{path=\"../p{n:04}\"}}\n")).collect();
    for n in 0..PACKAGES {
        let package = format!("[package]\nname=\"p{n:04}\"\n[dependencies]\n{dependencies}");
        tree.write(&format!("p{n:04}/Cargo.toml"), package);
    }
    tree
}
