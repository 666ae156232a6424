//! The system refuses or delays single calls: never a crash, never an empty success.

use super::{Output, Traced, traced};
use crate::ask::every_tool;
use searchscope_tests::mask::mask;
use searchscope_tests::say;
use searchscope_tests::tree::Tree;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// One thread, so that each run makes the same system calls.
const OPTIONS: &str = "{\"threads\": 1}";

/// The system calls that searching is made of, and how they may fail.
const FAULTS: &[(&str, &[&str])] = &[
    ("openat", &["EMFILE", "ENFILE", "EACCES", "ENOMEM", "EINTR", "EIO", "ESTALE"]),
    ("openat2", &["EMFILE", "EACCES", "EIO", "EINTR", "ENOMEM"]),
    ("getdents64", &["EIO", "EACCES", "EINTR", "ENOMEM"]),
    ("read", &["EIO", "EINTR", "EISDIR"]),
    ("fstat", &["EIO", "ENOMEM", "EINTR"]),
    ("newfstatat", &["EACCES", "EIO", "ENOMEM", "EINTR"]),
];
/// Of each system call so many occasions are spoilt, in every tool.
const OCCASIONS: usize = 4;

fn tree() -> Tree {
    let tree = Tree::of(&[
        ("a.md", "# a\n\na hit\n"),
        ("b/a.rs", "fn hit() {}\n"),
        ("b/c/a.md", "hit\nhit\n"),
        ("d/.gitignore", "ignored\n"),
        ("d/ignored", "hit\n"),
        ("d/a.txt", "no\nhit\n"),
        ("e/package.json", "{\"name\": \"e\"}\n"),
        ("e/a.js", "function hit() {}\n"),
    ]);
    // Times that are all different, so that orders by time are the same in every run.
    for (n, name) in ["a.md", "b/a.rs", "b/c/a.md", "d/a.txt", "e/a.js"].iter().enumerate() {
        let time = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 + n as u64);
        let file = std::fs::File::open(tree.root().join(name)).expect("it was just made");
        file.set_modified(time).expect("set");
    }
    tree
}

fn run(traced: &Traced, strace: &[&str], tree: &Tree, tool: &str, args: &Value) -> Output {
    traced.run(strace, tree.root(), OPTIONS, &[(tool, &args.to_string())])
}

/// The one answer: the reply without what differs from run to run, or none for an error.
fn answer(output: &Output) -> Option<Value> {
    let answers = output.answers();
    let [(status, bytes)] = &answers[..] else { panic!("not one answer: {answers:?}") };
    let value = mask(serde_json::from_slice(bytes).expect("an answer is JSON"));
    (status == "0").then_some(value)
}

/// Whether a reply tells, wherever its contract has a place for it, that something was not looked at
/// or not whole.
fn tells(reply: &Value) -> bool {
    match reply {
        Value::Object(fields) => fields.iter().any(|(name, value)| match name.as_str() {
            "complete" | "success" => value == false,
            "status" => value == "error",
            "unreadable" | "special" => value.as_u64().is_some_and(|n| n > 0),
            "warnings" | "diagnostics" | "problems" => {
                value.as_array().is_some_and(|l| !l.is_empty())
            }
            _ => tells(value),
        }),
        Value::Array(items) => items.iter().any(tells),
        _ => false,
    }
}

/// How many results a reply has, whatever they are called.
fn results(reply: &Value) -> usize {
    let names = ["matches", "files", "items", "results", "occurrences", "matchedFilePaths"];
    let of = |reply: &Value| {
        let lists = names.iter().filter_map(|name| reply[*name].as_array());
        lists.map(Vec::len).sum::<usize>()
    };
    of(reply) + of(&reply["data"])
}

