//! Reasons for which a repository is not read.

use crate::budget::Stopped;
use crate::workspace::Unread;
use std::collections::TryReserveError;
use std::fmt;

/// The reason why the set of changed files is unknown.
#[derive(Debug)]
pub(super) enum Failure {
    /// The call was cancelled or its time has passed.
    Stopped,
    /// An unsupported feature or a failure.
    Refused(Refusal),
    /// A revision that cannot be used.
    Revision(BadRevision),
}

/// The reason why a revision cannot be used.
#[derive(Debug)]
pub(super) enum BadRevision {
    /// It does not exist; the names of the branches, tags and remote branches.
    Missing(Vec<String>),
    /// The problem, without the name of the revision.
    Unusable(String),
}

/// The reason why something in a repository is not read.
#[derive(Debug)]
pub(super) struct Refusal {
    /// A sentence.
    pub(super) why: String,
    /// Whether the workspace option [`OUTSIDE_ROOT`] would permit it.
    pub(super) is_outside_root: bool,
}

/// The workspace option that permits git directories outside the root.
pub(super) const OUTSIDE_ROOT: &str = "git_dir_outside_root";

/// Advice to set [`OUTSIDE_ROOT`] for a part of a repository.
pub(super) const OUTSIDE_ROOT_ADVICE: &str =
    "; the engine opens it only with the workspace option 'git_dir_outside_root'";

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)?;
        f.write_str(if self.is_outside_root { OUTSIDE_ROOT_ADVICE } else { "" })
    }
}

impl Failure {
    /// Refuses with a sentence.
    pub(super) fn refused(why: impl Into<String>) -> Failure {
        Failure::Refused(Refusal { why: why.into(), is_outside_root: false })
    }

    /// Refuses a revision with the problem, without its name.
    pub(super) fn unusable(why: impl Into<String>) -> Failure {
        Failure::Revision(BadRevision::Unusable(why.into()))
    }

    /// Refuses a part of the repository that is outside the root.
    pub(super) fn outside_root() -> Failure {
        let why = "part of the repository is outside the root".to_owned();
        Failure::Refused(Refusal { why, is_outside_root: true })
    }

    /// Puts the name of a file or object before the sentence.
    pub(super) fn of(self, what: &str) -> Failure {
        match self {
            Failure::Refused(Refusal { why, is_outside_root }) => {
                Failure::Refused(Refusal { why: format!("{what}: {why}"), is_outside_root })
            }
            other => other,
        }
    }
}

impl From<Unread> for Failure {
    fn from(unread: Unread) -> Failure {
        unread.reason().map_or(Failure::Stopped, Failure::refused)
    }
}

impl From<Stopped> for Failure {
    fn from(_: Stopped) -> Failure {
        Failure::Stopped
    }
}

/// Sizes come from the files of a repository, so a lack of memory is refused like a malformed file and does
/// not end the host.
impl From<TryReserveError> for Failure {
    fn from(_: TryReserveError) -> Failure {
        Failure::refused("there is not enough memory")
    }
}

/// Data that violates its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed(pub(super) &'static str);

impl From<Malformed> for Failure {
    fn from(malformed: Malformed) -> Failure {
        Failure::refused(malformed.0)
    }
}
