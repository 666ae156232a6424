//! Questions that are nearly right: names in another naming among words, frames of another version, sentences of
//! which a part is absent.

use super::{text, workspace};
use crate::call::CallTools;
use searchscope::Workspace;
use serde_json::json;

/// Returns the first rows of a reply, each with its path.
fn rows(text: &str, n: usize) -> Vec<String> {
    let mut path = "";
    let mut rows = Vec::new();
    for line in text.lines() {
        match line.chars().next() {
            Some('>' | ' ') => rows.push(format!("{path} {line}")),
            Some('#' | '[') | None => {}
            Some(_) => path = line,
        }
    }
    rows.truncate(n);
    rows
}

/// Returns a row with single spaces.
fn squeeze(row: &str) -> String {
    row.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Asks `q`, whose first row must be one of the file at `path`, and returns the reply.
pub(super) fn first_in(workspace: &Workspace, q: &str, path: &str) -> String {
    let text = text(workspace, json!({ "q": q }));
    assert!(rows(&text, 1).iter().any(|row| row.starts_with(path)), "{q}: {text}");
    text
}

#[test]
fn a_name_in_another_naming_among_words_shows_its_definition() {
    let uses = "        store.SaveMediaStreams(1);\n".repeat(6);
    let calls = format!("class Store {{\n    void All() {{\n{uses}    }}\n");
    let store = format!("{calls}    public void SaveMediaStreams(int id) {{}}\n}}\n");
    let (_dir, workspace) = workspace(&[
        ("Item/Store.cs", &store),
        ("Item/MediaStreamSaver.cs", "class MediaStreamSaver {} // saves media, then streams\n"),
        (
            "worker/autoscale.py",
            "class Autoscaler:\n    def body(self):\n        self.maybe_scale()\n\n    def maybe_scale(self):\n        pass\n",
        ),
        ("worker/state.py", "maybe = 1\nscale = 2\n"),
        (
            "app/zone.go",
            "package app\n\n// time of the zone\nvar t = 1\n\nfunc readTimezone() {}\n",
        ),
        ("db/init.rs", "fn db_name() {}\n"),
        ("db/all.rs", "// name of a db: dbs and names\n"),
    ]);
    for (q, row) in [
        ("save_media_streams implementation", "Item/Store.cs >10: public void SaveMediaStreams("),
        ("save_media_streams helper", "Item/Store.cs >10: public void SaveMediaStreams("),
        ("where is save_media_streams defined", "Item/Store.cs >10: public void SaveMediaStreams("),
        ("autoscaler maybescale", "worker/autoscale.py >5:     def maybe_scale(self):"),
        ("read_timezone helper", "app/zone.go >6: func readTimezone() {}"),
        ("init dbname", "db/init.rs >1: fn db_name() {}"),
        ("dbname", "db/init.rs >1: fn db_name() {}"),
    ] {
        let text = text(&workspace, json!({ "q": q }));
        let rows = rows(&text, 3);
        let is_there = |found: &String| squeeze(found).starts_with(&squeeze(row));
        assert!(rows.iter().any(is_there), "{q}: {text}");
    }
}

#[test]
fn a_frame_of_another_version_also_shows_its_function() {
    let python = "def first():\n    pass\n\n\ndef other():\n    a = 1\n    return a\n\n\n\n\ndef load(x):\n    return x\n";
    let java = "package acme;\nclass Job {\n    void other() {\n        run();\n    }\n\n\n\n    void send(int a) {\n    }\n}\n";
    let script =
        "function other() {\n  return 1\n}\n\n\n\n\n\nexport function render() {\n  return 2\n}\n";
    let go = "package job\n\nfunc other() {\n\tx()\n}\n\n\n\n\nfunc (j *Job) Loop() {\n}\n";
    let (_dir, workspace) = workspace(&[
        ("app/job.py", python),
        ("acme/Job.java", java),
        ("src/view.ts", script),
        ("job/job.go", go),
    ]);
    for (q, line, row) in [
        ("File \"/lib/app/job.py\", line 6, in load", " 6:     a = 1", ">12: def load(x):"),
        ("at acme.Job.send(Job.java:4)", " 4:         run();", ">9:     void send(int a) {"),
        ("    at render (/x/src/view.ts:2:3)", " 2:   return 1", ">9: export function render() {"),
        (
            "x.org/job.(*Job).Loop(0xc00)\n\t/go/job/job.go:4 +0x1",
            " 4: \tx()",
            ">10: func (j *Job) Loop() {",
        ),
    ] {
        let text = text(&workspace, json!({ "q": q }));
        let has =
            |row: &str| text.lines().any(|line| line.replace("  ", "") == row.replace("  ", ""));
        assert!(has(line) && has(row) && text.contains("which is elsewhere"), "{q}: {text}");
    }
    let within = text(&workspace, json!({"q": "File \"app/job.py\", line 13, in load"}));
    assert!(!within.contains('>') && within.contains("lines around it:"), "{within}");
    let beyond = text(&workspace, json!({"q": "File \"app/job.py\", line 900, in load"}));
    assert!(
        beyond.starts_with("# \"app/job.py:900\" is a place, but not in its file; \"load\":\napp/job.py\n>12: def load(x):\n"),
        "{beyond}"
    );
    let unknown = text(&workspace, json!({"q": "File \"app/job.py\", line 6, in nowhere"}));
    assert!(!unknown.contains('>') && unknown.contains("6:"), "{unknown}");
}

#[test]
fn half_of_a_sentence_suffices_where_its_words_are_together() {
    let mut files: Vec<(String, String)> = (0..40)
        .map(|n| {
            (format!("src/part{n}.go"), format!("package a\n\nfunc read{n}(file string) {{}}\n"))
        })
        .collect();
    files.push((
        "src/shards.go".to_owned(),
        "package a\n\n// calibrate computes the desired shards\n// from the backlog of the queue.\nfunc calibrate() {}\n"
            .to_owned(),
    ));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (_dir, workspace) = workspace(&files);
    for q in [
        "how does the zebra marzipan trombone calibrate desired shards",
        "why are the marzipan zebra shards of the backlog",
        "the flamingo gondola calibrates the backlog",
    ] {
        let text = text(&workspace, json!({ "q": q }));
        let first = text.lines().find(|line| !line.starts_with('#'));
        assert_eq!(first, Some("src/shards.go"), "{q}: {text}");
        assert!(text.starts_with("# no file has all; best of "), "{q}: {text}");
    }
    for q in ["how is the zebra marzipan read from the file", "who reads the zebra gondola file"] {
        let text = text(&workspace, json!({ "q": q }));
        assert!(text.starts_with("# nothing found for "), "{q}: {text}");
    }
}

#[test]
fn the_shown_line_has_the_words_of_the_question_around_it() {
    let filler = |from: usize| -> String {
        (from..from + 300).map(|n| format!("# retry of request {n}\nx{n} = {n}\n")).collect()
    };
    let body = "# Waits before the next attempt,\n# longer after each failure of the upstream,\n# at most the ceiling.\ndef delay(request):\n    return 1\n";
    let text_of = format!("{}{body}{}", filler(0), filler(600));
    let (_dir, workspace) = workspace(&[("net/client.py", &text_of), ("net/other.py", "a = 1\n")]);
    let q = "how long does a request wait for the ceiling after a failure of upstream";
    let text = text(&workspace, json!({ "q": q }));
    let rows = rows(&text, 3);
    assert!(!rows.is_empty(), "{text}");
    for row in rows {
        let line: u64 = row.trim_start_matches("net/client.py ")[1..]
            .split(':')
            .next()
            .and_then(|line| line.parse().ok())
            .expect("a line");
        assert!((601..=605).contains(&line), "{text}");
    }
}

#[test]
fn hostile_questions_are_answered_or_refused() {
    let (_dir, workspace) = workspace(super::PROJECT);
    let long = "where is the request body parsed ".repeat(3_200);
    let letters = "x".repeat(100_000);
    let questions =
        [&long, &letters, "x", "is it the and or", "请求 正文 在哪里", "\u{fffd} \u{fffd}", "? !"];
    for q in questions {
        let args = json!({ "q": q }).to_string();
        if let Err(error) = workspace.call("look", args.as_bytes(), &searchscope::Call::new()) {
            assert_eq!(error.code(), "invalid_param", "{q}: {error}");
        }
    }
    let surrogates = br#"{"q": "where is \ud800 the \udfff body parsed"}"#;
    if let Err(error) = workspace.call("look", surrogates, &searchscope::Call::new()) {
        assert_eq!(error.code(), "invalid_param", "{error}");
    }
}

#[test]
fn where_words_are_missing_ten_files_have_few_rows() {
    let names: Vec<String> = (0..12).map(|n| format!("f{n:02}.rs")).collect();
    let code = "fn call_router() {}\nfn call_again() {}\nlet router = call;\n";
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), code)).collect();
    let (_dir, workspace) = workspace(&files);
    let text = text(&workspace, json!({"q": "stop calling the router"}));
    assert!(text.contains("nowhere:"), "{text}");
    assert_eq!(names.iter().filter(|name| text.contains(name.as_str())).count(), 10, "{text}");
    assert!(text.contains("[rows 1-12, by relevance;"), "{text}");
}

