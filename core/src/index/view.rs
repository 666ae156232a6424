//! The index as one call sees it.
//!
//! A view is created after the pending events were applied, and keeps the epoch of that moment. Later changes
//! need not be noticed, because a search without an index, too, reads a file either before or after such a
//! change.

use super::contents::Candidates;
use super::listing::{Before, Class, FileMemory, Listing, Observed};
use super::resident::Index;
use super::tree::Role;
use crate::syntax::FileStamp;
use crate::workspace::RelPath;
use crate::workspace::fs::watch::Trust;
use crate::workspace::fs::{Dir, FsError, Kind, Meta, Overlay};
use std::any::Any;
use std::sync::Arc;

/// The index at the moment when a call began: everything it returns was right at that moment or is right
/// later.
#[derive(Debug)]
pub(crate) struct View {
    index: Arc<Index>,
    epoch: u32,
    /// Whether the view belongs to a call, for which the builder makes room.
    is_call: bool,
    /// Unsaved texts over the tree, which the index does not contain.
    overlay: Option<Arc<Overlay>>,
}

/// The index's answer for a directory.
pub(crate) enum Recalled {
    /// Its entries are right.
    Fresh(Arc<Listing>),
    /// Its entries are right if [`View::verify`] confirms it for the opened directory.
    ToVerify(Arc<Listing>),
    Unknown,
}

/// The state of a directory that is about to be listed.
#[derive(Debug)]
pub(crate) struct Learning(Observed);

impl View {
    pub(super) fn new(
        index: Arc<Index>,
        epoch: u32,
        is_call: bool,
        overlay: Option<Arc<Overlay>>,
    ) -> View {
        if is_call {
            index.enter_call();
        }
        View { index, epoch, is_call, overlay }
    }

    /// Returns whether the directory at `path` contains unsaved texts.
    fn is_overlaid(&self, path: &RelPath) -> bool {
        self.overlay.as_ref().is_some_and(|overlay| overlay.changes(path))
    }

    /// Returns the index of the view.
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    pub(crate) fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Returns whether events report moves of every directory above `path`. If not, `path` may have become
    /// another directory without an event.
    pub(crate) fn reports_above(&self, path: &RelPath) -> bool {
        let above = std::iter::successors(path.parent(), RelPath::parent);
        above.into_iter().all(|path| {
            let listing = self.index.listing(&path);
            listing.is_some_and(|listing| listing.is_watched() && listing.is_fresh(self.epoch))
        })
    }

    /// Returns the number of known moves of directories.
    pub(crate) fn moves(&self) -> u64 {
        self.index.moves()
    }

    /// Returns the listing of the directory at `path`, which must be reached without symlinks; `is_reported`
    /// is the result of [`View::reports_above`].
    pub(crate) fn dir(&self, path: &RelPath, is_reported: bool) -> Recalled {
        let known = if self.is_overlaid(path) { None } else { self.index.listing(path) };
        let Some(listing) = known else {
            return Recalled::Unknown;
        };
        if is_reported && listing.is_fresh(self.epoch) {
            Recalled::Fresh(listing)
        } else {
            Recalled::ToVerify(listing)
        }
    }

    /// Returns whether the entries of `listing` are those of `dir`, which was opened at its path when `moves`
    /// were known.
    pub(crate) fn verify(&self, listing: &Listing, dir: &Dir, moves: u64) -> bool {
        // If events were lost, the watch may be lost too.
        if listing.is_watched() && !self.watch_again(listing, dir, moves) {
            return false;
        }
        // Taken before the stamp is compared, so that a change in between is noticed.
        let before = self.before(listing);
        let is_right = dir.real_path().is_none() && listing.is_of(dir);
        if is_right {
            self.index.refresh(listing, before, moves);
        }
        is_right
    }

    /// Watches `dir` as before. Returns whether its events belong to `listing`.
    fn watch_again(&self, listing: &Listing, dir: &Dir, moves: u64) -> bool {
        let changes = Some(&listing.changes);
        let again = self.index.watch(dir, listing.path(), Role::Listed, changes, moves);
        let is_watched = again.is_some_and(|again| Arc::ptr_eq(&again, &listing.changes));
        let has_repository = listing.has(b".git");
        is_watched
            && (!has_repository
                || self.watch_repository(dir, listing.path(), &listing.changes, moves))
    }

    /// Prepares to remember the entries of `dir`, which was opened at `path` when `moves` were known; `None`
    /// if they must not be remembered.
    pub(crate) fn learn(&self, dir: &Dir, path: &RelPath, moves: u64) -> Option<Learning> {
        if self.is_overlaid(path)
            || dir.real_path().is_some()
            || self.index.trust(dir) == Trust::Cold
        {
            return None;
        }
        let watched = self.index.watch(dir, path, Role::Listed, None, moves);
        let epoch = self.index.epoch();
        let is_watched = watched.is_some();
        let changes = watched.unwrap_or_default();
        let before = Before { changes: changes.count(), epoch, moves };
        // Taken after the watch was added and before the entries are read: a later change is reported by an
        // event, or makes the stamp differ when it is verified.
        let stamp = dir.stamp()?;
        let derives = is_watched && self.watch_repository(dir, path, &changes, moves);
        let racy = is_racy(&stamp);
        let path = path.clone();
        Some(Learning(Observed { path, stamp, racy, before, changes, is_watched, derives }))
    }

