//! Splits a block of lines into the lines that the counted matches cover.

use crate::pattern::Span;
use std::ops::Range;

/// Maximum number of matches in one block of lines that are compared with the search context.
pub(super) const SPANS_MAX: usize = 65_536;

/// Returns the lines that matches in a block cover: adjacent lines merged, each range with its matches.
pub(super) fn blocks(bytes: &[u8], spans: Vec<Span>) -> Vec<(Range<usize>, Vec<Span>)> {
    let is_cut = spans.len() >= SPANS_MAX;
    let mut blocks: Vec<(Range<usize>, Vec<Span>)> = Vec::new();
    for span in spans {
        let start = memchr::memrchr(b'\n', &bytes[..span.start]).map_or(0, |at| at + 1);
        // A match that ends with a line end covers no further line.
        let last = span.end.saturating_sub(1).max(span.start);
        let end = memchr::memchr(b'\n', &bytes[last..]).map_or(bytes.len(), |at| last + at + 1);
        match blocks.last_mut() {
            Some((range, spans)) if start <= range.end => {
                range.end = range.end.max(end);
                let start = range.start;
                spans.push(Span { start: span.start - start, end: span.end - start, ..span });
            }
            _ => {
                let span = Span { start: span.start - start, end: span.end - start, ..span };
                blocks.push((start..end, vec![span]));
            }
        }
    }
    // The matches beyond the limit are unknown, so the last range extends to the end of the block.
    if let Some((range, _)) = blocks.last_mut().filter(|_| is_cut) {
        range.end = bytes.len();
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    type Block = (usize, usize, Vec<(usize, usize)>);

    fn lines(text: &str, spans: &[(usize, usize)]) -> Vec<Block> {
        let span = |&(start, end): &(usize, usize)| Span { start, end, pattern: 0 };
        let blocks = blocks(text.as_bytes(), spans.iter().map(span).collect());
        let pairs = |spans: Vec<Span>| spans.iter().map(|span| (span.start, span.end)).collect();
        blocks.into_iter().map(|(range, spans)| (range.start, range.end, pairs(spans))).collect()
    }

    #[test]
    fn lines_that_touch_are_one_block() {
        let text = "aa\nbb\ncc\ndd\nee";
        assert_eq!(lines(text, &[(1, 4)]), [(0, 6, vec![(1, 4)])]);
        assert_eq!(lines(text, &[(0, 3)]), [(0, 3, vec![(0, 3)])]);
        assert_eq!(lines(text, &[(0, 1), (3, 4)]), [(0, 6, vec![(0, 1), (3, 4)])]);
        let apart = [(0, 3, vec![(0, 1)]), (9, 14, vec![(0, 1), (3, 5)])];
        assert_eq!(lines(text, &[(0, 1), (9, 10), (12, 14)]), apart);
        assert_eq!(lines(text, &[(6, 6)]), [(6, 9, vec![(0, 0)])]);
        assert_eq!(lines(text, &[(14, 14)]), [(12, 14, vec![(2, 2)])]);
    }

    #[test]
    fn all_lines_after_the_last_match_belong_to_it() {
        let text = "a\n".repeat(SPANS_MAX + 10);
        let spans: Vec<(usize, usize)> = (0..SPANS_MAX).map(|n| (2 * n, 2 * n + 1)).collect();
        let blocks = lines(&text, &spans);
        assert_eq!((blocks.len(), blocks[0].1), (1, text.len()));
    }
}
