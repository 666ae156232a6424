//! Searching text in files: the native request and report, of which the tools are projections.
//!
//! Files come from `walk`, in order; lines are searched with ripgrep's searcher over our own
//! buffers. Results reach the [`Sink`] in the final order however many threads work. This area
//! knows no JSON and no contract's defaults: every limit is the caller's.

mod blocks;
mod collect;
mod context;
mod cursor;
mod file;
mod file_matches;
mod files;
mod find;
mod indexer;
mod likely;
mod long_lines;
mod page;
mod parts;
mod reader;
mod relevance;
mod role;
mod run;
mod symbols;
mod syntax;

pub use cursor::Cursor;
pub use indexer::{IndexState, IndexStatus};
pub use find::{FileDetails, FileType, FindRequest, FoundFile};
pub(crate) use relevance::{LineTraits, PathTexts, PathTraits, best_window, rarity, saturated};
pub(crate) use role::Role;
pub(crate) use symbols::search_symbols;
pub use symbols::{FoundSymbol, SymbolReport, SymbolRequest};

use crate::error::Result;
use crate::pattern::{PatternOptions, Span};
use crate::syntax::SearchContext;
pub use crate::walk::NoGrammar;
use crate::walk::{FileOptions, Skipped, Warning};
use crate::workspace::RelPath;
use crate::{Call, StopReason, Workspace};
use std::time::Duration;

/// What a search gives for each file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// The matching lines, with context where asked for. The default.
    #[default]
    Content,
    /// Only which files match; each is searched up to its first match.
    Files,
    /// Only how many lines match.
    Count,
}

/// In which order files come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Order {
    /// By the bytes of the path, ascending. The default, and the fastest.
    #[default]
    Path,
    /// By modification time in nanoseconds, newest first, then by path.
    Mtime,
    /// By size, largest first, then by path.
    Size,
    /// The most relevant first, then by path: files that match more of the patterns; that define a
    /// match by a keyword and as a whole word; production code before tests, documentation and generated
    /// files; with a line in the form of such a definition; whose name contains a pattern; with a match
    /// that is a whole word; with a definition of a longer name; with rarer patterns, more matching lines, and patterns nearer to each other. Every file
    /// is searched before the first is given. Not for finds.
    Relevance,
}

/// The limits of a search.
///
/// The default is generous for a reader and safe for a host: 10,000 matching lines, 64 MiB of output,
/// windows of 64 KiB of longer lines, 100 places of matches in a line, and files of any number and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a limit that is added must be decided by every caller"
)]
pub struct Limits {
    /// Matching lines in all.
    pub matches_max: u64,
    /// Matching lines of one file.
    pub matches_per_file_max: u64,
    /// Files with matches.
    pub files_max: u64,
    /// Bytes of the result in memory, text and paths and what describes them. The search stops
    /// before it would exceed this.
    pub output_bytes_max: usize,
    /// Larger files are passed over and counted.
    pub file_bytes_max: u64,
    /// Of longer lines a window around the first match is given.
    pub line_bytes_max: usize,
    /// Matches of one line whose place is given; 0 where only the lines matter.
    pub spans_per_line_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            matches_max: 10_000,
            matches_per_file_max: u64::MAX,
            files_max: u64::MAX,
            output_bytes_max: 64 << 20,
            file_bytes_max: u64::MAX,
            line_bytes_max: 64 << 10,
            spans_per_line_max: 100,
        }
    }
}

/// What to search for, where, and how much of it to give.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SearchRequest {
    /// The text.
    pub pattern: PatternOptions,
    /// Directories and files to search, relative to the root or absolute inside it. A file that is
    /// named here is searched whatever the names and globs of `files` say. A file that several of
    /// them lead to is searched once; if one of them leads through a symlink to what another names,
    /// its path is the one without symlinks. Default: the root.
    pub paths: Vec<String>,
    /// Which files below the directories.
    pub files: FileOptions,
    /// Searches exactly these files, in this order, and neither `paths` nor anything else. Of
    /// `files` the globs and attributes narrow the list. Default: none.
    pub only: Option<Vec<RelPath>>,
    /// Lines that hold this text do not match. Case-sensitive. Not with `multi_line`.
    pub exclude: Option<String>,
    /// Where in a file matches count. Other values than [`SearchContext::Any`] need the feature
    /// `symbols`.
    pub search_context: SearchContext,
    /// Whether each matching line is given with the definition around its first match. Needs the
    /// feature `symbols`; only in [`Mode::Content`].
    pub enclosing: bool,
    /// What to give for each file.
    pub mode: Mode,
    /// In which order files come.
    pub order: Order,
    /// Lines to give before each matching line.
    pub context_before: usize,
    /// Lines to give after each matching line.
    pub context_after: usize,
    /// The label of the encoding of files without a byte order mark. Default: UTF-8.
    pub encoding: Option<String>,
    /// Whether the matching lines of one file may come in several [`FileMatches`], each of some
    /// 256 KiB: then memory does not grow with the matches of a file, and the first ones of a large
    /// file come before its end was searched. Default: no.
    pub in_parts: bool,
    /// How much is too much.
    pub limits: Limits,
    /// Where to go on. Default: at the beginning.
    pub cursor: Option<Cursor>,
    /// Whether the report of a search that was stopped gives a cursor. Default: no.
    pub resumable: bool,
}

