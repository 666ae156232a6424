//! The system refuses or delays single calls: the engine never crashes and never reports an empty success.

use super::{Output, Traced, traced};
use crate::ask::every_tool;
use searchscope_tests::mask::mask;
use searchscope_tests::say;
use searchscope_tests::tree::Tree;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};

/// One thread, so that each run makes the same system calls.
const OPTIONS: &str = "{\"threads\": 1}";

/// The system calls of a search, and their possible errors.
const FAULTS: &[(&str, &[&str])] = &[
    ("openat", &["EMFILE", "ENFILE", "EACCES", "ENOMEM", "EINTR", "EIO", "ESTALE", "ENOENT"]),
    ("openat2", &["EMFILE", "EACCES", "EIO", "EINTR", "ENOMEM", "ENOENT"]),
    ("getdents64", &["EIO", "EACCES", "EINTR", "ENOMEM"]),
    ("read", &["EIO", "EINTR", "EISDIR"]),
    ("fstat", &["EIO", "ENOMEM", "EINTR"]),
    ("newfstatat", &["EACCES", "EIO", "ENOMEM", "EINTR", "ENOENT"]),
];
/// Maximum number of injected faults for each system call, in every tool.
const OCCASIONS: usize = 6;

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
    // Distinct times, so that orders by time are the same in every run.
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

/// Returns the one answer: its status, and its contents without the parts that differ from run to run.
fn answer(output: &Output) -> (String, Value) {
    let answers = output.answers();
    let [(status, bytes)] = &answers[..] else { panic!("not one answer: {answers:?}") };
    (status.clone(), mask(serde_json::from_slice(bytes).expect("an answer is JSON")))
}

/// Returns all gaps that a reply reports, wherever its contract puts them.
fn told(reply: &Value) -> BTreeSet<String> {
    let (mut told, mut todo) = (BTreeSet::new(), vec![reply]);
    while let Some(value) = todo.pop() {
        let Value::Object(fields) = value else {
            todo.extend(value.as_array().into_iter().flatten());
            continue;
        };
        for (name, value) in fields {
            let tells = match name.as_str() {
                "complete" | "success" => value == false,
                "status" => value == "error",
                "unreadable" | "special" => value.as_u64().is_some_and(|n| n > 0),
                "warnings" | "diagnostics" | "problems" => {
                    let items = value.as_array().into_iter().flatten();
                    told.extend(items.map(|item| format!("{name}: {item}")));
                    false
                }
                _ => {
                    todo.push(value);
                    false
                }
            };
            if tells {
                told.insert(format!("{name}: {value}"));
            }
        }
    }
    told
}

/// Returns the results of a reply, in the field of its tool.
fn results(reply: &Value) -> BTreeSet<String> {
    let names = ["matches", "files", "items", "results", "occurrences", "matchedFilePaths"];
    let lists = [reply, &reply["data"]]
        .into_iter()
        .flat_map(|reply| names.iter().filter_map(|name| reply[*name].as_array()));
    lists.flatten().map(Value::to_string).collect()
}

/// Returns the defect of a run in which a call failed with `error`, if there is one.
///
/// An honest run fails with a file error, or returns the same reply as the clean run, or reports a gap that
/// the clean run does not report. In no case may it contain a wrong result. An interrupted call must be
/// retried, so it must not change the reply at all.
fn judge(output: &Output, error: &str, clean: &Value) -> Option<String> {
    let may_be = |code: &str| code == "io" || (code == "not_found" && error == "ENOENT");
    // The root could not be opened.
    if output.status.code() == Some(1) {
        let detail = output.stderr.trim_end().strip_prefix("call: ").unwrap_or_default();
        let detail: Value = serde_json::from_str(detail).unwrap_or_default();
        let is_fine = may_be(detail["code"].as_str().unwrap_or_default());
        return (!is_fine).then(|| format!("no workspace: {}", output.stderr));
    }
    let (status, reply) = answer(output);
    if status != "0" {
        let is_fine = may_be(reply["code"].as_str().unwrap_or_default());
        return (!is_fine).then(|| format!("the error {status} {reply}"));
    }
    if reply == *clean {
        return None;
    }
    if error == "EINTR" {
        return Some(format!("another answer: {reply}"));
    }
    // A file that vanishes during a search is treated as if it had never existed.
    if error != "ENOENT" && told(&reply).is_subset(&told(clean)) {
        return Some(format!("gap not reported: {reply}"));
    }
    // If an ignore file could not be read, the entries that it ignores are in scope.
    let right = results(clean);
    let is_right = |result: &String| right.contains(result) || result.contains("ignored\"");
    let wrong = results(&reply).into_iter().find(|result| !is_right(result));
    wrong.map(|wrong| format!("wrong result: {wrong} in {reply}"))
}

