//! The memory of one directory: its entries, and the state of the files in it.

use super::contents::FileId;
use crate::room;
use crate::syntax::FileStamp;
use crate::workspace::RelPath;
use crate::workspace::fs::{Dir, Kind, Meta};
use parking_lot::{Mutex, RwLock};
use std::any::Any;
use std::collections::{HashSet, TryReserveError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::SeqCst};

/// The epoch of a memory that has to be verified: older than every other.
const STALE: u32 = 0;

/// Maximum number of new names noted; beyond it, changes of unknown names count as changes of any file.
const APPEARED_MAX: usize = 64;

/// The class of a file: how a search that cannot match in it counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Counted as searched.
    Text,
    /// Counted as binary.
    Binary,
    /// Known only to a search, which has to open the file: it is unreadable, too large, has a NUL far into it
    /// or a very long line.
    Opaque,
}

/// The memory of one file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileMemory {
    /// The id of its text in the content index.
    pub id: FileId,
    pub class: Class,
    /// The state of the file when it was read.
    pub stamp: FileStamp,
    pub executable: bool,
    /// Whether it has other names, through which it can change without an event here.
    pub has_links: bool,
    /// Whether it may have changed after it was read without a change of its stamp.
    pub racy: bool,
}

impl FileMemory {
    /// Returns the attributes of the file as its directory entry would report them.
    pub(crate) fn meta(&self) -> Meta {
        let FileStamp { id, size, mtime_ns, ctime_ns } = self.stamp;
        let FileMemory { executable, has_links, .. } = *self;
        // Only git needs the bit of the owner, and it never reads this memory.
        let owner_executable = executable;
        let kind = Kind::File;
        Meta { kind, size, mtime_ns, ctime_ns, id, executable, owner_executable, has_links }
    }
}

/// The memory of a file, and the last epoch in which it is known to be right. Each file has an epoch of its
/// own: after lost events, a file is verified when a call needs it, instead of the whole tree at once.
#[derive(Debug)]
struct Slot {
    file: FileMemory,
    epoch: u32,
}

/// The number of changes in a directory. A reader compares it before and after it reads, and remembers
/// nothing if it differs.
#[derive(Debug, Default)]
pub(crate) struct Changes(AtomicU64);

impl Changes {
    pub(super) fn count(&self) -> u64 {
        self.0.load(SeqCst)
    }

    pub(super) fn note(&self) {
        self.0.fetch_add(1, SeqCst);
    }
}

/// The state of a directory before something in it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    pub(super) changes: u64,
    pub(super) epoch: u32,
    /// The number of known moves of directories when this one was opened at its path.
    pub(super) moves: u64,
}

/// The value that the walk derives from the ignore files of a directory.
#[derive(Debug)]
struct Derived {
    /// The last epoch in which it is known to be right.
    epoch: u32,
    value: Arc<dyn Any + Send + Sync>,
}

/// The remembered entries of one directory, by name.
#[derive(Debug)]
pub(crate) struct Listing {
    path: RelPath,
    /// The state of the directory when it was listed.
    stamp: FileStamp,
    racy: bool,
    /// All names, one after the other: a tree may have a million, which would otherwise be as many
    /// allocations.
    names: Vec<u8>,
    entries: Vec<(u32, Kind)>,
    /// The last epoch in which the entries are known to be right; [`STALE`] after a change.
    fresh: AtomicU32,
    pub(super) changes: Arc<Changes>,
    /// Whether events report changes; otherwise each call compares stamps.
    is_watched: bool,
    /// Whether events report changes of its ignore files too.
    derives: bool,
    files: RwLock<Vec<Option<Box<Slot>>>>,
    /// Whether a newer listing has taken over the files; changes only under their lock.
    is_replaced: AtomicBool,
    derived: Mutex<Option<Derived>>,
    /// The walk's verdicts on the entries, which name the rules that they follow from.
    verdicts: Mutex<Option<Arc<dyn Any + Send + Sync>>>,
    /// Names that appeared since the entries were read.
    appeared: Mutex<Vec<Vec<u8>>>,
}

/// The parts of a [`Listing`] that its reader knows.
#[derive(Debug)]
pub(super) struct Observed {
    pub path: RelPath,
    pub stamp: FileStamp,
    pub racy: bool,
    pub before: Before,
    pub changes: Arc<Changes>,
    pub is_watched: bool,
    pub derives: bool,
}

