//! `search`: the engine's own search as a tool. Contract: contracts.md section 7.

use super::files_args::{FilesArgs, in_words};
use super::reply::{self, Json};
use super::told::Told;
use super::wire::CaseArg;
use super::{Call, Contract, Time, check_regex, grammars_for};
use crate::error::{Error, ErrorKind, Result};
use crate::lines::to_text;
use crate::pattern::{PatternOptions, Syntax};
use crate::search::{Cursor, FileMatches, Limits, Line, Mode, Order, SearchRequest, Sink, Wanted};
use crate::syntax::SearchContext;
use crate::walk::FileOptions;
use crate::workspace::RelPath;
use crate::{StopReason, Workspace};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(super) struct Search;

/// contracts.md section 0: default and maximum of a result in the native tools.
pub(super) const OUTPUT_BYTES_DEFAULT: usize = 16 << 20;
pub(super) const OUTPUT_BYTES_MAX: usize = 64 << 20;
/// What a reply takes beside its results: 20 warnings with paths, and the cursor.
pub(super) const ENVELOPE_BYTES: usize = 1 << 20;
/// The engine counts what results take in memory, which is up to four times as much as JSON.
const MEMORY_PER_OUTPUT: usize = 4;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// What to search for: 1 to 64 regular expressions (Rust regex syntax: Unicode, no look-around,
    /// no back-references), or texts if literal is true. A line matches when any of them does; every
    /// span says which one it was.
    #[schemars(length(min = 1))]
    patterns: Vec<String>,
    /// Whether patterns are plain text and not regular expressions.
    #[serde(default)]
    literal: bool,
    /// Whether case counts.
    #[serde(default = "sensitive")]
    case: CaseArg,
    /// Only matches with no word character next to them.
    #[serde(default)]
    word: bool,
    /// Whether a match may cross lines; a match is then the block of lines that it covers. "." still
    /// matches no line feed.
    #[serde(default)]
    multiline: bool,
    /// Lines that contain this text do not match. Plain text, case-sensitive. Not with multiline.
    #[serde(default)]
    exclude_query: String,
    /// Where in a file matches count. A match belongs to the comment or string literal that holds all
    /// of it. Known by parsing for Bash, C, C++, C#, Go, Java, JavaScript, Kotlin, PHP, Python, Ruby,
    /// Rust, TypeScript and TSX; in other files nothing is a comment or a string literal, and
    /// no_grammar names them.
    #[serde(default = "anywhere")]
    search_context: ContextArg,
    /// Whether each match is given with the innermost definition around it, such as
    /// "fn Workspace::open". Only with mode "content", and in the same languages.
    #[serde(default)]
    enclosing: bool,
    #[serde(flatten)]
    files: FilesArgs,
    /// What to give.
    #[serde(default = "content")]
    mode: ModeArg,
    /// In which order files come.
    #[serde(default = "by_path")]
    order: SearchOrder,
    /// How many lines before each match to give.
    #[serde(default)]
    #[schemars(range(max = 1000))]
    context_before: u64,
    /// How many lines after each match to give.
    #[serde(default)]
    #[schemars(range(max = 1000))]
    context_after: u64,
    /// The encoding of files without a byte order mark, such as "latin1", "shift_jis" or "utf-16le";
    /// "auto" is UTF-8.
    #[serde(default = "auto")]
    encoding: String,
    /// How many matching lines to give at most, with mode "files" how many files; a cursor leads to
    /// the others.
    #[serde(default = "matches_max")]
    #[schemars(range(min = 1, max = 100_000))]
    matches_max: u64,
    /// How many matching lines of one file to give at most; no cursor leads to the others. Default:
    /// all.
    #[serde(default)]
    #[schemars(range(min = 1))]
    matches_per_file_max: Option<u64>,
    /// How many files with matches to give at most; a cursor leads to the others. Default: all.
    #[serde(default)]
    #[schemars(range(min = 1))]
    files_max: Option<u64>,
    /// How large the results may become as JSON, in bytes; a cursor leads to the others.
    #[serde(default = "output_bytes_max")]
    #[schemars(range(min = 1024, max = 67_108_864))]
    output_bytes_max: usize,
    /// Larger files are passed over and counted, in bytes. Default: none is too large.
    #[serde(default)]
    #[schemars(range(min = 1))]
    file_bytes_max: Option<u64>,
    /// Of a longer line only a part around its first match is given, in bytes.
    #[serde(default = "line_bytes_max")]
    #[schemars(range(min = 16, max = 8_388_608))]
    line_bytes_max: usize,
    /// After so many milliseconds the search ends with what it has found; a cursor goes on.
    #[serde(default = "deadline_ms")]
    #[schemars(range(min = 1, max = 600_000))]
    deadline_ms: u64,
    /// The cursor of an earlier reply to the same request, to go on where that one ended. Only
    /// limits, output sizes and the deadline may differ.
    #[serde(default)]
    cursor: Option<String>,
}

