//! The system refuses some or all threads: the answers are the same, and none is missing.

use super::{Output, traced};
use searchscope_tests::mask::mask;
use searchscope_tests::tree::Tree;
use serde_json::{Value, json};

const OPTIONS: &str = "{\"threads\": 8}";

fn answer(output: &Output) -> Value {
    let answers = output.answers();
    let [(status, bytes)] = &answers[..] else { panic!("not one answer: {answers:?}") };
    assert_eq!(status, "0", "{}", String::from_utf8_lossy(bytes));
    mask(serde_json::from_slice(bytes).expect("a reply is JSON"))
}

/// Returns the number of started and of refused threads.
fn threads(trace: &str) -> (usize, usize) {
    let outcomes = trace.lines().filter_map(|line| line.rsplit_once(" = "));
    let is_number = |outcome: &str| outcome.bytes().all(|byte| byte.is_ascii_digit());
    let of = |is: &dyn Fn(&str) -> bool| outcomes.clone().filter(|(_, o)| is(o)).count();
    (of(&is_number), of(&|outcome| outcome.ends_with("(INJECTED)")))
}

/// The first thread once waited for ever when the second one was refused.
#[test]
fn refused_threads_change_no_reply() {
    let Some(traced) = traced("threads that are refused") else { return };
    let tree = Tree::empty();
    for n in 0..1_000 {
        tree.write(&format!("d{}/e{}/f{n}.md", n % 20, n % 200), "hit\n");
    }
    for (tool, args) in [
        ("search", json!({"patterns": ["hit"], "matches_max": 10_000})),
        ("find", json!({"files_max": 10_000})),
        ("Grep", json!({"pattern": "hit"})),
        ("search_documents", json!({"query": "hit"})),
        ("find_and_grep", json!({"roots": ["."], "query": "hit"})),
        ("scope_search_text", json!({"scope": "All Places", "query": "hit"})),
    ] {
        let args = args.to_string();
        let calls = [(tool, args.as_str())];
        let clean_run = traced.run(&["-e", "trace=clone,clone3"], tree.root(), OPTIONS, &calls);
        let (n_started, _) = threads(&clean_run.trace);
        assert!(n_started > 2, "{tool} requests several threads: {n_started}");
        let clean = answer(&clean_run);
        // All of them; all but the first; only the second.
        for (when, n_started_most) in [("1+", 0), ("2+", 1), ("2", usize::MAX)] {
            let inject = format!("inject=clone,clone3:error=EAGAIN:when={when}");
            let strace = ["-e", "trace=clone,clone3", "-e", &inject];
            let output = traced.run(&strace, tree.root(), OPTIONS, &calls);
            let (n_started, n_refused) = threads(&output.trace);
            assert!(n_refused > 0, "{tool} {when}: none was refused");
            assert!(n_started <= n_started_most, "{tool} {when}: {n_started} were started");
            assert!(when == "1+" || n_started > 0, "{tool} {when}: none was started");
            assert_eq!(answer(&output), clean, "{tool}: threads {when} are refused");
        }
    }
}
