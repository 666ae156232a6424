#![expect(clippy::disallowed_methods, reason = "tests make the trees that they search")]

use super::{call, pages, tree};
use crate::open::open_workspace;
use crate::stream::{find_each, found_file_json, search_each};
use searchscope::{Call, Result, Workspace};
use serde_json::{Value, json};
use std::fs;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Runs a stream, ends it after `n_max` results, and returns these and the report.
fn stream(workspace: &Workspace, tool: &str, args: &Value, n_max: usize) -> (Vec<Value>, Value) {
    let (args, call) = (args.to_string().into_bytes(), Call::new());
    let mut results = Vec::new();
    let mut take = |json: Result<String>| {
        let json = json.expect("a result is JSON");
        results.push(serde_json::from_str(&json).expect("a result is JSON"));
        if results.len() < n_max { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let report = if tool == "find" {
        find_each(workspace, &args, &call, &mut |file| take(found_file_json(file)))
    } else {
        search_each(workspace, &args, &call, &mut |result| take(result.to_json()))
    };
    let report =
        serde_json::from_slice(&report.expect("a report").bytes).expect("a report is JSON");
    (results, report)
}

/// Removes results and times from a reply. If a limit ended the search, the next file may have been
/// searched or not.
fn without_times(mut reply: Value) -> Value {
    let reply_fields = reply.as_object_mut().expect("an object");
    for key in ["matches", "files", "elapsed_us"] {
        reply_fields.remove(key);
    }
    if reply_fields["complete"] == false {
        reply_fields.remove("searched_files");
    }
    reply
}

/// Builds a tree with files for each way of searching, and more matches than one part contains.
fn large_tree() -> (TempDir, Workspace) {
    let dense: String = (0..6_000).map(|n| format!("hit number {n} of many\n")).collect();
    let clusters: String = (0..9_000)
        .map(|n| if n % 40 < 25 { format!("hit {n}\n") } else { format!("other {n}\n") })
        .collect();
    let sparse: String = (0..400_000)
        .map(|n| if n % 9_973 == 11 { "a rare hit\n" } else { "nothing here\n" })
        .collect();
    let with_nul = format!("{clusters}\n\0behind\nhit\n");
    let code: String = (0..4_000).map(|n| format!("fn f{n}() {{ hit() }} // hit\n\n")).collect();
    let (dir, workspace) = tree(&[
        ("a/first.txt", "one hit\n"),
        ("b/dense.txt", &dense),
        ("b/clusters.txt", &clusters),
        ("c/code.rs", &code),
        ("c/null_byte.txt", &with_nul),
        ("d/sparse.log", &sparse),
        ("z.txt", "the last hit"),
    ]);
    let mut utf16 = vec![0xff, 0xfe];
    utf16.extend(dense.encode_utf16().flat_map(u16::to_le_bytes));
    fs::write(dir.path().join("d/utf16.txt"), utf16).expect("written");
    let long = format!("{dense}hit{}\n{clusters}", " ".repeat(9 << 20));
    fs::write(dir.path().join("e.txt"), long).expect("written");
    (dir, workspace)
}

#[test]
fn a_stream_has_the_results_of_the_reply() {
    let (_dir, workspace) = large_tree();
    let mut args = vec![
        json!({}),
        json!({"context_before": 2, "context_after": 3}),
        json!({"context_after": 30}),
        json!({"context_before": 40}),
        json!({"multiline": true, "patterns": ["hit[^\\n]*\\n[^\\n]*o"], "context_after": 2}),
        json!({"multiline": true, "patterns": ["hit[^\\n]*\\n[^\\n]*o"], "context_before": 3}),
        json!({"mode": "files"}),
        json!({"mode": "count"}),
        json!({"matches_per_file_max": 2_500, "context_before": 1}),
        json!({"exclude_query": "9", "context_before": 1, "context_after": 1}),
        json!({"order": "mtime", "globs": ["*.txt"]}),
        json!({"files_max": 3}),
        json!({"output_bytes_max": 700_000}),
        json!({"paths": ["b", "e.txt"], "line_bytes_max": 40}),
    ];
    if cfg!(feature = "symbols") {
        args.push(json!({"enclosing": true}));
        args.push(json!({"search_context": "in_comments", "context_after": 1}));
    }
    for mut args in args {
        args["matches_max"] = 100_000.into();
        // No answer in this test may depend on the speed of the machine.
        args["deadline_ms"] = 600_000.into();
        args["patterns"] = args.get("patterns").unwrap_or(&json!(["hit"])).clone();
        let mut in_reply = args.clone();
        if args.get("output_bytes_max").is_none() {
            in_reply["output_bytes_max"] = (64 << 20).into();
        }
        let reply = call(&workspace, "search", &in_reply).expect("searched");
        let (results, report) = stream(&workspace, "search", &args, usize::MAX);
        let list = if reply.get("files").is_some() { "files" } else { "matches" };
        let whole = reply[list].as_array().expect("a list");
        let same = whole.iter().zip(&results).take_while(|(a, b)| a == b).count();
        assert!(
            *whole == results,
            "{args}: {} results for {}, the first other one: {:?} for {:?}",
            results.len(),
            whole.len(),
            results.get(same),
            whole.get(same)
        );
        assert_eq!(without_times(report), without_times(reply), "{args}");
    }
}

#[test]
fn a_stopped_stream_continues_by_its_cursor() {
    let (_dir, workspace) = large_tree();
    let args = json!({"patterns": ["hit"], "context_after": 1, "paths": ["a", "b", "d", "z.txt"]});
    let (whole, report) = stream(&workspace, "search", &args, usize::MAX);
    assert_eq!(report["complete"], true);
    for n_max in [1, 2, 1_500, 4_000, 9_001] {
        let (mut given, mut args) = (Vec::new(), args.clone());
        for _ in 0..3 {
            let (results, report) = stream(&workspace, "search", &args, n_max);
            assert_eq!(results.len(), n_max);
            assert_eq!((&report["stopped"], &report["total"]), (&"limit".into(), &n_max.into()));
            given.extend(results);
            if given.len() + n_max > whole.len() {
                break;
            }
            args["cursor"] = report["cursor"].clone();
        }
        assert!(given == whole[..given.len()], "left after {n_max}: other results than the whole");
    }
}

#[test]
fn a_stream_stopped_in_a_large_file_continues_in_it() {
    let (_dir, workspace) = large_tree();
    let mut args = json!({"patterns": ["rare hit"], "paths": ["d", "z.txt"]});
    let (whole, _) = stream(&workspace, "search", &args, usize::MAX);
    assert_eq!(whole.len(), 41);
    let mut given = Vec::new();
    while given.len() < whole.len() {
        let (results, report) = stream(&workspace, "search", &args, 1);
        assert_eq!(results.len(), 1, "after {} of {}", given.len(), whole.len());
        given.extend(results);
        args["cursor"] = report["cursor"].clone();
    }
    assert_eq!(given, whole);
}

#[test]
fn a_large_file_without_a_match_does_not_count_as_a_file() {
    let large = "hot and hut\n".repeat(500_000);
    let (_dir, workspace) = tree(&[("a.txt", "hit\n"), ("b.txt", &large)]);
    for pattern in ["h[aei]t", "h[aeiu]t"] {
        let args = json!({"patterns": [pattern], "files_max": 1});
        let reply = call(&workspace, "search", &args).expect("searched");
        let (results, report) = stream(&workspace, "search", &args, usize::MAX);
        assert_eq!((results.len(), without_times(report)), (1, without_times(reply)), "{pattern}");
    }
}

#[test]
fn a_slow_consumer_receives_everything() {
    let hits = "hit\n".repeat(1_000);
    let files: Vec<(String, &str)> =
        (0..1_500).map(|n| (format!("d{}/f{n}", n / 5), hits.as_str())).collect();
    let dir = crate::tests::trees::tree(&files);
    let workspace = open_workspace(dir.path(), br#"{"threads": 3}"#).expect("opened");
    let call = Call::new();
    let cancel = call.cancel_token();
    let (mut n, mut ahead) = (0, 0);
    search_each(&workspace, br#"{"patterns": ["hit"]}"#, &call, &mut |_| {
        n += 1;
        if n == 300_000 {
            let mut before = u64::MAX;
            while before != cancel.files_looked_at() {
                before = cancel.files_looked_at();
                std::thread::sleep(Duration::from_millis(200));
            }
            ahead = before;
        }
        ControlFlow::Continue(())
    })
    .expect("a report");
    assert_eq!(n, 1_500_000);
    assert!((300..500).contains(&ahead), "{ahead} of 1,500 files when 300 were read");
}

#[test]
fn a_stream_of_files_has_the_results_of_the_reply_and_continues() {
    let (_dir, workspace) = large_tree();
    for args in [json!({}), json!({"details": true, "order": "size"}), json!({"files_max": 2})] {
        let reply = call(&workspace, "find", &args).expect("found");
        let (results, report) = stream(&workspace, "find", &args, usize::MAX);
        assert_eq!(reply["files"], Value::Array(results), "{args}");
        assert_eq!(without_times(report), without_times(reply), "{args}");
    }
    let whole = pages(&workspace, "find", &json!({}), "files");
    let (first, report) = stream(&workspace, "find", &json!({}), 4);
    assert_eq!((first.len(), &report["stopped"]), (4, &"limit".into()));
    let (rest, _) = stream(&workspace, "find", &json!({"cursor": report["cursor"]}), usize::MAX);
    assert_eq!([first, rest].concat(), whole);
}

#[test]
fn a_stream_has_only_the_requested_limits() {
    let text = "hit\n".repeat(3_000);
    let (_dir, workspace) = tree(&[("a", &text)]);
    let n = |args: &Value| stream(&workspace, "search", args, usize::MAX).0.len();
    assert_eq!(n(&json!({"patterns": ["hit"]})), 3_000);
    assert_eq!(n(&json!({"patterns": ["hit"], "matches_max": 1_000})), 1_000);
    let names: Vec<String> = (0..1_200).map(|n| format!("f{n}")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let (_dir, workspace) = tree(&files);
    assert_eq!(stream(&workspace, "find", &json!({}), usize::MAX).0.len(), 1_200);
    let (files, report) = stream(&workspace, "find", &json!({"output_bytes_max": 1024}), 2_000);
    assert!((40..90).contains(&files.len()), "{} files", files.len());
    assert_eq!(report["stopped"], "byte_budget");
}

#[test]
fn a_stream_is_checked_and_cancelled_as_a_call() {
    let (_dir, workspace) = large_tree();
    let time = Call::new();
    let code = |args: &str, time: &Call, cancels: bool| {
        let mut n = 0;
        let report = search_each(&workspace, args.as_bytes(), time, &mut |_| {
            n += 1;
            if cancels {
                time.cancel_token().cancel();
            }
            ControlFlow::Continue(())
        });
        (report.map_err(|error| error.code()).err(), n)
    };
    assert_eq!(code(r#"{"patterns": ["("]}"#, &time, false), (Some("pattern_syntax"), 0));
    assert_eq!(code(r#"{"patern": ["a"]}"#, &time, false), (Some("invalid_param"), 0));
    assert_eq!(code(r#"{"query": "hit", "q": "a"}"#, &time, false), (Some("invalid_param"), 0));
    let (error, n) = code(r#"{"query": "hit", "path": "e.txt"}"#, &time, false);
    assert!(error.is_none() && n > 0, "other names are understood: {error:?}, {n}");
    assert_eq!(code("[]", &time, false), (Some("invalid_param"), 0));
    let args = r#"{"patterns": ["hit"], "paths": ["e.txt"]}"#;
    assert_eq!(code(args, &time, true), (Some("cancelled"), 1), "after a cancel");
    assert_eq!(code(args, &time, false), (Some("cancelled"), 0));
}

#[test]
fn long_run_a_match_does_not_wait_for_later_files() {
    // Every position starts hundreds of possible matches, different ones each time.
    let mut random = 1_u32;
    let mut letter = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if random & 0x4000_0000 == 0 { 'a' } else { 'b' }
    };
    let slow: String = "dc".chars().chain((0..2_000_000).map(|_| letter())).collect();
    for n_before in [1, 400] {
        let mut files: Vec<(String, &str)> =
            (0..n_before).map(|n| (format!("d{}/f{n}", n / 2), "one hit\n")).collect();
        files.push(("d0/long".to_owned(), &slow));
        files.push(("e".to_owned(), &slow));
        let dir = crate::tests::trees::tree(&files);
        for threads in [1, 2] {
            let options = format!(r#"{{"threads": {threads}}}"#);
            let workspace = open_workspace(dir.path(), options.as_bytes()).expect("opened");
            let args = json!({"patterns": ["hit|a[ab]{0,500}[cd]"], "deadline_ms": 1_500});
            let started = Instant::now();
            let mut first = None;
            let args = args.to_string();
            search_each(&workspace, args.as_bytes(), &Call::new(), &mut |_| {
                first.get_or_insert_with(|| started.elapsed());
                ControlFlow::Continue(())
            })
            .expect("a report");
            let (first, all) = (first.expect("a match"), started.elapsed());
            assert!(first < all / 2, "{n_before} files, {threads} threads: {first:?} of {all:?}");
        }
    }
}
