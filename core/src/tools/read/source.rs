//! The text of a file as it is read: decoded, cut into lines, or a sentence about why it has none.

use super::Reading;
use crate::budget::Budget;
use crate::document::decode;
use crate::error::{Error, ErrorKind, Result};
use crate::tools::text::{Mark, Row, quoted};
use crate::walk::stat_named;
use crate::workspace::fs::Kind;
use crate::workspace::{Unread, read};

/// A larger file is not read; searching it is.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// A NUL in so many first bytes makes a file binary, as in a search.
const BINARY_LOOK_BYTES: usize = 64 * 1024;
/// Of a longer line only the beginning is shown.
const LINE_BYTES_MAX: usize = 2_000;

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
        Some(reason) => Error::new(ErrorKind::Io, format!("{}: {reason}", quoted(path))),
        None => stopped(&budget),
    };
    let file = workspace.fs().open_file(&resolved, true).map_err(|error| unread(error.into()))?;
    let mut buffer = Vec::new();
    let bytes = read(file, FILE_BYTES_MAX, &mut buffer, &budget).map_err(unread)?;
    let is_encoded = crate::encoding::from_bom(bytes).is_some();
    let look = &bytes[..bytes.len().min(BINARY_LOOK_BYTES)];
    if !is_encoded && memchr::memchr(0, look).is_some() {
        return Err(unsupported(&format!("is binary: {} bytes", bytes.len())));
    }
    let text = decode(bytes, &budget).map_err(|_| stopped(&budget))?.into_owned();
    let is_lossy = !is_encoded && std::str::from_utf8(bytes).is_err();
    let mut starts: Vec<usize> = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    if starts.last() == Some(&text.len()) {
        starts.pop();
    }
    Ok(Source { text, starts, is_lossy })
}

/// Adds the nearest paths to the message about one that does not exist.
pub(super) fn with_near(error: Error) -> Error {
    if error.near().is_empty() {
        return error;
    }
    let near: Vec<String> = error.near().iter().map(|path| quoted(path)).collect();
    let message = format!("{}; did you mean {}?", error.message(), near.join(" or "));
    error.with_message(message)
}

fn stopped(budget: &Budget) -> Error {
    if budget.is_cancelled() {
        Error::new(ErrorKind::Cancelled, "the call was cancelled")
    } else {
        Error::new(ErrorKind::Timeout, "the time ran out before the file was read")
    }
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

    /// The lines as rows of at most `room` bytes, and the number of the last one.
    pub(super) fn rows(&self, first: u64, last: u64, room: usize) -> (String, u64) {
        let mut rows = String::new();
        let mut end = first - 1;
        for number in first..=last {
            let whole = self.line(number);
            let cut =
                (0..=LINE_BYTES_MAX.min(whole.len())).rev().find(|&at| whole.is_char_boundary(at));
            let text = &whole[..cut.unwrap_or(0)];
            let part_of = (text.len() < whole.len()).then_some((0, whole.len()));
            let before = rows.len();
            Row { mark: Mark::Match, line: number, part_of, text }.write(&mut rows, 0);
            if rows.len() > room {
                rows.truncate(before);
                break;
            }
            end = number;
        }
        (rows, end)
    }

    /// What a reader should know of the text.
    pub(super) fn remark(&self) -> Option<String> {
        self.is_lossy.then(|| "not UTF-8: bytes that are not are shown as U+FFFD".to_owned())
    }
}
