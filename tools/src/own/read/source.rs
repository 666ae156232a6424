//! The decoded text of a file, split into lines.

use super::Reading;
use crate::replies::text::{Mark, Row, quoted};
use searchscope::toolkit::{ErrorExt, excerpt::floor_char_boundary, suggest::suggestion_of};
use searchscope::{Error, ErrorKind, FileText, FileType, Result};
use std::ops::Range;

/// Maximum size of a file; larger ones can only be searched.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// A longer line is cut here, unless the caller asks for a part of it.
pub(super) const LINE_BYTES_MAX: usize = 2_000;
/// Minimum size of a part of a line, which is shown even without room, so that every call advances.
const PART_BYTES_MIN: usize = 64;

/// The text of a file.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) text: String,
    /// Start of each line in bytes.
    starts: Vec<usize>,
    is_lossy: bool,
}

/// Opens a file that the caller named and reads all of it.
///
/// # Errors
///
/// `not_found`, with the nearest paths; `access_denied`; `unsupported` for a file that is not text;
/// `io`; `timeout` and `cancelled`.
pub(super) fn open(reading: &Reading<'_>, path: &str) -> Result<Source> {
    let workspace = reading.workspace;
    let resolved = workspace.resolve(path)?;
    let details = workspace.details(&resolved).map_err(with_near)?;
    let unsupported =
        |why: &str| Error::new(ErrorKind::Unsupported, format!("{} {why}", quoted(path)));
    match details.file_type {
        FileType::File => {}
        FileType::Directory => {
            return Err(unsupported("is a directory; outline: true lists its definitions"));
        }
        _ => return Err(unsupported("is not a regular file")),
    }
    let (text, is_lossy) = match workspace.read_text(&resolved, FILE_BYTES_MAX, reading.call)? {
        FileText::Text { text, is_lossy } => (text, is_lossy),
        FileText::Binary { bytes } => {
            return Err(unsupported(&format!("is binary: {bytes} bytes")));
        }
        _ => {
            return Err(unsupported(&format!(
                "is larger than {} MiB; look finds text in it, and with a q such as {} shows a place in it",
                FILE_BYTES_MAX >> 20,
                quoted(&format!("{path}:100"))
            )));
        }
    };
    let mut starts: Vec<usize> = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    if starts.last() == Some(&text.len()) {
        starts.pop();
    }
    Ok(Source { text, starts, is_lossy })
}

/// Adds the nearest paths to the message about a missing path.
pub(super) fn with_near(error: Error) -> Error {
    let near: Vec<String> = error.near().iter().map(|path| quoted(path)).collect();
    let message = format!("{}{}", error.message(), suggestion_of(&near));
    error.with_message(message)
}

/// Lines of a file as rows.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) text: String,
    /// The number of the last line.
    pub(super) end: u64,
    /// The numbers of cut lines, and the byte at which each is cut.
    pub(super) cut: Vec<(u64, usize)>,
}

fn row(line: u64, whole: &str, part: Range<usize>) -> String {
    let mut row = String::new();
    let part_of = (part.len() < whole.len()).then_some((part.start, whole.len()));
    Row { mark: Mark::Match, line, part_of, text: &whole[part] }.write(&mut row, 0);
    row
}

/// Returns a row with as much of the part as fits into `room`, but at least a little, and that
/// part.
fn fitting_row(line: u64, whole: &str, part: Range<usize>, room: usize) -> (String, Range<usize>) {
    let until = |end: usize| part.start..floor_char_boundary(whole, end);
    let longest = part.end.min(part.start.saturating_add(room));
    // Escapes make a row longer than its text by an unknown amount: search for the longest part
    // that fits.
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

    /// Returns the text of line `number`, from 1, without its end; empty past the last line.
    pub(super) fn line(&self, number: u64) -> &str {
        let at = usize::try_from(number).unwrap_or(usize::MAX).wrapping_sub(1);
        let Some(&start) = self.starts.get(at) else { return "" };
        let end = self.starts.get(at + 1).copied().unwrap_or(self.text.len());
        let line = &self.text[start..end];
        let line = line.strip_suffix('\n').unwrap_or(line);
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// Returns the number of the line that contains the byte `at`.
    pub(super) fn line_at(&self, at: usize) -> u64 {
        self.starts.partition_point(|&start| start <= at).max(1) as u64
    }

    /// Returns the start of line `number` in bytes.
    pub(super) fn start_of(&self, number: u64) -> Option<usize> {
        self.starts.get(usize::try_from(number).ok()?.checked_sub(1)?).copied()
    }

    /// Returns lines as rows of at most `room` bytes. With `is_first`, a first line that is too
    /// long is cut to the room, so that there is always a row.
    pub(super) fn rows(&self, first: u64, last: u64, room: usize, is_first: bool) -> Rows {
        let mut rows = Rows { text: String::new(), end: first - 1, cut: Vec::new() };
        for number in first..=last {
            let whole = self.line(number);
            let mut part = 0..floor_char_boundary(whole, LINE_BYTES_MAX);
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

    /// Returns a part of line `number` as a row of at most `room` bytes, and the end of the part.
    pub(super) fn row_part(&self, number: u64, part: Range<usize>, room: usize) -> (String, usize) {
        let whole = self.line(number);
        let start = floor_char_boundary(whole, part.start);
        let part = start..floor_char_boundary(whole, part.end).max(start);
        let (row, part) = fitting_row(number, whole, part, room);
        (row, part.end)
    }

    /// Returns a remark about the text, if it is not exact.
    pub(super) fn remark(&self) -> Option<String> {
        self.is_lossy.then(|| "not UTF-8: invalid bytes are shown as U+FFFD".to_owned())
    }
}
