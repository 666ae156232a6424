//! Index of contents: excludes files that lack the trigrams that every match must contain.
//!
//! Texts are cut into chunks at line ends, and segments map each trigram to the chunks that contain
//! it. A [`Plan`] states the trigrams that every match of an expression must contain; a [`Store`]
//! evaluates it over all segments and returns the files that it cannot exclude. The answer errs on
//! one side only: a file that could match is always a candidate.

mod algebra;
mod bits;
mod builder;
mod candidates;
mod evaluate;
mod ids;
mod merge;
mod plan;
mod postings;
mod segment;
mod store;
mod trigrams;

#[cfg(test)]
mod tests;

pub(crate) use builder::{Added, SegmentBuilder};
pub(crate) use candidates::Candidates;
pub(crate) use plan::Plan;
pub(crate) use store::Store;

/// Number of one indexed text. A file whose text changes gets a new id, and no id is reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FileId(pub(crate) u32);

/// Distance that the trigrams of one match may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A match is in one line, hence in one chunk.
    Lines,
    /// A match may cross lines, so its trigrams may be in different chunks of the file.
    File,
}
