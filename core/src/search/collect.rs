//! What becomes of the lines that the searcher finds: kept, counted, cut.

use super::{FileMatches, Limits, Line, Mode};
use crate::budget::StopReason;
use crate::excerpt;
use crate::lines::text_of;
use crate::pattern::{BudgetedMatcher, Span};
use crate::workspace::RelPath;
use grep_searcher::{Searcher, Sink, SinkContext, SinkError, SinkMatch};
use std::cell::Cell;
use std::fmt;
use std::io;

/// More matches of one pattern in one line tell a reader nothing.
const SPANS_PER_LINE_MAX: usize = 100;
/// What a line of a result costs beside its text.
const LINE_BYTES: usize = 64;

/// Why the search of a file ended early.
#[derive(Debug)]
pub(super) enum Halt {
    /// The budget says stop.
    Stopped,
    /// A line is longer than the searcher may hold; the file has to be searched in another way.
    LongLine,
    /// The file could not be read to its end.
    Io(io::Error),
}

impl SinkError for Halt {
    /// Only the matcher reports by message, and only that it was stopped.
    fn error_message<T: fmt::Display>(_message: T) -> Halt {
        Halt::Stopped
    }

    fn error_io(error: io::Error) -> Halt {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<ReadHalt>()) {
            Some(ReadHalt::Stopped) => Halt::Stopped,
            Some(ReadHalt::LongLine) => Halt::LongLine,
            // The searcher's own: its memory limit does not hold the line and its context.
            None if error.kind() == io::ErrorKind::Other => Halt::LongLine,
            None => Halt::Io(error),
        }
    }
}

/// How our readers tell the searcher to end.
#[derive(Debug)]
pub(super) enum ReadHalt {
    Stopped,
    LongLine,
}

impl fmt::Display for ReadHalt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for ReadHalt {}

impl From<ReadHalt> for io::Error {
    fn from(halt: ReadHalt) -> io::Error {
        io::Error::other(halt)
    }
}

/// Collects what one file gives.
#[derive(Debug)]
pub(super) struct Collector<'a> {
    matcher: &'a BudgetedMatcher<'a>,
    mode: Mode,
    limits: &'a Limits,
    matches_max: u64,
    context_after: usize,
    /// Where the text ends because a NUL follows: a last line without an end is not whole.
    nul_at: &'a Cell<Option<u64>>,
    found: FileMatches,
}

