//! Compares lines with ripgrep and files with fd, for flags with the same meaning.

use crate::support::{has_peer, output_of, run, tree};
use std::path::Path;

fn sources() -> tempfile::TempDir {
    tree(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".gitignore", "target\n*.log\n"),
        (".hidden/needle.rs", "needle\n"),
        ("a.log", "needle\n"),
        ("a.rs", "fn needle() {}\nfn other() {}\n// Needle needles\n\n\n\nlet needle = 1;\nlast\n"),
        ("src/b.py", "def needle():\n    pass\nneedle\nneedle.\n"),
        ("src/deep/c.rs", "one\ntwo\nthree needle\nfour\nneedle (five)\n"),
        ("src/long.txt", &format!("{}needle{}\n", "x".repeat(5_000), "y".repeat(5_000))),
        ("target/d.rs", "needle\n"),
        ("words/none.md", "nothing here\n"),
    ])
}

#[test]
fn search_prints_the_lines_of_ripgrep() {
    if !has_peer("rg") {
        return;
    }
    let dir = sources();
    let cases: &[&[&str]] = &[
        &["needle"],
        &["needle", "src"],
        &["needle", "./src", "a.rs"],
        &["-i", "NEEDLE"],
        &["-S", "Needle"],
        &["-w", "needle"],
        &["-F", "needle ("],
        &["-U", "(?s)two.*three"],
        &["-A", "1", "needle"],
        &["-B2", "needle"],
        &["-C", "1", "needle"],
        &["-C2", "-A1", "needle"],
        &["-C1", "-U", "two\nthree"],
        &["-g", "*.rs", "needle"],
        &["-g", "!*.rs", "needle"],
        &["-t", "rust", "needle"],
        &["-tpy", "-trust", "needle"],
        &["-l", "needle"],
        &["-c", "needle"],
        &["-m", "1", "needle"],
        &["--hidden", "needle"],
        &["-.", "needle"],
        &["--no-ignore", "needle"],
        &["-e", "needle", "-e", "other"],
        &["-e", "needle", "src"],
        &["-d", "1", "needle"],
        &["-n", "needle"],
        &["--", "needle", "src"],
        &["nowhere to be found"],
    ];
    for case in cases {
        let ours: Vec<&str> = [&["search"], *case].concat();
        let theirs =
            [&["--sort", "path", "--no-heading", "-n", "-H", "--color", "never"], *case].concat();
        let expected = output_of("rg", dir.path(), &theirs);
        let (status, stdout, stderr) = run(dir.path(), &ours);
        // ripgrep keeps the order of its arguments; this command sorts by path.
        assert_eq!(sorted(&stdout), sorted(&expected), "{case:?}");
        assert_eq!((status, stderr.as_str()), (i32::from(expected.is_empty()), ""), "{case:?}");
    }
}

#[test]
fn search_is_in_the_order_of_paths() {
    if !has_peer("rg") {
        return;
    }
    let dir = sources();
    let args = ["--sort", "path", "--no-heading", "-n", "-H", "-C1", "needle"];
    let (_, stdout, _) = run(dir.path(), &["s", "-C1", "needle"]);
    assert_eq!(stdout, output_of("rg", dir.path(), &args));
}

#[test]
fn ignore_files_of_the_repository_count_in_its_directories() {
    if !has_peer("rg") {
        return;
    }
    let dir = sources();
    let deep = dir.path().join("src/deep");
    std::fs::write(deep.join("e.log"), "needle\n").unwrap();
    for args in [&["needle"][..], &["needle", ".."], &["needle", "../../a.rs"]] {
        let theirs = [&["--sort", "path", "--no-heading", "-nH"], args].concat();
        let (_, stdout, _) = run(&deep, &[&["s"], args].concat());
        assert_eq!(stdout, output_of("rg", &deep, &theirs), "{args:?}");
    }
}

#[test]
fn find_prints_the_files_of_fd() {
    if !has_peer("fd") {
        return;
    }
    let dir = sources();
    let cases: &[&[&str]] = &[
        &[],
        &["b"],
        &["^c"],
        &["-g", "*.rs"],
        &["-e", "rs"],
        &["-e", "rs", "-e", "py"],
        &["-H"],
        &["-I"],
        &["needle", "-H"],
        &[".", "src"],
        &["-d", "1"],
        &["-S", "+1k"],
        &["-p", "src/deep"],
    ];
    for case in cases {
        let expected = output_of("fd", dir.path(), &[&["-t", "f"], *case].concat());
        let (status, stdout, stderr) = run(dir.path(), &[&["find"], *case].concat());
        assert_eq!(sorted(&stdout), sorted(&expected), "{case:?}");
        assert_eq!((status, stderr.as_str()), (i32::from(expected.is_empty()), ""), "{case:?}");
    }
    let (_, directories, _) = run(dir.path(), &["f", "-t", "d"]);
    let theirs = output_of("fd", dir.path(), &["-t", "d"]);
    let theirs: Vec<&str> = theirs.lines().map(|path| path.trim_end_matches('/')).collect();
    assert_eq!(sorted(&directories), sorted(&theirs.join("\n")));
}

#[test]
fn paths_elsewhere_are_searched_as_they_are_written() {
    if !has_peer("rg") {
        return;
    }
    let (dir, other) = (sources(), tree(&[("x.rs", "needle\n"), ("y/z.rs", "needle\n")]));
    let other = other.path().to_str().unwrap();
    let args = ["--sort", "path", "--no-heading", "-n", "-H", "needle", other];
    let (status, stdout, _) = run(dir.path(), &["s", "needle", other]);
    assert_eq!((status, stdout), (0, output_of("rg", dir.path(), &args)));
    let (status, stdout, _) = run(Path::new("/"), &["s", "needle", "--root", other]);
    assert_eq!((status, stdout.as_str()), (0, "x.rs:1:needle\ny/z.rs:1:needle\n"));
    let (status, _, stderr) = run(dir.path(), &["s", "needle", "--root", ".", other]);
    assert_eq!(status, 2);
    assert!(stderr.contains("outside"), "{stderr}");
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}
