//! Building the index: first the entries of all directories, then the contents of their files.
//!
//! The contents come second, because their memory is divided among all directories: if it is short, the
//! smallest come first, so that the largest number of directories is indexed.

use super::text::{FILE_BYTES_MAX, classify};
use crate::budget::{Budget, Stopped};
use crate::call::Call;
use crate::error::{Error, ErrorKind, Result};
use crate::index::{
    Added, Class, FileId, FileMemory, Index, Listing, Queue, SegmentBuilder, View, is_racy,
};
use crate::room;
use crate::walk::{
    self, FileOptions, NamedFiles, PathRange, RunOptions, Tree, Visit, Visited, Visitor,
};
use crate::workspace::fs::{Dir, Root, read_retrying};
use crate::workspace::{RelPath, Workspace};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;

/// The buffer of a larger file is freed after it.
const BUFFER_BYTES_MAX: usize = 4 << 20;
/// Maximum size of one read, so that the budget is polled in between.
const READ_BYTES: usize = 1 << 20;
/// Memory of the contents per hundred bytes of source, as an upper bound.
const INDEX_PERCENT: u64 = 10;
/// The builder gives way to calls after it has read this many bytes, but waits at most `WAY_MAX`: a workspace
/// that is never idle gets its index too.
const SLICE_BYTES: u64 = 1 << 20;
const WAY_MAX: Duration = Duration::from_millis(50);

/// The resources that a builder may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub threads: usize,
    /// Whether it waits while calls run.
    pub gives_way: bool,
}

/// Returns the tree to index: all directories that a walk enters, hidden ones included.
pub(super) fn indexed_tree(workspace: &Workspace, index: &Arc<Index>) -> Result<Tree> {
    let files = FileOptions { hidden: true, ..FileOptions::default() };
    let (paths, range) = ([RelPath::root()], PathRange::default());
    let view = View::of_builder(index);
    Tree::new(workspace, &paths, &files, NamedFiles::Always, range, view)
}

/// Reads the entries of the directories of `tree`. The call counts no files: their contents follow.
pub(super) fn build_listings(tree: &Tree, call: &Call, pace: Pace) -> Result<()> {
    let budget = Arc::new(Budget::of(&call.uncounted()));
    let options = RunOptions::on(pace.threads);
    walk::run(&budget, tree, &Arc::new(Passing), options, &mut |(), _, _| true)?;
    Ok(())
}

/// Returns the error of a build whose call has ended.
pub(super) fn ended(call: &Call) -> Error {
    if call.is_cancelled() {
        Error::new(ErrorKind::Cancelled, "the call was cancelled")
    } else {
        Error::new(ErrorKind::Timeout, "the index was not built within the time limit")
    }
}

/// Ignores the files of a walk.
struct Passing;

impl Visitor for Passing {
    type Scratch = ();
    type Item = ();

    fn visit(&self, _visit: Visit<'_, ()>) -> Visited<()> {
        Visited::nothing()
    }

    fn weight((): &()) -> usize {
        0
    }
}

/// A file whose text went into a segment.
struct Text {
    listing: Arc<Listing>,
    index: usize,
    id: FileId,
}

