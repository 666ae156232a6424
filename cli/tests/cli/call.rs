//! The verbs for programs: arguments, replies, errors and exit statuses.

use crate::support::{run, searchscope, tree};
use searchscope_tools::CallTools;
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

fn small() -> tempfile::TempDir {
    tree(&[
        (".gitignore", "ignored\n"),
        ("a.txt", "needle\n"),
        ("docs/a.md", "---\nname: a\ndescription: d\n---\nneedle\n"),
        ("docs/b.md", "---\nname: b\ndescription: d\n---\nneedle\n"),
        ("ignored", "needle\n"),
        ("id_rsa", "needle\n"),
        ("src/b.rs", "fn needle() {}\n"),
    ])
}

fn total(dir: &std::path::Path, flags: &[&str]) -> u64 {
    let call = ["call", "search_in_files", r#"{"query":"needle"}"#];
    let (_, stdout, stderr) = run(dir, &[&call, flags].concat());
    let reply: Value =
        serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{flags:?}: {stderr}"));
    reply["total_matches"].as_u64().expect("a total")
}

#[test]
fn options_of_the_workspace_are_flags_of_call() {
    let dir = small();
    let top = dir.path();
    assert_eq!(total(top, &[]), 5);
    assert_eq!(total(top, &["--root", "docs"]), 2);
    assert_eq!(total(top, &["--deny", "/docs", "--deny=a.txt"]), 2);
    assert_eq!(total(top, &["--deny-secrets"]), 4);
    assert_eq!(total(top, &["--require-git", "--threads", "1"]), 6);
    let documents = |flags: &[&str]| {
        let call = ["call", "search_documents", r#"{"query":"needle"}"#];
        let reply = run(top, &[&call, flags].concat()).1;
        serde_json::from_str::<Value>(&reply).unwrap()["total_matches"].as_u64().unwrap()
    };
    assert_eq!(documents(&[]), 2);
    assert_eq!(documents(&["--docs-root", "docs", "--exclude", "b.md"]), 1);
    assert_eq!(documents(&["--docs-root", "docs", "--exclude", "*.md"]), 0);
    assert_eq!(documents(&["--doc-suffix", ".txt"]), 1);
    let written = r#"{"roots":["."],"query":"needle","output_file":"out"}"#;
    assert_eq!(run(top, &["call", "find_and_grep", written, "--output-dir", "."]).0, 0);
    assert!(top.join("out.json").exists());
    let refused = run(top, &["call", "find", "--threads", "0"]);
    assert!(refused.0 == 2 && refused.2.contains("'threads'"), "{refused:?}");
}

#[test]
fn the_reply_is_that_of_the_tool() {
    let dir = small();
    let workspace = searchscope::Workspace::open(dir.path()).unwrap();
    let (args, call) = (r#"{"query":"needle"}"#, searchscope::Call::new());
    let json = workspace.call("search_in_files", args.as_bytes(), &call).unwrap();
    let printed = run(dir.path(), &["call", "search_in_files", args]).1;
    assert_eq!(printed.as_bytes(), [json.as_slice(), b"\n"].concat());
    let text = workspace.call_text("search_in_files", args.as_bytes(), &call).unwrap();
    assert_eq!(run(dir.path(), &["call", "search_in_files", args, "--compact"]).1, text);
    let mut child = searchscope(dir.path(), &["call", "search_in_files", "-"]);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(args.as_bytes()).unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, printed.as_bytes());
    assert_eq!(run(dir.path(), &["call", "find"]).0, 0);
}

#[test]
fn the_exit_status_of_a_call_says_what_was_found() {
    let dir = small();
    let cases: &[(&str, &str, i32)] = &[
        ("search", r#"{"patterns":["needle"]}"#, 0),
        ("search", r#"{"patterns":["nothing"]}"#, 1),
        ("search", r#"{"patterns":["nothing"],"mode":"count"}"#, 1),
        ("search", r#"{"patterns":["needle"],"mode":"files"}"#, 0),
        ("find", r#"{"globs":["*.rs"]}"#, 0),
        ("find", r#"{"globs":["*.none"]}"#, 1),
        ("search_in_files", r#"{"query":"needle"}"#, 0),
        ("search_in_files", r#"{"query":"nothing"}"#, 1),
        ("search_in_files", r#"{"query":"needle","path":"gone"}"#, 2),
        ("find_files_by_name", r#"{"name_pattern":"*.rs"}"#, 0),
        ("find_files_by_name", r#"{"name_pattern":"*.none"}"#, 1),
        ("find_and_grep", r#"{"roots":["."],"query":"needle"}"#, 0),
        ("find_and_grep", r#"{"roots":["."],"query":"nothing"}"#, 1),
        ("find_and_grep", r#"{"roots":["."],"query":"needle","total_only":true}"#, 0),
        ("find_and_grep", r#"{"roots":["."],"query":"nothing","total_only":true}"#, 1),
        ("find_and_grep", r#"{"roots":["."],"query":"needle","count_only_matches":true}"#, 0),
        ("find_and_grep", r#"{"roots":["."],"query":"nothing","count_only_matches":true}"#, 1),
        ("find_and_grep", r#"{"roots":["."],"query":"needle","summary_only":true}"#, 0),
        ("find_and_grep", r#"{"roots":["."],"query":"nothing","summary_only":true}"#, 1),
        ("find_and_grep", r#"{"roots":["."],"query":"needle","group_by_file":true}"#, 0),
        (
            "find_and_grep",
            r#"{"roots":["."],"query":"nothing","total_only":true,"max_filesize":"3"}"#,
            2,
        ),
        ("find_and_grep", r#"{"roots":["."],"query":"("}"#, 2),
        ("find_and_grep", r#"{"roots":["."],"depth":0,"query":"x"}"#, 2),
        ("Grep", r#"{"pattern":"needle"}"#, 0),
        ("Grep", r#"{"pattern":"nothing"}"#, 1),
        ("Grep", r#"{"pattern":"("}"#, 2),
        ("Grep", r#"{"pattern":"x","path":"gone"}"#, 2),
        ("search_documents", r#"{"query":"needle"}"#, 0),
        ("search_documents", r#"{"query":"nothing"}"#, 1),
        ("list_documents", "{}", 0),
        ("list_documents", r#"{"path":"/src"}"#, 1),
        ("read_document", r#"{"path":"/docs/a.md"}"#, 0),
        ("scope_list_catalog", "{}", 0),
        ("scope_validate_pattern", r#"{"patternText":"file:*.rs&&"}"#, 0),
        ("scope_search_files", r#"{"scope":"file:*.rs","query":"b"}"#, 0),
        ("scope_search_files", r#"{"scope":"file:*.none","query":"b"}"#, 1),
        ("scope_search_text", r#"{"scope":"All Places","query":"needle"}"#, 0),
        ("scope_search_text", r#"{"scope":"All Places","query":"nothing"}"#, 1),
        ("scope_search_symbols", r#"{"query":"needle"}"#, 0),
        ("scope_search_symbols", r#"{"query":"nothing"}"#, 1),
        ("look", r#"{"q":"needle"}"#, 0),
        ("look", r#"{"q":"zzqqxx"}"#, 1),
        ("read", r#"{"what":["a.txt"]}"#, 0),
        ("read", r#"{"what":["gone"]}"#, 2),
        ("read", r#"{"what":["src"],"outline":true}"#, 0),
        ("read", r#"{"what":["a.txt"],"outline":true}"#, 1),
        ("search", r#"{"pattern":["needle"],"quer":1}"#, 2),
    ];
    for (tool, args, status) in cases {
        for form in [&[][..], &["--compact"]] {
            let (found, stdout, stderr) = run(dir.path(), &[&["call", tool, args], form].concat());
            assert_eq!(found, *status, "{tool} {args} {form:?}: {stdout}{stderr}");
        }
    }
    for tool in searchscope_tools::TOOLS {
        let is_here = cases.iter().any(|(name, ..)| *name == tool.name);
        assert!(is_here || tool.name.ends_with("_program"), "{} has no case", tool.name);
    }
}

#[test]
fn what_was_not_searched_is_an_error_where_nothing_was_found() {
    let dir = tree(&[("a.txt", &format!("{}\0hit\n", "line\n".repeat(20_000)))]);
    for form in [&[][..], &["--compact"]] {
        let call = ["call", "search", r#"{"patterns":["hit"]}"#];
        assert_eq!(run(dir.path(), &[&call, form].concat()).0, 2, "{form:?}");
    }
}

#[test]
fn a_timeout_ends_a_call() {
    let dir = small();
    let call = ["call", "search", r#"{"patterns":["needle"]}"#, "--timeout", "0"];
    let (status, stdout, stderr) = run(dir.path(), &call);
    let reply: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stderr}"));
    assert_eq!((status, &reply["stopped"]), (2, &"deadline".into()), "{stdout}");
}

#[test]
fn errors_of_a_call_have_every_field_and_a_hint() {
    let dir = small();
    let cases: &[(&[&str], &str)] = &[
        (
            &["search_in_files", r#"{"query":"x","path":"sr"}"#],
            "not_found: PATH_NOT_FOUND: sr\n  parameter: path\n  path: sr\n  did you mean: src\n  hint: ",
        ),
        (
            &["search", r#"{"patterns":["a","ü(b"]}"#],
            "pattern_syntax: unclosed group, at byte 2: \"(\"\n  parameter: patterns[1]\n  ü(b\n   ^\n  hint: ",
        ),
        (
            &["search", r#"{"patterns":["a\n("]}"#],
            "pattern_syntax: unclosed group, at byte 2: \"(\"\n  parameter: patterns\n  bytes: 2 to 3\n  hint: ",
        ),
        (&["search", "{patterns}"], "the arguments are not JSON: "),
        (&["search", r#"["x"]"#], "the arguments must be a JSON object"),
        (&["search", "{}", "--root", "gone"], "not_found: root 'gone' does not exist\n"),
        (&["search", "{}", "more"], "unexpected argument 'more'"),
        (&["search", r#"{"patterns":["x"],"quer":1}"#], "invalid_param: unknown parameter 'quer'"),
    ];
    for (args, expected) in cases {
        let (status, stdout, stderr) = run(dir.path(), &[&["call"], *args].concat());
        assert_eq!((status, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
        let message = stderr.strip_prefix("searchscope: ").unwrap_or_default();
        assert!(message.starts_with(expected), "{args:?}: {stderr}");
    }
}

#[test]
fn tools_scopes_and_secrets_are_listed() {
    let dir = small();
    let stdout = |args: &[&str]| run(dir.path(), args).1;
    assert!(stdout(&["tools"]).starts_with("search  "));
    let tools: Value = serde_json::from_str(&stdout(&["tools", "--json"])).unwrap();
    assert_eq!(tools.as_array().unwrap().len(), stdout(&["tools"]).lines().count());
    assert_eq!(stdout(&["scopes"]).trim_end(), searchscope::SCOPE_REFERENCE.trim_end());
    let secrets = stdout(&["secrets"]);
    assert!(secrets.starts_with("# version ") && secrets.contains("\nid_rsa\n"), "{secrets}");
}
