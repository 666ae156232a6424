//! The directories whose contents are to be read.
//!
//! Several builders may be at work: one that gives way to calls, one that helps it, and `warm`. They share one
//! queue, so that the order holds for all of them together and the directories without room are counted once.
//! A directory is read twice only if a builder is still at it when another has nothing else to do. The index has
//! the queue only as long as a builder has it.

use super::Listing;
use parking_lot::Mutex;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// A queue of directories, the smallest first if memory is short.
#[derive(Debug)]
pub(crate) struct Queue {
    dirs: Vec<Arc<Listing>>,
    next: AtomicUsize,
    /// The directories being read. Those of a cancelled builder stay here.
    in_hand: Mutex<Vec<Arc<Listing>>>,
    /// The number of directories that were not in the queue for want of room.
    n_left_out: u64,
    /// The directories that had no room although that was expected, by their addresses.
    left_out: Mutex<HashSet<usize>>,
}

impl Queue {
    /// Returns a queue of `dirs`, beside which there is no room for `n_left_out` further ones.
    pub(crate) fn new(dirs: Vec<Arc<Listing>>, n_left_out: u64) -> Queue {
        let (next, in_hand, left_out) = (AtomicUsize::new(0), Mutex::default(), Mutex::default());
        Queue { dirs, next, in_hand, n_left_out, left_out }
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

    /// Returns the directories that were not read to their end: those in hand and those that follow.
    pub(crate) fn unread(&self) -> Vec<Arc<Listing>> {
        let mut unread = self.in_hand();
        let next = self.next.load(SeqCst).min(self.dirs.len());
        unread.extend_from_slice(&self.dirs[next..]);
        unread
    }

    /// Notes whether the texts of a directory had room.
    pub(crate) fn set_room(&self, dir: &Arc<Listing>, has_room: bool) {
        let address = Arc::as_ptr(dir).addr();
        let mut left_out = self.left_out.lock();
        match has_room {
            true => left_out.remove(&address),
            false => left_out.insert(address),
        };
    }

    /// Returns the number of directories without room.
    pub(crate) fn n_left_out(&self) -> u64 {
        self.n_left_out + self.left_out.lock().len() as u64
    }

    /// Returns whether every directory was taken.
    pub(crate) fn is_empty(&self) -> bool {
        self.next.load(SeqCst) >= self.dirs.len()
    }
}
