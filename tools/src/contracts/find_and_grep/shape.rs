//! The shapes of the reply, and their choice by the arguments.

use super::args::Args;
use super::gather::{FileHits, Gathered, TOP_FILES};
use crate::arguments::limits::REPLY_BYTES_MAX;
use crate::replies::outcome::Outcome;
use crate::replies::report::Warning;
use crate::replies::{encode, no_room, room};
use schemars::JsonSchema;
use searchscope::toolkit::with_slashes;
use searchscope::{Call, Result, Workspace};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Reply {
    /// With total_only: the number of matching lines.
    Total(#[schemars(with = "u64")] Total),
    /// All matches.
    Full(Full),
    /// With count_only_matches.
    Counts(Counts),
    /// With summary_only.
    Summary(Summarised),
    /// With group_by_file.
    Groups(Groups),
    /// With suppress_output and output_file.
    Saved(Saved),
    /// With suppress_output alone.
    Quiet(Quiet),
    /// The failure.
    Failed(Failure),
}

impl Reply {
    /// Returns the outcome of the call.
    pub(super) fn outcome(&self) -> Outcome {
        let (total, is_complete) = match self {
            Reply::Total(reply) => (reply.total, reply.is_complete),
            Reply::Full(reply) => (reply.count, reply.meta.is_complete()),
            Reply::Counts(reply) => (reply.total_matches, reply.meta.is_complete()),
            Reply::Summary(reply) => (reply.summary.total_matches, reply.meta.is_complete()),
            Reply::Groups(reply) => (reply.count, reply.meta.is_complete()),
            Reply::Saved(reply) => (reply.count, reply.is_complete),
            Reply::Quiet(reply) => (reply.count, reply.meta.is_complete()),
            Reply::Failed(_) => return Outcome::Unknown,
        };
        Outcome::of_search(total > 0, is_complete)
    }
}

/// The number of matching lines.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct Total {
    total: u64,
    /// Whether nothing is missing.
    #[serde(skip)]
    is_complete: bool,
}

