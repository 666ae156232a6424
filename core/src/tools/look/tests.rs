//! `look` on small trees: what is found, in which order, and what the reply says about it.

use crate::tests::tree;
use crate::{Call, Workspace};
use serde_json::{Value, json};

fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
    let dir = tree(files);
    let workspace = Workspace::open(dir.path(), &Default::default()).expect("opened");
    (dir, workspace)
}

fn reply(workspace: &Workspace, args: Value) -> Value {
    let args = args.to_string();
    let reply = workspace.call("look", args.as_bytes(), &Call::new());
    let reply = reply.unwrap_or_else(|error| panic!("{args}: {error}"));
    serde_json::from_slice(&reply).expect("JSON")
}

fn text(workspace: &Workspace, args: Value) -> String {
    reply(workspace, args)["text"].as_str().expect("text").to_owned()
}

const PROJECT: &[(&str, &str)] = &[
    (
        "src/body.rs",
        "use x;\n\n/// Parses.\npub fn parse_body(text: &str) -> Body {\n    todo(text)\n}\n\nfn parse_body_inner() {}\n",
    ),
    ("src/main.rs", "fn main() {\n    parse_body(\"x\");\n}\n"),
    ("tests/body.rs", "#[test]\nfn works() {\n    parse_body(\"y\");\n}\n"),
    (
        "docs/guide.md",
        "Call `parse_body` with the text.\n\nThe whole request\nis refused at once.\n",
    ),
    ("vendor/other.js", "parse_body();\n"),
    (".gitignore", "/out\n"),
    ("out/gen.txt", "only_ignored\n"),
];

#[test]
fn definitions_come_first_then_production_tests_docs_and_generated() {
    let (_dir, workspace) = workspace(PROJECT);
    let text = text(&workspace, json!({"q": "parse_body"}));
    let headings: Vec<&str> =
        text.lines().filter(|line| !line.starts_with([' ', '>', '#', '['])).collect();
    assert_eq!(
        headings,
        ["src/body.rs", "src/main.rs", "tests/body.rs", "docs/guide.md", "vendor/other.js"],
        "{text}"
    );
    assert!(
        text.contains(">4: pub fn parse_body(text: &str) -> Body {\n 8: fn parse_body_inner"),
        "{text}"
    );
    assert!(
        text.ends_with(
            "[all 6 lines in 5 files; searched 5 files; not searched: 1 ignored, 1 hidden]\n"
        ),
        "{text}"
    );
    assert!(text.contains("# similar definitions: \"parse_body_inner\" src/body.rs:8\n"), "{text}");
}

#[test]
fn each_kind_of_only_shows_what_it_says() {
    let (_dir, workspace) = workspace(PROJECT);
    let shown = |only: &str| text(&workspace, json!({"q": "parse_body", "only": only}));
    assert!(
        shown("definitions").starts_with("src/body.rs\n>4: pub fn parse_body"),
        "{}",
        shown("definitions")
    );
    assert!(shown("definitions").contains("[all 1 line in 1 file;"));
    assert!(
        shown("tests").starts_with("tests/body.rs\n 3: parse_body(\"y\");\n[all 1 line in 1 file;"),
        "{}",
        shown("tests")
    );
    assert!(shown("docs").starts_with("docs/guide.md\n"));
    assert!(
        shown("production").starts_with("src/body.rs\n") && !shown("production").contains("vendor")
    );
    assert!(
        shown("files").starts_with("src/body.rs\tlines: 2\nsrc/main.rs\tlines: 1\n"),
        "{}",
        shown("files")
    );
    assert!(shown("count").starts_with("# by directory: src/ 3, "), "{}", shown("count"));
    assert!(shown("count").contains("[6 lines in 5 files;"), "{}", shown("count"));
    let names = text(&workspace, json!({"q": "body", "only": "names"}));
    assert!(names.starts_with("src/body.rs\ntests/body.rs\n[all 2 files;"), "{names}");
    let strings = text(&workspace, json!({"q": "x", "only": "strings"}));
    assert!(strings.starts_with("src/main.rs\n 2: parse_body(\"x\");\n[all 1 line"), "{strings}");
}

