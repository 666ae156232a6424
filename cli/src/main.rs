//! The command with the engine in it.

use std::process::ExitCode;

#[expect(clippy::disallowed_methods, reason = "a command has arguments")]
fn main() -> ExitCode {
    ExitCode::from(searchscope_cli::run_command(std::env::args_os().collect()))
}
