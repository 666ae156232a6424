//! The resident index: a workspace's memory of its tree, which saves repeated searches from reading it again.
//!
//! It has two parts: the entries of directories, and the trigrams of file contents. They only ever say "this
//! directory need not be listed" and "this file need not be opened"; the walk, the order, the limits and the
//! counters are those of a search without an index. Before each call the index is brought up to date: by the
//! events that the kernel has queued since the last call, and by comparing stamps where events are
//! unavailable or not used.

pub(crate) mod contents;
mod links;
mod listing;
mod queue;
mod resident;
mod slot;
mod subtree;
mod tree;
mod view;

pub(crate) use contents::{Added, Candidates, FileId, Mode as PlanMode, Plan, SegmentBuilder};
pub(crate) use listing::{Class, FileMemory, Listing};
pub(crate) use queue::Queue;
pub(crate) use resident::{Background, Index};
pub(crate) use subtree::Subtree;
pub(crate) use view::{Recalled, Remembered, View, is_racy};
