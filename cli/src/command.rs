//! The command line: clap's commands, built from the table, and the tool arguments, built from clap's
//! matches.

use crate::failure::{Failure, Result};
use crate::manual::EXAMPLES;
use crate::table::{Flag, Operand, Takes, VERBS, Verb};
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Map, Value};
use std::ffi::{OsStr, OsString};
use std::time::Duration;

const ABOUT: &str = "Searches text, files, definitions, documents and scopes under one root";

const AFTER: &str = "\
Exit status: 0 found, 1 nothing found, 2 error or not everything searched and nothing found, 130 interrupted.
\"searchscope VERB --help\" lists the flags of a verb. The service (serve) and its protocols (MCP) are in
the npm package searchscope-server.";

/// Builds the whole command, for its help, completions and man page.
pub(crate) fn command() -> Command {
    let verbs = VERBS.iter().map(|verb| of_verb(verb)).chain(others());
    // The version is that of the program, whichever verb prints it.
    root().subcommands(verbs.map(|verb| verb.display_name("searchscope")))
}

/// Builds the command with the flags of only the verb that `word` names: building the others would take time
/// for nothing.
pub(crate) fn command_for(word: Option<&str>) -> Command {
    let Some(word) = word else { return command() };
    match VERBS.iter().find(|verb| verb.name == word || verb.short == Some(word)) {
        Some(verb) => root().subcommand(of_verb(verb).display_name("searchscope")),
        None => command(),
    }
}

fn root() -> Command {
    Command::new("searchscope")
        .about(ABOUT)
        .version(env!("CARGO_PKG_VERSION"))
        .after_help(AFTER)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand_value_name("VERB")
        .subcommand_help_heading("Verbs")
        .disable_help_subcommand(true)
        .propagate_version(true)
}

fn of_verb(verb: &Verb) -> Command {
    let mut command = Command::new(verb.name)
        .about(verb.about)
        .after_help(format!("{EXAMPLES}{}", verb.examples))
        .args_override_self(true)
        // Explicit places, because `Command::mut_arg` would move an argument to the end.
        .args(verb.operands.iter().zip(1..).map(|(operand, at)| of_operand(operand).index(at)));
    for (heading, flags) in verb.flags.iter().chain([&("Workspace", verb.options)]) {
        let flags = flags.iter().map(|flag| of_flag(verb, flag).help_heading(*heading));
        command = command.args(flags);
    }
    if let Some(short) = verb.short {
        command = command.visible_alias(short);
    }
    command
}

fn of_operand(operand: &Operand) -> Arg {
    let arg = Arg::new(operand.name)
        .help(operand.help)
        .required(operand.is_required)
        .allow_hyphen_values(false)
        .value_parser(value_parser!(OsString))
        .value_name(operand.name);
    if operand.is_list { arg.num_args(0..).action(ArgAction::Append) } else { arg }
}

fn of_flag(verb: &Verb, flag: &Flag) -> Arg {
    let mut arg = Arg::new(flag.long).long(flag.long).aliases(flag.aliases).help(flag.help);
    if let Some(short) = flag.short {
        arg = arg.short(short);
    }
    if matches!(flag.takes, Takes::Repeated) {
        return arg.action(ArgAction::Count);
    }
    if flag.is_switch() || matches!(flag.takes, Takes::Choice(_)) {
        // The last of several flags for one parameter wins.
        let same = verb.all_flags().filter(|other| {
            !flag.param.is_empty() && other.param == flag.param && other.long != flag.long
        });
        arg = arg.overrides_with_all(same.map(|other| other.long));
    }
    if flag.is_switch() {
        return arg.action(ArgAction::SetTrue);
    }
    arg = arg.value_name(flag.value).action(match flag.takes {
        Takes::Texts => ArgAction::Append,
        _ => ArgAction::Set,
    });
    match &flag.takes {
        // After a space the value would look like an operand.
        Takes::TrueOr(_) => {
            arg.num_args(0..=1).require_equals(true).value_parser(NonEmptyStringValueParser::new())
        }
        Takes::Choice(words) => {
            arg.value_parser(PossibleValuesParser::new(words.iter().map(|(word, _)| *word)))
        }
        Takes::Path => arg.value_parser(value_parser!(OsString)).allow_hyphen_values(true),
        // Negative numbers are wrong values, not unknown flags.
        Takes::Number => arg.value_parser(value_parser!(u64)).allow_negative_numbers(true),
        Takes::Seconds => arg.value_parser(seconds).allow_negative_numbers(true),
        // Globs and sizes may begin with a dash.
        _ => arg.allow_hyphen_values(true),
    }
}

