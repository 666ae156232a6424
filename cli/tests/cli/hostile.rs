//! Hostile arguments, paths and standard streams: a message or silence, an exit status, and never a panic.

use crate::support::{run, tree};

fn small() -> tempfile::TempDir {
    tree(&[("a.txt", "hit\n"), ("b.rs", "fn hit() {}\n"), ("dir/c.md", "# hit\n")])
}

#[test]
fn hostile_arguments_are_errors_without_a_panic() {
    let dir = small();
    let (long, nested) = ("x".repeat(100_000), "(".repeat(2_000));
    let cases: &[(&[&str], &str)] = &[
        (&["s", ""], "PATTERN: a pattern must not be empty\n"),
        (&["s", "hit", ""], "PATH must not be empty\n"),
        (&["s", "-e", "hit", ""], "PATTERN must not be empty\n"),
        (&["f", "", "a.txt", ""], "PATH must not be empty\n"),
        (&["docs", "hit", ""], "DIR must not be empty\n"),
        (&["outline", ""], "FILE must not be empty\n"),
        (&["outline", "--root", ".", ""], "FILE must not be empty\n"),
        (&["s", "hit", "--root", ""], "'--root' must not be empty\n"),
        (&["s", &long], "PATTERN: it has 100000 bytes; at most 4096 are allowed\n"),
        (
            &["s", "hit", "-g", &long],
            "'--glob' may have at most 16384 bytes in total, got 100000\n",
        ),
        (&["s", "hit\n"], "  hint: -U lets a match span several lines\n"),
        (&["s", "hit\\n"], "  hint: -U lets a match span several lines\n"),
        (&["s", "hit", "-C", "-1"], "'-1' for '--context <NUM>': "),
        (&["s", "hit", "--limit", "-5"], "'-5' for '--limit <NUM>': "),
        (&["s", "hit", "-C", "99999999999999999999"], "'--context <NUM>': number too large"),
        (&["s", "hit", "-C", "18446744073709551615"], "'--context' must be at most 1000"),
        (&["s", "hit", "-A", "99999999999"], "'--after-context' must be at most 1000"),
        (&["s", "hit", "-C", "3", "-B", "1001"], "'--before-context' must be at most 1000"),
        (&["s", "hit", "--threads", "1000000"], "'--threads' must be at most 64"),
        (&["s", "hit", "--timeout", "-1"], "it must be a number of seconds, such as 0.5\n"),
        (&["s", "hit", "--timeout", "1e300"], "it must be a number of seconds, such as 0.5\n"),
        (&["s", "hit", "--timeout", "nan"], "it must be a number of seconds, such as 0.5\n"),
        (&["s", "hit", "--timeout", "0"], "'--timeout' must be at least 0.001\n"),
        (&["s", "hit", "--timeout", "0.0001"], "'--timeout' must be at least 0.001\n"),
        (&["s", "hit", "--json", "--compact"], "--json and --compact are two forms; choose one\n"),
        (&["s", "hit", "--deny", "["], "searchscope: '--deny' "),
        (&["f", "-t", "z"], "searchscope: '--type' must be one of f, d, l, x, e"),
        (&["s", "hit", "--root", "a.txt"], "a.txt' is not a directory\n"),
        (&["s", "hit", "--root", "dir", "../a.txt"], "PATH: path '../a.txt' is outside the root\n"),
        (&["docs", "hit", "a.txt"], "not complete: not everything could be read\n"),
        (&["call", "search", "-"], "the arguments are not JSON"),
        (&["--", "s", "hit"], "subcommand 's' exists"),
    ];
    for (args, expected) in cases {
        let (status, stdout, stderr) = run(dir.path(), args);
        assert_eq!((status, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
        assert!(stderr.contains(expected), "{args:?}: {stderr}");
        assert!(!stderr.contains("panicked") && stderr.len() < 1_000, "{args:?}: {stderr}");
    }
    let (status, _, stderr) = run(dir.path(), &["scope", &nested]);
    assert!(status == 2 && stderr.len() < 1_000, "{stderr}");
}

#[cfg(unix)]
#[test]
fn special_files_and_links_are_searched_or_refused() {
    use std::os::unix::fs::symlink;
    let dir = small();
    let socket = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
    symlink("dir", dir.path().join("link")).unwrap();
    symlink(".", dir.path().join("loop")).unwrap();
    symlink("/no/such", dir.path().join("dangling")).unwrap();
    for path in ["socket", "/dev/zero", "/dev/null", "dangling"] {
        let (status, stdout, stderr) = run(dir.path(), &["s", "hit", path]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{path}: {stderr}");
    }
    let found = |stdout: &str| (0, stdout.to_owned(), String::new());
    assert_eq!(run(dir.path(), &["s", "hit", "link"]), found("link/c.md:1:# hit\n"));
    assert_eq!(run(dir.path(), &["s", "hit", "--root", "link"]), found("c.md:1:# hit\n"));
    assert_eq!(run(&dir.path().join("link"), &["s", "hit"]), found("c.md:1:# hit\n"));
    assert_eq!(run(dir.path(), &["s", "-l", "hit", "-t", "md"]), found("dir/c.md\n"));
    assert_eq!(run(dir.path(), &["s", "hit", "loop/loop/a.txt"]), found("loop/loop/a.txt:1:hit\n"));
    drop(socket);
}

/// Directories without permissions are read by root, so the test makes one only for other users.
#[cfg(unix)]
#[test]
fn unread_directories_make_an_empty_result_incomplete() {
    use std::os::unix::fs::PermissionsExt;
    let dir = small();
    let closed = dir.path().join("dir");
    let set = |mode| std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(mode));
    set(0o000).unwrap();
    let is_closed = std::fs::read_dir(&closed).is_err();
    let statuses = [&["s", "none"][..], &["f", "none"], &["docs", "hit"], &["outline", "dir"]]
        .map(|args| run(dir.path(), args).0);
    set(0o755).unwrap();
    if is_closed {
        assert_eq!(statuses, [2; 4]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_closed_stream_is_not_a_panic() {
    use crate::support::searchscope;
    use std::process::{Output, Stdio};
    let dir = small();
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for args in [&["s", "hit"][..], &["s", "hit", "--json"], &["tools"], &["-V"], &["s", "-h"]] {
        let output = searchscope(dir.path(), args).stdout(full()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr.starts_with("searchscope: cannot write: "), "{args:?}: {stderr}");
    }
    let status = searchscope(dir.path(), &["s", "("]).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(2));
    let shell = |redirection: &str| -> Output {
        let mut shell = crate::support::command("sh", dir.path(), &["-c"]);
        let program = env!("CARGO_BIN_EXE_searchscope");
        shell.arg(format!("'{program}' s hit a.txt {redirection}"));
        shell.stdout(Stdio::piped()).output().unwrap()
    };
    for redirection in [">&-", "<&- >&- 2>&-"] {
        let output = shell(redirection);
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{redirection}");
    }
    assert_eq!(shell("<&-").stdout, b"a.txt:1:hit\n");
}