#[test]
fn a_capitalised_word_of_a_subject_is_no_name_by_itself() {
    let files = [
        ("context.go", "type Context struct{}\nfunc (c *Context) Get() {}\n"),
        ("routes.go", "case http.MethodDelete:\n// Delete it\n"),
    ];
    let (_dir, workspace) = workspace(&files);
    let text = text(&workspace, json!({"q": "feat(context): implemented Delete method"}));
    assert!(text.contains("best of"), "{text}");
    assert!(text.contains("context.go"), "{text}");
}

#[test]
fn a_member_that_only_a_document_has_leads_to_its_type() {
    let files = [
        ("CHANGES.md", "use `request-body-sha256` as a query parameter\n"),
        ("src/RequestBody.kt", "abstract class RequestBody {\n  fun contentLength() = -1\n}\n"),
    ];
    let (_dir, workspace) = workspace(&files);
    let text = text(&workspace, json!({"q": "Add RequestBody.sha256()"}));
    let at = |path: &str| text.find(path).unwrap_or_else(|| panic!("{path} in {text}"));
    assert!(at("src/RequestBody.kt") < at("CHANGES.md\n"), "{text}");
}

#[test]
fn questions_about_settings_search_hidden_files_of_the_project() {
    let (_dir, workspace) = workspace(&[
        (".github/workflows/publish.yml", "name: Publish to registry\non: push\n"),
        (".github/workflows/test.yml", "env:\n  GO111MODULE: on\n"),
        (".venv/lib/workflow.py", "def publish_workflow_to_registry(): pass\n"),
        ("src/main.go", "package main\n\n// publish the module to go\n"),
    ]);
    for (q, path) in [
        ("which workflow publishes to the registry", ".github/workflows/publish.yml"),
        ("where is GO111MODULE set", ".github/workflows/test.yml"),
    ] {
        let text = first_in(&workspace, q, path);
        assert!(!text.contains(".venv"), "{q}: {text}");
    }
    for q in ["publish the main modules", "publish modules, packages of go"] {
        let other = text(&workspace, json!({ "q": q }));
        assert!(!other.contains(".github"), "{other}");
    }
}

