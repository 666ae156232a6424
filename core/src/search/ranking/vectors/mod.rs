//! The second step of a ranking: the first files by words are ordered again by what their text is about.
//!
//! A table has a vector for each of some thousand stems, trained so that a comment is near the code that it
//! describes. The sum of the vectors of a text is the vector of that text, and the cosine of two says how near
//! their subjects are, also where they share no word. A file's order is its share of the best score by words and
//! the cosine of the question with its nearest window, times the weight of its part.
//!
//! All sums are integers, so ranks are the same on every machine, for any number of threads, and with and without
//! the index. Questions that are a name, the path of a file, a message of a program or a pattern skip the step:
//! their words mean exactly what is written.

#[cfg(not(feature = "vectors"))]
mod disabled;
#[cfg(feature = "vectors")]
mod enabled;

#[cfg(not(feature = "vectors"))]
pub(super) use disabled::reorder;
#[cfg(feature = "vectors")]
pub(super) use enabled::reorder;

use crate::Workspace;
use crate::budget::Budget;
use crate::encoding::Encodings;
use crate::workspace::RelPath;
use crate::workspace::fs::Root;
use std::sync::Arc;

/// The number of first files that are read again. More cost time and gained nothing.
pub(super) const FILES: usize = 20;

/// A file as the words rank it.
#[cfg_attr(not(feature = "vectors"), expect(dead_code, reason = "the step is off"))]
pub(super) struct ByWords {
    pub(super) path: RelPath,
    /// Its score, with the weight of its part.
    pub(super) score: i64,
    /// The weight of its part in the project, above 0.
    pub(super) part: f64,
}

/// Access to the files of a ranking.
#[cfg_attr(not(feature = "vectors"), expect(dead_code, reason = "the step is off"))]
pub(super) struct Access<'a> {
    pub(super) fs: &'a Arc<Root>,
    /// The encodings that texts may be in.
    pub(super) encodings: Encodings,
    pub(super) threads: usize,
    pub(super) budget: &'a Arc<Budget>,
    /// Whether files may have been reached through symlinks.
    pub(super) follow: bool,
}

impl<'a> Access<'a> {
    /// Returns access to files below the root.
    pub(super) fn of(
        workspace: &'a Workspace,
        budget: &'a Arc<Budget>,
        follow: bool,
    ) -> Access<'a> {
        Access {
            fs: workspace.fs(),
            encodings: workspace.encodings().clone(),
            threads: workspace.threads(),
            budget,
            follow,
        }
    }
}
