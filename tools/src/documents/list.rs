//! `list_documents`: the Markdown documents that have a description. Contract:
//! docs/contracts/documents.md.

use crate::arguments::defaults;
use crate::arguments::forms::{self, OtherNames};
use crate::documents::{LIMITS, TIMEOUT, WalkSummary, contract_error, shown};
use crate::replies::outcome::Outcome;
use crate::tool::{Contract, ToolCall};
use schemars::JsonSchema;
use searchscope::{Result, Workspace};
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(crate) struct ListDocuments;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The directory to list, from the documents' root, which is "/".
    #[serde(default = "defaults::documents_root")]
    path: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Reply {
    /// The documents with a description, depth-first, by name in each directory.
    documents: Vec<Described>,
    /// The number of documents in the list.
    total_found: usize,
    /// Whether the list ends early: after 1,000 documents, described or not, or 60 seconds.
    truncated: bool,
    #[serde(flatten)]
    summary: WalkSummary,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DescribedDocument")]
struct Described {
    /// Its path from the documents' root, which is "/".
    path: String,
    /// The name in its front matter, else the file name without ".md".
    name: String,
    /// The description in its front matter.
    description: String,
}

impl Contract for ListDocuments {
    const NAME: &'static str = "list_documents";
    const DESCRIPTION: &'static str = "Lists the markdown documents below a directory whose front \
        matter has a description, with path, name and description. Use it to choose documents to \
        read; use search_documents to find a text in all of them.";
    type Args = Args;
    type Reply = Reply;
    const OTHER_NAMES: &'static [OtherNames] = &[("path", forms::PLACE)];

    fn timeout(_args: &Args) -> Duration {
        TIMEOUT
    }

    fn outcome(reply: &Reply) -> Outcome {
        let is_complete = !reply.truncated && reply.summary.is_complete();
        Outcome::of_search(!reply.documents.is_empty(), is_complete)
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let list = workspace.list_documents(&args.path, &LIMITS, call).map_err(contract_error)?;
        let documents = list.documents.into_iter().map(|document| Described {
            path: shown(&document.path),
            name: document.name,
            description: document.description,
        });
        Ok(Reply {
            total_found: documents.len(),
            documents: documents.collect(),
            truncated: list.walk.truncated,
            summary: list.walk.into(),
        })
    }
}
