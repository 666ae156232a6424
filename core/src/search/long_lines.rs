//! Files with a line too long to be held: line by line, and such a line in overlapping parts.
//!
//! Slower than the searcher and rarely needed. Memory stays bounded by two line buffers. In a line
//! longer than 8 MiB a match is found if it is shorter than the overlap; the caller warns of that.

use super::collect::{Collector, FoundLine, Halt};
use super::reader::LINE_BYTES_MAX;
use crate::lines::text_of;
use crate::pattern::{BudgetedMatcher, Pattern};
use grep_matcher::Matcher;
use std::collections::VecDeque;
use std::io::Read;

/// Parts of an overlong line overlap by this much: the longest match that is surely found in one.
const OVERLAP_BYTES: usize = LINE_BYTES_MAX / 2;
const READ_BYTES: usize = 256 * 1024;
/// Context keeps this much of an overlong line.
const CONTEXT_BYTES: usize = 64 * 1024;

/// The buffer between the reader and the lines: what is not yet searched of the text.
struct Window<R> {
    reader: R,
    bytes: Vec<u8>,
    at_end: bool,
}

impl<R: Read> Window<R> {
    /// Reads on. Returns false at the end of the text.
    fn fill(&mut self) -> Result<bool, Halt> {
        let len = self.bytes.len();
        self.bytes.resize(len + READ_BYTES, 0);
        match self.reader.read(&mut self.bytes[len..]) {
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
}

struct Context {
    before: usize,
    after: usize,
    /// Lines that may become the context of a match: number, offset, bytes.
    kept: VecDeque<(u64, u64, Vec<u8>)>,
    after_left: usize,
}

/// Searches `reader` by line. Returns whether some line was longer than a line buffer.
pub(super) fn search(
    matcher: &BudgetedMatcher<'_>,
    reader: impl Read,
    (context_before, context_after): (usize, usize),
    collector: &mut Collector<'_>,
) -> Result<bool, Halt> {
    let mut window = Window { reader, bytes: Vec::new(), at_end: false };
    let mut context = Context {
        before: context_before,
        after: context_after,
        kept: VecDeque::new(),
        after_left: 0,
    };
    let (mut number, mut offset, mut any_long) = (1, 0, false);
    loop {
        let mut searched_to = 0;
        let line_end = loop {
            let new = &window.bytes[searched_to..];
            if let Some(line_end) = memchr::memchr(b'\n', new) {
                break Some(searched_to + line_end + 1);
            }
            searched_to = window.bytes.len();
            if searched_to > LINE_BYTES_MAX || !window.fill()? {
                break None;
            }
        };
        let go_on = match line_end {
            Some(line_end) => {
                let line = &window.bytes[..line_end];
                let matches = matches(matcher, line)?;
                let go_on = context.take(collector, number, offset, line, matches)?;
                offset += line_end as u64;
                window.bytes.drain(..line_end);
                go_on
            }
            None if window.at_end => {
                let line = &window.bytes;
                if !line.is_empty() {
                    let matches = matches(matcher, line)?;
                    context.take(collector, number, offset, line, matches)?;
                }
                return Ok(any_long);
            }
            None => {
                any_long = true;
                let (len, found) = search_overlong(matcher, &mut window)?;
                let part = found.as_deref().unwrap_or_default();
                let go_on = context.take(collector, number, offset, part, found.is_some())?;
                offset += len;
                go_on
            }
        };
        if !go_on {
            return Ok(any_long);
        }
        number += 1;
    }
}

fn matches(matcher: &BudgetedMatcher<'_>, line: &[u8]) -> Result<bool, Halt> {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    if !matcher.pattern.may_match(text) {
        return Ok(false);
    }
    matcher.is_match(text).map_err(|_| Halt::Stopped)
}

/// Searches the rest of a line that fills the window, part by part. Returns how long the line was
/// with its end, and the part that the first match is in.
fn search_overlong<R: Read>(
    matcher: &BudgetedMatcher<'_>,
    window: &mut Window<R>,
) -> Result<(u64, Option<Vec<u8>>), Halt> {
    let pattern: &Pattern = matcher.pattern;
    let (mut len, mut found, mut excluded) = (0, None, false);
    loop {
        let line_end = memchr::memchr(b'\n', &window.bytes);
        let part_end = line_end.unwrap_or(window.bytes.len());
        let part = &window.bytes[..part_end];
        let is_last = line_end.is_some() || window.at_end;
        excluded |= matcher.exclude.is_some_and(|exclude| exclude.find(part).is_some());
        if found.is_none() && pattern.may_match(part) {
            let first = matcher.find_at(part, 0).map_err(|_| Halt::Stopped)?;
            // What ends where the part ends may only seem to: the next part decides.
            if let Some(first) = first.filter(|first| is_last || first.end() < part_end) {
                let start = first.start().saturating_sub(CONTEXT_BYTES / 2);
                let end = (first.end() + CONTEXT_BYTES / 2).min(part_end);
                found = Some(part[start..end].to_vec());
            }
        }
        if is_last {
            let taken = line_end.map_or(part_end, |line_end| line_end + 1);
            window.bytes.drain(..taken);
            return Ok((len + taken as u64, found.filter(|_| !excluded)));
        }
        let passed = window.bytes.len().saturating_sub(OVERLAP_BYTES);
        window.bytes.drain(..passed);
        len += passed as u64;
        while window.bytes.len() <= LINE_BYTES_MAX
            && memchr::memchr(b'\n', &window.bytes).is_none()
            && window.fill()?
        {}
    }
}

impl Context {
    fn take(
        &mut self,
        collector: &mut Collector<'_>,
        number: u64,
        offset: u64,
        line: &[u8],
        matches: bool,
    ) -> Result<bool, Halt> {
        if matches {
            for (number, offset, line) in self.kept.drain(..) {
                if !collector.take_context(FoundLine { number, offset, bytes: &line, piece: None })
                {
                    return Ok(false);
                }
            }
            self.after_left = self.after;
            return collector.take_match(FoundLine { number, offset, bytes: line, piece: None });
        }
        if self.after_left > 0 {
            self.after_left -= 1;
            return Ok(collector.take_context(FoundLine {
                number,
                offset,
                bytes: line,
                piece: None,
            }));
        }
        if self.before > 0 {
            if self.kept.len() == self.before {
                self.kept.pop_front();
            }
            let text = text_of(line);
            self.kept.push_back((number, offset, text[..text.len().min(CONTEXT_BYTES)].to_vec()));
        }
        Ok(true)
    }
}
