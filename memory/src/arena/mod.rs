//! An arena for the memory of one tree-sitter parse.
//!
//! A tree takes up to a hundred times the memory of its text, in millions of small blocks. Allocating them
//! from the system heap has three faults: nothing bounds them, a failed allocation aborts the process, and
//! freed blocks stay resident in the heap of the thread that parsed. An [`Arena`] is one large allocation,
//! made fallibly before the parse. While [`Arena::run`] runs, tree-sitter's allocator takes every block of
//! the calling thread from it. A block that does not fit comes from the previous allocator, and
//! [`Usage::is_full`] reports in time that the parse has to stop. Dropping an arena returns everything at
//! once: it is larger than any allocation that the C library of Linux keeps for itself.
//!
//! The hooks of tree-sitter are process-wide, so this is the only code that sets them. A host that also
//! sets an allocator for tree-sitter must do so before the first arena is made; its allocator keeps
//! serving everything outside arenas.

mod blocks;
mod hooks;
mod regions;
#[cfg(test)]
mod tests;

use blocks::Blocks;
use regions::Region;
use std::fmt;

/// The size of an arena is a multiple of this.
const UNIT: usize = 1 << 20;
/// Size of the smallest arena: the C library of Linux may keep freed blocks of up to 32 MiB, and returns
/// larger ones to the system at once.
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
    /// Reserves an arena of `bytes`, rounded up to whole MiB and to at least 33 MiB. The system provides
    /// only the pages that are used. Returns `None` if the reservation fails or too many arenas exist.
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

    /// Returns the number of bytes used since the arena was made or emptied.
    pub fn used(&self) -> usize {
        self.blocks.used()
    }

    /// Returns the size of the arena in bytes.
    pub fn len(&self) -> usize {
        self.blocks.region().len()
    }

    /// Returns whether no block is in use.
    pub fn is_empty(&self) -> bool {
        self.blocks.n_live() == 0
    }

    /// Makes the whole arena available again; returns `false` without doing so while blocks are in use.
    pub fn clear(&mut self) -> bool {
        self.blocks.clear()
    }
}

/// Fill level of an arena, for the job that runs in it.
#[derive(Debug)]
pub struct Usage<'a>(&'a Blocks);

impl Usage<'_> {
    /// Returns whether three quarters are used. The rest is room for allocations of a parser before it
    /// can be stopped.
    pub fn is_full(&self) -> bool {
        self.0.is_full()
    }
}
