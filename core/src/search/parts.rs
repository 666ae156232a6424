//! The matches of one file in several parts, so that memory does not grow with them.
//!
//! A thread that searches a file hands over a first part of its matches and leaves the rest to the
//! calling thread, which goes on when the turn of the file has come, part by part. Files that do not
//! fit in memory are left to it as a whole: their first matches come before their end was seen.

use super::{FileMatches, Line};
use std::time::{Duration, Instant};

/// A part is over when its lines take more than this.
const PART_BYTES: usize = 256 * 1024;
/// A part of the rest is also over when so much time has passed since the last one.
const PART_TIME: Duration = Duration::from_millis(5);

/// Takes the parts of a file; says whether more are wanted.
pub(super) type TakePart<'a> = dyn Fn(FileMatches) -> bool + 'a;

/// How the matches of a file are given.
#[derive(Clone, Copy)]
pub(super) enum Parts<'a> {
    /// All at once.
    Whole,
    /// Only a first part; the rest is left.
    First,
    /// Part by part.
    Rest(&'a TakePart<'a>),
}

/// Which matches of a file are given, and how.
#[derive(Clone, Copy)]
pub(super) struct Giving<'a> {
    /// So many were given before.
    pub(super) skip: u64,
    pub(super) parts: Parts<'a>,
}

/// The parts that a collector has given.
pub(super) struct PartsGiven<'a> {
    parts: Parts<'a>,
    last: Option<Instant>,
    /// How many matches they held.
    pub(super) n_matches: u64,
    /// Whether no more parts are wanted.
    pub(super) is_over: bool,
}

/// The matches whose context is complete, and the lines that those to come still need.
struct Split {
    part: FileMatches,
    kept: Vec<Line>,
}

impl<'a> PartsGiven<'a> {
    pub(super) fn new(parts: Parts<'a>) -> PartsGiven<'a> {
        PartsGiven { parts, last: None, n_matches: 0, is_over: false }
    }

    /// Gives a part of `found` if it is time to. Returns whether `found` was changed.
    pub(super) fn give(&mut self, found: &mut FileMatches, context: (usize, usize)) -> bool {
        let is_full = found.output_bytes > PART_BYTES;
        let is_due = match self.parts {
            Parts::Whole => false,
            Parts::First => is_full,
            // The first one as soon as there is a match.
            Parts::Rest(_) => is_full || self.last.is_none_or(|last| last.elapsed() >= PART_TIME),
        };
        let Some(Split { part, kept }) = is_due.then(|| split(found, context)).flatten() else {
            return false;
        };
        self.n_matches += part.n_matches;
        if let Parts::Rest(take) = self.parts {
            self.is_over = !take(part);
            self.last = Some(Instant::now());
            found.n_matches = kept.iter().filter(|line| line.is_match).count() as u64;
            found.output_bytes = kept.iter().map(Line::output_bytes).sum();
            found.lines = kept;
        } else {
            *found = FileMatches { has_rest: true, ..part };
            self.is_over = true;
        }
        true
    }
}

/// Splits what was found behind the last match whose context is complete, and takes the lines out of
/// `found`; `None` if there is none, and then nothing is taken.
fn split(found: &mut FileMatches, (before, after): (usize, usize)) -> Option<Split> {
    let last = found.lines.last()?.last_number;
    let is_ready = |line: &Line| line.last_number.saturating_add(after as u64) <= last;
    let is_pending = |line: &Line| line.is_match && !is_ready(line);
    let n_ready = found.lines.iter().filter(|line| line.is_match && is_ready(line)).count();
    if n_ready == 0 {
        return None;
    }
    let lines = std::mem::take(&mut found.lines);
    let next = lines.iter().find(|line| is_pending(line)).map_or(last + 1, |line| line.number);
    let first_kept = next.saturating_sub(before as u64);
    let n_passed = lines.iter().position(|line| line.last_number >= first_kept);
    let mut kept = Vec::new();
    for line in &lines[n_passed.unwrap_or(lines.len())..] {
        if is_ready(line) {
            kept.extend(line.apart(first_kept..=u64::MAX));
        } else {
            kept.push(line.clone());
        }
    }
    let last_ready = lines.iter().rev().find(|line| line.is_match && is_ready(line));
    let last_given = last_ready.map_or(0, |line| line.last_number).saturating_add(after as u64);
    let give = |line: Line| {
        if is_pending(&line) { line.into_context(last_given) } else { vec![line] }
    };
    let lines = lines.into_iter().flat_map(give).collect();
    let mut part = FileMatches { n_matches: n_ready as u64, lines, ..FileMatches::empty() };
    part.is_decoded = found.is_decoded;
    part.path = found.path.clone();
    part.trim_context(after);
    part.output_bytes = part.lines.iter().map(Line::output_bytes).sum();
    Some(Split { part, kept })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64, is_match: bool) -> Line {
        Line {
            number,
            last_number: number,
            offset: 0,
            text: format!("line {number}").into_bytes(),
            text_start: 0,
            line_len: 6,
            is_match,
            spans: Vec::new(),
            enclosing: is_match.then(|| "fn around".into()),
        }
    }

    fn found(lines: &[(u64, bool)]) -> FileMatches {
        let lines: Vec<Line> =
            lines.iter().map(|&(number, is_match)| line(number, is_match)).collect();
        let n_matches = lines.iter().filter(|line| line.is_match).count() as u64;
        FileMatches { lines, n_matches, ..FileMatches::empty() }
    }

    #[test]
    fn lines_go_into_the_part_without_being_copied() {
        let mut found = found(&[(1, true), (2, false), (3, false), (5, true), (6, false)]);
        let texts: Vec<*const u8> = found.lines.iter().map(|line| line.text.as_ptr()).collect();
        let Split { part, kept } = split(&mut found, (1, 2)).expect("one is complete");
        // Of the match on line 5 only one line behind it is known: it comes later, and until then
        // it is no part of what stands around line 1.
        assert_eq!(part.lines, [line(1, true), line(2, false), line(3, false)]);
        assert_eq!(
            part.lines.iter().map(|line| line.text.as_ptr()).collect::<Vec<_>>(),
            texts[..3]
        );
        assert_eq!(kept, [line(5, true), line(6, false)]);
        assert_eq!((part.n_matches, found.lines.len()), (1, 0));
    }

    #[test]
    fn a_match_is_context_in_the_part_that_it_does_not_belong_to() {
        let mut found = found(&[(1, true), (2, true), (3, false)]);
        let Split { part, kept } = split(&mut found, (2, 2)).expect("one is complete");
        let two = Line { enclosing: None, ..line(2, false) };
        assert_eq!(part.lines, [line(1, true), two, line(3, false)]);
        let one = Line { enclosing: None, ..line(1, false) };
        assert_eq!(kept, [one, line(2, true), line(3, false)]);
    }

    #[test]
    fn nothing_is_taken_while_no_context_is_complete() {
        let mut found = found(&[(1, true), (2, false)]);
        assert!(split(&mut found, (0, 2)).is_none());
        assert_eq!(found.lines.len(), 2);
    }
}