/// Returns the indexes of the system calls that a run may fail at: those on the tree after the opening
/// of its root.
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

/// Returns some of the occasions: the first, the last, and some in between.
fn some(occasions: &[usize]) -> Vec<usize> {
    let last = occasions.len().saturating_sub(1);
    let mut chosen: Vec<usize> =
        (0..OCCASIONS).filter_map(|n| occasions.get(n * last / (OCCASIONS - 1)).copied()).collect();
    chosen.dedup();
    chosen
}

/// Pairs occasions and errors so that each chosen occasion fails and each error occurs. The pairing
/// rotates with the index of the tool, so that all tools together cover more combinations.
fn pairs<'a>(occasions: &[usize], errors: &[&'a str], n_tool: usize) -> Vec<(usize, &'a str)> {
    let chosen = some(occasions);
    let n_pairs = if chosen.is_empty() { 0 } else { chosen.len().max(errors.len()) };
    let pair = |n: usize| (chosen[(n + n_tool) % chosen.len()], errors[n % errors.len()]);
    (0..n_pairs).map(pair).collect()
}

#[test]
fn a_fault_of_the_system_is_reported() {
    report_faults(5);
}

#[test]
fn long_run_every_fault_of_the_system_is_reported() {
    report_faults(1);
}

/// Injects one fault in `one_in`. Only the whole run must meet every error of every system call.
fn report_faults(one_in: usize) {
    let Some(traced) = traced("faults of the system") else { return };
    let tree = tree();
    let root = tree.root().display().to_string();
    let (mut n_faults, mut n_runs) = (0_usize, 0);
    let (mut met, mut wrong) = (BTreeMap::new(), Vec::new());
    for (n_tool, (tool, args)) in every_tool().into_iter().enumerate() {
        let watch = "trace=open,openat,openat2,getdents64,read,fstat,newfstatat";
        let clean_run = run(&traced, &["-y", "-e", watch], &tree, tool, &args);
        let (status, clean) = answer(&clean_run);
        assert_eq!(status, "0", "{tool} fails by itself: {clean}");
        for (call, errors) in FAULTS {
            let occasions = occasions(&clean_run.trace, call, &root);
            for (occasion, error) in pairs(&occasions, errors, n_tool) {
                for ever in ["", "+"] {
                    // A call that is always interrupted would be retried for ever.
                    if error == "EINTR" && ever == "+" {
                        continue;
                    }
                    n_faults += 1;
                    if !n_faults.is_multiple_of(one_in) {
                        continue;
                    }
                    let inject = format!("inject={call}:error={error}:when={occasion}{ever}");
                    let trace = format!("trace={call}");
                    let strace = ["-e", trace.as_str(), "-e", inject.as_str()];
                    let output = run(&traced, &strace, &tree, tool, &args);
                    n_runs += 1;
                    *met.entry((*call, error)).or_insert(0) +=
                        usize::from(output.trace.contains("(INJECTED)"));
                    let judged = judge(&output, error, &clean);
                    wrong.extend(judged.map(|what| format!("{tool} {inject}: {what}\n  {clean}")));
                }
            }
        }
    }
    let n_met: usize = met.values().sum();
    say(&format!("{n_runs} runs with a fault of the system, {n_met} met it"));
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n_met > 500 / one_in && n_met * 10 > n_runs * 9, "{n_met} of {n_runs} met their fault");
    for (call, errors) in FAULTS.iter().filter(|_| one_in == 1) {
        let never = errors.iter().find(|error| met.get(&(*call, **error)).is_none_or(|n| *n == 0));
        assert_eq!(never, None, "{call} has never failed so");
    }
}

