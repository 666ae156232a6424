//! Streamed results as C structs.
//!
//! A struct borrows: its texts point into the engine's result. Data that C needs in another layout is
//! copied to `Buffers`, which each result reuses, so that a long stream does not allocate per result.
//!
//! A program may be older than the library that it loads. Structs with a size therefore only grow at their
//! end, and a callback receives a pointer to one at a time: a program that knows fewer fields reads the
//! beginning. `Text` and `Span` are passed in arrays, whose elements a program finds by the size that it was
//! compiled with, so these two never grow.

use searchscope::{FoundFile, Line, RelPath};
use searchscope_tools::SearchResult;
use std::ffi::{c_char, c_int, c_void};
use std::mem::size_of;
use std::ptr::null;

/// Returned by a callback to get the next result.
pub const SEARCHSCOPE_CONTINUE: c_int = 0;
/// Returned by a callback to end the search, as does every number but `SEARCHSCOPE_CONTINUE`.
pub const SEARCHSCOPE_STOP: c_int = 1;

/// A borrowed byte string. A NUL follows the bytes only where documented; `bytes` is NULL only where
/// documented. This struct never grows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// The first byte.
    pub bytes: *const c_char,
    /// The number of bytes.
    pub len: usize,
}

/// The byte range of one match in a line. This struct never grows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The first byte, counted from the start of the line.
    pub start: usize,
    /// The byte after the last; equal to `start` for an empty match.
    pub end: usize,
    /// The index in "patterns" of the pattern that matches here.
    pub pattern: usize,
}

/// A result of `searchscope_search_each`: with mode "content" a matching line, or with multiline the
/// lines that a match covers; with the modes "files" and "count" a file that matches. It is valid, with
/// everything that it points to, until the callback returns.
#[repr(C)]
#[derive(Debug)]
pub struct Match {
    /// The size of this struct in the library that fills it; fields beyond it are absent.
    pub struct_size: usize,
    /// The file, relative to the root, with "/" between names. These are the bytes of the file system,
    /// not always UTF-8. A NUL follows.
    pub path: Text,
    /// With mode "count": the number of matching lines, less those that an earlier page has counted.
    /// Otherwise 0.
    pub n_matches: u64,
    /// The number of the (first) line, from 1. This and all later fields are 0, NULL or empty in the
    /// modes "files" and "count".
    pub line: u64,
    /// The number of the last line; differs from `line` only if a match covers several.
    pub last_line: u64,
    /// The start of the first match in the line, in bytes from 1.
    pub column: u64,
    /// The start of the line in the file, in bytes from 0, not counting a byte order mark. For a file
    /// that is not UTF-8, counted in its UTF-8 form; with "encodings" in the file.
    pub offset: u64,
    /// The text without its line end: bytes of the file, not always UTF-8. If the line is longer than
    /// "line_bytes_max", the part around its first match.
    pub text: Text,
    /// The number of bytes of the line before `text`; spans are counted from the start of the line.
    pub text_start: usize,
    /// The length of the line in bytes; greater than `text.len` if `text` is only a part.
    pub line_bytes: usize,
    /// The first 100 matches in the line, by start. NULL if there are no spans.
    pub spans: *const Span,
    /// The number of `spans`.
    pub n_spans: usize,
    /// With "enclosing": the innermost definition that contains all of the first match, such as
    /// "fn Workspace::open", in UTF-8. If it is absent, `bytes` is NULL.
    pub enclosing: Text,
    /// The lines before it, as many as "context_before" requests, each cut to "line_bytes_max". NULL if
    /// there are no such lines.
    pub before: *const Text,
    /// The number of lines in `before`.
    pub n_before: usize,
    /// The lines after it, likewise.
    pub after: *const Text,
    /// The number of lines in `after`.
    pub n_after: usize,
    /// The encoding of the file, such as "utf-16le", if it is one of "encodings" and not UTF-8. If it is
    /// absent, `bytes` is NULL.
    pub encoding: Text,
}

/// A result of `searchscope_find_each`. It is valid, with everything that it points to, until the
/// callback returns.
#[repr(C)]
#[derive(Debug)]
pub struct Found {
    /// The size of this struct in the library that fills it; fields beyond it are absent.
    pub struct_size: usize,
    /// The file, as in `searchscope_match`.
    pub path: Text,
    /// 1 with "details"; otherwise 0, and so are all later fields.
    pub has_details: c_int,
    /// 'f' for a file, 'd' for a directory, 'l' for a symlink that was not followed.
    pub file_type: c_char,
    /// The size in bytes.
    pub size: u64,
    /// The modification time in nanoseconds since 1970, UTC; clamped for times before 1677 or after
    /// 2262.
    pub modified_ns: i64,
}

