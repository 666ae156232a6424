//! Every case of `tests/cases` through every face of the engine.
//!
//! In-process each case runs with one, two and eight threads; C and Node must then return the same bytes
//! as Rust.

use searchscope_tests::case::{CaseFile, WorkspaceCases, load};
use searchscope_tests::face::{
    CFace, Call, CoreFace, Face, IndexUse, NodeFace, Outcome, UnsavedFace,
};
use searchscope_tests::tree::{Tree, user_is_refused_nothing};
use searchscope_tests::windows::{obstacle, with_written_root};
use searchscope_tests::{repository, say, skip};
use searchscope_tools::CallTools;
use searchscope_tools::{open_workspace, tools_json};
use serde_json::{Value, json};

/// Minimum number of cases, so that a loader that loses some cannot pass.
const CASES_MIN: usize = 1000;

#[test]
fn core_answers_every_case_with_any_number_of_threads() {
    let face = |threads| CoreFace { threads, ..CoreFace::default() };
    // Under wine each face takes minutes.
    let threads =
        if cfg!(windows) { &[None, Some(2)][..] } else { &[None, Some(1), Some(2), Some(8)] };
    let faces: Vec<CoreFace> = threads.iter().map(|threads| face(*threads)).collect();
    run_corpus(&faces.iter().map(|face| face as &dyn Face).collect::<Vec<_>>());
}

#[test]
fn core_answers_every_case_in_any_state_of_the_index() {
    use IndexUse::{Cold, Off, Partial, Swept, Watched};
    let face = |index| CoreFace { threads: Some(2), index };
    let faces = [Off, Cold, Partial, Watched, Swept].map(face);
    run_corpus(&[&faces[0], &faces[1], &faces[2], &faces[3], &faces[4]]);
}

#[test]
fn core_answers_every_case_over_unsaved_texts() {
    run_corpus(&[&CoreFace::default(), &UnsavedFace]);
}

#[test]
fn c_returns_the_same_bytes() {
    match CFace::build() {
        Ok(face) => run_corpus(&[&CoreFace::default(), &face]),
        Err(why) => skip("the C face", &why),
    }
}

#[test]
fn node_returns_the_same_bytes() {
    match NodeFace::find() {
        Ok(face) => {
            run_corpus(&[&CoreFace::default(), &face]);
            face.finish();
        }
        Err(why) => skip("the Node face", &why),
    }
}

/// Runs the corpus: the first face must meet the expectations, the others must return the bytes of the first.
fn run_corpus(faces: &[&dyn Face]) {
    let (mut n_cases, mut n_skipped, mut failures) = (0, 0, Vec::new());
    let files = load(&repository().join("tests/cases"));
    for (file_name, file) in &files {
        for cases in &file.workspace {
            if let Some(why) = obstacle(&cases.tree) {
                skip(&format!("{file_name}: {}", cases.name), why);
                n_skipped += cases.case.len();
                continue;
            }
            if cases.unprivileged && user_is_refused_nothing() {
                skip(&format!("{file_name}: {}", cases.name), "root is refused nothing");
                continue;
            }
            n_cases += cases.case.len();
            let failed = run_workspace(faces, file, cases);
            failures
                .extend(failed.iter().map(|text| format!("{file_name}: {}: {text}", cases.name)));
        }
    }
    let names: Vec<String> = faces.iter().map(|face| face.name()).collect();
    let report = format!("{n_cases} cases of {} files through {}", files.len(), names.join(", "));
    say(&format!("{report}: {} failed", failures.len()));
    assert!(failures.is_empty(), "{report}\n\n{}", failures.join("\n\n"));
    assert!(n_cases + n_skipped >= CASES_MIN, "{report}: there were {CASES_MIN} once");
}

fn run_workspace(faces: &[&dyn Face], file: &CaseFile, cases: &WorkspaceCases) -> Vec<String> {
    let tree = Tree::build(&cases.tree).unwrap_or_else(|why| panic!("{}: {why}", cases.name));
    let root = tree.root();
    let options = Value::from(cases.options.clone()).to_string();
    let calls: Vec<Call> = cases.case.iter().map(|case| case.call(&file.tool, root)).collect();
    let run = |face: &dyn Face| {
        let outcomes = face.run(root, &options, &calls).into_iter();
        outcomes.map(|outcome| with_written_root(outcome, root)).collect::<Vec<_>>()
    };
    let first = run(faces[0]);
    let mut failures = Vec::new();
    for (case, outcome) in cases.case.iter().zip(&first) {
        if case.case_sensitive && cfg!(windows) {
            skip(&case.name, "letter case does not matter on Windows");
            continue;
        }
        if let Some(difference) = case.difference(outcome, root) {
            failures.push(format!("{}: {difference}", case.name));
        }
    }
    for face in &faces[1..] {
        let outcomes = run(*face);
        for ((case, outcome), first) in cases.case.iter().zip(&outcomes).zip(&first) {
            if outcome.masked() != first.masked() {
                let (name, face) = (&case.name, face.name());
                failures.push(format!("{name}: {face}\n gave {outcome}\n  not {first}"));
            }
        }
    }
    failures
}

