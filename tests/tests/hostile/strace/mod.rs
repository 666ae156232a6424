//! Runs the C program under `strace` and checks its system calls and its handling of failures.

mod faults;
mod suite;
mod threads;

use searchscope_tests::face::child::{answers, requests};
use searchscope_tests::face::{CFace, Call};
use searchscope_tests::{run_limited, skip};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(180);

/// The C program, run under strace.
pub(crate) struct Traced(CFace);

/// Outcome of a run.
pub(crate) struct Output {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    pub(crate) trace: String,
}

/// Returns the program if it can be built and traced; else reports that `what` is skipped.
pub(crate) fn traced(what: &str) -> Option<Traced> {
    let build = || {
        // Containers often forbid tracing.
        let tried = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
        let tried = tried.map_err(|error| format!("strace: {error}"))?;
        if !tried.status.success() {
            return Err(format!("strace: {}", String::from_utf8_lossy(&tried.stderr).trim()));
        }
        CFace::build().map(Traced)
    };
    build().map_err(|why: String| skip(what, &why)).ok()
}

impl Traced {
    /// Makes the calls in one process, with these options of strace.
    pub(crate) fn run(
        &self,
        strace: &[&str],
        root: &Path,
        options: &str,
        calls: &[(&str, &str)],
    ) -> Output {
        let call = |&(tool, args): &(&str, &str)| Call { tool: tool.into(), args: args.into() };
        self.run_calls(strace, root, options, &calls.iter().map(call).collect::<Vec<_>>())
    }

    fn run_calls(&self, strace: &[&str], root: &Path, options: &str, calls: &[Call]) -> Output {
        let trace = tempfile::NamedTempFile::new().expect("a temporary file can be made");
        let mut command = Command::new("strace");
        // Only the traced system calls stop the program.
        command.args(["-f", "-qq", "--seccomp-bpf", "-o"]).arg(trace.path()).args(strace);
        command.arg(self.0.program()).arg(root).arg(options);
        let requests = requests(calls);
        let what = format!("{command:?}");
        let (status, stdout, stderr) =
            run_limited(&what, LIMIT, move || converse(&mut command, requests));
        let bytes = std::fs::read(trace.path()).expect("strace has written it");
        Output { status, stdout, stderr, trace: String::from_utf8_lossy(&bytes).into_owned() }
    }
}

fn converse(command: &mut Command, requests: Vec<u8>) -> (ExitStatus, Vec<u8>, String) {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("it was just started");
    let mut stdin = child.stdin.take().expect("it is piped");
    let mut stderr = child.stderr.take().expect("it is piped");
    // A program that exits early stops reading; its answers show that.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&requests)));
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        stderr.read_to_end(&mut text).map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("written");
    let stderr = reader.join().expect("read").expect("read");
    (output.status, output.stdout, stderr)
}

impl Output {
    /// Returns the status and the bytes of each answer.
    pub(crate) fn answers(&self) -> Vec<(String, Vec<u8>)> {
        let stdout = String::from_utf8_lossy(&self.stdout);
        assert!(self.status.success(), "{}: {stdout} {}", self.status, self.stderr);
        answers(&self.stdout).unwrap_or_else(|why| panic!("{why}: {stdout}"))
    }
}
