//! The C program with one call after the other, and its memory use.

use searchscope_tests::face::child::requests;
use searchscope_tests::face::{CFace, Call};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) struct Program {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Program {
    pub(crate) fn start(face: &CFace, root: &Path) -> Program {
        let mut command = Command::new(face.program());
        command.arg(root).arg("{\"threads\": 4}").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it was just built");
        let stdin = child.stdin.take().expect("it is piped");
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        Program { child, stdin, stdout }
    }

    /// Returns the reply of a call that does not fail.
    pub(crate) fn ask(&mut self, tool: &str, args: &Value) -> Value {
        let call = Call { tool: tool.into(), args: args.to_string().into_bytes() };
        self.stdin.write_all(&requests(&[call])).expect("it reads");
        let mut head = String::new();
        self.stdout.read_line(&mut head).expect("it answers");
        let (status, length) = head.trim_end().split_once(' ').expect("a status and a length");
        let length: usize = length.parse().expect("a length");
        // A line feed follows.
        let mut bytes = vec![0; length + 1];
        self.stdout.read_exact(&mut bytes).expect("it answers");
        assert_eq!(status, "0", "{tool} {args}: {}", String::from_utf8_lossy(&bytes));
        serde_json::from_slice(&bytes).expect("a reply is JSON")
    }

    /// Returns the peak memory so far, in bytes.
    pub(crate) fn peak_bytes(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib =
            line.and_then(|line| line.split_whitespace().next()).expect("the kernel reports it");
        kib.parse::<u64>().expect("a number") << 10
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