impl<'a> Collector<'a> {
    pub(super) fn new(
        matcher: &'a BudgetedMatcher<'a>,
        mode: Mode,
        limits: &'a Limits,
        context_after: usize,
        nul_at: &'a Cell<Option<u64>>,
    ) -> Collector<'a> {
        Collector {
            matcher,
            mode,
            limits,
            matches_max: limits.matches_per_file_max.min(limits.matches_max),
            context_after,
            nul_at,
            found: FileMatches::empty(),
        }
    }

    /// What was found, if anything was.
    pub(super) fn finish(mut self, path: impl FnOnce() -> RelPath) -> Option<FileMatches> {
        if self.found.cut.is_some() {
            self.found.trim_context(self.context_after);
        }
        if self.found.n_matches == 0 && self.found.cut.is_none() {
            return None;
        }
        self.found.path = path();
        self.found.binary_after = self.nul_at.get();
        self.found.output_bytes += self.found.path.as_bytes().len() + LINE_BYTES;
        Some(self.found)
    }

    /// Takes a matching line, its line end included. Returns whether the search goes on.
    pub(super) fn take_match(
        &mut self,
        number: u64,
        offset: u64,
        line: &[u8],
    ) -> Result<bool, Halt> {
        let found = &mut self.found;
        if found.n_matches >= self.matches_max {
            found.cut = Some(StopReason::Limit);
            return Ok(false);
        }
        match self.mode {
            Mode::Files => {
                found.n_matches = 1;
                return Ok(false);
            }
            Mode::Count => found.n_matches += 1,
            Mode::Content => {
                let searched = line.strip_suffix(b"\n").unwrap_or(line);
                let text = text_of(line);
                let spans = self.matcher.spans(searched, SPANS_PER_LINE_MAX);
                let mut spans = spans.map_err(|_| Halt::Stopped)?;
                for span in &mut spans {
                    // A match may reach into the carriage return, which is not text.
                    span.start = span.start.min(text.len());
                    span.end = span.end.min(text.len());
                }
                if !self.push(number, offset, text, spans, true) {
                    return Ok(false);
                }
                self.found.n_matches += 1;
            }
        }
        Ok(true)
    }

    /// Takes a line of context, its line end included. Returns whether the search goes on.
    pub(super) fn take_context(&mut self, number: u64, offset: u64, line: &[u8]) -> bool {
        self.mode != Mode::Content || self.push(number, offset, text_of(line), Vec::new(), false)
    }

    fn push(
        &mut self,
        number: u64,
        offset: u64,
        text: &[u8],
        spans: Vec<Span>,
        is_match: bool,
    ) -> bool {
        let shown = spans.first().map_or(0..0, |span| span.start..span.end);
        let window = excerpt::window(text, shown, self.limits.line_bytes_max);
        let output_bytes = self.found.output_bytes + window.len() + LINE_BYTES;
        if output_bytes > self.limits.output_bytes_max {
            self.found.cut = Some(StopReason::ByteBudget);
            return false;
        }
        self.found.output_bytes = output_bytes;
        self.found.lines.push(Line {
            is_match,
            number,
            offset,
            text: text[window.clone()].to_vec(),
            text_start: window.start,
            line_len: text.len(),
            spans,
        });
        true
    }

    /// Whether the line is the rest before a NUL, which is not searched.
    fn is_torn(&self, offset: u64, line: &[u8]) -> bool {
        !line.ends_with(b"\n") && self.nul_at.get() == Some(offset + line.len() as u64)
    }
}

impl Sink for Collector<'_> {
    type Error = Halt;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Halt> {
        let offset = found.absolute_byte_offset();
        if self.is_torn(offset, found.bytes()) {
            return Ok(false);
        }
        self.take_match(found.line_number().unwrap_or(0), offset, found.bytes())
    }

    fn context(&mut self, _searcher: &Searcher, found: &SinkContext<'_>) -> Result<bool, Halt> {
        let offset = found.absolute_byte_offset();
        if self.is_torn(offset, found.bytes()) {
            return Ok(false);
        }
        Ok(self.take_context(found.line_number().unwrap_or(0), offset, found.bytes()))
    }
}

impl FileMatches {
    fn empty() -> FileMatches {
        FileMatches {
            path: RelPath::root(),
            n_matches: 0,
            lines: Vec::new(),
            binary_after: None,
            cut: None,
            output_bytes: 0,
        }
    }

    /// Keeps only the first `n_matches` matching lines, and the context that belongs to them.
    pub(super) fn truncate(&mut self, n_matches: u64, context_after: usize) {
        let mut left = n_matches;
        let cut = self.lines.iter().position(|line| {
            let over = line.is_match && left == 0;
            left -= u64::from(line.is_match && left > 0);
            over
        });
        if let Some(cut) = cut {
            self.lines.truncate(cut);
        }
        self.n_matches = self.n_matches.min(n_matches);
        self.trim_context(context_after);
    }

    /// Takes away context that stood before a match which was cut off.
    fn trim_context(&mut self, context_after: usize) {
        let last_match = self.lines.iter().rev().find(|line| line.is_match);
        // A match over several lines counts from its last one.
        let last = last_match
            .map_or(0, |line| line.number + memchr::memchr_iter(b'\n', &line.text).count() as u64);
        while self.lines.last().is_some_and(|line| {
            !line.is_match && line.number > last.saturating_add(context_after as u64)
        }) {
            self.lines.pop();
        }
    }
}
