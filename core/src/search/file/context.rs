//! Context of matches: which lines belong to it, and their form in whole results, in parts and where limits
//! cut the matches of a file.

use crate::search::{FileMatches, Line};
use std::ops::RangeInclusive;

/// The number of lines around a match that are its context.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::search) struct Context {
    pub(in crate::search) before: usize,
    pub(in crate::search) after: usize,
}

impl Context {
    /// Returns the first line that is context of a match at line `number`.
    fn first_before(self, number: u64) -> u64 {
        number.saturating_sub(self.before as u64)
    }

    /// Returns the last line that is context of a match whose last line is `number`.
    fn last_after(self, number: u64) -> u64 {
        number.saturating_add(self.after as u64)
    }
}

/// The matches whose context is complete, and the lines that later matches still need.
pub(in crate::search) struct Split {
    pub(in crate::search) part: FileMatches,
    pub(in crate::search) kept: Vec<Line>,
}

impl Line {
    /// Returns the lines with numbers in `range` as context; a multi-line match is split into its lines. A
    /// truncated text stays as it is if it begins in the range.
    pub fn context_lines(&self, range: RangeInclusive<u64>) -> impl Iterator<Item = Line> {
        let is_block = self.number != self.last_number && !self.is_truncated();
        let mut start = 0;
        let whole = (!is_block && range.contains(&self.number)).then(|| self.as_context());
        let texts = is_block.then(|| self.text.split(|&byte| byte == b'\n'));
        let lines = (self.number..).zip(texts.into_iter().flatten());
        let line = move |(number, text): (u64, &[u8])| {
            let offset = self.offset + start as u64;
            start += text.len() + 1;
            if !range.contains(&number) {
                return None;
            }
            let is_last = number == self.last_number;
            let text = if is_last { text } else { text.strip_suffix(b"\r").unwrap_or(text) };
            let (line_len, text) = (text.len(), text.to_vec());
            let place = Line { number, last_number: number, offset, ..self.without_text() };
            Some(Line { text, line_len, ..place })
        };
        whole.into_iter().chain(lines.filter_map(line))
    }

    /// Returns the line as context.
    fn as_context(&self) -> Line {
        Line { text: self.text.clone(), ..self.without_text() }
    }

    /// Turns the line into context; of a multi-line match only the lines up to number `last` remain.
    pub(super) fn into_context(mut self, last: u64) -> Vec<Line> {
        if self.number != self.last_number && !self.is_truncated() {
            return self.context_lines(0..=last).collect();
        }
        self.is_match = false;
        (self.spans, self.file_spans) = (Vec::new(), None);
        (self.enclosing, self.uses) = (None, None);
        vec![self]
    }

    /// Returns the line as context, without its text.
    fn without_text(&self) -> Line {
        Line {
            is_match: false,
            text: Vec::new(),
            spans: Vec::new(),
            file_spans: None,
            enclosing: None,
            uses: None,
            ..*self
        }
    }
}

impl FileMatches {
    /// Keeps only the first `n_matches` matching lines and their context, which may include later matches.
    pub(in crate::search) fn truncate(&mut self, n_matches: u64, context: Context) {
        let n_kept = usize::try_from(n_matches).unwrap_or(usize::MAX);
        let mut matching = self.lines.iter().enumerate().filter(|(_, line)| line.is_match);
        if let Some((at, _)) = matching.nth(n_kept) {
            let behind = self.lines.split_off(at);
            let last = self.lines.iter().rev().find(|line| line.is_match);
            let last = context.last_after(last.map_or(0, |line| line.last_number));
            self.lines.extend(behind.into_iter().flat_map(|line| line.into_context(last)));
        }
        self.n_matches = self.n_matches.min(n_matches);
        let n_lines = self.lines.len();
        self.truncate_lines(n_lines, context);
    }

    /// Keeps the first lines that add at most `bytes_max` to the output.
    pub(in crate::search) fn truncate_bytes(&mut self, bytes_max: usize, context: Context) {
        let mut bytes = self.all_output_bytes() - self.output_bytes;
        let fits = self.lines.iter().take_while(|line| {
            bytes += line.output_bytes();
            bytes <= bytes_max
        });
        let fits = fits.count();
        self.truncate_lines(fits, context);
        self.n_matches = self.lines.iter().filter(|line| line.is_match).count() as u64;
    }

    fn truncate_lines(&mut self, n_lines: usize, context: Context) {
        self.lines.truncate(n_lines);
        self.trim_context(context);
        self.output_bytes = self.lines.iter().map(Line::output_bytes).sum();
    }

