//! `read` on small trees.

use crate::call::CallTools;
use crate::tests::trees::tree;
use searchscope::{Call, Workspace, WorkspaceOptions};
use serde_json::{Value, json};

const RUST: &str = "//! A job.\n\n/// Runs.\n#[inline]\npub fn run() {\n    step();\n}\n\npub struct Job;\nimpl Job {\n    fn open(&self) {\n        run();\n    }\n}\n";

fn workspace() -> (tempfile::TempDir, Workspace) {
    let dir = tree(&[
        ("src/job.rs", RUST),
        ("src/a.py", "class A:\n    def open(self):\n        pass\n"),
        ("notes.txt", "one\ntwo\nthree\n"),
        ("bin.dat", "a\0b"),
        ("secret/key.txt", "k\n"),
        ("odd:3.txt", "odd\n"),
    ]);
    let options = WorkspaceOptions { deny: vec!["/secret".into()], ..Default::default() };
    let workspace = options.open(dir.path()).expect("opened");
    (dir, workspace)
}

fn opened(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
    let dir = tree(files);
    let workspace = Workspace::open(dir.path()).expect("opened");
    (dir, workspace)
}

fn read(workspace: &Workspace, args: Value) -> searchscope::Result<Value> {
    let reply = workspace.call("read", args.to_string().as_bytes(), &Call::new())?;
    Ok(serde_json::from_slice(&reply).expect("JSON"))
}

fn text(workspace: &Workspace, args: Value) -> String {
    let reply = read(workspace, args.clone()).unwrap_or_else(|error| panic!("{args}: {error}"));
    reply["text"].as_str().expect("text").to_owned()
}

#[test]
fn the_first_line_of_an_exported_definition_is_its_definition() {
    for definition in [
        "export function run () {\n  a()\n}\n",
        "export default class Job {\n  b = 1\n}\n",
        "export const run = () => {\n  a()\n}\n",
        "const run = () => {\n  a()\n}\n",
    ] {
        for name in ["a.js", "a.ts"] {
            let source = format!("const x = 1\n\n{definition}\nconst y = 2\n");
            let (_dir, workspace) = opened(&[(name, &source)]);
            let text = text(&workspace, json!({"what": [format!("{name}:3")]}));
            let n_rows = text.lines().filter(|line| line.starts_with(' ')).count();
            assert_eq!(n_rows, 3, "{name}: {text}");
        }
    }
}

#[test]
fn parts_are_lines_blocks_and_definitions() {
    let (_dir, workspace) = workspace();
    for (what, expected) in [
        ("notes.txt", "notes.txt\n 1: one\n 2: two\n 3: three\n[complete]\n"),
        ("notes.txt:2-9", "notes.txt\n 2: two\n 3: three\n# lines 2-3 of 3\n[complete]\n"),
        ("notes.txt:2-", "notes.txt\n 2: two\n 3: three\n# lines 2-3 of 3\n[complete]\n"),
        ("odd:3.txt", "odd:3.txt\n 1: odd\n[complete]\n"),
        (
            "src/job.rs:6",
            "src/job.rs\n 3: /// Runs.\n 4: #[inline]\n 5: pub fn run() {\n 6:     step();\n 7: }\n# lines 3-7 of 14; fn run\n[complete]\n",
        ),
        (
            "src/job.rs#Job.open",
            "src/job.rs\n 11:     fn open(&self) {\n 12:         run();\n 13:     }\n# lines 11-13 of 14; fn Job::open\n[complete]\n",
        ),
        ("#Job", "src/job.rs\n 9: pub struct Job;\n# lines 9-9 of 14; struct Job\n[complete]\n"),
    ] {
        assert_eq!(text(&workspace, json!({"what": [what]})), expected, "{what}");
    }
    let both = text(&workspace, json!({"what": ["#open"]}));
    assert!(both.contains("src/a.py\n 2:") && both.contains("src/job.rs\n 11:"), "{both}");
}