fn seconds(text: &str) -> std::result::Result<u64, String> {
    let parsed = text.parse().ok();
    let duration = parsed.and_then(|number| Duration::try_from_secs_f64(number).ok());
    duration
        .and_then(|duration| u64::try_from(duration.as_millis()).ok())
        .ok_or_else(|| "it must be a number of seconds, such as 0.5".to_owned())
}

fn others() -> Vec<Command> {
    vec![
        Command::new("tools").about("List the tools").arg(
            Arg::new("json").long("json").action(ArgAction::SetTrue).help("With their schemas"),
        ),
        Command::new("scopes").about("Explain the pattern language of scopes, Markdown"),
        Command::new("secrets")
            .about("List the files that --deny-secrets hides, as gitignore lines"),
        Command::new("help")
            .about("Print this help, or that of a verb")
            .arg(Arg::new("VERB").help("The verb")),
        Command::new("completions")
            .about("Print completions for a shell")
            .arg(
                Arg::new("SHELL")
                    .required(true)
                    .value_parser(value_parser!(clap_complete::Shell))
                    .help("The shell"),
            )
            .after_help(format!(
                "{EXAMPLES}  searchscope completions bash > \
             ~/.local/share/bash-completion/completions/searchscope"
            )),
        Command::new("man")
            .about("Print the man page, or that of a verb")
            .arg(Arg::new("VERB").value_parser(value_parser!(OsString)).help("The verb"))
            .after_help(format!(
                "{EXAMPLES}  searchscope man > ~/.local/share/man/man1/searchscope.1\n  \
                 searchscope man search > ~/.local/share/man/man1/searchscope-search.1"
            )),
        npm_only(
            "serve",
            "Serve the tools over HTTP, with a page (npm package searchscope-server)",
        ),
        npm_only("mcp", "Serve the tools to an agent over MCP (npm package searchscope-server)"),
    ]
}

/// Returns a verb of the npm package, which prints a hint to use that package.
fn npm_only(name: &'static str, about: &'static str) -> Command {
    Command::new(name)
        .about(about)
        .hide(true)
        .disable_help_flag(true)
        .arg(Arg::new("rest").num_args(0..).allow_hyphen_values(true).trailing_var_arg(true))
}

/// Returns the arguments of the verb's tool from the command line.
pub(crate) fn tool_args(verb: &Verb, matches: &ArgMatches) -> Result<Map<String, Value>> {
    let mut args = Map::new();
    // `search` reads its pattern itself: after -e it is a path, which need not be text.
    let is_read_here = |operand: &&Operand| !["", "patterns"].contains(&operand.param);
    for operand in verb.operands.iter().filter(is_read_here) {
        if let Some(text) = operand_text(matches, operand.name)? {
            args.insert(operand.param.to_owned(), text.into());
        }
    }
    set_params(&mut args, verb.tool_flags(), matches)?;
    Ok(args)
}

/// Returns the options of the workspace that the command line gives.
pub(crate) fn workspace_options(verb: &Verb, matches: &ArgMatches) -> Result<Map<String, Value>> {
    let mut options = Map::new();
    set_params(&mut options, verb.options.iter(), matches)?;
    Ok(options)
}

