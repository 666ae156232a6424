//! `find`: the engine's own find as a tool. Contract:
//! docs/contracts/search-and-find.md.

use crate::arguments::choices::OrderArg;
use crate::arguments::defaults;
use crate::arguments::files::{FilesArgs, contract_error};
use crate::arguments::forms::{self, OtherNames};
use crate::own::search::{ENVELOPE_BYTES, OUTPUT_BYTES_DEFAULT, OUTPUT_BYTES_MAX};
use crate::own::search_result::path_base64;
use crate::own::summary::Summary;
use crate::own::why_nothing::Texts;
use crate::replies::outcome::Outcome;
use crate::replies::{self, JsonList};
use crate::tool::{Consumer, Contract, ToolCall};
use jiff::Timestamp;
use schemars::JsonSchema;
use searchscope::{Error, ErrorKind, FindRequest, FoundFile, Result, Stop, StopReason, Workspace};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Duration;

pub(crate) struct Find;

/// Advice to a caller that passes a text to search for.
const NAMES_ONLY: &str = "'name_pattern' selects files by name; use 'search' for file contents";

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    #[serde(flatten)]
    files: FilesArgs,
    /// The order of the files: by path, newest first, or largest first. Default: path.
    #[serde(default)]
    order: OrderArg,
    /// Whether to add type, size and modification time of each file.
    #[serde(default)]
    details: bool,
    /// Maximum number of files; a cursor leads to the others.
    #[serde(default = "defaults::amount::<1_000>")]
    #[schemars(range(min = 1, max = 100_000))]
    files_max: u64,
    /// Maximum size of the list, in bytes; a cursor leads to the rest.
    #[serde(default = "defaults::count::<OUTPUT_BYTES_DEFAULT>")]
    #[schemars(range(min = 1024, max = 67_108_864))]
    pub(crate) output_bytes_max: usize,
    /// The search ends after this time with its results so far and a cursor.
    #[serde(default = "defaults::amount::<10_000>")]
    #[schemars(range(min = 1, max = 600_000))]
    deadline_ms: u64,
    /// The cursor of an earlier reply to the same request, to continue after it. Only files_max,
    /// output_bytes_max, details and the deadline may differ.
    #[serde(default)]
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Reply {
    /// The files, in the requested order.
    #[schemars(with = "Vec<FileEntry>")]
    files: JsonList,
    #[serde(flatten)]
    summary: Summary,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FoundFile")]
struct FileEntry<'a> {
    /// Relative to the root, with "/" between names.
    path: &'a str,
    /// The bytes of the path in base64, only if it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
    /// With details: "f" regular file, "d" directory, "l" symlink.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["f", "d", "l"]))]
    file_type: Option<&'static str>,
    /// With details: in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    /// With details: modification time, RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    modified: Option<String>,
}

impl Contract for Find {
    const NAME: &'static str = "find";
    const DESCRIPTION: &'static str = "Finds files by path, glob, name, extension, type, size, \
        time and depth, without opening them, sorted by path, modification time or size. Hidden \
        and git-ignored files are left out and counted. An incomplete reply says why and has a \
        cursor: pass it with the same arguments to continue. If nothing matches, why_nothing says \
        what to change.";
    type Args = Args;
    type Reply = Reply;
    const EXPECTED: &'static [(&'static str, &'static str)] = &[
        ("pattern", NAMES_ONLY),
        ("patterns", NAMES_ONLY),
        ("query", NAMES_ONLY),
        ("q", NAMES_ONLY),
    ];
    const OTHER_NAMES: &'static [OtherNames] = &[
        ("paths", forms::PLACE),
        ("globs", forms::GLOBS),
        ("files_max", forms::LIMIT),
        ("deadline_ms", forms::TIME),
    ];
    const REPLY_BYTES_MAX: usize = OUTPUT_BYTES_MAX + ENVELOPE_BYTES;

    fn timeout(args: &Args) -> Duration {
        Duration::from_millis(args.deadline_ms)
    }

    fn outcome(reply: &Reply) -> Outcome {
        reply.summary.outcome()
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let bytes_max = replies::results_max(workspace, args.output_bytes_max);
        let mut files = JsonList::new(bytes_max);
        let summary = each(workspace, &args, call, Consumer::Reply, &mut |file| {
            let path_text = file.path.display();
            files.take(&FileEntry::of(file, &path_text))
        });
        Ok(Reply { files, summary: summary? })
    }
}

/// Passes each file to `take` and returns the summary.
pub(crate) fn each(
    workspace: &Workspace,
    args: &Args,
    call: &ToolCall<'_>,
    consumer: Consumer,
    take: &mut dyn FnMut(&FoundFile) -> ControlFlow<Stop>,
) -> Result<Summary> {
    let (files, narrowing) = args.files.narrowed(workspace, call)?;
    let is_limited = consumer == Consumer::Reply || call.is_given("files_max");
    let files_max = is_limited.then_some(args.files_max);
    let mut request = FindRequest::new(files, files_max, None);
    request.paths = args.files.paths.clone();
    request.order = args.order.into();
    request.details = args.details;
    request.cursor = args.cursor.as_deref().map(str::parse).transpose()?;
    request.resumable = true;
    let report = workspace.run_find_each(&request, call, take).map_err(contract_error)?;
    if report.total == 0 && report.stopped == Some(StopReason::ByteBudget) {
        let message = "one file alone is larger than 'output_bytes_max'; raise it";
        return Err(Error::new(ErrorKind::ResultTooLarge, message));
    }
    Summary::of(&report, args.cursor.is_some(), Texts::Unread, narrowing, &request.files)
}

/// Returns a file as JSON, as a reply contains it.
pub(crate) fn found_json(file: &FoundFile) -> Result<String> {
    replies::to_json_text(&FileEntry::of(file, &file.path.display()))
}

impl<'a> FileEntry<'a> {
    fn of(file: &FoundFile, path_text: &'a str) -> FileEntry<'a> {
        let details = file.details.as_ref();
        FileEntry {
            path: path_text,
            path_base64: path_base64(&file.path),
            file_type: details.map(|details| details.file_type.code()),
            size: details.map(|details| details.size),
            modified: details.and_then(|details| {
                Timestamp::from_nanosecond(details.modified_ns).ok().map(|time| time.to_string())
            }),
        }
    }
}
