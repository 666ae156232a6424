//! `search`: the engine's own search as a tool. Contract:
//! docs/contracts/search-and-find.md.

use crate::arguments::choices::CaseArg;
use crate::arguments::defaults;
use crate::arguments::files::{FilesArgs, contract_error};
use crate::arguments::forms::{self, OtherNames};
use crate::arguments::limits::{check_context, check_regex};
use crate::arguments::uses::{self, UseArg};
use crate::own::count_all;
use crate::own::search_result::{Match, MatchingFile, SearchResult};
use crate::own::summary::Summary;
use crate::own::why_nothing::Texts;
use crate::replies::outcome::Outcome;
use crate::replies::{self, JsonList};
use crate::tool::{Consumer, Contract, TextDefaults, ToolCall};
use schemars::JsonSchema;
use searchscope::toolkit::{ErrorExt, PathTexts};
use searchscope::{
    Call, Error, ErrorKind, FileMatches, FileOptions, Limits, Mode, Order, PatternOptions, Result,
    SearchContext, SearchRequest, Stop, StopReason, Syntax, Workspace,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::ops::ControlFlow;
use std::time::Duration;

pub(crate) struct Search;

/// docs/contracts/search-and-find.md#request: default and maximum size of results in the native
/// tools.
pub(crate) const OUTPUT_BYTES_DEFAULT: usize = 16 << 20;
pub(crate) const OUTPUT_BYTES_MAX: usize = 64 << 20;
/// The number of matches of a line that a result has.
pub(crate) const SPANS_MAX: usize = 100;
/// Room for everything but the results: 20 warnings with paths, and the cursor.
pub(crate) const ENVELOPE_BYTES: usize = 1 << 20;
/// Size of the results of a text reply as JSON; the text has less than half of it.
const TEXT_OUTPUT_BYTES: usize = 48 << 10;
/// The engine counts the memory of results, up to four times their size as JSON.
const MEMORY_PER_OUTPUT: usize = 4;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    /// 1 to 64 regular expressions (Rust regex syntax: no look-around, no back-references), or
    /// texts if literal is true. A line matches when any of them does.
    #[schemars(length(min = 1))]
    patterns: Vec<String>,
    /// Whether patterns are plain text.
    #[serde(default)]
    literal: bool,
    /// Case sensitivity. Default: sensitive.
    #[serde(default)]
    case: CaseArg,
    /// Only matches with no word character next to them.
    #[serde(default)]
    word: bool,
    /// Whether a match may cross lines; "." still matches no line feed.
    #[serde(default)]
    multiline: bool,
    /// Lines that contain this text do not match. Case-sensitive. Not with multiline.
    #[serde(default)]
    exclude_query: String,
    /// Parts of a file to search, found by parsing. Files in languages without a grammar have
    /// neither comments nor literals; no_grammar names them. Default: any.
    #[serde(default)]
    search_context: ContextArg,
    /// Whether to name the innermost definition around each match, such as "fn Workspace::open".
    /// Only with mode "content", and in files with a grammar.
    #[serde(default)]
    enclosing: bool,
    /// Keeps matches by how their name is used, and says how: ["call"] finds callers, ["any"] keeps all.
    #[serde(default)]
    #[schemars(length(min = 1, max = 16))]
    uses: Option<Vec<UseArg>>,
    #[serde(flatten)]
    files: FilesArgs,
    /// Results: matching lines, files, or the number of matching lines per file. Default: content.
    #[serde(default)]
    mode: ModeArg,
    /// The order of the files: by path, newest first, or most relevant first. Default: path.
    #[serde(default)]
    order: SearchOrder,
    /// Number of lines before each match.
    #[serde(default)]
    #[schemars(range(max = 1000))]
    context_before: u64,
    /// Number of lines after each match.
    #[serde(default)]
    #[schemars(range(max = 1000))]
    context_after: u64,
    /// The encoding of files without a byte order mark, such as "latin1" or "utf-16le"; "auto" is
    /// UTF-8.
    #[serde(default = "defaults::encoding")]
    encoding: String,
    /// Encodings to try in order on such files; the first without errors wins.
    #[serde(default)]
    #[schemars(length(max = 16))]
    encodings: Option<Vec<String>>,
    /// Maximum number of matching lines, or of files with mode "files"; a cursor leads to the rest.
    /// With mode "count" all lines are counted unless this is set. As text: 100.
    #[serde(default = "defaults::amount::<1_000>")]
    #[schemars(range(min = 1, max = 100_000))]
    matches_max: u64,
    /// Whether to count all matches if a limit ends the reply, until the deadline. As text: true.
    #[serde(default)]
    count_all: bool,
    /// Maximum number of matching lines per file; no cursor leads to the others.
    #[serde(default)]
    #[schemars(range(min = 1))]
    matches_per_file_max: Option<u64>,
    /// Maximum number of files with matches; a cursor leads to the others.
    #[serde(default)]
    #[schemars(range(min = 1))]
    files_max: Option<u64>,
    /// Maximum size of the results as JSON, in bytes; a cursor leads to the others. As text: 49152.
    #[serde(default = "defaults::count::<OUTPUT_BYTES_DEFAULT>")]
    #[schemars(range(min = 1024, max = 67_108_864))]
    pub(crate) output_bytes_max: usize,
    /// Larger files are skipped and counted.
    #[serde(default)]
    #[schemars(range(min = 1))]
    file_bytes_max: Option<u64>,
    /// Longer lines are cut to a part around the first match. As text: 300.
    #[serde(default = "defaults::count::<1_000>")]
    #[schemars(range(min = 16, max = 8_388_608))]
    line_bytes_max: usize,
    /// Whether to add the bytes of lossy text, in base64.
    #[serde(default)]
    raw_bytes: bool,
    /// The search ends after this time with its results so far and a cursor.
    #[serde(default = "defaults::amount::<10_000>")]
    #[schemars(range(min = 1, max = 600_000))]
    deadline_ms: u64,
    /// The cursor of an earlier reply to the same request, to continue after it. Only limits,
    /// output sizes and the deadline may differ.
    #[serde(default)]
    cursor: Option<String>,
    /// The maximum number of matches of a line in a result; no caller sets it as JSON.
    #[serde(skip, default = "defaults::count::<SPANS_MAX>")]
    pub(crate) spans_max: usize,
}

