//! Git's ignore rules for files that are not tracked.
//!
//! They differ from those of a walk, which also reads `.ignore` files and hides names with a leading dot.
//! Here the question is which files git would list as untracked.

use crate::budget::Budget;
use crate::wildcard::{IgnoreLines, Steps, Verdict};
use std::sync::Arc;

/// The lines of one ignore file, and those of weaker ones. A list from the strongest file to the weakest.
/// Directories share the list of the one above them, because most have no ignore file of their own.
#[derive(Debug)]
pub(super) struct Rules {
    lines: IgnoreLines,
    /// The length of the directory's path with its slash, relative to the top of the worktree.
    dir_len: usize,
    weaker: Option<Arc<Rules>>,
}

impl Rules {
    /// Adds the lines of a stronger file, which is in a directory with a path of `dir_len` bytes.
    pub(super) fn above(
        weaker: Option<&Arc<Rules>>,
        lines: Option<IgnoreLines>,
        dir_len: usize,
    ) -> Option<Arc<Rules>> {
        match lines {
            Some(lines) => Some(Arc::new(Rules { lines, dir_len, weaker: weaker.cloned() })),
            None => weaker.cloned(),
        }
    }
}

/// Returns whether rules ignore a path relative to the top; directories above it are not considered.
pub(super) fn ignores(
    rules: Option<&Arc<Rules>>,
    path: &[u8],
    is_dir: bool,
    budget: &Budget,
) -> bool {
    let mut go_on = || budget.poll_clock().is_ok();
    let mut steps = Steps::polled(&mut go_on);
    let mut next = rules;
    while let Some(rules) = next {
        match rules.lines.verdict_while(&path[rules.dir_len..], is_dir, &mut steps) {
            Verdict::Ignore => return true,
            Verdict::Include => return false,
            Verdict::None => next = rules.weaker.as_ref(),
        }
    }
    false
}
