//! The index as a part of its workspace.
//!
//! The workspace owns the index without knowing its type, because it belongs to a lower layer.

use super::resident::Index;
use super::view::View;
use crate::workspace::{IndexMode, Workspace};
use std::any::Any;
use std::sync::Arc;

/// Default memory limit of an index.
const MEMORY_BYTES_DEFAULT: usize = 256 << 20;

/// The index as its workspace owns it: dropping the workspace stops the builder.
struct Owned(Arc<Index>);

impl Drop for Owned {
    fn drop(&mut self) {
        self.0.stop.cancel();
    }
}

impl Index {
    /// Returns the index of `workspace`; `None` if it has no index.
    pub(crate) fn of(workspace: &Workspace) -> Option<Arc<Index>> {
        let options = workspace.options();
        if options.index == IndexMode::Off {
            return None;
        }
        let owned = workspace.index_slot().get_or_init(|| {
            let memory_bytes_max = options.memory_bytes_max.unwrap_or(MEMORY_BYTES_DEFAULT);
            Arc::new(Owned(Arc::new(Index::new(workspace.base().fs(), memory_bytes_max))))
                as Arc<dyn Any + Send + Sync>
        });
        owned.downcast_ref::<Owned>().map(|owned| Arc::clone(&owned.0))
    }
}

impl View {
    /// Returns the view of a call of `workspace` that begins now.
    pub(crate) fn of_call(workspace: &Workspace) -> Option<Arc<View>> {
        let overlay = workspace.fs().overlay().cloned();
        Some(Arc::new(Index::of(workspace)?.view(true, overlay)?))
    }

    /// Like [`View::of_call`], for building the index itself.
    pub(crate) fn of_builder(index: &Arc<Index>) -> Option<Arc<View>> {
        Some(Arc::new(index.view(false, None)?))
    }
}
