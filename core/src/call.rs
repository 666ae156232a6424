//! Time and cancellation of one call: an argument of every entry point of the engine.
//!
//! A host creates a [`Call`], the engine passes it by reference, and each run polls the
//! [`Budget`](crate::budget::Budget) that it creates from it. A call has no limits of its own.

use crate::clock::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Cancels the calls that have it, from any thread, and counts the files they have visited.
///
/// Clones share one flag, which is never lowered again, and one count.
///
/// ```
/// let cancel = searchscope::CancelToken::new();
/// let for_another_thread = cancel.clone();
/// for_another_thread.cancel();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    is_cancelled: Arc<AtomicBool>,
    /// The flag of the token from which this one derives: it cancels this one too.
    above: Option<Arc<AtomicBool>>,
    files: Arc<AtomicU64>,
}

impl CancelToken {
    /// Creates a token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Cancels: every call with a clone of this token soon returns `cancelled`.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Relaxed);
    }

    /// Returns whether [`CancelToken::cancel`] was called on this token or a clone of it.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Relaxed)
            || self.above.as_ref().is_some_and(|above| above.load(Relaxed))
    }

    /// Returns the number of files that the calls with this token have visited so far, to show progress. A
    /// call that visits files several times counts them each time.
    pub fn files_looked_at(&self) -> u64 {
        self.files.load(Relaxed)
    }

    /// Counts files that were visited; several at once, because threads share the counter.
    pub(crate) fn count_files(&self, files: u64) {
        self.files.fetch_add(files, Relaxed);
    }
}

/// The deadline, cancellation and progress of a call.
///
/// A search whose time is over returns the results so far; one that is cancelled fails with `cancelled`. The
/// time of a call starts when it is created, so a call that is used for several requests is a deadline for
/// all of them.
///
/// ```
/// use searchscope::{Call, CancelToken, ErrorKind, FileOptions, FindRequest, Workspace};
/// use std::time::Duration;
/// # fn main() -> searchscope::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # let workspace = Workspace::open(dir.path())?;
/// let cancel = CancelToken::new();
/// let call = Call::new().with_timeout(Duration::from_secs(5)).with_cancel(&cancel);
/// let request = FindRequest::new(FileOptions::default(), Some(100), Some(1 << 20));
/// workspace.run_find(&request, &call)?;
/// cancel.cancel();
/// let error = workspace.run_find(&request, &call).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Cancelled);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Call {
    clock: Clock,
    started: Instant,
    deadline: Option<Instant>,
    cancel: CancelToken,
}

impl Default for Call {
    fn default() -> Call {
        let clock = Clock::of_this_thread();
        Call { started: clock.now(), clock, deadline: None, cancel: CancelToken::new() }
    }
}

impl Call {
    /// Creates a call that may take as long as it needs.
    pub fn new() -> Call {
        Call::default()
    }

    /// Ends the call `timeout` after its creation, or at its deadline if that is earlier. A time beyond the
    /// range of the clock means no deadline.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Call {
        self.timed(timeout)
    }

    /// Lets `cancel` end the call, and count its files.
    #[must_use]
    pub fn with_cancel(self, cancel: &CancelToken) -> Call {
        Call { cancel: cancel.clone(), ..self }
    }

    /// Returns the token that ends the call.
    pub fn cancel_token(&self) -> &CancelToken {
        &self.cancel
    }

    /// Returns the remaining time of the call, zero when it is over, and `None` without a deadline.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(self.clock.now()))
    }

    /// Returns whether the call was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns whether the call was cancelled or its deadline has passed.
    pub fn is_over(&self) -> bool {
        self.is_cancelled() || self.deadline_has_passed()
    }

    /// Returns whether the deadline has passed.
    pub fn deadline_has_passed(&self) -> bool {
        self.deadline.is_some_and(|deadline| self.clock.now() >= deadline)
    }

    /// Creates a call that begins now, ends with this one, and `timeout` from now at the latest.
    pub fn within(&self, timeout: Duration) -> Call {
        self.begun_now().timed(timeout)
    }

    /// Returns the same call with an end `timeout` after its beginning, unless it ends earlier.
    pub fn timed(&self, timeout: Duration) -> Call {
        let own = self.started.checked_add(timeout);
        let deadline = [self.deadline, own].into_iter().flatten().min();
        Call { deadline, ..self.clone() }
    }

    /// Creates a call that begins now and ends with this one.
    pub fn begun_now(&self) -> Call {
        Call { started: self.clock.now(), ..self.clone() }
    }

    /// Creates a call for work that its caller may abandon: it ends with this one and counts files for it,
    /// and the returned token ends it alone.
    pub(crate) fn abandonable(&self) -> (Call, CancelToken) {
        let cancel = CancelToken {
            is_cancelled: Arc::default(),
            above: Some(Arc::clone(&self.cancel.is_cancelled)),
            files: Arc::clone(&self.cancel.files),
        };
        (Call { cancel: cancel.clone(), ..self.clone() }, cancel)
    }

    /// Creates a call that ends with this one, and whose files do not count for it.
    pub(crate) fn uncounted(&self) -> Call {
        let cancel = CancelToken { files: Arc::default(), ..self.cancel.clone() };
        Call { cancel, ..self.clone() }
    }

    /// Returns whether [`Call::abandonable`] created the call.
    pub(crate) fn is_abandonable(&self) -> bool {
        self.cancel.above.is_some()
    }

    /// Returns the time since the call began.
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_duration_since(self.started)
    }

    /// Returns the time from the call's beginning to its deadline.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(self.started))
    }

    /// Returns the point in time at which the call ends.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn the_earlier_deadline_ends_a_call() {
        let call = Call::new().with_timeout(LONG);
        assert!(!call.is_over());
        assert!(call.within(2 * LONG).deadline() == call.deadline());
        assert!(call.within(Duration::ZERO).is_over());
        assert!(call.clone().with_timeout(Duration::ZERO).with_timeout(LONG).is_over());
        assert_eq!(call.timeout(), Some(LONG));
    }

    #[test]
    fn a_timeout_beyond_the_clock_is_not_a_deadline() {
        let call = Call::new().with_timeout(Duration::MAX);
        assert_eq!(call.time_left(), None);
        assert!(!call.is_over());
    }

    #[test]
    fn a_separate_job_is_cancelled_with_its_call_or_alone() {
        let call = Call::new();
        let ((alone, own), (with, _)) = (call.abandonable(), call.abandonable());
        alone.cancel_token().count_files(3);
        own.cancel();
        assert_eq!((call.cancel_token().files_looked_at(), call.is_cancelled()), (3, false));
        assert!(alone.is_cancelled() && !with.is_cancelled());
        call.cancel_token().cancel();
        assert!(with.is_cancelled());
        assert!(with.is_abandonable() && !call.is_abandonable());
    }
}
