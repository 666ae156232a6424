//! Collects the matching lines of one file and their context, within the limits.

use super::blocks::{SPANS_MAX as BLOCK_SPANS_MAX, blocks};
use super::context::Context;
use super::form::{Origin, OriginalLine};
use super::limits::FileLimits;
use super::parts::{Handover, PartsSent};
use crate::budget::{StopReason, Stopped};
use crate::excerpt;
use crate::lines::text_of;
use crate::pattern::{BudgetedMatcher, LOOK_BYTES, Span};
use crate::room;
use crate::search::syntax::file::FileSyntax;
use crate::search::{FileMatches, Line, Mode};
use crate::syntax::UseKind;
use crate::workspace::RelPath;
use encoding_rs::Encoding;
use grep_searcher::{Searcher, Sink, SinkContext, SinkError, SinkMatch};
use std::cell::Cell;
use std::fmt;
use std::io;
use std::ops::Range;

/// Reason why the search of a file ended early.
#[derive(Debug)]
pub(super) enum Halt {
    /// The budget ended it.
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
            // The searcher's own error: a line and its context exceed its memory limit.
            None if error.kind() == io::ErrorKind::Other => Halt::LongLine,
            None => Halt::Io(error),
        }
    }
}

/// Error by which our readers end the searcher.
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

/// Number of multi-line matches that are found before their results are taken.
const STRETCH_SPANS: usize = 1_024;

/// Collects the results of one file.
pub(super) struct Collector<'a> {
    matcher: &'a BudgetedMatcher<'a>,
    /// Only where the request needs it.
    syntax: Option<&'a FileSyntax<'a>>,
    mode: Mode,
    limits: &'a FileLimits,
    matches_max: u64,
    context: Context,
    /// Number of matches left to skip, because an earlier page has them.
    skip: u64,
    /// Whether `found` may contain lines that turn out not to be context: matches that are not reported, and
    /// lines kept from the last part. They are dropped as soon as a later line decides.
    is_loose: bool,
    /// Number of matching lines outside the requested search context.
    n_elsewhere: u64,
    /// The index of the first line after the last match.
    behind_match: usize,
    /// Whether the collector has refused a line. After the last match of a file the searcher ignores that and
    /// still delivers the trailing context it believes is missing, so every later line is dropped.
    is_over: bool,
    /// The end of the text where a NUL follows: a last line without a line end is incomplete.
    nul_at: &'a Cell<Option<u64>>,
    parts: PartsSent<'a>,
    /// Where the text has another form than the file.
    origin: Option<Origin<'a>>,
    found: FileMatches,
}

/// A line as any of the searches finds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundLine<'a> {
    pub(super) number: u64,
    pub(super) offset: u64,
    /// The bytes with their line end; several lines in multi-line search.
    pub(super) bytes: &'a [u8],
    /// A few bytes before it, where they are known.
    pub(super) before: &'a [u8],
    /// For a piece of a line that did not fit in memory: its start in the line, and the length of the line
    /// without its end.
    pub(super) piece: Option<(usize, usize)>,
}

impl<'a> FoundLine<'a> {
    /// Returns some whole lines of it.
    fn part(&self, range: Range<usize>) -> FoundLine<'a> {
        let n_before = memchr::memchr_iter(b'\n', &self.bytes[..range.start]).count() as u64;
        FoundLine {
            number: self.number + n_before,
            offset: self.offset + range.start as u64,
            bytes: &self.bytes[range],
            ..*self
        }
    }
}

