//! Exit statuses, forms of the output, errors, completions and the man page.

use crate::support::{command, run, searchscope, tree};
use searchscope_tools::CallTools;
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

fn small() -> tempfile::TempDir {
    tree(&[
        ("a.rs", "// hit in a comment\nfn hit() { \"hit in a string\"; }\n"),
        ("docs/guide.md", "# Guide\n\nHow to hit a key.\n"),
        ("src/b.rs", "mod outer {\n    fn inner() { hit(); }\n}\n"),
    ])
}

#[test]
fn the_exit_status_reports_the_outcome() {
    let dir = small();
    let status = |args: &[&str]| run(dir.path(), args).0;
    assert_eq!(status(&["search", "hit"]), 0);
    assert_eq!(status(&["search", "no such text"]), 1);
    assert_eq!(status(&["search", "("]), 2);
    assert_eq!(status(&["search", "hit", "missing"]), 2);
    assert_eq!(status(&["search"]), 2);
    assert_eq!(status(&["nonsense"]), 2);
    let (none, _, stderr) = run(dir.path(), &[]);
    assert_eq!(none, 2);
    assert!(
        stderr.starts_with("Searches text") && stderr.contains("Usage: searchscope"),
        "{stderr}"
    );
    for form in ["--json", "--compact"] {
        assert_eq!(status(&["search", form, "hit"]), 0, "{form}");
        assert_eq!(status(&["search", form, "no such text"]), 1, "{form}");
    }
    assert_eq!((status(&["find", "guide"]), status(&["find", "nothing"])), (0, 1));
    assert_eq!((status(&["sym", "inner"]), status(&["sym", "nothing"])), (0, 1));
    assert_eq!((status(&["docs", "key"]), status(&["docs", "nothing"])), (0, 1));
    assert_eq!((status(&["outline", "a.rs"]), status(&["outline", "docs"])), (0, 1));
    assert_eq!((status(&["scope"]), status(&["scope", "file:*.none"])), (0, 1));
}

#[test]
fn nothing_with_a_warning_is_not_complete_in_any_form() {
    let line = "too-long".repeat(10_000);
    let dir = tree(&[(".gitignore", &line), ("a.rs", "fn hit() {}\n")]);
    for form in [&[][..], &["--json"], &["--compact"], &["--pretty"]] {
        for (verb, status) in [("hit", 0), ("absent", 2)] {
            let found = run(dir.path(), &[&["search", verb], form].concat());
            assert_eq!(found.0, status, "search {verb} {form:?}: {found:?}");
        }
        let found = run(dir.path(), &[&["find", "absent"], form].concat());
        assert_eq!(found.0, 2, "find {form:?}: {found:?}");
    }
}

#[test]
fn each_verb_prints_its_results() {
    let dir = small();
    let stdout = |args: &[&str]| run(dir.path(), args).1;
    assert_eq!(stdout(&["s", "--in", "comments", "hit"]), "a.rs:1:// hit in a comment\n");
    assert_eq!(
        stdout(&["s", "--uses", "call", "hit"]),
        "src/b.rs:2:    fn inner() { hit(); }  (call)\n"
    );
    assert_eq!(
        stdout(&["s", "--uses", "any", "hit", "a.rs"]),
        "a.rs:1:// hit in a comment  (comment)\n\
         a.rs:2:fn hit() { \"hit in a string\"; }  (definition, string)\n"
    );
    assert_eq!(
        stdout(&["s", "--enclosing", "hit\\(\\);"]),
        "src/b.rs:2:    fn inner() { hit(); }  [fn outer::inner]\n"
    );
    assert_eq!(stdout(&["sym", "inner"]), "src/b.rs:2:fn outer::inner\n");
    assert_eq!(stdout(&["docs", "key"]), "docs/guide.md:3:# Guide  How to hit a key.\n");
    assert_eq!(stdout(&["scope", "file:src//*"]), "src/b.rs\n");
    assert_eq!(stdout(&["f", "-0", "b"]), "src/b.rs\0");
    assert!(stdout(&["f", "-l", "b.rs"]).ends_with(" src/b.rs\n"));
    assert!(stdout(&["outline", "src"]).starts_with("src/b.rs\n 1: mod outer\n"));
    let scopes = stdout(&["scope"]);
    let begins = |line: &str| scopes.lines().any(|known| known.starts_with(line));
    assert!(begins("Project Files\t") && !scopes.contains("standard:"), "{scopes}");
    assert!(!begins("Open Files") && !begins("Scratches and Consoles"), "{scopes}");
    assert_eq!(run(dir.path(), &["docs", "key", "--exclude", "/docs"]).0, 1);
}