/// Reads the contents of files that the index does not have yet.
pub(super) struct Builder<'a> {
    pub index: &'a Arc<Index>,
    pub fs: &'a Root,
    pub call: &'a Call,
    pub pace: Pace,
    /// Number of bytes read since the builder last gave way to calls.
    slice: AtomicU64,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        index: &'a Arc<Index>,
        fs: &'a Root,
        call: &'a Call,
        pace: Pace,
    ) -> Builder<'a> {
        Builder { index, fs, call, pace, slice: AtomicU64::new(0) }
    }

    /// Returns a queue of those of `listings` whose contents fit in memory.
    pub(super) fn queue(&self, listings: Vec<Arc<Listing>>) -> Queue {
        let n_wanted = listings.len();
        let affordable = self.affordable(listings);
        let n_left_out = n_wanted - affordable.len();
        Queue::new(affordable, n_left_out as u64)
    }

    /// Reads the files of the directories in `queue`, which other builders may be reading too.
    pub(super) fn read(&self, queue: &Queue) -> Result<()> {
        let Some(view) = View::of_builder(self.index) else {
            return Ok(());
        };
        let work = || self.work(&view, queue);
        std::thread::scope(|scope| {
            for _ in 1..self.pace.threads.min(queue.len()).max(1) {
                // If the system has no more threads, this one does all the work.
                let _ = std::thread::Builder::new()
                    .name("searchscope-index".to_owned())
                    .spawn_scoped(scope, work);
            }
            work();
        });
        // Another builder may be slow, or was cancelled in the middle of a directory.
        let in_hand = Queue::new(queue.in_hand(), 0);
        self.work_on(&view, &in_hand, queue);
        while self.index.store.compact(&|| self.is_over()) {}
        match self.call.is_over() {
            true => Err(ended(self.call)),
            false => Ok(()),
        }
    }

    fn is_over(&self) -> bool {
        self.call.is_over() || self.index.stop.is_cancelled()
    }

    /// Returns the directories whose contents fit in memory: all, or the smallest.
    fn affordable(&self, listings: Vec<Arc<Listing>>) -> Vec<Arc<Listing>> {
        let mut sized: Vec<(u64, Arc<Listing>)> = Vec::new();
        let mut total: u64 = 0;
        for listing in listings {
            if self.is_over() {
                return Vec::new();
            }
            let bytes = self.unknown_bytes(&listing);
            total += bytes;
            sized.push((bytes, listing));
        }
        let used = self.index.bytes() as u64;
        let room = (self.index.memory_bytes_max() as u64).saturating_sub(used);
        if total.saturating_mul(INDEX_PERCENT) / 100 > room {
            sized.sort_by_key(|(bytes, listing)| (*bytes, listing.path().clone()));
            let mut left = room.saturating_mul(100) / INDEX_PERCENT;
            sized.retain(|(bytes, _)| {
                let fits = *bytes <= left;
                left = if fits { left - bytes } else { 0 };
                fits
            });
        }
        sized.into_iter().map(|(_, listing)| listing).collect()
    }

    /// Returns the files of a directory that the index does not have. Listings contain denied entries, but
    /// no denied file may be opened.
    fn unknown_files(&self, listing: &Listing) -> impl Iterator<Item = usize> {
        let is_denied = |index| self.fs.denies_path(&listing.path().join(listing.name(index)));
        listing.unknown_files().filter(move |index| !is_denied(*index))
    }

    /// Returns the total size of the files of a directory that the index does not have.
    fn unknown_bytes(&self, listing: &Listing) -> u64 {
        let mut unknown = self.unknown_files(listing).peekable();
        if unknown.peek().is_none() {
            return 0;
        }
        let Ok(dir) = self.fs.open_dir(listing.path(), false) else {
            return 0;
        };
        let size = |index| dir.stat(listing.name(index)).map_or(0, |meta| meta.size);
        unknown.map(size).filter(|size| *size <= FILE_BYTES_MAX).sum()
    }

    fn work(&self, view: &View, queue: &Queue) {
        self.work_on(view, queue, queue);
    }

    /// Reads the directories in `todo`, and notes in `queue` which had no room.
    fn work_on(&self, view: &View, todo: &Queue, queue: &Queue) {
        let Ok(mut segment) = SegmentBuilder::new() else {
            return;
        };
        let (mut buffer, mut added) = (Vec::new(), Vec::new());
        while !self.is_over()
            && let Some(listing) = todo.take()
        {
            self.read_dir(view, &listing, queue, &mut segment, &mut added, &mut buffer);
            if !self.is_over() {
                todo.done(&listing);
            }
        }
        if !self.index.stop.is_cancelled() {
            self.hand_over(queue, &mut segment, &mut added);
        }
    }

    /// Adds the texts of a segment to the index. If it has no room for them, their files stay candidates.
    fn hand_over(&self, queue: &Queue, segment: &mut SegmentBuilder, added: &mut Vec<Text>) {
        if !segment.is_empty()
            && let Ok(full) = segment.finish()
        {
            // Which directories have room was estimated: texts without repetition need more.
            let has_room = self.index.bytes() + full.bytes() <= self.index.memory_bytes_max();
            if has_room {
                let _ = self.index.store.add(full);
            }
            for dir in added.chunk_by(|a, b| Arc::ptr_eq(&a.listing, &b.listing)) {
                queue.set_room(&dir[0].listing, has_room);
            }
        }
        // A file forgotten before its text was stored must not stay in the store.
        for Text { listing, index, id } in added.drain(..) {
            if !self.index.holds_file(&listing, index, id) {
                self.index.store.forget(id);
            }
        }
    }

    fn read_dir(
        &self,
        view: &View,
        listing: &Arc<Listing>,
        queue: &Queue,
        segment: &mut SegmentBuilder,
        added: &mut Vec<Text>,
        buffer: &mut Vec<u8>,
    ) {
        let mut unknown = self.unknown_files(listing).peekable();
        if unknown.peek().is_none() {
            return;
        }
        let Ok(dir) = self.fs.open_dir(listing.path(), false) else {
            return;
        };
        if dir.id() != listing.id() || dir.real_path().is_some() {
            return;
        }
        for index in unknown {
            if self.is_over() {
                return;
            }
            if self.pace.gives_way && self.slice.load(SeqCst) >= SLICE_BYTES {
                self.slice.store(0, SeqCst);
                self.index.give_way(WAY_MAX);
            }
            let before = view.before(listing);
            if let Ok(Some(file)) = self.read_file(&dir, listing.name(index), segment, buffer) {
                let text = Text { listing: Arc::clone(listing), index, id: file.id };
                if file.class == Class::Text && room::push(added, text).is_err() {
                    return;
                }
                view.set_file(listing, index, file, before);
                self.call.cancel_token().count_files(1);
            }
            if buffer.len() > BUFFER_BYTES_MAX {
                *buffer = Vec::new();
            }
            if segment.is_full() {
                self.hand_over(queue, segment, added);
            }
        }
    }

    /// Reads one file into the segment. Returns `None` if it changed meanwhile or cannot be read.
    fn read_file(
        &self,
        dir: &Dir,
        name: &[u8],
        segment: &mut SegmentBuilder,
        buffer: &mut Vec<u8>,
    ) -> std::result::Result<Option<FileMemory>, Stopped> {
        let Ok(mut file) = dir.open_file(name) else {
            return Ok(None);
        };
        let meta = *file.meta();
        let mut n = 0;
        if meta.size <= FILE_BYTES_MAX {
            // At once, because a growing buffer is copied, and doubled.
            let len = usize::try_from(meta.size).unwrap_or(usize::MAX) + READ_BYTES;
            if buffer.try_reserve_exact(len.saturating_sub(buffer.len())).is_err() {
                return Ok(None);
            }
            loop {
                if self.is_over() {
                    return Err(Stopped);
                }
                if buffer.len() < n + READ_BYTES && room::resize(buffer, n + READ_BYTES).is_err() {
                    return Ok(None);
                }
                match read_retrying(&mut file, &mut buffer[n..n + READ_BYTES]) {
                    Ok(0) => break,
                    Ok(more) => n += more,
                    Err(_) => return Ok(None),
                }
                if n as u64 > FILE_BYTES_MAX {
                    return Ok(None);
                }
            }
        }
        let stamp = meta.file_stamp();
        if file.stamp() != Some(stamp) {
            return Ok(None);
        }
        let Some(id) = self.index.store.next_id() else {
            return Ok(None);
        };
        let (class, text) = match meta.size {
            size if size > FILE_BYTES_MAX => (Class::Opaque, None),
            _ => classify(&buffer[..n]),
        };
        let class = match text {
            Some(text) => match segment.add(id, &text) {
                Ok(Added::Indexed) => class,
                Ok(Added::Refused) => Class::Opaque,
                Err(_) => return Ok(None),
            },
            None => class,
        };
        self.slice.fetch_add(n as u64, SeqCst);
        Ok(Some(FileMemory {
            id,
            class,
            stamp,
            executable: meta.executable,
            // A file that is a mount point changes through other names too.
            has_links: meta.has_links || file.is_mount(),
            racy: is_racy(&stamp),
        }))
    }
}
