//! `look` on small trees: rows, their order, and the remarks of the reply.

mod body;
mod like;
mod named_first;
mod order;
mod question;
mod questions;
mod subject;
mod template;
mod topic;

use crate::call::CallTools;
use crate::tests::trees::tree;
use searchscope::{Call, Workspace};
use serde_json::{Value, json};

fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
    let dir = tree(files);
    let workspace = Workspace::open(dir.path()).expect("opened");
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
    assert!(!text.contains("similar definitions"), "{text}");
    let text = self::text(&workspace, json!({"q": "parse_body_inn"}));
    assert!(text.contains("# similar definitions: \"parse_body_inner\" src/body.rs:8\n"), "{text}");
}

#[test]
fn each_kind_of_only_shows_its_results() {
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
fn another_spelling_is_found_and_reported() {
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
        ("refused request", "# best of 1 file for refused, request\ndocs/guide.md\n"),
        ("refusd request", "# \"refusd\" occurs nowhere; looked for \"refused\"\n"),
        ("only_ignored", "# only ignored or hidden files contain \"only_ignored\":\n"),
        ("boddy.rs", "# no line contains \"boddy.rs\"; names like it:\n"),
        ("nowhere_at_all_xyz", "# nothing found for \"nowhere_at_all_xyz\"; tried also: "),
        (
            "src/main.rs:2",
            "# \"src/main.rs:2\" is a place; the lines around it:\nsrc/main.rs\n 1: fn main() {\n 2:     parse_body",
        ),
        ("main.rs:2", "# \"main.rs:2\" is a place; the lines around it:\nsrc/main.rs\n 1: "),
        ("/refused.*\\n?at once/", "docs/guide.md\n 4: is refused at once.\n"),
        ("/whole request\\nis/", "docs/guide.md\n 3: The whole request\n 4: is refused at once.\n"),
        ("whole request\nis", "docs/guide.md\n 3: The whole request\n 4: is refused at once.\n"),
        ("docs/*.md", "# no line contains \"docs/*.md\", but names do:\ndocs/guide.md\n"),
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
fn files_that_rules_leave_out_pass_the_same_filters() {
    let (_dir, workspace) = workspace(&[
        (".ignore", "out/\n"),
        (".hidden.txt", "seldom_word\n"),
        ("src/.deep/a.rs", "fn seldom_word() {}\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("out/b.rs", "fn seldom_word() {}\n"),
    ]);
    for (args, paths) in [
        (json!({}), &["out/b.rs", "src/.deep/a.rs", ".hidden.txt"][..]),
        (json!({"files": ["*.txt"]}), &[".hidden.txt"]),
        (json!({"files": ["*.rs", "!out/"]}), &["src/.deep/a.rs"]),
        (json!({"in": "src"}), &["src/.deep/a.rs"]),
        (json!({"files": ["*.md"]}), &[]),
    ] {
        let mut args = args;
        args["q"] = json!("seldom_word");
        let text = text(&workspace, args.clone());
        let has = |path: &&&str| text.contains(&format!("\n{path}\n"));
        let all = [".hidden.txt", "src/.deep/a.rs", "out/b.rs"];
        assert_eq!(all.iter().filter(has).count(), paths.len(), "{args}: {text}");
        assert!(paths.iter().all(|path| has(&path)), "{args}: {text}");
    }
}

#[test]
fn ignored_files_of_a_hidden_directory_stay_ignored() {
    let (_dir, workspace) = workspace(&[
        (".venv/.gitignore", "*\n"),
        (".venv/lib/a.py", "seldom_word = 1\n"),
        ("src/main.py", "import os\n"),
        ("src/data.bin", "\0\n"),
        (".cfg", "other_word\n"),
    ]);
    let absent = text(&workspace, json!({"q": "seldom_word"}));
    assert!(absent.starts_with("# nothing found for \"seldom_word\""), "{absent}");
    // The reply counts what the first search did not search either.
    let found = text(&workspace, json!({"q": "other_word"}));
    assert!(found.contains("\n.cfg\n") && found.contains("1 binary"), "{found}");
}

#[test]
fn ignored_and_hidden_worktrees_are_not_searched() {
    let (_dir, workspace) = workspace(&[
        (".gitignore", "trees/\nout/\n"),
        (".git/worktrees/one/HEAD", ""),
        (".git/worktrees/two/HEAD", ""),
        ("trees/one/.git", "gitdir: ../../.git/worktrees/one\n"),
        ("trees/one/code.rs", "fn seldom_word() {}\n"),
        (".trees/two/.git", "gitdir: ../../.git/worktrees/two\n"),
        (".trees/two/code.rs", "fn seldom_word() {}\n"),
        ("out/code.rs", "fn other_word() {}\n"),
        ("main.rs", "fn main() {}\n"),
    ]);
    let absent = text(&workspace, json!({"q": "seldom_word"}));
    assert!(absent.starts_with("# nothing found for \"seldom_word\""), "{absent}");
    let found = text(&workspace, json!({"q": "other_word"}));
    assert!(found.contains("\nout/code.rs\n"), "{found}");
}

#[test]
fn problems_are_reported_in_the_first_line() {
    let (_dir, workspace) = workspace(PROJECT);
    let broken = text(&workspace, json!({"q": "/parse_body(/"}));
    assert!(
        broken.starts_with("# /parse_body(/ does not compile; searched as /parse_body\\(/\nsrc/"),
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
        (json!({"q": "x", "since": "changed"}), "not_found", "since"),
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
fn where_everything_is_ignored_it_is_searched_with_a_remark() {
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
fn among_equally_near_names_the_same_naming_wins() {
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
fn a_count_in_any_case_reports_the_exact_ones() {
    let (_dir, workspace) = workspace(&[("a.rs", "unsafe {\nUnsafe\nunsafe\n"), ("b.rs", "let\n")]);
    let last = |q: &str| text(&workspace, json!({"q": q, "only": "count"}));
    assert!(last("unsafe").starts_with("[3 lines in 1 file in any case; 2 as written; "));
    assert!(last("Unsafe").starts_with("[1 line in 1 file; "), "smart case is exact");
    assert!(last("let").starts_with("[1 line in 1 file; "), "{}", last("let"));
}

#[test]
fn a_page_reports_its_rows_and_the_next_page() {
    let (_dir, workspace) = workspace(PROJECT);
    let last_line = |page: usize| {
        let text = text(&workspace, json!({"q": "parse_body", "page": page}));
        text.lines().last().expect("a line").to_owned()
    };
    assert!(last_line(5).starts_with("[rows 5-6 of 6 lines in 5 files; searched 5 files"));
    assert!(
        last_line(7).starts_with(
            "[no row 7: the last is 6 of 6 lines in 5 files; page 1 has the first; searched"
        ),
        "{}",
        last_line(7)
    );
}

#[test]
fn lines_that_only_a_filter_excludes_are_counted() {
    let (_dir, workspace) = workspace(&[
        ("src/a.js", "kGet();\nkGet();\nother();\n"),
        ("src/sched/b.js", "kGet();\n"),
        ("tests/a.js", "kGit();\n"),
    ]);
    let said = |args: Value| text(&workspace, args);
    for (args, remark) in [
        (
            json!({"q": "kGet", "only": "tests"}),
            "with only: \"tests\"; without it 3 lines in 2 files do",
        ),
        (
            json!({"q": "kGet", "only": "strings"}),
            "with only: \"strings\"; without it 3 lines in 2 files do",
        ),
        (
            json!({"q": "kGet", "since": "2100-01-01"}),
            "with since: \"2100-01-01\"; without it 3 lines in 2 files do",
        ),
        (
            json!({"q": "other", "in": "tests"}),
            "with in: \"tests\"; without it 1 line in 1 file does",
        ),
        (
            json!({"q": "other", "in": "tests", "files": ["*.js"]}),
            "with files: [\"*.js\"], in: \"tests\"; without them 1 line in 1 file does",
        ),
        (
            json!({"q": "k_get", "only": "tests"}),
            "with only: \"tests\"; without it 3 lines in 2 files do, in other case or naming",
        ),
    ] {
        let text = said(args.clone());
        assert!(text.contains(remark), "{args}: {text}");
        assert!(!text.contains("letter off") && !text.contains("nothing found"), "{args}: {text}");
    }
    let none = said(json!({"q": "kGet", "files": ["sched", "*.rs"]}));
    assert!(
        none.starts_with(
            "# no file matches files: [\"sched\", \"*.rs\"]\n# no line contains \"kGet\" with files: "
        ),
        "{none}"
    );
    let near = said(json!({"q": "kGitt", "only": "tests"}));
    assert!(near.starts_with("# nothing contains \"kGitt\"; 1 letter off: \"kGit\":\n"), "{near}");
    let word = said(json!({"q": "other kGit", "only": "tests"}));
    assert!(!word.contains("occurs nowhere"), "{word}");
    let names = said(json!({"q": "b.js", "only": "names", "in": "tests"}));
    assert!(
        names.starts_with(
            "# no file is named like \"b.js\" with in: \"tests\"; without, 1 of the tree does\n"
        ),
        "{names}"
    );
}

#[test]
fn names_are_counted_and_come_by_role() {
    let (_dir, workspace) = workspace(&[
        (".gitignore", "/out\n"),
        ("out", "x\n"),
        ("a/__pycache__/events.cpython-311.pyc", "x\n"),
        ("a/base_events.py", "x\n"),
        ("a/tests/events.py", "x\n"),
        ("z/events.py", "x\n"),
    ]);
    let names = |q: &str| text(&workspace, json!({"q": q, "only": "names"}));
    let miss = names("qqqqqqqq");
    assert!(
        miss.starts_with("# no file is named like \"qqqqqqqq\"\n[0 files; searched 4 files; "),
        "{miss}"
    );
    let rows = "z/events.py\na/tests/events.py\na/__pycache__/events.cpython-311.pyc\n[all 3 files; searched 4 files; ";
    assert!(names("events").starts_with(rows), "{}", names("events"));
    assert!(names("/^a.*events\\.py$/").starts_with("a/base_events.py\na/tests/events.py\n["));
    assert!(names("a/*.py").starts_with("a/base_events.py\n[all 1 file;"), "{}", names("a/*.py"));
    let none = names("/^b.*events/");
    assert!(none.starts_with("# no file matches \"^b.*events\"\n"), "{none}");
    let text = names("/events(/");
    assert!(
        text.starts_with("# \"events(\" is not a regex and was searched as literal text\n"),
        "{text}"
    );
}

#[test]
fn a_phrase_with_a_slip_is_found_as_a_phrase_first() {
    let (_dir, workspace) = workspace(&[
        ("a.rs", "fn add_defaults() {}\n"),
        ("b.rs", "fn other() {\n    add_defaults();\n}\n"),
        ("c.rs", "pub struct Command;\n// struct of a Commander\n"),
    ]);
    for (q, row) in [
        (
            "fn add_defaluts",
            "# \"add_defaluts\" occurs nowhere; looked for \"add_defaults\"\na.rs\n",
        ),
        ("struct Comand", "# \"Comand\" occurs nowhere; looked for \"Command\"\nc.rs\n"),
    ] {
        let text = text(&workspace, json!({ "q": q }));
        assert!(text.starts_with(row) && text.contains("[all 1 line in 1 file;"), "{q}: {text}");
    }
}

#[test]
fn a_qualified_name_is_only_itself_or_in_a_file_of_that_name() {
    let (_dir, workspace) = workspace(&[
        (
            "loop.py",
            "class Loop:\n    def close(self):\n        pass\n    def _close_pipe(self):\n        pass\n",
        ),
        ("shutil.py", "def unpack_archive(name):\n    pass\n"),
        ("other.py", "def unpack_archive(name):\n    shutil.unpack_archive(name)\n"),
    ]);
    let defined = |q: &str| text(&workspace, json!({"q": q, "only": "definitions"}));
    assert!(
        defined("Loop.close").starts_with("loop.py\n>2: def close(self):\n[all 1 line in 1 file;"),
        "{}",
        defined("Loop.close")
    );
    let archive = defined("shutil.unpack_archive");
    assert!(
        archive.starts_with("shutil.py\n>1: def unpack_archive(name):\n[all 1 line"),
        "{archive}"
    );
    let file = text(&workspace, json!({"q": "shutil.py"}));
    assert!(
        file.starts_with("# no line contains \"shutil.py\", but a file is named so:\nshutil.py\n"),
        "{file}"
    );
}

#[test]
fn a_reply_is_never_longer_than_its_maximum() {
    let long = format!("{}needle = \u{1b}{}\n", "a ".repeat(60), "\u{1}".repeat(90));
    let deep = format!("{}/x.txt", "directory_with_a_long_name".repeat(4));
    let too_deep = format!("{}/{}/{}/y.txt", "d".repeat(200), "e".repeat(200), "f".repeat(200));
    let defined: String =
        (0..9).map(|n| format!("fn needle_with_a_long_name_{n}() {{}}\n")).collect();
    let (_dir, workspace) = workspace(&[
        ("a.txt", &long),
        ("b.rs", &defined),
        (&deep, &long),
        ("needle/1.txt", "needle\n"),
        ("needles/2.txt", "needle\n"),
        (&too_deep, "needle only_here\n"),
    ]);
    let longest = "x".repeat(3_000);
    let wrong = format!("needel {longest}");
    for q in ["needle", "needel", "only_here", "NEEDLE", &longest, &wrong, "long needle name"] {
        for bytes_max in (500..700).step_by(23) {
            let reply = reply(&workspace, json!({"q": q, "bytes_max": bytes_max}));
            let text = reply["text"].as_str().expect("text");
            assert!(text.len() <= bytes_max, "{q} {bytes_max}: {} bytes: {text}", text.len());
            let last = text.lines().last().expect("a last line");
            assert!(last.starts_with('[') && last.ends_with(']'), "{text}");
        }
        for bytes_max in (700..2_000).step_by(260) {
            let reply = reply(&workspace, json!({"q": q, "bytes_max": bytes_max}));
            assert!(reply["text"].as_str().expect("text").len() <= bytes_max, "{q} {bytes_max}");
        }
    }
    let cut = text(&workspace, json!({"q": "needle", "in": "a.txt", "bytes_max": 500}));
    assert!(cut.starts_with("a.txt\n 1[") && cut.contains("needle = "), "{cut}");
    let none = reply(&workspace, json!({"q": "only_here", "bytes_max": 500}));
    let said = none["text"].as_str().expect("text");
    assert!(
        said.starts_with("[row 1 of 1 line in 1 file does not fit: raise bytes_max; "),
        "{said}"
    );
    assert_eq!((&none["complete"], &none["total"]), (&json!(false), &json!(1)));
}

#[test]
fn unreachable_lines_are_reported() {
    let many: String = (0..1_000).map(|n| format!("needle {n}\n")).collect();
    let (_dir, workspace) = workspace(&[("a.txt", &many), ("b.txt", "needle\n")]);
    let first = text(&workspace, json!({"q": "needle"}));
    assert!(
        first.contains("[rows 1-60 of 1001 lines in 2 files; next: page 61; pages reach 241 of them, 240 of each file at most: narrow q, in or files for the others; "),
        "{first}"
    );
    let last = text(&workspace, json!({"q": "needle", "page": 241}));
    assert!(
        last.contains("[rows 241-241 of 1001 lines in 2 files; pages reach 241 of them"),
        "{last}"
    );
}

#[test]
fn a_count_of_separate_words_counts_files() {
    let (_dir, workspace) = workspace(PROJECT);
    let shown = |only: &str| text(&workspace, json!({"q": "refused request", "only": only}));
    assert!(
        shown("count").starts_with("# best of 1 file for refused, request\n[1 file; searched"),
        "{}",
        shown("count")
    );
    assert!(
        shown("files").contains("request\ndocs/guide.md\n[rows 1-1, by relevance;"),
        "{}",
        shown("files")
    );
    let none = "# none of their lines reads like a definition\n[0 lines in 0 files;";
    assert!(shown("definitions").contains(none), "{}", shown("definitions"));
}

#[test]
fn a_popular_type_is_found_among_its_uses() {
    let use_of = "struct page_list *next(struct page_list *list, const page_list *p);\n";
    let uses: Vec<(String, String)> =
        (0..400).map(|n| (format!("arch/use_{n}.c"), use_of.to_owned())).collect();
    let mut files: Vec<(&str, &str)> =
        uses.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.push(("include/types.h", "struct page_list {\n\tint n;\n};\n"));
    files.push(("include/more.h", "typedef struct {\n\tint n;\n} page_id;\n"));
    files.push(("lib/only.js", "const all = [\n  function benchOnly (done) {},\n];\n"));
    files.push(("lib/private.js", "class A {\n  #matchAll() {}\n}\n"));
    files.push(("notes.txt", "The function prose_only is described here.\n"));
    let (_dir, workspace) = workspace(&files);
    let definitions = |q: &str| text(&workspace, json!({"q": q, "only": "definitions"}));
    for (q, row) in [
        ("page_list", "include/types.h\n>1: struct page_list {\n"),
        ("page_id", "include/more.h\n>3: } page_id;\n"),
        ("benchOnly", "lib/only.js\n>2: function benchOnly (done) {},\n"),
        ("matchAll", "lib/private.js\n>2: #matchAll() {}\n"),
        ("#matchAll", "lib/private.js\n>2: #matchAll() {}\n"),
        ("prose_only", "# no definition of \"prose_only\"; 1 line contains it\n"),
    ] {
        assert!(definitions(q).starts_with(row), "{q}: {}", definitions(q));
    }
}

#[test]
fn functions_with_the_name_as_written_come_before_fields_and_other_cases() {
    let (_dir, workspace) = workspace(&[
        ("a/field.c", "struct a {\n\tint wake_up;\n};\n"),
        ("b/case.c", "#define WAKE_UP 1\n"),
        ("c/function.c", "int wake_up(void)\n{\n\treturn 1;\n}\n"),
    ]);
    let text = text(&workspace, json!({"q": "wake_up"}));
    assert!(text.starts_with("c/function.c\n>1: int wake_up(void)\n"), "{text}");
}

#[test]
fn names_of_files_are_counted() {
    let (_dir, workspace) = workspace(&[("a/url_helper.js", ""), ("b/url_helper.js", "")]);
    let reply = reply(&workspace, json!({"q": "url_helper.js"}));
    assert_eq!(reply["total"], 2, "{reply}");
    let text = reply["text"].as_str().expect("text");
    assert!(text.contains("[all 2 files; searched 2 files"), "{text}");
}

#[test]
fn imports_lists_and_comments_are_not_the_uses_that_were_asked_for() {
    let no_uses = [
        ("a.js", "import { loadToken } from './token.js';\n"),
        ("b.js", "  loadToken,\n"),
        ("c.js", "// loadToken reads it\n"),
        ("d.py", "# loadToken reads it\n"),
    ];
    let files = [&no_uses[..], &[("z.js", "x = loadToken;\n")]].concat();
    let (_dir, workspace) = workspace(&files);
    let text = text(&workspace, json!({"q": "who uses loadToken"}));
    let at = |path: &str| text.find(path).unwrap_or_else(|| panic!("{path} in {text}"));
    for (path, _) in no_uses {
        assert!(at("z.js") < at(path), "{path}: {text}");
    }
}
