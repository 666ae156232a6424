//! Segment: an immutable index of some texts.

use super::ids::IdSet;
use super::postings::{Arena, Entries, Postings};
use crate::room;
use std::collections::TryReserveError;

/// Index of some texts: for each trigram the chunks that contain it. Immutable, and shared by the
/// searches that read it.
#[derive(Debug)]
pub(crate) struct Segment {
    /// Ids in the order in which the texts were added. A position in it is a file of this segment.
    ids: Vec<u32>,
    id_set: IdSet,
    /// The file of each chunk; ascending. An empty text has none.
    files_of_chunks: Vec<u32>,
    /// First and last chunk of each file that has several.
    spans: Vec<(u32, u32)>,
    arena: Arena,
}

impl Segment {
    pub(super) fn new(
        ids: Vec<u32>,
        files_of_chunks: Vec<u32>,
        arena: Arena,
    ) -> Result<Segment, TryReserveError> {
        let id_set = IdSet::of(&ids)?;
        let spans = spans(&files_of_chunks)?;
        Ok(Segment { ids, id_set, files_of_chunks, spans, arena })
    }

    /// Returns the number of files.
    pub(crate) fn files(&self) -> usize {
        self.ids.len()
    }

    /// Returns the memory of the segment, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let lists = (self.ids.capacity() + self.files_of_chunks.capacity()) * size_of::<u32>();
        let spans = self.spans.capacity() * size_of::<(u32, u32)>();
        size_of::<Segment>() + lists + spans + self.id_set.bytes() + self.arena.bytes()
    }

    pub(super) fn n_chunks(&self) -> usize {
        self.files_of_chunks.len()
    }

    pub(super) fn n_trigrams(&self) -> usize {
        self.arena.n_trigrams()
    }

    pub(super) fn ids(&self) -> &[u32] {
        &self.ids
    }

    pub(super) fn id_set(&self) -> &IdSet {
        &self.id_set
    }

    pub(super) fn files_of_chunks(&self) -> &[u32] {
        &self.files_of_chunks
    }

    pub(super) fn spans(&self) -> &[(u32, u32)] {
        &self.spans
    }

    pub(super) fn find(&self, trigram: u32) -> Option<Postings<'_>> {
        self.arena.find(trigram)
    }

    pub(super) fn entries(&self) -> Entries<'_> {
        self.arena.entries()
    }

    pub(super) fn arena_bytes(&self) -> usize {
        self.arena.bytes()
    }
}

/// Returns the first and last chunk of each file that has several.
fn spans(files_of_chunks: &[u32]) -> Result<Vec<(u32, u32)>, TryReserveError> {
    let mut spans = Vec::new();
    let mut first = 0_u32;
    for chunks in files_of_chunks.chunk_by(|one, next| one == next) {
        let next = first + u32::try_from(chunks.len()).unwrap_or(u32::MAX);
        if chunks.len() > 1 {
            room::push(&mut spans, (first, next - 1))?;
        }
        first = next;
    }
    Ok(spans)
}
