//! Reasons for which a repository is not read.

use crate::budget::Stopped;
use std::collections::TryReserveError;

/// The reason why the set of changed files is unknown.
#[derive(Debug)]
pub(super) enum Failure {
    /// The call was cancelled or its time has passed.
    Stopped,
    /// A sentence about an unsupported feature or a failure.
    Refused(String),
    /// A revision that does not exist, with the existing names.
    Unknown {
        /// The problem, without the name of the revision.
        why: String,
        /// The names of branches, tags and remote branches.
        names: Vec<String>,
    },
}

impl Failure {
    /// Refuses with a sentence.
    pub(super) fn refused(why: impl Into<String>) -> Failure {
        Failure::Refused(why.into())
    }

    /// Puts the name of a file or object before the sentence.
    pub(super) fn of(self, what: &str) -> Failure {
        match self {
            Failure::Refused(why) => Failure::Refused(format!("{what}: {why}")),
            other => other,
        }
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