#[test]
fn hidden_files_answer_for_words_that_are_nowhere_else() {
    let (_dir, workspace) = workspace(&[
        (".github/workflows/stale.yml", "name: stale\njobs:\n  mark: the stale issue\n"),
        (".venv/old.py", "stale = issue\n"),
        ("src/state.go", "package state\n\n// the state of an issue\n"),
    ]);
    for q in ["stale issue", "raise the number of stale issues to 500"] {
        let text = first_in(&workspace, q, ".github/workflows/stale.yml");
        assert!(!text.contains("looked for") && !text.contains("(nowhere: stale"), "{q}: {text}");
    }
    let text = text(&workspace, json!({"q": "stale"}));
    assert!(text.contains(" 1: name: stale") && !text.contains("names do"), "{text}");
    first_in(&workspace, "state of an issue", "src/state.go");
}

#[test]
fn a_name_in_capitals_or_quotes_is_looked_for_as_written() {
    let (_dir, workspace) = workspace(&[
        ("env.py", "def build(p):\n    p.env(\"LESSCHARSET\", 1)\n"),
        ("less_charset.py", "def less_charset(): pass  # charset of less, set here\n"),
        ("Builder.java", "class Builder {\n  void excludeFieldsWithoutNotes() {}\n}\n"),
        ("Option.java", "class BuilderOption {} // an option of the builder\n"),
    ]);
    for (q, path) in [
        ("where is LESSCHARSET set", "env.py"),
        ("who sets LESSCHARSET", "env.py"),
        ("\"excludeFieldsWithoutNotes\" builder option", "Builder.java"),
    ] {
        first_in(&workspace, q, path);
    }
}

