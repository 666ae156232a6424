//! The end of a search or find by the consumer of its results.

use super::FileMatches;
use crate::StopReason;
use std::ops::ControlFlow;

/// Consumer of the matches of one file after another, in the final order, on the calling thread.
pub(crate) type Sink<'a> = dyn FnMut(FileMatches) -> ControlFlow<Stop> + 'a;

/// The place where the consumer of results ends a search or find, and its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a consumer writes both fields")]
pub struct Stop {
    /// The number of matches of the file that the consumer took, at most all of them. The cursor points to the
    /// next one.
    pub taken: u64,
    /// The reason to report. [`StopReason::ByteBudget`] is reported as the deadline if that has passed.
    pub reason: StopReason,
}

impl Stop {
    /// Stops as at a limit, after all matches of the file.
    pub const HERE: Stop = Stop { taken: u64::MAX, reason: StopReason::Limit };

    /// Stops because a reply has room for only `taken` matches of the file.
    pub const fn full(taken: u64) -> Stop {
        Stop { taken, reason: StopReason::ByteBudget }
    }

    /// Stops because there was time for only `taken` matches of the file.
    pub const fn late(taken: u64) -> Stop {
        Stop { taken, reason: StopReason::Deadline }
    }
}
