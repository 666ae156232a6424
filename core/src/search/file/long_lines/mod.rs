//! Files with a line too long for memory: runs of whole lines, and the long line in overlapping parts.
//!
//! Rarely needed. Memory is bounded by two line buffers and the context. In a line longer than 8 MiB a match
//! is found if one part contains all of it, which is certain up to the size of the overlap; the caller warns
//! of that.

use crate::pattern::{BudgetedMatcher, LOOK_BYTES};
use crate::room;
use crate::search::file::collect::{Collector, FoundLine, Halt};
use crate::search::file::context::Context;
use crate::search::file::reader::LINE_BYTES_MAX;
use grep_matcher::{LineMatchKind, Matcher};
use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::Range;

/// The overlap between parts of an overlong line: the longest match certain to be within one part.
const OVERLAP_BYTES: usize = LINE_BYTES_MAX / 2;
const READ_BYTES: usize = 256 * 1024;
/// The size of the excerpt of an overlong line, around its match or as context.
const PIECE_BYTES: usize = 64 * 1024;
/// Bound on lines kept as possible context; the oldest are dropped first.
const KEPT_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Searches `reader` by line. Returns whether a line was longer than a line buffer.
pub(super) fn search(
    matcher: &BudgetedMatcher<'_>,
    reader: impl Read,
    context: Context,
    collector: &mut Collector<'_>,
) -> Result<bool, Halt> {
    let mut window = Window { reader, bytes: Vec::new(), start: 0, at_end: false };
    let mut lines = Lines {
        matcher,
        collector,
        kept: Kept { lines: VecDeque::new(), lines_max: context.before, bytes: 0 },
        after: context.after,
        after_left: 0,
        number: 1,
        offset: 0,
    };
    let mut any_long = false;
    loop {
        let whole = window.whole_lines()?;
        let go_on = if whole > 0 {
            let go_on = lines.search(&window.rest()[..whole])?;
            window.pass(whole);
            go_on
        } else if window.at_end {
            // The last line has no line end.
            lines.search(window.rest())?;
            false
        } else {
            any_long = true;
            let overlong = Overlong::search(matcher, &mut window)?;
            lines.take_overlong(&overlong)?
        };
        if !go_on {
            return Ok(any_long);
        }
    }
}

/// The buffer between the reader and the lines, with the text that is not searched yet.
struct Window<R> {
    reader: R,
    bytes: Vec<u8>,
    start: usize,
    at_end: bool,
}

impl<R: Read> Window<R> {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    fn pass(&mut self, n: usize) {
        self.start += n;
    }

    /// Reads more. Returns false at the end of the text.
    fn fill(&mut self) -> Result<bool, Halt> {
        // Only once half the buffer is consumed, so that each byte is moved at most once.
        if self.start > self.bytes.len() / 2 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        let len = self.bytes.len();
        let room = room::resize(&mut self.bytes, len + READ_BYTES).map_err(io::Error::from);
        match room.and_then(|()| self.reader.read(&mut self.bytes[len..])) {
            Ok(n) => {
                self.bytes.truncate(len + n);
                self.at_end |= n == 0;
                Ok(n > 0)
            }
            Err(error) => {
                self.bytes.truncate(len);
                Err(grep_searcher::SinkError::error_io(error))
            }
        }
    }

    /// Reads until the buffer contains a whole line. Returns the length of all whole lines: 0 at the end of
    /// the text or in a line that is too long.
    fn whole_lines(&mut self) -> Result<usize, Halt> {
        let mut seen = 0;
        loop {
            if let Some(line_end) = memchr::memrchr(b'\n', &self.rest()[seen..]) {
                return Ok(seen + line_end + 1);
            }
            seen = self.rest().len();
            if seen > LINE_BYTES_MAX || !self.fill()? {
                return Ok(0);
            }
        }
    }

    /// Reads the rest of a line, up to the size of a part. Returns the end of the line if the part contains
    /// it.
    fn part(&mut self) -> Result<Option<usize>, Halt> {
        let mut seen = 0;
        loop {
            if let Some(line_end) = memchr::memchr(b'\n', &self.rest()[seen..]) {
                return Ok(Some(seen + line_end));
            }
            seen = self.rest().len();
            if seen > LINE_BYTES_MAX || !self.fill()? {
                return Ok(None);
            }
        }
    }
}

/// An overlong line after its search.
struct Overlong {
    /// With its line end.
    bytes_passed: u64,
    /// Without its line end.
    len: usize,
    matches: bool,
    /// The excerpt, and its start in the line.
    piece: Vec<u8>,
    piece_start: usize,
}

