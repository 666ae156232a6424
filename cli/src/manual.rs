//! Completions and man pages, made from the table like the help.

use crate::call::print;
use crate::command::{command, operand_text};
use crate::failure::{Failure, Result};
use crate::symbols::kinds;
use crate::types::type_names;
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Command};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use searchscope_tools::{Outcome, TOOLS};
use std::io::Write;

/// Scopes that most projects have.
const SCOPES: &[&str] = &["changed", "libraries", "production", "tests"];

/// The beginning of the text after a verb's flags.
pub(crate) const EXAMPLES: &str = "Examples:\n";

/// Prints completions for a shell.
pub(crate) fn completions(matches: &ArgMatches) -> Result<Outcome> {
    if let Some(shell) = matches.get_one::<Shell>("SHELL") {
        let mut text = Vec::new();
        generate(*shell, &mut completed(), "searchscope", &mut text);
        print(text.trim_ascii_end())?;
    }
    Ok(Outcome::Found)
}

/// Returns the command with the words that its operands and flags take most often. Other words are valid too, so
/// only completions know these.
fn completed() -> Command {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let tools = TOOLS.iter().map(|tool| tool.name.to_owned()).collect();
    let mut completed = command();
    for (verb, arg, words) in [
        ("call", "TOOL", tools),
        ("symbols", "kind", kinds().map(str::to_owned).collect()),
        ("search", "type", type_names()),
        ("find", "type", owned(&["file", "directory", "symlink", "executable", "empty"])),
        ("scope", "PATTERN", owned(SCOPES)),
        ("search", "scope", owned(SCOPES)),
        ("find", "scope", owned(SCOPES)),
        ("symbols", "scope", owned(SCOPES)),
    ] {
        let words: Vec<String> = words;
        let words = PossibleValuesParser::new(words);
        let with_words = |command: Command| command.mut_arg(arg, |arg| arg.value_parser(words));
        completed = completed.mut_subcommand(verb, with_words);
    }
    for verb in ["serve", "mcp"] {
        completed = completed.mut_subcommand(verb, |command| command.hide(false));
    }
    completed
}

/// Prints the man page of a verb, or that of the whole command.
pub(crate) fn man(matches: &ArgMatches) -> Result<Outcome> {
    let mut command = command();
    // Adds the flags that all verbs have.
    command.build();
    let mut page = Vec::new();
    match operand_text(matches, "VERB")? {
        None => Man::new(command).render(&mut page)?,
        Some(word) => {
            let mut verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set());
            let verb = verbs.find(|verb| verb.get_name_and_visible_aliases().contains(&word));
            let verb = verb.ok_or_else(|| {
                Failure::new(format!(
                    "there is no man page of '{word}'; \"searchscope --help\" lists the verbs"
                ))
            })?;
            page_of(verb, &mut page)?;
        }
    }
    print(page.trim_ascii_end())?;
    Ok(Outcome::Found)
}

/// Writes the man page of a verb.
fn page_of(verb: &Command, page: &mut Vec<u8>) -> Result<()> {
    let name = verb.get_name();
    let after = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
    let title = format!("searchscope-{name}");
    let man = Man::new(verb.clone().bin_name(format!("searchscope {name}")).display_name(&title));
    let man = man.title(&title).source(concat!("searchscope ", env!("CARGO_PKG_VERSION")));
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    if let Some(examples) = after.strip_prefix(EXAMPLES) {
        writeln!(page, ".SH EXAMPLES\n.nf")?;
        for line in examples.lines() {
            writeln!(page, "{}", line.trim_start().replace('\\', "\\e").replace('-', "\\-"))?;
        }
        writeln!(page, ".fi")?;
    }
    writeln!(page, ".SH \"SEE ALSO\"\nsearchscope(1)")?;
    Ok(())
}
