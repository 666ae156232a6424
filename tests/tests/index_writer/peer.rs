//! A program of `bench/engines` that searches in place of the engine, to count what it misses.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running peer, which follows the changes of its tree by its own means.
pub(crate) struct Peer {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    /// The start of the names of the files to which it writes its answers.
    answers: PathBuf,
}

impl Peer {
    /// Starts a command, given as a JSON list of its words, on the tree `root`.
    pub(crate) fn start(command: &str, root: &Path, answers: PathBuf) -> Peer {
        let words: Vec<String> = serde_json::from_str(command).expect("a list of words");
        let (name, args) = words.split_first().expect("a program");
        let mut program = Command::new(name);
        program.args(args).arg(root).arg("{}").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = program.spawn().expect("the peer starts");
        let from = BufReader::new(child.stdout.take().expect("it is a pipe"));
        Peer { to: child.stdin.take(), child, from, answers }
    }

    /// Returns the lines with one of the words, each with its file.
    pub(crate) fn search(&mut self, words: &[&str]) -> Vec<(String, String)> {
        // The last change first, because it is to be searched at once.
        words.iter().rev().flat_map(|word| self.search_one(word)).collect()
    }

    fn search_one(&mut self, word: &str) -> Vec<(String, String)> {
        let to = self.to.as_mut().expect("it is open");
        let query = json!([word]);
        writeln!(to, "watched\t{}\tgrep\t{query}", self.answers.display()).expect("it reads");
        let mut reply = String::new();
        self.from.read_line(&mut reply).expect("it replies");
        let reply: Value = serde_json::from_str(&reply).expect("JSON");
        assert!(reply.get("error").is_none(), "{reply}");
        let answer = self.answers.with_extension("0");
        let answer = std::fs::read_to_string(answer).expect("it has written the answer");
        let lines = answer.lines().filter_map(|line| line.split_once(':'));
        let mut lines: Vec<(String, String)> =
            lines.map(|(path, line)| (path.to_owned(), line.to_owned())).collect();
        lines.dedup();
        lines
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It ends with its input.
        drop(self.to.take());
        let _ = self.child.wait();
    }
}
