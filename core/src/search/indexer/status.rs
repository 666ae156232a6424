//! The state of the index, and building it on request.

use super::background::build;
use super::builder::{Builder, Pace, indexed_tree};
use crate::call::Call;
use crate::error::Result;
use crate::index::Index;
use crate::workspace::Workspace;
use std::sync::atomic::Ordering::SeqCst;

/// The state of the index of a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IndexState {
    /// The workspace was opened without an index, or this process was forked from the one that opened it.
    Off,
    /// The index is empty.
    Cold,
    /// The index is being built; calls use its finished part.
    Building,
    /// The index is built, from everything that a search reads by default.
    Ready,
}

impl IndexState {
    /// Returns the stable text of the state.
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
    /// The state of the index.
    pub state: IndexState,
    /// The number of directories whose entries are indexed.
    pub directories: u64,
    /// The number of files whose contents are indexed.
    pub files: u64,
    /// The approximate memory of the index in bytes.
    pub memory_bytes: u64,
    /// The number of directories whose contents were left out because the memory is full.
    pub left_out: u64,
    /// The number of directories, of those that searches have read or events have named since, whose contents
    /// are not in the index yet: the next search or [`Workspace::warm`] adds them. A search of ignored files
    /// reads directories that no build does.
    pub waiting: u64,
    /// Reason why events do not report the changes of some directory, so that each call checks it. `None` if
    /// events report all changes.
    pub not_watched: Option<String>,
}

impl Workspace {
    /// Builds the index of the workspace now, on as many threads as a call may use, and returns when it is
    /// built. Does nothing in a workspace without an index. The call's token counts the files read.
    ///
    /// ```
    /// use searchscope::{Call, IndexMode, IndexState, Workspace, WorkspaceOptions};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.txt"), "hello").unwrap();
    /// let mut options = WorkspaceOptions::default();
    /// options.index = IndexMode::Auto;
    /// let workspace = options.open(dir.path())?;
    /// workspace.warm(&Call::new())?;
    /// # #[cfg(target_os = "linux")]
    /// assert_eq!(workspace.index_status().state, IndexState::Ready);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `cancelled`, and `timeout` if the deadline passes first; the part built until then stays.
    pub fn warm(&self, call: &Call) -> Result<IndexStatus> {
        let Some(index) = Index::of(self).filter(|index| index.is_of_this_process()) else {
            return Ok(self.index_status());
        };
        let pace = Pace { threads: self.threads(), gives_way: false };
        let was_building = index.is_building.swap(true, SeqCst);
        index.start();
        let builder = Builder::new(&index, self.base().fs(), call, pace);
        let built = indexed_tree(self.base(), &index).and_then(|tree| build(&tree, &builder));
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
                waiting: 0,
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
            waiting: index.n_waiting() as u64,
            not_watched: index.refused(),
        }
    }
}
