//! An allocator that counts the requests of each thread and of all threads together.
//!
//! The count of one thread is exact, whatever other tests do at the same time. The count of all threads
//! includes the test harness, so it is good for loose bounds only.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// Counts of requests to the allocator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Number of allocations; a reallocation in place counts too.
    pub(crate) allocations: u64,
    /// Number of bytes that were not freed.
    pub(crate) live_bytes: i64,
    /// Maximum number of live bytes, relative to the start.
    pub(crate) peak_bytes: i64,
}

/// The allocator of the system, counted.
pub(crate) struct Counting;

thread_local! {
    // Without a destructor, so that it can be used as long as the thread lives.
    static OWN: Cell<Usage> = const { Cell::new(Usage { allocations: 0, live_bytes: 0, peak_bytes: 0 }) };
}

static ALL_ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static ALL_LIVE_BYTES: AtomicI64 = AtomicI64::new(0);
static ALL_PEAK_BYTES: AtomicI64 = AtomicI64::new(0);

/// Counts the allocations of the calling thread during `work`.
pub(crate) fn of_this_thread<T>(work: impl FnOnce() -> T) -> (T, Usage) {
    let before = OWN.get();
    OWN.set(Usage { peak_bytes: before.live_bytes, ..before });
    let done = work();
    let after = OWN.get();
    let usage = Usage {
        allocations: after.allocations - before.allocations,
        live_bytes: after.live_bytes - before.live_bytes,
        peak_bytes: after.peak_bytes - before.live_bytes,
    };
    (done, usage)
}

/// Counts the allocations of all threads during `work`.
pub(crate) fn of_all_threads<T>(work: impl FnOnce() -> T) -> (T, Usage) {
    let (allocations, live) = (ALL_ALLOCATIONS.load(Relaxed), ALL_LIVE_BYTES.load(Relaxed));
    ALL_PEAK_BYTES.store(live, Relaxed);
    let done = work();
    let usage = Usage {
        allocations: ALL_ALLOCATIONS.load(Relaxed) - allocations,
        live_bytes: ALL_LIVE_BYTES.load(Relaxed) - live,
        peak_bytes: ALL_PEAK_BYTES.load(Relaxed) - live,
    };
    (done, usage)
}

/// Records that `new` bytes replace a block of `old` bytes.
fn note(allocations: u64, old: usize, new: usize) {
    let size = |bytes: usize| i64::try_from(bytes).unwrap_or(i64::MAX);
    let grown = size(new) - size(old);
    // At the end of a thread its counts are no longer needed.
    let _ = OWN.try_with(|own| {
        let Usage { allocations: n, live_bytes, peak_bytes } = own.get();
        let live_bytes = live_bytes + grown;
        let peak_bytes = peak_bytes.max(live_bytes);
        own.set(Usage { allocations: n + allocations, live_bytes, peak_bytes });
    });
    ALL_ALLOCATIONS.fetch_add(allocations, Relaxed);
    let live = ALL_LIVE_BYTES.fetch_add(grown, Relaxed) + grown;
    ALL_PEAK_BYTES.fetch_max(live, Relaxed);
}

// SAFETY: every call is passed on unchanged to the allocator of the system, and its result is returned
// unchanged. Counting neither allocates nor panics.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(1, 0, layout.size());
        // SAFETY: the caller upholds the contract of this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(1, 0, layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(1, layout.size(), size);
        // SAFETY: as above, and `place` came from the same allocator.
        unsafe { System.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        note(0, layout.size(), 0);
        // SAFETY: as above, and `place` came from the same allocator.
        unsafe { System.dealloc(place, layout) }
    }
}
