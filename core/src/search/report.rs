//! Results of a search: the matches of each file, and the report on the search itself.

use super::{Cursor, FoundSymbol};
#[cfg(doc)]
use super::{Mode, SearchRequest};
use crate::StopReason;
use crate::pattern::Span;
#[cfg(doc)]
use crate::syntax::SearchContext;
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
    /// How many lines match, up to the limits; in multi-line search how many blocks of lines.
    pub n_matches: u64,
    /// The matching lines and their context, by line; empty in the modes that give no lines.
    pub lines: Vec<Line>,
    /// A NUL far into the file ended its search at this byte, or in a decoded file at this byte of its
    /// UTF-8 form. The text before it was searched.
    pub binary_after: Option<u64>,
    /// What ended the search of this file before its end: then there may be more matches in it.
    pub cut: Option<StopReason>,
    /// The encoding of the file among those of [`SearchRequest::encodings`], as the WHATWG names it;
    /// absent for UTF-8 and ASCII, and where none of them fits.
    pub encoding: Option<&'static str>,
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
    /// file that was decoded, bytes of its UTF-8 form; but where [`FileMatches::encoding`] is reported,
    /// bytes of the file.
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
    /// The bytes of each match in the file, where [`FileMatches::encoding`] is reported.
    pub file_spans: Option<Box<[Range<u64>]>>,
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
