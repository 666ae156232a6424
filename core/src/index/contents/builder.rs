//! Builds segments from texts, on one thread.

use super::FileId;
use super::postings::{Arena, ArenaWriter};
use super::segment::Segment;
use super::trigrams::{Collector, TRIGRAMS, chunks, place};
use crate::room;
use std::collections::TryReserveError;

/// Pairs of a trigram and a chunk that make a segment full. Each takes about 7 bytes of the builder.
const PAIRS_FULL: usize = 2 << 20;
/// Limit for one text. A text with more pairs is nearly random, and would need too much memory.
const PAIRS_OF_FILE_MAX: usize = 1 << 20;
/// Chunks are numbered in 16 bits while they are sorted.
const CHUNKS_MAX: usize = 1 << 16;
/// Limit for files, since empty ones have no chunks.
const FILES_FULL: usize = 1 << 16;

/// Outcome of adding a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    /// The text is in the next segment.
    Indexed,
    /// The text is in no segment, so its file stays a candidate: it has a line longer than a chunk, or hardly
    /// any trigram in it occurs twice.
    Refused,
}

/// Builds segments, one after the other, with the same memory.
#[derive(Debug)]
pub(crate) struct SegmentBuilder {
    collector: Collector,
    /// Trigrams of all chunks, one chunk after the other.
    pairs: Vec<u32>,
    /// Where the trigrams of each chunk end in `pairs`.
    chunk_ends: Vec<usize>,
    files_of_chunks: Vec<u32>,
    ids: Vec<u32>,
    sorter: Sorter,
}

impl SegmentBuilder {
    /// Allocates an empty builder: 6 MiB, which grow to about 25 MiB in use.
    ///
    /// # Errors
    ///
    /// The memory is not available.
    pub(crate) fn new() -> Result<SegmentBuilder, TryReserveError> {
        Ok(SegmentBuilder {
            collector: Collector::new()?,
            pairs: Vec::new(),
            chunk_ends: Vec::new(),
            files_of_chunks: Vec::new(),
            ids: Vec::new(),
            sorter: Sorter::new()?,
        })
    }

    /// Adds a text, as the search sees it: decoded, and without a byte order mark.
    ///
    /// # Errors
    ///
    /// The memory is not available; the text was not added.
    pub(crate) fn add(&mut self, id: FileId, text: &[u8]) -> Result<Added, TryReserveError> {
        let before = (self.pairs.len(), self.chunk_ends.len());
        let added = self.add_chunks(text).and_then(|added| {
            if added == Added::Indexed {
                room::push(&mut self.ids, id.0)?;
            }
            Ok(added)
        });
        if added != Ok(Added::Indexed) {
            self.pairs.truncate(before.0);
            self.chunk_ends.truncate(before.1);
            self.files_of_chunks.truncate(before.1);
        }
        added
    }

    fn add_chunks(&mut self, text: &[u8]) -> Result<Added, TryReserveError> {
        let file = u32::try_from(self.ids.len()).unwrap_or(u32::MAX);
        let n_before = self.pairs.len();
        for chunk in chunks(text) {
            let Some(chunk) = chunk else { return Ok(Added::Refused) };
            let found = self.collector.distinct(chunk);
            let n_pairs = self.pairs.len() - n_before + found.len();
            if n_pairs > PAIRS_OF_FILE_MAX || self.chunk_ends.len() == CHUNKS_MAX {
                return Ok(Added::Refused);
            }
            self.pairs.try_reserve(found.len())?;
            self.pairs.extend_from_slice(found);
            room::push(&mut self.chunk_ends, self.pairs.len())?;
            room::push(&mut self.files_of_chunks, file)?;
        }
        Ok(Added::Indexed)
    }

    /// Reports whether no text was added since the last segment.
    pub(crate) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Reports whether the segment should be finished before another text is added.
    pub(crate) fn is_full(&self) -> bool {
        self.pairs.len() >= PAIRS_FULL
            || self.ids.len() >= FILES_FULL
            // The largest text, 48 MiB when decoded, must still fit: two chunks in a row have over 128 KiB.
            || self.chunk_ends.len() >= CHUNKS_MAX - 1024
    }