#[test]
fn a_question_of_which_little_is_there_shows_three_files() {
    let files: Vec<(String, &str)> =
        (0..6).map(|n| (format!("part{n}.py"), "parse = 1\n\ntoml = 2\n\nconfig = 3\n")).collect();
    let mut files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    files.push(("start.go", "// shown where the program was started from explorer.exe\n"));
    let (_dir, workspace) = workspace(&files);
    let parts = text(&workspace, json!({ "q": "write_parse_toml_config" }));
    assert!(rows(&parts, 9).len() <= 3, "{parts}");
    first_in(&workspace, "warn when the binary is double clicked from explorer", "start.go");
    let absent = text(&workspace, json!({ "q": "kafka brokers of the billing cluster" }));
    assert!(absent.contains("nothing found"), "{absent}");
}

#[test]
fn a_subject_that_names_a_part_of_the_project_is_about_it() {
    let (_dir, workspace) = workspace(&[
        ("command.go", "package cli\n\nfunc run() {} // until done\n"),
        ("other.go", "package cli\n\nfunc list() {}\n"),
    ]);
    let q = "command: temporarily disable G602 due to acme/checker#1005";
    let text = text(&workspace, json!({ "q": q }));
    assert!(text.lines().nth(1) == Some("command.go"), "{text}");
}

#[test]
fn a_question_about_a_part_of_the_tree_is_answered_from_it() {
    let (_dir, workspace) = workspace(&[
        (
            "src/client/pool.py",
            "import run\n\ndef close():\n    run()\n\nclass Pool:\n    def run(self):\n        pass\n",
        ),
        ("src/server/pool.py", "from jobs import run\n\nrun()  # the jobs of the pool\n"),
        (
            "src/jobs.py",
            "def run():\n    retry_all()\n\ndef retry_all():\n    # start a job again\n    pass\n",
        ),
        ("tests/test_jobs.py", "def test_run():\n    assert retry_all() is None\n"),
        ("docs/notes.md", "What to close in jobs.py is written here.\n"),
    ]);
    for (q, remark, row) in [
        (
            "who calls run in pool.py",
            "\"run\" in \"pool.py\", uses first",
            "src/client/pool.py  4: run()",
        ),
        (
            "where is run called in the client package",
            "in \"client\"",
            "src/client/pool.py  4: run()",
        ),
        ("run in src/server", "\"run\" in \"src/server\"", "src/server/pool.py  1: from jobs"),
        ("start a job again in jobs.py", "question about \"jobs.py\" alone", "src/jobs.py"),
        (
            "definition of run in jobs.py?",
            "\"run\" in \"jobs.py\", definitions first",
            "src/jobs.py >1: def run",
        ),
        // As written, a test of it, in no such part, and not with all of its words there.
        ("close in jobs.py", "What to close", "docs/notes.md"),
        ("tests for retry_all in jobs.py", "\"retry_all\", tests first", "tests/test_jobs.py"),
        ("who calls run in absent.py", "(nowhere: absent)", "src/"),
        ("close the jobs in pool.py", "best of", "src/"),
    ] {
        let text = text(&workspace, json!({ "q": q }));
        let first = rows(&text, 1).first().map(|row| squeeze(row)).unwrap_or_default();
        assert!(text.contains(remark) && first.starts_with(&squeeze(row)), "{q}: {first}\n{text}");
    }
    let half = text(&workspace, json!({"q": "start a job in jobs.py from the closing server"}));
    assert!(half.contains("(not in \"jobs.py\": closing, server)"), "{half}");
    let filtered = text(&workspace, json!({"q": "who calls run in pool.py", "files": ["*.md"]}));
    assert!(!filtered.contains("in \"pool.py\""), "{filtered}");
}