#[test]
fn look_takes_every_kind_of_rows() {
    let dir = small();
    let json = run(dir.path(), &["tools", "--json"]).1;
    let tools: Vec<Value> = serde_json::from_str(&json).expect("JSON");
    let look = tools.iter().find(|tool| tool["name"] == "look").expect("a tool");
    let kinds = look["inputSchema"]["properties"]["only"]["enum"].as_array().expect("kinds");
    let kinds: Vec<&str> = kinds.iter().filter_map(Value::as_str).collect();
    assert!(kinds.len() > 8, "{kinds:?}");
    for kind in kinds {
        let (status, _, stderr) = run(dir.path(), &["look", "hit", "--only", kind]);
        assert!(status < 2 && stderr.is_empty(), "{kind}: {stderr}");
    }
}

#[test]
fn look_answers_a_question_or_a_place() {
    let load = "fn load_token(store: &Store) {\n    let token = store.token();\n    token.refresh_expired();\n}\n";
    let dir = tree(&[
        ("src/a.rs", load),
        ("src/b.rs", &load.replace("load_token", "renew")),
        ("src/c.rs", "fn other() {}\n"),
    ]);
    let (status, stdout, _) = run(dir.path(), &["look", "where is load_token defined"]);
    assert!(status == 0 && stdout.contains("src/a.rs\n>1: fn load_token("), "{stdout}");
    let (status, stdout, _) = run(dir.path(), &["look", "--like", "src/a.rs:2"]);
    assert!(status == 0 && stdout.contains("src/b.rs\n>1: fn renew("), "{stdout}");
    let files =
        run(dir.path(), &["look", "--like", "src/a.rs:2", "--only", "files", "-g", "*.rs"]).1;
    assert!(files.contains("\nsrc/b.rs\n") && !files.contains("c.rs"), "{files}");
    let (_, json, _) = run(dir.path(), &["look", "--like", "src/a.rs:2", "--json"]);
    assert!(json.starts_with('{'), "{json}");
    for (args, message) in [
        (&["look"][..], "QUESTION is missing"),
        (&["look", "--like", "src/a.rs:900"], "'src/a.rs' has no line 900"),
        (&["look", "--like", "nowhere.rs:1"], "nowhere.rs"),
        (&["look", "token", "--like", "src/a.rs:2"], "--like"),
    ] {
        let (status, _, stderr) = run(dir.path(), args);
        assert!(status == 2 && stderr.contains(message), "{args:?}: {stderr}");
    }
    assert_eq!(run(dir.path(), &["look", "zzqqxx"]).0, 1);
}

