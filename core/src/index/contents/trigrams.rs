//! Trigrams of texts, and the chunks that texts are cut into.

use crate::room;
use std::collections::TryReserveError;

/// The longest chunk, and so the longest line of a text that can be indexed.
pub(super) const CHUNK_BYTES_MAX: usize = 128 * 1024;
/// Number of possible trigrams.
pub(super) const TRIGRAMS: usize = 1 << 24;

/// Returns three bytes as a number below 2^24, ordered as the bytes are.
pub(super) fn trigram(first: u8, second: u8, third: u8) -> u32 {
    u32::from(first) << 16 | u32::from(second) << 8 | u32::from(third)
}

/// Reports whether an index may contain the trigram. Trigrams with a line feed cross the end of a line, and
/// are left out.
pub(super) fn is_indexed(trigram: u32) -> bool {
    !trigram.to_be_bytes()[1..].contains(&b'\n')
}

/// Cuts a text into chunks that end after line feeds. Yields `None` at a line longer than a chunk.
pub(super) fn chunks(text: &[u8]) -> impl Iterator<Item = Option<&[u8]>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let chunk = if rest.len() <= CHUNK_BYTES_MAX {
            std::mem::take(&mut rest)
        } else {
            let Some(line_end) = memchr::memrchr(b'\n', &rest[..CHUNK_BYTES_MAX]) else {
                rest = &[];
                return Some(None);
            };
            let (chunk, after) = rest.split_at(line_end + 1);
            rest = after;
            chunk
        };
        Some(Some(chunk))
    })
}

/// Set of all trigrams, 2 MiB, that collects the distinct ones of a chunk. It is allocated once, and
/// only the bits that a chunk set are cleared after it.
#[derive(Debug)]
pub(super) struct Collector {
    /// One bit for each trigram. Those with a line feed are always set, so that they are never new.
    seen: Vec<u64>,
    /// Distinct trigrams of the last chunk at its start, then garbage.
    found: Vec<u32>,
}

impl Collector {
    pub(super) fn new() -> Result<Collector, TryReserveError> {
        let mut seen = room::collect(std::iter::repeat_n(0, TRIGRAMS / 64), TRIGRAMS / 64)?;
        let line_feed = u32::from(b'\n');
        for pair in 0..1 << 16_u32 {
            let (high, low) = (pair >> 8, pair & 0xff);
            for trigram in
                [line_feed << 16 | pair, high << 16 | line_feed << 8 | low, pair << 8 | line_feed]
            {
                let (word, bit) = place(trigram);
                seen[word] |= bit;
            }
        }
        let found = room::collect(std::iter::repeat_n(0, CHUNK_BYTES_MAX), CHUNK_BYTES_MAX)?;
        Ok(Collector { seen, found })
    }

    /// Returns the distinct trigrams without a line feed, unordered.
    pub(super) fn distinct(&mut self, chunk: &[u8]) -> &[u32] {
        let mut n = 0;
        // Line feeds before the chunk mark its first two trigrams as seen.
        let mut trigram = trigram(0, b'\n', b'\n');
        for &byte in chunk {
            trigram = (trigram << 8 | u32::from(byte)) & 0xff_ffff;
            let (word, bit) = place(trigram);
            let word = &mut self.seen[word];
            self.found[n] = trigram;
            // A branch would be mispredicted for most new trigrams.
            n += usize::from(*word & bit == 0);
            *word |= bit;
        }
        let found = &self.found[..n];
        for &trigram in found {
            let (word, bit) = place(trigram);
            self.seen[word] &= !bit;
        }
        found
    }
}

/// Returns the word and the bit of a trigram in a set.
pub(super) fn place(trigram: u32) -> (usize, u64) {
    ((trigram >> 6) as usize, 1 << (trigram & 63))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn chunks_end_after_line_feeds_and_make_up_the_text() {
        let line = [&[b'x'; 999][..], b"\n"].concat();
        let text = line.repeat(400);
        let all: Vec<&[u8]> = chunks(&text).map(|chunk| chunk.expect("short lines")).collect();
        assert_eq!(all.concat(), text);
        assert_eq!(all.len(), 4);
        assert!(all.iter().all(|chunk| chunk.ends_with(b"\n") && chunk.len() <= CHUNK_BYTES_MAX));
        assert_eq!(chunks(b"").count(), 0);
    }

    #[test]
    fn a_line_longer_than_a_chunk_is_refused() {
        for (len, is_refused) in [(CHUNK_BYTES_MAX, false), (CHUNK_BYTES_MAX + 1, true)] {
            let text = [b"a\n".to_vec(), vec![b'x'; len], b"\nb".to_vec()].concat();
            let with_feed = [vec![b'x'; len - 1], b"\nb".to_vec()].concat();
            assert!(chunks(&text).any(|chunk| chunk.is_none()));
            assert_eq!(chunks(&with_feed).any(|chunk| chunk.is_none()), is_refused, "{len}");
        }
        assert!(chunks(&[b'x'; CHUNK_BYTES_MAX]).all(|chunk| chunk.is_some()));
    }

    #[test]
    fn each_distinct_trigram_within_a_line_is_found_once() {
        let mut collector = Collector::new().expect("there is room");
        for text in ["", "a", "ab", "abc", "abc\nabcd\n\nab\0c\u{e9}abc", "\nabc\n"] {
            let expected: BTreeSet<u32> = text
                .as_bytes()
                .windows(3)
                .filter(|window| !window.contains(&b'\n'))
                .map(|window| trigram(window[0], window[1], window[2]))
                .collect();
            let found = collector.distinct(text.as_bytes());
            assert_eq!(found.len(), expected.len());
            assert_eq!(found.iter().copied().collect::<BTreeSet<u32>>(), expected, "{text:?}");
        }
    }
}