#[test]
fn another_spelling_is_found_and_named_as_such() {
    let (_dir, workspace) = workspace(PROJECT);
    for (q, remark) in [
        ("parseBody", "# no line contains \"parseBody\"; in other case or naming:\n"),
        ("PARSE_BODY", "# no line contains \"PARSE_BODY\"; in other case or naming:\n"),
        ("parse_bdy", "# nothing contains \"parse_bdy\"; 1 letter off: \"parse_body\""),
        ("prase_body", "# nothing contains \"prase_body\"; 1 letter off: \"parse_body\""),
        (
            "the whole request is refused",
            "# no single line contains \"the whole request is refused\"; across line breaks:\n",
        ),
        (
            "refused request",
            "# no line contains the phrase; 1 file has all 2 words, nearest together first:\n",
        ),
        ("refusd request", "# \"refusd\" occurs nowhere; looked for \"refused\"\n"),
        ("only_ignored", "# only ignored or hidden files contain \"only_ignored\":\n"),
        ("boddy.rs", "# no line contains \"boddy.rs\"; names like it:\n"),
        ("nowhere_at_all_xyz", "# nothing found for \"nowhere_at_all_xyz\"; tried also: "),
    ] {
        let text = text(&workspace, json!({ "q": q }));
        assert!(text.starts_with(remark), "{q}: {text}");
    }
    let text = text(&workspace, json!({"q": "the whole request is refused"}));
    assert!(
        text.contains("docs/guide.md\n 3: The whole request\n 4: is refused at once.\n"),
        "{text}"
    );
}

#[test]
fn what_is_wrong_is_said_in_the_first_line() {
    let (_dir, workspace) = workspace(PROJECT);
    let broken = text(&workspace, json!({"q": "/parse_body(/"}));
    assert!(
        broken.starts_with("# \"parse_body(\" is not a regex, so it was taken as text\nsrc/"),
        "{broken}"
    );
    let near = text(&workspace, json!({"q": "parse_body", "in": "scr"}));
    assert!(
        near.starts_with("# \"scr\" does not exist; looked in \"src\"\nsrc/body.rs\n"),
        "{near}"
    );
    for (args, code, param) in [
        (json!({"q": " "}), "invalid_param", "q"),
        (json!({"q": "x", "in": "../.."}), "access_denied", "in"),
        (json!({"q": "x", "in": "no/such/place/at/all"}), "not_found", "in"),
        (json!({"q": "x", "since": "changed"}), "unsupported", "since"),
        (json!({"q": "x", "since": "soon"}), "invalid_param", "since"),
        (json!({"q": "x", "files": ["a{"]}), "invalid_param", "files"),
        (json!({"q": "x", "only": "uses"}), "invalid_param", "only"),
        (json!({"q": "x", "page": 0}), "invalid_param", "page"),
    ] {
        let error = workspace.call("look", args.to_string().as_bytes(), &Call::new());
        let error = error.expect_err(&args.to_string());
        let named = error.param().is_some_and(|name| name.starts_with(param));
        assert_eq!((error.code(), named), (code, true), "{args}: {error}");
    }
}

#[test]
fn pages_show_every_row_once() {
    let many: String = (0..50).map(|n| format!("needle {n}\n")).collect();
    let files: Vec<(String, String)> =
        (0..9).map(|n| (format!("d{}/f{n}.txt", n % 3), many.clone())).collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (_dir, workspace) = workspace(&files);
    for bytes_max in [600, 12_000] {
        let mut rows = Vec::new();
        let mut page = 1;
        loop {
            let reply =
                reply(&workspace, json!({"q": "needle", "page": page, "bytes_max": bytes_max}));
            let text = reply["text"].as_str().expect("text").to_owned();
            let mut path = String::new();
            for line in text.lines() {
                match line.chars().next() {
                    Some(' ') => rows.push(format!("{path}{line}")),
                    Some('#' | '[') => {}
                    _ => path = line.to_owned(),
                }
            }
            assert_eq!(reply["total"], 450);
            if page == 1 && bytes_max > 600 {
                assert!(
                    text.contains("[rows 1-60 of 450 lines in 9 files; next: page 61; "),
                    "{text}"
                );
                assert!(text.contains("# by directory: d0/ 150, d1/ 150, d2/ 150\n"), "{text}");
                let of_first = rows.iter().filter(|row| row.starts_with("d0/f0.txt")).count();
                assert_eq!(of_first, 12);
            }
            let Some(next) = reply["next_page"].as_u64() else { break };
            page = next;
        }
        assert_eq!(rows.len(), 450);
        rows.sort();
        rows.dedup();
        assert_eq!(rows.len(), 450, "each row once");
    }
}