impl SearchRequest {
    /// A request for `pattern` under the whole root, with everything else at its default.
    pub fn new(pattern: PatternOptions, limits: Limits) -> SearchRequest {
        SearchRequest {
            pattern,
            paths: vec![".".to_owned()],
            files: FileOptions::default(),
            only: None,
            exclude: None,
            search_context: SearchContext::default(),
            enclosing: false,
            mode: Mode::default(),
            order: Order::default(),
            context_before: 0,
            context_after: 0,
            encoding: None,
            in_parts: false,
            limits,
            cursor: None,
            resumable: false,
        }
    }
}

/// The matches of one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileMatches {
    /// The file.
    pub path: RelPath,
    /// How many lines match, up to the limits; in multi-line search how many blocks of lines.
    pub n_matches: u64,
    /// The matching lines and their context, by line; empty in the modes that give no lines.
    pub lines: Vec<Line>,
    /// A NUL far into the file ended its search at this byte; what stands before it was searched.
    pub binary_after: Option<u64>,
    /// What ended the search of this file before its end: then there may be more matches in it.
    pub cut: Option<StopReason>,
    /// Whether the file has more matches than these, which the caller's thread is to look for.
    pub(crate) has_rest: bool,
    /// The definitions that a symbol search wishes for.
    pub(crate) symbols: Vec<FoundSymbol>,
    /// Whether the text of the lines came out of a decoder, which puts U+FFFD in the place of what is
    /// not valid in the encoding.
    pub(crate) is_decoded: bool,
    /// Whether definitions are wished for and the file was not parsed, because no line in it reads
    /// like one.
    pub(crate) is_unlikely: bool,
    /// What the lines and definitions add to the output.
    pub(crate) output_bytes: usize,
}

/// One line of a result; in multi-line search the lines that a match covers, as one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// Whether the line matches, or only stands near one that does.
    pub is_match: bool,
    /// The number of the (first) line, from 1.
    pub number: u64,
    /// The number of the last line; another one where a match covers several. Context has single
    /// lines, unless it is such a match whose text was cut.
    pub last_number: u64,
    /// Where the line starts in the text of the file, in bytes, a byte order mark not counted. In a
    /// file that was decoded, bytes of its UTF-8 form.
    pub offset: u64,
    /// The text without its line end; of a long line the window.
    pub text: Vec<u8>,
    /// How many bytes of the line stand before `text`.
    pub text_start: usize,
    /// How long the line is without its line end; more than `text` holds when it was cut.
    pub line_len: usize,
    /// The matches within the line, by start, as many as the limits allow. The column of a match,
    /// as `rg --column` counts, is its start plus 1. Ends are cut to the text; a match that begins in
    /// the line end, as `$` may in a line that ends in CRLF, stands one byte behind it and is empty.
    pub spans: Vec<Span>,
    /// Of a matching line, where it is asked for: the innermost definition that holds all of the
    /// first match, such as `fn Workspace::open`; none where there is none, or no grammar.
    pub enclosing: Option<Box<str>>,
}

impl Line {
    /// Whether `text` is not the whole line.
    pub fn is_truncated(&self) -> bool {
        self.text.len() < self.line_len
    }
}

/// Whether a total is the whole truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a total is exact or it is not")]
pub enum TotalKind {
    /// Everything in scope was searched: there are so many.
    Exact,
    /// The search stopped before: there may be more.
    AtLeast,
}

impl TotalKind {
    /// The stable text, as replies give it.
    pub const fn code(self) -> &'static str {
        match self {
            TotalKind::Exact => "exact",
            TotalKind::AtLeast => "at_least",
        }
    }
}

