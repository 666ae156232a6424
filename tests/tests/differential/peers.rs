//! Runs ripgrep and fd with flags that select the same rules as ours.

use crate::engine::Hits;
use searchscope_tests::skip;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

/// Versions that were compared; others may behave differently.
const RIPGREP: &str = "ripgrep 15.";
const FD: &str = "fd 10.";

pub(crate) struct Ripgrep(());

impl Ripgrep {
    /// Finds ripgrep, or reports a skip.
    pub(crate) fn find() -> Option<Ripgrep> {
        find("rg", RIPGREP).then_some(Ripgrep(()))
    }

    pub(crate) fn search(
        &self,
        root: &Path,
        query: &str,
        use_regex: bool,
        more: &[String],
    ) -> Hits {
        let mut command = self.command(root);
        if !use_regex {
            command.arg("--fixed-strings");
        }
        command.arg("--json").args(more);
        let output = run(command.arg("--").arg(query).arg("./"));
        output.split(|&byte| byte == b'\n').filter_map(hit).collect()
    }

    pub(crate) fn files(&self, root: &Path, glob: Option<&str>) -> BTreeSet<String> {
        let glob: Vec<String> = glob.map(|glob| format!("--glob={glob}")).into_iter().collect();
        self.files_with(root, &glob)
    }

    /// Returns the files that it would search with these flags.
    pub(crate) fn files_with(&self, root: &Path, more: &[String]) -> BTreeSet<String> {
        let mut command = self.command(root);
        paths(&run(command.args(more).args(["--files", "--null"]).arg("./")))
    }

    /// Returns the events of `--json` for exactly these files.
    pub(crate) fn events(
        &self,
        root: &Path,
        files: &BTreeSet<String>,
        more: &[String],
        query: &str,
    ) -> Vec<Event> {
        if files.is_empty() {
            return Vec::new();
        }
        let mut command = self.command(root);
        command.arg("--json").args(more).args(["-e", query, "--"]);
        let output = run(command.args(files.iter().map(|file| format!("./{file}"))));
        output.split(|&byte| byte == b'\n').flat_map(Event::all).collect()
    }

    fn command(&self, root: &Path) -> Command {
        let mut command = Command::new("rg");
        command.current_dir(root).args(["--no-config", "--no-ignore-global", "--no-ignore-parent"]);
        command.args(["--no-require-git", "--no-messages"]);
        command
    }
}

/// Returns the files that fd finds, or reports a skip.
pub(crate) fn fd(root: &Path, glob: &str) -> Option<BTreeSet<String>> {
    fd_with(root, &["--case-sensitive".into(), "--type=f".into(), "--glob".into()], glob)
}

/// Returns the entries that fd finds with these flags, or reports a skip.
pub(crate) fn fd_with(root: &Path, more: &[String], pattern: &str) -> Option<BTreeSet<String>> {
    if !find("fd", FD) {
        return None;
    }
    let mut command = Command::new("fd");
    command.current_dir(root).env("TZ", "UTC").args(["--no-require-git", "--no-ignore-parent"]);
    command.args(["--no-global-ignore-file", "--print0", "--color=never"]);
    let found = paths(&run(command.args(more).arg("--").arg(pattern)));
    // fd appends a slash to directories.
    Some(found.iter().map(|path| path.trim_end_matches('/').to_owned()).collect())
}

/// A match or a line in the output of `rg --json`.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) path: String,
    pub(crate) line: u64,
    pub(crate) n_lines: u64,
    /// Without the last line end.
    pub(crate) text: String,
    /// Column of the match in its first line, in bytes from 1; `None` for a line.
    pub(crate) column: Option<u64>,
}

impl Event {
    /// Returns the lines of a block that ripgrep printed and its matches. ripgrep prints matches in neighbouring
    /// lines as one block; ours are one result only if they share a line.
    fn all(line: &[u8]) -> Vec<Event> {
        let Ok(event) = serde_json::from_slice::<Value>(line) else { return Vec::new() };
        let is_match = event["type"] == "match";
        if !is_match && event["type"] != "context" {
            return Vec::new();
        }
        let data = &event["data"];
        let path = relative(&data_of(&data["path"]));
        let first = data["line_number"].as_u64().expect("a line number is a number");
        let block = bytes_of(&data["lines"]);
        let lines: Vec<&[u8]> = block.split_inclusive(|&byte| byte == b'\n').collect();
        let event = |from: usize, to: usize, column| Event {
            path: path.clone(),
            line: first + from as u64,
            n_lines: (to - from) as u64,
            text: without_line_end(&lines[from..to].concat()),
            column,
        };
        let mut events: Vec<Event> = (0..lines.len()).map(|at| event(at, at + 1, None)).collect();
        for (start, from, to) in matches_of(data, &block).into_iter().filter(|_| is_match) {
            let before: usize = lines[..from].iter().map(|line| line.len()).sum();
            events.push(event(from, to + 1, Some((start - before) as u64 + 1)));
        }
        events
    }
}

