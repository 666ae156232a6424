//! The summary of a search, which the native tools report with its results.

use crate::arguments::changed::ChangedSet;
use crate::arguments::files::Narrowing;
use crate::arguments::scope::wire::ShapeDto;
use crate::own::count_all::Count;
use crate::own::why_nothing::{Texts, why_nothing};
use crate::replies::outcome::Outcome;
use crate::replies::report::{Skipped, Warning, warnings};
use schemars::JsonSchema;
use searchscope::toolkit::ErrorExt;
use searchscope::{Error, ErrorKind, FileOptions, Report, ResolvedScope, Result, StopReason};
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Summary {
    /// Whether everything in scope was searched or, with a cursor, everything after it.
    complete: bool,
    /// Why the search ended: "none", "limit", "deadline" or "byte_budget".
    #[schemars(extend("enum" = ["none", "limit", "deadline", "byte_budget"]))]
    stopped: &'static str,
    /// Results in this reply: matching lines or files.
    total: u64,
    /// "exact", or "at_least" when there may be more.
    #[schemars(extend("enum" = ["exact", "at_least"]))]
    total_kind: &'static str,
    /// Only with count_all, if a limit ends the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<All>,
    /// Skipped entries, by reason.
    skipped: Skipped,
    /// The number of searched files, matching or not.
    searched_files: u64,
    /// The number of files that the filters of the request exclude.
    filtered_files: u64,
    /// The duration in microseconds.
    elapsed_us: u64,
    /// Repeat the request with it to continue after this reply. Only if there is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
    /// With a cursor: whether files before it have appeared, vanished or changed since they were
    /// searched, so earlier replies may be out of date; null if time was too short to check.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-may-be-null" = true))]
    tree_changed: Option<Option<bool>>,
    /// Entries missed, wholly or in part: the first 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
    /// The number of all warnings.
    #[serde(skip_serializing_if = "is_zero")]
    n_warnings: u64,
    /// Only with search_context, enclosing or uses: the matching files in languages without a grammar.
    /// Their comments, string literals, definitions and uses are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_grammar: Option<FilesWithoutGrammar>,
    /// Only if the request has a scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<SearchedScope>,
    /// Only if the request has "changed".
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<ChangedSet>,
    /// Only without results: possible reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why_nothing: Vec<String>,
}

/// All matches of a request, listed or not.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AllMatches")]
struct All {
    /// Matching lines.
    lines: u64,
    /// Files with matches.
    files: u64,
    /// "exact", or "at_least" when the deadline ended the count.
    #[schemars(extend("enum" = ["exact", "at_least"]))]
    total_kind: &'static str,
}

/// Files in languages without a grammar.
#[derive(Serialize, JsonSchema)]
struct FilesWithoutGrammar {
    /// The number of files.
    files: u64,
    /// The first five, relative to the root.
    first: Vec<String>,
}

/// The scope of a request, resolved.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SearchedScope {
    /// The displayed name.
    display_name: String,
    /// GLOBAL or LOCAL.
    shape: ShapeDto,
    /// Diagnostics of the scope.
    diagnostics: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde requires")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Summary {
    /// Summarizes `report`. `had_cursor` says that the request continued from a cursor; `elsewhere`
    /// is the look into other files that follows an empty search.
    ///
    /// # Errors
    ///
    /// `timeout` when a request with a cursor made no progress: the same cursor again would send
    /// its caller round in a circle, and none would look like the end.
    pub(crate) fn of(
        report: &Report,
        had_cursor: bool,
        texts: Texts,
        narrowing: Narrowing,
        files: &FileOptions,
    ) -> Result<Summary> {
        if had_cursor && report.stopped == Some(StopReason::Deadline) && report.cursor.is_none() {
            let message = "the deadline passed before anything new was searched; raise \
                           'deadline_ms' and give the same cursor again";
            return Err(Error::new(ErrorKind::Timeout, message).with_param("deadline_ms"));
        }
        Ok(Summary {
            complete: report.complete && narrowing.is_complete(),
            stopped: report.stopped.map_or("none", StopReason::code),
            total: report.total,
            total_kind: report.total_kind.code(),
            all: None,
            skipped: report.skipped.into(),
            searched_files: report.searched_files,
            filtered_files: report.filtered_files,
            elapsed_us: u64::try_from(report.elapsed.as_micros()).unwrap_or(u64::MAX),
            cursor: report.cursor.as_ref().map(ToString::to_string),
            tree_changed: had_cursor.then_some(report.tree_changed),
            warnings: warnings(report),
            n_warnings: report.n_warnings,
            no_grammar: (report.no_grammar.files > 0).then(|| FilesWithoutGrammar {
                files: report.no_grammar.files,
                first: report.no_grammar.first.clone(),
            }),
            why_nothing: match report.total {
                0 => why_nothing(report, had_cursor, texts, &narrowing, files),
                _ => Vec::new(),
            },
            changed: narrowing.changed_set(),
            scope: narrowing.scope.map(SearchedScope::from),
        })
    }
}

impl Summary {
    /// Returns the outcome of the search.
    pub(crate) fn outcome(&self) -> Outcome {
        let is_complete = self.complete && self.n_warnings == 0 && self.no_grammar.is_none();
        Outcome::of_search(self.total > 0, is_complete)
    }

    /// Adds the `count` of all matches; `report` is that of the counting search.
    pub(crate) fn with_all(self, count: Count, report: &Report) -> Summary {
        let total_kind = report.total_kind.code();
        let Count { lines, files } = count;
        let micros = u64::try_from(report.elapsed.as_micros()).unwrap_or(u64::MAX);
        let elapsed_us = self.elapsed_us.saturating_add(micros);
        Summary { all: Some(All { lines, files, total_kind }), elapsed_us, ..self }
    }
}

impl From<ResolvedScope> for SearchedScope {
    fn from(scope: ResolvedScope) -> SearchedScope {
        SearchedScope {
            display_name: scope.display_name,
            shape: scope.shape.into(),
            diagnostics: scope.diagnostics,
        }
    }
}
