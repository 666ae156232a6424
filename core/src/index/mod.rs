//! The resident index: what a workspace remembers of its tree, so that repeated searches need not read
//! it again.
//!
//! Two memories: the entries of directories, and the trigrams of the contents of files. They only ever
//! say "this directory need not be listed" and "this file need not be opened"; the walk, the order, the
//! limits and the counters are those of a search without them. Before each call they are brought up to
//! date: by the events that the kernel has queued since the last one, by a comparison of stamps where
//! events do not tell, or they are not used.

pub(crate) mod contents;
mod links;
mod listing;
mod resident;
mod slot;
mod tree;
mod view;

pub(crate) use contents::{Added, Candidates, FileId, Mode as PlanMode, Plan, SegmentBuilder};
pub(crate) use listing::{Class, FileMemory, Listing};
pub(crate) use resident::Index;
pub(crate) use view::{Recalled, Remembered, View, is_racy};