/// Returns the position of the first of the matches that share lines, the first line and the last.
fn matches_of(data: &Value, block: &[u8]) -> Vec<(usize, usize, usize)> {
    let position = |submatch: &Value, name: &str| {
        usize::try_from(submatch[name].as_u64().expect("a position is a number"))
    };
    let line_at = |at: usize| block[..at].iter().filter(|&&byte| byte == b'\n').count();
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    for submatch in data["submatches"].as_array().expect("submatches is an array") {
        let start = position(submatch, "start").expect("it fits");
        let end = position(submatch, "end").expect("it fits");
        let (from, to) = (line_at(start), line_at(end.saturating_sub(1).max(start)));
        match found.last_mut() {
            Some(last) if last.2 >= from => last.2 = last.2.max(to),
            _ => found.push((start, from, to)),
        }
    }
    // ripgrep does not report an empty match at the end of a block.
    let last = line_at(block.len().saturating_sub(1));
    if found.last().is_none_or(|found| found.2 < last) {
        let from = found.last().map_or(0, |found| found.2 + 1);
        found.push((block.trim_ascii_end().len(), from, last));
    }
    found
}

fn without_line_end(bytes: &[u8]) -> String {
    let line = match bytes.strip_suffix(b"\n") {
        Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
        None => bytes,
    };
    String::from_utf8_lossy(line).into_owned()
}

fn find(program: &str, version: &str) -> bool {
    let output = Command::new(program).arg("--version").output();
    match output {
        Ok(output) if output.stdout.starts_with(version.as_bytes()) => true,
        Ok(_) => {
            skip(program, &format!("it is not {version}x"));
            false
        }
        Err(error) => {
            skip(program, &error.to_string());
            false
        }
    }
}

/// Runs a peer. Status 1 means that it found nothing; a message means a bad command.
fn run(command: &mut Command) -> Vec<u8> {
    let Output { status, stdout, stderr } = command.output().expect("it just printed its version");
    let messages = String::from_utf8_lossy(&stderr);
    assert!(matches!(status.code(), Some(0..=2)) && stderr.is_empty(), "{command:?}: {messages}");
    stdout
}

fn paths(output: &[u8]) -> BTreeSet<String> {
    let names = output.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    names.map(|name| relative(&String::from_utf8_lossy(name))).collect()
}

fn relative(path: &str) -> String {
    path.strip_prefix("./").unwrap_or(path).to_owned()
}

/// Parses a line of `rg --json`; returns the match if the line reports one.
fn hit(line: &[u8]) -> Option<(String, u64, String)> {
    let event: Value = serde_json::from_slice(line).ok()?;
    let data = (event["type"] == "match").then(|| &event["data"])?;
    Some((
        relative(&data_of(&data["path"])),
        data["line_number"].as_u64()?,
        without_line_end(&bytes_of(&data["lines"])),
    ))
}

fn data_of(value: &Value) -> String {
    String::from_utf8_lossy(&bytes_of(value)).into_owned()
}

/// Returns the bytes of a text, or decodes base 64, which ripgrep uses for text that is not UTF-8.
fn bytes_of(value: &Value) -> Vec<u8> {
    match (value["text"].as_str(), value["bytes"].as_str()) {
        (Some(text), _) => text.as_bytes().to_owned(),
        (None, Some(bytes)) => from_base64(bytes),
        (None, None) => panic!("neither text nor bytes: {value}"),
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bytes, mut bits, mut n_bits) = (Vec::new(), 0_u32, 0);
    for digit in text.bytes().filter_map(digit) {
        bits = (bits << 6) | u32::from(digit);
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits).to_le_bytes()[0]);
            bits &= (1 << n_bits) - 1;
        }
    }
    bytes
}

#[test]
fn base64_is_decoded() {
    assert_eq!(from_base64("aGl0IP8="), b"hit \xff");
    assert_eq!(from_base64("AAEC/+8="), b"\x00\x01\x02\xff\xef");
}
