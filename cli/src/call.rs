//! `call` and `tools`: the tools for programs, as in the command of the npm package.

use crate::failure::{Failure, Result};
use crate::finish::Ending;
use crate::print::{printed_json, stdout_is_terminal};
use clap::ArgMatches;
use searchscope::tools::{TOOLS, open_workspace, tools_json};
use searchscope::{Call, ErrorKind};
use std::io::{Read, Write};
use std::path::Path;

/// Calls a tool and prints its reply.
pub(crate) fn call(matches: &ArgMatches) -> Result<Ending> {
    let text = |id: &str| matches.get_one::<String>(id).map_or("", String::as_str);
    let args = match text("JSON") {
        "-" => standard_input()?,
        json => json.as_bytes().to_vec(),
    };
    let root = matches.get_one::<String>("root").map_or(".", String::as_str);
    let workspace = open_workspace(Path::new(root), b"").map_err(of_tool)?;
    let reply = workspace.call(text("TOOL"), &args, &Call::new()).map_err(of_tool)?;
    print(&printed_json(&reply, stdout_is_terminal()))?;
    Ok(Ending::Found)
}

/// Lists the tools.
pub(crate) fn tools(matches: &ArgMatches) -> Result<Ending> {
    if matches.get_flag("json") {
        print(&printed_json(&tools_json(), stdout_is_terminal()))?;
        return Ok(Ending::Found);
    }
    let width = TOOLS.iter().map(|tool| tool.name.len()).max().unwrap_or(0);
    let lines = TOOLS.iter().map(|tool| {
        let sentence = tool.description.split_inclusive(". ").next().unwrap_or_default();
        format!("{:width$}  {}", tool.name, sentence.trim_end())
    });
    print(lines.collect::<Vec<_>>().join("\n").as_bytes())?;
    Ok(Ending::Found)
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

fn of_tool(error: searchscope::Error) -> Failure {
    let hint = match error.kind() {
        ErrorKind::InvalidParam => {
            "\n  hint: \"searchscope tools --json\" shows what each tool takes."
        }
        _ => "",
    };
    Failure::new(format!("{}: {}{hint}", error.code(), error.message()))
}