#[test]
fn each_listed_scope_has_files() {
    let stored = |name: &str, pattern: &str| {
        format!(
            "<component name=\"DependencyValidationManager\">\
             <scope name=\"{name}\" pattern=\"{pattern}\"/></component>"
        )
    };
    let dir = tree(&[
        (".idea/scopes/Tests.xml", &stored("Tests", "file:checks//*")),
        (".idea/scopes/a.xml", &stored("block:hero", "file:src/a.rs")),
        (".idea/scopes/b.xml", &stored("Empty", "file:none//*")),
        (".idea/scopes/c.xml", &stored("Broken", "file:")),
        ("Cargo.toml", "[package]\nname = \"m\"\n"),
        ("src/a.rs", ""),
        ("src/b.rs", ""),
        ("checks/c.rs", ""),
    ]);
    let (_, scopes, stderr) = run(dir.path(), &["scope"]);
    let expected = "production\t2 files\nAll Places\t";
    assert!(scopes.starts_with(expected), "{scopes}");
    assert!(stderr.contains("without files; ids with --json"), "{stderr}");
    for line in ["named:Tests\t1 file", "named:block:hero\t1 file", "module:m\t2 files"] {
        assert!(scopes.lines().any(|listed| listed == line), "{line}: {scopes}");
    }
    for line in scopes.lines() {
        let (name, n_files) = line.split_once('\t').expect(line);
        let (code, files, _) = run(dir.path(), &["scope", name]);
        let n_found = files.lines().count();
        assert_eq!((code, Some(&*n_found.to_string())), (0, n_files.split(' ').next()), "{line}");
    }
    let (_, scopes, stderr) = run(dir.path(), &["scope", "--limit", "1"]);
    assert_eq!(scopes, "production\t2 files\n");
    assert!(stderr.contains("there are more: raise --limit"), "{stderr}");
}

#[test]
fn json_and_compact_are_replies_of_the_tool() {
    let dir = small();
    let workspace = searchscope::Workspace::open(dir.path()).unwrap();
    let args = br#"{"patterns":["hit"],"paths":["."],"case":"insensitive"}"#;
    let call = searchscope::Call::new();
    let text = workspace.call_text("search", args, &call).unwrap();
    assert_eq!(run(dir.path(), &["s", "-i", "hit", "--compact"]).1, text);
    let json = |bytes: &[u8]| {
        let mut value: Value = serde_json::from_slice(bytes).unwrap();
        value["elapsed_us"] = 0.into();
        value
    };
    let reply = workspace.call("search", args, &call).unwrap();
    assert_eq!(json(run(dir.path(), &["s", "-i", "hit", "--json"]).1.as_bytes()), json(&reply));
}

#[test]
fn the_match_of_a_document_is_the_one_in_color() {
    let dir = tree(&[("a.md", "**Note** that a **key** is *key*.\n")]);
    let (_, stdout, _) = run(dir.path(), &["docs", "KEY", "--color", "always"]);
    let first = stdout.lines().next().unwrap();
    assert!(first.contains("**Note** that a **\u{1b}[1;31mkey\u{1b}[0m** is"), "{first:?}");
}

#[test]
fn warnings_name_paths_as_they_were_written() {
    let dir = tree(&[("x/a.txt", &format!("{}\0hit\n", "line\n".repeat(20_000)))]);
    let here = dir.path().join("x");
    let (status, _, stderr) = run(&here, &["s", "hit", "../x"]);
    assert!(stderr.starts_with("searchscope: ../x/a.txt: "), "{stderr}");
    assert_eq!(status, 2);
}

#[test]
fn unknown_symbols_are_not_reported_as_a_limit() {
    let hostile = format!("{}\0fn other() {{}}\n", "// line\n".repeat(20_000));
    let dir = tree(&[("a.rs", &hostile), ("b.rs", "fn one() {}\nfn once() {}\n")]);
    let (status, stdout, stderr) = run(dir.path(), &["sym", "other"]);
    assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
    assert!(stderr.ends_with("not complete: not everything could be searched\n"), "{stderr}");
    std::fs::remove_file(dir.path().join("a.rs")).unwrap();
    let (status, stdout, stderr) = run(dir.path(), &["sym", "on", "--limit", "1"]);
    assert_eq!((status, stdout.lines().count()), (0, 1));
    assert!(stderr.contains("raise --limit"), "{stderr}");
    assert_eq!(run(dir.path(), &["sym", "other"]).0, 1);
}

#[test]
fn a_cursor_leads_to_the_rest() {
    let dir = small();
    let whole = run(dir.path(), &["s", "hit"]).1;
    let (status, first, stderr) = run(dir.path(), &["s", "hit", "--limit", "2"]);
    assert_eq!((status, first.lines().count()), (0, 2));
    let (_, cursor) = stderr.trim_end().rsplit_once("--cursor ").expect(&stderr);
    let (status, rest, stderr) =
        run(dir.path(), &["s", "hit", "--limit", "20", "--cursor", cursor]);
    assert_eq!((status, format!("{first}{rest}"), stderr.as_str()), (0, whole, ""));
}