/// Kind of results.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
enum ModeArg {
    /// The matching lines.
    #[default]
    Content,
    /// Only the files that match.
    Files,
    /// Only counts of matching lines.
    Count,
}

/// Parts of a file to match.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "snake_case")]
enum ContextArg {
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

impl From<ContextArg> for SearchContext {
    fn from(context: ContextArg) -> SearchContext {
        match context {
            ContextArg::Any => SearchContext::Any,
            ContextArg::InStringLiterals => SearchContext::InStringLiterals,
            ContextArg::InComments => SearchContext::InComments,
            ContextArg::ExceptStringLiterals => SearchContext::ExceptStringLiterals,
            ContextArg::ExceptComments => SearchContext::ExceptComments,
            ContextArg::ExceptCommentsAndStringLiterals => {
                SearchContext::ExceptCommentsAndStringLiterals
            }
        }
    }
}

/// Order of files.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
enum SearchOrder {
    /// By the bytes of the path, ascending.
    #[default]
    Path,
    /// By modification time, newest first, then by path.
    Mtime,
    /// The most relevant first: definitions, production code, names like the pattern, whole words.
    Relevance,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Reply {
    /// With mode "content": the matching lines, by file and then by line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Match>>")]
    matches: Option<JsonList>,
    /// With mode "files" or "count": the files that match.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<MatchingFile>>")]
    files: Option<JsonList>,
    #[serde(flatten)]
    summary: Summary,
}

/// Returns the arguments for the page that an agent reads: 100 rows of 300 bytes, and the totals of
/// all matches.
fn text_defaults(args: &Value) -> Map<String, Value> {
    let mut defaults = Map::from_iter([
        ("count_all".to_owned(), true.into()),
        ("line_bytes_max".to_owned(), 300.into()),
        ("output_bytes_max".to_owned(), TEXT_OUTPUT_BYTES.into()),
    ]);
    // A count covers all lines unless the caller limits it.
    if args.get("mode").and_then(Value::as_str) != Some("count") {
        defaults.insert("matches_max".to_owned(), 100.into());
    }
    defaults
}

impl Contract for Search {
    const NAME: &'static str = "search";
    const DESCRIPTION: &'static str = "Searches file contents for one or many regular expressions \
        or texts in one pass and returns matching lines with byte positions, or only the files, or \
        only counts. Files can be chosen by path, glob, name, type, size, time and depth. An \
        incomplete reply says why and has a cursor: pass it with the same arguments to continue. \
        Hidden, git-ignored and binary files are left out and counted. If nothing matches, \
        why_nothing says what to change.";
    type Args = Args;
    type Reply = Reply;
    const EXPECTED: &'static [(&'static str, &'static str)] = &[
        ("pattern", "'name_pattern' selects files by name"),
        ("context", "'context_before' and 'context_after' are the numbers of lines"),
    ];
    const OTHER_NAMES: &'static [OtherNames] = &[
        ("patterns", forms::TEXT),
        ("paths", forms::PLACE),
        ("globs", forms::GLOBS),
        ("case", forms::CASE),
        ("matches_max", forms::LIMIT),
        ("files_max", forms::LIMIT),
        ("deadline_ms", forms::TIME),
    ];
    const REPLY_BYTES_MAX: usize = OUTPUT_BYTES_MAX + ENVELOPE_BYTES;
    const TEXT_DEFAULTS: TextDefaults = text_defaults;