/// Receives one match and the `user_data` of the call. Returns `SEARCHSCOPE_CONTINUE` or
/// `SEARCHSCOPE_STOP`. For its rules see CALLBACKS above.
pub type OnMatch =
    Option<unsafe extern "C" fn(user_data: *mut c_void, r#match: *const Match) -> c_int>;

/// Receives one file; otherwise as `searchscope_on_match`.
pub type OnFile = Option<unsafe extern "C" fn(user_data: *mut c_void, file: *const Found) -> c_int>;

/// Data of one struct that the engine has in another layout. The allocations are reused for the next
/// result.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    path_and_nul: Vec<u8>,
    spans: Vec<Span>,
    before: Vec<Text>,
    after: Vec<Text>,
    encoding: Option<String>,
}

impl Buffers {
    /// Returns the struct for a result of `search`. Its pointers are valid until the next call or until
    /// the result is dropped.
    pub(crate) fn of_match(&mut self, result: &SearchResult<'_>) -> Match {
        let path = self.path(result.path);
        let n_matches = result.n_matches.unwrap_or(0);
        let Some(line) = result.line else {
            return Match { path, n_matches, ..NO_LINE };
        };
        self.spans.clear();
        self.spans.extend(
            line.spans.iter().map(|&searchscope::Span { start, end, pattern }| Span {
                start,
                end,
                pattern,
            }),
        );
        texts(&mut self.before, &result.before);
        texts(&mut self.after, &result.after);
        self.encoding = result.encoding();
        Match {
            struct_size: size_of::<Match>(),
            path,
            n_matches,
            line: line.number,
            last_line: line.last_number,
            column: line.spans.first().map_or(0, |span| span.start as u64) + 1,
            offset: line.offset,
            text: Text::of(&line.text),
            text_start: line.text_start,
            line_bytes: line.line_len,
            spans: first(&self.spans),
            n_spans: self.spans.len(),
            enclosing: line
                .enclosing
                .as_deref()
                .map_or(Text::NONE, |text| Text::of(text.as_bytes())),
            before: first(&self.before),
            n_before: self.before.len(),
            after: first(&self.after),
            n_after: self.after.len(),
            encoding: self.encoding.as_deref().map_or(Text::NONE, |name| Text::of(name.as_bytes())),
        }
    }

    /// Returns the struct for a file; valid as long as that of [`Buffers::of_match`].
    pub(crate) fn of_file(&mut self, file: &FoundFile) -> Found {
        let path = self.path(&file.path);
        let struct_size = size_of::<Found>();
        let Some(details) = file.details else {
            return Found {
                struct_size,
                path,
                has_details: 0,
                file_type: 0,
                size: 0,
                modified_ns: 0,
            };
        };
        let file_type = details.file_type.code().as_bytes().first().copied().unwrap_or_default();
        let nanoseconds = details.modified_ns.clamp(i64::MIN.into(), i64::MAX.into());
        Found {
            struct_size,
            path,
            has_details: 1,
            file_type: c_char::from_ne_bytes([file_type]),
            size: details.size,
            modified_ns: i64::try_from(nanoseconds).expect("because it was clamped"),
        }
    }

    /// Copies the path and appends a NUL, which names cannot contain.
    fn path(&mut self, path: &RelPath) -> Text {
        self.path_and_nul.clear();
        // The engine's path of the root is empty; C sees ".", as JSON does.
        self.path_and_nul.extend_from_slice(if path.is_root() { b"." } else { path.as_bytes() });
        let len = self.path_and_nul.len();
        self.path_and_nul.push(0);
        Text { bytes: self.path_and_nul.as_ptr().cast(), len }
    }
}

/// A match without a line and without a path.
const NO_LINE: Match = Match {
    struct_size: size_of::<Match>(),
    path: Text::NONE,
    n_matches: 0,
    line: 0,
    last_line: 0,
    column: 0,
    offset: 0,
    text: Text::NONE,
    text_start: 0,
    line_bytes: 0,
    spans: null(),
    n_spans: 0,
    enclosing: Text::NONE,
    before: null(),
    n_before: 0,
    after: null(),
    n_after: 0,
    encoding: Text::NONE,
};

impl Text {
    /// An absent text.
    const NONE: Text = Text { bytes: null(), len: 0 };

    fn of(text: &[u8]) -> Text {
        // The pointer of an empty slice may be dangling, which some languages refuse.
        let bytes = if text.is_empty() { b"\0" } else { text };
        Text { bytes: bytes.as_ptr().cast(), len: text.len() }
    }
}

fn texts(buffer: &mut Vec<Text>, lines: &[Line]) {
    buffer.clear();
    buffer.extend(lines.iter().map(|line| Text::of(&line.text)));
}

/// Returns a pointer to the first element; NULL for an empty list.
fn first<T>(list: &[T]) -> *const T {
    if list.is_empty() { null() } else { list.as_ptr() }
}
