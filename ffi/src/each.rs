//! Results as C structs, one after the other.
//!
//! A struct borrows: its texts are those of the engine, and what has to be laid out anew lies in
//! buffers that serve one result after the other.

use searchscope::tools::SearchResult;
use searchscope::{FoundFile, Line, RelPath};
use std::ffi::{c_char, c_int, c_void};
use std::mem::size_of;
use std::ptr::null;

/// What a callback returns to get the next result.
pub const SEARCHSCOPE_CONTINUE: c_int = 0;
/// What a callback returns to end the search, as does any other number but `SEARCHSCOPE_CONTINUE`.
pub const SEARCHSCOPE_STOP: c_int = 1;

/// Some bytes that belong to someone else. A NUL follows them only where that is said; `bytes` is
/// NULL only where that is said. This struct never grows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// The first byte.
    pub bytes: *const c_char,
    /// How many there are.
    pub len: usize,
}

/// Where in a line a pattern matches. This struct never grows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The first byte, counted from the start of the line.
    pub start: usize,
    /// The byte after the last; equal to `start` for an empty match.
    pub end: usize,
    /// The index of the pattern that matches here, in "patterns".
    pub pattern: usize,
}

/// A result of `searchscope_search_each`: with mode "content" a matching line, with multiline the
/// lines that a match covers; with the modes "files" and "count" a file that matches. It lives, with
/// all that it points to, until the callback returns.
#[repr(C)]
#[derive(Debug)]
pub struct Match {
    /// How large this struct is in the library that fills it; what lies behind is not there.
    pub struct_size: usize,
    /// The file, relative to the root, with "/" between names: the bytes that the file system has,
    /// so not always UTF-8. A NUL follows.
    pub path: Text,
    /// With mode "count": how many lines of the file match, less those that an earlier page has
    /// counted. Else 0.
    pub n_matches: u64,
    /// The number of the (first) line, from 1. It and all that follows are 0, NULL or empty in the
    /// modes "files" and "count".
    pub line: u64,
    /// The number of the last line: another one only where a match covers several.
    pub last_line: u64,
    /// Where the first match starts in the line, in bytes from 1.
    pub column: u64,
    /// Where the line starts in the file, in bytes from 0, a byte order mark not counted. In a file
    /// that is not UTF-8, bytes of its UTF-8 form.
    pub offset: u64,
    /// The text without its line end: the bytes of the file, so not always UTF-8. Of a line longer
    /// than "line_bytes_max" the part around its first match.
    pub text: Text,
    /// How many bytes of the line stand before `text`; spans are counted from the start of the line.
    pub text_start: usize,
    /// How many bytes the line has; more than `text.len` where `text` is a part.
    pub line_bytes: usize,
    /// The matches in the line, by start: the first 100. NULL where there are none.
    pub spans: *const Span,
    /// How many there are.
    pub n_spans: usize,
    /// Where "enclosing" asks for it: the innermost definition that holds all of the first match, such
    /// as "fn Workspace::open", in UTF-8. `bytes` is NULL where there is none.
    pub enclosing: Text,
    /// The lines before it, as "context_before" asks for them, each cut to "line_bytes_max". NULL
    /// where there are none.
    pub before: *const Text,
    /// How many there are.
    pub n_before: usize,
    /// The lines after it, in the same way.
    pub after: *const Text,
    /// How many there are.
    pub n_after: usize,
}

/// A result of `searchscope_find_each`. It lives, with all that it points to, until the callback
/// returns.
#[repr(C)]
#[derive(Debug)]
pub struct Found {
    /// How large this struct is in the library that fills it; what lies behind is not there.
    pub struct_size: usize,
    /// The file, as in `searchscope_match`.
    pub path: Text,
    /// 1 where "details" asks for what follows, else 0, and what follows is 0 too.
    pub has_details: c_int,
    /// 'f' for a file, 'd' for a directory, 'l' for a symlink that was not followed.
    pub file_type: c_char,
    /// How large it is, in bytes.
    pub size: u64,
    /// When it was modified, in nanoseconds since 1970 in UTC; the nearest number that there is for a
    /// time before 1677 or after 2262.
    pub modified_ns: i64,
}

/// Takes a match; `user_data` is what the call was given. Returns `SEARCHSCOPE_CONTINUE` or
/// `SEARCHSCOPE_STOP`. What it may do: see CALLBACKS above.
pub type OnMatch =
    Option<unsafe extern "C" fn(user_data: *mut c_void, r#match: *const Match) -> c_int>;

/// Takes a file that was found; else as `searchscope_on_match`.
pub type OnFile = Option<unsafe extern "C" fn(user_data: *mut c_void, file: *const Found) -> c_int>;

/// What a struct points to that the engine does not have in this form. It keeps its allocations from
/// one result to the next.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    path_and_nul: Vec<u8>,
    spans: Vec<Span>,
    before: Vec<Text>,
    after: Vec<Text>,
}

impl Buffers {
    /// The struct of a result of `search`. It is right until the buffers serve another one, or the
    /// result goes.
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
        }
    }

    /// The struct of a file that was found; right for as long as that of a match.
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

    /// The path with a NUL behind it, which names cannot hold.
    fn path(&mut self, path: &RelPath) -> Text {
        self.path_and_nul.clear();
        // The root has a name only here, as in JSON.
        self.path_and_nul.extend_from_slice(if path.is_root() { b"." } else { path.as_bytes() });
        let len = self.path_and_nul.len();
        self.path_and_nul.push(0);
        Text { bytes: self.path_and_nul.as_ptr().cast(), len }
    }
}

/// A match without a line, and without a path.
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
};

impl Text {
    /// No text at all.
    const NONE: Text = Text { bytes: null(), len: 0 };

    fn of(text: &[u8]) -> Text {
        // An empty slice may have an address that is none, which some languages refuse.
        let bytes = if text.is_empty() { b"\0" } else { text };
        Text { bytes: bytes.as_ptr().cast(), len: text.len() }
    }
}

fn texts(buffer: &mut Vec<Text>, lines: &[Line]) {
    buffer.clear();
    buffer.extend(lines.iter().map(|line| Text::of(&line.text)));
}

/// The first one of a list; NULL for an empty one.
fn first<T>(list: &[T]) -> *const T {
    if list.is_empty() { null() } else { list.as_ptr() }
}