/// What a search gives.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ModeArg {
    /// The matching lines.
    Content,
    /// Only the files that match.
    Files,
    /// Only how many lines of each file match.
    Count,
}

/// Where in a file matches count.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ContextArg {
    /// Everywhere.
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

/// In which order files come.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SearchOrder {
    /// By the bytes of the path, ascending.
    Path,
    /// By modification time, newest first, then by path.
    Mtime,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Reply {
    /// With mode "content": the matching lines, by file and then by line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Match>>")]
    matches: Option<Vec<Json>>,
    /// With mode "files" or "count": the files that match.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<MatchingFile>>")]
    files: Option<Vec<Json>>,
    #[serde(flatten)]
    told: Told,
}

/// A matching line; with multiline the lines that a match covers.
#[derive(Serialize, JsonSchema)]
struct Match<'a> {
    /// The file, relative to the root, with "/" between names.
    path: &'a str,
    /// The bytes of the path in base64, only where it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
    /// The number of the (first) line, from 1.
    line: u64,
    /// Where the first match starts in the line, in bytes from 1.
    column: usize,
    /// Where the line starts in the file, in bytes from 0.
    offset: u64,
    /// The text without its line end, or a part of it.
    text: String,
    /// Only where text is a part: how many bytes of the line stand before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_start: Option<usize>,
    /// Only where text is a part: how many bytes the line has.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_bytes: Option<usize>,
    /// The matches in the line, by start: the first 100.
    spans: Vec<SpanReply>,
    /// Where it is asked for: the innermost definition that holds all of the first match, without its
    /// package.
    #[serde(skip_serializing_if = "Option::is_none")]
    enclosing: Option<&'a str>,
    /// The lines before it, each cut to line_bytes_max; only where context_before asks for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    /// The lines after it, each cut to line_bytes_max; only where context_after asks for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    after: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct SpanReply {
    /// The first byte, within the line.
    start: usize,
    /// The byte after the last.
    end: usize,
    /// The index of the pattern that matches here.
    pattern: usize,
}

#[derive(Serialize, JsonSchema)]
struct MatchingFile<'a> {
    /// The file, relative to the root, with "/" between names.
    path: &'a str,
    /// The bytes of the path in base64, only where it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
    /// With mode "count": how many lines match, less those that an earlier page has counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<u64>,
}

fn sensitive() -> CaseArg {
    CaseArg::Sensitive
}

fn anywhere() -> ContextArg {
    ContextArg::Any
}

fn content() -> ModeArg {
    ModeArg::Content
}

fn by_path() -> SearchOrder {
    SearchOrder::Path
}

fn auto() -> String {
    "auto".to_owned()
}

fn matches_max() -> u64 {
    1_000
}

fn output_bytes_max() -> usize {
    OUTPUT_BYTES_DEFAULT
}

fn line_bytes_max() -> usize {
    1_000
}

fn deadline_ms() -> u64 {
    10_000
}

impl Contract for Search {
    const NAME: &'static str = "search";
    const DESCRIPTION: &'static str = "Searches file contents for one or many regular expressions \
        or texts in one pass and returns matching lines with byte positions, or only the files, or \
        only counts. Files can be chosen by path, glob, name, type, size, time and depth. A reply \
        that is not complete says why and has a cursor: give it back with the same arguments to go \
        on. Hidden, git-ignored and binary files are left out and counted. When nothing was found, \
        why_nothing says what to change.";
    type Args = Args;
    type Reply = Reply;
    const REPLY_BYTES_MAX: usize = OUTPUT_BYTES_MAX + ENVELOPE_BYTES;

