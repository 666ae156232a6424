//! The text of a file as it is read: decoded, cut into lines, or a sentence about why it has none.

use super::Reading;
use crate::budget::Budget;
use crate::document::decode;
use crate::error::{Error, ErrorKind, Result};
use crate::nearest::suggestion_of;
use crate::tools::text::{Mark, Row, quoted};
use crate::walk::stat_named;
use crate::workspace::fs::Kind;
use crate::workspace::{Unread, read};
use std::borrow::Cow;
use std::ops::Range;

/// A larger file is not read; searching it is.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// A NUL in so many first bytes makes a file binary, as in a search.
const BINARY_LOOK_BYTES: usize = 64 * 1024;
/// Of a longer line only the beginning is shown, unless a part of it is asked for.
pub(super) const LINE_BYTES_MAX: usize = 2_000;
/// A part of a line is shown with this many bytes even where there is no room, so that every call brings
/// a reader further.
const PART_BYTES_MIN: usize = 64;

/// The text of a file.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) text: String,
    /// Where each line begins.
    starts: Vec<usize>,
    is_lossy: bool,
}

/// Opens a file that a caller names and reads all of it.
///
/// # Errors
///
/// `not_found`, with the nearest paths; `access_denied`; `unsupported` for what is no text; `io`;
/// `timeout` and `cancelled`.
pub(super) fn open(reading: &Reading<'_>, path: &str) -> Result<Source> {
    let workspace = reading.workspace;
    let resolved = workspace.resolve(path)?;
    let meta = stat_named(workspace, &resolved).map_err(with_near)?;
    let unsupported =
        |why: &str| Error::new(ErrorKind::Unsupported, format!("{} {why}", quoted(path)));
    match meta.kind {
        Kind::File => {}
        Kind::Dir => return Err(unsupported("is a directory; outline: true shows what is in it")),
        _ => return Err(unsupported("is not a regular file")),
    }
    let budget = Budget::of(reading.call);
    let unread = |why: Unread| match why.reason(FILE_BYTES_MAX) {
        Some(reason) if matches!(why, Unread::TooLarge) => unsupported(&format!(
            "is {reason}; look finds text in it, and with a q such as {} shows a place in it",
            quoted(&format!("{path}:100"))
        )),
        Some(reason) => Error::new(ErrorKind::Io, format!("{}: {reason}", quoted(path))),
        None => stopped(&budget),
    };
    let file = workspace.fs().open_file(&resolved, true).map_err(|error| unread(error.into()))?;
    let mut buffer = Vec::new();
    let bytes = read(file, FILE_BYTES_MAX, &mut buffer, &budget).map_err(unread)?;
    let is_marked = crate::encoding::from_bom(bytes).is_some();
    let encodings = workspace.encodings();
    let look = &bytes[..bytes.len().min(BINARY_LOOK_BYTES)];
    if !is_marked && encodings.keep_ascii() && memchr::memchr(0, look).is_some() {
        return Err(unsupported(&format!("is binary: {} bytes", bytes.len())));
    }
    let text = decode(bytes, true, encodings, &budget).map_err(|_| stopped(&budget))?;
    let has_lost = matches!(&text, Cow::Owned(text) if text.contains(char::REPLACEMENT_CHARACTER));
    let is_lossy = !is_marked && has_lost && std::str::from_utf8(bytes).is_err();
    let text = text.into_owned();
    let mut starts: Vec<usize> = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    if starts.last() == Some(&text.len()) {
        starts.pop();
    }
    Ok(Source { text, starts, is_lossy })
}

/// Adds the nearest paths to the message about one that does not exist.
pub(super) fn with_near(error: Error) -> Error {
    let near: Vec<String> = error.near().iter().map(|path| quoted(path)).collect();
    let message = format!("{}{}", error.message(), suggestion_of(&near));
    error.with_message(message)
}

