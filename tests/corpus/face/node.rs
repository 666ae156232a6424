//! The Node face: `tests/node/call.mjs` on the addon that `npm run build` made.
//!
//! One process serves all workspaces, because its start takes longer than most calls.

use super::child::{read_answer, requests};
use super::{CALL_LIMIT, Call, Face, Outcome};
use crate::{repository, run_limited};
use serde_json::json;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// In place of a tool, opens a workspace for the calls after it; the arguments are the root and the options.
const OPEN: &str = "open a workspace";

/// Calls the library through its Node addon.
#[derive(Debug)]
pub struct NodeFace {
    /// `None` after a conversation that failed.
    process: Mutex<Option<Process>>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    /// `None` at the end.
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl NodeFace {
    /// Finds the addon and starts Node.
    ///
    /// # Errors
    /// If one of the two is missing.
    pub fn find() -> Result<NodeFace, String> {
        if !repository().join("node/searchscope.node").is_file() {
            return Err("node/searchscope.node is not built (npm run build)".into());
        }
        let mut command = Command::new("node");
        command.arg(repository().join("tests/node/call.mjs"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("no Node: {error}"))?;
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        Ok(NodeFace { process: Mutex::new(Some(Process { child, stdin, stdout })) })
    }

    /// Ends the input, and checks that the process then exits without further output.
    ///
    /// # Panics
    /// If it does not.
    pub fn finish(self) {
        let process = self.process.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut node = process.expect("the last conversation did not fail");
        let (status, rest) = run_limited("the end of node", CALL_LIMIT, move || {
            drop(node.stdin.take());
            let mut rest = Vec::new();
            let read = node.stdout.read_to_end(&mut rest);
            (node.child.wait(), read.map(|_| rest))
        });
        assert!(status.expect("it is waited for").success(), "node has failed");
        assert_eq!(rest.expect("it is read"), b"", "more answers than calls");
    }
}

impl Process {
    /// Writes the requests and reads this number of answers.
    fn exchange(&mut self, requests: &[u8], n: usize) -> Result<Vec<(String, Vec<u8>)>, String> {
        let Process { child, stdin, stdout } = self;
        std::thread::scope(|scope| {
            // Written on another thread: either pipe may be full while the program waits on the other.
            let stdin = stdin.as_mut().expect("this is not the end");
            let writer = scope.spawn(move || stdin.write_all(requests));
            let answers: Result<Vec<_>, String> = (0..n).map(|_| read_answer(stdout)).collect();
            if answers.is_err() {
                // It may wait for input, and the writer for room.
                let _ = child.kill();
            }
            let written = writer.join();
            match answers {
                Ok(_) if !stdout.buffer().is_empty() => Err("more answers than calls".to_owned()),
                Ok(answers) => Ok(answers),
                Err(why) => Err(format!("{why}, written: {written:?}, {:?}", child.wait())),
            }
        })
    }
}

impl Face for NodeFace {
    fn name(&self) -> String {
        "node".into()
    }

    fn run(&self, root: &Path, options: &str, calls: &[Call]) -> Vec<Outcome> {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let mut node = process.take().expect("the last conversation did not fail");
        let opening = json!({ "root": root, "options": options }).to_string();
        let opening = Call { tool: OPEN.to_owned(), args: opening.into_bytes() };
        let all = requests(&[&[opening], calls].concat());
        let n = calls.len();
        let (node, answers) = run_limited("node", CALL_LIMIT, move || {
            let answers = node.exchange(&all, n);
            (node, answers)
        });
        let answers = answers.unwrap_or_else(|why| panic!("node: {why}"));
        *process = Some(node);
        let outcome = |(status, bytes): (String, Vec<u8>)| match status.as_str() {
            "ok" | "0" => Outcome::Reply(bytes),
            code => Outcome::Failure { code: code.to_owned(), error: bytes },
        };
        answers.into_iter().map(outcome).collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
