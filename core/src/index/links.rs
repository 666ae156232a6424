//! Additional names of files: a write through one name sends no event to the directories of the others.
//!
//! A file with one name is watched through it. A further name can only come into being as an entry that
//! appears in a watched directory. Drain then stats that entry, and forgets the memory of the same file under
//! any other name. A name that vanished before it was checked could have been a link to any
//! file, so everything has to be verified again. The most frequent case, a new file renamed over an old one,
//! is exempt: the new name has the same file, and is checked instead. Names that appear in unwatched
//! directories are beyond this scheme, as SECURITY says.

use crate::workspace::RelPath;
use crate::workspace::fs::{Kind, Root};
use std::collections::{BTreeSet, HashSet};

/// Maximum number of new names checked one by one.
const APPEARED_MAX: usize = 5_000;

/// The names that appeared and vanished since the last drain.
#[derive(Debug, Default)]
pub(super) struct NewNames {
    appeared: BTreeSet<RelPath>,
    /// Renames of new names of which only the first half was reported.
    moving: HashSet<u32>,
    /// Whether a new name vanished before it was checked.
    is_missed: bool,
}

/// The files that may have been written through another name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Linked {
    /// These files, by device and inode.
    Files(HashSet<(u64, u64)>),
    /// Any file.
    Any,
}

impl NewNames {
    pub(super) fn appeared(&mut self, path: RelPath, is_dir: bool, rename: u32) {
        // A directory may have brought further names of any file.
        self.is_missed |= is_dir || self.appeared.len() >= APPEARED_MAX;
        if !self.is_missed {
            self.moving.remove(&rename);
            self.appeared.insert(path);
        }
    }

    pub(super) fn vanished(&mut self, path: &RelPath, rename: u32) {
        if self.appeared.remove(path) {
            if rename == 0 {
                self.is_missed = true;
            } else {
                self.moving.insert(rename);
            }
        }
    }

    /// Checks the new names.
    pub(super) fn linked(self, fs: &Root) -> Linked {
        if self.is_missed || !self.moving.is_empty() {
            return Linked::Any;
        }
        let mut linked = HashSet::new();
        for path in self.appeared {
            match fs.stat(&path, false) {
                // Also with a link count of one: the name may be about to vanish. The kernel lowers the count
                // before it removes the name, and the event that follows names no other file.
                Ok(meta) if meta.kind == Kind::File => {
                    linked.insert(meta.id);
                }
                Ok(_) => {}
                Err(_) => return Linked::Any,
            }
        }
        Linked::Files(linked)
    }
}
