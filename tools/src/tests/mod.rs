#![expect(clippy::disallowed_methods, reason = "tests make the trees that they search")]

mod encodings;
#[cfg(unix)]
mod faults;
#[cfg(all(target_os = "linux", not(searchscope_unix)))]
mod indexed;
mod samples;
mod scopes;
mod streams;
pub(crate) mod trees;

#[cfg(feature = "modules")]
use self::samples::{Sample, samples};
use self::trees::tree as tree_of;
use crate::own::why_nothing::Texts;
use crate::*;
use searchscope::testing::TurnedClock;
use searchscope::{Call, Result, StopReason, Workspace, WorkspaceOptions};
use serde_json::{Value, json};
use std::fs;
use std::time::Duration;
use tempfile::TempDir;

pub(crate) fn tree(files: &[(&str, &str)]) -> (TempDir, Workspace) {
    let dir = tree_of(files);
    let workspace = open_workspace(dir.path(), b"").expect("opened");
    (dir, workspace)
}

pub(crate) fn call(workspace: &Workspace, tool: &str, args: &Value) -> Result<Value> {
    let reply = workspace.call(tool, args.to_string().as_bytes(), &Call::new())?;
    Ok(serde_json::from_slice(&reply).expect("a reply is JSON"))
}

/// Runs calls whose deadlines never pass, however slow the machine is.
fn unhurried<T>(calls: impl FnOnce() -> T) -> T {
    TurnedClock::by(Duration::ZERO).during(calls)
}

/// Calls the tool repeatedly, each time with the cursor of the last reply.
pub(crate) fn pages(workspace: &Workspace, tool: &str, args: &Value, list: &str) -> Vec<Value> {
    let mut args = args.clone();
    let mut all = Vec::new();
    for _ in 0..1_000 {
        let reply = call(workspace, tool, &args).expect("a page");
        all.extend(reply[list].as_array().expect("a list").clone());
        let Some(cursor) = reply.get("cursor") else {
            return all;
        };
        assert_ne!(reply["stopped"], "none");
        args["cursor"] = cursor.clone();
    }
    panic!("paging does not end");
}

#[test]
fn pages_of_the_tools_equal_the_whole_under_every_limit() {
    let text = "hit one\n".repeat(9);
    let names: Vec<String> = (0..20).map(|n| format!("{}/f{n}", n % 3)).collect();
    let files: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), text.as_str())).collect();
    let (_dir, workspace) = tree(&files);
    let args = json!({"patterns": ["hit"], "context_after": 1});
    let whole = call(&workspace, "search", &args).expect("found");
    assert_eq!(whole["total"], 180);
    let limits = [("matches_max", 7), ("files_max", 3), ("output_bytes_max", 1024)];
    for (name, limit) in limits {
        let mut args = args.clone();
        args[name] = limit.into();
        let given = pages(&workspace, "search", &args, "matches");
        assert!(whole["matches"] == Value::Array(given), "{name}: other matches than the whole");
    }
    let args = json!({});
    let whole = call(&workspace, "find", &args).expect("found");
    for (name, limit) in [("files_max", 3), ("output_bytes_max", 1024)] {
        let given = pages(&workspace, "find", &json!({ name: limit }), "files");
        assert!(whole["files"] == Value::Array(given), "{name}: other files than the whole");
    }
}

#[test]
fn a_reply_keeps_its_byte_budget_to_the_byte() {
    let (_dir, workspace) = tree(&[("a", "hit \u{1}\u{2}\n".repeat(300).as_str())]);
    for budget in [1024, 2000, 5000] {
        let args = json!({"patterns": ["hit"], "output_bytes_max": budget});
        let reply = call(&workspace, "search", &args).expect("found");
        let matches = reply["matches"].to_string().len();
        assert!(matches <= budget + 2, "{matches} bytes of {budget}");
        assert!(matches > budget - 200, "{matches} bytes of {budget} are too few");
        assert_eq!((&reply["stopped"], &reply["complete"]), (&"byte_budget".into(), &false.into()));
    }
    let args = json!({"patterns": ["hit"], "output_bytes_max": 1024, "context_after": 300});
    let error = call(&workspace, "search", &args).expect_err("one match is too large");
    assert_eq!(error.code(), "result_too_large");
    assert!(error.message().contains("'output_bytes_max'"), "{error}");
}

