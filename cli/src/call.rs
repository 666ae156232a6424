//! `call`, `tools`, `scopes` and `secrets`: the verbs for programs.

use crate::command::{operand_text, workspace_options};
use crate::failure::{Failure, Result};
use crate::print::{escaped, printed_json, stdout_is_terminal};
use crate::progress::Progress;
use crate::table::CALL;
use clap::ArgMatches;
use searchscope::{Call, Error, SCOPE_REFERENCE, SECRETS, SECRETS_VERSION};
use searchscope_tools::{
    Outcome, ReplyForm, TOOLS, ToolReply, call_tool, open_workspace, tools_json,
};
use serde_json::Value;
use serde_json::value::RawValue;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

/// Tools whose reply is a text, which a person at a terminal reads.
const TEXT_TOOLS: &[&str] = &["look", "read"];
/// Characters of arguments that are not JSON which their error shows.
const SHOWN_MAX: usize = 200;

/// Calls a tool and prints its reply.
pub(crate) fn call(matches: &ArgMatches) -> Result<Outcome> {
    let tool = operand_text(matches, "TOOL")?.unwrap_or_default();
    let args = match operand_text(matches, "JSON")?.unwrap_or("{}") {
        "-" => standard_input()?,
        json => json.as_bytes().to_vec(),
    };
    require_object(&args)?;
    let failure = |error: Error| Failure::of_tool(&error, &args);
    let root = matches.get_one::<OsString>("root").map_or(OsStr::new("."), OsString::as_os_str);
    let options = Value::Object(workspace_options(CALL, matches)?).to_string();
    let workspace = open_workspace(Path::new(root), options.as_bytes()).map_err(failure)?;
    let mut call = Call::new();
    if let Some(millis) = matches.get_one::<u64>("timeout") {
        call = call.with_timeout(Duration::from_millis(*millis));
    }
    let progress = Progress::show(tool, call.cancel_token());
    let is_terminal = stdout_is_terminal();
    let is_text = matches.get_flag("compact") || is_terminal && TEXT_TOOLS.contains(&tool);
    let form = if is_text { ReplyForm::Text } else { ReplyForm::Json };
    let reply = call_tool(&workspace, tool, &args, form, &call);
    drop(progress);
    let ToolReply { bytes, outcome, .. } = reply.map_err(failure)?;
    match form {
        // `print` adds the last line feed.
        ReplyForm::Text => {
            let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
            match is_terminal {
                true => print(escaped(&String::from_utf8_lossy(text), '\n').as_bytes())?,
                false => print(text)?,
            }
        }
        ReplyForm::Json => print(&printed_json(&bytes, is_terminal))?,
    }
    Ok(outcome)
}

/// Lists the tools.
pub(crate) fn tools(matches: &ArgMatches) -> Result<Outcome> {
    if matches.get_flag("json") {
        print(&printed_json(&tools_json(), stdout_is_terminal()))?;
        return Ok(Outcome::Found);
    }
    let width = TOOLS.iter().map(|tool| tool.name.len()).max().unwrap_or(0);
    let lines = TOOLS.iter().map(|tool| {
        let sentence = tool.description.split_inclusive(". ").next().unwrap_or_default();
        format!("{:width$}  {}", tool.name, sentence.trim_end())
    });
    print(lines.collect::<Vec<_>>().join("\n").as_bytes())?;
    Ok(Outcome::Found)
}

/// Prints the reference of scope patterns.
pub(crate) fn scopes() -> Result<Outcome> {
    print(SCOPE_REFERENCE.trim_end_matches('\n').as_bytes())?;
    Ok(Outcome::Found)
}

/// Lists the files that `--deny-secrets` hides.
pub(crate) fn secrets() -> Result<Outcome> {
    print(format!("# version {SECRETS_VERSION}\n{}", SECRETS.join("\n")).as_bytes())?;
    Ok(Outcome::Found)
}

/// Prints trusted bytes and a line feed.
#[expect(clippy::disallowed_methods, reason = "a command writes to its standard output")]
pub(crate) fn print(bytes: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

#[expect(clippy::disallowed_methods, reason = "a command reads its standard input")]
fn standard_input() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| Failure::new(format!("standard input cannot be read: {error}")))?;
    Ok(bytes)
}

/// Refuses arguments that are not a JSON object: the engine would too, but here the shell's quotes are
/// the usual cause.
fn require_object(args: &[u8]) -> Result<()> {
    // Unlike a value, a raw one is read to any depth; the engine judges that.
    let error = match serde_json::from_slice::<&RawValue>(args) {
        Ok(json) if json.get().starts_with('{') => return Ok(()),
        Ok(_) => {
            let message =
                "the arguments must be a JSON object, as in '{\"patterns\":[\"fn main\"]}'";
            return Err(Failure::new(message));
        }
        Err(error) => error,
    };
    let text = String::from_utf8_lossy(args);
    let shown: String = text.chars().take(SHOWN_MAX).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    Err(Failure::new(format!(
        "the arguments are not JSON: {error}\n  given: {shown}{more}\n  hint: quote them for the \
         shell, as in '{{\"patterns\":[\"fn main\"]}}'"
    )))
}