fn stopped(budget: &Budget) -> Error {
    if budget.is_cancelled() {
        Error::new(ErrorKind::Cancelled, "the call was cancelled")
    } else {
        Error::new(ErrorKind::Timeout, "the time ran out before the file was read")
    }
}

/// Lines of a file as rows.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) text: String,
    /// The number of the last line.
    pub(super) end: u64,
    /// The numbers of lines that are not whole, and where each is cut.
    pub(super) cut: Vec<(u64, usize)>,
}

fn row(line: u64, whole: &str, part: Range<usize>) -> String {
    let mut row = String::new();
    let part_of = (part.len() < whole.len()).then_some((part.start, whole.len()));
    Row { mark: Mark::Match, line, part_of, text: &whole[part] }.write(&mut row, 0);
    row
}

/// A row of as much of the part as fits into `room`, but always a little, and that part.
fn fitting_row(line: u64, whole: &str, part: Range<usize>, room: usize) -> (String, Range<usize>) {
    let until = |end: usize| part.start..whole.floor_char_boundary(end);
    let longest = part.end.min(part.start.saturating_add(room));
    // Escapes make a row longer than its text, so its length is tried.
    let (mut most, mut too_much) = ((part.start + PART_BYTES_MIN).min(longest), longest + 1);
    while most + 1 < too_much {
        let end = usize::midpoint(most, too_much);
        match row(line, whole, until(end)).len() <= room {
            true => most = end,
            false => too_much = end,
        }
    }
    (row(line, whole, until(most)), until(most))
}

impl Source {
    pub(super) fn n_lines(&self) -> u64 {
        self.starts.len() as u64
    }

    /// The text of line `number`, from 1, without its end; empty where there is none.
    pub(super) fn line(&self, number: u64) -> &str {
        let at = usize::try_from(number).unwrap_or(usize::MAX).wrapping_sub(1);
        let Some(&start) = self.starts.get(at) else { return "" };
        let end = self.starts.get(at + 1).copied().unwrap_or(self.text.len());
        let line = &self.text[start..end];
        let line = line.strip_suffix('\n').unwrap_or(line);
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// The number of the line that the byte `at` is in.
    pub(super) fn line_at(&self, at: usize) -> u64 {
        self.starts.partition_point(|&start| start <= at).max(1) as u64
    }

    /// Where line `number` begins.
    pub(super) fn start_of(&self, number: u64) -> Option<usize> {
        self.starts.get(usize::try_from(number).ok()?.checked_sub(1)?).copied()
    }

    /// Lines as rows of at most `room` bytes. With `is_first` the first line is cut to the room, so that
    /// there is one in any case.
    pub(super) fn rows(&self, first: u64, last: u64, room: usize, is_first: bool) -> Rows {
        let mut rows = Rows { text: String::new(), end: first - 1, cut: Vec::new() };
        for number in first..=last {
            let whole = self.line(number);
            let mut part = 0..whole.floor_char_boundary(LINE_BYTES_MAX);
            let mut row = row(number, whole, part.clone());
            if rows.text.len() + row.len() > room {
                if rows.end >= first || !is_first {
                    break;
                }
                (row, part) = fitting_row(number, whole, part, room);
            }
            rows.text.push_str(&row);
            rows.end = number;
            if part.end < whole.len() {
                rows.cut.push((number, part.end));
            }
        }
        rows
    }

    /// The part of line `number` from the byte `start` to `end` as a row of at most `room` bytes, and where
    /// it ends.
    pub(super) fn row_part(&self, number: u64, part: Range<usize>, room: usize) -> (String, usize) {
        let whole = self.line(number);
        let start = whole.floor_char_boundary(part.start);
        let part = start..whole.floor_char_boundary(part.end).max(start);
        let (row, part) = fitting_row(number, whole, part, room);
        (row, part.end)
    }

    /// What a reader should know of the text.
    pub(super) fn remark(&self) -> Option<String> {
        self.is_lossy.then(|| "not UTF-8: bytes that are not are shown as U+FFFD".to_owned())
    }
}