fn set_params(
    params: &mut Map<String, Value>,
    flags: impl Iterator<Item = &'static Flag>,
    matches: &ArgMatches,
) -> Result<()> {
    for flag in flags.filter(|flag| !flag.param.is_empty()) {
        if let Some(value) = value_of(flag, matches)? {
            for param in flag.param.split(' ') {
                params.insert(param.to_owned(), value.clone());
            }
        }
    }
    Ok(())
}

/// Returns the value that the flag sets, if it is present.
fn value_of(flag: &Flag, matches: &ArgMatches) -> Result<Option<Value>> {
    let text = || matches.get_one::<String>(flag.long).map(String::as_str);
    Ok(match flag.takes {
        Takes::Switch => matches.get_flag(flag.long).then_some(Value::Bool(true)),
        Takes::Word(word) => matches.get_flag(flag.long).then(|| word.into()),
        Takes::Choice(words) => match text() {
            None => None,
            Some(given) => {
                let word = words.iter().find(|(word, _)| *word == given);
                let (_, word) =
                    word.ok_or_else(|| Failure::defect("a word is not in the table"))?;
                Some((*word).into())
            }
        },
        Takes::TrueOr(field) => match text() {
            Some(text) => Some(serde_json::json!({ field: text })),
            None => matches.contains_id(flag.long).then_some(Value::Bool(true)),
        },
        // The error of the tool would be about milliseconds.
        Takes::Seconds if matches.get_one::<u64>(flag.long) == Some(&0) => {
            return Err(Failure::new(format!("'--{}' must be at least 0.001", flag.long)));
        }
        Takes::Number | Takes::Seconds => {
            matches.get_one::<u64>(flag.long).map(|number| (*number).into())
        }
        // A verb reads them itself; paths need not be text.
        Takes::Path | Takes::Repeated => None,
        Takes::Text => text().map(Value::from),
        Takes::Texts => {
            let texts: Vec<&str> = texts(matches, flag.long).collect();
            (!texts.is_empty()).then(|| texts.into())
        }
    })
}

/// Returns the text of an operand.
pub(crate) fn operand_text<'a>(matches: &'a ArgMatches, name: &str) -> Result<Option<&'a str>> {
    let Some(given) = matches.get_one::<OsString>(name) else { return Ok(None) };
    let hint = match name {
        "PATTERN" => "; (?-u:\\xFF) in a regex matches the byte FF",
        _ => "",
    };
    let not_text = || Failure::new(format!("{name} is not UTF-8{hint}"));
    given.to_str().ok_or_else(not_text).map(Some)
}

/// Returns the paths that an operand names.
pub(crate) fn operand_paths<'a>(matches: &'a ArgMatches, name: &str) -> Result<Vec<&'a OsStr>> {
    let given = matches.get_many::<OsString>(name).into_iter().flatten();
    let paths: Vec<&OsStr> = given.map(OsString::as_os_str).collect();
    // As a relative path it would mean the root, as the rest of an unset variable in a script.
    if paths.iter().any(|path| path.is_empty()) {
        return Err(Failure::new(format!("{name} must not be empty")));
    }
    Ok(paths)
}

/// Returns whether any of these flags was given.
pub(crate) fn is_given(matches: &ArgMatches, ids: &[&str]) -> bool {
    ids.iter().any(|id| matches.value_source(id) == Some(ValueSource::CommandLine))
}

/// Returns which of these switches was given last.
pub(crate) fn last_of<'a>(matches: &ArgMatches, ids: &[&'a str]) -> Option<&'a str> {
    let given = ids.iter().filter(|id| matches.get_flag(id));
    given.max_by_key(|id| matches.indices_of(id).and_then(Iterator::last)).copied()
}

/// Returns the values of a repeatable flag.
pub(crate) fn texts<'a>(matches: &'a ArgMatches, id: &str) -> impl Iterator<Item = &'a str> {
    matches.get_many::<String>(id).into_iter().flatten().map(String::as_str)
}
