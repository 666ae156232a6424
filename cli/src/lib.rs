//! The command `searchscope`: the engine for people at a shell.
//!
//! A binary of its own, because Node takes longer to start than most searches take: `main.rs` with the engine in
//! it, for `cargo install`, or the small `launcher`, which runs this library inside the Node addon, so that the
//! npm packages have the engine once. The command of the npm package starts it for the verbs defined here.

mod call;
mod catalog;
mod command;
mod failure;
mod find;
mod finish;
mod globs;
mod habits;
mod input;
mod inverted;
mod manual;
mod patterns;
mod place;
mod print;
mod progress;
mod rows;
mod search;
mod stats;
mod symbols;
mod table;
mod types;
mod verbs;

use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use failure::{Failure, Result};
use print::report;
use searchscope_tools::Outcome;
use std::ffi::OsString;

const SUCCESS: u8 = 0;
/// Nothing was found.
const NOTHING: u8 = 1;
/// An error, or an answer that is not complete.
const FAILURE: u8 = 2;

/// Runs the command with its arguments, of which the first is its name, and returns its exit status.
//
// Ctrl-C keeps its default action. The process ends at once, even while a write or a file system blocks, and
// a shell sees that a signal ended it (status 130) and stops its loops. No cleanup is needed: the command
// writes no files.
pub fn run_command(args: Vec<OsString>) -> u8 {
    let args = with_flag_for_help(args);
    let word = args.get(1).and_then(|word| word.to_str());
    let matches = match command::command_for(word).try_get_matches_from(&args) {
        Ok(matches) => matches,
        Err(error) => return refused(&error, word.unwrap_or_default()),
    };
    match run(&matches) {
        Ok(Outcome::Found) => SUCCESS,
        Ok(Outcome::Nothing) => NOTHING,
        Ok(Outcome::Unknown) => FAILURE,
        Err(failure) => failed(&failure),
    }
}

/// Turns `help VERB` into `VERB --help`.
fn with_flag_for_help(mut args: Vec<OsString>) -> Vec<OsString> {
    if args.get(1).is_some_and(|word| word == "help") {
        args.remove(1);
        args.truncate(2);
        args.push("--help".into());
    }
    args
}

fn failed(failure: &Failure) -> u8 {
    // The reader has seen enough.
    if failure.is_broken_pipe {
        return SUCCESS;
    }
    report(&failure.to_string());
    FAILURE
}

fn run(matches: &ArgMatches) -> Result<Outcome> {
    let Some((name, matches)) = matches.subcommand() else {
        return Err(Failure::defect("a command line without a verb was read"));
    };
    match name {
        "call" => return call::call(matches),
        "tools" => return call::tools(matches),
        "scopes" => return call::scopes(),
        "secrets" => return call::secrets(),
        "completions" => return manual::completions(matches),
        "man" => return manual::man(matches),
        "serve" | "mcp" => {
            let verb = if name == "mcp" { " mcp" } else { "" };
            return Err(Failure::new(format!(
                "'{name}' is in the npm package searchscope-server: type searchscope-server{verb}, or node \
                 server/cli.js{verb} in a clone of searchscope"
            )));
        }
        _ => {}
    }
    let verb = table::VERBS.iter().find(|verb| verb.name == name);
    let verb = verb.ok_or_else(|| Failure::defect("a verb is not in the table"))?;
    verbs::run(verb, matches)
}

/// Reports arguments that clap rejects, or prints the requested help.
fn refused(error: &clap::Error, verb: &str) -> u8 {
    let text = error.render().to_string();
    if let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg)
        && error.kind() == ErrorKind::UnknownArgument
        && let Some(refusal) = habits::refusal(verb, flag)
    {
        report(&refusal);
        return FAILURE;
    }
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            match call::print(text.trim_end().as_bytes()) {
                Ok(()) => SUCCESS,
                Err(failure) => failed(&failure),
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            print::show(text.trim_end());
            FAILURE
        }
        ErrorKind::InvalidUtf8 => {
            report("the value of a flag is not UTF-8");
            FAILURE
        }
        _ => {
            report(text.trim_end().trim_start_matches("error: "));
            if error.kind() == ErrorKind::InvalidSubcommand {
                report("to search for a text: searchscope search PATTERN [PATH]...");
            }
            FAILURE
        }
    }
}
