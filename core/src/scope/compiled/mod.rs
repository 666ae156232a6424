//! The compiled scope: a formula over facts about a file, evaluated for each path of a walk.
//!
//! This module knows neither names nor programs: `resolve` builds the formula, lists and regions, and
//! evaluation looks up nothing else.

mod descent;
mod dirs;
mod files;
mod filter;
mod formula;
mod name_filter;
mod regions;

pub(super) use dirs::Dirs;
pub(super) use files::FileLists;
pub use filter::Scope;
pub(super) use filter::{Compiled, ThreadCaches};
pub(super) use formula::{ALL, Formula, FormulaBuilder, Leaf, NONE, Step, Subject};
pub(super) use name_filter::NameFilter;
pub(super) use regions::{Regions, Roots, number};
