//! Memory of its own for one parse of tree-sitter.
//!
//! A tree takes up to a hundred times the memory of its text, in millions of small blocks. From the
//! heap of the system they have three faults: nothing bounds them, a failure to allocate aborts the
//! process, and what is freed stays resident in the heap of the thread that parsed. An [`Arena`] is
//! one large allocation, made fallibly before the parse. While [`Arena::run`] runs, the allocator of
//! tree-sitter takes every block of the calling thread from it; a block that does not fit comes from
//! the allocator that was there before, and [`Arena::is_full`] says in time that the parse has to stop.
//! An arena that is dropped returns everything at once: it is larger than any allocation that the C
//! library of Linux keeps for itself.
//!
//! The hooks of tree-sitter are process-wide, so this is the one place that sets them. A host that
//! sets an allocator for tree-sitter too must do so before the first arena is made; it remains the
//! allocator of everything that is not in an arena.

mod blocks;
mod hooks;
mod regions;
#[cfg(test)]
mod tests;

use blocks::Blocks;
use regions::Region;
use std::fmt;

/// Sizes are multiples of this.
const UNIT: usize = 1 << 20;
/// The smallest arena: the C library of Linux keeps freed memory of up to 32 MiB for itself, and
/// returns to the system at once what is larger.
const BYTES_MIN: usize = 33 << 20;

/// Memory for one parse at a time.
pub struct Arena {
    blocks: Box<Blocks>,
}

impl fmt::Debug for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena").field("used", &self.used()).finish_non_exhaustive()
    }
}

impl Arena {
    /// Reserves an arena of `bytes`, rounded up to whole MiB and to 33 MiB at least. The system provides
    /// only the pages that are used. `None` where it has no room for it.
    pub fn new(bytes: usize) -> Option<Arena> {
        hooks::install();
        let bytes = bytes.max(BYTES_MIN).checked_next_multiple_of(UNIT)?;
        let blocks = Box::new(Blocks::new(Region::new(bytes)?));
        Some(Arena { blocks })
    }

    /// Runs `work` with every allocation that tree-sitter makes on this thread in the arena.
    pub fn run<T>(&mut self, work: impl FnOnce(&Usage<'_>) -> T) -> T {
        let _entered = hooks::enter(&self.blocks);
        work(&Usage(&self.blocks))
    }

    /// The bytes that have been used since the arena was made or emptied.
    pub fn used(&self) -> usize {
        self.blocks.used()
    }

    /// The size of the arena.
    pub fn len(&self) -> usize {
        self.blocks.region().len()
    }

    /// Whether no block is in use.
    pub fn is_empty(&self) -> bool {
        self.blocks.n_live() == 0
    }

    /// Makes all of the arena available again; returns whether it was possible, which it is not while
    /// blocks are in use.
    pub fn clear(&mut self) -> bool {
        self.blocks.clear()
    }
}

/// How much of an arena is used, for the work that runs in it.
#[derive(Debug)]
pub struct Usage<'a>(&'a Blocks);

impl Usage<'_> {
    /// Whether three quarters are used. The rest is room for what a parser allocates before it can be
    /// stopped.
    pub fn is_full(&self) -> bool {
        self.0.is_full()
    }
}
