//! Reading git repositories: index, refs, objects and the worktree.
//!
//! A repository may come from an archive or from an attacker, so the readers trust none of its numbers:
//! lengths are bounded before memory is reserved, offsets are checked, chains of names, tags and deltas have
//! a maximum length, and the budget is polled between steps. Files are opened through the handles of the
//! workspace, because paths in a repository may name any directory of the machine.
//!
//! Callers cannot distinguish a wrong set from a right one. A format that a reader does not understand is
//! therefore refused with a reason, and a conversion that it cannot apply is reported. Running git would be
//! simpler, but it needs an installation, opens files by path, and runs programs that the configuration of a
//! repository names, such as filters and `core.fsmonitor`.

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
mod includes;
mod index;
mod index_memory;
mod inflate;
mod merge_base;
mod object;
mod objects;
mod pack;
mod refs;
mod repository;
mod tree_diff;
mod window;
mod worktree;

pub(super) use changes::changed_files;