/// What a search says about itself beside its matches.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Whether everything in scope was looked at: nothing stopped the search, nothing that it wanted
    /// to read was unreadable, and no file or directory was beyond what the engine can hold.
    pub complete: bool,
    /// What stopped it before its end.
    pub stopped: Option<StopReason>,
    /// Matching lines that were given; in [`Mode::Files`] the files.
    pub total: u64,
    /// Whether `total` is exact.
    pub total_kind: TotalKind,
    /// What was passed over, up to where the search ended.
    pub skipped: Skipped,
    /// Files that were searched, whether or not they matched.
    pub searched_files: u64,
    /// Files that were not asked for: globs, names, types or attributes leave them out.
    pub filtered_files: u64,
    /// Matching lines that lie elsewhere than [`SearchRequest::search_context`] has matches count.
    pub elsewhere: u64,
    /// Files with matches, or with the name that is looked for, for whose language there is no
    /// grammar. What [`SearchContext`] says of them held.
    pub no_grammar: NoGrammar,
    /// Paths of the request that are ignored themselves, and below which ignore rules were off.
    pub unignored: Vec<RelPath>,
    /// Whether files may have been reached through symlinks: those that the request names or follows.
    pub has_links: bool,
    /// Where a request goes on that a limit, the deadline or the byte budget has stopped, if it is
    /// resumable. What only the limit of single files left out no cursor leads to. None also
    /// where a deadline left no time to get on at all.
    pub cursor: Option<Cursor>,
    /// Whether files in the part before the request's cursor have appeared, vanished or changed
    /// since they were looked at, in a find by path only their names; `None` without a cursor, or
    /// when there was no time to look.
    pub tree_changed: Option<bool>,
    /// The first things that went wrong without failing the search, at most 20, in order.
    pub warnings: Vec<Warning>,
    /// How many warnings there were in all.
    pub n_warnings: u64,
    /// Files in scope that were not looked at whole: beyond what the engine can hold, or with a NUL
    /// far into them.
    pub given_up: u64,
    /// How long it took. The only value of a report that differs from run to run.
    pub elapsed: Duration,
}

/// Whether a search or find continues after a file, as its consumer decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a search continues or it does not")]
pub enum Flow {
    /// With the next file.
    Continue,
    /// The search ends here.
    Stop {
        /// The number of matches of the file that the consumer took, at most all of them. The cursor
        /// leads to the next one.
        taken: u64,
        /// What the report says has stopped the search. Of [`StopReason::ByteBudget`] it says the
        /// deadline where that has passed.
        reason: StopReason,
    },
}

impl Flow {
    /// Stops as at a limit, with all of the file taken.
    pub const STOP: Flow = Flow::Stop { taken: u64::MAX, reason: StopReason::Limit };

    /// Stops because a reply has room for only `taken` matches of the file.
    pub(crate) const fn full(taken: u64) -> Flow {
        Flow::Stop { taken, reason: StopReason::ByteBudget }
    }

    /// Stops because there was time for only `taken` matches of the file.
    pub(crate) const fn late(taken: u64) -> Flow {
        Flow::Stop { taken, reason: StopReason::Deadline }
    }
}

/// Takes the results of a search, file by file, in the final order, on the calling thread.
pub trait Sink {
    /// Takes the matches of one file. Returns whether the search continues.
    fn file(&mut self, file: FileMatches) -> Flow;
}

impl<F: FnMut(FileMatches) -> bool> Sink for F {
    fn file(&mut self, file: FileMatches) -> Flow {
        if self(file) { Flow::Continue } else { Flow::STOP }
    }
}

/// Runs a search; the workspace has the grammars if the request asks for syntax.
///
/// # Errors
///
/// `pattern_syntax` and `invalid_param` for a request that cannot be run, `not_found` and
/// `access_denied` for its paths, `cancelled`, and `internal` for a defect.
pub(crate) fn search_each(
    workspace: &Workspace,
    request: &SearchRequest,
    call: &Call,
    sink: &mut dyn Sink,
) -> Result<Report> {
    let syntax = syntax::AskedSyntax::new(
        workspace.grammars_slot().get(),
        request.search_context,
        request.enclosing && request.mode == Mode::Content,
        None,
    )?;
    run::search(workspace, request, syntax, call, sink)
}

#[cfg(all(test, feature = "symbols"))]
mod lines_tests;
#[cfg(test)]
mod paging_tests;
#[cfg(test)]
mod relevance_tests;
#[cfg(all(test, feature = "symbols"))]
mod syntax_tests;
#[cfg(test)]
mod tests;