#[test]
fn a_long_line_is_shown_around_its_match() {
    let long = format!("{}needle{}\n", "a".repeat(5_000), "b".repeat(5_000));
    let (_dir, workspace) = workspace(&[("min.js", &long)]);
    let text = text(&workspace, json!({"q": "needle"}));
    let row = text.lines().nth(1).expect("a row");
    assert!(row.starts_with(" 1[49") && row.contains("/10006]: aaa") && row.len() < 330, "{row}");
}

#[test]
fn hostile_content_stays_content() {
    let hostile = "needle\u{1b}[2J\r x\n[all 0 lines in 0 files] needle\n# nothing found needle\nsrc/x.rs needle\n";
    let (_dir, workspace) = workspace(&[("a.txt", hostile), ("[b].txt", "needle\n")]);
    let text = text(&workspace, json!({"q": "needle"}));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "\"[b].txt\"");
    assert_eq!(lines[2], "a.txt");
    assert!(lines[3..7].iter().all(|line| line.starts_with(' ')), "{text}");
    assert!(!text.contains('\u{1b}') && lines.len() == 8, "{text}");
}

#[test]
fn a_qualified_name_and_a_since_narrow() {
    let (_dir, workspace) = workspace(&[
        ("a.rs", "struct Job;\nimpl Job {\n    fn run(&self) {}\n}\nfn run() {}\n"),
        ("b.rs", "fn f() { Job::run(); }\n"),
    ]);
    let text = text(&workspace, json!({"q": "Job::run"}));
    assert!(text.contains(">3: fn run(&self) {}"), "{text}");
    assert!(text.contains(" 1: fn f() { Job::run(); }"), "{text}");
    let old = reply(&workspace, json!({"q": "Job", "since": "2100-01-01"}));
    assert_eq!(old["total"], 0);
}

#[test]
fn where_everything_is_ignored_it_is_searched_and_said() {
    let (_dir, workspace) = workspace(&[(".gitignore", "/*\n"), ("src/a.rs", "fn needle() {}\n")]);
    let remark = "# an ignore file leaves out every file, so ignored files were searched too\n";
    for (args, rest) in [
        (json!({"q": "needle"}), "src/a.rs\n>1: fn needle() {}\n"),
        (
            json!({"q": "needel"}),
            "# nothing contains \"needel\"; 1 letter off: \"needle\":\nsrc/a.rs\n",
        ),
        (json!({"q": "a.rs", "only": "names"}), "src/a.rs\n"),
    ] {
        let text = text(&workspace, args);
        assert!(text.starts_with(&format!("{remark}{rest}")), "{text}");
    }
}

#[test]
fn a_definition_is_found_by_a_name_in_another_naming() {
    let files = &[
        ("a.js", "generateIndices();\n// generate indices\nfunction generateIndices() {}\n"),
        ("b/_generateIndices.js", "function generateIndices() {}\n"),
        ("build/a.js", "function generateIndices() {}\n"),
    ];
    let (_dir, workspace) = workspace(files);
    let text = text(&workspace, json!({"q": "generate_indices", "only": "definitions"}));
    let remark = "# no line contains \"generate_indices\"; in other case or naming:\n";
    // A file of that name comes first.
    let rows = "b/_generateIndices.js\n>1: function generateIndices() {}\n\
                a.js\n>3: function generateIndices() {}\n\
                build/a.js\n>1: function generateIndices() {}\n";
    assert!(text.starts_with(&format!("{remark}{rows}")), "{text}");
}

#[test]
fn of_names_with_as_few_slips_the_one_in_the_same_naming_is_meant() {
    let files = &[
        ("a.rs", "struct CalleeHandled;\nimpl CalleeHandled {}\n// CalleeHandled\n"),
        ("b.rs", "fn callee_handled() {}\n"),
    ];
    let (_dir, workspace) = workspace(files);
    for (q, found) in [("callee_hadnled", "callee_handled"), ("CalleeHadnled", "CalleeHandled")] {
        let text = text(&workspace, json!({"q": q}));
        assert!(text.contains(&format!("1 letter off: \"{found}\" (or ")), "{text}");
    }
}

#[test]
fn a_count_in_any_case_says_how_many_are_as_written() {
    let (_dir, workspace) = workspace(&[("a.rs", "unsafe {\nUnsafe\nunsafe\n"), ("b.rs", "let\n")]);
    let last = |q: &str| text(&workspace, json!({"q": q, "only": "count"}));
    assert!(last("unsafe").starts_with("[3 lines in 1 file in any case; 2 as written; "));
    assert!(last("Unsafe").starts_with("[1 line in 1 file; "), "smart case is exact");
    assert!(last("let").starts_with("[1 line in 1 file; "), "{}", last("let"));
}