/// The places in the order of their system call that a run may be spoilt at: what is asked of the tree
/// behind the opening of its root.
fn occasions(trace: &str, call: &str, root: &str) -> Vec<usize> {
    let mut seen = 0;
    let mut is_open = false;
    let mut found = Vec::new();
    for line in trace.lines() {
        let text = line.split_once(' ').map_or("", |(_, text)| text.trim_start());
        is_open |= text.starts_with("open") && text.ends_with(&format!("<{root}>"));
        if text.split_once('(').is_some_and(|(name, _)| name == call) {
            seen += 1;
            if is_open && text.contains(&format!("<{root}")) {
                found.push(seen);
            }
        }
    }
    found
}

/// Some of them: the first, the last, and between.
fn some(occasions: &[usize]) -> Vec<usize> {
    let last = occasions.len().saturating_sub(1);
    let mut chosen: Vec<usize> =
        (0..OCCASIONS).filter_map(|n| occasions.get(n * last / (OCCASIONS - 1)).copied()).collect();
    chosen.dedup();
    chosen
}

#[test]
fn a_fault_of_the_system_is_told() {
    let Some(traced) = traced("faults of the system") else { return };
    let tree = tree();
    let root = tree.root().display().to_string();
    let (mut n_runs, mut n_met, mut silent) = (0, 0, Vec::new());
    for (tool, args) in every_tool() {
        let watch = "trace=open,openat,openat2,getdents64,read,fstat,newfstatat";
        let clean_run = run(traced, &["-y", "-e", watch], &tree, tool, &args);
        let clean = answer(&clean_run).unwrap_or_else(|| panic!("{tool} fails by itself"));
        for (call, errors) in FAULTS {
            let occasions = occasions(&clean_run.trace, call, &root);
            for (n, occasion) in some(&occasions).into_iter().enumerate() {
                for (error, ever) in
                    [(errors[n % errors.len()], ""), (errors[(n + 1) % errors.len()], "+")]
                {
                    // Interrupted for ever would be tried again for ever.
                    if error == "EINTR" && ever == "+" {
                        continue;
                    }
                    let inject = format!("inject={call}:error={error}:when={occasion}{ever}");
                    let trace = format!("trace={call}");
                    let strace = ["-e", trace.as_str(), "-e", inject.as_str()];
                    let output = run(traced, &strace, &tree, tool, &args);
                    n_runs += 1;
                    n_met += usize::from(output.trace.contains("(INJECTED)"));
                    // The workspace could not be opened, or the program could not read its input.
                    if matches!(output.status.code(), Some(1 | 2))
                        && output.stderr.contains("call: ")
                    {
                        continue;
                    }
                    let Some(reply) = answer(&output) else { continue };
                    // An ignore file that cannot be read shows more, not less.
                    let has_all = results(&reply) >= results(&clean) && results(&clean) > 0;
                    if reply != clean && !tells(&reply) && !has_all {
                        silent.push(format!("{tool} {inject}\n  {reply}\n  {clean}"));
                    }
                }
            }
        }
    }
    say(&format!("{n_runs} runs with a fault of the system, {n_met} met it"));
    assert!(silent.is_empty(), "{} keep silent:\n{}", silent.len(), silent.join("\n"));
    assert!(n_met > 300 && n_met * 10 > n_runs * 9, "{n_met} of {n_runs} met their fault");
}

