//! Protocol of the resident programs: one line to the program and one line back per sample.
//!
//! A request is `MODE TAB FILE (TAB NAME TAB ARGUMENTS)+`. FILE is empty, or the program writes the n-th
//! answer to FILE.n; ARGUMENTS is JSON, which has no raw tabs. The reply is a `Sample` as JSON, or
//! `{"error": …}`.

use crate::definitions::{Mode, Program};
use crate::measure::Sample;
use serde::Deserialize;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Request for one sample.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) mode: Mode,
    /// Name and arguments of each call.
    pub(crate) calls: Vec<(String, String)>,
    /// Number of repetitions in the sample.
    pub(crate) repeat: u32,
}

/// Resident program that answers queries about one tree.
#[derive(Debug)]
pub(crate) struct Resident {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Reply {
    Failed { error: String },
    Took(Sample),
}

impl Resident {
    pub(crate) fn start(
        program: &Program,
        root: &Path,
        options: &serde_json::Value,
    ) -> Result<Resident, String> {
        let [name, args @ ..] = program.command.as_slice() else {
            return Err(program.version.clone());
        };
        let mut command = Command::new(name);
        command.args(args).arg(root).arg(options.to_string()).current_dir(root);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("{name}: {error}"))?;
        let from = child.stdout.take().map(BufReader::new).expect("its output is piped");
        Ok(Resident { to: child.stdin.take(), child, from })
    }

    /// Runs one sample. Its times are those of one repetition.
    pub(crate) fn sample(&mut self, request: &Request) -> Result<Sample, String> {
        let mut line = format!("{}\t", request.mode.word());
        for (name, args) in (0..request.repeat).flat_map(|_| &request.calls) {
            line += &format!("\t{name}\t{args}");
        }
        let sample = self.send(&line)?;
        Ok(Sample {
            wall_ns: sample.wall_ns / u64::from(request.repeat),
            cpu_ns: sample.cpu_ns / u64::from(request.repeat),
            ..sample
        })
    }

    /// Returns the answer to each call, with the sample.
    pub(crate) fn answers(
        &mut self,
        request: &Request,
        file: &Path,
    ) -> Result<(Vec<Vec<u8>>, Sample), String> {
        let mut line = format!("{}\t{}", request.mode.word(), file.display());
        for (name, args) in &request.calls {
            line += &format!("\t{name}\t{args}");
        }
        let sample = self.send(&line)?;
        let read = |n: usize| {
            let file = numbered(file, n);
            let bytes = std::fs::read(&file).map_err(|e| format!("{file}: {e}"));
            // A next request that writes no file must not find this one.
            std::fs::remove_file(&file).map_err(|e| format!("{file}: {e}"))?;
            bytes
        };
        let answers: Result<Vec<_>, String> = (0..request.calls.len()).map(read).collect();
        Ok((answers?, sample))
    }

    fn send(&mut self, line: &str) -> Result<Sample, String> {
        let mut reply = String::new();
        let to = self.to.as_mut().expect("it is open until the end");
        let sent = to.write_all(format!("{line}\n").as_bytes()).and_then(|()| to.flush());
        sent.and_then(|()| self.from.read_line(&mut reply)).map_err(|error| error.to_string())?;
        match serde_json::from_str(&reply) {
            Ok(Reply::Took(sample)) => Ok(sample),
            Ok(Reply::Failed { error }) => Err(error),
            Err(_) => Err(format!("the program exited or sent an invalid reply: {reply:?}")),
        }
    }
}

impl Drop for Resident {
    /// Closes the input, which ends the program, and waits for it.
    fn drop(&mut self) {
        drop(self.to.take());
        if let Err(error) = self.child.wait() {
            eprintln!("cannot stop a resident program: {error}");
        }
    }
}

/// Returns the file of the answer to the n-th call.
pub(crate) fn numbered(file: &Path, n: usize) -> String {
    format!("{}.{n}", file.display())
}