impl Listing {
    /// Builds the memory of a directory from its entries in any order; `None` if the kind of one is unknown.
    pub(super) fn new<'n>(
        observed: Observed,
        entries: impl Iterator<Item = (&'n [u8], Option<Kind>)>,
    ) -> Result<Option<Listing>, TryReserveError> {
        let mut by_name: Vec<(&[u8], Kind)> = Vec::new();
        for (name, kind) in entries {
            let Some(kind) = kind else {
                return Ok(None);
            };
            room::push(&mut by_name, (name, kind))?;
        }
        by_name.sort_unstable_by_key(|(name, _)| *name);
        let mut names = Vec::new();
        names.try_reserve_exact(by_name.iter().map(|(name, _)| name.len()).sum())?;
        let mut ends = Vec::new();
        ends.try_reserve_exact(by_name.len())?;
        for (name, kind) in &by_name {
            names.extend_from_slice(name);
            let Ok(end) = u32::try_from(names.len()) else {
                return Ok(None);
            };
            ends.push((end, *kind));
        }
        let mut files = Vec::new();
        files.try_reserve_exact(by_name.len())?;
        files.resize_with(by_name.len(), || None);
        let Observed { path, stamp, racy, before, changes, is_watched, derives } = observed;
        Ok(Some(Listing {
            path,
            stamp,
            racy,
            names,
            entries: ends,
            fresh: AtomicU32::new(if is_watched { before.epoch } else { STALE }),
            changes,
            is_watched,
            derives,
            files: RwLock::new(files),
            is_replaced: AtomicBool::new(false),
            derived: Mutex::new(None),
            verdicts: Mutex::new(None),
            appeared: Mutex::default(),
        }))
    }

    pub(crate) fn path(&self) -> &RelPath {
        &self.path
    }

    /// Returns the identity of the directory: device and inode.
    pub(crate) fn id(&self) -> (u64, u64) {
        self.stamp.id
    }