#[test]
fn a_route_is_found_with_any_parameter() {
    let (_dir, workspace) = workspace(&[
        ("src/routes.js", "app.get('/users/:id/posts', listPosts)\napp.get('/users', listUsers)\n"),
        (
            "src/users.js",
            "// users, their id and posts: get users, get id, get posts, GET /users/:id\n",
        ),
    ]);
    for (q, row) in [
        ("GET /users/:user/posts", "src/routes.js  1:"),
        ("which handler serves /users/42/posts?", "src/routes.js  1:"),
        ("endpoint /users", "src/routes.js  2:"),
    ] {
        let text = first_in(&workspace, q, "src/routes.js");
        assert!(text.starts_with("# the route"), "{text}");
        assert!(squeeze(&rows(&text, 1)[0]).starts_with(&squeeze(row)), "{q}: {text}");
    }
    let written = text(&workspace, json!({"q": "get posts, GET /users/:id"}));
    assert!(written.starts_with("src/users.js") && !written.contains("the route"), "{written}");
    let absent = text(&workspace, json!({"q": "GET /users/:id/likes"}));
    assert!(!absent.contains("the route"), "{absent}");
}

#[test]
fn the_line_that_builds_a_message_comes_first() {
    let noise =
        "    error = \"a command of such a list\"  # an error of a command in a list\n".repeat(30);
    let core =
        format!("def commands():\n{noise}    raise Failure(f\"No such command {{name}}.\")\n");
    let (_dir, workspace) = workspace(&[
        ("src/core.py", &core),
        ("src/command_list.py", &noise.repeat(3)),
        ("src/error.rs", "#[error(\"unknown syntax: '{0}'\")]\nUnknown(String),\n"),
        (
            "src/syntax.rs",
            "// unknown names of a syntax\nstruct Syntax; // syntax, unknown or not\n",
        ),
        (
            "src/flags.go",
            "// panic: a flag is nil\nfunc flag() { panic(nil) }\nvar e = fmt.Errorf(\"flag for %q is nil\", key)\n",
        ),
        (
            "tests/test_core.py",
            "def test_absent():\n    assert error == \"Error: No such command 'x'.\"\n",
        ),
    ]);
    for (q, row) in [
        ("Error: No such command 'deploi'. Did you mean a command of the list?", "raise Failure("),
        ("[tool error]: unknown syntax: 'pythn'", "#[error(\"unknown syntax"),
        ("panic: flag for \"port\" is nil", "Errorf(\"flag for %q is nil\""),
    ] {
        let text = text(&workspace, json!({ "q": q }));
        let first = rows(&text, 1);
        assert!(first.iter().any(|first| first.contains(row)), "{q}: {text}");
    }
    // The subject of a change is no message, although it has a number.
    let change = first_in(&workspace, "Fix the list of commands in 3.5", "src/command_list.py");
    assert!(!change.contains("raise Failure"), "{change}");
}

#[test]
fn a_corrected_question_is_asked_again() {
    let (_dir, workspace) = workspace(&[
        ("src/bar.rs", "/// Renders the progress bar.\nfn render_progress() {}\n"),
        ("src/log.rs", "fn log() {} // the bar of a log\n"),
    ]);
    let text = first_in(&workspace, "progess bar rendring", "src/bar.rs");
    assert!(text.starts_with("# \"progess\" occurs nowhere; looked for \"progress\"\n"), "{text}");
}

#[test]
fn questions_ask_for_guides_and_for_manifests() {
    let (_dir, workspace) = workspace(&[
        ("src/tool.rs", "// The package of an application.\nfn run() {}\n"),
        ("docs/packaging.md", "# Packaging\n\nPackage the application as follows.\n"),
        ("Cargo.toml", "[dependencies]\nparser = \"1.2\"\n"),
        (
            "src/parser.rs",
            "// The parser on which the others depend, and its version.\nfn parser() {}\n",
        ),
        ("src/version.rs", "fn version_of_parser() {} // parser, version\n"),
    ]);
    first_in(&workspace, "package the application now", "src/tool.rs");
    first_in(&workspace, "how do I package the application", "docs/packaging.md");
    let text = text(&workspace, json!({"q": "which version of the parser do we depend on"}));
    let at = |path: &str| text.find(path).unwrap_or_else(|| panic!("{path}: {text}"));
    assert!(
        at("Cargo.toml") < at("src/version.rs") && text.contains("files for parser\n"),
        "{text}"
    );
}