#[test]
fn an_outline_is_a_tree_under_a_budget() {
    let (_dir, workspace) = workspace();
    let file = text(&workspace, json!({"what": ["src/job.rs"], "outline": true}));
    assert_eq!(
        file,
        "src/job.rs\n 5: pub fn run()\n 9: pub struct Job\n 10: impl Job\n 11:   fn open(&self)\n[complete]\n"
    );
    let dir = text(&workspace, json!({"what": ["src"], "outline": true}));
    assert!(
        dir.starts_with(
            "src/a.py\n 1: class A\n 2:   def open(self)\nsrc/job.rs\n 5: pub fn run()\n"
        ),
        "{dir}"
    );
    // A budget without room for every signature has the labels.
    let long = format!("fn long({}) {{}}\nfn short() {{}}\n", "argument: usize, ".repeat(20));
    let long: String = (0..5).map(|n| format!("mod m{n} {{\n{long}}}\n")).collect();
    let (_dir, long) = opened(&[("a.rs", &long)]);
    let labels = text(&long, json!({"what": ["."], "outline": true, "bytes_max": 700}));
    assert!(labels.contains(" 2:   fn m0::long\n 3:   fn m0::short\n"), "{labels}");
    let many: String = (0..200).map(|n| format!("class C{n}:\n    def f(self): pass\n")).collect();
    let large = tree(&[("m.py", &many)]);
    let large = Workspace::open(large.path()).expect("opened");
    let cut =
        read(&large, json!({"what": ["."], "outline": true, "bytes_max": 4_000})).expect("read");
    let shown = cut["text"].as_str().expect("text");
    assert!(shown.contains("# 200 definitions within these are not shown"), "{shown}");
    assert!(shown.len() < 4_300 && cut["complete"] == false);
}

#[test]
fn a_reply_is_bounded_and_says_how_to_continue() {
    let many: String = (1..=1000).map(|n| format!("line {n}\n")).collect();
    let dir = tree(&[("a.txt", &many)]);
    let workspace = Workspace::open(dir.path()).expect("opened");
    let (mut next, mut lines, mut calls) = ("a.txt".to_owned(), Vec::new(), 0);
    loop {
        let reply = read(&workspace, json!({"what": [next], "bytes_max": 2_000})).expect("read");
        let text = reply["text"].as_str().expect("text");
        assert!(text.len() < 2_200);
        lines.extend(text.lines().filter(|line| line.starts_with(' ')).map(str::to_owned));
        calls += 1;
        if reply["complete"] == true {
            break;
        }
        let last = text.lines().last().expect("a last line");
        let (_, what) = last.split_once("next: what: [\"").expect(last);
        next = what.split('"').next().expect("quoted").to_owned();
    }
    assert_eq!(lines.len(), 1000);
    assert!(calls > 5 && lines[999] == " 1000: line 1000");
}

#[test]
fn unreadable_paths_are_errors_that_name_their_kind() {
    let (_dir, workspace) = workspace();
    for (what, code, said) in [
        ("bin.dat", "unsupported", "is binary: 3 bytes"),
        ("src", "unsupported", "is a directory"),
        ("note.txt", "not_found", "did you mean \"notes.txt\"?"),
        ("notes.txt:9-12", "invalid_param", "has 3 lines"),
        ("notes.txt:999", "invalid_param", "has 3 lines, so no line 999"),
        ("notes.txt:3-2", "invalid_param", "ascending"),
        ("secret/key.txt", "access_denied", "secret/key.txt"),
        ("../x", "access_denied", "outside"),
        ("src/job.rs#opn", "not_found", "did you mean 'open'?"),
        ("#nowhere_defined", "not_found", "no definition of \"nowhere_defined\""),
        ("notes.txt:1[9-12]", "invalid_param", "line 1 of \"notes.txt\" has 3 bytes"),
    ] {
        let error = read(&workspace, json!({"what": [what]})).expect_err(what);
        assert_eq!((error.code(), error.param()), (code, Some("what[0]")), "{what}: {error}");
        assert!(error.message().contains(said), "{what}: {error}");
    }
    // The other parts are still read.
    let reply = read(&workspace, json!({"what": ["note.txt", "notes.txt:1-1"]})).expect("read");
    let text = reply["text"].as_str().expect("text");
    assert!(
        text.starts_with("# \"note.txt\": ") && text.contains("notes.txt\n 1: one\n"),
        "{text}"
    );
    assert_eq!(reply["complete"], false);
}

