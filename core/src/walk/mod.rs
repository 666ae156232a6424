//! The walk: an ordered, parallel, pruned traversal of the tree on directory handles.
//!
//! Files come in the order of their paths' bytes, whatever the number of threads, and are visited inside the
//! task that lists their directory, relative to its handle. The walk itself reads only ignore files; the
//! [`Visitor`] does everything else with a file. This area knows no pattern, no scope and no index: those
//! reach it through [`PathFilter`] and [`FileSource`].

mod ancestors;
mod attributes;
mod changed;
mod file_filter;
mod file_list;
mod listing;
mod names;
mod order;
mod path_filter;
mod range;
mod role;
mod rules;
mod run;
#[cfg(test)]
mod run_tests;
mod source;
mod starts;
mod tally;
#[cfg(all(test, unix))]
mod tests;
mod tree;

pub use attributes::{FileAttributes, FileTypes, SizeBound};
pub use changed::both;
pub(crate) use file_filter::FileFilter;
pub use file_filter::FileOptions;
pub(crate) use file_list::{FileBlock, FileList};
pub use names::{NameOptions, NamePattern};
pub use path_filter::{PathFilter, Place};
pub(crate) use range::PathRange;
pub(crate) use role::EXAMPLE_DIRS;
pub use role::Role;
pub(crate) use rules::Admission;
pub(crate) use run::{RunOptions, Visit, Visited, Visitor, run};
pub(crate) use source::{Candidate, Effort, FileSource, KnownFiles, stamp_of};
pub(crate) use starts::stat_named;
pub(crate) use starts::{NamedFiles, Tree};
pub use tally::LEFT_OUT_MAX;
pub use tally::{NoGrammar, Skipped, Warning};
pub(crate) use tally::{Reached, Tally, WARNINGS_MAX};
