//! Defects that broke tools of this kind before, each as a regression test.
//!
//! Races between a check and its use, and the limits of single areas, are tested beside their code;
//! determinism has a file of its own.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests start programs and change files while they are searched"
)]

use searchscope::{Call, Workspace};
use searchscope_tests::face::CFace;
use searchscope_tests::program::installed;
use searchscope_tests::tree::Tree;
use searchscope_tests::{run_limited, skip};
use searchscope_tools::CallTools;
use searchscope_tools::open_workspace;
use serde_json::{Value, json};
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Timeout of every call here, on any machine.
const LIMIT: Duration = Duration::from_secs(60);

fn search(root: &Path, args: &Value) -> Value {
    let workspace = open_workspace(root, b"{\"threads\": 4}").expect("the tree is there");
    let args = args.to_string();
    let reply = run_limited("search_in_files", LIMIT, move || {
        workspace.call("search_in_files", args.as_bytes(), &Call::new())
    });
    serde_json::from_slice(&reply.expect("a reply")).expect("JSON")
}

fn paths(reply: &Value) -> Vec<&str> {
    let matches = reply["matches"].as_array().expect("matches");
    matches.iter().filter_map(|found| found["file_path"].as_str()).collect()
}

/// Makes a tree with enough files and directories for the engine to start threads.
fn many_files() -> Tree {
    let tree = Tree::empty();
    for n in 0..3_000 {
        tree.write(&format!("d{}/f{n}", n % 60), "hit\n");
    }
    tree
}