impl<'a> Collector<'a> {
    pub(super) fn new(
        matcher: &'a BudgetedMatcher<'a>,
        syntax: Option<&'a FileSyntax<'a>>,
        mode: Mode,
        limits: &'a FileLimits,
        context: Context,
        Handover { skip, parts }: Handover<'a>,
        nul_at: &'a Cell<Option<u64>>,
    ) -> Collector<'a> {
        let of_file = limits.matches_per_file_max.saturating_sub(skip);
        Collector {
            matcher,
            syntax,
            mode,
            limits,
            matches_max: of_file.min(limits.matches_max),
            context,
            skip,
            is_loose: skip > 0 || syntax.is_some_and(FileSyntax::judges),
            n_elsewhere: 0,
            behind_match: 0,
            is_over: false,
            nul_at,
            parts: PartsSent::new(parts),
            origin: None,
            found: FileMatches::empty(),
        }
    }

    /// Returns the position of the NUL that ended the search of the file, in the text that was searched.
    pub(super) fn nul_at(&self) -> Option<u64> {
        self.nul_at.get()
    }

    /// Returns the way back to the file, where the text has another form.
    pub(super) fn origin(&mut self) -> Option<&mut Origin<'a>> {
        self.origin.as_mut()
    }

    /// Returns the number of matching lines outside the requested search context.
    pub(super) fn n_elsewhere(&self) -> u64 {
        self.n_elsewhere
    }

    /// Returns the number of matches handed over in parts.
    pub(super) fn n_given(&self) -> u64 {
        self.parts.n_matches
    }

    /// Returns whether the rest of the file remains to be searched.
    pub(super) fn has_rest(&self) -> bool {
        self.found.has_rest
    }

    /// Says whether the text comes out of a decoder, and which of several encodings it was in.
    pub(super) fn of_decoded(
        mut self,
        is_decoded: bool,
        encoding: Option<&'static Encoding>,
    ) -> Collector<'a> {
        self.found.is_decoded = is_decoded || encoding.is_some();
        self.found.encoding = encoding.map(Encoding::name);
        self
    }

    /// Takes the way back to the file, where the text has another form.
    pub(super) fn with_origin(mut self, origin: Option<Origin<'a>>) -> Collector<'a> {
        self.origin = origin;
        self
    }

    /// Returns the result, if there is one; `stopped` if the budget ended the search of the file.
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
        self.found.trim_context(self.context);
        self.found.path = path();
        let budget = self.matcher.budget;
        self.found.binary_after = self.nul_at.get().map(|nul| match &mut self.origin {
            Some(origin) => origin.byte_at(nul, budget).unwrap_or(nul),
            None => nul,
        });
        Some(self.found)
    }

    /// Takes a matching line. Returns whether to continue.
    pub(super) fn take_match(&mut self, line: FoundLine<'_>) -> Result<bool, Halt> {
        self.is_over = self.is_over || !(self.judge(line)? && self.goes_on());
        Ok(!self.is_over)
    }

    /// Takes a line of context. Returns whether to continue.
    pub(super) fn take_context(&mut self, line: FoundLine<'_>) -> bool {
        self.is_over = self.is_over || !(self.keep_context(line) && self.goes_on());
        !self.is_over
    }

    /// Hands over a part of the result if one is due. Returns whether to continue.
    fn goes_on(&mut self) -> bool {
        let n_given = self.parts.n_matches;
        if self.parts.give(&mut self.found, self.context) {
            self.matches_max -= self.parts.n_matches - n_given;
            // Lines kept from the last part may turn out to be near no match.
            self.is_loose = true;
            let last_match = self.found.lines.iter().rposition(|line| line.is_match);
            self.behind_match = last_match.map_or(0, |at| at + 1);
        }
        !self.parts.is_over
    }

    /// Takes a matching line; perhaps only some of its matches count.
    fn judge(&mut self, line: FoundLine<'_>) -> Result<bool, Halt> {
        if self.is_torn(&line) {
            return Ok(false);
        }
        if self.matcher.pattern.is_multi_line() && line.piece.is_none() {
            return self.judge_block(line);
        }
        let Some(syntax) = self.syntax.filter(|syntax| syntax.judges()) else {
            return self.give(line, None);
        };
        let spans = self.admitted(&line, syntax, 0, 1)?;
        if spans.is_empty() {
            self.n_elsewhere += 1;
            return Ok(self.take_as_context(line));
        }
        self.give(line, Some(spans))
    }

    /// Takes the lines of multi-line matches that touch: each match is a result of its own, and only matches
    /// whose lines overlap share one. The matches are found in stretches, because a block may be a whole file.
    fn judge_block(&mut self, line: FoundLine<'_>) -> Result<bool, Halt> {
        let (mut from, mut behind, mut n_spans) = (0, 0, STRETCH_SPANS);
        let mut has_any = false;
        loop {
            let spans = match self.syntax.filter(|syntax| syntax.judges()) {
                Some(syntax) => self.admitted(&line, syntax, from, n_spans)?,
                None => self.spans_from(&line, from, n_spans, &|_, _| Ok(true))?,
            };
            let is_last = spans.len() < n_spans;
            let mut results = blocks(line.bytes, spans);
            // Further matches may share the lines of the last result.
            if !is_last && results.len() == 1 && n_spans < BLOCK_SPANS_MAX {
                n_spans = BLOCK_SPANS_MAX;
                continue;
            }
            let open = if is_last || results.len() == 1 { None } else { results.pop() };
            from = match (&open, results.last()) {
                (Some((range, spans)), _) => {
                    range.start + spans.first().map_or(0, |span| span.start)
                }
                (None, Some((range, _))) => range.end,
                (None, None) => from,
            };
            for (range, mut spans) in results {
                has_any = true;
                cut_to(text_of(&line.bytes[range.clone()]), &mut spans);
                let between = self.take_as_context(line.part(behind..range.start));
                behind = range.end;
                if !between || !self.give(line.part(range), Some(spans))? {
                    return Ok(false);
                }
            }
            if is_last || from >= line.bytes.len() {
                break;
            }
        }
        if !has_any && self.syntax.is_none_or(|syntax| !syntax.judges()) {
            return self.give(line, None);
        }
        self.n_elsewhere += u64::from(!has_any);
        Ok(self.take_as_context(line.part(behind..line.bytes.len())))
    }

    /// Adds a matching line to the result. Returns whether to continue.
    fn give(&mut self, line: FoundLine<'_>, judged: Option<Vec<Span>>) -> Result<bool, Halt> {
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(self.take_as_context(line));
        }
        let found = &mut self.found;
        if found.n_matches >= self.matches_max {
            found.cut = Some(StopReason::Limit);
            // It may still be context of the last reported match.
            let is_context = !found.ends_before_context(line.number, self.context);
            return Ok(is_context && self.take_as_context(line));
        }
        match self.mode {
            Mode::Files => {
                found.n_matches = 1;
                return Ok(false);
            }
            Mode::Count => found.n_matches += 1,
            Mode::Content => {
                let spans = match judged {
                    Some(spans) => spans,
                    None => self.spans(&line, self.spans_max(&line), &|_, _| Ok(true))?,
                };
                let enclosing = self.enclosing(&line, &spans)?;
                let uses = self.uses(&line, &spans)?;
                self.drop_stale(line.number);
                if !self.push(&line, spans, true) {
                    return Ok(false);
                }
                self.found.n_matches += 1;
                self.behind_match = self.found.lines.len();
                self.label(enclosing, uses);
            }
        }
        Ok(true)
    }

    /// Takes a matching line that is not reported, or the lines of a multi-line match, as context.
    fn take_as_context(&mut self, line: FoundLine<'_>) -> bool {
        if line.piece.is_some() {
            return self.keep_context(line);
        }
        let mut rest = line;
        while !rest.bytes.is_empty() {
            let line_end = memchr::memchr(b'\n', rest.bytes);
            let len = line_end.map_or(rest.bytes.len(), |line_end| line_end + 1);
            if !self.keep_context(rest.part(0..len)) {
                return false;
            }
            rest = rest.part(len..rest.bytes.len());
        }
        true
    }

    fn keep_context(&mut self, line: FoundLine<'_>) -> bool {
        if self.is_torn(&line) {
            return false;
        }
        if self.mode != Mode::Content {
            return self.found.cut.is_none();
        }
        if self.found.cut.is_some() && self.found.ends_before_context(line.number, self.context) {
            return false;
        }
        self.drop_stale(line.number + 1);
        self.push(&line, Vec::new(), false)
    }

    /// Drops lines that are context neither of a match nor of one that may come at line `number`.
    fn drop_stale(&mut self, number: u64) {
        if self.is_loose {
            self.found.drop_stale(self.behind_match, number, self.context);
        }
    }

    /// Returns the number of matches of a line that are reported or needed to choose the excerpt.
    fn spans_max(&self, line: &FoundLine<'_>) -> usize {
        let is_long = text_of(line.bytes).len() > self.limits.line_bytes_max;
        self.limits.spans_per_line_max.max(usize::from(is_long))
    }

    /// Returns the matches of a line from byte `from` that are in the requested search context, at least
    /// `spans_min` if there are so many: the caller may want no spans.
    fn admitted(
        &self,
        line: &FoundLine<'_>,
        syntax: &FileSyntax<'_>,
        from: usize,
        spans_min: usize,
    ) -> Result<Vec<Span>, Halt> {
        // A file with a line that is searched in pieces is too large to be parsed.
        let is_admitted = |start: usize, end: usize| {
            syntax.admits(line.offset + start as u64, line.offset + end as u64)
        };
        let spans_max = match self.matcher.pattern.is_multi_line() {
            true => spans_min,
            false => self.spans_max(line).max(spans_min),
        };
        self.spans_from(line, from, spans_max, &is_admitted)
    }

    /// Returns the definition around the first match of a line, if the request wants it.
    fn enclosing(&self, line: &FoundLine<'_>, spans: &[Span]) -> Result<Option<Box<str>>, Halt> {
        let Some(syntax) = self.syntax.filter(|syntax| syntax.encloses()) else {
            return Ok(None);
        };
        let whole = 0..text_of(line.bytes).len();
        let range = spans.first().map_or(whole, |span| span.start..span.end);
        let (start, end) = (line.offset + range.start as u64, line.offset + range.end as u64);
        let enclosing = syntax.enclosing(start, end);
        enclosing.map_err(|Stopped| Halt::Stopped)
    }

    /// Returns the use of each match of a line, if the request wants them.
    fn uses(&self, line: &FoundLine<'_>, spans: &[Span]) -> Result<Option<Vec<UseKind>>, Halt> {
        let Some(syntax) = self.syntax.filter(|syntax| syntax.labels()) else {
            return Ok(None);
        };
        let mut uses = Vec::new();
        for span in spans {
            let (start, end) = (line.offset + span.start as u64, line.offset + span.end as u64);
            let use_kind = syntax.use_of(start, end).map_err(|Stopped| Halt::Stopped)?;
            room::push(&mut uses, use_kind)
                .map_err(|_| Halt::Io(io::ErrorKind::OutOfMemory.into()))?;
        }
        Ok(Some(uses))
    }

    /// Adds what the syntax says about the last line.
    fn label(&mut self, enclosing: Option<Box<str>>, uses: Option<Vec<UseKind>>) {
        let Some(line) = self.found.lines.last_mut() else { return };
        self.found.output_bytes -= line.output_bytes();
        line.enclosing = enclosing;
        line.uses = uses;
        if let Some(uses) = &mut line.uses {
            uses.truncate(line.spans.len());
        }
        self.found.output_bytes += line.output_bytes();
    }

    /// Returns the first matches in a line that `keeps` accepts.
    fn spans(
        &self,
        line: &FoundLine<'_>,
        spans_max: usize,
        keeps: &dyn Fn(usize, usize) -> Result<bool, Stopped>,
    ) -> Result<Vec<Span>, Halt> {
        let mut spans = self.spans_from(line, 0, spans_max, keeps)?;
        cut_to(text_of(line.bytes), &mut spans);
        Ok(spans)
    }

    /// Returns the first matches from byte `from` that `keeps` accepts. A multi-line match may end with the last
    /// line end; which lines it covers depends on it.
    fn spans_from(
        &self,
        line: &FoundLine<'_>,
        from: usize,
        spans_max: usize,
        keeps: &dyn Fn(usize, usize) -> Result<bool, Stopped>,
    ) -> Result<Vec<Span>, Halt> {
        if spans_max == 0 {
            return Ok(Vec::new());
        }
        let text = text_of(line.bytes);
        // A multi-line match may contain the line end; by line it is not part of the searched text.
        let searched = match line.bytes.strip_suffix(b"\n") {
            Some(searched) if !self.matcher.pattern.is_multi_line() => searched,
            _ => line.bytes,
        };
        // A piece from the middle of a line follows other bytes, which decide about assertions at its start.
        let looked_behind = line.piece.is_some_and(|(start, _)| start > 0);
        let at = if looked_behind { LOOK_BYTES.min(searched.len()) } else { from };
        // A match may reach into the line end. Only its part within the text decides.
        let keeps = &|start: usize, end: usize| {
            let end = end.min(text.len()).max(start);
            // It may also begin in the line end, after the text.
            let last = end.checked_sub(1).and_then(|last| text.get(last..=end));
            let is_before_line_end = last == Some(b"\r\n");
            keeps(start, if is_before_line_end { (end - 1).max(start) } else { end })
        };
        let spans = self.matcher.spans_at(searched, at, spans_max, keeps);
        let mut spans = spans.map_err(|_| Halt::Stopped)?;
        if spans.is_empty() && from == 0 {
            spans = self.spans_in_context(line.before, searched, spans_max, keeps)?;
        }
        spans.truncate(spans_max);
        if !self.matcher.pattern.is_multi_line() {
            cut_to(text, &mut spans);
        }
        Ok(spans)
    }

    /// Returns the matches in a line that matches only because of the bytes before it: beside invalid UTF-8 a
    /// word boundary may depend on them.
    fn spans_in_context(
        &self,
        before: &[u8],
        searched: &[u8],
        spans_max: usize,
        keeps: &dyn Fn(usize, usize) -> Result<bool, Stopped>,
    ) -> Result<Vec<Span>, Halt> {
        if before.is_empty() {
            return Ok(Vec::new());
        }
        let joined = [before, searched].concat();
        let n_before = before.len();
        let spans = self.matcher.spans_at(&joined, n_before, spans_max, &|start, end| {
            keeps(start - n_before, end - n_before)
        });
        let mut spans = spans.map_err(|_| Halt::Stopped)?;
        for span in &mut spans {
            span.start -= before.len();
            span.end -= before.len();
        }
        Ok(spans)
    }

    fn push(&mut self, line: &FoundLine<'_>, spans: Vec<Span>, is_match: bool) -> bool {
        let restored = match &mut self.origin {
            Some(origin) => origin.restore(*line, spans, self.matcher.budget),
            None => Ok(OriginalLine { line: *line, spans, file_spans: None }),
        };
        let Ok(OriginalLine { line, mut spans, mut file_spans }) = restored else {
            self.found.cut = Some(StopReason::Deadline);
            return false;
        };
        let text = text_of(line.bytes);
        let shown = spans.first().map_or(0..0, |span| span.start..span.end);
        let window = excerpt::window(text, shown, self.limits.line_bytes_max);
        let (piece_start, line_len) = line.piece.unwrap_or((0, text.len()));
        let spans_max = self.limits.spans_per_line_max;
        spans.truncate(spans_max);
        if let Some(file_spans) = &mut file_spans {
            file_spans.truncate(spans_max);
        }
        for span in &mut spans {
            span.start += piece_start;
            span.end += piece_start;
        }
        // A failed allocation counts as an exhausted byte budget.
        let has_room = self.found.lines.try_reserve(1);
        let Ok(shown) = has_room.and_then(|()| room::copy(&text[window.clone()])) else {
            self.found.cut = Some(StopReason::ByteBudget);
            return false;
        };
        let line = Line {
            is_match,
            number: line.number,
            last_number: line.number + memchr::memchr_iter(b'\n', text).count() as u64,
            offset: line.offset,
            text_start: piece_start + window.start,
            text: shown,
            line_len,
            spans,
            file_spans: file_spans.map(Vec::into_boxed_slice),
            enclosing: None,
            uses: None,
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

    /// Returns whether the line is the remainder before a NUL, which is not searched.
    fn is_torn(&self, line: &FoundLine<'_>) -> bool {
        let len = line.piece.map_or(line.bytes.len(), |(_, line_len)| line_len);
        !line.bytes.ends_with(b"\n") && self.nul_at.get() == Some(line.offset + len as u64)
    }
}

/// Cuts matches to the text: they may reach into the line end, which is not part of it.
fn cut_to(text: &[u8], spans: &mut [Span]) {
    for span in spans {
        span.end = span.end.min(text.len()).max(span.start);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halt_reasons_are_distinguished() {
        let halt = |error: io::Error| <Halt as SinkError>::error_io(error);
        assert!(matches!(halt(ReadHalt::Stopped.into()), Halt::Stopped));
        assert!(matches!(halt(ReadHalt::LongLine.into()), Halt::LongLine));
        assert!(matches!(halt(io::Error::other("too little memory")), Halt::LongLine));
        for kind in [io::ErrorKind::NotFound, io::ErrorKind::Interrupted] {
            assert!(matches!(halt(kind.into()), Halt::Io(error) if error.kind() == kind));
        }
        // EIO, whose kind has no name.
        assert!(matches!(halt(io::Error::from_raw_os_error(5)), Halt::Io(_)));
    }
}
