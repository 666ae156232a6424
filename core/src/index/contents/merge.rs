//! Merges segments into one, without the forgotten files.

use super::postings::{Arena, ArenaWriter, Entries, Postings};
use super::segment::Segment;

use std::collections::TryReserveError;

/// Trigrams between two polls.
const TRIGRAMS_PER_POLL: usize = 256;

/// Marks a chunk of a forgotten file.
const DROPPED: u32 = u32::MAX;

/// A segment to merge, and the sorted ids of its forgotten files.
#[derive(Debug)]
pub(super) struct Source<'a> {
    pub(super) segment: &'a Segment,
    pub(super) dead: &'a [u32],
}

/// Merges segments, or returns `None` when stopped. The new segment, which is hardly larger than the
/// old ones together, and 8 bytes a chunk are allocated.
pub(super) fn merge(
    sources: &[Source<'_>],
    stop: &dyn Fn() -> bool,
) -> Result<Option<Segment>, TryReserveError> {
    let mut merged = Merged::default();
    let mut inputs = Vec::new();
    inputs.try_reserve_exact(sources.len())?;
    for source in sources {
        let chunks = merged.add_files(source)?;
        let mut entries = source.segment.entries();
        let next = entries.next();
        inputs.push(Input { entries, next, chunks });
    }
    let Some(arena) = merge_lists(&mut inputs, sources, stop)? else { return Ok(None) };
    drop(inputs);
    Ok(Some(Segment::new(merged.ids, merged.files_of_chunks, arena)?))
}

#[derive(Default)]
struct Merged {
    ids: Vec<u32>,
    files_of_chunks: Vec<u32>,
}

impl Merged {
    /// Adds the files of a segment. Returns the new number of each of its chunks.
    fn add_files(&mut self, source: &Source<'_>) -> Result<Vec<u32>, TryReserveError> {
        let segment = source.segment;
        self.ids.try_reserve_exact(segment.files())?;
        self.files_of_chunks.try_reserve_exact(segment.n_chunks())?;
        let mut chunks = Vec::new();
        chunks.try_reserve_exact(segment.n_chunks())?;
        let mut of_chunks = segment.files_of_chunks().iter().peekable();
        for (file, &id) in (0_u32..).zip(segment.ids()) {
            let is_dead = source.dead.binary_search(&id).is_ok();
            let new_file = u32::try_from(self.ids.len()).unwrap_or(DROPPED);
            if !is_dead {
                self.ids.push(id);
            }
            while of_chunks.next_if_eq(&&file).is_some() {
                if is_dead {
                    chunks.push(DROPPED);
                } else {
                    chunks.push(u32::try_from(self.files_of_chunks.len()).unwrap_or(DROPPED));
                    self.files_of_chunks.push(new_file);
                }
            }
        }
        Ok(chunks)
    }
}

struct Input<'a> {
    entries: Entries<'a>,
    next: Option<(u32, Postings<'a>)>,
    /// New numbers of the chunks.
    chunks: Vec<u32>,
}

/// Merges posting lists, or returns `None` when stopped. A heap would gain nothing for at most 16 inputs.
fn merge_lists(
    inputs: &mut [Input<'_>],
    sources: &[Source<'_>],
    stop: &dyn Fn() -> bool,
) -> Result<Option<Arena>, TryReserveError> {
    let n_bytes = sources.iter().map(|source| source.segment.arena_bytes()).sum();
    let n_trigrams = sources.iter().map(|source| source.segment.n_trigrams()).max().unwrap_or(0);
    let mut writer = ArenaWriter::with_room(n_trigrams, n_bytes)?;
    let mut list: Vec<u32> = Vec::new();
    list.try_reserve_exact(inputs.iter().map(|input| input.chunks.len()).sum())?;
    for n in 0.. {
        if n % TRIGRAMS_PER_POLL == 0 && stop() {
            return Ok(None);
        }
        let trigrams = inputs.iter().filter_map(|input| input.next.map(|(trigram, _)| trigram));
        let Some(smallest) = trigrams.min() else { break };
        list.clear();
        for input in &mut *inputs {
            let Some((trigram, postings)) = input.next else { continue };
            if trigram == smallest {
                let chunks = &input.chunks;
                postings.for_each(|chunk| {
                    let chunk = chunks[chunk as usize];
                    if chunk != DROPPED {
                        list.push(chunk);
                    }
                });
                input.next = input.entries.next();
            }
        }
        writer.push(smallest, &list)?;
    }
    drop(list);
    writer.finish().map(Some)
}