    /// Returns the segment of the texts added so far. The builder is empty afterwards, and keeps its
    /// memory for the next.
    ///
    /// # Errors
    ///
    /// The memory is not available; the texts are lost.
    pub(crate) fn finish(&mut self) -> Result<Segment, TryReserveError> {
        let segment = self.segment();
        self.pairs.clear();
        self.chunk_ends.clear();
        self.files_of_chunks.clear();
        self.ids.clear();
        segment
    }

    fn segment(&mut self) -> Result<Segment, TryReserveError> {
        let arena = self.sorter.arena(&mut self.pairs, &self.chunk_ends)?;
        let ids = room::collect(self.ids.iter().copied(), self.ids.len())?;
        let files = self.files_of_chunks.iter().copied();
        let files = room::collect(files, self.files_of_chunks.len())?;
        Segment::new(ids, files, arena)
    }
}

/// Sorts pairs of a trigram and a chunk by trigram, by counting. The distinct trigrams are numbered
/// first, in ascending order, so that the counters fit in the cache.
#[derive(Debug)]
struct Sorter {
    /// One bit for each trigram that occurs.
    present: Vec<u64>,
    /// Number of trigrams before each word of `present`.
    ranks: Vec<u32>,
    /// Position of the next chunk of each numbered trigram.
    places: Vec<u32>,
    chunks: Vec<u16>,
}

impl Sorter {
    fn new() -> Result<Sorter, TryReserveError> {
        let n_words = TRIGRAMS / 64;
        Ok(Sorter {
            present: room::collect(std::iter::repeat_n(0, n_words), n_words)?,
            ranks: room::collect(std::iter::repeat_n(0, n_words), n_words)?,
            places: Vec::new(),
            chunks: Vec::new(),
        })
    }

    /// Writes the posting lists. `pairs` are the trigrams of all chunks, and `ends` the positions where
    /// those of each chunk end; `pairs` are garbage afterwards.
    fn arena(&mut self, pairs: &mut [u32], ends: &[usize]) -> Result<Arena, TryReserveError> {
        self.number(pairs);
        let n_trigrams = self.n_trigrams();
        self.places.clear();
        self.places.try_reserve(n_trigrams + 1)?;
        self.places.resize(n_trigrams + 1, 0);
        // Each count is stored one place later, so that the sums are the starts of the lists.
        for pair in pairs.iter_mut() {
            let (word, bit) = place(*pair);
            let below = (self.present[word] & (bit - 1)).count_ones();
            *pair = self.ranks[word] + below;
            self.places[*pair as usize + 1] += 1;
        }
        let mut sum = 0;
        for place in &mut self.places {
            sum += *place;
            *place = sum;
        }
        if self.chunks.len() < pairs.len() {
            self.chunks.clear();
            self.chunks.try_reserve_exact(pairs.len())?;
            self.chunks.resize(pairs.len(), 0);
        }
        let mut start = 0;
        for (chunk, &end) in (0..=u16::MAX).zip(ends) {
            for &number in &pairs[start..end] {
                let place = &mut self.places[number as usize];
                self.chunks[*place as usize] = chunk;
                *place += 1;
            }
            start = end;
        }
        self.write(n_trigrams, pairs.len())
    }

    /// Numbers the distinct trigrams.
    fn number(&mut self, pairs: &[u32]) {
        self.present.fill(0);
        for &trigram in pairs {
            let (word, bit) = place(trigram);
            self.present[word] |= bit;
        }
        let mut n = 0;
        for (word, rank) in self.present.iter().zip(&mut self.ranks) {
            *rank = n;
            n += word.count_ones();
        }
    }

    fn n_trigrams(&self) -> usize {
        let last = self.present.last().map_or(0, |word| word.count_ones());
        self.ranks.last().map_or(0, |rank| (rank + last) as usize)
    }

    /// Writes the arena. Each place is now the end of the list of its trigram.
    fn write(&self, n_trigrams: usize, n_pairs: usize) -> Result<Arena, TryReserveError> {
        let mut writer = ArenaWriter::with_room(n_trigrams, n_trigrams * 4 + n_pairs)?;
        let mut start = 0;
        let mut ends = self.places.iter();
        for (first, &word) in (0_u32..).step_by(64).zip(&self.present) {
            let mut word = word;
            while word != 0 {
                let end = ends.next().map_or(start, |end| *end as usize);
                writer.push(first + word.trailing_zeros(), &self.chunks[start..end])?;
                start = end;
                word &= word - 1;
            }
        }
        writer.finish()
    }
}
