//! Other programs, as tests run them.

use crate::skip;
use std::process::Command;

/// What makes the C compiler watch memory and undefined behaviour.
pub const SANITIZERS: &[&str] =
    &["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"];

/// 9 is an exit code that no program here gives; threads that wait for each other get their turn.
pub const VALGRIND: &[&str] = &["--error-exitcode=9", "-q", "--fair-sched=try"];

/// Beside those, what makes a leak an error.
pub const MEMCHECK: &[&str] = &[
    "--leak-check=full",
    "--errors-for-leak-kinds=definite,indirect",
    "--show-leak-kinds=definite,indirect",
];

/// Runs to a successful end and gives the standard output; shows everything otherwise.
///
/// # Panics
/// When the program cannot be started or fails.
pub fn run(command: &mut Command) -> String {
    // Cargo sets the first for its tests, and it comes before the rpath of a program. With the second
    // every panic that is asked for takes long to tell about.
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

/// Whether a program is there; skips `what` when it is not.
pub fn installed(program: &str, what: &str) -> bool {
    // Not every program knows --version, but each one that is there starts.
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        skip(what, &format!("{program} is not installed"));
    }
    found
}
