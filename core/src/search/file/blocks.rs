//! Splits a block of lines into results: each match is one, and only matches whose lines overlap share one.

use crate::pattern::Span;
use std::ops::Range;

/// Maximum number of matches that share lines and are told apart; further ones on the same lines are not.
pub(super) const SPANS_MAX: usize = 65_536;

/// Returns the lines that the matches in a block cover, in order, each range with its matches.
pub(super) fn blocks(bytes: &[u8], spans: Vec<Span>) -> Vec<(Range<usize>, Vec<Span>)> {
    let mut blocks: Vec<(Range<usize>, Vec<Span>)> = Vec::new();
    // An empty match behind the last line end is in the line that follows the block, or in none.
    let is_inside = |span: &Span| span.start < bytes.len() || !bytes.ends_with(b"\n");
    for span in spans.into_iter().filter(is_inside) {
        let start = memchr::memrchr(b'\n', &bytes[..span.start]).map_or(0, |at| at + 1);
        // A match that ends with a line end covers no further line.
        let last = span.end.saturating_sub(1).max(span.start);
        let end = memchr::memchr(b'\n', &bytes[last..]).map_or(bytes.len(), |at| last + at + 1);
        match blocks.last_mut() {
            Some((range, spans)) if start < range.end => {
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
    fn only_matches_whose_lines_overlap_share_a_block() {
        let text = "aa\nbb\ncc\ndd\nee";
        assert_eq!(lines(text, &[(1, 4)]), [(0, 6, vec![(1, 4)])]);
        assert_eq!(lines(text, &[(0, 3)]), [(0, 3, vec![(0, 3)])]);
        let apart = [(0, 3, vec![(0, 1)]), (3, 6, vec![(0, 1)])];
        assert_eq!(lines(text, &[(0, 1), (3, 4)]), apart);
        assert_eq!(lines(text, &[(0, 1), (1, 4)]), [(0, 6, vec![(0, 1), (1, 4)])]);
        let three = [(0, 3, vec![(0, 1)]), (9, 12, vec![(0, 1)]), (12, 14, vec![(0, 2)])];
        assert_eq!(lines(text, &[(0, 1), (9, 10), (12, 14)]), three);
        assert_eq!(lines(text, &[(6, 6)]), [(6, 9, vec![(0, 0)])]);
        assert_eq!(lines(text, &[(14, 14)]), [(12, 14, vec![(2, 2)])]);
        assert_eq!(
            lines("\n\n", &[(0, 0), (1, 1), (2, 2)]),
            [(0, 1, vec![(0, 0)]), (1, 2, vec![(0, 0)])]
        );
    }
}
