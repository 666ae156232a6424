//! The lines of one ignore file, with git's verdicts.
//!
//! Each line becomes a pattern ([`line`]) that is filed under what a matching name has in common with
//! it ([`index`]), so most names are compared with no line. Nothing is compiled: time is spent in steps that are
//! counted, with polls in between, whatever a hostile file contains. This folder knows bytes, not files:
//! the caller reads the ignore file, chains it with others, and decides what an ignored
//! directory means for what is in it.
//!
//! # Where the verdict is not git's
//!
//! A line that is skipped is reported as a [`LineProblem`]; no other line differs (see
//! `differential.rs`). Skipped are:
//!
//! - lines that are not UTF-8, and classes with a range from or to a character beyond ASCII (`[а-я]`): git
//!   matches bytes, and would take such a range for one between two bytes of these characters;
//! - what is over a limit ([`super::limits`]): long lines, lines of many stars, the patterns after the first
//!   20,000, and the wildcard patterns after the first 65,536 characters of such patterns (where
//!   a wildcard counts as four).

#[cfg(all(test, unix))]
mod differential;
#[cfg(all(test, unix))]
mod git_verdicts_tests;
mod index;
mod line;
mod lines;
mod problem;
#[cfg(test)]
pub(super) mod tests;

pub(crate) use lines::{IgnoreLines, LetterCase, Verdict};
pub(crate) use problem::{LineProblem, Problem};