impl Overlong {
    /// Searches a line that fills the window, part by part up to its first match, and consumes it.
    fn search<R: Read>(
        matcher: &BudgetedMatcher<'_>,
        window: &mut Window<R>,
    ) -> Result<Overlong, Halt> {
        let mut line = Overlong {
            bytes_passed: 0,
            len: 0,
            matches: false,
            piece: window.rest()[..PIECE_BYTES].to_vec(),
            piece_start: 0,
        };
        // The start of the part in the line, and the number of its bytes that only look-behind may see.
        let (mut start, mut behind, mut excluded) = (0, 0, false);
        loop {
            let line_end = window.part()?;
            let is_last = line_end.is_some() || window.at_end;
            let part = &window.rest()[..line_end.unwrap_or(window.rest().len())];
            excluded |= matcher.exclude.is_some_and(|exclude| exclude.find(part).is_some());
            if !line.matches
                && let Some(found) = first_match(matcher, part, behind, is_last)?
            {
                let from = found.start.saturating_sub(PIECE_BYTES / 2);
                let to = part.len().min(found.end + PIECE_BYTES / 2);
                line.matches = true;
                line.piece = part[from..to].to_vec();
                line.piece_start = start + from;
            }
            if is_last {
                line.len = start + part.len();
                let taken = part.len() + usize::from(line_end.is_some());
                let ends_in_crlf = line_end.is_some() && part.ends_with(b"\r");
                line.bytes_passed = (start + taken) as u64;
                window.pass(taken);
                line.trim(ends_in_crlf);
                line.matches &= !excluded;
                return Ok(line);
            }
            let passed = part.len() - OVERLAP_BYTES - LOOK_BYTES;
            behind = LOOK_BYTES;
            start += passed;
            window.pass(passed);
        }
    }

    /// Removes the carriage return before a line feed, which is not part of the text.
    fn trim(&mut self, ends_in_crlf: bool) {
        self.len -= usize::from(ends_in_crlf);
        self.piece.truncate(self.len - self.piece_start);
    }
}

/// Returns the first match in `part` that more text cannot invalidate.
fn first_match(
    matcher: &BudgetedMatcher<'_>,
    part: &[u8],
    behind: usize,
    is_last: bool,
) -> Result<Option<Range<usize>>, Halt> {
    if !matcher.pattern.may_match(part, matcher.budget) {
        return Ok(None);
    }
    let found = matcher.earliest(part, behind).map_err(|_| Halt::Stopped)?;
    // Near the end of the part an assertion may only seem to hold: the next part decides.
    let found = found.filter(|found| is_last || found.end() + LOOK_BYTES <= part.len());
    Ok(found.map(|found| found.start()..found.end()))
}

/// The state of a search line by line.
struct Lines<'a, 'c> {
    matcher: &'a BudgetedMatcher<'a>,
    collector: &'a mut Collector<'c>,
    kept: Kept,
    after: usize,
    after_left: usize,
    /// The number of the next line.
    number: u64,
    offset: u64,
}

