//! The memory of arenas, and the table that tells which arena an address belongs to.
//!
//! A block may be freed on any thread and at any time, also by one that runs in no arena, and `free`
//! receives nothing but an address. So all regions of the process are in one table of words, each of
//! which says where a region starts and how long it is: start and length are read together, and need no
//! lock. A region is removed from the table only after all of its blocks were freed.

use super::UNIT;
use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

/// Regions at one time; further arenas are refused.
const REGIONS_MAX: usize = 256;
/// Regions start at multiples of this, so that the lower bits of the start have room for the length.
const ALIGNMENT: usize = 1 << 16;

/// The start of each region, with its length in units in the lower bits; 0 where there is none.
static WORDS: [AtomicUsize; REGIONS_MAX] = [const { AtomicUsize::new(0) }; REGIONS_MAX];
/// The number of blocks of each region that were freed elsewhere than in its own arena.
static FREED_ELSEWHERE: [AtomicUsize; REGIONS_MAX] = [const { AtomicUsize::new(0) }; REGIONS_MAX];
/// Beyond this place the table was never used.
static END: AtomicUsize = AtomicUsize::new(0);

/// The memory of one arena.
#[derive(Debug)]
pub(super) struct Region {
    start: NonNull<u8>,
    layout: Layout,
    place: usize,
}

// SAFETY: a region is plain memory, and it is not bound to the thread that allocated it.
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
        // SAFETY: it was allocated above with the same layout, and nobody else knows it.
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

    /// The number of its blocks that were freed elsewhere.
    pub(super) fn n_freed_elsewhere(&self) -> usize {
        FREED_ELSEWHERE[self.place].load(Acquire)
    }

    pub(super) fn reset_freed_elsewhere(&self) {
        FREED_ELSEWHERE[self.place].store(0, Relaxed);
    }

    /// Returns the memory.
    ///
    /// # Safety
    ///
    /// No block of it may be in use.
    pub(super) unsafe fn release(&self) {
        WORDS[self.place].store(0, Release);
        // SAFETY: it was allocated with this layout, and the caller promises that nobody uses it.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

/// The place in the table of the region that the address is in.
pub(super) fn place_of(address: usize) -> Option<usize> {
    WORDS[..END.load(Acquire)].iter().position(|slot| {
        let word = slot.load(Acquire);
        let (start, n_units) = (word & !(ALIGNMENT - 1), word & (ALIGNMENT - 1));
        address.wrapping_sub(start) < n_units * UNIT
    })
}

/// Counts a block that was freed elsewhere than in its own arena.
pub(super) fn count_freed(place: usize) {
    FREED_ELSEWHERE[place].fetch_add(1, AcqRel);
}