#[test]
fn a_large_result_of_grep_and_find_and_grep_is_cut_and_marked() {
    // About the longest line that is not yet cut.
    let line = format!("hit {}\n", "\u{1}".repeat(4_000));
    let (_dir, workspace) = tree(&[("a", line.repeat(1_000).as_str())]);
    let args = json!({"roots": ["."], "query": "hit"});
    let reply = call(&workspace, "find_and_grep", &args).expect("found");
    let n = reply["count"].as_u64().expect("a number");
    assert!(n > 600 && n < 1_000, "{n}");
    assert_eq!(reply["meta"]["truncated"], true);
    assert_eq!(reply["meta"]["warnings"], Value::Null);
}

#[test]
fn the_outcome_of_every_shape_of_find_and_grep_respects_what_was_left_out() {
    let dir = tree_of(&[("large", "some longer text\n"), ("small", "text\n")]);
    let options = json!({"output_dir": dir.path()}).to_string();
    let workspace = open_workspace(dir.path(), options.as_bytes()).expect("opened");
    for shape in [
        json!({}),
        json!({"total_only": true}),
        json!({"count_only_matches": true}),
        json!({"summary_only": true}),
        json!({"group_by_file": true}),
        json!({"suppress_output": true}),
        json!({"suppress_output": true, "output_file": "out"}),
    ] {
        let outcome = |query: &str, max_filesize: &str| {
            let mut args = shape.clone();
            args["roots"] = json!(["."]);
            args["query"] = query.into();
            args["max_filesize"] = max_filesize.into();
            let args = args.to_string();
            let reply = call_tool(
                &workspace,
                "find_and_grep",
                args.as_bytes(),
                ReplyForm::Json,
                &Call::new(),
            );
            reply.expect("a reply").outcome
        };
        assert_eq!(outcome("text", "8"), Outcome::Found, "{shape}");
        assert_eq!(outcome("absent", "8"), Outcome::Unknown, "{shape}");
        assert_eq!(outcome("absent", "1K"), Outcome::Nothing, "{shape}");
    }
}

#[test]
fn long_lines_that_are_too_large_for_a_reply_are_cut() {
    let line = format!("{}hit{}\n", "x".repeat(200_000), "\u{1}".repeat(700_000));
    let (_dir, workspace) = tree(&[("a.js", line.repeat(6).as_str()), ("b", "hit\n")]);
    let is_part = |text: &Value| {
        let text = text.as_str().expect("text");
        let place = "[bytes 19";
        assert!(text.starts_with(place) && text.contains(" of 900003] "), "{text:.60}");
        assert!(text.contains("xhit\u{1}") && text.len() < 5_000, "{text:.60}");
    };
    let warning = json!([{
        "path": "a.js",
        "reason": "a line too long for the reply was cut; its position is shown",
    }]);
    let call = |tool: &str, args: &Value| unhurried(|| call(&workspace, tool, args));
    let reply = call("Grep", &json!({"pattern": "hit"})).expect("found");
    let matches = reply["data"]["matches"].as_array().expect("a list");
    assert_eq!((&reply["status"], matches.len()), (&"success".into(), 7));
    matches.iter().filter(|hit| hit["file"] == "a.js").for_each(|hit| is_part(&hit["text"]));
    assert_eq!(reply["stats"]["warnings"], warning);
    let reply = call("search_in_files", &json!({"query": "hit"})).expect("found");
    assert_eq!(reply["total_matches"], 7);
    is_part(&reply["matches"][5]["line_content"]);
    assert_eq!(reply["matches"][6]["line_content"], "hit");
    assert_eq!(reply["warnings"], warning);
    for grouped in [false, true] {
        let args = json!({"roots": ["."], "query": "hit", "group_by_file": grouped});
        let reply = call("find_and_grep", &args).expect("found");
        assert_eq!((&reply["count"], &reply["meta"]["truncated"]), (&7.into(), &false.into()));
        let first = if grouped { &reply["files"][0]["matches"][0] } else { &reply["results"][0] };
        is_part(&first["content"]);
        assert_eq!(reply["meta"]["warnings"], warning);
    }
}

