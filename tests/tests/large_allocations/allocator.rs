//! An allocator in which one large allocation fails.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// Minimum size of an allocation that counts.
pub(crate) const LARGE_BYTES: usize = 256 << 10;

/// Number of large allocations up to and including the failing one; 0 if none is to fail.
static LEFT: AtomicUsize = AtomicUsize::new(0);
/// Number of large allocations since the count began.
static SEEN: AtomicUsize = AtomicUsize::new(0);
/// Number of large allocations after the first failing one that fail as well.
static MORE: AtomicUsize = AtomicUsize::new(0);

/// Size above which every allocation fails; 0 if there is none.
static BYTES_MAX: AtomicUsize = AtomicUsize::new(0);

/// Makes all allocations of more than this size fail from now on.
pub(crate) fn fail_above(bytes: usize) {
    BYTES_MAX.store(bytes, Relaxed);
}

/// The allocator of the system, with a fault.
pub(crate) struct Failing;

/// Makes the nth large allocation from now on fail, counted from 1, and all later ones if `all`.
pub(crate) fn fail(nth: usize, all: bool) {
    SEEN.store(0, Relaxed);
    MORE.store(if all { usize::MAX } else { 0 }, Relaxed);
    LEFT.store(nth, Relaxed);
}

/// Ends the fault; returns the number of large allocations since it began.
pub(crate) fn heal() -> usize {
    LEFT.store(0, Relaxed);
    MORE.store(0, Relaxed);
    SEEN.load(Relaxed)
}

/// Returns whether this allocation fails.
fn fails(bytes: usize) -> bool {
    let bytes_max = BYTES_MAX.load(Relaxed);
    if bytes_max > 0 && bytes > bytes_max {
        return true;
    }
    if bytes <= LARGE_BYTES || LEFT.load(Relaxed) == 0 {
        return false;
    }
    let nth = SEEN.fetch_add(1, Relaxed) + 1;
    let left = LEFT.load(Relaxed);
    nth == left || (nth > left && MORE.load(Relaxed) > 0)
}

// SAFETY: every call is passed on unchanged to the allocator of the system, or fails with null, as an
// allocator may.
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if fails(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller upholds the contract of this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if fails(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() && fails(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: as above, and `place` came from the same allocator.
        unsafe { System.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as above, and `place` came from the same allocator.
        unsafe { System.dealloc(place, layout) }
    }
}
