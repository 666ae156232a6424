//! `scope_search_text`: every match in the files of a scope. Contract:
//! docs/contracts/scopes.md#searching-text.

use crate::arguments::defaults;
use crate::arguments::forms::{self, OtherNames};
use crate::arguments::limits::{LINE_BYTES_MAX, REPLY_BYTES_MAX, check_context, check_regex};
use crate::arguments::scope::ScopeArgs;
use crate::arguments::scope::wire::ShapeDto;
use crate::replies::outcome::Outcome;
use crate::replies::{self, JsonList};
use crate::scopes::diagnostics::{diagnostics, without_grammar};
use crate::scopes::file_mask::Masked;
use crate::scopes::occurrences::{Occurrence, Occurrences, Query};
use crate::tool::{Contract, ToolCall};
use schemars::JsonSchema;
use searchscope::toolkit::ErrorExt;
use searchscope::{
    Case, Error, ErrorKind, FileOptions, Limits, PathFilter, PatternOptions, Result, Scope,
    SearchContext, SearchRequest, StopReason, Syntax, Workspace,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct ScopeSearchText;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Args {
    #[serde(flatten)]
    scope: ScopeArgs,
    /// The text to search for, or a regular expression if mode is REGEX (Rust regex syntax: no
    /// look-around, no back-references). Matched line by line, unless it contains a line feed or
    /// regex \n.
    #[schemars(length(min = 1))]
    query: String,
    /// Syntax of query: PLAIN or REGEX. Default: PLAIN.
    #[serde(default)]
    mode: TextMode,
    /// Whether case counts.
    #[serde(default = "defaults::yes")]
    case_sensitive: bool,
    /// Only matches with no word character next to them.
    #[serde(default)]
    whole_words_only: bool,
    /// Parts of a file to search: ANY, IN_STRING_LITERALS, IN_COMMENTS, EXCEPT_STRING_LITERALS,
    /// EXCEPT_COMMENTS or EXCEPT_COMMENTS_AND_STRING_LITERALS. Files in languages without a grammar
    /// have neither, and a diagnostic names them. Default: ANY.
    #[serde(default)]
    search_context: ContextDto,
    /// Comma-separated globs for files in the scope, such as "*.kt, !*Test.kt"; leading "!"
    /// excludes. Without "/" they match names, with "/" paths below the root.
    #[serde(default)]
    file_mask: Option<String>,
    /// Maximum number of matches.
    #[serde(default = "defaults::count::<1_000>")]
    #[schemars(range(min = 1, max = 100_000))]
    max_usage_count: usize,
    /// Ends the search with its matches so far; then timedOut is true.
    #[serde(default = "defaults::amount::<30_000>")]
    #[schemars(range(min = 1, max = 600_000))]
    timeout_millis: u64,
    /// Whether to accept a regex that can match the empty text.
    #[serde(default)]
    allow_empty_matches: bool,
}

/// Syntax of the query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum TextMode {
    /// Characters match literally.
    #[default]
    Plain,
    /// A regular expression.
    Regex,
}

/// Parts of a file to search.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum ContextDto {
    /// Everywhere.
    #[default]
    Any,
    /// Only in string literals.
    InStringLiterals,
    /// Only in comments.
    InComments,
    /// Everywhere but in string literals.
    ExceptStringLiterals,
    /// Everywhere but in comments.
    ExceptComments,
    /// Everywhere but in comments and string literals.
    ExceptCommentsAndStringLiterals,
}

impl From<ContextDto> for SearchContext {
    fn from(context: ContextDto) -> SearchContext {
        match context {
            ContextDto::Any => SearchContext::Any,
            ContextDto::InStringLiterals => SearchContext::InStringLiterals,
            ContextDto::InComments => SearchContext::InComments,
            ContextDto::ExceptStringLiterals => SearchContext::ExceptStringLiterals,
            ContextDto::ExceptComments => SearchContext::ExceptComments,
            ContextDto::ExceptCommentsAndStringLiterals => {
                SearchContext::ExceptCommentsAndStringLiterals
            }
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The displayed name.
    scope_display_name: String,
    /// GLOBAL or LOCAL.
    scope_shape: ShapeDto,
    /// The matches, by path, line, position.
    #[schemars(with = "Vec<Occurrence>")]
    occurrences: JsonList,
    /// Whether there are, or may be, more matches.
    probably_has_more_matching_entries: bool,
    /// Whether the time ran out.
    timed_out: bool,
    /// Always false: a cancelled call is an error.
    canceled: bool,
    /// Warnings about resolving the scope and about files not searched.
    diagnostics: Vec<String>,
}

impl TextMode {
    fn code(self) -> &'static str {
        match self {
            TextMode::Plain => "PLAIN",
            TextMode::Regex => "REGEX",
        }
    }
}

impl Contract for ScopeSearchText {
    const NAME: &'static str = "scope_search_text";
    const DESCRIPTION: &'static str = "Searches the files of a scope for a text or a regular \
        expression and returns every match, even several per line, with its byte range, line \
        number and line, sorted by path. Only the scope decides which files belong, even hidden, \
        git-ignored and library files; binary files are left out.";
    type Args = Args;
    type Reply = Reply;
    const EXPECTED: &'static [(&'static str, &'static str)] = forms::NO_PLACE;
    const OTHER_NAMES: &'static [OtherNames] =
        &[("query", forms::TEXT), ("fileMask", forms::GLOBS)];

