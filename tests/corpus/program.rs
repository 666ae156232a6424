//! Runs other programs for tests.

use crate::skip;
use std::process::Command;

/// Flags that make the C compiler check memory and undefined behaviour.
pub const SANITIZERS: &[&str] =
    &["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"];

/// No program here exits with 9; fair scheduling lets threads that wait for each other run.
pub const VALGRIND: &[&str] = &["--error-exitcode=9", "-q", "--fair-sched=try"];

/// Additional flags that make a leak an error.
pub const MEMCHECK: &[&str] = &[
    "--leak-check=full",
    "--errors-for-leak-kinds=definite,indirect",
    "--show-leak-kinds=definite,indirect",
];

/// Runs a command that must succeed and returns its standard output; shows all output otherwise.
///
/// # Panics
/// If the program cannot be started or fails.
pub fn run(command: &mut Command) -> String {
    // Cargo sets the first for its tests, and it overrides the rpath of a program. With the second every
    // deliberate panic takes long to report.
    let output = command
        .env_remove("LD_LIBRARY_PATH")
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{out}\n{err}", output.status);
    out
}

/// Returns whether a program is installed; if not, reports that `what` is skipped.
pub fn installed(program: &str, what: &str) -> bool {
    // Not every program knows --version, but every installed one starts.
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        skip(what, &format!("{program} is not installed"));
    }
    found
}
