//! The memory of arenas, and the table that maps an address to its arena.
//!
//! A block may be freed on any thread and at any time, even by a thread outside any arena, and `free`
//! receives only an address. All regions of the process are therefore in one table of words. A word
//! encodes both the start and the length of a region, so one atomic load reads them consistently,
//! without a lock. A region is removed from the table only after all its blocks were freed.

use super::UNIT;
use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

/// Maximum number of regions at one time; further arenas are refused.
const REGIONS_MAX: usize = 256;
/// Alignment of regions, which leaves the lower bits of the start for the length.
const ALIGNMENT: usize = 1 << 16;

/// Start of each region, with its length in units in the lower bits; 0 for an empty slot.
static WORDS: [AtomicUsize; REGIONS_MAX] = [const { AtomicUsize::new(0) }; REGIONS_MAX];
/// Number of blocks of each region that were freed outside their own arena.
static FREED_ELSEWHERE: [AtomicUsize; REGIONS_MAX] = [const { AtomicUsize::new(0) }; REGIONS_MAX];
/// Number of table slots that were ever used.
static END: AtomicUsize = AtomicUsize::new(0);

/// The memory of one arena.
#[derive(Debug)]
pub(super) struct Region {
    start: NonNull<u8>,
    layout: Layout,
    place: usize,
}

// SAFETY: a region is plain memory, not bound to the thread that allocated it.
unsafe impl Send for Region {}

impl Region {
    pub(super) fn new(bytes: usize) -> Option<Region> {
        let layout = Layout::from_size_align(bytes, ALIGNMENT).ok()?;
        if bytes == 0 || bytes / UNIT >= ALIGNMENT {
            return None;
        }
        // SAFETY: the size is not zero.
        let start = NonNull::new(unsafe { alloc(layout) })?;
        let word = start.as_ptr().addr() | (bytes / UNIT);
        for (place, slot) in WORDS.iter().enumerate() {
            if slot.compare_exchange(0, word, AcqRel, Relaxed).is_ok() {
                FREED_ELSEWHERE[place].store(0, Relaxed);
                END.fetch_max(place + 1, Release);
                return Some(Region { start, layout, place });
            }
        }
        // SAFETY: it was allocated above with the same layout, and no other code knows it.
        unsafe { dealloc(start.as_ptr(), layout) };
        None
    }

    pub(super) fn start(&self) -> NonNull<u8> {
        self.start
    }

    pub(super) fn len(&self) -> usize {
        self.layout.size()
    }

    pub(super) fn contains(&self, address: usize) -> bool {
        address.wrapping_sub(self.start.addr().get()) < self.len()
    }

    /// Returns the number of its blocks that were freed outside the arena.
    pub(super) fn n_freed_elsewhere(&self) -> usize {
        FREED_ELSEWHERE[self.place].load(Acquire)
    }

    pub(super) fn reset_freed_elsewhere(&self) {
        FREED_ELSEWHERE[self.place].store(0, Relaxed);
    }

    /// Returns the memory to the system.
    ///
    /// # Safety
    ///
    /// No block of the region may be in use.
    pub(super) unsafe fn release(&self) {
        WORDS[self.place].store(0, Release);
        // SAFETY: it was allocated with this layout, and the caller promises that it is not in use.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

/// Returns the table slot of the region that contains the address.
pub(super) fn place_of(address: usize) -> Option<usize> {
    WORDS[..END.load(Acquire)].iter().position(|slot| {
        let word = slot.load(Acquire);
        let (start, n_units) = (word & !(ALIGNMENT - 1), word & (ALIGNMENT - 1));
        address.wrapping_sub(start) < n_units * UNIT
    })
}

/// Counts a block that was freed outside its own arena.
pub(super) fn count_freed(place: usize) {
    FREED_ELSEWHERE[place].fetch_add(1, AcqRel);
}
