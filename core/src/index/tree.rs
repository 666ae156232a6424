//! The memory of the tree: listings by path, and the watched directories.
//!
//! Listings are sorted by path, so everything below a directory is one range. A moved directory stays watched
//! with everything below it, and its later events would be attributed to the old paths; each event of a
//! directory therefore forgets all that is below it, watches included.

use super::links::NewNames;
use super::listing::{Changes, Listing};
use crate::wildcard::changes_rules;
use crate::workspace::RelPath;
use crate::workspace::fs::Kind;
use crate::workspace::fs::watch::{Change, EntryChange, WatchId};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Bound;
use std::sync::Arc;

/// The reason why a directory is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Its entries are remembered.
    Listed,
    /// It is the `.git` of the remembered directory: only its `info` matters.
    Git,
    /// It is that `info`: only its `exclude` matters.
    GitInfo,
}

/// A watched directory.
#[derive(Debug)]
struct Watched {
    /// The remembered directory.
    path: RelPath,
    role: Role,
    changes: Arc<Changes>,
}

/// Changes to apply to the content index and the watcher.
#[derive(Debug, Default)]
pub(super) struct Forgotten {
    pub files: Vec<super::contents::FileId>,
    pub watches: Vec<WatchId>,
    /// Directories in which something has to be read again.
    pub dirs: Vec<RelPath>,
    /// Names that appeared and vanished.
    pub names: NewNames,
    /// Whether events were lost or mounts changed: everything has to be verified again.
    pub everything: bool,
}

/// All listings of a workspace.
#[derive(Debug, Default)]
pub(super) struct Tree {
    dirs: BTreeMap<Vec<u8>, Arc<Listing>>,
    watched: HashMap<WatchId, Watched>,
    bytes: usize,
    /// Number of moves of directories. It grows whenever a directory is forgotten: one opened before may now
    /// be at another path.
    moves: u64,
    /// New directories that are not watched yet, with the moves known when they appeared. A program can make
    /// a link to any file in them, and write through it, without an event.
    new_dirs: BTreeMap<Vec<u8>, u64>,
    /// Whether such a directory was watched after the last drain: earlier changes in it are unknown.
    has_caught_up: bool,
}

impl Tree {
    pub(super) fn get(&self, path: &RelPath) -> Option<&Arc<Listing>> {
        self.dirs.get(path.as_bytes())
    }

    pub(super) fn moves(&self) -> u64 {
        self.moves
    }

