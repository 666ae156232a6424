//! Posting lists in one arena.
//!
//! An entry of the arena consists of the distance to the previous trigram, the number of chunks, and the
//! chunks in ascending order. They are coded by the distances between them, each by a Rice code: its high
//! part in unary, its low bits as they are. The number of low bits follows from the mean distance, which
//! makes lists of any density nearly as short as they can be; with no low bits the code is the bit set of the
//! chunks. A posting of source code takes 6 bits, where variable-length integers take at least 8.
//!
//! Entries come in blocks; the first trigram and the position of each block are in a table for
//! binary search. Within a block entries are read one after the other.

use crate::room;
use std::collections::TryReserveError;

/// Entries of a block: the table costs 8 bytes for each, a look-up reads half of them.
const BLOCK_ENTRIES: usize = 32;
/// A read takes 8 bytes, some of them after the list.
const PADDING: usize = 8;
/// Limit that lets every code fit in the 64 bits in which it is assembled.
const LOW_BITS_MAX: u32 = 23;

#[derive(Clone, Copy, Debug)]
struct Block {
    first: u32,
    at: u32,
}

/// Sorted trigrams and their posting lists.
#[derive(Debug, Default)]
pub(super) struct Arena {
    blocks: Vec<Block>,
    bytes: Vec<u8>,
    n_trigrams: usize,
}

impl Arena {
    pub(super) fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>() + self.bytes.capacity()
    }

    pub(super) fn n_trigrams(&self) -> usize {
        self.n_trigrams
    }

    pub(super) fn entries(&self) -> Entries<'_> {
        Entries { arena: self, block: 0, left: 0, trigram: 0, at: 0 }
    }

    /// Returns the chunks that contain a trigram.
    pub(super) fn find(&self, trigram: u32) -> Option<Postings<'_>> {
        let block = self.blocks.partition_point(|block| block.first <= trigram).checked_sub(1)?;
        let mut entries = Entries { block, ..self.entries() };
        for _ in 0..BLOCK_ENTRIES {
            match entries.next()? {
                (found, postings) if found == trigram => return Some(postings),
                (found, _) if found > trigram => return None,
                _ => {}
            }
        }
        None
    }
}

/// All entries, in the order of their trigrams.
#[derive(Clone, Debug)]
pub(super) struct Entries<'a> {
    arena: &'a Arena,
    /// The next block.
    block: usize,
    /// Entries left of the block before it.
    left: usize,
    trigram: u32,
    at: usize,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (u32, Postings<'a>);

    fn next(&mut self) -> Option<(u32, Postings<'a>)> {
        if self.left == 0 {
            let block = self.arena.blocks.get(self.block)?;
            self.left = BLOCK_ENTRIES.min(self.arena.n_trigrams - self.block * BLOCK_ENTRIES);
            self.trigram = block.first;
            self.at = block.at as usize;
            self.block += 1;
        }
        self.left -= 1;
        let bytes = &self.arena.bytes;
        self.trigram += read_number(bytes, &mut self.at);
        let n = read_number(bytes, &mut self.at);
        let start = self.at;
        if n == 1 {
            read_number(bytes, &mut self.at);
            return Some((
                self.trigram,
                Postings { n, len: self.at - start, bytes: &bytes[start..] },
            ));
        }
        let len = read_number(bytes, &mut self.at) as usize;
        let start = self.at;
        self.at += len;
        Some((self.trigram, Postings { n, len, bytes: &bytes[start..] }))
    }
}

/// Chunks that contain a trigram.
#[derive(Clone, Copy, Debug)]
pub(super) struct Postings<'a> {
    n: u32,
    /// Bytes of the list.
    len: usize,
    /// The list, and the bytes after it.
    bytes: &'a [u8],
}