impl Lines<'_, '_> {
    /// Searches and consumes whole lines. Returns whether to continue.
    fn search(&mut self, text: &[u8]) -> Result<bool, Halt> {
        let mut at = 0;
        while at < text.len() {
            let found = next_match(self.matcher, text, at)?;
            let found = found.unwrap_or(text.len()..text.len());
            if !self.pass(&text[at..found.start])? {
                return Ok(false);
            }
            at = found.end;
            if !found.is_empty() {
                let (number, offset, bytes) = (self.number, self.offset, &text[found]);
                let line = FoundLine { number, offset, bytes, before: b"", piece: None };
                if !self.take_match(line, bytes.len() as u64)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn take_overlong(&mut self, line: &Overlong) -> Result<bool, Halt> {
        let found = FoundLine {
            number: self.number,
            offset: self.offset,
            bytes: &line.piece,
            before: b"",
            piece: Some((line.piece_start, line.len)),
        };
        if line.matches {
            return self.take_match(found, line.bytes_passed);
        }
        let go_on = self.take_quiet(found);
        self.number += 1;
        self.offset += line.bytes_passed;
        Ok(go_on)
    }

    fn take_match(&mut self, line: FoundLine<'_>, bytes_passed: u64) -> Result<bool, Halt> {
        if !self.kept.give(self.collector) {
            return Ok(false);
        }
        self.after_left = self.after;
        self.number += 1;
        self.offset += bytes_passed;
        self.collector.take_match(line)
    }

    /// Consumes lines that do not match. Returns whether to continue.
    fn pass(&mut self, text: &[u8]) -> Result<bool, Halt> {
        let mut at = 0;
        while self.after_left > 0 && at < text.len() {
            let line = next_line(&text[at..]);
            if !self.take_quiet(self.line(line)) {
                return Ok(false);
            }
            self.number += 1;
            self.offset += line.len() as u64;
            at += line.len();
        }
        let text = &text[at..];
        let keep_from = last_lines(text, self.kept.lines_max);
        self.number += memchr::memchr_iter(b'\n', &text[..keep_from]).count() as u64;
        self.offset += keep_from as u64;
        let mut at = keep_from;
        while at < text.len() {
            let line = next_line(&text[at..]);
            self.kept.push(self.line(line));
            self.number += 1;
            self.offset += line.len() as u64;
            at += line.len();
        }
        Ok(true)
    }

    fn line<'t>(&self, bytes: &'t [u8]) -> FoundLine<'t> {
        FoundLine { number: self.number, offset: self.offset, bytes, before: b"", piece: None }
    }

    /// Takes a line that does not match: context of the match before it, or perhaps of the next.
    fn take_quiet(&mut self, line: FoundLine<'_>) -> bool {
        if self.after_left > 0 {
            self.after_left -= 1;
            return self.collector.take_context(line);
        }
        self.kept.push(line);
        true
    }
}

/// Returns the next matching line of `text` after the line start `at`.
fn next_match(
    matcher: &BudgetedMatcher<'_>,
    text: &[u8],
    at: usize,
) -> Result<Option<Range<usize>>, Halt> {
    if !matcher.pattern.may_match(&text[at..], matcher.budget) {
        return Ok(None);
    }
    // Without a line terminator the pattern contains anchors for the ends of a line, which hold only if the
    // line is searched alone.
    let by_line = matcher.line_terminator().is_none();
    let mut at = at;
    while at < text.len() {
        let (hit, is_sure) = if by_line {
            (at, false)
        } else {
            match matcher.find_candidate_line(&text[at..]).map_err(|_| Halt::Stopped)? {
                None => return Ok(None),
                Some(LineMatchKind::Confirmed(hit)) => (at + hit, true),
                Some(LineMatchKind::Candidate(hit)) => (at + hit, false),
            }
        };
        let start = memchr::memrchr(b'\n', &text[at..hit]).map_or(at, |line_end| at + line_end + 1);
        if start == text.len() {
            return Ok(None);
        }
        let line = next_line(&text[start..]);
        let searched = line.strip_suffix(b"\n").unwrap_or(line);
        if is_sure || matcher.is_match(searched).map_err(|_| Halt::Stopped)? {
            return Ok(Some(start..start + line.len()));
        }
        at = start + line.len();
    }
    Ok(None)
}

fn next_line(text: &[u8]) -> &[u8] {
    &text[..memchr::memchr(b'\n', text).map_or(text.len(), |line_end| line_end + 1)]
}

/// Returns the start of the last `n` lines of `text`, or of those that may be kept.
fn last_lines(text: &[u8], n: usize) -> usize {
    let mut start = text.len();
    for _ in 0..n {
        if start == 0 || text.len() - start > KEPT_BYTES_MAX {
            break;
        }
        start = memchr::memrchr(b'\n', &text[..start - 1]).map_or(0, |line_end| line_end + 1);
    }
    start
}

/// The last lines before the next match.
struct Kept {
    lines: VecDeque<KeptLine>,
    lines_max: usize,
    bytes: usize,
}

struct KeptLine {
    number: u64,
    offset: u64,
    bytes: Vec<u8>,
    piece: Option<(usize, usize)>,
}

impl KeptLine {
    /// Returns the memory of the line, its fixed part included.
    fn size(&self) -> usize {
        self.bytes.len() + size_of::<KeptLine>()
    }
}

impl Kept {
    fn push(&mut self, line: FoundLine<'_>) {
        if self.lines_max == 0 {
            return;
        }
        let (mut bytes, mut piece) = (line.bytes, line.piece);
        if bytes.len() > PIECE_BYTES {
            let text = crate::lines::text_of(bytes);
            piece = piece.or(Some((0, text.len())));
            bytes = &text[..PIECE_BYTES.min(text.len())];
        }
        let FoundLine { number, offset, .. } = line;
        let line = KeptLine { number, offset, bytes: bytes.to_vec(), piece };
        self.bytes += line.size();
        self.lines.push_back(line);
        while self.lines.len() > self.lines_max || self.bytes > KEPT_BYTES_MAX {
            let oldest = self.lines.pop_front();
            self.bytes -= oldest.map_or(0, |line| line.size());
        }
    }

    /// Hands over the lines as context. Returns whether to continue.
    fn give(&mut self, collector: &mut Collector<'_>) -> bool {
        self.bytes = 0;
        self.lines.drain(..).all(|line| {
            let KeptLine { number, offset, ref bytes, piece } = line;
            collector.take_context(FoundLine { number, offset, bytes, before: b"", piece })
        })
    }
}

#[cfg(test)]
mod tests;
