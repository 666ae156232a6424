//! Further names of files: what is written through one of them reports nothing to the others.
//!
//! A file with one name is watched through it. Another name can only come into being as an entry that
//! appears in a watched directory, and a look at that entry shows the number of its names; then what is
//! remembered of the file under its first name is forgotten. A name that is gone again before anybody
//! looked could have been a link to any file, so everything has to be compared again. The most usual
//! case of it, a new file that is renamed over an old one, is no such doubt: the new name has the same
//! file, and is looked at. Names that appear in directories that are not watched are beyond this, and
//! SECURITY says so.

use crate::workspace::RelPath;
use crate::workspace::fs::{Kind, Root};
use std::collections::{BTreeSet, HashSet};

/// More new names than this are not looked at one by one.
const APPEARED_MAX: usize = 5_000;

/// The names that came and went since the last drain.
#[derive(Debug, Default)]
pub(super) struct NewNames {
    appeared: BTreeSet<RelPath>,
    /// Renames of new names of which only the first half was seen.
    moving: HashSet<u32>,
    /// Whether a new name is gone that nobody looked at.
    is_missed: bool,
}

/// The files that may have been written through another name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Linked {
    /// These, by device and inode.
    Files(HashSet<(u64, u64)>),
    /// Any.
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

    /// Looks at the new names.
    pub(super) fn linked(self, fs: &Root) -> Linked {
        if self.is_missed || !self.moving.is_empty() {
            return Linked::Any;
        }
        let mut linked = HashSet::new();
        for path in self.appeared {
            match fs.stat(&path, false) {
                Ok(meta) if meta.kind == Kind::File && meta.has_links => {
                    linked.insert(meta.id);
                }
                Ok(_) => {}
                Err(_) => return Linked::Any,
            }
        }
        Linked::Files(linked)
    }
}