#[test]
fn options_of_a_workspace_are_checked() {
    let tree = Tree::of(&[("file.txt", "text")]);
    let open = |root: &str, options: &str| {
        let opened = open_workspace(&tree.root().join(root), options.as_bytes());
        opened.map(|_| ()).map_err(|error| error.code())
    };
    for good in [
        "",
        "{}",
        r#"{"threads": 2, "deny": ["*.pem"], "require_git": true}"#,
        r#"{"output_dir": "."}"#,
        r#"{"output_dir": null}"#,
    ] {
        assert_eq!(open("", good), Ok(()), "{good}");
    }
    let bad = [
        "[]",
        "{",
        "5",
        r#"{"thread": 1}"#,
        r#"{"threads": 0}"#,
        r#"{"threads": "2"}"#,
        r#"{"deny": "*.pem"}"#,
        r#"{"deny": [1]}"#,
        r#"{"require_git": 1}"#,
        r#"{"output_dir": 1}"#,
        r#"{"output_dir": ""}"#,
        r#"{"output_dir": "missing"}"#,
        r#"{"output_dir": "file.txt"}"#,
    ];
    for bad in bad {
        assert_eq!(open("", bad), Err("invalid_param"), "{bad}");
    }
    assert_eq!(open("missing", ""), Err("not_found"));
    assert_eq!(open("file.txt", ""), Err("invalid_param"));
}

#[test]
fn the_tool_table_describes_every_parameter_with_its_default() {
    let tools: Value = serde_json::from_slice(&tools_json()).expect("the tool table is JSON");
    let tools = tools.as_array().expect("the tool table is an array");
    let schema = |name: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name);
        &tool.unwrap_or_else(|| panic!("{name} is not in the table"))["inputSchema"]
    };
    let search = schema("search_in_files");
    assert_eq!(search["required"], json!(["query"]));
    assert_eq!(search["additionalProperties"], json!(false));
    let defaults = [
        ("file_pattern", json!("*")),
        ("path", json!(".")),
        ("use_regex", json!(false)),
        ("exclude_query", json!("")),
        ("timeout", json!(60)),
    ];
    for (name, default) in defaults {
        assert_eq!(search["properties"][name]["default"], default, "{name}");
    }
    assert_eq!(schema("find_files_by_name")["required"], json!(["name_pattern"]));
    for tool in tools {
        for key in ["description", "inputSchema", "outputSchema"] {
            assert!(!tool[key].is_null(), "{}: no {key}", tool["name"]);
        }
        let properties =
            tool["inputSchema"]["properties"].as_object().expect("a tool has parameters");
        for (name, property) in properties {
            assert!(
                property["description"].is_string(),
                "{}: {name} is not described",
                tool["name"]
            );
        }
    }
}

#[test]
fn a_cancelled_call_returns_only_the_error() {
    let tree = Tree::of(&[("a.txt", "hit\n")]);
    let workspace = open_workspace(tree.root(), b"").expect("the tree is there");
    let call = searchscope::Call::new();
    call.cancel_token().cancel();
    let calls = [
        ("search_in_files", r#"{"query": "hit"}"#),
        ("find_files_by_name", r#"{"name_pattern": "*"}"#),
    ];
    for (tool, args) in calls {
        let error = workspace.call(tool, args.as_bytes(), &call).expect_err("it was cancelled");
        assert_eq!(error.code(), "cancelled", "{tool}");
    }
}

/// The other faces validate the text themselves before they pass it as an argument.
#[test]
fn arguments_that_are_not_utf8_are_refused() {
    let tree = Tree::of(&[("a.txt", "hit\n")]);
    let workspace = open_workspace(tree.root(), b"").expect("the tree is there");
    let result =
        workspace.call("search_in_files", b"{\"query\": \"\xff\"}", &searchscope::Call::new());
    let error = result.expect_err("it is not JSON");
    assert_eq!(error.code(), "invalid_param");
    assert!(error.message().starts_with("arguments are not valid JSON: "), "{error}");
}

#[test]
fn a_wrong_answer_fails_a_case() {
    let text = r#"
        tool = "search_in_files"
        [[workspace]]
        name = "self-test"
        tree = []
        case = [
            { name = "reply", args = {}, matches = ["a:1:x"], searched = 1 },
            { name = "error", args = {}, error = { code = "not_found", starts = "PATH" } },
        ]
    "#;
    let file: CaseFile = toml::from_str(text).expect("it is a case file");
    let root = std::path::Path::new("/r");
    let [reply, error] = &file.workspace[0].case[..] else { panic!("two cases") };
    let of = |text: &str| Outcome::Reply(text.as_bytes().to_vec());
    let failure = |code: &str, message: &str| Outcome::Failure {
        code: code.into(),
        error: json!({"code": code, "message": message}).to_string().into_bytes(),
    };
    let right = r#"{"matches":[{"file_path":"a","line_number":1,"line_content":"x"}],"total_matches":1,"files_searched":1,"timed_out":false}"#;
    assert_eq!(reply.difference(&of(right), root), None);
    assert!(reply.difference(&of(&right.replace('x', "y")), root).is_some());
    assert!(reply.difference(&of("not json"), root).is_some());
    assert!(reply.difference(&failure("not_found", "PATH"), root).is_some());
    assert_eq!(error.difference(&failure("not_found", "PATH: x"), root), None);
    assert!(error.difference(&failure("io", "PATH: x"), root).is_some());
    assert!(error.difference(&failure("not_found", "x"), root).is_some());
    assert!(error.difference(&of(right), root).is_some());
    assert!(toml::from_str::<CaseFile>(&text.replace("searched", "serched")).is_err());
}
