//! The lines of one ignore file, with git's verdicts.
//!
//! Each line becomes a pattern ([`line`]), filed under a feature that every name it matches has ([`index`]),
//! so most names are compared with no line at all. Nothing is compiled: matching counts its steps and polls
//! in between, for any content of a hostile file. This folder knows bytes, not files: the caller reads the
//! ignore file, chains it with others, and decides how an ignored directory affects its content.
//!
//! # Differences from git
//!
//! A skipped line is reported as a [`LineProblem`]; no other line differs (see `differential.rs`). These are
//! skipped:
//!
//! - lines that are not UTF-8, and classes with a range from or to a non-ASCII character (`[а-я]`): git
//!   matches bytes, and would read such a range as one between two bytes of these characters;
//! - everything over a limit ([`super::limits`]): long lines, lines of many stars, the patterns after the
//!   first 20,000, and the wildcard patterns after the first 65,536 characters of such patterns (a wildcard
//!   counts as four).

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

pub(crate) use lines::{IGNORE_FILES, IgnoreLines, LetterCase, Verdict, changes_rules};
pub(crate) use problem::{LineProblem, Problem};
