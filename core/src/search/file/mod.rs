//! One file: its text, its matching lines with their context, and its matches in parts.

mod blocks;
mod collect;
pub(super) mod context;
pub(super) mod form;
#[cfg(test)]
mod form_tests;
pub(super) mod limits;
#[cfg(all(test, feature = "symbols"))]
mod lines_tests;
mod long_lines;
mod matches;
mod parts;
pub(super) mod reader;
pub(super) mod run;
mod text;
