//! A [`Pattern`] under a budget: what `grep-searcher` calls, stoppable at every place.
//!
//! The ordinary engine gets as much text at once as it can handle in a few milliseconds at worst,
//! cut at line ends where matches cannot cross them. A single line that is longer goes to the
//! engine that can be stopped.

use super::stepped::Memory;
use super::{Pattern, Span};
use crate::budget::{Budget, Stopped};
use grep_matcher::{ByteSet, LineMatchKind, LineTerminator, Match, Matcher, NoCaptures};
use grep_regex::RegexMatcher;
use std::cell::RefCell;
use std::fmt;

/// States times bytes that one uninterrupted call may cost: some 1.5 ns each where the lazy DFA
/// fails, so under 10 ms.
const WORK_PER_CALL: usize = 6_000_000;
/// Windows do not get smaller than this, or the calls would cost more than the search.
const WINDOW_BYTES_MIN: usize = 512;

/// What one thread needs to run a pattern through long lines; made when first needed.
#[derive(Debug, Default)]
pub(crate) struct StepMemory(RefCell<Option<Memory>>);

/// A pattern for one search on one thread.
#[derive(Debug)]
pub(crate) struct BudgetedMatcher<'a> {
    pub(crate) pattern: &'a Pattern,
    pub(crate) budget: &'a Budget,
    pub(crate) memory: &'a StepMemory,
    /// Lines that hold this text do not match.
    pub(crate) exclude: Option<&'a memchr::memmem::Finder<'static>>,
}

/// Why a match was not looked for to the end.
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
    /// The matches in `text`, in order, at most `spans_max` of each pattern.
    pub(crate) fn spans(&self, text: &[u8], spans_max: usize) -> Result<Vec<Span>, MatchError> {
        let mut spans = Vec::new();
        let whole = std::slice::from_ref(&self.pattern.matcher);
        // In a long line only the patterns as one can be stopped; which it was is found out after.
        let as_one = self.pattern.parts.is_empty() || self.is_long(text.len());
        let parts = if as_one { whole } else { &self.pattern.parts };
        for (pattern, part) in parts.iter().enumerate() {
            let (mut at, mut n_spans) = (0, 0);
            while at <= text.len() && n_spans < spans_max {
                let Some(found) = self.find_with(part, text, at)? else {
                    break;
                };
                // After an empty match the next one starts a byte later.
                at = if found.end() > found.start() { found.end() } else { found.end() + 1 };
                let pattern = if as_one { self.which(&text[found]) } else { pattern };
                spans.push(Span { start: found.start(), end: found.end(), pattern });
                n_spans += 1;
            }
        }
        if parts.len() > 1 {
            spans.sort_unstable_by_key(|span| (span.start, span.pattern));
        }
        Ok(spans)
    }

    fn find_with(
        &self,
        part: &RegexMatcher,
        text: &[u8],
        at: usize,
    ) -> Result<Option<Match>, MatchError> {
        self.budget.poll_clock()?;
        if !self.is_long(text.len() - at) {
            return Ok(found(part.find_at(text, at)));
        }
        let mut memory = self.memory.0.borrow_mut();
        let found = self.pattern.stepped.find(&mut memory, text, at, self.budget)?;
        Ok(found.map(|range| Match::new(range.start, range.end)))
    }

    /// The first pattern that matches in `found`, which all patterns as one have matched.
    fn which(&self, found: &[u8]) -> usize {
        if self.is_long(found.len()) {
            return 0;
        }
        let mut parts = self.pattern.parts.iter();
        parts.position(|part| self::found(part.is_match(found))).unwrap_or(0)
    }

    fn is_long(&self, len: usize) -> bool {
        len.saturating_mul(self.pattern.cost_per_byte) > WORK_PER_CALL && len > WINDOW_BYTES_MIN
    }

    fn is_excluded(&self, line: &[u8]) -> bool {
        self.exclude.is_some_and(|exclude| exclude.find(line).is_some())
    }

    /// The end of the piece of `text` from `start` that may be searched at once: whole lines.
    fn window_end(&self, text: &[u8], start: usize) -> usize {
        let bytes = match self.pattern.cost_per_byte {
            0 => return text.len(),
            cost => (WORK_PER_CALL / cost).max(WINDOW_BYTES_MIN),
        };
        let wanted = start.saturating_add(bytes);
        if wanted >= text.len() {
            return text.len();
        }
        match memchr::memrchr(b'\n', &text[start..wanted]) {
            Some(line_end) => start + line_end + 1,
            None => memchr::memchr(b'\n', &text[wanted..]).map_or(text.len(), |n| wanted + n + 1),
        }
    }
}

impl Matcher for BudgetedMatcher<'_> {
    type Captures = NoCaptures;
    type Error = MatchError;

    fn find_at(&self, text: &[u8], at: usize) -> Result<Option<Match>, MatchError> {
        self.find_with(&self.pattern.matcher, text, at)
    }

    fn new_captures(&self) -> Result<NoCaptures, MatchError> {
        Ok(NoCaptures::new())
    }

    fn shortest_match_at(&self, text: &[u8], at: usize) -> Result<Option<usize>, MatchError> {
        if self.is_excluded(text) {
            return Ok(None);
        }
        if self.is_long(text.len() - at) {
            return Ok(self.find_at(text, at)?.map(|found| found.end()));
        }
        self.budget.poll()?;
        Ok(found(self.pattern.matcher.shortest_match_at(text, at)))
    }

    fn is_match_at(&self, text: &[u8], at: usize) -> Result<bool, MatchError> {
        Ok(self.shortest_match_at(text, at)?.is_some())
    }

    fn non_matching_bytes(&self) -> Option<&ByteSet> {
        self.pattern.matcher.non_matching_bytes()
    }

    fn line_terminator(&self) -> Option<LineTerminator> {
        self.pattern.matcher.line_terminator()
    }

    fn find_candidate_line(&self, text: &[u8]) -> Result<Option<LineMatchKind>, MatchError> {
        let mut start = 0;
        while start < text.len() {
            self.budget.poll_clock()?;
            let end = self.window_end(text, start);
            let window = &text[start..end];
            let candidate = if self.is_long(window.len()) {
                // One long line. Its end is not part of it.
                let line = window.strip_suffix(b"\n").unwrap_or(window);
                let found =
                    if self.pattern.may_match(line) { self.find_at(line, 0)? } else { None };
                found.map(|found| LineMatchKind::Confirmed(found.start()))
            } else {
                found(self.pattern.matcher.find_candidate_line(window))
            };
            match candidate {
                Some(LineMatchKind::Confirmed(at)) if self.exclude.is_none() => {
                    return Ok(Some(LineMatchKind::Confirmed(start + at)));
                }
                // An excluded line is no match: the whole line has to be looked at.
                Some(LineMatchKind::Confirmed(at) | LineMatchKind::Candidate(at)) => {
                    return Ok(Some(LineMatchKind::Candidate(start + at)));
                }
                None => start = end,
            }
        }
        Ok(None)
    }
}

/// The ordinary engine has no errors.
fn found<T>(result: Result<T, grep_matcher::NoError>) -> T {
    match result {
        Ok(value) => value,
        Err(never) => unreachable!("the regex engine reported {never}"),
    }
}