/// Checks that `judge` refuses dishonest replies.
#[test]
fn a_dishonest_reply_is_found() {
    let output = |code: i32, stdout: &str, stderr: &str| Output {
        status: std::os::unix::process::ExitStatusExt::from_raw(code),
        stdout: stdout.as_bytes().to_vec(),
        stderr: stderr.into(),
        trace: String::new(),
    };
    let answer = |status: &str, reply: &Value| {
        let reply = reply.to_string();
        output(0, &format!("{status} {}\n{reply}\n", reply.len()), "")
    };
    let clean = json!({"files": ["a", "b"], "diagnostics": ["old"]});
    let judged = |output: &Output, error: &str| judge(output, error, &clean).is_none();
    let one_less = json!({"files": ["a"], "diagnostics": ["old"]});
    let told = json!({"files": ["a"], "diagnostics": ["old", "new"]});
    assert!(judged(&answer("0", &clean), "EIO") && judged(&answer("0", &told), "EIO"));
    assert!(judged(&answer("0", &one_less), "ENOENT"));
    assert!(judged(&answer("8", &json!({"code": "io"})), "EIO"));
    assert!(judged(&answer("3", &json!({"code": "not_found"})), "ENOENT"));
    for (status, reply, error) in [
        ("0", one_less, "EIO"),
        ("0", told, "EINTR"),
        ("0", json!({"files": ["a", "c"], "diagnostics": ["new"]}), "EIO"),
        ("0", json!({"files": ["a", "b", "c"], "diagnostics": ["old"]}), "ENOENT"),
        ("3", json!({"code": "not_found"}), "EIO"),
        ("10", json!({"code": "internal"}), "EIO"),
    ] {
        assert!(!judged(&answer(status, &reply), error), "{error}: {status} {reply}");
    }
    let opening = |code: &str| output(1 << 8, "", &format!("call: {{\"code\":\"{code}\"}}\n"));
    assert!(judged(&opening("io"), "EIO") && !judged(&opening("internal"), "EIO"));
}

#[test]
fn replies_are_the_same_where_openat2_is_missing_or_refused() {
    let Some(traced) = traced("openat2 that is refused") else { return };
    let tree = tree();
    tree.write("../outside/secret.md", "hit CANARY\n");
    let outside = tree.around().join("outside");
    let inside = tree.root().join("b");
    for (to, at) in [
        (Path::new("b/c"), "link"),
        (Path::new("../../b/a.rs"), "b/c/up.rs"),
        (&inside, "absolute"),
        (&outside, "out"),
        (Path::new("../outside"), "d/up_and_out"),
        (Path::new("out/secret.md"), "through.md"),
        (Path::new("gone"), "dangling"),
        (Path::new("circle"), "circle"),
    ] {
        symlink(to, tree.root().join(at)).expect("linked");
    }
    let paths = ["link", "link/a.md", "b/c/up.rs", "absolute/a.rs", "out", "out/secret.md"];
    let more = ["d/up_and_out/secret.md", "through.md", "dangling", "circle", "../x", "b/../a.md"];
    let named = paths.into_iter().chain(more).flat_map(|path| {
        [
            ("search", json!({"patterns": ["hit"], "paths": [path]})),
            ("search", json!({"patterns": ["hit"], "paths": [path], "follow": true})),
            ("read_document", json!({"path": path})),
        ]
    });
    let calls: Vec<(&str, String)> = every_tool()
        .into_iter()
        .chain(named)
        .chain([
            ("search", json!({"patterns": ["hit"], "follow": true})),
            ("search", json!({"patterns": ["hit"], "paths": ["b/c/a.md", "link"]})),
            ("find", json!({"follow": true})),
            ("find_and_grep", json!({"roots": ["."], "query": "hit", "follow_symlinks": true})),
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
    let n_found = clean.iter().filter(|(_, reply)| reply.to_string().contains("b/a.rs")).count();
    assert!(n_found > 5, "links that stay inside are followed");
    let shown = clean.iter().map(|(_, reply)| reply.to_string()).collect::<String>();
    assert!(!shown.contains("hit CANARY"), "{shown}");
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

/// A blocked system call cannot be interrupted; all other code honours the deadline. Opening a directory
/// takes two system calls without a check in between, hence two delays.
#[test]
fn long_run_a_slow_system_delays_a_call_by_at_most_two_responses() {
    const DELAY: Duration = Duration::from_millis(300);
    const DEADLINE_MS: u64 = 50;
    /// Less than a third delay, but enough for a busy machine to start a program.
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
        let clean = run(&traced, &["-y", "-e", watch], &tree, tool, &args);
        let usual = started.elapsed();
        for call in ["read", "openat", "getdents64"] {
            let Some(&first) = occasions(&clean.trace, call, &root).first() else { continue };
            let micros = DELAY.as_micros();
            // The runtime reads files of its own, and the program the end of its input.
            let ever = if call == "read" { "" } else { "+" };
            let inject = format!("inject={call}:delay_enter={micros}:when={first}{ever}");
            let trace = format!("trace={call}");
            // A busy machine may be late by itself.
            let late = (0..3).map(|_| {
                let started = Instant::now();
                let output = run(&traced, &["-e", &trace, "-e", &inject], &tree, tool, &args);
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
