//! The index of a workspace: its memories, and their freshness.
//!
//! Three counters decide whether a result of reading the tree may be kept: the epoch, which grows when events
//! may have been missed; the changes of a directory, which grow with each event in it; and the moves, which
//! grow when a directory is forgotten, because one opened before may now be at another path. A reader notes
//! them first (`Before`), and its result is kept only if they are unchanged. A lock could not replace them:
//! other programs change the tree too.

use super::contents::{Candidates, FileId, Mode, Plan, Store};
use super::links::Linked;
use super::listing::{Before, Changes, Listing};
use super::queue::Queue;
use super::tree::{Forgotten, Role, Tree};
use super::view::View;
use crate::budget::Budget;
use crate::call::CancelToken;
use crate::workspace::RelPath;
use crate::workspace::fs::watch::{NoWatch, Trust, Watch, file_system};
use crate::workspace::fs::{Dir, Overlay, Root};
use parking_lot::{Condvar, Mutex, RwLock};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// Maximum number of directories waiting to be read again; only a check of all finds further ones.
const DIRTY_MAX: usize = 10_000;

/// The index of one workspace.
#[derive(Debug)]
pub(crate) struct Index {
    /// The process that opened the index; a forked one has another number, and no events.
    process: u32,
    fs: Arc<Root>,
    memory_bytes_max: usize,
    tree: RwLock<Tree>,
    pub(crate) store: Store,
    watch: Mutex<Watching>,
    /// Grows whenever events may have been missed.
    epoch: AtomicU32,
    trust: Mutex<HashMap<u64, Trust>>,
    /// Whether directories are remembered: the index was requested, or there was a second search.
    has_started: AtomicBool,
    dirty: Mutex<BTreeSet<RelPath>>,
    /// The number of running calls.
    calls: Mutex<usize>,
    no_calls: Condvar,
    pub(crate) searches: AtomicUsize,
    pub(crate) is_building: AtomicBool,
    /// The build beside calls.
    pub(crate) background: Mutex<Option<Background>>,
    /// The directories that the builders at work read.
    queue: Mutex<Weak<Queue>>,
    pub(crate) has_built: AtomicBool,
    /// The number of directories whose contents were left out because the memory is full.
    pub(crate) left_out: AtomicU64,
    /// Ends the builder.
    pub(crate) stop: CancelToken,
    /// The last field: it is dropped after the others.
    _returns: ReturnsMemory,
}

/// A build beside calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Background {
    pub(crate) since: Instant,
    /// Whether a second builder helps the first.
    pub(crate) is_hurried: bool,
}

/// Returns freed memory to the system when it is dropped: an index is many small blocks.
#[derive(Debug)]
struct ReturnsMemory;

impl Drop for ReturnsMemory {
    fn drop(&mut self) {
        searchscope_memory::trim();
    }
}

/// The watcher, opened when the index starts.
#[derive(Debug, Default)]
struct Watching {
    watch: Option<Watch>,
    /// The first reason why something is not watched.
    refused: Option<NoWatch>,
    /// Whether a directory could not be watched although its file system supports it. It may contain a link
    /// to any file.
    is_partial: bool,
}

impl Index {
    pub(super) fn new(fs: &Arc<Root>, memory_bytes_max: usize) -> Index {
        Index {
            process: std::process::id(),
            fs: Arc::clone(fs),
            memory_bytes_max,
            tree: RwLock::default(),
            store: Store::new(),
            watch: Mutex::default(),
            epoch: AtomicU32::new(1),
            trust: Mutex::default(),
            has_started: AtomicBool::new(false),
            dirty: Mutex::default(),
            calls: Mutex::new(0),
            no_calls: Condvar::new(),
            searches: AtomicUsize::new(0),
            is_building: AtomicBool::new(false),
            background: Mutex::new(None),
            queue: Mutex::default(),
            has_built: AtomicBool::new(false),
            left_out: AtomicU64::new(0),
            stop: CancelToken::new(),
            _returns: ReturnsMemory,
        }
    }

    /// Returns whether this process opened the index: a forked one has neither its events nor its threads.
    pub(crate) fn is_of_this_process(&self) -> bool {
        std::process::id() == self.process
    }

    /// Starts remembering directories.
    pub(crate) fn start(&self) {
        let mut watching = self.watch.lock();
        if watching.watch.is_none() && watching.refused.is_none() {
            match Watch::open() {
                Ok(watch) => watching.watch = Some(watch),
                Err(refused) => watching.refused = Some(refused),
            }
        }
        self.has_started.store(true, SeqCst);
    }

    /// Returns a view of the index for a call that begins now; `None` if it must not use the index.
    pub(super) fn view(
        self: &Arc<Index>,
        is_call: bool,
        overlay: Option<Arc<Overlay>>,
    ) -> Option<View> {
        if !self.has_started.load(SeqCst) || !self.is_of_this_process() {
            return None;
        }
        self.drain();
        Some(View::new(Arc::clone(self), self.epoch(), is_call, overlay))
    }