    fn timeout(args: &Args) -> Duration {
        Duration::from_millis(args.deadline_ms)
    }

    fn outcome(reply: &Reply) -> Outcome {
        reply.summary.outcome()
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let bytes_max = replies::results_max(workspace, args.output_bytes_max);
        let mut list = JsonList::new(bytes_max);
        let summary =
            each(workspace, &args, call, Consumer::Reply, &mut |result| list.take(&result.item()))?;
        let (mut matches, mut files) = (None, None);
        let results = if matches!(args.mode, ModeArg::Content) { &mut matches } else { &mut files };
        *results = Some(list);
        Ok(Reply { matches, files, summary })
    }
}

/// Passes each result to `take` and returns the summary.
pub(crate) fn each(
    workspace: &Workspace,
    args: &Args,
    call: &ToolCall<'_>,
    consumer: Consumer,
    take: &mut dyn FnMut(&SearchResult<'_>) -> ControlFlow<Stop>,
) -> Result<Summary> {
    let (files, narrowing) = args.files.narrowed(workspace, call)?;
    let mut request = request(args, files)?;
    if consumer == Consumer::Stream {
        request.in_parts = true;
        request.limits.output_bytes_max = None;
    }
    // A count returns no lines, and a stream has no size.
    let is_unlimited = consumer == Consumer::Stream || request.mode == Mode::Count;
    if is_unlimited && !call.is_given("matches_max") {
        request.limits.matches_max = None;
    }
    check_context(workspace, request.search_context, "search_context")?;
    let needs_grammars = [("enclosing", request.enclosing), ("uses", request.uses.is_some())];
    for (param, _) in needs_grammars.iter().filter(|(_, is_given)| *is_given) {
        workspace.check_grammars().map_err(|error| error.with_param(*param))?;
    }
    let mut is_empty = true;
    let report = {
        let mut results = Results {
            mode: request.mode,
            raw_bytes: args.raw_bytes,
            context: (request.context_before, request.context_after),
            call,
            texts: (request.order == Order::Relevance).then(|| PathTexts::new(&request.pattern)),
            take: &mut |result| {
                let flow = take(result);
                is_empty &= flow == ControlFlow::Break(Stop::full(0));
                flow
            },
        };
        let report =
            workspace.run_search_each(&request, call, &mut |file| results.take_file(&file));
        report.map_err(contract_error)?
    };
    if report.stopped == Some(StopReason::ByteBudget) && is_empty {
        let message = "one result alone is larger than 'output_bytes_max'; raise it, or lower \
                       'line_bytes_max' or the context";
        return Err(Error::new(ErrorKind::ResultTooLarge, message));
    }
    let had_cursor = args.cursor.is_some();
    let by_use = request.uses.as_ref().is_some_and(|kinds| !kinds.is_empty());
    let texts = if by_use { Texts::ByUse } else { Texts::Searched };
    let summary = Summary::of(&report, had_cursor, texts, narrowing, &request.files)?;
    let is_cut = matches!(report.stopped, Some(StopReason::Limit | StopReason::ByteBudget));
    if !args.count_all || !is_cut || args.cursor.is_some() {
        return Ok(summary);
    }
    let files = request.files.clone();
    let (count, of_all) = count_all::count(workspace, &request, files, call)?;
    Ok(summary.with_all(count, &of_all))
}

fn request(args: &Args, files: FileOptions) -> Result<SearchRequest> {
    let pattern = PatternOptions {
        patterns: args.patterns.clone(),
        syntax: if args.literal { Syntax::Literal } else { Syntax::Regex },
        case: args.case.into(),
        word: args.word,
        multi_line: args.multiline,
        ..PatternOptions::default()
    };
    check_regex("patterns", &pattern)?;
    let limits = Limits {
        matches_max: Some(args.matches_max),
        matches_per_file_max: args.matches_per_file_max,
        files_max: args.files_max,
        output_bytes_max: Some(MEMORY_PER_OUTPUT * args.output_bytes_max.max(1 << 20)),
        file_bytes_max: args.file_bytes_max,
        line_bytes_max: Some(args.line_bytes_max),
        spans_per_line_max: Some(args.spans_max),
    };
    let mut request = SearchRequest::new(pattern, limits);
    request.paths = args.files.paths.clone();
    request.files = files;
    request.exclude = Some(args.exclude_query.clone()).filter(|text| !text.is_empty());
    request.search_context = args.search_context.into();
    request.enclosing = args.enclosing;
    request.uses = args.uses.as_deref().map(uses::kinds);
    request.mode = match args.mode {
        ModeArg::Content => Mode::Content,
        ModeArg::Files => Mode::Files,
        ModeArg::Count => Mode::Count,
    };
    request.order = match args.order {
        SearchOrder::Path => Order::Path,
        SearchOrder::Mtime => Order::Mtime,
        SearchOrder::Relevance => Order::Relevance,
    };
    let lines = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    request.context_before = lines(args.context_before);
    request.context_after = lines(args.context_after);
    request.encoding = Some(args.encoding.clone());
    request.encodings = args.encodings.clone();
    request.cursor = args.cursor.as_deref().map(str::parse).transpose()?;
    request.resumable = true;
    Ok(request)
}

/// Converts matches of the engine to results.
struct Results<'a> {
    mode: Mode,
    raw_bytes: bool,
    context: (usize, usize),
    call: &'a Call,
    /// Texts that relevance compares with paths; only in that order.
    texts: Option<PathTexts>,
    take: &'a mut dyn FnMut(&SearchResult<'_>) -> ControlFlow<Stop>,
}

impl Results<'_> {
    fn take_file(&mut self, file: &FileMatches) -> ControlFlow<Stop> {
        let path = file.path.display();
        let relevance = self.texts.as_ref().map(|texts| texts.traits(&path));
        let relevance = relevance.as_ref();
        if self.mode != Mode::Content {
            let n_matches = (self.mode == Mode::Count).then_some(file.n_matches);
            let result = SearchResult::of_file(&file.path, n_matches);
            return (self.take)(&result.with_relevance(relevance));
        }
        let matching = file.lines.iter().enumerate().filter(|(_, line)| line.is_match);
        for (taken, (at, _)) in matching.enumerate() {
            let taken = taken as u64;
            if self.call.is_over() {
                return ControlFlow::Break(Stop::late(taken));
            }
            let result = SearchResult::of_line(file, &path, at, self.context);
            let result = result.with_raw_bytes(self.raw_bytes).with_relevance(relevance);
            // The consumer counts each line as one match.
            if let ControlFlow::Break(Stop { taken: of_line, reason }) = (self.take)(&result) {
                return ControlFlow::Break(Stop { taken: taken + of_line.min(1), reason });
            }
        }
        ControlFlow::Continue(())
    }
}
