//! Checks that the example behaves as its first comment says.

#![expect(clippy::disallowed_types, reason = "the test runs the program")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Runs the example and returns its exit status, standard output and standard error.
fn run(pattern: &str, root: &str) -> (Option<i32>, String, String) {
    let program = env!("CARGO_BIN_EXE_searchscope-example");
    let output = Command::new(program).args([pattern, root]).output().expect("it was just built");
    let text = |bytes| String::from_utf8(bytes).expect("it prints text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn matches_are_printed_and_told_by_the_status() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("searched");
    fs::create_dir_all(root.join("b")).expect("the directory is writable");
    fs::write(root.join("a.txt"), "one needle\nnothing here\n").expect("it is writable");
    fs::write(root.join("b/c.txt"), "nothing\r\nthe needle, again\r\n").expect("it is writable");
    let root = root.to_str().expect("cargo's directories are text");

    let (status, out, err) = run("needle", root);
    assert_eq!(status, Some(0), "{err}");
    assert_eq!(out, "a.txt:1:one needle\nb/c.txt:2:the needle, again\n");
    assert_eq!(err, "2 lines in 2 files searched, complete: true\n");
    assert_eq!(run(r#"no "such" \w"#, root).0, Some(1));
    let (status, out, err) = run("(", root);
    assert_eq!((status, &*out), (Some(2), ""));
    assert!(err.starts_with("pattern_syntax: "), "{err}");
    let (status, _, err) = run("x", "/no such directory");
    assert!(status == Some(2) && err.starts_with("not_found: "), "{err}");
}
