//! The Node face: `tests/node/call.mjs` on the addon that `npm run build` made.
//!
//! One process serves all workspaces, because its start takes longer than most calls.

use super::child::{read_answer, requests};
use super::{CALL_LIMIT, Call, Face, Outcome};
use crate::{repository, run_limited};
use serde_json::json;
use std::io::{BufReader, Write};
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
    stdin: ChildStdin,
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
        let stdin = child.stdin.take().expect("it is piped");
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        Ok(NodeFace { process: Mutex::new(Some(Process { child, stdin, stdout })) })
    }
}

impl Process {
    /// Writes the requests and reads this number of answers.
    fn exchange(&mut self, requests: &[u8], n: usize) -> Result<Vec<(String, Vec<u8>)>, String> {
        let Process { child, stdin, stdout } = self;
        std::thread::scope(|scope| {
            // Written on another thread: either pipe may be full while the program waits on the other.
            let writer = scope.spawn(|| stdin.write_all(requests));
            let answers: Result<_, String> = (0..n).map(|_| read_answer(stdout)).collect();
            if answers.is_err() {
                // It may wait for input, and the writer for room.
                let _ = child.kill();
            }
            let written = writer.join();
            answers.map_err(|why| format!("{why}, written: {written:?}"))
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