    /// Watches the places of a repository's own ignore file. Returns whether events report its changes.
    fn watch_repository(
        &self,
        dir: &Dir,
        path: &RelPath,
        changes: &Arc<super::listing::Changes>,
        moves: u64,
    ) -> bool {
        let watch =
            |dir: &Dir, role| self.index.watch(dir, path, role, Some(changes), moves).is_some();
        match dir.open_dir(b".git") {
            Ok(git) if watch(&git, Role::Git) => match git.open_dir(b"info") {
                Ok(info) => watch(&info, Role::GitInfo),
                Err(FsError::NotFound) => true,
                Err(_) => false,
            },
            Ok(_) => false,
            // A `.git` that is a file or a link has no rules.
            Err(FsError::NotFound | FsError::WrongKind | FsError::Symlink) => true,
            Err(_) => false,
        }
    }

    /// Remembers a directory whose entries were read after [`View::learn`]. Returns its listing, unless it
    /// changed meanwhile.
    pub(crate) fn learned<'n>(
        &self,
        Learning(observed): Learning,
        entries: impl Iterator<Item = (&'n [u8], Option<Kind>)>,
    ) -> Option<Arc<Listing>> {
        let before = observed.before;
        let listing = Arc::new(Listing::new(observed, entries).ok()??);
        self.index.insert(Arc::clone(&listing), before).then_some(listing)
    }

    /// Returns the memory of the file at `index` of `listing` if a search that matches only `candidates` can
    /// skip it. Calls `stat` if events do not report changes of the file.
    pub(crate) fn absent(
        &self,
        listing: &Listing,
        index: usize,
        candidates: &Candidates,
        stat: impl FnOnce() -> Result<Meta, FsError>,
    ) -> Option<FileMemory> {
        let (file, epoch) = listing.file(index)?;
        let is_absent = match file.class {
            Class::Text => !candidates.may_match(file.id),
            Class::Binary => true,
            Class::Opaque => false,
        };
        let is_right = || self.is_right(listing, index, &file, epoch, stat);
        (is_absent && is_right()).then_some(file)
    }

    /// Returns the attributes of a file if they are right without verification.
    pub(crate) fn meta(&self, listing: &Listing, index: usize) -> Option<Meta> {
        let (file, epoch) = listing.file(index)?;
        (epoch >= self.epoch && !file.has_links).then(|| file.meta())
    }

    /// Remembers the file at `index` of `listing`, which was read after `before`.
    pub(crate) fn set_file(
        &self,
        listing: &Listing,
        index: usize,
        file: FileMemory,
        before: Before,
    ) {
        if !listing.set_file(index, file, before, &|| self.index.epoch()) {
            self.index.store.forget(file.id);
        }
    }

    fn is_right(
        &self,
        listing: &Listing,
        index: usize,
        file: &FileMemory,
        epoch: u32,
        stat: impl FnOnce() -> Result<Meta, FsError>,
    ) -> bool {
        if epoch >= self.epoch && !file.has_links {
            return true;
        }
        if file.racy {
            // It is read again when its stamp is old enough.
            self.index.forget_file(listing, index);
            return false;
        }
        let before = self.before(listing);
        let Ok(meta) = stat() else {
            return false;
        };
        if meta.kind != Kind::File || meta.file_stamp() != file.stamp {
            self.index.forget_file(listing, index);
            return false;
        }
        if !meta.has_links {
            listing.refresh_file(index, file.id, before, self.index.epoch());
        }
        true
    }

    /// Returns the state of a directory before something in it is read.
    pub(crate) fn before(&self, listing: &Listing) -> Before {
        let (changes, epoch) = (listing.changes.count(), self.index.epoch());
        Before { changes, epoch, moves: self.index.moves() }
    }

    /// Stores the value that the walk derived from the ignore files of a directory, read after `before`.
    pub(crate) fn set_derived(
        &self,
        listing: &Listing,
        value: Arc<dyn Any + Send + Sync>,
        before: Before,
    ) {
        listing.set_derived(value, before, &|| self.index.epoch());
    }
}

impl Drop for View {
    fn drop(&mut self) {
        if self.is_call {
            self.index.leave_call();
        }
    }
}

/// The memory of one entry of a remembered directory, for a walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remembered<'a> {
    pub view: &'a View,
    pub listing: &'a Arc<Listing>,
    pub index: usize,
}

/// Returns whether a later change could leave `stamp` the same, given the granularity of its clock.
pub(crate) fn is_racy(stamp: &FileStamp) -> bool {
    /// A tick of the slowest kernel clock, with a margin.
    const TICK_NS: i128 = 50_000_000;
    /// File systems that store whole seconds, or multiples of two.
    const COARSE_NS: i128 = 2_100_000_000;
    const SECOND_NS: i128 = 1_000_000_000;
    let Ok(now) = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH) else {
        return true;
    };
    let now = i128::try_from(now.as_nanos()).unwrap_or(i128::MAX);
    let is_coarse = stamp.ctime_ns % SECOND_NS == 0;
    let granularity = if is_coarse { COARSE_NS } else { TICK_NS };
    // A time in the future proves nothing either.
    stamp.mtime_ns.max(stamp.ctime_ns) > now - granularity
}
