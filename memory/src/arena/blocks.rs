//! The blocks of one arena: taken from the front of its region, and reused by size after they are freed.
//!
//! A word before each block contains its size. Sizes up to 1 KiB are multiples of 16 bytes; beyond that
//! there are four sizes per power of two. Free blocks of one size form a list linked through their first
//! words. Blocks are never merged: a parser allocates only a few sizes.

use super::regions::Region;
use std::cell::Cell;
use std::ptr::NonNull;

/// Size of the word before each block.
const HEADER: usize = size_of::<u64>();
/// Alignment of blocks, the same as `malloc` guarantees; headers precede it.
const STEP: usize = 16;
/// Largest size in steps of 16 bytes; beyond it the steps grow.
const SMALL_MAX: usize = 1024;
const N_CLASSES: usize = SMALL_MAX / STEP + 1 + 4 * (usize::BITS as usize - 10);

/// The blocks of an arena.
#[derive(Debug)]
pub(super) struct Blocks {
    region: Region,
    /// Offset of the first unused byte in the region.
    used: Cell<usize>,
    n_allocated: Cell<usize>,
    n_freed: Cell<usize>,
    has_overflowed: Cell<bool>,
    /// Offset of the first free block of each size; 0 if its list is empty.
    free: Vec<Cell<usize>>,
}

impl Blocks {
    pub(super) fn new(region: Region) -> Blocks {
        Blocks {
            region,
            used: Cell::new(STEP - HEADER),
            n_allocated: Cell::new(0),
            n_freed: Cell::new(0),
            has_overflowed: Cell::new(false),
            free: vec![Cell::new(0); N_CLASSES],
        }
    }

    pub(super) fn region(&self) -> &Region {
        &self.region
    }

    pub(super) fn used(&self) -> usize {
        self.used.get()
    }

    pub(super) fn is_full(&self) -> bool {
        self.has_overflowed.get() || self.used.get() > self.region.len() / 4 * 3
    }

    /// Returns the number of blocks in use.
    pub(super) fn n_live(&self) -> usize {
        let freed = self.n_freed.get() + self.region.n_freed_elsewhere();
        self.n_allocated.get().saturating_sub(freed)
    }

    /// Makes the whole region available again, unless a block is in use; returns whether it did.
    pub(super) fn clear(&mut self) -> bool {
        if self.n_live() > 0 {
            return false;
        }
        self.region.reset_freed_elsewhere();
        self.used.set(STEP - HEADER);
        self.n_allocated.set(0);
        self.n_freed.set(0);
        self.has_overflowed.set(false);
        self.free.iter().for_each(|first| first.set(0));
        true
    }

    /// Returns a block of at least `size` bytes with arbitrary contents; `None` if the region is full.
    pub(super) fn allocate(&self, size: usize) -> Option<NonNull<u8>> {
        let Some((total, class)) = rounded(size) else {
            self.has_overflowed.set(true);
            return None;
        };
        let first = self.free[class].get();
        let at = if first != 0 {
            // SAFETY: the list contains free blocks of the region only, each with the next offset in its
            // first word.
            self.free[class].set(unsafe { self.block(first).cast::<usize>().read() });
            first
        } else {
            let used = self.used.get();
            if total > self.region.len() - used {
                self.has_overflowed.set(true);
                return None;
            }
            self.used.set(used + total);
            // SAFETY: the header is within the region, as are the `total` bytes after `used`, and
            // aligned, since `used` is 8 more than a multiple of 16.
            unsafe { self.block(used).cast::<u64>().write(total as u64) };
            used + HEADER
        };
        self.n_allocated.set(self.n_allocated.get() + 1);
        // SAFETY: the block is within the region.
        Some(unsafe { self.block(at) })
    }

    /// Frees a block of the arena so that another one of its size can reuse it.
    ///
    /// # Safety
    ///
    /// The block must come from [`Blocks::allocate`] and must not have been freed since.
    pub(super) unsafe fn free(&self, block: NonNull<u8>) {
        // SAFETY: the caller promises that it is a block.
        let (_, class) = rounded(unsafe { capacity(block) })
            .expect("because the size of a block was rounded before");
        let at = block.addr().get() - self.region.start().addr().get();
        // SAFETY: a block has room for at least one word, and it is no longer in use.
        unsafe { block.cast::<usize>().write(self.free[class].get()) };
        self.free[class].set(at);
        self.n_freed.set(self.n_freed.get() + 1);
    }

    /// Returns the address `at` bytes after the start of the region.
    ///
    /// # Safety
    ///
    /// The address must be within the region.
    unsafe fn block(&self, at: usize) -> NonNull<u8> {
        // SAFETY: the caller promises that it is within the region.
        unsafe { self.region.start().add(at) }
    }
}

impl Drop for Blocks {
    fn drop(&mut self) {
        if self.n_live() == 0 {
            // SAFETY: no block is in use. A region with blocks in use is never released, so those stay valid.
            unsafe { self.region.release() };
        }
    }
}

/// Returns the number of usable bytes of a block.
///
/// # Safety
///
/// The block must belong to an arena.
pub(super) unsafe fn capacity(block: NonNull<u8>) -> usize {
    // SAFETY: the word before each block contains its size.
    let total = unsafe { block.sub(HEADER).cast::<u64>().read() };
    usize::try_from(total).expect("because it was written as a usize") - HEADER
}

/// Returns the total size of a block of `size` bytes with its header, and the index of its size class.
fn rounded(size: usize) -> Option<(usize, usize)> {
    let total = size.max(HEADER).checked_add(HEADER)?.checked_next_multiple_of(STEP)?;
    if total <= SMALL_MAX {
        return Some((total, total / STEP));
    }
    let power = (total - 1).ilog2();
    let step = 1 << (power - 2);
    let total = total.checked_next_multiple_of(step)?;
    let n_steps = (total - (1 << power)) / step;
    let class = SMALL_MAX / STEP + (power as usize - 10) * 4 + n_steps;
    (class < N_CLASSES).then_some((total, class))
}
