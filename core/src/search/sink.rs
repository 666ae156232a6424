//! The consumer of a search's results, and its decision to continue or stop.

use super::FileMatches;
use crate::StopReason;

/// The decision of a consumer whether a search or find continues after a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a search continues or it does not")]
pub enum Flow {
    /// Continues with the next file.
    Continue,
    /// Ends the search here.
    Stop {
        /// The number of matches of the file that the consumer took, at most all of them. The cursor points
        /// to the next one.
        taken: u64,
        /// The reason to report. [`StopReason::ByteBudget`] is reported as the deadline if that has passed.
        reason: StopReason,
    },
}

impl Flow {
    /// Stops as at a limit, after all matches of the file.
    pub const STOP: Flow = Flow::Stop { taken: u64::MAX, reason: StopReason::Limit };

    /// Stops because a reply has room for only `taken` matches of the file.
    pub const fn full(taken: u64) -> Flow {
        Flow::Stop { taken, reason: StopReason::ByteBudget }
    }

    /// Stops because there was time for only `taken` matches of the file.
    pub const fn late(taken: u64) -> Flow {
        Flow::Stop { taken, reason: StopReason::Deadline }
    }
}

/// Takes the results of a search, file by file, in the final order, on the calling thread.
pub trait Sink {
    /// Takes the matches of one file. Returns whether the search continues.
    fn file(&mut self, file: FileMatches) -> Flow;
}

impl<F: FnMut(FileMatches) -> bool> Sink for F {
    fn file(&mut self, file: FileMatches) -> Flow {
        if self(file) { Flow::Continue } else { Flow::STOP }
    }
}
