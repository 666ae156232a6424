//! The blocks of one arena: taken from the front of its region, and reused by their size when freed.
//!
//! Before each block is one word with its size. Blocks of up to 1 KiB have sizes in steps of 16 bytes,
//! larger ones four sizes between two powers of two. The free blocks of one size are a list through
//! their first words. Nothing is ever merged: the blocks of a parser are of few sizes.

use super::regions::Region;
use std::cell::Cell;
use std::ptr::NonNull;

/// The word before each block.
const HEADER: usize = size_of::<u64>();
/// Blocks begin at multiples of this, as `malloc` guarantees it; their headers are before that.
const STEP: usize = 16;
/// Larger blocks have sizes in larger steps.
const SMALL_MAX: usize = 1024;
const N_CLASSES: usize = SMALL_MAX / STEP + 1 + 4 * (usize::BITS as usize - 10);

/// The blocks of an arena.
#[derive(Debug)]
pub(super) struct Blocks {
    region: Region,
    /// The next unused byte, as a distance from the start of the region.
    used: Cell<usize>,
    n_allocated: Cell<usize>,
    n_freed: Cell<usize>,
    has_overflowed: Cell<bool>,
    /// The first free block of each size, as a distance from the start of the region; 0 for none.
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

    /// The number of blocks that are in use.
    pub(super) fn n_live(&self) -> usize {
        let freed = self.n_freed.get() + self.region.n_freed_elsewhere();
        self.n_allocated.get().saturating_sub(freed)
    }

    /// Makes all of the region available, unless a block is in use.
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

    /// A block of at least `size` bytes with any content; `None` where there is no room for it.
    pub(super) fn allocate(&self, size: usize) -> Option<NonNull<u8>> {
        let Some((total, class)) = rounded(size) else {
            self.has_overflowed.set(true);
            return None;
        };
        let first = self.free[class].get();
        let at = if first != 0 {
            // SAFETY: what is in a list are free blocks of the region, each with a place in its
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
            // SAFETY: the header is within the region, as `total` bytes from here are, and aligned, as
            // `used` is 8 more than a multiple of 16.
            unsafe { self.block(used).cast::<u64>().write(total as u64) };
            used + HEADER
        };
        self.n_allocated.set(self.n_allocated.get() + 1);
        // SAFETY: the block is within the region.
        Some(unsafe { self.block(at) })
    }

    /// Frees a block of the arena for another one of its size.
    ///
    /// # Safety
    ///
    /// It must be a block that [`Blocks::allocate`] returned and that was not freed since.
    pub(super) unsafe fn free(&self, block: NonNull<u8>) {
        // SAFETY: the caller promises that it is a block.
        let (_, class) = rounded(unsafe { capacity(block) })
            .expect("because the size of a block was rounded before");
        let at = block.addr().get() - self.region.start().addr().get();
        // SAFETY: a block has room for a word at least, and nobody uses it any more.
        unsafe { block.cast::<usize>().write(self.free[class].get()) };
        self.free[class].set(at);
        self.n_freed.set(self.n_freed.get() + 1);
    }

    /// The address `at` bytes behind the start of the region.
    ///
    /// # Safety
    ///
    /// It must be within the region.
    unsafe fn block(&self, at: usize) -> NonNull<u8> {
        // SAFETY: the caller promises that it is within the region.
        unsafe { self.region.start().add(at) }
    }
}

impl Drop for Blocks {
    fn drop(&mut self) {
        if self.n_live() == 0 {
            // SAFETY: no block is in use. One that is stays valid for ever, as the region does.
            unsafe { self.region.release() };
        }
    }
}

/// The bytes that a block has room for.
///
/// # Safety
///
/// It must be a block of an arena.
pub(super) unsafe fn capacity(block: NonNull<u8>) -> usize {
    // SAFETY: each block has its size in the word before it.
    let total = unsafe { block.sub(HEADER).cast::<u64>().read() };
    usize::try_from(total).expect("because it was written as a usize") - HEADER
}

/// The size that a block of `size` bytes has with its header, and the number of that size.
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