/// All matches in one list.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepMatches")]
pub(crate) struct Full {
    success: bool,
    /// The number of matches in results.
    count: u64,
    /// By file, in the order of stage 1, then by line.
    results: Vec<FullMatch>,
    meta: Meta,
    #[serde(flatten)]
    extras: Extras,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepMatch")]
struct FullMatch {
    /// Absolute, or the part after base_path.
    file: String,
    /// From 1.
    line_number: u64,
    /// Start of the first match, in bytes from 1.
    column: usize,
    /// The text of the line.
    content: String,
    /// The requested lines before it.
    context_before: Vec<String>,
    /// The requested lines after it.
    context_after: Vec<String>,
}

/// The number of matching lines per file.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepCounts")]
pub(crate) struct Counts {
    success: bool,
    /// Always true.
    count_only: bool,
    /// Number of matching lines; a minimum if meta.truncated.
    total_matches: u64,
    /// Matching lines per file, in the order of stage 1. If the reply has no room for all, only the
    /// first files, and meta.truncated is true.
    #[schemars(with = "BTreeMap<String, u64>")]
    file_counts: Map<String, Value>,
    meta: Meta,
    #[serde(flatten)]
    extras: Extras,
}

/// Totals and samples.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepSummaryReply")]
pub(crate) struct Summarised {
    success: bool,
    /// Always true.
    summary_only: bool,
    summary: Summary,
    meta: Meta,
    #[serde(flatten)]
    extras: Extras,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepSummary")]
struct Summary {
    /// Number of matching lines; a minimum if meta.truncated.
    total_matches: u64,
    /// Files with matches.
    file_count: usize,
    /// The 10 files with the most matches, then by path.
    top_files: Vec<TopFile>,
    /// The first 3 matching lines of each of the first 10 files, cut to 120 characters.
    sample_matches: Vec<Sample>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepTopFile")]
struct TopFile {
    /// Absolute, or the part after base_path.
    file: String,
    /// Matching lines.
    matches: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepSample")]
pub(super) struct Sample {
    /// Absolute, or the part after base_path.
    pub(super) file: String,
    /// The line's number, from 1.
    pub(super) line: u64,
    /// The text of the line, cut.
    pub(super) content: String,
}

/// All matches, grouped by file.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepGroups")]
pub(crate) struct Groups {
    success: bool,
    /// The number of matches in all groups.
    count: u64,
    /// In the order of stage 1.
    files: Vec<Group>,
    meta: Meta,
    #[serde(flatten)]
    extras: Extras,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepGroup")]
pub(super) struct Group {
    /// Absolute, or the part after base_path.
    pub(super) file: String,
    /// The number of matches.
    pub(super) match_count: u64,
    /// By line.
    pub(super) matches: Vec<GroupMatch>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepGroupMatch")]
pub(super) struct GroupMatch {
    /// From 1.
    pub(super) line_number: u64,
    /// The text of the line.
    pub(super) content: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepSaved")]
pub(crate) struct Saved {
    success: bool,
    /// Matching lines.
    count: u64,
    /// The absolute path of the output.
    output_file: String,
    /// Always true.
    file_saved: bool,
    /// Whether nothing is missing.
    #[serde(skip)]
    is_complete: bool,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepQuiet")]
pub(crate) struct Quiet {
    success: bool,
    /// Matching lines.
    count: u64,
    summary: Summary,
    meta: Meta,
    /// With optimize_paths: the leading directories of every path.
    #[serde(skip_serializing_if = "Option::is_none")]
    base_path: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepFailure")]
pub(crate) struct Failure {
    /// Always false.
    pub(super) success: bool,
    /// The message.
    pub(super) error: String,
    /// Exit code: 1 for fd, 2 for input and rg, 124 if the time ran out; never 0.
    pub(super) returncode: i32,
    /// "input" for the arguments, "fd" for choosing files, "rg" for searching them.
    #[schemars(extend("enum" = ["input", "fd", "rg"]))]
    pub(super) stage: &'static str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindAndGrepMeta")]
pub(super) struct Meta {
    /// The number of searched files, matching or not.
    pub(super) searched_file_count: u64,
    /// Whether a limit left anything out: file_limit, the 10000 matches, max_count, max_filesize,
    /// the size of the reply, or the time.
    pub(super) truncated: bool,
    /// Time to choose the files, in milliseconds.
    pub(super) fd_elapsed_ms: u64,
    /// Time to search the files, in milliseconds.
    pub(super) rg_elapsed_ms: u64,
    /// Whether ignore files were disabled, at least for some roots.
    pub(super) no_ignore: bool,
    /// The reason: "requested", or the roots that are ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) no_ignore_reason: Option<String>,
    /// Entries missed, wholly or in part, so files or matches may be missing: the first 20 of each
    /// stage. Absent if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) warnings: Vec<Warning>,
}

impl Meta {
    /// Returns whether nothing is missing.
    fn is_complete(&self) -> bool {
        !self.truncated && self.warnings.is_empty()
    }
}

/// Fields added by some options.
#[derive(Default, Serialize, JsonSchema)]
struct Extras {
    /// With optimize_paths: the leading directories of every path.
    #[serde(skip_serializing_if = "Option::is_none")]
    base_path: Option<String>,
    /// With output_file: its absolute path.
    #[serde(skip_serializing_if = "Option::is_none")]
    output_file: Option<String>,
    /// With output_file: always true.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_saved: Option<bool>,
}

/// Builds the reply in the requested shape, and writes the output file if the call names one.
pub(super) fn reply(
    workspace: &Workspace,
    args: &Args,
    mut gathered: Gathered,
    meta: Meta,
    call: &Call,
) -> Result<Reply> {
    let total = gathered.total();
    let extras = Extras {
        base_path: if args.optimize_paths { gathered.take_base() } else { None },
        ..Extras::default()
    };
    if args.is_summary() {
        let summary = summary(&gathered);
        let base_path = extras.base_path;
        return Ok(Reply::Quiet(Quiet { success: true, count: total, summary, meta, base_path }));
    }
    let is_complete = meta.is_complete();
    let mut reply = shaped(args, gathered, total, meta, extras)?;
    let Some(name) = &args.output_file else {
        return Ok(reply);
    };
    let json = encode(&reply, REPLY_BYTES_MAX)?;
    let path = workspace.write_output("output_file", name, &json, call)?;
    let path = with_slashes(&path);
    if args.suppress_output && !args.total_only {
        return Ok(Reply::Saved(Saved {
            success: true,
            count: total,
            output_file: path,
            file_saved: true,
            is_complete,
        }));
    }
    if let Some(extras) = reply.extras() {
        (extras.output_file, extras.file_saved) = (Some(path), Some(true));
    }
    Ok(reply)
}

/// Returns the first requested shape, in the order of the contract.
fn shaped(
    args: &Args,
    gathered: Gathered,
    total: u64,
    meta: Meta,
    extras: Extras,
) -> Result<Reply> {
    let success = true;
    if args.summary_only && !args.total_only && !args.count_only_matches {
        let summary = summary(&gathered);
        return Ok(Reply::Summary(Summarised {
            success,
            summary_only: true,
            summary,
            meta,
            extras,
        }));
    }
    let files = gathered.files;
    Ok(if args.total_only {
        Reply::Total(Total { total, is_complete: meta.is_complete() })
    } else if args.count_only_matches {
        let mut file_counts = Map::new();
        for file in files {
            // Different names that are not UTF-8 may be displayed alike.
            let before = file_counts.get(&file.path).and_then(Value::as_u64).unwrap_or(0);
            file_counts.insert(file.path, (before + file.n_matches).into());
        }
        let count_only = true;
        Reply::Counts(Counts {
            success,
            count_only,
            total_matches: total,
            file_counts,
            meta,
            extras,
        })
    } else if args.group_by_file {
        let files = files.into_iter().map(FileHits::into_group).collect();
        Reply::Groups(Groups { success, count: total, files, meta, extras })
    } else {
        let n_hits = files.iter().map(|file| file.hits.len()).sum();
        let results = files.into_iter().flat_map(|file| {
            let path = file.path;
            file.hits.into_iter().map(move |hit| FullMatch {
                file: path.clone(),
                line_number: hit.line_number,
                column: hit.column,
                content: hit.content,
                context_before: hit.before,
                context_after: hit.after,
            })
        });
        let results = room::collect(results, n_hits).map_err(|_| no_room())?;
        Reply::Full(Full { success, count: total, results, meta, extras })
    })
}

fn summary(gathered: &Gathered) -> Summary {
    let mut top: Vec<&FileHits> = gathered.files.iter().collect();
    top.sort_by(|a, b| a.by_matches(b));
    let top_files = top.into_iter().take(TOP_FILES);
    let top_files =
        top_files.map(|file| TopFile { file: file.path.clone(), matches: file.n_matches });
    Summary {
        total_matches: gathered.total(),
        file_count: gathered.n_files(),
        top_files: top_files.collect(),
        sample_matches: gathered.files.iter().flat_map(FileHits::samples).collect(),
    }
}

impl Reply {
    fn extras(&mut self) -> Option<&mut Extras> {
        match self {
            Reply::Full(Full { extras, .. })
            | Reply::Counts(Counts { extras, .. })
            | Reply::Summary(Summarised { extras, .. })
            | Reply::Groups(Groups { extras, .. }) => Some(extras),
            _ => None,
        }
    }
}