#[test]
fn a_place_outside_of_the_tree_is_no_file_of_it() {
    let (_dir, workspace) = workspace(&[
        ("test/app.js", "one();\ntwo();\nthree();\n"),
        ("lib/response.js", "\n\n\nwarn('Address must be a string')\n"),
    ]);
    first_in(&workspace, "Address must be a string ../../app.js:2:7", "lib/response.js");
    first_in(&workspace, "app.js:2", "test/app.js");
}

#[test]
fn a_message_of_many_words_is_compared_in_time() {
    let letter = |n: u8| char::from(b'a' + n % 26);
    let words: Vec<String> =
        (0..200).map(|n| format!("wörd{}{}", letter(n / 26), letter(n))).collect();
    let message = format!("failed to read \"x\": {}", words.join(" "));
    let line = format!("// {message}\n").repeat(20);
    let code = format!("{line}raise(\"failed to read {{}}\")\n");
    let (_dir, workspace) = workspace(&[("a.py", &line), ("b.py", &code)]);
    let text = text(&workspace, json!({ "q": format!("{message} 7") }));
    assert!(text.contains("a.py") && text.contains("b.py"), "{text}");
}

#[test]
fn a_text_that_fits_a_message_is_shown_with_few_others() {
    let others = "// index: a number, a string, an error, a name, cannot\n".repeat(30);
    let comment = "// such as: error: Cannot index the number with a string\n";
    let (_dir, workspace) = workspace(&[
        ("src/index.c", &format!("{others}fail(\"Cannot index an array with string\");\n")),
        ("src/string.c", &others),
        ("src/number.c", &others),
        ("src/error.c", &format!("{comment}{others}")),
        ("src/value.c", "x();\nreturn f(\"Cannot index %s with %s (%s)\", a, b, c);\n"),
    ]);
    for q in [
        "tool: error (at data.json:14): Cannot index number with string (\"name\")",
        "error: Cannot index number with string (\"name\")",
    ] {
        let text = first_in(&workspace, q, "src/value.c  2:");
        assert!(text.matches(".c\n").count() <= 3, "{q}: {text}");
    }
}

#[test]
fn a_text_in_tests_and_documents_hides_no_other_file() {
    let code = "fn open() {} // failed: cannot open the file of a number\n";
    let paths = ["src/a.rs", "src/b.rs", "src/c.rs", "src/d.rs"];
    let mut files: Vec<(&str, &str)> = paths.iter().map(|path| (*path, code)).collect();
    files.push(("tests/open.rs", "expect(\"cannot open the file\");\n"));
    let (_dir, workspace) = workspace(&files);
    let text = text(&workspace, json!({"q": "error: cannot open the file \"x.txt\" of number 7"}));
    assert_eq!(text.matches(".rs\n").count(), 5, "{text}");
}

const PARTS_OF_NAMES: &[(&str, &str)] = &[
    ("src/web.rs", "fn web() {} // upgrade\n"),
    ("src/socket.rs", "fn socket() {}\n"),
    ("src/handler.rs", "fn handler() {} // upgrade the web\n"),
    ("src/output.rs", "fn output() {} // yaml\n"),
    ("src/other.rs", "fn other() {} // web, socket, handler\n"),
];

#[test]
fn an_absent_name_is_named_as_it_is_written() {
    let (_dir, workspace) = workspace(PARTS_OF_NAMES);
    for (q, nowhere) in [
        ("WebSocket upgrade handler", "(nowhere: WebSocket)"),
        ("--yaml-output option of a handler", "(nowhere: \"yaml-output\", option)"),
    ] {
        let text = text(&workspace, json!({ "q": q }));
        assert!(text.lines().next().is_some_and(|line| line.contains(nowhere)), "{q}: {text}");
        assert!(text.matches(".rs\n").count() <= 3, "{q}: {text}");
    }
    let text = text(&workspace, json!({"q": "WebSocket upgrade handler", "in": "src"}));
    assert!(!text.contains("nowhere: WebSocket"), "{text}");
}

