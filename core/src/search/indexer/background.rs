//! Building the index in the background, beside the calls of its workspace.

use super::builder::{Builder, Pace, build_listings, ended, indexed_tree};
use crate::call::Call;
use crate::error::Result;
use crate::index::{Background, Index, Queue};
use crate::pool;
use crate::walk::Tree;
use crate::workspace::{WeakWorkspace, Workspace};
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

/// A workspace searched this often is expected to be searched again.
const SEARCHES_MIN: usize = 2;

/// A build beside calls gives way to them. If it is not done after this time, the calls leave it too little, and
/// a second builder helps that does not give way: each call without the index costs more.
const PATIENCE: Duration = Duration::from_secs(2);

/// Notes the end of a content search, after which the index may be built or updated. It is built after a
/// search rather than before, so that no search waits for it.
pub(crate) fn after_search(workspace: &Workspace) {
    let Some(index) = Index::of(workspace).filter(|index| index.is_of_this_process()) else {
        return;
    };
    let n_searches = index.searches.fetch_add(1, SeqCst) + 1;
    let is_wanted =
        if index.has_built.load(SeqCst) { index.is_dirty() } else { n_searches >= SEARCHES_MIN };
    if !is_wanted {
        return;
    }
    if index.is_building.swap(true, SeqCst) {
        hurry(workspace, &index);
        return;
    }
    begin(workspace, &index, |work, ended| pool::spawn(work, ended).is_ok());
}

type Job = Box<dyn FnOnce() + Send>;

/// Begins a build beside calls with `spawn`, which runs two jobs on a thread, one after the other, or returns
/// false if the system has none. The index is marked as being built.
pub(super) fn begin(workspace: &Workspace, index: &Arc<Index>, spawn: fn(Job, Job) -> bool) {
    *index.background.lock() = Some(Background { since: Instant::now(), is_hurried: false });
    let weak = workspace.base().downgrade();
    let builder = Arc::clone(index);
    let work = move || {
        pool::lower_priority();
        build_beside(&weak, &builder, Pace { threads: 1, gives_way: true });
    };
    let ended = Arc::clone(index);
    if !spawn(Box::new(work), Box::new(move || end(&ended))) {
        end(index);
    }
}

/// Notes that no build runs beside calls.
fn end(index: &Index) {
    *index.background.lock() = None;
    index.is_building.store(false, SeqCst);
}

/// Starts a second builder if the first one takes too long.
fn hurry(workspace: &Workspace, index: &Arc<Index>) {
    if index.has_built.load(SeqCst) {
        return;
    }
    match &mut *index.background.lock() {
        Some(build) if !build.is_hurried && build.since.elapsed() >= PATIENCE => {
            build.is_hurried = true;
        }
        _ => return,
    }
    let (weak, builder) = (workspace.base().downgrade(), Arc::clone(index));
    let pace = Pace { threads: workspace.threads(), gives_way: false };
    // It runs once: what is left then is little. Without a thread for it the first builder continues alone.
    let _ = pool::spawn(move || build_beside(&weak, &builder, pace), || ());
}

/// Builds or updates the index beside the calls of the workspace until it is closed.
fn build_beside(workspace: &WeakWorkspace, index: &Arc<Index>, pace: Pace) {
    let call = Call::new().with_cancel(&index.stop);
    // Nothing here keeps the workspace open: closing it ends the build.
    let Some(workspace) = workspace.upgrade() else {
        return;
    };
    let fs = Arc::clone(workspace.fs());
    let builder = Builder::new(index, &fs, &call, pace);
    if index.has_built.load(SeqCst) {
        let (new_dirs, moves) = (index.new_dirs(), index.moves());
        let tree = (!new_dirs.is_empty()).then(|| indexed_tree(&workspace, index));
        drop(workspace);
        if let Some(Ok(tree)) = tree
            && build_listings(&tree, &call, pace).is_ok()
            && !call.is_over()
            // A moved directory may not be watched yet.
            && index.moves() == moves
        {
            index.leave_out(&new_dirs);
        }
        let dirty = index.take_dirty();
        let listings = dirty.iter().filter_map(|path| index.listing(path)).collect();
        // Searches read the files that are still missing when they need them.
        if builder.read(&builder.queue(listings)).is_err() {
            index.put_dirty(dirty);
        }
        return;
    }
    index.start();
    let tree = indexed_tree(&workspace, index);
    drop(workspace);
    let _ = tree.and_then(|tree| build(&tree, &builder));
}

/// Builds the index, together with the other builders at work.
pub(super) fn build(tree: &Tree, builder: &Builder<'_>) -> Result<()> {
    let queue = match builder.index.queue() {
        Some(queue) => Some(queue),
        None => planned(tree, builder)?,
    };
    if let Some(queue) = queue {
        if let Err(stopped) = builder.read(&queue) {
            let unread = queue.unread();
            let unread = unread.iter().map(|listing| listing.path().clone());
            builder.index.put_dirty(unread.collect());
            return Err(stopped);
        }
        builder.index.finish(&queue);
    }
    // The buffers of the builder and the merged segments were as large as the index: return them.
    searchscope_memory::trim();
    Ok(())
}

/// Reads the entries of all directories and shares a queue of them. If another builder was faster, returns its
/// queue, or nothing if that builder has finished.
fn planned(tree: &Tree, builder: &Builder<'_>) -> Result<Option<Arc<Queue>>> {
    let index = builder.index;
    let had_built = index.has_built.load(SeqCst);
    build_listings(tree, builder.call, builder.pace)?;
    if builder.call.is_over() {
        return Err(ended(builder.call));
    }
    let dirty = index.take_dirty();
    let queue = builder.queue(index.listings());
    if builder.call.is_over() {
        index.put_dirty(dirty);
        return Err(ended(builder.call));
    }
    Ok(index.share(queue, had_built).map_or_else(
        |other| {
            // Its directories were listed before some of these changed.
            index.put_dirty(dirty);
            other
        },
        Some,
    ))
}

/// Builds the index of every second directory.
#[cfg(feature = "fuzzing")]
pub(crate) fn build_half(workspace: &Workspace) -> Result<()> {
    let Some(index) = Index::of(workspace) else {
        return Ok(());
    };
    let (call, pace) = (Call::new(), Pace { threads: 1, gives_way: false });
    index.start();
    build_listings(&indexed_tree(workspace, &index)?, &call, pace)?;
    let half = index.listings().into_iter().step_by(2).collect();
    let builder = Builder::new(&index, workspace.fs(), &call, pace);
    builder.read(&builder.queue(half))
}