impl Postings<'_> {
    pub(super) fn len(&self) -> usize {
        self.n as usize
    }

    /// Returns the chunks as the words of a bit set, if the list is coded as one. This takes a fraction of
    /// the time of [`Self::for_each`].
    pub(super) fn words(&self) -> Option<impl Iterator<Item = u64>> {
        let (&n_low, bytes) = self.bytes.split_first()?;
        if self.n == 1 || n_low > 0 {
            return None;
        }
        let (words, rest) = bytes[..self.len - 1].as_chunks();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        Some(words.iter().copied().chain([last]).map(u64::from_le_bytes))
    }

    /// Calls `visit` with each chunk, in ascending order.
    pub(super) fn for_each(&self, mut visit: impl FnMut(u32)) {
        if self.n == 1 {
            visit(read_number(self.bytes, &mut 0));
            return;
        }
        let n_low = u32::from(self.bytes[0]);
        let bytes = &self.bytes[1..];
        let mask = (1_u64 << n_low) - 1;
        let (mut at, mut next) = (0_usize, 0_u32);
        for _ in 0..self.n {
            let mut word = read_bits(bytes, at);
            let mut high = word.trailing_zeros();
            if high + n_low >= 56 {
                high = 0;
                while word == 0 {
                    // A read returns 56 bits.
                    high += 56;
                    at += 56;
                    word = read_bits(bytes, at);
                }
                let more = word.trailing_zeros();
                high += more;
                at += more as usize;
                word = read_bits(bytes, at);
                at += 1 + n_low as usize;
                word >>= 1;
            } else {
                at += (high + 1 + n_low) as usize;
                word >>= high + 1;
            }
            #[expect(clippy::cast_possible_truncation, reason = "masked to at most 24 bits")]
            let low = (word & mask) as u32;
            let chunk = next + (high << n_low | low);
            visit(chunk);
            next = chunk + 1;
        }
    }
}

/// Reads 56 bits from a bit position.
fn read_bits(bytes: &[u8], at: usize) -> u64 {
    let word: [u8; 8] = bytes[at / 8..at / 8 + 8].try_into().unwrap_or_default();
    let n = at % 8;
    // More bits would be available at some positions only.
    (u64::from_le_bytes(word) >> n) & ((1 << 56) - 1)
}

/// Reads a number of 7 bits a byte, the lowest first.
fn read_number(bytes: &[u8], at: &mut usize) -> u32 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return number;
        }
        shift += 7;
    }
}

/// Writes an [`Arena`].
#[derive(Debug, Default)]
pub(super) struct ArenaWriter {
    arena: Arena,
    last: u32,
}

impl ArenaWriter {
    /// Returns a writer with room for an arena of that size, so that it does not grow by doubling.
    pub(super) fn with_room(
        n_trigrams: usize,
        n_bytes: usize,
    ) -> Result<ArenaWriter, TryReserveError> {
        let mut writer = ArenaWriter::default();
        writer.arena.bytes.try_reserve_exact(n_bytes + PADDING)?;
        writer.arena.blocks.try_reserve_exact(n_trigrams.div_ceil(BLOCK_ENTRIES))?;
        Ok(writer)
    }

    /// Adds the chunks of a trigram that is larger than all before it. `chunks` are ascending;
    /// without chunks nothing is added.
    pub(super) fn push<C: Copy + Into<u32>>(
        &mut self,
        trigram: u32,
        chunks: &[C],
    ) -> Result<(), TryReserveError> {
        let [_, .., last] = chunks else {
            let [only] = chunks else { return Ok(()) };
            self.start(trigram, 1, 5)?;
            write_number(&mut self.arena.bytes, (*only).into());
            return Ok(());
        };
        let last: u32 = (*last).into();
        let n = chunks.len();
        // The number of chunks left out before the last one: the sum of all gaps.
        let gaps = u64::from(last) + 1 - n as u64;
        let n_low = low_bits(gaps, n as u64);
        let n_bits = code_bits(chunks, n_low);
        let len = usize::try_from(n_bits.div_ceil(8)).unwrap_or(usize::MAX).saturating_add(1);
        self.start(trigram, n, len.saturating_add(5))?;
        let bytes = &mut self.arena.bytes;
        write_number(bytes, u32::try_from(len).unwrap_or(u32::MAX));
        bytes.push(n_low.to_le_bytes()[0]);
        write_gaps(bytes, chunks, n_low);
        Ok(())
    }

    /// Begins an entry, and reserves `n_bytes` for the rest of it.
    fn start(&mut self, trigram: u32, n: usize, n_bytes: usize) -> Result<(), TryReserveError> {
        let arena = &mut self.arena;
        arena.bytes.try_reserve(n_bytes.saturating_add(10))?;
        if arena.n_trigrams.is_multiple_of(BLOCK_ENTRIES) {
            let at = u32::try_from(arena.bytes.len()).unwrap_or(u32::MAX);
            room::push(&mut arena.blocks, Block { first: trigram, at })?;
            self.last = trigram;
        }
        write_number(&mut arena.bytes, trigram - self.last);
        write_number(&mut arena.bytes, u32::try_from(n).unwrap_or(u32::MAX));
        self.last = trigram;
        arena.n_trigrams += 1;
        Ok(())
    }