#[test]
fn a_name_that_is_anywhere_is_not_absent() {
    for place in [
        (".github/ci.yml", "run: WebSocket\n"),
        ("src/uses.rs", "web-sockets\n"),
        ("src/a.rs", "a(web_socket_of_b)\n"),
        ("docs/WebSocket.md", "\n"),
    ] {
        let (_dir, workspace) = workspace(&[PARTS_OF_NAMES, &[place]].concat());
        let text = text(&workspace, json!({"q": "WebSocket upgrade handler"}));
        assert!(!text.contains("nowhere"), "{place:?}: {text}");
    }
}

#[test]
fn a_name_among_words_keeps_its_line() {
    let mention = |n: u8| format!("// {n}: the host is matching a wildcard area\n");
    let mentions: String = (0..6).map(mention).collect();
    let code = format!("{mentions}return isHostInNoProxy(x);\n{mentions}");
    let (_dir, workspace) = workspace(&[("src/utils.php", &code)]);
    let text = text(&workspace, json!({"q": "isHostInNoProxy wildcard area matching"}));
    assert!(text.contains("return isHostInNoProxy"), "{text}");
}

#[test]
fn a_change_log_is_no_answer_about_a_name() {
    let (_dir, workspace) = workspace(&[
        ("CHANGELOG.md", "* Add the APP_POOL_SIZE environment variable\n"),
        ("src/notes.rb", "# APP_POOL_SIZE is for pools\nx.puts(\"APP_POOL_SIZE\")\n"),
        ("src/pool.rb", "size = ENV.fetch(\"APP_POOL_SIZE\", 5)\n"),
        ("test/pool_test.rb", "ENV[\"APP_POOL_SIZE\"] = \"9\"\n"),
    ]);
    for (q, reading) in [
        (
            "APP_POOL_SIZE environment variable",
            "# only a change log has it as written; lines with ",
        ),
        ("APP_POOL_SIZE env var", "# lines with "),
    ] {
        let text = first_in(&workspace, q, "src/pool.rb");
        assert!(
            text.starts_with(&format!("{reading}\"APP_POOL_SIZE\", settings first:")),
            "{text}"
        );
        assert!(text.contains("test/pool_test.rb"), "{text}");
    }
}

#[test]
fn other_names_are_no_corrections() {
    let (_dir, workspace) = workspace(&[
        ("CHANGES.md", "by MadRabbit and is-wsl\n"),
        ("src/a.rs", "fn broker() {} // connection\n"),
    ]);
    for q in ["RabbitMQ broker", "SoapAdapter wsdl", "wsdl", "RabbitMQ"] {
        let text = text(&workspace, json!({ "q": q }));
        assert!(!text.contains("looked for") && !text.contains("letters off"), "{q}: {text}");
    }
}

#[test]
fn an_option_is_found_with_its_dashes() {
    let (_dir, workspace) = workspace(&[
        ("build.gradle", "options.compilerArgs << '-parameters'\n"),
        (
            "src/Names.java",
            "// The names of parameters, a flag of the compiler.\nclass Parameters {}\n",
        ),
        ("src/bloom.cc", "// The bloom bits flag of the benchmark.\nint bloom_bits;\n"),
        ("bench/main.cc", "if (sscanf(argv[i], \"--bloom_bits=%d\", &n) == 1) {\n"),
    ]);
    for (q, path) in [
        ("-parameters compiler flag", "build.gradle"),
        ("the flag \"-parameters\" of javac", "build.gradle"),
        ("--bloom_bits flag of the benchmark", "bench/main.cc"),
        ("what does --bloom_bits=10 do", "bench/main.cc"),
        ("what does '-parameters' do", "build.gradle"),
    ] {
        let text = first_in(&workspace, q, path);
        assert!(text.starts_with("# lines with \"-"), "{q}: {text}");
        assert!(text.contains("[all 1 line in 1 file"), "{q}: {text}");
    }
}

