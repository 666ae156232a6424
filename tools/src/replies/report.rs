//! The JSON of a report that several tools share: skipped entries, warnings, and what they mean.

use schemars::JsonSchema;
use searchscope::Report;
use serde::Serialize;
use std::fmt;

/// Skipped entries, by reason; a directory counts once, whatever it contains.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(crate) struct Skipped {
    /// Left out by .gitignore, .ignore or .git/info/exclude.
    ignored: u64,
    /// Left out because the name starts with a dot.
    hidden: u64,
    /// Binary files: a NUL in the first 64 KiB.
    binary: u64,
    /// Files over the maximum size.
    too_large: u64,
    /// Symlinks that were not followed, or lead outside the root, to nothing or in a circle.
    symlink: u64,
    /// Entries not opened, listed or read to the end, ignore files included.
    unreadable: u64,
    /// Names that the system cannot return unchanged.
    undecodable_name: u64,
    /// FIFOs, sockets, devices and kernel file systems.
    special: u64,
    /// Directories deeper than the maximum.
    too_deep: u64,
    /// Denied entries, such as possible credentials; never named. Absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    denied: Option<u64>,
    /// Git worktrees of a repository inside the root. Absent if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    worktree: Option<u64>,
}

/// An entry missed, wholly or in part.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Warning {
    /// Relative to the root.
    pub(crate) path: String,
    /// The reason, in a few words.
    pub(crate) reason: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': {}", self.path, self.reason)
    }
}

impl From<searchscope::Skipped> for Skipped {
    fn from(skipped: searchscope::Skipped) -> Skipped {
        Skipped {
            ignored: skipped.ignored,
            hidden: skipped.hidden,
            binary: skipped.binary,
            too_large: skipped.too_large,
            symlink: skipped.symlink,
            unreadable: skipped.unreadable,
            undecodable_name: skipped.undecodable_name,
            special: skipped.special,
            too_deep: skipped.too_deep,
            denied: Some(skipped.denied).filter(|&n| n > 0),
            worktree: Some(skipped.worktree).filter(|&n| n > 0),
        }
    }
}

/// Returns the warnings of an incomplete report, for contracts without another way to say so.
pub(crate) fn warnings_of_a_lack(report: &Report) -> Vec<Warning> {
    let skipped = &report.skipped;
    let is_whole = skipped.unreadable == 0 && skipped.too_deep == 0 && report.given_up == 0;
    let mut shown = if is_whole { Vec::new() } else { warnings(report) };
    shown.extend(
        all_ignored(report).map(|reason| Warning { path: ".".to_owned(), reason: reason.into() }),
    );
    shown
}

/// Returns a sentence for an empty reply where ignore files leave out everything: its caller would
/// conclude that the directory is empty.
pub(crate) fn all_ignored(report: &Report) -> Option<&'static str> {
    let is_empty = report.searched_files == 0 && report.filtered_files == 0 && report.total == 0;
    let skipped = &report.skipped;
    let is_all = skipped.ignored > 0 && skipped.binary == 0 && skipped.too_large == 0;
    (is_empty && is_all).then_some(
        "ignore files leave out everything here; name a directory below it as the path, or call \
         'search' or 'find' with 'no_ignore'",
    )
}

/// Returns the warnings of a report.
pub(crate) fn warnings(report: &Report) -> Vec<Warning> {
    let shown = |warning: &searchscope::Warning| Warning {
        path: warning.path.clone(),
        reason: warning.reason.clone(),
    };
    report.warnings.iter().map(shown).collect()
}