    /// Removes context of a match that was cut off.
    pub(super) fn trim_context(&mut self, context: Context) {
        let last_match = self.lines.iter().rev().find(|line| line.is_match);
        let last = context.last_after(last_match.map_or(0, |line| line.last_number));
        while self.lines.last().is_some_and(|line| !line.is_match && line.number > last) {
            self.lines.pop();
        }
    }

    /// Returns whether line `number` is after the context of the last match.
    pub(super) fn ends_before_context(&self, number: u64, context: Context) -> bool {
        let last = self.lines.iter().rev().find(|line| line.is_match);
        last.is_none_or(|last| number > context.last_after(last.last_number))
    }

    /// Removes the lines from index `start` that are context neither of the match before them nor of one that
    /// may come at line `number`.
    pub(super) fn drop_stale(&mut self, start: usize, number: u64, context: Context) {
        let first = context.first_before(number);
        let last_match = start.checked_sub(1).map(|at| self.lines[at].last_number);
        let last = last_match.map_or(0, |last| context.last_after(last));
        for at in (start..self.lines.len()).rev() {
            let line = &self.lines[at];
            if line.last_number < first && line.number > last {
                self.output_bytes -= line.output_bytes();
                self.lines.remove(at);
            }
        }
    }

    /// Takes out the matches whose context is complete; otherwise takes nothing and returns `None`.
    ///
    /// A line may be context on both sides of the cut. The part keeps the original lines, so that texts are
    /// moved and not copied; `kept` gets copies of those that the next match needs.
    pub(in crate::search) fn split(&mut self, context: Context) -> Option<Split> {
        let last = self.lines.last()?.last_number;
        let is_ready = |line: &Line| context.last_after(line.last_number) <= last;
        let is_pending = |line: &Line| line.is_match && !is_ready(line);
        let n_ready = self.lines.iter().filter(|line| line.is_match && is_ready(line)).count();
        if n_ready == 0 {
            return None;
        }
        let lines = std::mem::take(&mut self.lines);
        let next = lines.iter().find(|line| is_pending(line)).map_or(last + 1, |line| line.number);
        let first_kept = context.first_before(next);
        let n_passed = lines.iter().position(|line| line.last_number >= first_kept);
        let mut kept = Vec::new();
        for line in &lines[n_passed.unwrap_or(lines.len())..] {
            if is_ready(line) {
                kept.extend(line.context_lines(first_kept..=u64::MAX));
            } else {
                kept.push(line.clone());
            }
        }
        let last_ready = lines.iter().rev().find(|line| line.is_match && is_ready(line));
        let last_given = context.last_after(last_ready.map_or(0, |line| line.last_number));
        let give = |line: Line| {
            if is_pending(&line) { line.into_context(last_given) } else { vec![line] }
        };
        let lines = lines.into_iter().flat_map(give).collect();
        let mut part = FileMatches { n_matches: n_ready as u64, lines, ..FileMatches::empty() };
        part.is_decoded = self.is_decoded;
        part.encoding = self.encoding;
        part.path = self.path.clone();
        part.trim_context(context);
        part.output_bytes = part.lines.iter().map(Line::output_bytes).sum();
        Some(Split { part, kept })
    }
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
            file_spans: None,
            enclosing: is_match.then(|| "fn around".into()),
            uses: None,
        }
    }

    fn found(lines: &[(u64, bool)]) -> FileMatches {
        let lines: Vec<Line> =
            lines.iter().map(|&(number, is_match)| line(number, is_match)).collect();
        let n_matches = lines.iter().filter(|line| line.is_match).count() as u64;
        FileMatches { lines, n_matches, ..FileMatches::empty() }
    }

    #[test]
    fn lines_enter_the_part_without_a_copy() {
        let mut found = found(&[(1, true), (2, false), (3, false), (5, true), (6, false)]);
        let texts: Vec<*const u8> = found.lines.iter().map(|line| line.text.as_ptr()).collect();
        let Split { part, kept } =
            found.split(Context { before: 1, after: 2 }).expect("one is complete");
        // The context of the match on line 5 is incomplete: it belongs to a later part, and is not context
        // of line 1.
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
        let Split { part, kept } =
            found.split(Context { before: 2, after: 2 }).expect("one is complete");
        let two = Line { enclosing: None, ..line(2, false) };
        assert_eq!(part.lines, [line(1, true), two, line(3, false)]);
        let one = Line { enclosing: None, ..line(1, false) };
        assert_eq!(kept, [one, line(2, true), line(3, false)]);
    }

    #[test]
    fn no_match_is_taken_before_its_context_is_complete() {
        let mut found = found(&[(1, true), (2, false)]);
        assert!(found.split(Context { before: 0, after: 2 }).is_none());
        assert_eq!(found.lines.len(), 2);
    }
}