    /// Returns each entry's name and kind, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], Kind)> {
        (0..self.entries.len()).map(|index| (self.name(index), self.entries[index].1))
    }

    pub(crate) fn name(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.entries[before].0);
        &self.names[start as usize..self.entries[index].0 as usize]
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    fn kind(&self, index: usize) -> Kind {
        self.entries[index].1
    }

    pub(super) fn has(&self, name: &[u8]) -> bool {
        self.find(name).is_some()
    }

    pub(super) fn find(&self, name: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.entries.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.name(middle).cmp(name) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Returns the index of the regular file `name` among the entries.
    pub(crate) fn place(&self, name: &[u8]) -> Option<usize> {
        self.find(name).filter(|&index| self.kind(index) == Kind::File)
    }

    /// Returns whether the entries are right in `epoch` without verification.
    pub(super) fn is_fresh(&self, epoch: u32) -> bool {
        self.fresh.load(SeqCst) >= epoch
    }

    /// Marks the entries as stale. The memory of the files stays.
    pub(super) fn make_stale(&self) {
        self.fresh.store(STALE, SeqCst);
        self.make_derived_stale();
    }

    fn make_derived_stale(&self) {
        if let Some(derived) = &mut *self.derived.lock() {
            derived.epoch = STALE;
        }
    }

    /// Returns whether `dir`, now opened at the same path, is the listed directory and unchanged.
    pub(super) fn is_of(&self, dir: &Dir) -> bool {
        !self.racy && dir.stamp() == Some(self.stamp)
    }

    /// Marks the entries as fresh since `before`, unless something changed since. The caller must keep events
    /// from being applied meanwhile.
    pub(super) fn refresh(&self, before: Before, epoch_now: u32) {
        if self.is_watched && before.epoch == epoch_now && self.changes.count() == before.changes {
            self.fresh.store(before.epoch, SeqCst);
        }
    }

    pub(crate) fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// Returns the memory of the file at `index` and the last epoch in which it is right.
    pub(super) fn file(&self, index: usize) -> Option<(FileMemory, u32)> {
        self.files.read()[index].as_ref().map(|slot| (slot.file, slot.epoch))
    }

    /// Remembers a file that was read after `before`, unless something changed since. Returns whether it is
    /// remembered.
    pub(super) fn set_file(
        &self,
        index: usize,
        file: FileMemory,
        before: Before,
        epoch_now: &dyn Fn() -> u32,
    ) -> bool {
        let mut files = self.files.write();
        let is_steady = epoch_now() == before.epoch
            && self.changes.count() == before.changes
            && !self.is_replaced.load(SeqCst)
            // Two builders may read the same file.
            && files[index].is_none();
        if is_steady {
            let epoch = if self.is_watched { before.epoch } else { STALE };
            files[index] = Some(Box::new(Slot { file, epoch }));
        }
        is_steady
    }

    /// Marks the memory of a file as fresh since `before`, unless something changed since.
    pub(super) fn refresh_file(&self, index: usize, id: FileId, before: Before, epoch_now: u32) {
        let mut files = self.files.write();
        if let Some(slot) = files[index].as_mut().filter(|slot| slot.file.id == id)
            && self.is_watched
            && before.epoch == epoch_now
            && self.changes.count() == before.changes
        {
            slot.epoch = before.epoch;
        }
    }

    /// Returns the indexes of the regular files without a memory.
    pub(crate) fn unknown_files(&self) -> impl Iterator<Item = usize> {
        let is_unknown =
            |&index: &usize| self.kind(index) == Kind::File && self.files.read()[index].is_none();
        (0..self.entries.len()).filter(is_unknown)
    }

    /// Forgets the file at `index`; returns its id.
    pub(super) fn forget_file(&self, index: usize) -> Option<FileId> {
        self.files.write()[index].take().map(|slot| slot.file.id)
    }

    /// Notes a name that appeared. Returns false if the list is full; the name then counts as unknown. Writes
    /// to a new file would otherwise be writes to an unknown name, after which everything is verified.
    pub(super) fn note_appeared(&self, name: &[u8]) -> bool {
        let mut appeared = self.appeared.lock();
        let has_room = appeared.len() < APPEARED_MAX;
        if has_room {
            appeared.push(name.to_vec());
        }
        has_room
    }

    /// Returns whether `name` appeared since the entries were read.
    pub(super) fn has_appeared(&self, name: &[u8]) -> bool {
        self.appeared.lock().iter().any(|appeared| appeared == name)
    }

    /// Forgets the files in `linked`, and the rules, which may come from one of them. Returns the ids of the
    /// files.
    pub(super) fn forget_linked(&self, linked: &HashSet<(u64, u64)>) -> Vec<FileId> {
        let is_linked = |slot: &Option<Box<Slot>>| {
            slot.as_ref().is_some_and(|slot| linked.contains(&slot.file.stamp.id))
        };
        // A reader may be about to remember one of them, or a value derived from it.
        self.changes.note();
        self.make_derived_stale();
        if !self.files.read().iter().any(is_linked) {
            return Vec::new();
        }
        let mut files = self.files.write();
        let linked = files.iter_mut().filter(|slot| is_linked(slot));
        linked.filter_map(Option::take).map(|slot| slot.file.id).collect()
    }

    /// Takes over from `old`, an earlier listing of the same directory, what the walk derived, and the memory
    /// of files that still exist; returns the ids of the others. A name that comes or goes says nothing about
    /// the other files. If they were forgotten, each new file would cost reading all files beside it again.
    pub(super) fn inherit(&self, old: &Listing) -> Vec<FileId> {
        let mut lost = Vec::new();
        let mut files = self.files.write();
        let mut known = old.files.write();
        // A builder may still read files for the old listing, which no call reads any more.
        old.is_replaced.store(true, SeqCst);
        let derived = old.derived.lock().take();
        *self.derived.lock() = derived.map(|derived| Derived { epoch: STALE, ..derived });
        if (&self.names, &self.entries) == (&old.names, &old.entries) {
            *self.verdicts.lock() = old.verdicts.lock().take();
        }
        for (index, slot) in known.iter_mut().enumerate() {
            let Some(slot) = slot.take() else {
                continue;
            };
            match self.find(old.name(index)).filter(|&at| self.kind(at) == Kind::File) {
                Some(at) if old.id() == self.id() => files[at] = Some(slot),
                _ => lost.push(slot.file.id),
            }
        }
        lost
    }

    /// Returns the names of the directories that are not in `other`.
    pub(super) fn dirs_missing_in(&self, other: &Listing) -> Vec<Vec<u8>> {
        let is_dir = |name: &[u8]| other.find(name).is_some_and(|at| other.kind(at) == Kind::Dir);
        let dirs = self.iter().filter(|(name, kind)| *kind == Kind::Dir && !is_dir(name));
        dirs.map(|(name, _)| name.to_vec()).collect()
    }

    /// Returns the value derived from the ignore files, if it is right in `epoch`.
    pub(crate) fn derived(&self, epoch: u32) -> Option<Arc<dyn Any + Send + Sync>> {
        let derived = self.derived.lock();
        let value = derived.as_ref().filter(|derived| derived.epoch >= epoch)?;
        Some(Arc::clone(&value.value))
    }

    /// Returns the value derived last from the ignore files, which may have changed since.
    pub(crate) fn last_derived(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        self.derived.lock().as_ref().map(|derived| Arc::clone(&derived.value))
    }

    /// Stores the value derived from the ignore files, which were read after `before`.
    pub(super) fn set_derived(
        &self,
        value: Arc<dyn Any + Send + Sync>,
        before: Before,
        epoch_now: &dyn Fn() -> u32,
    ) {
        let mut derived = self.derived.lock();
        let is_steady = epoch_now() == before.epoch && self.changes.count() == before.changes;
        let epoch = if self.derives && is_steady { before.epoch } else { STALE };
        *derived = Some(Derived { epoch, value });
    }

    /// Returns the verdicts that a walk kept.
    pub(crate) fn verdicts(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        self.verdicts.lock().clone()
    }

    /// Keeps the verdicts of a walk, a byte for each entry.
    pub(crate) fn set_verdicts(&self, verdicts: Arc<dyn Any + Send + Sync>) {
        *self.verdicts.lock() = Some(verdicts);
    }

    /// Returns the approximate memory of the listing, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let verdict = size_of::<u8>();
        let file = size_of::<Option<Box<Slot>>>() + size_of::<Slot>();
        let entry = size_of::<(u32, Kind)>() + file + verdict;
        size_of::<Listing>()
            + self.path.as_bytes().len()
            + self.names.len()
            + self.entries.len() * entry
    }

    /// Returns the ids of all remembered files.
    pub(super) fn file_ids(&self) -> Vec<FileId> {
        self.files.read().iter().flatten().map(|slot| slot.file.id).collect()
    }
}
