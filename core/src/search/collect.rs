//! What becomes of the lines that the searcher finds: kept, counted, cut.

use super::{FileMatches, Limits, Line, Mode};
use crate::budget::StopReason;
use crate::excerpt;
use crate::lines::text_of;
use crate::pattern::{BudgetedMatcher, LOOK_BYTES, Span};
use crate::workspace::RelPath;
use grep_searcher::{Searcher, Sink, SinkContext, SinkError, SinkMatch};
use std::cell::Cell;
use std::fmt;
use std::io;

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
    context_before: usize,
    context_after: usize,
    /// So many matches are not given: an earlier page has.
    skip: u64,
    /// Whether a match that is not given may still be context of the first that is.
    resumes: bool,
    /// Where the text ends because a NUL follows: a last line without an end is not whole.
    nul_at: &'a Cell<Option<u64>>,
    found: FileMatches,
}

/// A line as a search of any kind finds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundLine<'a> {
    pub(super) number: u64,
    pub(super) offset: u64,
    /// The bytes with their line end; in multi-line search of several lines.
    pub(super) bytes: &'a [u8],
    /// A few bytes that stand before it, where they are known.
    pub(super) before: &'a [u8],
    /// For a piece of a line that could not be held: where it starts in the line, and how long the
    /// line is without its end.
    pub(super) piece: Option<(usize, usize)>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(
        matcher: &'a BudgetedMatcher<'a>,
        mode: Mode,
        limits: &'a Limits,
        (context_before, context_after): (usize, usize),
        skip: u64,
        nul_at: &'a Cell<Option<u64>>,
    ) -> Collector<'a> {
        let of_file = limits.matches_per_file_max.saturating_sub(skip);
        Collector {
            matcher,
            mode,
            limits,
            matches_max: of_file.min(limits.matches_max),
            context_before,
            context_after,
            skip,
            resumes: skip > 0,
            nul_at,
            found: FileMatches::empty(),
        }
    }

    /// Where a NUL ended the search of the file.
    pub(super) fn nul_at(&self) -> Option<u64> {
        self.nul_at.get()
    }

    /// What was found, if anything was; `stopped` when the budget ended the search of the file.
    pub(super) fn finish(
        mut self,
        stopped: bool,
        path: impl FnOnce() -> RelPath,
    ) -> Option<FileMatches> {
        if self.found.n_matches == 0 {
            self.found.lines.clear();
            self.found.output_bytes = 0;
            self.found.cut?;
        }
        if stopped {
            self.found.cut.get_or_insert(StopReason::Deadline);
        }
        self.found.trim_context(self.context_after);
        self.found.path = path();
        self.found.binary_after = self.nul_at.get();
        Some(self.found)
    }

    /// Takes a matching line. Returns whether the search goes on.
    pub(super) fn take_match(&mut self, line: FoundLine<'_>) -> Result<bool, Halt> {
        if self.is_torn(&line) {
            return Ok(false);
        }
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(self.take_context(line));
        }
        let found = &mut self.found;
        if found.n_matches >= self.matches_max {
            found.cut = Some(StopReason::Limit);
            // It may still be context of the last one that is given.
            return Ok(self.is_context_after(&line) && self.take_context(line));
        }
        match self.mode {
            Mode::Files => {
                found.n_matches = 1;
                return Ok(false);
            }
            Mode::Count => found.n_matches += 1,
            Mode::Content => {
                let spans = self.spans(&line)?;
                self.begin(line.number);
                if !self.push(&line, spans, true) {
                    return Ok(false);
                }
                self.found.n_matches += 1;
            }
        }
        Ok(true)
    }

    /// Takes a line of context. Returns whether the search goes on.
    pub(super) fn take_context(&mut self, line: FoundLine<'_>) -> bool {
        if self.is_torn(&line) {
            return false;
        }
        if self.mode != Mode::Content {
            return self.found.cut.is_none();
        }
        if self.found.cut.is_some() && !self.is_context_after(&line) {
            return false;
        }
        if self.resumes && self.found.lines.len() > self.context_before {
            let first = self.found.lines.remove(0);
            self.found.output_bytes -= first.output_bytes();
        }
        self.push(&line, Vec::new(), false)
    }

    /// Before the first match that is given: takes away what is no context of it.
    fn begin(&mut self, number: u64) {
        if std::mem::take(&mut self.resumes) {
            let first = number.saturating_sub(self.context_before as u64);
            self.found.lines.retain(|line| line.last_number >= first);
            self.found.output_bytes = self.found.lines.iter().map(Line::output_bytes).sum();
        }
    }

    /// Whether the line is near enough behind the last match that was given.
    fn is_context_after(&self, line: &FoundLine<'_>) -> bool {
        let last = self.found.lines.iter().rev().find(|line| line.is_match);
        last.is_some_and(|last| line.number <= last.last_number + self.context_after as u64)
    }

    /// The matches in a line, as far as they are wanted or needed to choose what to show.
    fn spans(&self, line: &FoundLine<'_>) -> Result<Vec<Span>, Halt> {
        let text = text_of(line.bytes);
        let is_long = text.len() > self.limits.line_bytes_max;
        let spans_max = self.limits.spans_per_line_max.max(usize::from(is_long));
        if spans_max == 0 {
            return Ok(Vec::new());
        }
        // Across lines a match may hold the line end; by line it is no part of what is searched.
        let searched = match line.bytes.strip_suffix(b"\n") {
            Some(searched) if !self.matcher.pattern.is_multi_line() => searched,
            _ => line.bytes,
        };
        // A piece from the middle of a line has something before it, which decides about its start.
        let looked_behind = line.piece.is_some_and(|(start, _)| start > 0);
        let at = if looked_behind { LOOK_BYTES.min(searched.len()) } else { 0 };
        let spans = self.matcher.spans_at(searched, at, spans_max);
        let mut spans = spans.map_err(|_| Halt::Stopped)?;
        if spans.is_empty() {
            spans = self.spans_in_context(line.before, searched, spans_max)?;
        }
        spans.truncate(spans_max);
        for span in &mut spans {
            // A match may reach into the line end, which is not text.
            span.end = span.end.min(text.len()).max(span.start);
        }
        Ok(spans)
    }

    /// The matches in a line that has some only because of what stands before it: beside bytes that
    /// are not UTF-8 a word boundary may look so far.
    fn spans_in_context(
        &self,
        before: &[u8],
        searched: &[u8],
        spans_max: usize,
    ) -> Result<Vec<Span>, Halt> {
        if before.is_empty() {
            return Ok(Vec::new());
        }
        let joined = [before, searched].concat();
        let spans = self.matcher.spans_at(&joined, before.len(), spans_max);
        let mut spans = spans.map_err(|_| Halt::Stopped)?;
        for span in &mut spans {
            span.start -= before.len();
            span.end -= before.len();
        }
        Ok(spans)
    }

    fn push(&mut self, line: &FoundLine<'_>, mut spans: Vec<Span>, is_match: bool) -> bool {
        let text = text_of(line.bytes);
        let shown = spans.first().map_or(0..0, |span| span.start..span.end);
        let window = excerpt::window(text, shown, self.limits.line_bytes_max);
        let (piece_start, line_len) = line.piece.unwrap_or((0, text.len()));
        spans.truncate(self.limits.spans_per_line_max);
        for span in &mut spans {
            span.start += piece_start;
            span.end += piece_start;
        }
        let line = Line {
            is_match,
            number: line.number,
            last_number: line.number + memchr::memchr_iter(b'\n', text).count() as u64,
            offset: line.offset,
            text_start: piece_start + window.start,
            text: text[window].to_vec(),
            line_len,
            spans,
        };
        let output_bytes = self.found.output_bytes + line.output_bytes();
        if output_bytes > self.limits.output_bytes_max {
            self.found.cut = Some(StopReason::ByteBudget);
            return false;
        }
        self.found.output_bytes = output_bytes;
        self.found.lines.push(line);
        true
    }

    /// Whether the line is the rest before a NUL, which is not searched.
    fn is_torn(&self, line: &FoundLine<'_>) -> bool {
        let len = line.piece.map_or(line.bytes.len(), |(_, line_len)| line_len);
        !line.bytes.ends_with(b"\n") && self.nul_at.get() == Some(line.offset + len as u64)
    }
}