    fn timeout(args: &Args) -> Duration {
        Duration::from_millis(args.timeout_millis)
    }

    fn outcome(reply: &Reply) -> Outcome {
        let is_complete = !reply.probably_has_more_matching_entries && !reply.timed_out;
        Outcome::of_search(!reply.occurrences.is_empty(), is_complete)
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let context = SearchContext::from(args.search_context);
        check_context(workspace, context, "searchContext")?;
        let pattern = pattern(&args)?;
        let scope = args.scope.request(workspace, call)?;
        let scope = scope.resolve(workspace, call)?;
        let filter = masked(scope.scope, args.file_mask.as_deref())?;
        let mut request = request(pattern, filter, args.max_usage_count);
        request.search_context = context;
        let query = Query { text: &args.query, mode: args.mode.code() };
        let bytes_max = replies::results_max(workspace, REPLY_BYTES_MAX / 4 * 3);
        let mut found = Occurrences::new(workspace, query, args.max_usage_count, bytes_max, call);
        let report = workspace.run_search_each(&request, call, &mut |file| found.take_file(&file));
        let report = report.map_err(contract_error)?;
        if found.is_full && found.results.is_empty() {
            let message = "one match alone is larger than a reply may be; narrow 'query'";
            return Err(Error::new(ErrorKind::ResultTooLarge, message));
        }
        let mut diagnostics = diagnostics(scope.diagnostics, &report, found.cut());
        diagnostics.extend(found.in_part());
        diagnostics.extend(
            without_grammar(&report.no_grammar, "with matches")
                .map(|reason| format!("{reason}; comments and string literals are unknown there")),
        );
        Ok(Reply {
            scope_display_name: scope.display_name,
            scope_shape: scope.shape.into(),
            probably_has_more_matching_entries: found.has_more()
                || report.stopped.is_some()
                // In a file that was not parsed, matches in the context are unknown.
                || (context != SearchContext::Any && !report.complete),
            timed_out: report.stopped == Some(StopReason::Deadline),
            canceled: false,
            diagnostics,
            occurrences: found.results,
        })
    }
}

fn masked(scope: Scope, mask: Option<&str>) -> Result<Arc<dyn PathFilter>> {
    Ok(match mask {
        None => Arc::new(scope),
        Some(mask) => Arc::new(Masked::new(scope, "fileMask", mask)?),
    })
}

/// Compiles the arguments to the options of a pattern.
fn pattern(args: &Args) -> Result<PatternOptions> {
    let query = &args.query;
    if query.trim().is_empty() {
        return Err(Error::invalid_param("query", "must not be blank"));
    }
    let is_regex = args.mode == TextMode::Regex;
    let has_line_feed = query.contains('\n');
    let (text, syntax) = match (is_regex, has_line_feed) {
        (true, _) => (query.clone(), Syntax::Regex),
        (false, false) => (query.clone(), Syntax::Literal),
        (false, true) => (with_any_line_ends(query), Syntax::Regex),
    };
    let pattern = PatternOptions {
        patterns: vec![text],
        syntax,
        case: if args.case_sensitive { Case::Sensitive } else { Case::Insensitive },
        word: args.whole_words_only,
        multi_line: has_line_feed || (is_regex && query.contains("\\n")),
        ..PatternOptions::default()
    };
    if is_regex {
        check_regex("query", &pattern).map_err(contract_error)?;
        if !args.allow_empty_matches && pattern.may_match_empty().map_err(contract_error)? {
            let predicate = "can match the empty text; require a character, or set \
                           'allowEmptyMatches' to true";
            return Err(Error::invalid_param("query", predicate));
        }
    }
    Ok(pattern)
}

/// Returns a regex for a text of several lines that matches either line end.
fn with_any_line_ends(text: &str) -> String {
    let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    let lines: Vec<String> = lines.map(regex_syntax::escape).collect();
    lines.join("\r?\n")
}

fn request(
    pattern: PatternOptions,
    filter: Arc<dyn PathFilter>,
    occurrences_max: usize,
) -> SearchRequest {
    let limits = Limits {
        matches_max: Some(occurrences_max as u64),
        output_bytes_max: Some(4 * REPLY_BYTES_MAX),
        line_bytes_max: Some(LINE_BYTES_MAX),
        // One more, to detect that there are more.
        spans_per_line_max: Some(occurrences_max + 1),
        ..Limits::NONE
    };
    let mut request = SearchRequest::new(pattern, limits);
    request.files =
        FileOptions { path_filter: Some(filter), worktrees: true, ..FileOptions::default() };
    request
}

/// Renames the parameter of an engine error to that of the contract.
fn contract_error(error: Error) -> Error {
    match error.param() {
        Some("patterns") => error.with_param("query"),
        _ => error,
    }
}