#[test]
fn as_text_the_reply_is_its_text() {
    let (_dir, workspace) = workspace();
    let args = br#"{"what": ["notes.txt:1-1"]}"#;
    let shown = workspace.call_text("read", args, &Call::new()).expect("read");
    assert_eq!(shown, "notes.txt\n 1: one\n# lines 1-1 of 3\n[complete]\n");
}

#[test]
fn a_long_line_reports_its_rest_and_is_read_in_parts() {
    let long: String = (0..3_000).map(|n| format!("{n},")).collect();
    let tree = tree(&[("min.js", &long), ("two.js", &format!("{long}\n{long}\nend\n"))]);
    let workspace = Workspace::open(tree.path()).expect("opened");
    let first = read(&workspace, json!({"what": ["min.js"]})).expect("read");
    let shown = first["text"].as_str().expect("text");
    let len = long.len();
    let said = format!(
        "\n# line 1 is cut at 2000 of {len} bytes, the rest is \"min.js:1[2000-{len}]\"\n[incomplete: see the remarks]\n"
    );
    assert!(shown.ends_with(&said) && first["complete"] == false, "{shown}");
    let two = text(&workspace, json!({"what": ["two.js"]}));
    assert!(
        two.contains(" 3: end\n# line 1 is cut at 2000")
            && two.contains(", and 1 other line is cut\n"),
        "{two}"
    );
    let (mut next, mut whole, mut calls) = ("min.js:1[0-]".to_owned(), String::new(), 0);
    loop {
        let shown = text(&workspace, json!({"what": [next], "bytes_max": 3_000}));
        assert!(shown.len() <= 3_000);
        let row = shown.lines().nth(1).expect("a row");
        whole.push_str(row.split_once("]: ").expect(row).1);
        calls += 1;
        let last = shown.lines().last().expect("a last line");
        let Some((_, what)) = last.split_once("next: what: [\"") else { break };
        next = what.split('"').next().expect("quoted").to_owned();
    }
    assert!(whole == long && calls > 3, "{calls} calls, {} bytes", whole.len());
    // A line that is longer than a whole reply does not stop paging.
    let small = text(&workspace, json!({"what": ["two.js"], "bytes_max": 500}));
    assert!(small.contains(" 1[0-") && small.contains("next: what: [\"two.js:2-3\"]"), "{small}");
}

#[test]
fn a_definition_is_found_in_ignored_files_and_by_a_slip() {
    let tree = tree(&[
        (".gitignore", "/lib\n"),
        ("lib/a.rs", "fn ignored_one() {}\n"),
        ("src/b.rs", "fn visible_word() {}\nfn visible_word_again() {}\n"),
    ]);
    let workspace = Workspace::open(tree.path()).expect("opened");
    let found = text(&workspace, json!({"what": ["#ignored_one"]}));
    assert_eq!(
        found,
        "lib/a.rs\n 1: fn ignored_one() {}\n# fn ignored_one; only ignored or hidden files define it\n[complete]\n"
    );
    for (what, said) in [
        ("#visible_wrod", "did you mean \"#visible_word\" (src/b.rs:1) or "),
        ("#ignored_oen", "did you mean \"#ignored_one\" (lib/a.rs:1)?"),
    ] {
        let error = read(&workspace, json!({"what": [what]})).expect_err(what);
        assert!(error.code() == "not_found" && error.message().contains(said), "{what}: {error}");
    }
}

#[test]
fn a_directory_too_large_for_an_outline_lists_each_directory_once() {
    let names: Vec<String> = (0..60).map(|n| format!("{n:02}_a_long_name_of_a_file.py")).collect();
    let mut files: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), "x = 1\n")).collect();
    files.push(("30_dir/one.py", "x = 1\n"));
    let tree = tree(&files);
    let workspace = Workspace::open(tree.path()).expect("opened");
    let text = text(&workspace, json!({"what": ["."], "outline": true, "bytes_max": 500}));
    assert!(text.starts_with(". (60 files)\n30_dir (1 file)\n# "), "{text}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test makes a sparse file")]
