//! `read_document`: one Markdown document. Contract: docs/contracts/documents.md.

use crate::arguments::defaults;
use crate::arguments::forms::{self, OtherNames};
use crate::documents::{LIMITS, TIMEOUT, contract_error, shown};
use crate::replies;
use crate::replies::outcome::Outcome;
use crate::tool::{Contract, ToolCall};
use schemars::JsonSchema;
use searchscope::{Result, Workspace};
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(crate) struct ReadDocument;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The path of the document from the documents' root, as in search_documents and
    /// list_documents.
    #[schemars(length(min = 1))]
    path: String,
    /// The first line to return, counted in the file from 1.
    #[serde(default = "defaults::count::<1>")]
    #[schemars(range(min = 1))]
    start_line: usize,
    /// Maximum number of lines. Default: all.
    #[schemars(range(min = 1))]
    lines_max: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Reply {
    /// Its path from the documents' root, which is "/".
    path: String,
    /// The name in its front matter, else the file name without ".md".
    name: String,
    /// The description in its front matter, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// The lines, with their ends; front matter included.
    content: String,
    /// The number of the first line, from 1.
    start_line: usize,
    /// The number of the last line; start_line - 1 if there are none.
    end_line: usize,
    /// The number of lines of the document.
    total_lines: usize,
}

impl Contract for ReadDocument {
    const NAME: &'static str = "read_document";
    const DESCRIPTION: &'static str = "Returns the text of one markdown document, front matter \
        included, with its name and description. For a long document, request the lines around the \
        file_line of a match in search_documents.";
    type Args = Args;
    type Reply = Reply;
    const OTHER_NAMES: &'static [OtherNames] = &[("path", forms::FILE)];

    fn timeout(_args: &Args) -> Duration {
        TIMEOUT
    }

    fn outcome(_reply: &Reply) -> Outcome {
        Outcome::Found
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let document = workspace.read_document(&args.path, &LIMITS, call);
        let document = document.map_err(contract_error)?;
        let lines = document.content.split_inclusive('\n');
        let lines_max = args.lines_max.unwrap_or(usize::MAX);
        let wanted = lines.clone().skip(args.start_line - 1).take(lines_max);
        let total_lines = lines.count();
        let end_line = total_lines.min((args.start_line - 1).saturating_add(lines_max));
        Ok(Reply {
            path: shown(&document.path),
            name: document.name,
            description: document.description,
            content: joined(wanted)?,
            start_line: args.start_line,
            end_line: end_line.max(args.start_line - 1),
            total_lines,
        })
    }
}

/// Returns the lines as one text.
fn joined<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> Result<String> {
    let mut text = String::new();
    let len = lines.clone().map(str::len).sum();
    text.try_reserve_exact(len).map_err(|_| replies::no_room())?;
    text.extend(lines);
    Ok(text)
}
