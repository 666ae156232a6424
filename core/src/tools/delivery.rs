//! How results reach the caller: all in one reply, or one after the other.

use super::{Call, Time};
use std::time::Duration;

/// How results are delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// In one reply, which has limits and a deadline also where none are asked for.
    Reply,
    /// One after the other, as far as the caller wants to read: only the limits and the deadline
    /// that are asked for.
    Stream,
}

/// How long a call may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeout(Option<Duration>);

/// contracts.md section 0: no call may ask for more. Scopes are resolved within this where a stream
/// has no deadline.
const TIMEOUT_MAX: Duration = Duration::from_secs(600);

impl Delivery {
    /// How long a call may take whose argument `deadline_ms` is this, given or not.
    pub(super) fn timeout(self, call: &Call<'_>, deadline_ms: u64) -> Timeout {
        let has_deadline = self == Delivery::Reply || call.is_given("deadline_ms");
        Timeout(has_deadline.then(|| Duration::from_millis(deadline_ms)))
    }
}

impl Timeout {
    /// How long a step may take that needs a bound.
    pub(super) fn at_most(self) -> Duration {
        self.0.unwrap_or(TIMEOUT_MAX)
    }

    /// What is left of it.
    pub(super) fn left(self, call: &Call<'_>) -> Option<Duration> {
        self.0.map(|timeout| timeout.saturating_sub(call.started.elapsed()))
    }

    /// The same as a point in time.
    pub(super) fn time(self, call: &Call<'_>) -> Option<Time> {
        self.0.map(|timeout| Time::of(call, timeout))
    }
}
