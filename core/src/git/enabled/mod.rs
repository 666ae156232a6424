//! Reading git repositories: index, refs, objects and the worktree.

mod attributes;
mod bytes;
mod cached_trees;
mod changes;
mod compare;
mod config;
mod convert;
mod ewah;
mod failure;
mod files;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod id;
mod ignore;
mod index;
mod inflate;
mod merge_base;
mod object;
mod objects;
mod pack;
mod refs;
mod repository;
mod tree_diff;
mod worktree;

pub(super) use changes::changed_files;
