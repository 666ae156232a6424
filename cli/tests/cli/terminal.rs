//! The command on a terminal and at its end: a pseudo-terminal, broken pipes, Ctrl-C.

use crate::support::{searchscope, tree};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a command with a terminal as its standard output and error, and returns the text it printed.
fn at_terminal(mut command: Command) -> std::io::Result<(i32, String)> {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&controller)?;
    unlockpt(&controller)?;
    let name = ptsname(&controller, Vec::new())?.to_string_lossy().into_owned();
    let terminal = OpenOptions::new().read(true).write(true).open(name)?;
    command.stdout(terminal.try_clone()?).stderr(terminal);
    let mut child = command.spawn()?;
    drop(command);
    let mut bytes = Vec::new();
    // Reading from a terminal whose last writer has exited fails with EIO.
    let _ = File::from(controller).read_to_end(&mut bytes);
    let status = child.wait()?.code().unwrap_or(-1);
    Ok((status, String::from_utf8_lossy(&bytes).replace("\r\n", "\n")))
}

fn show(dir: &Path, args: &[&str]) -> (i32, String) {
    at_terminal(searchscope(dir, args)).expect("a terminal")
}

#[test]
fn a_terminal_gets_headings_links_and_a_last_line() {
    let dir = tree(&[("a b.rs", "one hit\ntwo\n"), ("c.rs", "hit\n"), (".h", "hit\n")]);
    let root = dir.path().canonicalize().unwrap();
    let (status, text) = show(&root, &["s", "hit"]);
    let url = format!("file://{}/a%20b.rs", root.display());
    let heading = format!("\u{1b}[35m\u{1b}]8;;{url}\u{1b}\\a b.rs\u{1b}]8;;\u{1b}\\\u{1b}[0m\n");
    assert!(text.starts_with(&heading), "{text:?}");
    assert!(text.contains("\n\u{1b}[32m1\u{1b}[0m:one \u{1b}[1;31mhit\u{1b}[0m\n\n"), "{text:?}");
    let last = text.lines().last().unwrap();
    assert!(last.contains("2 lines in 2 files; complete: 2 files searched in "), "{last}");
    assert!(last.contains("; skipped: 1 hidden (--hidden)"), "{last}");
    assert_eq!(status, 0);
}

#[test]
fn definitions_are_columns_with_their_signatures() {
    let dir = tree(&[
        (
            "src/a.rs",
            "struct Job;\nimpl Job {\n    fn run_job(&self) -> u8 {\n        1\n    }\n}\n",
        ),
        ("b.py", "\n\n\n\n\n\n\n\n\ndef run_job(a):\n    pass\n"),
    ]);
    let (status, text) = show(dir.path(), &["sym", "--color", "never", "run_job"]);
    assert_eq!(status, 0);
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(
        rows,
        [
            "b.py:10     def  run_job       def run_job(a)",
            "src/a.rs:3  fn   Job::run_job  fn run_job(&self) -> u8",
            "2 definitions"
        ],
        "{text}"
    );
}

#[test]
fn the_text_of_look_is_shown_as_text_and_escaped() {
    let dir = tree(&[("a.rs", "fn run_job() {} // \u{1b}[31m red\n")]);
    let (status, text) = show(dir.path(), &["call", "look", r#"{"q": "run_job"}"#]);
    assert_eq!(status, 0);
    let expected =
        "a.rs\n>1: fn run_job() {} // \\u{1b}[31m red\n[all 1 line in 1 file; searched 1 file]\n";
    assert_eq!(text, expected);
    let mut piped = searchscope(dir.path(), &["call", "look", r#"{"q": "run_job"}"#]);
    let json = piped.stdin(Stdio::null()).output().unwrap().stdout;
    assert!(json.starts_with(b"{\"text\":"), "{}", String::from_utf8_lossy(&json));
}

#[test]
fn a_terminal_shows_why_a_result_is_empty_and_how_to_get_more() {
    let dir = tree(&[("a", "hit\nhit\n"), (".h", "elsewhere\n")]);
    let (status, text) = show(dir.path(), &["s", "elsewhere"]);
    assert_eq!(status, 1);
    assert!(text.contains("nothing found; complete: 1 file searched"), "{text}");
    assert!(text.contains("hidden"), "{text}");
    let (_, text) = show(dir.path(), &["s", "hit", "--limit", "1"]);
    assert!(text.contains("not complete: stopped at the limit; for more add --cursor "), "{text}");
}

#[test]
fn no_color_and_color_never_leave_the_headings() {
    let dir = tree(&[("a", "hit\n")]);
    let mut no_color = searchscope(dir.path(), &["s", "hit"]);
    no_color.env("NO_COLOR", "1");
    for command in [no_color, searchscope(dir.path(), &["s", "hit", "--color", "never"])] {
        let (_, text) = at_terminal(command).unwrap();
        assert!(text.starts_with("a\n1:hit\n\n1 line in 1 file"), "{text:?}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}

#[test]
fn no_control_character_of_a_file_or_name_reaches_a_terminal() {
    let name = "x\u{1b}]0;title\u{7}\n\u{202e}y";
    let line = "hit \u{1b}[2J\u{9b}31m\u{8}\u{202e}\tend\n";
    let dir = tree(&[(name, line), ("docs.md", line)]);
    let shown = "x\\u{1b}]0;title\\u{7}\\n\\u{202e}y";
    let forms: &[&[&str]] = &[
        &["s", "hit", "--color", "never"],
        &["s", "-l", "hit", "--color", "never"],
        &["f", "--color", "never"],
        &["docs", "hit", "--color", "never"],
        &["s", "hit", "no\u{1b}[31mne"],
        &["s", "\u{1b}[31m("],
        &["s", "hit", "-t", "\u{1b}[31m"],
        &["s", "hit", "--\u{1b}[31m"],
        &["s", "--compact", "hit"],
        &["s", "--json", "hit"],
    ];
    for args in forms {
        let (_, text) = show(dir.path(), args);
        let is_hostile =
            |char: char| char.is_control() && !"\n\t".contains(char) || "\u{202e}".contains(char);
        assert!(!text.contains(is_hostile), "{args:?}: {text:?}");
    }
    let (_, text) = show(dir.path(), &["s", "hit", "--color", "never"]);
    assert!(
        text.contains(&format!(
            "\n{shown}\n1:hit \\u{{1b}}[2J\\u{{9b}}31m\\u{{8}}\\u{{202e}}\tend\n"
        )),
        "{text}"
    );
}

/// Returns a tree with more output than a pipe can buffer.
fn large() -> tempfile::TempDir {
    tree(&[("a", &"hit\n".repeat(200_000))])
}

#[test]
fn a_broken_pipe_ends_the_command_quietly() {
    let dir = large();
    for args in
        [&["s", "hit"][..], &["s", "hit", "--json"], &["s", "hit", "--compact", "--limit", "90000"]]
    {
        let mut command = searchscope(dir.path(), args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(!first.is_empty());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn results_come_before_the_search_ends() {
    let dir = large();
    let mut command = searchscope(dir.path(), &["s", "hit"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    // The pipe is full, so the command waits for its reader.
    assert_eq!((first.as_str(), child.try_wait().unwrap()), ("a:1:hit\n", None));
    assert_eq!(reader.lines().count(), 199_999);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn an_interrupt_ends_the_command_at_once() {
    let dir = large();
    let mut child = searchscope(dir.path(), &["s", "hit"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut String::new()).unwrap();
    let started = Instant::now();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    // A shell reports the signal as status 130.
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    assert!(started.elapsed() < Duration::from_secs(20));
}
