//! Search requests: the pattern, the files, their order, and the limits.

use super::Cursor;
#[cfg(doc)]
use super::FileMatches;
use crate::pattern::PatternOptions;
use crate::syntax::{SearchContext, UseKind};
use crate::walk::FileOptions;
use crate::workspace::RelPath;

/// The content of a search's result for each file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// The matching lines, with context if requested. The default.
    #[default]
    Content,
    /// Only the matching files; each is searched up to its first match.
    Files,
    /// Only the number of matching lines.
    Count,
}

/// The order of files.
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
    /// The most relevant first, then by path: by the rarity of the patterns that a file matches and the number
    /// of lines with each, in the file and in its best window; by definitions of them, its name and its
    /// directories; production code before tests, documentation, data and generated files. All files are
    /// searched before the first is reported. Not for finds.
    Relevance,
}

/// The limits of a search; `None` is no limit.
///
/// The default is generous for a reader and safe for a host: 10,000 matching lines, 64 MiB of output,
/// excerpts of 64 KiB from longer lines, 100 spans per line, and files of any number and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a limit that is added must be decided by every caller"
)]
pub struct Limits {
    /// Maximum number of matching lines.
    pub matches_max: Option<u64>,
    /// Maximum number of matching lines per file.
    pub matches_per_file_max: Option<u64>,
    /// Maximum number of files with matches.
    pub files_max: Option<u64>,
    /// Maximum number of bytes of the result in memory: text, paths and metadata. The search stops before it
    /// would exceed this.
    pub output_bytes_max: Option<usize>,
    /// Maximum size of a file in bytes; larger files are skipped and counted.
    pub file_bytes_max: Option<u64>,
    /// Maximum size of a reported line in bytes; a longer line is cut to an excerpt around its first match.
    pub line_bytes_max: Option<usize>,
    /// Maximum number of spans per line; 0 if only the lines matter.
    pub spans_per_line_max: Option<usize>,
}

impl Limits {
    /// No limits. The result may become as large as the tree, so this is for a consumer that takes the matches
    /// one by one, or for a base of which a caller sets some.
    pub const NONE: Limits = Limits {
        matches_max: None,
        matches_per_file_max: None,
        files_max: None,
        output_bytes_max: None,
        file_bytes_max: None,
        line_bytes_max: None,
        spans_per_line_max: None,
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            matches_max: Some(10_000),
            output_bytes_max: Some(64 << 20),
            line_bytes_max: Some(64 << 10),
            spans_per_line_max: Some(100),
            ..Limits::NONE
        }
    }
}

/// A request to search files for a pattern, and its limits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SearchRequest {
    /// The pattern.
    pub pattern: PatternOptions,
    /// Directories and files to search, relative to the root or absolute inside it. A file named here is
    /// searched regardless of the names and globs in `files`. A file reachable through several of them is
    /// searched once; if only some lead through a symlink, its path is one without symlinks. Default: the
    /// root.
    pub paths: Vec<String>,
    /// Selects the files below the directories.
    pub files: FileOptions,
    /// Searches exactly these files, in this order, instead of `paths`. The globs and attributes of `files`
    /// narrow the list. Default: `None`.
    pub only: Option<Vec<RelPath>>,
    /// Lines that contain this text do not match. Case-sensitive. Not with `multi_line`.
    pub exclude: Option<String>,
    /// The part of a file in which matches count. Values other than [`SearchContext::Any`] need the feature
    /// `symbols`.
    pub search_context: SearchContext,
    /// Whether each matching line is reported with the definition that encloses its first match. Needs the
    /// feature `symbols`; only in [`Mode::Content`].
    pub enclosing: bool,
    /// Labels each match with the kind of its use, in [`Line::uses`](super::Line::uses), and drops matches of
    /// other kinds than these; an empty list keeps all. Needs the feature `symbols`. Default: `None`.
    pub uses: Option<Vec<UseKind>>,
    /// The content of the result for each file.
    pub mode: Mode,
    /// The order of files.
    pub order: Order,
    /// Number of context lines before each matching line.
    pub context_before: usize,
    /// Number of context lines after each matching line.
    pub context_after: usize,
    /// The label of the encoding of files without a byte order mark. Default: UTF-8.
    pub encoding: Option<String>,
    /// The labels of the encodings that files without a byte order mark may have, at most 16. A file has the
    /// first in which it contains no errors, else it is searched as UTF-8. Files larger than 16 MiB are not
    /// decoded, and a warning names those that are not ASCII. Not with `encoding`. Default: those of [`WorkspaceOptions::encodings`](crate::WorkspaceOptions::encodings).
    pub encodings: Option<Vec<String>>,
    /// Whether the matching lines of one file may arrive in several [`FileMatches`], each of some 256 KiB.
    /// Then memory does not grow with the matches of a file, and the first ones of a large file arrive before
    /// its end is searched. Default: no.
    pub in_parts: bool,
    /// The limits.
    pub limits: Limits,
    /// The position to continue at. Default: the beginning.
    pub cursor: Option<Cursor>,
    /// Whether the report of a stopped search has a cursor. Default: no.
    pub resumable: bool,
}

impl SearchRequest {
    /// Returns whether the request needs grammars.
    pub fn needs_syntax(&self) -> bool {
        let is_content = self.mode == Mode::Content;
        self.search_context != SearchContext::Any
            || self.enclosing && is_content
            || self.uses.as_ref().is_some_and(|kinds| is_content || !kinds.is_empty())
    }

    /// Creates a request for `pattern` under the whole root, with everything else at its default.
    pub fn new(pattern: PatternOptions, limits: Limits) -> SearchRequest {
        SearchRequest {
            pattern,
            paths: vec![".".to_owned()],
            files: FileOptions::default(),
            only: None,
            exclude: None,
            search_context: SearchContext::default(),
            enclosing: false,
            uses: None,
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
