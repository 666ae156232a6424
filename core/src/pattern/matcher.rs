//! A [`Pattern`] under a budget: the matcher for `grep-searcher`, interruptible at every position.
//!
//! The ordinary engine gets pieces of text that take a few milliseconds at worst, cut at line ends where
//! matches cannot cross them. A longer line goes to the interruptible engine.

use super::ascii;
use super::stepped::StepCaches;
use super::{Pattern, Span};
use crate::budget::{Budget, Stopped};
use grep_matcher::{ByteSet, LineMatchKind, LineTerminator, Match, Matcher, NoCaptures};
use grep_regex::RegexMatcher;
use std::cell::RefCell;
use std::fmt;
use std::ops::Range;

/// Maximum cost of one uninterruptible call, in states times bytes: some 1.5 ns each where the lazy DFA
/// fails, so under 10 ms.
const WORK_PER_CALL: usize = 6_000_000;
/// Smaller windows would make the calls cost more than the search.
const WINDOW_BYTES_MIN: usize = 512;
/// The first piece of a text assumed to be ASCII: if it is not, little was searched twice. The following
/// pieces are larger, up to a quarter of the longest line assumed to be ASCII.
const ASCII_BYTES_FIRST: usize = 1024;
const ASCII_BYTES_MAX: usize = 256 * 1024;
/// The size of the first piece, and of a piece from a non-ASCII line on; the ordinary engine searches both.
const BESIDE_ASCII_BYTES: usize = 512;
/// The longest look-behind and look-ahead: one character.
pub(crate) const LOOK_BYTES: usize = 4;

/// Returns the maximum text for one uninterruptible call, if a byte costs `cost` states at worst.
pub(super) fn bytes_per_call(cost: usize) -> usize {
    WORK_PER_CALL.checked_div(cost).map_or(usize::MAX, |bytes| bytes.max(WINDOW_BYTES_MIN))
}

/// Memory of one thread for running a pattern through long lines, allocated on first use.
#[derive(Debug, Default)]
pub(crate) struct StepMemory(RefCell<StepCaches>);

/// A pattern for one search on one thread.
#[derive(Debug)]
pub(crate) struct BudgetedMatcher<'a> {
    pub(crate) pattern: &'a Pattern,
    pub(crate) budget: &'a Budget,
    pub(crate) memory: &'a StepMemory,
    /// Lines that contain this text do not match.
    pub(crate) exclude: Option<&'a memchr::memmem::Finder<'static>>,
}

/// Reason why the search for a match ended early.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MatchError {
    Stopped,
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped")
    }
}

impl From<Stopped> for MatchError {
    fn from(Stopped: Stopped) -> MatchError {
        MatchError::Stopped
    }
}