impl Sink for Collector<'_> {
    type Error = Halt;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Halt> {
        self.take_match(FoundLine {
            number: found.line_number().unwrap_or(0),
            offset: found.absolute_byte_offset(),
            bytes: found.bytes(),
            before: {
                let start = found.bytes_range_in_buffer().start;
                &found.buffer()[start.saturating_sub(LOOK_BYTES)..start]
            },
            piece: None,
        })
    }

    fn context(&mut self, _searcher: &Searcher, found: &SinkContext<'_>) -> Result<bool, Halt> {
        Ok(self.take_context(FoundLine {
            number: found.line_number().unwrap_or(0),
            offset: found.absolute_byte_offset(),
            bytes: found.bytes(),
            before: b"",
            piece: None,
        }))
    }
}

impl Line {
    /// What the line adds to the output, and to memory.
    fn output_bytes(&self) -> usize {
        size_of::<Line>() + self.text.len() + size_of_val(self.spans.as_slice())
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

    /// What the file adds to the output, with its path.
    pub(super) fn all_output_bytes(&self) -> usize {
        size_of::<FileMatches>() + self.path.as_bytes().len() + self.output_bytes
    }

    /// Keeps only the first `n_matches` matching lines, and the context that belongs to them, which
    /// further ones may be.
    pub(super) fn truncate(&mut self, n_matches: u64, context_after: usize) {
        let matching = self.lines.iter_mut().filter(|line| line.is_match);
        for line in matching.skip(usize::try_from(n_matches).unwrap_or(usize::MAX)) {
            line.is_match = false;
            line.spans = Vec::new();
        }
        self.n_matches = self.n_matches.min(n_matches);
        let n_lines = self.lines.len();
        self.truncate_lines(n_lines, context_after);
    }

    /// Keeps only as many lines as add at most `bytes_max` to the output.
    pub(super) fn truncate_bytes(&mut self, bytes_max: usize, context_after: usize) {
        let mut bytes = self.all_output_bytes() - self.output_bytes;
        let fits = self.lines.iter().take_while(|line| {
            bytes += line.output_bytes();
            bytes <= bytes_max
        });
        let fits = fits.count();
        self.truncate_lines(fits, context_after);
        self.n_matches = self.lines.iter().filter(|line| line.is_match).count() as u64;
    }

    fn truncate_lines(&mut self, n_lines: usize, context_after: usize) {
        self.lines.truncate(n_lines);
        self.trim_context(context_after);
        self.output_bytes = self.lines.iter().map(Line::output_bytes).sum();
    }

    /// Takes away context that stood before a match which was cut off.
    fn trim_context(&mut self, context_after: usize) {
        let last_match = self.lines.iter().rev().find(|line| line.is_match);
        let last = last_match.map_or(0, |line| line.last_number);
        while self.lines.last().is_some_and(|line| {
            !line.is_match && line.number > last.saturating_add(context_after as u64)
        }) {
            self.lines.pop();
        }
    }
}
