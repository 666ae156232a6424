//! Installs the C library as distributions and build systems expect it: headers, static and shared
//! library, pkg-config file and CMake package. The layout is that of `cargo cinstall`; only Rust is
//! needed.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command: it has arguments, starts cargo, writes files and reports on it"
)]

mod build;
mod layout;
mod options;
mod place;
mod system;

use options::{HELP, Options};
use std::process::ExitCode;
use system::System;

/// Result whose error is a sentence for the user of the command.
type Result<T> = std::result::Result<T, String>;

fn main() -> ExitCode {
    let words: Vec<String> =
        match std::env::args_os().skip(1).map(|word| word.into_string()).collect() {
            Ok(words) => words,
            Err(word) => return fail(&format!("{} is not UTF-8", word.to_string_lossy())),
        };
    if words.iter().any(|word| word == "--help" || word == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match install(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => fail(&why),
    }
}

fn install(words: &[String]) -> Result<()> {
    let options = Options::parse(words, std::env::var("DESTDIR").ok())?;
    let system = System::of(options.target.as_deref())?;
    let built = build::build(&options)?;
    let items = layout::items(&options, system, &built)?;
    for item in &items {
        let path = place::put(&options, item)?;
        println!("{}", path.display());
    }
    Ok(())
}

fn fail(why: &str) -> ExitCode {
    eprintln!("searchscope-install: {why}");
    ExitCode::FAILURE
}
