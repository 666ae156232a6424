//! What one file gives, held against limits.

use super::{FileMatches, FoundSymbol, Line};
use crate::workspace::RelPath;
use std::ops::RangeInclusive;

impl Line {
    /// What the line adds to the output, and to memory.
    pub(super) fn output_bytes(&self) -> usize {
        let enclosing = self.enclosing.as_ref().map_or(0, |text| text.len());
        size_of::<Line>() + self.text.len() + size_of_val(self.spans.as_slice()) + enclosing
    }

    /// The lines with numbers in `range`, as they stand near a match; what a match across lines covers
    /// is taken apart. A text that was cut is left as it is, where it begins in the range.
    pub(crate) fn apart(&self, range: RangeInclusive<u64>) -> impl Iterator<Item = Line> {
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

    /// The line as it stands near a match.
    fn as_context(&self) -> Line {
        Line { text: self.text.clone(), ..self.without_text() }
    }

    /// What it becomes where it only stands near a match, as far as lines up to number `last` do.
    pub(super) fn into_context(mut self, last: u64) -> Vec<Line> {
        if self.number != self.last_number && !self.is_truncated() {
            return self.apart(0..=last).collect();
        }
        (self.is_match, self.spans, self.enclosing) = (false, Vec::new(), None);
        vec![self]
    }

    /// Where the line stands, as context.
    fn without_text(&self) -> Line {
        Line { is_match: false, text: Vec::new(), spans: Vec::new(), enclosing: None, ..*self }
    }
}

impl FileMatches {
    pub(super) fn empty() -> FileMatches {
        FileMatches {
            path: RelPath::root(),
            n_matches: 0,
            lines: Vec::new(),
            binary_after: None,
            cut: None,
            has_rest: false,
            symbols: Vec::new(),
            is_decoded: false,
            is_unlikely: false,
            output_bytes: 0,
        }
    }

    /// With the definitions that are wished for; none if there are none.
    pub(super) fn with_symbols(mut self, symbols: Vec<FoundSymbol>) -> Option<FileMatches> {
        self.output_bytes += symbols.iter().map(FoundSymbol::output_bytes).sum::<usize>();
        self.symbols = symbols;
        (!self.symbols.is_empty()).then_some(self)
    }

    /// What the file adds to the output, with its path.
    pub(super) fn all_output_bytes(&self) -> usize {
        size_of::<FileMatches>() + self.path.as_bytes().len() + self.output_bytes
    }

    /// Keeps only the first `n_matches` matching lines, and the context that belongs to them, which
    /// further ones may be.
    pub(super) fn truncate(&mut self, n_matches: u64, context_after: usize) {
        let n_kept = usize::try_from(n_matches).unwrap_or(usize::MAX);
        let mut matching = self.lines.iter().enumerate().filter(|(_, line)| line.is_match);
        if let Some((at, _)) = matching.nth(n_kept) {
            let behind = self.lines.split_off(at);
            let last = self.lines.iter().rev().find(|line| line.is_match);
            let last = last.map_or(0, |line| line.last_number).saturating_add(context_after as u64);
            self.lines.extend(behind.into_iter().flat_map(|line| line.into_context(last)));
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
    pub(super) fn trim_context(&mut self, context_after: usize) {
        let last_match = self.lines.iter().rev().find(|line| line.is_match);
        let last = last_match.map_or(0, |line| line.last_number);
        while self.lines.last().is_some_and(|line| {
            !line.is_match && line.number > last.saturating_add(context_after as u64)
        }) {
            self.lines.pop();
        }
    }
}