    pub(super) fn len(&self) -> usize {
        self.dirs.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<Listing>> {
        self.dirs.values()
    }

    /// Assigns the events of `id` to the directory at `path`. Returns the counter of its changes; `None` if
    /// the same directory is known at another path, as below a bind mount.
    pub(super) fn watch(
        &mut self,
        id: WatchId,
        path: &RelPath,
        role: Role,
        changes: Option<&Arc<Changes>>,
    ) -> Option<Arc<Changes>> {
        if let Some(watched) = self.watched.get(&id) {
            let is_same = watched.path == *path && watched.role == role;
            return is_same.then(|| Arc::clone(&watched.changes));
        }
        let changes = changes.map_or_else(Default::default, Arc::clone);
        let watched = Watched { path: path.clone(), role, changes: Arc::clone(&changes) };
        self.watched.insert(id, watched);
        if role == Role::Listed {
            // Until now no event reported moves of the directories in it.
            self.make_stale_below(path);
        }
        Some(changes)
    }

    /// Returns whether files may have changed in an unwatched directory; then everything has to be verified.
    pub(super) fn take_doubt(&mut self) -> bool {
        std::mem::take(&mut self.has_caught_up) || !self.new_dirs.is_empty()
    }

    /// Returns the new directories that are not watched yet.
    pub(super) fn new_dirs(&self) -> &BTreeMap<Vec<u8>, u64> {
        &self.new_dirs
    }

    /// Marks directories as ones that no walk enters, unless they appeared again.
    pub(super) fn leave_out(&mut self, dirs: &BTreeMap<Vec<u8>, u64>) {
        self.new_dirs.retain(|path, moves| dirs.get(path) != Some(moves));
        self.has_caught_up = true;
    }

    /// Notes that a new directory is watched now, and that the directories in it are not.
    fn catch_up(&mut self, listing: &Listing) {
        let path = listing.path();
        if listing.is_watched() && self.new_dirs.remove(path.as_bytes()).is_some() {
            self.has_caught_up = true;
            for (name, _) in listing.iter().filter(|(_, kind)| *kind == Kind::Dir) {
                let dir = path.join(name);
                if !self.dirs.contains_key(dir.as_bytes()) {
                    self.new_dirs.insert(dir.as_bytes().to_vec(), self.moves);
                }
            }
        }
    }

    /// Adds `listing`. Returns the one that it replaces.
    pub(super) fn insert(&mut self, listing: Arc<Listing>) -> Option<Arc<Listing>> {
        self.catch_up(&listing);
        self.bytes += listing.bytes();
        let old = self.dirs.insert(listing.path().as_bytes().to_vec(), listing);
        self.bytes -= old.as_ref().map_or(0, |old| old.bytes());
        old
    }

    /// Applies one change.
    pub(super) fn apply(&mut self, change: Change<'_>, forgotten: &mut Forgotten) {
        match change {
            Change::Lost | Change::Mounts => forgotten.everything = true,
            Change::Dir { dir } | Change::Gone { dir } => {
                let Some(watched) = self.watched.get(&dir) else {
                    return;
                };
                watched.changes.note();
                let (path, role) = (watched.path.clone(), watched.role);
                if matches!(change, Change::Gone { .. }) {
                    self.watched.remove(&dir);
                    forgotten.watches.push(dir);
                }
                match role {
                    Role::Listed => self.forget_below(&path, forgotten),
                    Role::Git | Role::GitInfo => self.make_stale(&path, forgotten),
                }
            }
            Change::Entry { dir, name, is_dir, what, rename } => {
                let Some(watched) = self.watched.get(&dir) else {
                    return;
                };
                let path = watched.path.clone();
                let is_relevant = match watched.role {
                    Role::Listed => true,
                    Role::Git => name == b"info",
                    Role::GitInfo => name == b"exclude",
                };
                if !is_relevant {
                    return;
                }
                watched.changes.note();
                if watched.role == Role::Listed {
                    match what {
                        EntryChange::Appeared => {
                            forgotten.names.appeared(path.join(name), is_dir, rename);
                        }
                        EntryChange::Vanished => forgotten.names.vanished(&path.join(name), rename),
                        EntryChange::Written | EntryChange::Attributes => {}
                    }
                    self.apply_entry(&path, name, is_dir, what, forgotten);
                } else {
                    self.make_stale(&path, forgotten);
                }
            }
        }
    }

    fn apply_entry(
        &mut self,
        path: &RelPath,
        name: &[u8],
        is_dir: bool,
        what: EntryChange,
        forgotten: &mut Forgotten,
    ) {
        if is_dir {
            let dir = path.join(name);
            self.forget_below(&dir, forgotten);
            if what == EntryChange::Appeared {
                self.new_dirs.insert(dir.as_bytes().to_vec(), self.moves);
            }
        }
        let Some(listing) = self.dirs.get(path.as_bytes()) else {
            return;
        };
        let changes_names = matches!(what, EntryChange::Appeared | EntryChange::Vanished);
        if let Some(index) = listing.find(name) {
            forgotten.files.extend(listing.forget_file(index));
        } else if what == EntryChange::Appeared {
            listing.note_appeared(name);
        } else if !changes_names && !listing.has_appeared(name) {
            // Another spelling of a name, or a name that has vanished while the file is still being written;
            // the file may have other names anywhere.
            forgotten.everything = true;
        }
        if changes_names || changes_rules(name) {
            listing.make_stale();
        }
        forgotten.dirs.push(path.clone());
    }

    fn make_stale(&self, path: &RelPath, forgotten: &mut Forgotten) {
        if let Some(listing) = self.dirs.get(path.as_bytes()) {
            listing.make_stale();
            forgotten.dirs.push(path.clone());
        }
    }

    /// Forgets the files in `linked`, by device and inode.
    pub(super) fn forget_linked(&self, linked: &HashSet<(u64, u64)>, forgotten: &mut Forgotten) {
        for listing in self.dirs.values() {
            let files = listing.forget_linked(linked);
            if !files.is_empty() {
                forgotten.dirs.push(listing.path().clone());
                forgotten.files.extend(files);
            }
        }
    }

    /// Returns the listings below the directory at `path`, without its own.
    fn below(&self, path: &RelPath) -> impl Iterator<Item = (&Vec<u8>, &Arc<Listing>)> {
        let (mut from, mut to) = (path.as_bytes().to_vec(), path.as_bytes().to_vec());
        let to = if path.is_root() {
            from.push(0);
            Bound::Unbounded
        } else {
            from.push(b'/');
            to.push(b'/' + 1);
            Bound::Excluded(to)
        };
        self.dirs.range((Bound::Included(from), to))
    }

    /// Marks everything below the directory at `path` as stale.
    fn make_stale_below(&self, path: &RelPath) {
        for (_, listing) in self.below(path) {
            listing.make_stale();
        }
    }

    /// Forgets the directory at `path` and everything below it.
    pub(super) fn forget_below(&mut self, path: &RelPath, forgotten: &mut Forgotten) {
        self.moves += 1;
        self.new_dirs.retain(|dir, _| !RelPath::of_bytes(dir).starts_with(path));
        let mut keys: Vec<Vec<u8>> = self.below(path).map(|(key, _)| key.clone()).collect();
        keys.extend(self.dirs.contains_key(path.as_bytes()).then(|| path.as_bytes().to_vec()));
        for key in keys {
            if let Some(listing) = self.dirs.remove(&key) {
                self.bytes -= listing.bytes();
                listing.changes.note();
                listing.make_stale();
                forgotten.files.extend(listing.file_ids());
            }
        }
        let is_below = |watched: &Watched| watched.path.starts_with(path);
        let gone = self.watched.iter().filter(|(_, watched)| is_below(watched));
        let gone: Vec<WatchId> = gone.map(|(id, _)| *id).collect();
        for id in gone {
            if let Some(watched) = self.watched.remove(&id) {
                // A reader may be about to remember it.
                watched.changes.note();
            }
            forgotten.watches.push(id);
        }
        forgotten.dirs.push(path.parent().unwrap_or_default());
    }
}