#[test]
fn answers_are_the_same_where_openat2_is_missing_or_refused() {
    let Some(traced) = traced("openat2 that is refused") else { return };
    let tree = tree();
    std::os::unix::fs::symlink("b/c", tree.root().join("link")).expect("linked");
    let calls: Vec<(&str, String)> = every_tool()
        .into_iter()
        .chain([
            ("search", json!({"patterns": ["hit"], "follow": true})),
            ("search", json!({"patterns": ["hit"], "paths": ["b/c/a.md", "link"]})),
            ("search", json!({"patterns": ["hit"], "paths": ["link/a.md"], "follow": true})),
            ("search", json!({"patterns": ["hit"], "paths": ["../x"]})),
            ("read_document", json!({"path": "b/c/a.md"})),
        ])
        .map(|(tool, args)| (tool, args.to_string()))
        .collect();
    let calls: Vec<(&str, &str)> =
        calls.iter().map(|(tool, args)| (*tool, args.as_str())).collect();
    let masked = |output: &Output| {
        let answers = output.answers().into_iter();
        answers
            .map(|(status, bytes)| {
                (status, mask(serde_json::from_slice(&bytes).expect("an answer is JSON")))
            })
            .collect::<Vec<_>>()
    };
    let clean = masked(&traced.run(&["-e", "trace=openat2"], tree.root(), OPTIONS, &calls));
    for error in ["ENOSYS", "EPERM", "EAGAIN", "E2BIG"] {
        let inject = format!("inject=openat2:error={error}");
        let strace = ["-e", "trace=openat2", "-e", inject.as_str()];
        let output = traced.run(&strace, tree.root(), OPTIONS, &calls);
        assert!(output.trace.contains("(INJECTED)"), "{error} was never met");
        for ((call, answer), clean) in calls.iter().zip(masked(&output)).zip(&clean) {
            assert_eq!(&answer, clean, "{error}: {call:?}");
        }
    }
}

/// A call in which the system does not answer cannot be interrupted; all else keeps the deadline. To
/// reach a directory takes two openings with nothing between them.
#[test]
fn a_slow_system_delays_a_call_by_no_more_than_two_answers() {
    const DELAY: Duration = Duration::from_millis(300);
    const DEADLINE_MS: u64 = 50;
    /// Less than a third answer would take, and enough for a busy machine to start a program.
    const LATE: Duration = Duration::from_millis(250);
    let Some(traced) = traced("a slow system") else { return };
    let tree = Tree::empty();
    for n in 0..40 {
        tree.write(&format!("d{}/f{n}.txt", n % 8), "hit\n");
    }
    let calls = [
        ("search", json!({"patterns": ["hit"], "deadline_ms": DEADLINE_MS})),
        ("find", json!({"deadline_ms": DEADLINE_MS})),
        (
            "scope_search_text",
            json!({"scope": "All Places", "query": "hit", "timeoutMillis": DEADLINE_MS}),
        ),
        (
            "scope_search_files",
            json!({"scope": "All Places", "query": "f", "timeoutMillis": DEADLINE_MS}),
        ),
        ("find_and_grep", json!({"roots": ["."], "query": "hit", "timeout_ms": DEADLINE_MS})),
    ];
    let root = tree.root().display().to_string();
    for (tool, args) in calls {
        let watch = "trace=open,openat,read,getdents64";
        let started = Instant::now();
        let clean = run(traced, &["-y", "-e", watch], &tree, tool, &args);
        let usual = started.elapsed();
        for call in ["read", "openat", "getdents64"] {
            let Some(&first) = occasions(&clean.trace, call, &root).first() else { continue };
            let micros = DELAY.as_micros();
            // The runtime has files of its own to read, and the program the end of its input.
            let ever = if call == "read" { "" } else { "+" };
            let inject = format!("inject={call}:delay_enter={micros}:when={first}{ever}");
            let trace = format!("trace={call}");
            // A busy machine may be late by itself.
            let late = (0..3).map(|_| {
                let started = Instant::now();
                let output = run(traced, &["-e", &trace, "-e", &inject], &tree, tool, &args);
                assert!(output.status.success(), "{tool} {inject}: {}", output.stderr);
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                let told = ["\"deadline\"", "\"timedOut\":true", "\"returncode\":124"];
                let is_told = told.iter().any(|told| text.contains(told));
                assert!(is_told || text.contains("in time"), "{tool} {inject}: {text}");
                let expected = usual + Duration::from_millis(DEADLINE_MS) + 2 * DELAY + LATE;
                started.elapsed().saturating_sub(expected)
            });
            let late = late.min().unwrap_or_default();
            assert_eq!(late, Duration::ZERO, "{tool} {inject}: later than it may be");
        }
    }
}