#[test]
fn a_match_that_does_not_fit_is_an_error() {
    let line = format!("hit {}\n", "\u{1}".repeat(4_000_000));
    let (_dir, workspace) = tree(&[("a", line.as_str())]);
    let args = json!({"patterns": ["hit"], "line_bytes_max": 8388608, "output_bytes_max": 1024});
    let error = unhurried(|| call(&workspace, "search", &args)).expect_err("too large");
    assert_eq!(error.code(), "result_too_large");
}

#[test]
fn a_cursor_without_progress_is_an_error() {
    let mut report = searchscope::testing::report(Some(StopReason::Deadline));
    report.total = 0;
    let error = crate::own::summary::Summary::of(
        &report,
        true,
        Texts::Searched,
        Default::default(),
        &Default::default(),
    )
    .err()
    .expect("it makes no progress");
    assert_eq!((error.code(), error.param()), ("timeout", Some("deadline_ms")));
    assert!(
        crate::own::summary::Summary::of(
            &report,
            false,
            Texts::Searched,
            Default::default(),
            &Default::default()
        )
        .is_ok(),
        "a first page may say that it has nothing"
    );
    report.stopped = None;
    assert!(
        crate::own::summary::Summary::of(
            &report,
            true,
            Texts::Searched,
            Default::default(),
            &Default::default()
        )
        .is_ok()
    );
}

