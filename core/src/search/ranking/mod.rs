//! The ranking of files for the words of a question: one pass over the tree, without an index of its own, a
//! model or a clock.
//!
//! Every file is searched for the beginnings of the words' stems and leaves a few counters (`counts.rs`); after
//! the pass the rarity of each word is known, and each file gets a score (`score.rs`). Counters are sums of
//! exact numbers in the order of lines, and files are scored in the order of paths, so ranks are the same for
//! any number of threads, with and without the index.

mod beginnings;
mod counted;
mod counter;
mod counts;
mod in_name;
mod packed;
mod pass;
mod path;
mod ranker;
mod relevance;
#[cfg(test)]
mod relevance_tests;
mod rest;
mod score;
mod terms;
mod text;
mod vectors;
mod words;

pub(super) use beginnings::Beginnings;
pub(super) use counted::Counted;
use counts::FileCounts;
pub use in_name::LineShares;
use packed::CountList;
pub use pass::{RankedFile, Ranking, rank_files};
pub(super) use ranker::{Ranker, keys};
pub use relevance::{LineTraits, PathTexts, PathTraits};
pub use score::{GUIDE, MANIFEST};
pub use terms::{SAME_PARTS, Terms};
pub(crate) use text::{CountedText, Place, TextRanker};
pub use words::{is_stop_word, stem, sub_words};

/// Maximum number of matching lines counted per file; they suffice to rank it.
pub(super) const LINES_MAX: u64 = 1_000;
/// A longer line is counted by this many bytes around its first match.
pub(super) const LINE_BYTES_MAX: usize = 400;
/// Maximum number of matches counted per line.
pub(super) const SPANS_MAX: usize = 24;
