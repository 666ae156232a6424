//! What builds the index of a workspace, at once or beside its calls, and reports its state.

mod builder;
mod text;

use crate::call::Call;
use crate::error::Result;
use crate::index::Index;
use crate::pool;
use crate::workspace::{WeakWorkspace, Workspace};
use crate::walk::Tree;
use builder::{Builder, Pace, build_listings, ended, indexed_tree};
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

/// A workspace that is searched as often as this is searched again.
const SEARCHES_MIN: usize = 2;

/// The state of the index of a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IndexState {
    /// The workspace was opened without an index, or in a process that was forked from this one.
    Off,
    /// Nothing is remembered yet.
    Cold,
    /// It is being built, and used as far as it is.
    Building,
    /// It is built.
    Ready,
}

impl IndexState {
    /// The stable text of the state.
    pub const fn code(self) -> &'static str {
        match self {
            IndexState::Off => "off",
            IndexState::Cold => "cold",
            IndexState::Building => "building",
            IndexState::Ready => "ready",
        }
    }
}

/// The report of [`Workspace::index_status`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexStatus {
    /// Whether it is built.
    pub state: IndexState,
    /// The number of directories whose entries are remembered.
    pub directories: u64,
    /// The number of files whose contents are.
    pub files: u64,
    /// About how many bytes of memory it has.
    pub memory_bytes: u64,
    /// The number of directories whose contents were left out because the memory is full.
    pub left_out: u64,
    /// Why changes of a directory are not reported by events, but looked for at each call. `None` where
    /// all are.
    pub not_watched: Option<String>,
}

impl Workspace {
    /// Builds the index of the workspace now, on as many threads as a call may use, and returns when it
    /// is built. Without an index it does nothing. The call's token counts the files that are read.
    ///
    /// ```
    /// use searchscope::{Call, IndexMode, IndexState, Workspace, WorkspaceOptions};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.txt"), "hello").unwrap();
    /// let mut options = WorkspaceOptions::default();
    /// options.index = IndexMode::Auto;
    /// let workspace = Workspace::open(dir.path(), &options)?;
    /// workspace.warm(&Call::new())?;
    /// # #[cfg(target_os = "linux")]
    /// assert_eq!(workspace.index_status().state, IndexState::Ready);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `cancelled`, and `timeout` where the deadline passes first; what was built until then stays.
    pub fn warm(&self, call: &Call) -> Result<IndexStatus> {
        let Some(index) = Index::of(self).filter(|index| index.is_of_this_process()) else {
            return Ok(self.index_status());
        };
        let pace = Pace { threads: self.threads(), gives_way: false };
        let was_building = index.is_building.swap(true, SeqCst);
        index.start();
        let builder = Builder { index: &index, fs: self.fs(), call, pace };
        let built = indexed_tree(self).and_then(|tree| build(&tree, &builder));
        if !was_building {
            index.is_building.store(false, SeqCst);
        }
        built?;
        Ok(self.index_status())
    }

    /// Returns the state of the index.
    pub fn index_status(&self) -> IndexStatus {
        let index = Index::of(self).filter(|index| index.is_of_this_process());
        let Some(index) = index else {
            return IndexStatus {
                state: IndexState::Off,
                directories: 0,
                files: 0,
                memory_bytes: 0,
                left_out: 0,
                not_watched: None,
            };
        };
        let state = if index.has_built.load(SeqCst) {
            IndexState::Ready
        } else if index.is_building.load(SeqCst) {
            IndexState::Building
        } else {
            IndexState::Cold
        };
        IndexStatus {
            state,
            directories: index.n_dirs() as u64,
            files: index.store.files() as u64,
            memory_bytes: index.bytes() as u64,
            left_out: index.left_out.load(SeqCst),
            not_watched: index.refused(),
        }
    }
}

/// Notes that a search of contents is over, after which the index may be built or brought up to date.
pub(super) fn after_search(workspace: &Workspace) {
    let Some(index) = Index::of(workspace).filter(|index| index.is_of_this_process()) else {
        return;
    };
    let n_searches = index.searches.fetch_add(1, SeqCst) + 1;
    let is_wanted = if index.has_built.load(SeqCst) {
        index.is_dirty()
    } else {
        n_searches >= SEARCHES_MIN
    };
    if !is_wanted || index.is_building.swap(true, SeqCst) {
        return;
    }
    let weak = workspace.downgrade();
    let builder = Arc::clone(&index);
    let work = move || {
        pool::lower_priority();
        build_beside(&weak, &builder);
    };
    let ended = Arc::clone(&index);
    if pool::apart(work, move || ended.is_building.store(false, SeqCst)).is_err() {
        index.is_building.store(false, SeqCst);
    }
}

/// Builds, or brings up to date, beside the calls of the workspace until it is closed.
fn build_beside(workspace: &WeakWorkspace, index: &Arc<Index>) {
    let call = Call::new().with_cancel(&index.stop);
    let pace = Pace { threads: 1, gives_way: true };
    // Nothing here keeps the workspace open: its end is what ends the build.
    let Some(workspace) = workspace.upgrade() else {
        return;
    };
    let fs = Arc::clone(workspace.fs());
    let builder = Builder { index, fs: &fs, call: &call, pace };
    if index.has_built.load(SeqCst) {
        drop(workspace);
        let dirty = index.take_dirty();
        let listings = dirty.iter().filter_map(|path| index.remembered(path)).collect();
        // Files that are missing afterwards are read by the searches that need them.
        let _ = builder.build_contents(listings);
        return;
    }
    index.start();
    let tree = indexed_tree(&workspace);
    drop(workspace);
    let _ = tree.and_then(|tree| build(&tree, &builder));
}

fn build(tree: &Tree, builder: &Builder<'_>) -> Result<()> {
    build_listings(tree, builder.call, builder.pace)?;
    if builder.call.is_over() {
        return Err(ended(builder.call));
    }
    builder.index.take_dirty();
    builder.build_contents(builder.index.listings())?;
    builder.index.has_built.store(true, SeqCst);
    Ok(())
}

#[cfg(all(test, target_os = "linux", not(searchscope_portable)))]
mod tests;