fn a_file_that_is_too_large_is_refused_with_a_remedy() {
    let tree = tree(&[("a.txt", "")]);
    let file = std::fs::File::create(tree.path().join("big.txt")).expect("created");
    file.set_len((64 << 20) + 1).expect("a sparse file");
    let workspace = Workspace::open(tree.path()).expect("opened");
    let error = read(&workspace, json!({"what": ["big.txt:5-6"]})).expect_err("too large");
    assert_eq!(error.code(), "unsupported");
    let said = "\"big.txt\" is larger than 64 MiB; look finds text in it, and with a q such as \"big.txt:100\"";
    assert!(error.message().contains(said), "{error}");
}

#[test]
fn the_outline_of_a_file_has_every_depth() {
    let source = "mod a { mod b { mod c { mod d { mod e { pub struct Deep { x: u8 } } } } } }\n";
    let (_dir, workspace) = opened(&[("src/deep.rs", source)]);
    let text = text(&workspace, json!({"what": ["src/deep.rs"], "outline": true}));
    assert!(text.contains("          struct a::b::c::d::e::Deep\n"), "{text}");
    assert!(text.ends_with("[complete]\n"), "{text}");
}

#[test]
fn the_outline_of_a_large_file_has_pages() {
    let source: String = (0..200).map(|n| format!("pub fn function_{n}() {{}}\n")).collect();
    let (_dir, workspace) = opened(&[("a.rs", &source)]);
    let (mut what, mut names, mut n_pages) = ("a.rs".to_owned(), Vec::new(), 0);
    loop {
        let page = text(&workspace, json!({"what": [what], "outline": true, "bytes_max": 1_000}));
        assert!(page.len() <= 1_000, "{page}");
        n_pages += 1;
        names.extend(
            page.lines().filter_map(|line| line.split_once("fn ")).map(|(_, name)| name.to_owned()),
        );
        let Some((_, next)) = page.split_once("next: what: [\"") else { break };
        what = next.split('"').next().expect("a path").to_owned();
    }
    let expected: Vec<String> = (0..200).map(|n| format!("function_{n}()")).collect();
    assert!(n_pages > 3 && names == expected, "{n_pages} pages: {names:?}");
}

#[test]
fn an_outline_says_which_lines_are_unread() {
    let source = "class A {\n  fun f() {}\n  strange thing {\n    call()\n  }\n  )\n}\n";
    let (_dir, workspace) = opened(&[("A.kt", source)]);
    for what in ["A.kt", "."] {
        let text = text(&workspace, json!({"what": [what], "outline": true}));
        let remark = "# \"A.kt\": syntax errors hide possible definitions in lines 3-5\n";
        assert!(text.contains(remark) && !text.contains("[complete]"), "{text}");
    }
}

#[test]
fn an_outline_of_an_ignored_tree_has_a_remark() {
    let dir = crate::tests::trees::tree(&[(".gitignore", "/*\n"), ("src/a.rs", "fn a() {}\n")]);
    let workspace = Workspace::open(dir.path()).expect("opened");
    let outline = |what: &str| text(&workspace, json!({"what": [what], "outline": true}));
    assert!(
        outline(".").starts_with("# ignore files leave out everything here;"),
        "{}",
        outline(".")
    );
    assert_eq!(outline("src"), "src/a.rs\n 1: fn a()\n[complete]\n");
}

#[test]
fn lines_may_be_written_as_editors_and_forges_do() {
    let (_dir, workspace) =
        opened(&[("src/notes.txt", &"line\n".repeat(60)), ("C#/x/a.cs", "class A {\n}\n")]);
    let ask = |what: &str| text(&workspace, json!({"what": [what]}));
    for (what, usual) in [
        ("src/notes.txt#L10", "src/notes.txt:10"),
        ("src/notes.txt#L10-L20", "src/notes.txt:10-20"),
        ("src/notes.txt:L10", "src/notes.txt:10"),
        ("src/notes.txt:10:3", "src/notes.txt:10"),
        ("src/notes.txt:10-20: line", "src/notes.txt:10-20"),
        ("@src/notes.txt:10", "src/notes.txt:10"),
        ("@src/notes.txt", "src/notes.txt"),
    ] {
        assert_eq!(ask(what), ask(usual), "{what}");
    }
    assert!(ask("C#/x/a.cs:1").contains("class A"), "{}", ask("C#/x/a.cs:1"));
}
