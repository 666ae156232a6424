//! `search_in_files`: matching lines of files below a path. Contract:
//! docs/contracts/search-in-files.md.

use crate::arguments::defaults;
use crate::arguments::forms::{self, OtherNames};
use crate::arguments::limits::{LINE_BYTES_MAX, REPLY_BYTES_MAX, check_regex};
use crate::contracts::errors;
use crate::contracts::long_lines::{LINE_BYTES, LongLines, text_of};
use crate::replies::outcome::Outcome;
use crate::replies::report::{Warning, warnings_of_a_lack};
use crate::replies::{self, JsonList};
use crate::tool::{Contract, ToolCall};
use schemars::JsonSchema;
use searchscope::toolkit::ErrorExt;
use searchscope::{
    Error, ErrorKind, FileMatches, FileOptions, Limits, PatternOptions, Result, SearchRequest,
    Stop, StopReason, Syntax, Workspace,
};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Duration;

pub(crate) struct SearchInFiles;

/// Maximum memory of matches. The reply has the limit, and a match takes less than four times as much
/// memory as room in the reply.
const MEMORY_BYTES_MAX: usize = 4 * REPLY_BYTES_MAX;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The text to search for, or a regular expression if use_regex is true. Case-sensitive,
    /// matched line by line.
    #[schemars(length(min = 1))]
    query: String,
    /// A glob such as "*.py", "src/**/*.{ts,tsx}" or "!*.min.js". Without "/" it matches file names
    /// at any depth, with "/" paths relative to path; leading "!" excludes.
    #[serde(default = "defaults::every_file")]
    #[schemars(length(min = 1))]
    file_pattern: String,
    /// The directory (or single file) to search, relative to the project root or absolute inside it.
    #[serde(default = "defaults::root")]
    path: String,
    /// Whether query is a regular expression (Rust regex syntax: no look-around, no
    /// back-references).
    #[serde(default)]
    use_regex: bool,
    /// Lines that contain this text are left out. Case-sensitive.
    #[serde(default)]
    exclude_query: String,
    /// Seconds until the search ends with its matches so far; then timed_out is true.
    #[serde(default = "defaults::amount::<60>")]
    #[schemars(range(min = 1))]
    timeout: u64,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Reply {
    /// The matching lines, by path (in byte order) and line number.
    #[schemars(with = "Vec<Match>")]
    matches: JsonList,
    /// The number of matches in the list.
    total_matches: usize,
    /// The number of searched files, matching or not; binary files are not searched.
    files_searched: u64,
    /// Whether the time ran out; if so, later matches are missing.
    timed_out: bool,
    /// Entries missed, wholly or in part, so matches may be missing: the first 20. Absent if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "MatchInFile")]
struct Match<'a> {
    /// The file, relative to the project root, with "/" between names.
    file_path: &'a str,
    /// The line's number in the file, from 1.
    line_number: u64,
    /// The text of the line without its line end.
    line_content: &'a str,
}

impl Contract for SearchInFiles {
    const NAME: &'static str = "search_in_files";
    const DESCRIPTION: &'static str = "Searches the contents of files below a directory for a text \
        or a regular expression and returns every matching line with its file and line number, \
        sorted by path. Hidden, git-ignored and binary files are left out. Use file_pattern and \
        path to narrow a broad query: a result that is too large is refused.";
    type Args = Args;
    type Reply = Reply;
    const OTHER_NAMES: &'static [OtherNames] =
        &[("query", forms::TEXT), ("path", forms::PLACE), ("file_pattern", forms::GLOBS)];

    fn timeout(args: &Args) -> Duration {
        Duration::from_secs(args.timeout)
    }

    fn outcome(reply: &Reply) -> Outcome {
        let is_complete = !reply.timed_out && reply.warnings.is_empty();
        Outcome::of_search(!reply.matches.is_empty(), is_complete)
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let mut request = request(workspace, &args)?;
        for line_bytes_max in LINE_BYTES {
            request.limits.line_bytes_max = Some(line_bytes_max);
            let mut matches = JsonList::new(REPLY_BYTES_MAX);
            let mut long = LongLines::default();
            let mut too_large = false;
            let report = workspace.run_search_each(&request, call, &mut |file: FileMatches| {
                let path = file.path.display();
                long.look_at(&file);
                let has_room = file.lines.iter().all(|line| {
                    matches.push(&Match {
                        file_path: &path,
                        line_number: line.number,
                        line_content: &text_of(line),
                    })
                });
                if has_room {
                    return ControlFlow::Continue(());
                }
                too_large = true;
                ControlFlow::Break(Stop::HERE)
            });
            let report = report.map_err(|error| contract_error(error, &args))?;
            if !too_large && report.stopped != Some(StopReason::ByteBudget) {
                let mut warnings = warnings_of_a_lack(&report);
                warnings.extend(long.warning());
                return Ok(Reply {
                    total_matches: matches.len(),
                    matches,
                    files_searched: report.searched_files,
                    timed_out: report.stopped == Some(StopReason::Deadline),
                    warnings,
                });
            }
            if !long.can_be_cut(line_bytes_max) {
                break;
            }
        }
        Err(replies::too_large())
    }
}

fn request(workspace: &Workspace, args: &Args) -> Result<SearchRequest> {
    if !args.use_regex && args.query.contains('\n') {
        let predicate = "must not contain a line feed: files are searched line by line";
        return Err(Error::invalid_param("query", predicate));
    }
    let pattern = PatternOptions {
        syntax: if args.use_regex { Syntax::Regex } else { Syntax::Literal },
        ..PatternOptions::literal(args.query.as_str())
    };
    check_regex("query", &pattern).map_err(|error| contract_error(error, args))?;
    let limits = Limits {
        output_bytes_max: Some(MEMORY_BYTES_MAX),
        line_bytes_max: Some(LINE_BYTES_MAX),
        spans_per_line_max: Some(0),
        ..Limits::NONE
    };
    let mut request = SearchRequest::new(pattern, limits);
    request.files = FileOptions {
        worktrees: true,
        globs: vec![args.file_pattern.clone()],
        glob_bases: vec![
            workspace.resolve(&args.path).map_err(|error| contract_error(error, args))?,
        ],
        ..FileOptions::default()
    };
    request.paths = vec![args.path.clone()];
    request.exclude = Some(args.exclude_query.clone());
    Ok(request)
}

/// Converts an error of the engine to the words of the contract.
fn contract_error(error: Error, args: &Args) -> Error {
    match (error.kind(), error.param()) {
        (ErrorKind::PatternSyntax, _) => {
            let message = format!("INVALID_REGEX: {}", error.message());
            error.with_message(message).with_param("query")
        }
        (ErrorKind::InvalidParam, Some("patterns")) => error.with_param("query"),
        (ErrorKind::InvalidParam, Some("globs[0]")) => error.with_param_named("file_pattern"),
        _ => errors::path_error(error, &args.path),
    }
}