#[test]
fn a_call_on_a_separate_thread_has_the_same_reply() {
    let dir = crate::tests::trees::tree(&[("a.txt", "hit\n")]);
    let workspace = Workspace::open(dir.path()).expect("opened");
    for may_not_answer in [false, true] {
        searchscope::testing::pretend_may_not_answer(&workspace, may_not_answer);
        let call = Call::new();
        let search = || workspace.call("search", br#"{"patterns": ["hit"]}"#, &call);
        let reply = search().expect("found");
        assert!(reply.starts_with(br#"{"matches":[{"path":"a.txt""#));
        assert_eq!(call.cancel_token().files_looked_at(), 1);
        call.cancel_token().cancel();
        let error = search().expect_err("it was cancelled before");
        assert_eq!(error.code(), "cancelled");
    }
}

#[test]
fn the_earlier_of_two_deadlines_ends_a_call() {
    let dir = crate::tests::trees::tree(&[("a.txt", "hit\n")]);
    let workspace = Workspace::open(dir.path()).expect("opened");
    let late = Call::new().with_timeout(std::time::Duration::ZERO);
    let args = br#"{"patterns": ["hit"], "deadline_ms": 60000}"#;
    let reply = String::from_utf8(workspace.call("search", args, &late).expect("a reply"));
    assert!(reply.expect("text").contains(r#""stopped":"deadline""#));
}

#[cfg(feature = "modules")]
#[test]
fn cancelling_is_the_librarys_error_in_every_tool() {
    let (_dir, workspace) = tree(&[("a", "hit\n"), ("a.md", "hit\n")]);
    let call = Call::new();
    call.cancel_token().cancel();
    for Sample { tool, args, .. } in samples("hit", "a.md") {
        let error = workspace.call(tool, args.to_string().as_bytes(), &call);
        assert_eq!(error.expect_err(tool).code(), "cancelled", "{tool}");
    }
}

#[test]
fn a_deadline_with_nothing_found_is_an_error_of_find_and_grep() {
    let names: Vec<String> = (0..4_000).map(|n| format!("{}/{n}", n % 40)).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "x\n")).collect();
    let (_dir, workspace) = tree(&files);
    let args = json!({"roots": ["."], "query": "absent", "timeout_ms": 1, "file_limit": 10000});
    let clock = TurnedClock::by(Duration::from_millis(1));
    let find = || call(&workspace, "find_and_grep", &args);
    let reply = clock.during(find).expect("an error of its own");
    assert_eq!((&reply["success"], &reply["returncode"]), (&false.into(), &124.into()));
    assert!(reply["stage"] == "fd" || reply["stage"] == "rg", "{reply}");
    assert!(reply["error"].as_str().is_some_and(|error| error.contains("1 ms")), "{reply}");
}

#[test]
fn pages_return_unchanged_files_once_while_others_change() {
    let names: Vec<String> =
        (0..120).map(|n| format!("{}/stays{n}", ["a", "b/c", "b", "d/e/f"][n % 4])).collect();
    let text = "hit\n".repeat(5);
    let files: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), text.as_str())).collect();
    let (dir, workspace) = tree(&files);
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let churn = std::thread::spawn({
        let (root, stop) = (dir.path().to_owned(), std::sync::Arc::clone(&stop));
        move || {
            for n in (0..).take_while(|_| !stop.load(std::sync::atomic::Ordering::Relaxed)) {
                let dirs = ["a", "b/c", "b", "d/e/f", "new", "a/new", "d/new"];
                let place = root.join(dirs[n % dirs.len()]);
                let path = place.join(format!("{}goes{}", ["", "z"][n % 2], n % 9));
                // The churn may fail; only the searches are tested.
                let _ = fs::create_dir_all(&place);
                let _ = fs::write(&path, "hit\nhit\n");
                let _ = fs::remove_file(path.with_file_name(format!("goes{}", (n + 4) % 9)));
                if n % 5 == 0 {
                    let _ = fs::remove_dir_all(root.join(dirs[4 + n % 3]));
                }
            }
        }
    });
    for order in ["path", "mtime"] {
        let args = json!({"patterns": ["hit"], "matches_max": 7, "order": order});
        let shown = |found: &Value| format!("{}:{}", found["path"], found["line"]);
        let given = pages(&workspace, "search", &args, "matches");
        let mut given: Vec<String> =
            given.iter().map(shown).filter(|shown| shown.contains("stays")).collect();
        if order == "mtime" {
            given.sort();
        }
        let lines = names.iter().flat_map(|name| (1..6).map(move |n| format!("\"{name}\":{n}")));
        let mut expected: Vec<String> = lines.collect();
        expected.sort();
        assert!(given == expected, "{order}: {} of {}", given.len(), expected.len());
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    churn.join().expect("it only writes");
}

#[test]
fn arguments_are_bounded_before_they_are_read() {
    let dir = crate::tests::trees::tree(&[("a.txt", "hit\n")]);
    let args = |n: usize| format!(r#"{{"patterns": ["hit"], "unknown": "{}"}}"#, "x".repeat(n));
    for (options, n_max) in [(json!({}), 4 << 20), (json!({"args_bytes_max": 2_048}), 2_048)] {
        let workspace = open_workspace(dir.path(), options.to_string().as_bytes()).expect("opened");
        let refused = |n: usize| {
            let reply = workspace.call("search", args(n).as_bytes(), &Call::new());
            reply.expect_err("refused")
        };
        assert_eq!(refused(0).param(), Some("unknown"), "they were read");
        let error = refused(n_max);
        assert_eq!((error.code(), error.param()), ("invalid_param", None));
        assert!(error.message().contains(&format!("at most {n_max} bytes")), "{error}");
    }
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let dir = tempfile::tempdir().expect("a directory");
    for (options, param) in [
        (json!({"reply_bytes_max": 65_535}), "reply_bytes_max"),
        (json!({"reply_bytes_max": 67_108_865}), "reply_bytes_max"),
        (json!({"threads": 65}), "threads"),
        (json!({"docs_root": "nowhere"}), "docs_root"),
        (json!({"excludes": ["⟨".repeat(5_000)]}), "excludes"),
        (json!({"exclude": []}), "exclude"),
    ] {
        let error = open_workspace(dir.path(), options.to_string().as_bytes());
        let error = error.expect_err(param);
        assert_eq!((error.code(), error.param()), ("invalid_param", Some(param)), "{options}");
    }
    for bytes in [65_536_usize, 67_108_864] {
        let native = WorkspaceOptions { reply_bytes_max: Some(bytes), ..Default::default() };
        native.open(dir.path()).expect("within the range");
        let native = WorkspaceOptions { reply_bytes_max: Some(bytes * 1_025), ..native };
        let error = native.open(dir.path()).expect_err("out of it");
        assert_eq!(error.param(), Some("reply_bytes_max"));
    }
}

#[test]
fn a_denied_path_is_not_reported_as_outside() {
    let (dir, _) = tree(&[("outside the root/a.txt", "hit\n"), ("a.txt", "hit\n")]);
    let workspace =
        open_workspace(dir.path(), br#"{"deny": ["outside the root"]}"#).expect("opened");
    let error = |tool: &str, args: Value| call(&workspace, tool, &args).expect_err("refused");
    let path = "outside the root";
    for (path, message) in [
        (path, "path 'outside the root' is denied by the workspace"),
        ("../x", "PATH_SECURITY_ERROR: Path '../x' is outside project root"),
    ] {
        let found = error("search_in_files", json!({"query": "hit", "path": path}));
        assert_eq!((found.code(), found.message()), ("access_denied", message));
    }
    let reply =
        call(&workspace, "Grep", &json!({"pattern": "hit", "path": path})).expect("a reply");
    assert!(reply.to_string().contains("is denied by the workspace"), "{reply}");
}

#[test]
fn errors_name_the_parameters_of_the_tool() {
    let (_dir, workspace) = tree(&[("a", "hit\n")]);
    let long = format!("src/{}", "a".repeat(1_100));
    for (tool, args, message) in [
        ("search_in_files", json!({"query": "a", "file_pattern": "["}), "'file_pattern' "),
        ("find_files_by_name", json!({"name_pattern": "["}), "'name_pattern' "),
        ("find", json!({"name_pattern": "a/b"}), "'name_pattern' "),
        ("search", json!({"patterns": ["a"], "scope": "file:["}), "'scope': "),
        ("look", json!({"q": "a", "files": ["a", "["]}), "'files[1]' "),
        (
            "look",
            json!({"q": "a ".repeat(40_000)}),
            "the patterns must not exceed 65536 bytes in total, ",
        ),
    ] {
        let error = call(&workspace, tool, &args).expect_err(tool);
        assert!(error.message().starts_with(message), "{tool}: {error}");
        let param = error.param().expect(tool);
        let named = args.as_object().expect("arguments").keys().any(|key| param.starts_with(key));
        assert!(named, "{tool}: {param} is not an argument");
    }
    for (tool, args, message) in [
        ("Grep", json!({"pattern": "a", "include": "src/["}), "missing ']': \"src/[\""),
        (
            "Grep",
            json!({"pattern": "a", "include": long}),
            "it has 1104 bytes; at most 1024 are allowed",
        ),
        (
            "find_and_grep",
            json!({"roots": ["."], "query": "a", "include_globs": ["a"], "exclude_globs": ["["]}),
            "'exclude_globs[0]' ",
        ),
    ] {
        let reply = call(&workspace, tool, &args).expect(tool).to_string().replace("\\\"", "\"");
        assert!(reply.contains(message), "{tool}: {reply}");
    }
}

#[cfg(feature = "symbols")]
#[test]
fn scope_search_text_does_not_claim_that_a_context_has_nothing_where_it_was_not_read() {
    // Larger than a source that is parsed.
    let large = "// text ".repeat((8 << 20) / 8 + 1);
    let (_dir, workspace) = tree(&[("large.rs", large.as_str()), ("small.rs", "// text\n")]);
    for (path, query, expected) in [
        ("large.rs", "text", Outcome::Unknown),
        ("small.rs", "text", Outcome::Found),
        ("small.rs", "absent", Outcome::Nothing),
    ] {
        let scope = format!("file:{path}");
        let args =
            json!({"scope": scope, "query": query, "searchContext": "IN_COMMENTS"}).to_string();
        let name = "scope_search_text";
        let reply = call_tool(&workspace, name, args.as_bytes(), ReplyForm::Json, &Call::new());
        assert_eq!(reply.expect("a reply").outcome, expected, "{path}: {query}");
    }
}