    /// Returns the arena, copied if it would keep much unused capacity.
    pub(super) fn finish(mut self) -> Result<Arena, TryReserveError> {
        self.arena.bytes.try_reserve_exact(PADDING)?;
        self.arena.bytes.extend([0; PADDING]);
        if self.arena.bytes.capacity() > self.arena.bytes.len() / 8 * 9 {
            self.arena.bytes = room::copy(&self.arena.bytes)?;
        }
        if self.arena.blocks.capacity() > self.arena.blocks.len() / 8 * 9 {
            let n = self.arena.blocks.len();
            self.arena.blocks = room::collect(self.arena.blocks.drain(..), n)?;
        }
        Ok(self.arena)
    }
}

/// Returns the number of low bits for gaps of that sum. The best is near log2(mean * ln 2), and ln 2 is
/// near 11 / 16.
fn low_bits(gaps: u64, n: u64) -> u32 {
    let scaled = gaps.saturating_mul(11) / (16 * n);
    scaled.checked_ilog2().map_or(0, |log| log.min(LOW_BITS_MAX))
}

/// Returns the length of the code of a list.
fn code_bits<C: Copy + Into<u32>>(chunks: &[C], n_low: u32) -> u64 {
    let mut next = 0;
    let high_parts = chunks.iter().map(|chunk| {
        let chunk: u32 = (*chunk).into();
        let gap = chunk - next;
        next = chunk + 1;
        u64::from(gap >> n_low)
    });
    high_parts.sum::<u64>() + chunks.len() as u64 * u64::from(1 + n_low)
}

fn write_gaps<C: Copy + Into<u32>>(bytes: &mut Vec<u8>, chunks: &[C], n_low: u32) {
    let (mut word, mut n_bits) = (0_u64, 0_u32);
    let mut next = 0;
    let mask = (1_u32 << n_low) - 1;
    for chunk in chunks {
        let chunk: u32 = (*chunk).into();
        let gap = chunk - next;
        next = chunk + 1;
        let mut high = gap >> n_low;
        while high >= 24 {
            n_bits += 24;
            high -= 24;
            flush(bytes, &mut word, &mut n_bits);
        }
        // At most 7 bits are pending; at most 24 of the unary part and 23 low ones follow.
        let code = 1 | u64::from(gap & mask) << 1;
        word |= code << (n_bits + high);
        n_bits += high + 1 + n_low;
        flush(bytes, &mut word, &mut n_bits);
    }
    if n_bits > 0 {
        bytes.push(word.to_le_bytes()[0]);
    }
}

/// Moves whole bytes to the output.
fn flush(bytes: &mut Vec<u8>, word: &mut u64, n_bits: &mut u32) {
    let n_bytes = *n_bits / 8;
    bytes.extend_from_slice(&word.to_le_bytes()[..n_bytes as usize]);
    *word >>= n_bytes * 8;
    *n_bits %= 8;
}

fn write_number(bytes: &mut Vec<u8>, number: u32) {
    let mut number = number;
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lists() -> impl Strategy<Value = Vec<Vec<u32>>> {
        let list = (1_u32..200_000, 1_usize..60)
            .prop_flat_map(|(bound, n)| proptest::collection::btree_set(0..bound, 1..=n));
        proptest::collection::vec(list.prop_map(|set| set.into_iter().collect()), 0..100)
    }

    proptest! {
        #[test]
        fn lists_are_read_as_they_were_written(lists in lists(), step in 1_u32..1000) {
            let mut writer = ArenaWriter::default();
            for (trigram, list) in (7_u32..).step_by(step as usize).zip(&lists) {
                writer.push(trigram, list).expect("there is room");
            }
            let arena = writer.finish().expect("there is room");
            prop_assert_eq!(arena.n_trigrams(), lists.len());
            prop_assert!(arena.find(6).is_none());
            prop_assert_eq!(arena.entries().count(), lists.len());
            for (trigram, list) in (7_u32..).step_by(step as usize).zip(&lists) {
                let postings = arena.find(trigram).expect("it was written");
                let mut read = Vec::new();
                postings.for_each(|chunk| read.push(chunk));
                prop_assert_eq!(&read, list);
                prop_assert!(step == 1 || arena.find(trigram + 1).is_none());
            }
        }
    }

    #[test]
    fn dense_and_outlying_chunks_are_read_as_they_were_written() {
        let mut clustered: Vec<u32> = (0..3000).collect();
        clustered.extend([9_000_000, 9_000_001, u32::MAX - 1]);
        for list in [(0..100_000).collect(), clustered, vec![0, u32::MAX - 1], vec![u32::MAX]] {
            let mut writer = ArenaWriter::default();
            writer.push(1, &list).expect("there is room");
            let arena = writer.finish().expect("there is room");
            let mut read: Vec<u32> = Vec::new();
            arena.find(1).expect("written").for_each(|chunk| read.push(chunk));
            assert_eq!(read, list);
        }
    }
}