    fn run(workspace: &Workspace, args: Args, call: &Call<'_>) -> Result<Reply> {
        let timeout = Duration::from_millis(args.deadline_ms);
        let (files, scope) = args.files.with_scope(workspace, timeout, call.cancel)?;
        let mut request = request(&args, files)?;
        request.grammars = grammars_for(workspace, request.search_context, "search_context")?;
        if request.enclosing {
            let grammars = workspace.grammars().map_err(|error| error.with_param("enclosing"))?;
            request.grammars = Some(grammars);
        }
        request.timeout = Some(timeout.saturating_sub(call.started.elapsed()));
        let mut page = Page {
            mode: request.mode,
            context: (request.context_before as u64, request.context_after as u64),
            bytes_max: reply::results_max(workspace, args.output_bytes_max),
            bytes: 0,
            results: Vec::new(),
            is_over: false,
            time: Time::of(call, Duration::from_millis(args.deadline_ms)),
        };
        let report = workspace.search_each(&request, call.cancel, &mut page);
        let report = report.map_err(in_words)?;
        let is_over = page.is_over || report.stopped == StopReason::ByteBudget;
        if is_over && page.results.is_empty() {
            let message = "one result alone is larger than 'output_bytes_max'; raise it, or lower \
                           'line_bytes_max' or the context";
            return Err(Error::new(ErrorKind::ResultTooLarge, message));
        }
        let told = Told::of(&report, args.cursor.is_some(), true, scope)?;
        let (mut matches, mut files) = (None, None);
        let results = if request.mode == Mode::Content { &mut matches } else { &mut files };
        *results = Some(page.results);
        Ok(Reply { matches, files, told })
    }
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
        matches_max: args.matches_max,
        matches_per_file_max: args.matches_per_file_max.unwrap_or(u64::MAX),
        files_max: args.files_max.unwrap_or(u64::MAX),
        output_bytes_max: MEMORY_PER_OUTPUT * args.output_bytes_max.max(1 << 20),
        file_bytes_max: args.file_bytes_max.unwrap_or(u64::MAX),
        line_bytes_max: args.line_bytes_max,
        spans_per_line_max: 100,
    };
    let mut request = SearchRequest::new(pattern, limits);
    request.paths = args.files.paths.clone();
    request.files = files;
    request.exclude = Some(args.exclude_query.clone()).filter(|text| !text.is_empty());
    request.search_context = args.search_context.into();
    request.enclosing = args.enclosing;
    request.mode = match args.mode {
        ModeArg::Content => Mode::Content,
        ModeArg::Files => Mode::Files,
        ModeArg::Count => Mode::Count,
    };
    request.order = match args.order {
        SearchOrder::Path => Order::Path,
        SearchOrder::Mtime => Order::Mtime,
    };
    let lines = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    request.context_before = lines(args.context_before);
    request.context_after = lines(args.context_after);
    request.encoding = Some(args.encoding.clone());
    request.cursor = args.cursor.as_deref().map(Cursor::parse).transpose()?;
    request.resumable = true;
    Ok(request)
}

/// The results of one reply.
struct Page {
    mode: Mode,
    context: (u64, u64),
    bytes_max: usize,
    bytes: usize,
    results: Vec<Json>,
    /// Whether a result did not fit.
    is_over: bool,
    time: Time,
}

impl Page {
    /// Takes one result if there is room for it.
    fn push(&mut self, result: &impl Serialize) -> bool {
        let json = Json::of(result).ok().filter(|json| {
            self.bytes += json.len() + 1;
            self.bytes <= self.bytes_max
        });
        self.is_over |= json.is_none();
        self.results.extend(json);
        !self.is_over
    }
}

impl Sink for Page {
    fn file(&mut self, file: FileMatches) -> Wanted {
        let path = file.path.display();
        if self.mode != Mode::Content {
            let matches = (self.mode == Mode::Count).then_some(file.n_matches);
            let path_base64 = path_base64(&file.path);
            let fits = self.push(&MatchingFile { path: &path, path_base64, matches });
            return if fits { Wanted::More } else { Wanted::Only(0) };
        }
        let matching = file.lines.iter().enumerate().filter(|(_, line)| line.is_match);
        for (taken, (at, line)) in matching.enumerate() {
            if self.time.is_over() {
                return Wanted::Only(taken as u64);
            }
            let (before, after) = reply::context(&file.lines, at, self.context);
            let is_part = line.is_truncated();
            let fits = self.push(&Match {
                path: &path,
                path_base64: path_base64(&file.path),
                line: line.number,
                column: line.spans.first().map_or(0, |span| span.start) + 1,
                offset: line.offset,
                text: to_text(&line.text).into_owned(),
                text_start: is_part.then_some(line.text_start),
                line_bytes: is_part.then_some(line.line_len),
                spans: spans(line),
                enclosing: line.enclosing.as_deref(),
                before,
                after,
            });
            if !fits {
                return Wanted::Only(taken as u64);
            }
        }
        Wanted::More
    }
}

fn spans(line: &Line) -> Vec<SpanReply> {
    let spans = line.spans.iter();
    spans
        .map(|span| SpanReply { start: span.start, end: span.end, pattern: span.pattern })
        .collect()
}

/// The bytes of a path that is not UTF-8.
pub(super) fn path_base64(path: &RelPath) -> Option<String> {
    let is_text = std::str::from_utf8(path.as_bytes()).is_ok();
    (!is_text).then(|| STANDARD.encode(path.as_bytes()))
}