impl BudgetedMatcher<'_> {
    /// Returns the matches in `text` that start at `from` or later and that `keeps` accepts, in order, at
    /// most `spans_max` per pattern. The text before `from` is context. Matches do not overlap in a text that
    /// is too long to be searched at once.
    pub(crate) fn spans_at(
        &self,
        text: &[u8],
        from: usize,
        spans_max: usize,
        keeps: &dyn Fn(usize, usize) -> Result<bool, Stopped>,
    ) -> Result<Vec<Span>, MatchError> {
        let mut spans = Vec::new();
        let n_parts = self.pattern.parts.len();
        // In a long line only the joined patterns can be interrupted; which one matched is determined
        // afterwards.
        let as_one = n_parts == 0 || self.is_long(text.len());
        for part in 0..if as_one { 1 } else { n_parts } {
            let whole = self.pattern.matcher();
            let regex = if as_one { Some(whole) } else { self.pattern.parts.get(part) };
            let Some(regex) = regex else { continue };
            let (mut at, mut n_spans, mut last_end) = (from, 0, None);
            while at <= text.len() && n_spans < spans_max {
                let Some(found) = self.find_with(regex, text, at)? else {
                    break;
                };
                // After an empty match the search continues one byte later.
                let is_empty = found.is_empty();
                at = if is_empty { found.end() + 1 } else { found.end() };
                // As in ripgrep, an empty match cannot start at the end of another match.
                let is_behind = is_empty && last_end == Some(found.start());
                last_end = Some(found.end());
                if is_behind || !keeps(found.start(), found.end())? {
                    continue;
                }
                let pattern = if as_one { self.which(text, found)? } else { part };
                spans.push(Span { start: found.start(), end: found.end(), pattern });
                n_spans += 1;
            }
        }
        if !as_one {
            spans.sort_unstable_by_key(|span| (span.start, span.pattern));
        }
        Ok(spans)
    }

    /// Returns a match that ends first among those that start at `at` or later. It remains a match for any
    /// text that may follow, except for assertions at its end.
    pub(crate) fn earliest(&self, text: &[u8], at: usize) -> Result<Option<Match>, MatchError> {
        if self.pattern.bytes_per_call == usize::MAX {
            // All matches of a plain literal have the same length.
            return self.find_at(text, at);
        }
        self.step(text, at, true)
    }

    fn find_with(
        &self,
        part: &RegexMatcher,
        text: &[u8],
        at: usize,
    ) -> Result<Option<Match>, MatchError> {
        self.budget.poll_clock()?;
        if self.is_long(text.len() - at) {
            return self.step(text, at, false);
        }
        Ok(found(part.find_at(text, at)))
    }

    fn step(&self, text: &[u8], at: usize, earliest: bool) -> Result<Option<Match>, MatchError> {
        let mut memory = self.memory.0.borrow_mut();
        let found = self.pattern.stepped.find(&mut memory, text, at, earliest, self.budget)?;
        Ok(found.map(|range| Match::new(range.start, range.end)))
    }

    /// Returns the index of the first pattern whose match is exactly that of the joined patterns; 0 if the
    /// match is too long for a second search.
    fn which(&self, text: &[u8], whole: Match) -> Result<usize, MatchError> {
        let n_parts = self.pattern.parts.len();
        let from = whole.start().saturating_sub(LOOK_BYTES);
        let to = (whole.end() + LOOK_BYTES).min(text.len());
        if n_parts == 0 || self.is_long(to - from) {
            return Ok(0);
        }
        let (around, at) = (&text[from..to], whole.start() - from);
        for part in 0..n_parts {
            self.budget.poll_clock()?;
            let Some(regex) = self.pattern.parts.get(part) else { continue };
            let first = found(regex.find_at(around, at));
            if first.is_some_and(|first| first.offset(from) == whole) {
                return Ok(part);
            }
        }
        Ok(0)
    }

    fn is_long(&self, len: usize) -> bool {
        len > self.pattern.bytes_per_call
    }

    fn is_excluded(&self, line: &[u8]) -> bool {
        self.exclude.is_some_and(|exclude| exclude.find(line).is_some())
    }

    /// Returns a candidate in a piece that may be searched at once, or in a long line.
    fn candidate_in(&self, window: &[u8]) -> Result<Option<LineMatchKind>, MatchError> {
        if !self.is_long(window.len()) {
            return Ok(found(self.pattern.matcher().find_candidate_line(window)));
        }
        // One long line. Its line end is not searched.
        let line = window.strip_suffix(b"\n").unwrap_or(window);
        let found =
            if self.pattern.may_match(line, self.budget) { self.earliest(line, 0)? } else { None };
        Ok(found.map(|found| LineMatchKind::Confirmed(found.start())))
    }

    /// Searches for a candidate in a piece of `text` from `start`, assuming ASCII in about `wanted` bytes of
    /// it. Returns the end of the piece and its actual start, to which a candidate is relative.
    fn next_window(
        &self,
        text: &[u8],
        mut start: usize,
        wanted: usize,
    ) -> Result<(Range<usize>, Option<LineMatchKind>), MatchError> {
        let mut bytes_max = self.pattern.bytes_per_call;
        let bytes = bytes_max.min(text.len() - start);
        let ascii_lines = self.pattern.ascii_lines.as_ref();
        if let Some(ascii) = ascii_lines.and_then(|lines| lines.automaton(bytes)) {
            bytes_max = bytes_max.min(BESIDE_ASCII_BYTES);
            let end = if wanted > 0 { window_end(text, start, wanted) } else { start };
            if (start + 1..=start + ASCII_BYTES_MAX).contains(&end) {
                let found = ascii.find(&text[start..end]);
                let Some(ascii::ScanEnd::NotAscii(at)) = found else {
                    let at = found.map(|found| LineMatchKind::Confirmed(found.at()));
                    return Ok((start..end, at));
                };
                let line_end = memchr::memrchr(b'\n', &text[start..start + at]);
                start += line_end.map_or(0, |line_end| line_end + 1);
            }
        }
        let end = window_end(text, start, bytes_max);
        Ok((start..end, self.candidate_in(&text[start..end])?))
    }
}