/// Runs one call of the C program that `command` starts.
fn converse(mut command: Command, args: &str) -> String {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    write!(input, "search_in_files\n{}\n{args}\n", args.len()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{:?}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Finding 1: a line of nested braces overflowed the stack of a walker's thread.
#[test]
fn a_hostile_ignore_file_is_handled() {
    let tree = many_files();
    let braces = format!("{}{}\n", "{".repeat(20_000), "}".repeat(20_000));
    let stars = "*a".repeat(2_000);
    let short_stars = "*a".repeat(500);
    let class = format!("[{}]", "a-z".repeat(1_300));
    let lines = format!("{braces}{stars}\n{short_stars}\n{class}\nf1\n");
    for n in 0..60 {
        tree.write(&format!("d{n}/.gitignore"), &lines);
    }
    let started = Instant::now();
    let reply = search(tree.root(), &json!({"query": "hit"}));
    assert_eq!(reply["total_matches"], 2_999, "one file is ignored, all others are found");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

/// Finding 2: a FIFO or an endless device in place of an ignore file blocked for ever.
#[test]
fn an_ignore_file_that_is_not_regular_is_not_opened() {
    let tree = Tree::of(&[("a/f", "hit\n"), ("b/f", "hit\n")]);
    let fifo = tree.root().join("a/.gitignore");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
    std::os::unix::fs::symlink("/dev/zero", tree.root().join("b/.ignore")).expect("linked");
    // A writer that waits for a reader of the FIFO must keep waiting.
    let mut writer = Command::new("sh")
        .arg("-c")
        .arg("echo line > \"$0\"")
        .arg(&fifo)
        .spawn()
        .expect("a writer");
    std::thread::sleep(Duration::from_millis(100));
    let reply = search(tree.root(), &json!({"query": "hit"}));
    assert_eq!(paths(&reply), ["a/f", "b/f"]);
    assert!(writer.try_wait().expect("asked").is_none(), "the FIFO was opened");
    writer.kill().expect("killed");
    writer.wait().expect("ended");
}

/// Finding 3: rules and file contents came from outside the root.
#[test]
fn files_outside_the_root_have_no_effect() {
    let face = match CFace::build() {
        Ok(face) => face,
        Err(why) => return skip("rules from outside the root", &why),
    };
    let tree = Tree::of(&[("f", "hit\n"), ("sub/f", "hit\n")]);
    let around = tree.around();
    for name in
        [".gitignore", ".ignore", "home/.config/git/ignore", "home/.ignore", "other/exclude"]
    {
        tree.write(&format!("../{name}"), "f\nCANARY-{abc\n");
    }
    tree.write("../home/.gitconfig", "[core]\n\texcludesFile = ~/.config/git/ignore\n");
    tree.write("../other/info/exclude", "f\nCANARY-{abc\n");
    tree.write("sub/.git", format!("gitdir: {}\n", around.join("other").display()));
    std::os::unix::fs::symlink(around.join(".ignore"), tree.root().join(".ignore"))
        .expect("linked");
    let mut command = Command::new(face.program());
    command
        .arg(tree.root())
        .arg("{}")
        .current_dir(around)
        .env("HOME", around.join("home"))
        .env("XDG_CONFIG_HOME", around.join("home/.config"))
        .env("GIT_CONFIG_GLOBAL", around.join("home/.gitconfig"))
        .env("RIPGREP_CONFIG_PATH", around.join(".ignore"));
    let output = converse(command, r#"{"query": "hit"}"#);
    assert!(output.contains("\"total_matches\":2"), "{output}");
    assert!(!output.contains("CANARY"), "{output}");
}

/// Finding 4: the walk hung or panicked if the system refused threads.
#[test]
fn a_system_without_threads_only_slows_the_search() {
    let what = "thread shortage";
    if !installed("prlimit", what) || !installed("setpriv", what) {
        return;
    }
    let face = match CFace::build() {
        Ok(face) => face,
        Err(why) => return skip(what, &why),
    };
    let tree = many_files();
    let mut command = Command::new("prlimit");
    command.arg("--nproc=1");
    // The limit does not apply to root, so the test switches to another user.
    if std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0) {
        for path in [tree.around(), tree.root(), face.program().parent().expect("a folder")] {
            std::fs::set_permissions(path, Permissions::from_mode(0o755))
                .expect("opened to others");
        }
        command.args(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]);
    }
    command.arg(face.program()).arg(tree.root()).arg("{\"threads\": 64}");
    let output = run_limited("a search without threads", LIMIT, move || {
        converse(command, r#"{"query": "hit"}"#)
    });
    assert!(output.contains("\"total_matches\":3000"), "{output:.200}");
}

/// Finding 6: a smaller cache of the lazy DFA made this pattern 7,000 times slower.
#[test]
fn the_cache_of_the_lazy_dfa_is_large_enough() {
    let tree = Tree::empty();
    tree.write("one_line", "ab".repeat(500_000));
    tree.write("lines", "abababab\n".repeat(100_000));
    let started = Instant::now();
    let reply = search(tree.root(), &json!({"query": ".{1,1000}x", "use_regex": true}));
    assert_eq!(reply["total_matches"], 0);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

/// Finding 8: `-` as a root meant standard input, and a size limit disabled the filter of names.
#[test]
fn a_dash_is_a_name_and_filters_do_not_exclude_each_other() {
    let tree = Tree::of(&[("a.txt", "hit\n"), ("b.log", "hit\n"), ("-", "hit\n")]);
    let error = Workspace::open("-").expect_err("no such directory");
    assert_eq!(error.code(), "not_found");
    assert_eq!(paths(&search(tree.root(), &json!({"query": "hit", "path": "-"}))), ["-"]);
    let workspace = Workspace::open(tree.root()).expect("opened");
    let limits = searchscope::Limits {
        matches_max: Some(10),
        matches_per_file_max: Some(10),
        files_max: Some(10),
        output_bytes_max: Some(1 << 20),
        file_bytes_max: Some(100),
        line_bytes_max: Some(100),
        spans_per_line_max: Some(10),
    };
    let pattern = searchscope::PatternOptions::literal("hit");
    let mut request = searchscope::SearchRequest::new(pattern, limits);
    request.files.globs = vec!["*.txt".into()];
    let (files, _) = workspace.run_search(&request, &Call::new()).expect("searched");
    assert_eq!(files.len(), 1);
}

/// Finding 10: truncating a mapped file kills the process.
#[test]
fn a_file_truncated_while_it_is_read_is_handled() {
    const FULL: u64 = 24 << 20;
    let tree = Tree::empty();
    tree.write("f", "some text without it\n".repeat(1 << 20));
    let path = tree.root().join("f");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let file = std::fs::File::options().write(true).open(&path).expect("opened");
            while !done.load(Relaxed) {
                file.set_len(10).expect("truncated");
                std::thread::sleep(Duration::from_millis(1));
                file.set_len(FULL).expect("grown");
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        for use_regex in [false, true] {
            for _ in 0..40 {
                let args = json!({"query": "absent.*", "use_regex": use_regex});
                assert_eq!(search(tree.root(), &args)["total_matches"], 0);
            }
        }
        done.store(true, Relaxed);
    });
}
