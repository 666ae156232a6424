//! Trees to search, and runs of the command in them.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Creates a directory with these files and contents.
pub(crate) fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for (path, content) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(path, content).expect("a file");
    }
    dir
}

/// Returns the command to run in `dir`.
pub(crate) fn searchscope(dir: &Path, args: &[&str]) -> Command {
    command(env!("CARGO_BIN_EXE_searchscope"), dir, args)
}

/// Returns a program to run in `dir`, without input and without color settings from the environment.
pub(crate) fn command(program: &str, dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(dir).stdin(Stdio::null());
    command.env_remove("NO_COLOR").env("TERM", "xterm").env_remove("RIPGREP_CONFIG_PATH");
    command
}

/// Runs the command in `dir` and returns its exit status, standard output and standard error.
pub(crate) fn run(dir: &Path, args: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } =
        searchscope(dir, args).output().expect("the command runs");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (status.code().unwrap_or(-1), text(&stdout), text(&stderr))
}

/// Programs to compare with, and the beginning of what they print about their version. Flags and orders of older
/// ones differ.
const PEERS: &[(&str, &str)] = &[("rg", "ripgrep 15."), ("fd", "fd 10.")];

/// Returns whether a program to compare with is installed in the right version, and reports a skip if not.
pub(crate) fn has_peer(program: &str) -> bool {
    let wanted = PEERS.iter().find(|(name, _)| *name == program).map_or("", |(_, wanted)| *wanted);
    let why = match Command::new(program).arg("--version").stdin(Stdio::null()).output() {
        Ok(output) if output.stdout.starts_with(wanted.as_bytes()) => return true,
        Ok(_) => format!("it is not {wanted}x"),
        Err(_) => "it is not installed".to_owned(),
    };
    // Past the capture of the test runner.
    let _ =
        writeln!(std::io::stderr(), "SKIPPED: comparisons of the command with {program}: {why}");
    false
}

/// Runs another program in `dir` and returns its standard output.
pub(crate) fn output_of(program: &str, dir: &Path, args: &[&str]) -> String {
    let output = command(program, dir, args).output();
    let output = output.unwrap_or_else(|error| panic!("{program} is needed: {error}"));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