    /// Drains the pending events and applies every change reported so far.
    fn drain(&self) {
        let mut forgotten = Forgotten::default();
        let mut watching = self.watch.lock();
        let Some(watch) = &watching.watch else {
            // Nothing is watched, so everything is verified before use.
            return;
        };
        let drained = {
            let mut tree = None;
            watch.drain(&mut |change| {
                let tree = tree.get_or_insert_with(|| self.tree.write());
                tree.apply(change, &mut forgotten);
            })
        };
        for id in forgotten.watches.drain(..) {
            watch.remove(id);
        }
        if let Err(refused) = drained {
            forgotten.everything = true;
            watching.refused.get_or_insert(refused);
        }
        forgotten.everything |= watching.is_partial | self.tree.write().take_doubt();
        // Still under the lock of the watcher: another call that finds the queue empty must find everything
        // applied.
        match std::mem::take(&mut forgotten.names).linked(&self.fs) {
            Linked::Any => forgotten.everything = true,
            Linked::Files(linked) if linked.is_empty() => {}
            Linked::Files(linked) => self.tree.read().forget_linked(&linked, &mut forgotten),
        }
        self.follow(forgotten);
    }

    /// Applies changes of the tree to the epoch, the store and the dirty directories.
    fn follow(&self, forgotten: Forgotten) {
        if forgotten.everything {
            self.epoch.fetch_add(1, SeqCst);
        }
        for id in forgotten.files {
            self.store.forget(id);
        }
        let mut dirty = self.dirty.lock();
        for dir in forgotten.dirs {
            if dirty.len() < DIRTY_MAX {
                dirty.insert(dir);
            }
        }
    }

    pub(crate) fn epoch(&self) -> u32 {
        self.epoch.load(SeqCst)
    }

    /// Returns the number of known moves of directories.
    pub(crate) fn moves(&self) -> u64 {
        self.tree.read().moves()
    }

    /// Marks the entries of `listing` as fresh since `before`, unless something changed since `moves` were
    /// known.
    pub(super) fn refresh(&self, listing: &Listing, before: Before, moves: u64) {
        let tree = self.tree.read();
        if tree.moves() == moves {
            listing.refresh(before, self.epoch());
        }
    }

    /// Returns the listing of the directory at `path`, fresh or stale.
    pub(crate) fn listing(&self, path: &RelPath) -> Option<Arc<Listing>> {
        self.tree.read().get(path).map(Arc::clone)
    }

    /// Returns how far the file system of `dir` can be trusted.
    pub(super) fn trust(&self, dir: &Dir) -> Trust {
        let mut known = self.trust.lock();
        *known.entry(dir.id().0).or_insert_with(|| {
            let file_system = file_system(dir);
            if let Some(refused) = file_system.refusal() {
                self.watch.lock().refused.get_or_insert(refused);
            }
            file_system.trust
        })
    }

    /// Watches `dir`, which was opened at `path` when `moves` were known. Returns the counter of its changes;
    /// `None` if events do not report them, or if it may be elsewhere by now.
    pub(super) fn watch(
        &self,
        dir: &Dir,
        path: &RelPath,
        role: Role,
        changes: Option<&Arc<Changes>>,
        moves: u64,
    ) -> Option<Arc<Changes>> {
        if self.trust(dir) != Trust::Watched {
            return None;
        }
        let mut watching = self.watch.lock();
        if self.moves() != moves {
            return None;
        }
        let added = watching.watch.as_ref()?.add(dir);
        match added {
            // Under the lock of the watcher: an event may arrive at once.
            Ok(id) => self.tree.write().watch(id, path, role, changes),
            Err(refused) => {
                watching.is_partial = true;
                watching.refused.get_or_insert(refused);
                None
            }
        }
    }

    /// Adds a listing that was read after `before`. Returns false if something has changed since.
    pub(super) fn insert(&self, listing: Arc<Listing>, before: Before) -> bool {
        // No events are applied while the watcher is locked, so nothing changes between the check and the
        // insertion.
        let watching = self.watch.lock();
        let mut tree = self.tree.write();
        let is_steady = self.epoch() == before.epoch
            && listing.changes.count() == before.changes
            && tree.moves() == before.moves;
        if !is_steady {
            return false;
        }
        let mut forgotten = Forgotten::default();
        if let Some(old) = tree.get(listing.path()).map(Arc::clone) {
            forgotten.files = listing.inherit(&old);
            for name in old.dirs_missing_in(&listing) {
                tree.forget_below(&listing.path().join(&name), &mut forgotten);
            }
        }
        // A call may replace a listing whose files are being read.
        if listing.unknown_files().next().is_some() {
            let mut dirty = self.dirty.lock();
            if dirty.len() < DIRTY_MAX {
                dirty.insert(listing.path().clone());
            }
        }
        tree.insert(listing);
        drop(tree);
        for id in forgotten.watches {
            watching.watch.iter().for_each(|watch| watch.remove(id));
        }
        drop(watching);
        for id in forgotten.files {
            self.store.forget(id);
        }
        true
    }

    pub(super) fn forget_file(&self, listing: &Listing, index: usize) {
        if let Some(id) = listing.forget_file(index) {
            self.store.forget(id);
            self.dirty.lock().insert(listing.path().clone());
        }
    }