#[test]
fn an_option_in_a_message_or_a_change_is_not_what_it_is_about() {
    let (_dir, workspace) = workspace(&[
        ("bench/main.cc", "if (sscanf(argv[i], \"--bloom_bits=%d\", &n) == 1) {\n"),
        ("src/args.cc", "throw Error(\"unexpected argument '\" + name + \"' found\");\n"),
    ]);
    for q in [
        "error: unexpected argument '--bloom_bits' found",
        "fix: find unexpected argument after --bloom_bits",
        "unexpected -bloom_bits argument -found",
    ] {
        let text = text(&workspace, json!({ "q": q }));
        assert!(!text.starts_with("# lines with"), "{q}: {text}");
    }
}

#[test]
fn a_status_of_http_is_a_word_of_a_question() {
    let (_dir, workspace) = workspace(&[
        (
            "src/call.rs",
            "fn parse(code: u16) -> Body {\n    if code == 204 || code == 205 {\n        return Body::empty();\n    }\n}\n",
        ),
        (
            "src/body.rs",
            "// The content of a body of the server.\npub struct Body;\n// content of the body, returned\n",
        ),
        ("src/server.rs", "// The server has a body of content.\nfn server_body_content() {}\n"),
    ]);
    for q in [
        "what is returned as body when the server answers 204 without content",
        "204 without content",
    ] {
        let text = text(&workspace, json!({ "q": q }));
        assert!(text.contains("code == 204"), "{q}: {text}");
    }
    // In a message it is a value.
    let text = text(&workspace, json!({ "q": "Failed to read body 204 of content" }));
    let remark = text.lines().next().unwrap_or_default();
    assert!(!remark.contains("204"), "{text}");
}

#[test]
fn files_after_the_first_ones_have_no_rows() {
    let files: Vec<(String, String)> = (0..9)
        .map(|n| {
            (
                format!("src/part_{n}.rs"),
                format!("// The pool keeps idle sockets {n}.\nfn f{n}() {{}}\n"),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (_dir, workspace) = workspace(&files);
    let text = text(&workspace, json!({ "q": "how does a pool keep its idle sockets open" }));
    let n_rows = text.lines().filter(|line| line.starts_with([' ', '>'])).count();
    let n_paths = text.lines().filter(|line| line.starts_with("src/part_")).count();
    assert_eq!((n_paths, n_rows), (9, 5), "{text}");
    // Rows that define nothing are left out, so each file needs its rows.
    let q = json!({ "q": "how does a pool keep its idle sockets open", "only": "comments" });
    let text = super::text(&workspace, q);
    let n_rows = text.lines().filter(|line| line.starts_with([' ', '>'])).count();
    assert_eq!(n_rows, 9, "{text}");
}

#[test]
fn a_word_that_is_not_counted_is_somewhere() {
    let far = " ".repeat(500);
    let names = "retry_it, ".repeat(30);
    let lines = "retry\n".repeat(1_100);
    for (text_of_file, is_read) in [
        (format!("retry {far} backoff\n"), true),
        (format!("{names} backoff\n"), true),
        (format!("{lines}backoff\n"), true),
        (format!("{lines}{}\nbackoff\n", "no word\n".repeat(200_000)), false),
    ] {
        let (_dir, workspace) = workspace(&[("src/a.rs", &text_of_file), ("src/b.rs", "jitter\n")]);
        let reply = text(&workspace, json!({"q": "how does the backoff of a retry work"}));
        let first = reply.lines().next().unwrap_or_default();
        assert!(!first.contains("nowhere") && !first.contains("has all"), "{first}");
        assert_eq!(first.contains("not seen: backoff"), !is_read, "{first}");
        let name = text(&workspace, json!({"q": "WebSocket retry jitter"}));
        assert!(name.contains("(nowhere: WebSocket)"), "{name}");
        let absent = text(&workspace, json!({"q": "how does the timeout of a retry work"}));
        let claim = if is_read { "(nowhere: timeout)" } else { "(not seen: timeout)" };
        assert!(absent.lines().next().is_some_and(|line| line.contains(claim)), "{absent}");
    }
}