#[test]
fn the_last_flag_of_one_parameter_counts() {
    let dir = tree(&[("a", "Hit\nhit\n")]);
    let lines = |args: &[&str]| run(dir.path(), args).1.lines().count();
    assert_eq!((lines(&["s", "-i", "-S", "Hit"]), lines(&["s", "-S", "-i", "Hit"])), (1, 2));
    assert_eq!(run(dir.path(), &["s", "-c", "-l", "hit"]).1, "a\n");
}

#[test]
fn errors_name_the_flag_and_the_nearest_one() {
    let dir = small();
    let cases: &[(&[&str], &[&str])] = &[
        (&["s", "hit("], &["PATTERN: unclosed group", "  hit(\n", "     ^", "-F"]),
        (&["s", "(a{1000}){1000}"], &["PATTERN: ", "larger"]),
        (&["s", "hit", "-g", "["], &["'--glob' is not a valid glob"]),
        (
            &["s", "hit", "-t", "pyhton"],
            &["--type: there is no type 'pyhton'; did you mean 'python'?"],
        ),
        (&["s", "hit", "--hiden"], &["'--hiden'", "'--hidden'"]),
        (&["s", "hit", "--in", "comment"], &["'comment'", "'comments'"]),
        (&["s", "hit", "srcs"], &["PATH: ", "'srcs'", "did you mean 'src'?"]),
        (&["s", "hit", "paths.rs"], &["PATH: path 'paths.rs' does not exist"]),
        (&["s", "hit", "paths"], &["PATH: path 'paths' does not exist"]),
        (&["f", "-g", "x", "paths[0]"], &["PATH: path 'paths[0]' does not exist"]),
        (&["s", "hit", "/no/such"], &["PATH: '/no/such' does not exist"]),
        (&["s", "hit", "-E", "latin99"], &["'--encoding' must be"]),
        (&["s", "hit", "--limit", "0"], &["'--limit'"]),
        (&["s", "hit", "-C", "x"], &["--context"]),
        (&["s", "hit", "--changed-within", "soon"], &["'--changed-within'"]),
        (
            &["s", "hit", "--scope", "productoin"],
            &["'--scope' names no scope", "mean 'production'?"],
        ),
        (&["f", "--scope", "tets", "."], &["'--scope' names no scope", "mean 'tests'?"]),
        (&["scope", "fil:src//*"], &["names no scope", "mean 'file:src//*'?"]),
        (&["s", "hit", "--cursor", "x"], &["--cursor"]),
        (&["s", "*.rs"], &["PATTERN: ", "hint: -F '*.rs' takes the pattern as text"]),
        (&["s", "hit", "*.rs"], &["PATH: ", "hint: -g '*.rs' chooses files by a glob"]),
        (&["s", "hit", "-"], &["PATH: ", "standard input is not searched"]),
        (&["f", "[*"], &["'PATTERN': ", "hint: PATTERN is a regex; -g '[*' takes it as a glob"]),
        (
            &["f", "src/b.rs"],
            &["'PATTERN' ", "hint: -p 'src/b.rs' compares it with the whole path"],
        ),
        (&["f", "it's[/"], &["hint: -p 'it'\\''s[/' "]),
        (&["f", "--changed="], &["a value is required for '--changed[=<REV>]'"]),
        (&["f", "--changed"], &["--changed: ", "hint: --git-dir-outside-root opens one"]),
        (&["sym", "hit", "--scope", "changed"], &["--scope: ", "hint: --git-dir-outside-root"]),
        (&["f", "-t", "z"], &["--type"]),
        (&["sym", "x", "--kind", "metod"], &["--kind"]),
        (&["s", "hit", "--root", "none"], &["root '", "none' does not exist"]),
        (&["serve"], &["type searchscope-server, or node server/cli.js in a clone"]),
        (&["mcp", "install"], &["searchscope-server mcp, or node server/cli.js mcp in a clone"]),
        (&["TODO"], &["searchscope search PATTERN"]),
        (&["call", "serch"], &["invalid_param: ", "did you mean 'search'?"]),
        (&["call"], &["<TOOL>"]),
    ];
    for (args, expected) in cases {
        let (status, stdout, stderr) = run(dir.path(), args);
        assert_eq!((status, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
        assert!(stderr.starts_with("searchscope: "), "{args:?}: {stderr}");
        for part in *expected {
            assert!(stderr.contains(part), "{args:?}: {stderr}");
        }
        assert!(!stderr.contains("set '"), "{args:?} names a parameter of the tool: {stderr}");
    }
}

#[test]
fn a_glob_that_is_a_regex_gets_a_hint_where_it_finds_nothing() {
    let dir = small();
    let (status, stdout, stderr) = run(dir.path(), &["f", "guid*.md"]);
    let hint = "searchscope: PATTERN is a regex; -g 'guid*.md' takes it as a glob\n";
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (1, "", hint));
    for silent in [&["f", "gui*de"][..], &["f", "none.*"], &["f", "-g", "none*"]] {
        assert_eq!(run(dir.path(), silent).2, "", "{silent:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_are_searched_and_printed_as_they_are() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let dir = tree(&[(".git/HEAD", "ref: refs/heads/main\n"), ("top", "hit\n")]);
    let odd = dir.path().join(OsStr::from_bytes(b"od\xffd"));
    std::fs::create_dir(&odd).unwrap();
    std::fs::write(odd.join("a"), "hit\n").unwrap();
    let output = searchscope(dir.path(), &["s", "hit"]).output().unwrap();
    assert_eq!(output.stdout, b"od\xffd/a:1:hit\ntop:1:hit\n");
    assert_eq!(run(&odd, &["s", "hit"]), (0, "a:1:hit\n".to_owned(), String::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn paths_that_are_not_utf_8_are_accepted_as_arguments() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let dir = tree(&[(".git/HEAD", "ref: refs/heads/main\n"), ("top", "hit\n")]);
    let odd = |rest: &[u8]| OsStr::from_bytes(&[b"od\xffd", rest].concat()).to_owned();
    std::fs::create_dir(dir.path().join(odd(b""))).unwrap();
    for (name, text) in [("a", "hit\n"), ("a.md", "# hit\n"), ("a.rs", "fn hit() {}\n")] {
        std::fs::write(dir.path().join(odd(b"")).join(name), text).unwrap();
    }
    std::fs::write(dir.path().join(odd(b"/f\xff")), "hit\n").unwrap();
    let run = |args: &[&OsStr]| {
        let output = searchscope(dir.path(), &[]).args(args).output().unwrap();
        (output.status.code().unwrap(), output.stdout, String::from_utf8(output.stderr).unwrap())
    };
    let word = OsStr::new;
    let all = b"od\xffd/a:1:hit\nod\xffd/a.md:1:# hit\nod\xffd/a.rs:1:fn hit() {}\n\
                od\xffd/f\xff:1:hit\n";
    let found = |stdout: &[u8]| (0, stdout.to_vec(), String::new());
    assert_eq!(run(&[word("s"), word("hit"), &odd(b"/")]), found(all));
    assert_eq!(run(&[word("s"), word("-e"), word("hit"), &odd(b"")]), found(all));
    let two = [word("s"), word("-l"), word("hit"), &odd(b"/a"), &odd(b"/a.rs")];
    assert_eq!(run(&two), found(b"od\xffd/a\nod\xffd/a.rs\n"));
    assert_eq!(run(&[word("f"), word("rs"), &odd(b"")]), found(b"od\xffd/a.rs\n"));
    assert_eq!(run(&[word("docs"), word("hit"), &odd(b"")]), found(b"od\xffd/a.md:1:# hit\n"));
    assert_eq!(run(&[word("outline"), &odd(b"/a.rs")]).0, 0);
    let root = odd(b"");
    assert_eq!(run(&[word("f"), word("--root"), &root, word("rs")]), found(b"a.rs\n"));
    assert_eq!(run(&[word("sym"), word("--root"), &root, word("hit")]).0, 0);
    let json = word(r#"{"patterns":["hit"]}"#);
    assert_eq!(run(&[word("call"), word("search"), json, word("--root"), &root]).0, 0);

    let message = "od\u{fffd}d/f\u{fffd}' is not UTF-8; such a path must be a directory and the only PATH, \
                   without --root\n";
    let file = odd(b"/f\xff");
    for refused in [
        &[word("s"), word("hit"), &file][..],
        &[word("s"), word("hit"), word("top"), &file],
        &[word("s"), word("hit"), word("--root"), word("."), &file],
    ] {
        let (status, stdout, stderr) = run(refused);
        assert_eq!((status, stdout.len()), (2, 0));
        assert!(stderr.ends_with(message), "{stderr}");
    }
    for (args, expected) in [
        (&[word("s"), word("hit"), &*odd(b"none")][..], "od\u{fffd}dnone' does not exist\n"),
        (&[word("s"), &root], "PATTERN is not UTF-8; (?-u:\\xFF) in a regex matches the byte FF\n"),
        (&[word("sym"), &root], "NAME is not UTF-8\n"),
        (&[word("s"), word("hit"), word("-g"), &root], "the value of a flag is not UTF-8\n"),
    ] {
        let (status, _, stderr) = run(args);
        assert_eq!(status, 2);
        assert!(stderr.ends_with(expected), "{stderr}");
    }
}

#[test]
fn a_hidden_directory_of_documents_keeps_its_dot() {
    let dir = tree(&[(".notes/a.md", "# hit\n"), ("notes/b.md", "# hit\n")]);
    let (_, stdout, stderr) = run(dir.path(), &["docs", "hit", ".notes"]);
    assert!(!stdout.contains("b.md"), "{stdout} {stderr}");
}

#[test]
fn skipped_entries_are_reported_on_standard_error() {
    let dir = tree(&[("a.txt", "x\n"), ("b.unknown", "// hit\n")]);
    let (status, stdout, stderr) = run(dir.path(), &["s", "--in", "comments", "hit"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("no grammar for 1 file: b.unknown\n"), "{stderr}");
}

#[test]
fn a_pipe_gets_unescaped_text() {
    let dir = tree(&[
        ("a", "\u{1b}[31mhit\u{1b}[0m\r\n"),
        ("b", &format!("{}hit\n", "x".repeat(70_000))),
    ]);
    let (_, stdout, _) = run(dir.path(), &["s", "hit", "a"]);
    assert_eq!(stdout, "a:1:\u{1b}[31mhit\u{1b}[0m\n");
    let (_, stdout, _) = run(dir.path(), &["s", "hit", "b"]);
    assert_eq!(stdout.len(), "b:1:".len() + 70_000 + "hit\n".len());
}

#[test]
fn colors_follow_the_flag() {
    let dir = tree(&[("a", "one hit\n")]);
    let plain = "a:1:one hit\n";
    let colored = "\u{1b}[35ma\u{1b}[0m:\u{1b}[32m1\u{1b}[0m:one \u{1b}[1;31mhit\u{1b}[0m\n";
    assert_eq!(run(dir.path(), &["s", "hit"]).1, plain);
    assert_eq!(run(dir.path(), &["s", "hit", "--color", "never"]).1, plain);
    assert_eq!(run(dir.path(), &["s", "hit", "--color", "always"]).1, colored);
    let pretty = run(dir.path(), &["s", "hit", "--pretty"]).1;
    assert!(pretty.starts_with("\u{1b}[35ma\u{1b}[0m\n\u{1b}[32m1\u{1b}[0m:one "), "{pretty:?}");
    let no_color = searchscope(dir.path(), &["s", "hit", "--pretty"]).env("NO_COLOR", "1").output();
    let no_color = String::from_utf8(no_color.unwrap().stdout).unwrap();
    assert!(
        no_color.starts_with("a\n1:one hit\n\n1 line in 1 file; complete: 1 file"),
        "{no_color}"
    );
}

#[test]
fn completions_and_the_man_page_have_every_flag() {
    let dir = small();
    let (_, bash, _) = run(dir.path(), &["completions", "bash"]);
    let (_, man, _) = run(dir.path(), &["man", "search"]);
    let (_, help, _) = run(dir.path(), &["search", "--help"]);
    let flags = help.split_whitespace().filter(|word| word.starts_with("--"));
    let flags: Vec<&str> = flags.map(|flag| flag.trim_end_matches(',')).collect();
    assert!(flags.len() > 30, "{flags:?}");
    assert!(flags.contains(&"--changed[=<REV>]"), "{flags:?}");
    for flag in flags {
        let name =
            flag.split(|char| char != '-' && !char::is_alphanumeric(char)).next().unwrap_or(flag);
        assert!(bash.contains(name), "{flag} is not in the completions");
        assert!(man.contains(&name.replace('-', "\\-")), "{flag} is not in the man page");
    }
    let mut check = command("bash", dir.path(), &["-n"]);
    let mut check = check.stdin(Stdio::piped()).spawn().unwrap();
    check.stdin.take().unwrap().write_all(bash.as_bytes()).unwrap();
    assert!(check.wait().unwrap().success());
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        assert!(run(dir.path(), &["completions", shell]).1.contains("enclosing"), "{shell}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let (_, completions, _) = run(dir.path(), &["completions", shell]);
        // clap completes no operands for fish.
        let tool = if shell == "fish" { "interface" } else { "search_in_files" };
        for word in [tool, "interface", "haskell", "directory", "production", "serve", "mcp"] {
            assert!(completions.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn each_verb_has_a_man_page_with_examples() {
    let dir = small();
    let (_, main, _) = run(dir.path(), &["man"]);
    let verbs: Vec<&str> = main
        .lines()
        .filter_map(|line| line.strip_prefix("searchscope\\-")?.strip_suffix("(1)"))
        .collect();
    assert!(verbs.len() > 10, "{main}");
    for verb in verbs {
        let (status, page, _) = run(dir.path(), &["man", verb]);
        assert_eq!(status, 0, "{verb}");
        assert!(page.contains(&format!(".TH searchscope-{verb} 1")), "{verb}: {page}");
        let has_examples = !["tools", "scopes", "secrets", "help"].contains(&verb);
        assert_eq!(
            page.contains(".SH EXAMPLES\n.nf\nsearchscope "),
            has_examples,
            "{verb}: {page}"
        );
    }
    assert_eq!(run(dir.path(), &["man", "s"]).1, run(dir.path(), &["man", "search"]).1);
    let (status, stdout, stderr) = run(dir.path(), &["man", "serach"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("there is no man page of 'serach'"), "{stderr}");
}

#[test]
fn the_man_page_renders_without_complaints() {
    let dir = small();
    for (args, title) in [
        (&["man"][..], "SEARCHSCOPE(1)"),
        (&["man", "search"], "SEARCHSCOPE-SEARCH(1)"),
        (&["man", "find"], "SEARCHSCOPE-FIND(1)"),
    ] {
        renders(dir.path(), &run(dir.path(), args).1, title);
    }
}

fn renders(dir: &Path, man: &str, title: &str) {
    let mut groff = command("groff", dir, &["-man", "-Tascii", "-ww", "-P-c", "-P-b", "-P-u"]);
    let groff = groff.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    // groff is not installed everywhere; where it is, it decides.
    let Ok(mut groff) = groff else {
        // Past the capture of the test runner, so that the summary lists it.
        let _ =
            writeln!(std::io::stderr(), "SKIPPED: rendering the man page: groff is not installed");
        return;
    };
    let mut input = groff.stdin.take().expect("a pipe");
    input.write_all(man.as_bytes()).expect("groff reads it");
    drop(input);
    let output = groff.wait_with_output().expect("groff exits");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let page = String::from_utf8_lossy(&output.stdout).to_uppercase();
    assert!(page.contains(title), "{page}");
}