    /// Returns whether the file at `index` of `listing` is still remembered as `id`.
    pub(crate) fn holds_file(&self, listing: &Listing, index: usize, id: FileId) -> bool {
        let tree = self.tree.read();
        let Some(now) = tree.get(listing.path()) else {
            return false;
        };
        let file = now.place(listing.name(index)).and_then(|index| now.file(index));
        file.is_some_and(|(file, _)| file.id == id)
    }

    /// Returns the files in which an expression may match according to the content index.
    pub(crate) fn matching(&self, plan: &Plan, mode: Mode, budget: &Budget) -> Candidates {
        let is_over = || budget.poll_clock().is_err();
        self.store.candidates(plan, mode, &is_over)
    }

    /// Returns the queue of the builders at work, unless all of its directories were taken.
    pub(crate) fn queue(&self) -> Option<Arc<Queue>> {
        self.queue.lock().upgrade().filter(|queue| !queue.is_empty())
    }

    /// Shares `queue` with other builders. If another one was shared meanwhile, returns that as the error; if
    /// the index was built meanwhile, an empty error.
    pub(crate) fn share(
        &self,
        queue: Queue,
        had_built: bool,
    ) -> Result<Arc<Queue>, Option<Arc<Queue>>> {
        let mut shared = self.queue.lock();
        let other = shared.upgrade().filter(|queue| !queue.is_empty());
        if other.is_some() || !had_built && self.has_built.load(SeqCst) {
            return Err(other);
        }
        let queue = Arc::new(queue);
        *shared = Arc::downgrade(&queue);
        Ok(queue)
    }

    /// Notes that a builder has read what was left in `queue`.
    pub(crate) fn finish(&self, queue: &Arc<Queue>) {
        // Under the lock, so that the last builder to finish stores the number of all of them.
        let shared = self.queue.lock();
        if shared.as_ptr() == Arc::as_ptr(queue) {
            self.left_out.store(queue.n_left_out(), SeqCst);
        }
        self.has_built.store(true, SeqCst);
    }

    /// Returns all remembered directories, by path.
    pub(crate) fn listings(&self) -> Vec<Arc<Listing>> {
        self.tree.read().all().map(Arc::clone).collect()
    }

    /// Returns the directories in which something changed since the last call of this function.
    pub(crate) fn take_dirty(&self) -> BTreeSet<RelPath> {
        std::mem::take(&mut *self.dirty.lock())
    }

    /// Puts back directories that were taken with `take_dirty`.
    pub(crate) fn put_dirty(&self, dirs: BTreeSet<RelPath>) {
        self.dirty.lock().extend(dirs);
    }

    pub(crate) fn is_dirty(&self) -> bool {
        self.n_waiting() > 0
    }

    /// Returns the number of directories whose contents are to be read.
    pub(crate) fn n_waiting(&self) -> usize {
        // One lock after the other: `insert` holds the tree while it takes the dirty directories.
        let n_dirty = self.dirty.lock().len();
        n_dirty + self.tree.read().new_dirs().len()
    }

    /// Returns the new directories that are not watched yet.
    pub(crate) fn new_dirs(&self) -> BTreeMap<Vec<u8>, u64> {
        self.tree.read().new_dirs().clone()
    }

    /// Marks `dirs`, which a complete walk did not enter, as directories that no walk enters.
    pub(crate) fn leave_out(&self, dirs: &BTreeMap<Vec<u8>, u64>) {
        self.tree.write().leave_out(dirs);
    }

    /// Returns the number of remembered directories.
    pub(crate) fn n_dirs(&self) -> usize {
        self.tree.read().len()
    }

    /// Returns the approximate memory of the index, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.tree.read().bytes() + self.store.bytes()
    }

    pub(crate) fn memory_bytes_max(&self) -> usize {
        self.memory_bytes_max
    }

    /// Returns the reason why something is not watched.
    pub(crate) fn refused(&self) -> Option<String> {
        self.watch.lock().refused.as_ref().map(NoWatch::reason)
    }

    pub(super) fn enter_call(&self) {
        *self.calls.lock() += 1;
    }

    pub(super) fn leave_call(&self) {
        let mut calls = self.calls.lock();
        *calls -= 1;
        if *calls == 0 {
            self.no_calls.notify_all();
        }
    }

    /// Waits until no call runs, but at most `longest`.
    pub(crate) fn give_way(&self, longest: Duration) {
        let mut calls = self.calls.lock();
        if *calls > 0 {
            self.no_calls.wait_for(&mut calls, longest);
        }
    }

    /// Discards all pending events.
    #[cfg(feature = "testing")]
    pub(crate) fn discard_events(&self) {
        if let Some(watch) = &self.watch.lock().watch {
            watch.drain(&mut |_| {}).expect("drained");
        }
        self.lose_events();
    }

    /// Behaves as if events had been lost.
    #[cfg(any(feature = "fuzzing", feature = "testing", test))]
    pub(crate) fn lose_events(&self) {
        self.epoch.fetch_add(1, SeqCst);
    }
}
