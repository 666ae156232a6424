//! Results of a search: the matches of each file, and the report on the search itself.

use super::{Cursor, FoundSymbol};
#[cfg(doc)]
use super::{Mode, SearchRequest};
use crate::StopReason;
use crate::pattern::Span;
#[cfg(doc)]
use crate::syntax::SearchContext;
use crate::syntax::UseKind;
use crate::walk::{NoGrammar, Skipped, Warning};
use crate::workspace::RelPath;
use std::ops::Range;
use std::time::Duration;

/// The matches of one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileMatches {
    /// The file.
    pub path: RelPath,
    /// The number of matching lines, up to the limits; in multi-line search the number of matches, where those
    /// whose lines overlap count once.
    pub n_matches: u64,
    /// The matching lines and their context, by line; empty in the modes that report no lines.
    pub lines: Vec<Line>,
    /// The position of a NUL far into the file that ended its search, counted as [`Line::offset`]; only
    /// the part before it was searched.
    pub binary_after: Option<u64>,
    /// Reason why the search of this file ended early; it may have more matches.
    pub cut: Option<StopReason>,
    /// The encoding of the file among those of [`SearchRequest::encodings`], as the WHATWG names it;
    /// `None` for UTF-8 and ASCII, and if none of them fits.
    pub encoding: Option<&'static str>,
    /// Whether the file has more matches, which the calling thread must search for.
    pub(crate) has_rest: bool,
    /// The definitions that a symbol search requested.
    pub(crate) symbols: Vec<FoundSymbol>,
    /// Whether the text of the lines comes from a decoder, which replaces invalid bytes by U+FFFD.
    pub is_decoded: bool,
    /// Whether definitions were requested and the file was not parsed, because none of its lines reads like
    /// one.
    pub(crate) is_unlikely: bool,
    /// The size of the lines and definitions in the output.
    pub(crate) output_bytes: usize,
}

/// One line of a result; in multi-line search the lines of a match, or of matches whose lines overlap, as one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// Whether the line matches; otherwise it is context.
    pub is_match: bool,
    /// The number of the (first) line, from 1.
    pub number: u64,
    /// The number of the last line, different if a match covers several lines. Context has single lines,
    /// except for such a match with truncated text.
    pub last_number: u64,
    /// The start of the line in the text of the file, in bytes after a byte order mark. In a decoded file the
    /// position is in its UTF-8 form, but where [`FileMatches::encoding`] is reported in the file.
    pub offset: u64,
    /// The text without its line end; for a long line the excerpt.
    pub text: Vec<u8>,
    /// The number of bytes of the line before `text`.
    pub text_start: usize,
    /// The length of the line without its line end; larger than `text` if that is truncated.
    pub line_len: usize,
    /// The matches within the line, by start, up to the limit. The column of a match, as `rg --column`
    /// counts, is its start plus 1. Ends are cut to the text. A match that begins in the line end, as `$` may
    /// in a line that ends in CRLF, is empty and one byte past the text.
    pub spans: Vec<Span>,
    /// The bytes of each match in the file, where [`FileMatches::encoding`] is reported.
    pub file_spans: Option<Box<[Range<u64>]>>,
    /// The innermost definition that encloses the first match, such as `fn Workspace::open`, for a matching
    /// line if the request wants it; `None` without such a definition or without a grammar.
    pub enclosing: Option<Box<str>>,
    /// The use of each match in `spans`, for a matching line if the request wants it.
    pub uses: Option<Vec<UseKind>>,
}

impl Line {
    /// Returns whether `text` is not the whole line.
    pub fn is_truncated(&self) -> bool {
        self.text.len() < self.line_len
    }

    /// Returns a matching line that is not cut to an excerpt: paragraphs of documents are one line.
    pub(crate) fn whole(number: u64, text: &str) -> Line {
        Line {
            is_match: true,
            number,
            last_number: number,
            offset: 0,
            text_start: 0,
            text: text.as_bytes().to_vec(),
            line_len: text.len(),
            spans: Vec::new(),
            file_spans: None,
            enclosing: None,
            uses: None,
        }
    }
}

/// Whether a total is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a total is exact or it is not")]
pub enum TotalKind {
    /// Everything in scope was searched: the total is exact.
    Exact,
    /// The search ended early: the actual total may be larger.
    AtLeast,
}

impl TotalKind {
    /// Returns the stable text used in replies.
    pub const fn code(self) -> &'static str {
        match self {
            TotalKind::Exact => "exact",
            TotalKind::AtLeast => "at_least",
        }
    }
}

/// The outcome of a search apart from its matches.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Whether everything in scope was searched: nothing stopped the search, every file and directory it
    /// needed was readable, and none was beyond the limits of the engine.
    pub complete: bool,
    /// Reason why the search ended early.
    pub stopped: Option<StopReason>,
    /// The number of matching lines reported; in [`Mode::Files`] of files.
    pub total: u64,
    /// Whether `total` is exact.
    pub total_kind: TotalKind,
    /// Skipped files and directories, up to the end of the search.
    pub skipped: Skipped,
    /// The number of files searched, with or without a match.
    pub searched_files: u64,
    /// The number of files that globs, names, types or attributes excluded.
    pub filtered_files: u64,
    /// The number of matching lines outside [`SearchRequest::search_context`].
    pub elsewhere: u64,
    /// Files with matches, or with the requested name, whose language has no grammar. [`SearchContext`]
    /// describes how they are searched.
    pub no_grammar: NoGrammar,
    /// Ignored paths that the request names, and below which ignore rules did not apply.
    pub unignored: Vec<RelPath>,
    /// If the request has [`FileOptions::names_left_out`](crate::FileOptions::names_left_out): the first files and
    /// directories that ignore rules and hidden names left out and that it would cover by their names, at most
    /// [`LEFT_OUT_MAX`](crate::toolkit::LEFT_OUT_MAX).
    pub left_out: Vec<RelPath>,
    /// Whether files may have been reached through symlinks that the request names or follows.
    pub has_links: bool,
    /// The position at which a resumable request continues after a limit, the deadline or the byte budget
    /// stopped it. Matches left out only by the limit per file are not reachable through a cursor. `None`
    /// also if the deadline left no time for any progress.
    pub cursor: Option<Cursor>,
    /// Whether files before the position of the request's cursor have appeared, vanished or changed since
    /// they were visited, in a find by path only by name; `None` without a cursor or without time to check.
    pub tree_changed: Option<bool>,
    /// The first problems that did not fail the search, at most 20, in order.
    pub warnings: Vec<Warning>,
    /// The total number of warnings.
    pub n_warnings: u64,
    /// The number of files in scope that were not searched whole: beyond the limits of the engine, or with a
    /// NUL far into them.
    pub given_up: u64,
    /// The number of those that exceed a limit of the engine.
    pub over_limits: u64,
    /// The number of files larger than the maximum of the request.
    pub over_max: u64,
    /// The duration of the search. The only value of a report that differs from run to run.
    pub elapsed: Duration,
}
