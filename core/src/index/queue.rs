//! The directories whose contents are to be read.
//!
//! Several builders may be at work: one that gives way to calls, one that helps it, and `warm`. They share one
//! queue, so that each directory is read once, the order holds for all of them together, and the directories
//! without room are counted in one place. The index has the queue only as long as a builder has it.

use super::Listing;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};

/// A queue of directories, the smallest first if memory is short.
#[derive(Debug)]
pub(crate) struct Queue {
    dirs: Vec<Arc<Listing>>,
    next: AtomicUsize,
    /// The directories being read. Those of a cancelled builder stay here.
    in_hand: Mutex<Vec<Arc<Listing>>>,
    /// The number of directories without room.
    left_out: AtomicU64,
}

impl Queue {
    /// Returns a queue of `dirs`, beside which there is no room for `n_left_out` further ones.
    pub(crate) fn new(dirs: Vec<Arc<Listing>>, n_left_out: u64) -> Queue {
        let left_out = AtomicU64::new(n_left_out);
        Queue { dirs, next: AtomicUsize::new(0), in_hand: Mutex::default(), left_out }
    }

    /// Returns the number of all its directories.
    pub(crate) fn len(&self) -> usize {
        self.dirs.len()
    }

    /// Takes the next directory. Call `done` when it has been read.
    pub(crate) fn take(&self) -> Option<Arc<Listing>> {
        let dir = Arc::clone(self.dirs.get(self.next.fetch_add(1, SeqCst))?);
        self.in_hand.lock().push(Arc::clone(&dir));
        Some(dir)
    }

    /// Notes that a directory has been read.
    pub(crate) fn done(&self, dir: &Arc<Listing>) {
        self.in_hand.lock().retain(|other| !Arc::ptr_eq(other, dir));
    }

    /// Returns the directories that were taken and not read to their end.
    pub(crate) fn in_hand(&self) -> Vec<Arc<Listing>> {
        self.in_hand.lock().clone()
    }

    /// Notes that `n` directories had no room although that was expected.
    pub(crate) fn leave_out(&self, n: u64) {
        self.left_out.fetch_add(n, SeqCst);
    }

    /// Returns the number of directories without room.
    pub(crate) fn n_left_out(&self) -> u64 {
        self.left_out.load(SeqCst)
    }

    /// Returns whether every directory was taken.
    pub(crate) fn is_empty(&self) -> bool {
        self.next.load(SeqCst) >= self.dirs.len()
    }
}
