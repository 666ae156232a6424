//! Summary of a search: what the native tools report beside its results.

use super::changed_arg::ChangedSet;
use super::elsewhere::{Count, Elsewhere, why_nothing};
use super::files_args::Narrowing;
use super::scope_wire::ShapeDto;
use super::wire::{Skipped, Warning, warnings};
use crate::StopReason;
use crate::error::{Error, ErrorKind, Result};
use crate::scope::ResolvedScope;
use crate::search::Report;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
pub(super) struct Summary {
    /// Whether everything in scope was looked at; with a cursor everything from there on.
    complete: bool,
    /// What ended it: "none", "limit", "deadline" or "byte_budget".
    #[schemars(extend("enum" = ["none", "limit", "deadline", "byte_budget"]))]
    stopped: &'static str,
    /// How many results this reply has: matching lines, or files.
    total: u64,
    /// "exact", or "at_least" when there may be more.
    #[schemars(extend("enum" = ["exact", "at_least"]))]
    total_kind: &'static str,
    /// Only with count_all, where a limit ends the reply and it has no cursor before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<All>,
    /// What was passed over.
    skipped: Skipped,
    /// How many files were searched, whether or not they matched.
    searched_files: u64,
    /// How many files were left out because the request does not ask for them.
    filtered_files: u64,
    /// How long it took, in microseconds.
    elapsed_us: u64,
    /// Give it back in the same request to go on where this reply ends. Only where there is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
    /// With a cursor: whether files before it have appeared, vanished or changed since they were
    /// looked at, so that earlier replies may be out of date; null when there was no time to look.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-may-be-null" = true))]
    tree_changed: Option<Option<bool>>,
    /// What was not looked at, or not whole: the first 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
    /// How many warnings there were in all.
    #[serde(skip_serializing_if = "is_zero")]
    n_warnings: u64,
    /// Only where search_context or enclosing asks for it: the files with matches for whose languages
    /// there is no grammar. Nothing in them is known to be a comment, a string literal or a definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_grammar: Option<FilesWithoutGrammar>,
    /// Only where the request has a scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<SearchedScope>,
    /// Only where the request has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<ChangedSet>,
    /// Only where there is no result: why that may be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why_nothing: Vec<String>,
}

/// Everything that a request matches, given or not.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AllMatches")]
struct All {
    /// How many lines match.
    lines: u64,
    /// How many files have them.
    files: u64,
    /// "exact", or "at_least" when the deadline ended the count.
    #[schemars(extend("enum" = ["exact", "at_least"]))]
    total_kind: &'static str,
}

/// Some files.
#[derive(Serialize, JsonSchema)]
struct FilesWithoutGrammar {
    /// How many.
    files: u64,
    /// The first five, relative to the root.
    first: Vec<String>,
}

/// The scope of a request, resolved.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SearchedScope {
    /// What people call it.
    display_name: String,
    /// GLOBAL or LOCAL.
    shape: ShapeDto,
    /// What the caller should know of it.
    diagnostics: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde asks for")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Summary {
    /// Summarizes `report`; `had_cursor` when the request continued from one, `elsewhere` when
    /// nothing was found and other files were looked at.
    ///
    /// # Errors
    ///
    /// `timeout` when a request with a cursor had no time to get on: its caller would otherwise go
    /// round in a circle, or think that it has come to the end.
    pub(super) fn of(
        report: &Report,
        had_cursor: bool,
        looks_into_files: bool,
        narrowing: Narrowing,
        elsewhere: Option<&Elsewhere>,
    ) -> Result<Summary> {
        if had_cursor && report.stopped == Some(StopReason::Deadline) && report.cursor.is_none() {
            let message = "the deadline passed before anything new was looked at; raise \
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
                0 => why_nothing(report, had_cursor, looks_into_files, &narrowing, elsewhere),
                _ => Vec::new(),
            },
            changed: narrowing.changed_set(),
            scope: narrowing.scope.map(SearchedScope::from),
        })
    }
}

impl Summary {
    /// Adds what a count of everything, whose report is `report`, came to.
    pub(super) fn with_all(self, count: Count, report: &Report) -> Summary {
        let total_kind = report.total_kind.code();
        let lines = count.lines.unwrap_or(count.files);
        Summary { all: Some(All { lines, files: count.files, total_kind }), ..self }
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
