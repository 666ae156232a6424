//! Requests of a search: what to search for, where, in which order, and its limits.

use super::Cursor;
#[cfg(doc)]
use super::FileMatches;
use crate::pattern::PatternOptions;
use crate::syntax::SearchContext;
use crate::walk::FileOptions;
use crate::workspace::RelPath;

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
    /// The labels of the encodings that files without a byte order mark may be in, at most 16: the first
    /// in which a file has no errors is its encoding, and it is searched as UTF-8 where there is none. A
    /// file larger than 16 MiB is not decoded; if it is not ASCII, a warning says so. Not with
    /// `encoding`. Default: those of [`WorkspaceOptions::encodings`](crate::WorkspaceOptions::encodings).
    pub encodings: Option<Vec<String>>,
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
            encodings: None,
            in_parts: false,
            limits,
            cursor: None,
            resumable: false,
        }
    }
}
