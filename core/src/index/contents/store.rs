//! All segments of a workspace, shared by the threads that search, index and compact.

use super::candidates::Candidates;
use super::evaluate;
use super::ids::IdTable;
use super::merge::{self, Source};
use super::plan::Plan;
use super::segment::Segment;
use super::{FileId, Mode};
use crate::room;
use parking_lot::{Mutex, RwLock};
use std::collections::{TryReserveError, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Limit for the size of merged segments, and so for the additional memory of a merge. A merge of this size
/// takes about a quarter of a second.
const SEGMENT_BYTES_MAX: usize = 24 << 20;
/// Number of segments of about the same size that are merged at once.
const FAN_IN_MIN: usize = 4;
const FAN_IN_MAX: usize = 16;
/// A segment is rewritten when one in this many files is forgotten.
const FILES_PER_DEAD: usize = 8;
/// Segments up to this size count as equally small.
const SMALL_BYTES: usize = 64 << 10;
/// Limit for the ids of forgotten files that are not in a segment yet. Older ones are dropped from this list,
/// and the files stay, which only costs space.
const EARLY_MAX: usize = 4_096;

/// Index of the contents of a workspace.
#[derive(Debug, Default)]
pub(crate) struct Store {
    next_id: AtomicU32,
    slots: RwLock<Vec<Slot>>,
    /// Ids forgotten while no segment contained them: a builder may still hold their texts. Locked after
    /// `slots`.
    early: Mutex<VecDeque<u32>>,
    /// Locked by the one thread that compacts.
    compacting: Mutex<()>,
}

#[derive(Debug)]
struct Slot {
    segment: Arc<Segment>,
    /// Sorted ids of its forgotten files.
    dead: Vec<u32>,
}

impl Store {
    /// Returns an empty store.
    pub(crate) fn new() -> Store {
        Store::default()
    }

    /// Reserves `n` ids in a row. `None` when the ids are used up; files are not indexed then.
    pub(crate) fn reserve_ids(&self, n: u32) -> Option<Range<u32>> {
        let add = |id: u32| id.checked_add(n);
        let first = self.next_id.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).ok()?;
        Some(first..first + n)
    }

    /// Reserves one id. `None` when the ids are used up.
    pub(crate) fn next_id(&self) -> Option<FileId> {
        self.reserve_ids(1).map(|ids| FileId(ids.start))
    }

    /// Adds a segment. Its files are excluded by searches that start from now on.
    ///
    /// # Errors
    ///
    /// The memory is not available; the segment is dropped.
    pub(crate) fn add(&self, segment: Segment) -> Result<(), TryReserveError> {
        if segment.files() == 0 {
            return Ok(());
        }
        let mut slots = self.slots.write();
        let dead = self.take_early(&segment);
        if dead.len() == segment.files() {
            return Ok(());
        }
        room::push(&mut slots, Slot { segment: Arc::new(segment), dead })
    }

    /// Returns the files of a segment that were forgotten before it was added.
    fn take_early(&self, segment: &Segment) -> Vec<u32> {
        let mut dead = Vec::new();
        self.early.lock().retain(|&id| {
            let is_of_it = segment.id_set().contains(id);
            if is_of_it && dead.try_reserve(1).is_ok() {
                dead.push(id);
            }
            !is_of_it
        });
        dead.sort_unstable();
        dead.dedup();
        dead
    }

    /// Forgets a file, which a later compaction drops. Notes an id that no segment contains: its segment may
    /// be about to be added.
    pub(crate) fn forget(&self, file: FileId) {
        let mut slots = self.slots.write();
        let holds = |slot: &Slot| slot.segment.id_set().contains(file.0);
        let Some(at) = slots.iter().position(holds) else {
            let mut early = self.early.lock();
            if early.len() == EARLY_MAX {
                early.pop_front();
            }
            if early.try_reserve(1).is_ok() {
                early.push_back(file.0);
            }
            return;
        };
        let slot = &mut slots[at];
        if let Err(place) = slot.dead.binary_search(&file.0) {
            // If memory is short the file stays, which only costs space.
            if slot.dead.try_reserve(1).is_ok() {
                slot.dead.insert(place, file.0);
            }
        }
        if slot.dead.len() == slot.segment.files() {
            slots.swap_remove(at);
        }
    }

    /// Evaluates a plan. Segments that are not evaluated, because `stop` returns true or memory is
    /// short, exclude nothing.
    pub(crate) fn candidates(
        &self,
        plan: &Plan,
        mode: Mode,
        stop: &dyn Fn() -> bool,
    ) -> Candidates {
        if plan.is_all() {
            return Candidates::default();
        }
        let Ok(segments) = self.snapshot() else {
            return Candidates::default();
        };
        let sets = segments.iter().map(|segment| segment.id_set());
        let Ok(mut excluded) = IdTable::with_room_for(sets) else {
            return Candidates::default();
        };
        let mut count = 0;
        for segment in &segments {
            let Ok(files) = evaluate::files(segment, plan, mode, stop) else { continue };
            if excluded.insert_all(segment.id_set()).is_err() {
                continue;
            }
            files.for_each(|file| {
                excluded.remove(segment.ids()[file as usize]);
                count += 1;
            });
        }
        Candidates::new(excluded, count)
    }

    fn snapshot(&self) -> Result<Vec<Arc<Segment>>, TryReserveError> {
        let slots = self.slots.read();
        room::collect(slots.iter().map(|slot| Arc::clone(&slot.segment)), slots.len())
    }

    /// Runs one step of compaction: merges some segments of about the same size, or rewrites one without its
    /// forgotten files. Does not block searches. Returns whether another step may be needed; false also if
    /// `stop` returns true, memory is short, or another thread compacts.
    pub(crate) fn compact(&self, stop: &dyn Fn() -> bool) -> bool {
        let Some(_alone) = self.compacting.try_lock() else {
            return false;
        };
        let Ok(Some(chosen)) = self.choose() else {
            return false;
        };
        let sources = chosen.iter().map(|slot| Source { segment: &slot.segment, dead: &slot.dead });
        let Ok(sources) = room::collect(sources, chosen.len()) else {
            return false;
        };
        let Ok(Some(merged)) = merge::merge(&sources, stop) else {
            return false;
        };
        drop(sources);
        self.replace(&chosen, merged).is_ok()
    }

    /// Chooses the segments of the next step.
    fn choose(&self) -> Result<Option<Vec<Slot>>, TryReserveError> {
        let slots = self.slots.read();
        let is_worn = |slot: &&Slot| slot.dead.len() * FILES_PER_DEAD >= slot.segment.files();
        if let Some(slot) = slots.iter().filter(|slot| !slot.dead.is_empty()).find(is_worn) {
            return Ok(Some(room::collect([slot.copy()?].into_iter(), 1)?));
        }
        // Segments by size.
        let sizes = slots.iter().enumerate().map(|(at, slot)| (slot.segment.bytes(), at));
        let mut sizes = room::collect(sizes, slots.len())?;
        sizes.retain(|(size, _)| *size <= SEGMENT_BYTES_MAX / 2);
        sizes.sort_unstable();
        let level = |size: usize| (size / SMALL_BYTES).checked_ilog2().map_or(0, |log| 1 + log / 2);
        for group in sizes.chunk_by(|one, next| level(one.0) == level(next.0)) {
            let mut sum = 0;
            let small = group.iter().take(FAN_IN_MAX).take_while(|(size, _)| {
                sum += size;
                sum <= SEGMENT_BYTES_MAX
            });
            let n = small.count();
            if group.len() < FAN_IN_MIN || n < 2 {
                continue;
            }
            let mut chosen = Vec::new();
            chosen.try_reserve_exact(n)?;
            let mut places = room::collect(group[..n].iter().map(|(_, at)| *at), n)?;
            // The older segments first, so that files keep their order.
            places.sort_unstable_by_key(|at| slots[*at].segment.ids().first().copied());
            for at in places {
                chosen.push(slots[at].copy()?);
            }
            return Ok(Some(chosen));
        }
        Ok(None)
    }

    /// Replaces the sources by the merged segment.
    fn replace(&self, sources: &[Slot], merged: Segment) -> Result<(), TryReserveError> {
        let mut slots = self.slots.write();
        let is_source =
            |slot: &Slot| sources.iter().any(|source| Arc::ptr_eq(&source.segment, &slot.segment));
        slots.try_reserve(1)?;
        // Files forgotten during the merge, alone or with their whole segment.
        let mut dead = Vec::new();
        let is_left =
            |source: &Slot| slots.iter().find(|slot| Arc::ptr_eq(&slot.segment, &source.segment));
        for source in sources {
            let now = match is_left(source) {
                Some(slot) => &slot.dead[..],
                None => source.segment.ids(),
            };
            let dying = now.iter().filter(|id| source.dead.binary_search(id).is_err());
            for id in dying {
                room::push(&mut dead, *id)?;
            }
        }
        dead.sort_unstable();
        slots.retain(|slot| !is_source(slot));
        if dead.len() < merged.files() {
            slots.push(Slot { segment: Arc::new(merged), dead });
        }
        Ok(())
    }

    /// Returns the memory of all segments, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let slots = self.slots.read();
        let dead = slots.iter().map(|slot| slot.dead.capacity() * size_of::<u32>());
        slots.iter().map(|slot| slot.segment.bytes()).sum::<usize>() + dead.sum::<usize>()
    }

    /// Returns the number of files in the index that are not forgotten.
    pub(crate) fn files(&self) -> usize {
        self.slots.read().iter().map(|slot| slot.segment.files() - slot.dead.len()).sum()
    }

    /// Returns the number of segments.
    #[cfg(test)]
    pub(crate) fn segments(&self) -> usize {
        self.slots.read().len()
    }
}

impl Slot {
    fn copy(&self) -> Result<Slot, TryReserveError> {
        let dead = room::collect(self.dead.iter().copied(), self.dead.len())?;
        Ok(Slot { segment: Arc::clone(&self.segment), dead })
    }
}