/// Returns the end of a piece of `text` from `start`: whole lines, at most about `bytes` or one line.
fn window_end(text: &[u8], start: usize, bytes: usize) -> usize {
    let wanted = start.saturating_add(bytes);
    if wanted >= text.len() {
        return text.len();
    }
    match memchr::memrchr(b'\n', &text[start..wanted]) {
        Some(line_end) => start + line_end + 1,
        None => memchr::memchr(b'\n', &text[wanted..]).map_or(text.len(), |n| wanted + n + 1),
    }
}

impl Matcher for BudgetedMatcher<'_> {
    type Captures = NoCaptures;
    type Error = MatchError;

    fn find_at(&self, text: &[u8], at: usize) -> Result<Option<Match>, MatchError> {
        self.find_with(self.pattern.matcher(), text, at)
    }

    fn new_captures(&self) -> Result<NoCaptures, MatchError> {
        Ok(NoCaptures::new())
    }

    fn shortest_match_at(&self, text: &[u8], at: usize) -> Result<Option<usize>, MatchError> {
        if self.is_excluded(text) {
            return Ok(None);
        }
        if self.is_long(text.len() - at) {
            return Ok(self.earliest(text, at)?.map(|found| found.end()));
        }
        self.budget.poll()?;
        Ok(found(self.pattern.matcher().shortest_match_at(text, at)))
    }

    fn is_match_at(&self, text: &[u8], at: usize) -> Result<bool, MatchError> {
        Ok(self.shortest_match_at(text, at)?.is_some())
    }

    fn non_matching_bytes(&self) -> Option<&ByteSet> {
        self.pattern.matcher().non_matching_bytes()
    }

    fn line_terminator(&self) -> Option<LineTerminator> {
        self.pattern.matcher().line_terminator()
    }

    fn find_candidate_line(&self, text: &[u8]) -> Result<Option<LineMatchKind>, MatchError> {
        let mut start = 0;
        // If the next match is near, as it often is, the ordinary engine finds it fastest.
        let mut wanted = 0;
        while start < text.len() {
            self.budget.poll_clock()?;
            let (range, candidate) = self.next_window(text, start, wanted)?;
            let (window, end) = (&text[range.clone()], range.end);
            start = range.start;
            wanted = (wanted * 4).clamp(ASCII_BYTES_FIRST, ASCII_BYTES_MAX / 4);
            match candidate {
                // A window seems to contain an empty line after its last line end. It is the start of the
                // next line, which this window does not show.
                Some(LineMatchKind::Confirmed(at) | LineMatchKind::Candidate(at))
                    if at == window.len() && window.ends_with(b"\n") =>
                {
                    start = end;
                }
                Some(LineMatchKind::Confirmed(at)) if self.exclude.is_none() => {
                    return Ok(Some(LineMatchKind::Confirmed(start + at)));
                }
                // An excluded line is not a match, so the searcher must check the whole line.
                Some(LineMatchKind::Confirmed(at) | LineMatchKind::Candidate(at)) => {
                    return Ok(Some(LineMatchKind::Candidate(start + at)));
                }
                None => start = end,
            }
        }
        Ok(None)
    }
}

/// Unwraps a result of the ordinary engine, which has no errors.
fn found<T>(result: Result<T, grep_matcher::NoError>) -> T {
    match result {
        Ok(value) => value,
        Err(never) => unreachable!("the regex engine reported {never}"),
    }
}
