//! Deadline, cancel flag and stop reason: what every long step polls.
//!
//! A [`Budget`] goes through every operation that could take long. It decides nothing; it only
//! answers "go on?" cheaply enough to be asked for every directory entry and every buffer.

use crate::clock::Clock;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The clock is read once for this many cheap polls: entries and small files take microseconds.
const POLLS_PER_CLOCK_READ: u32 = 16;

thread_local! {
    /// How often this thread polled, so that threads do not fight for one counter.
    static POLLS: Cell<u32> = const { Cell::new(0) };
}

/// Cancels the calls it was given to, from any thread, and tells how far they have come.
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
    /// The flag of the token that this one belongs to: it cancels this one too.
    above: Option<Arc<AtomicBool>>,
    files: Arc<AtomicU64>,
}

impl CancelToken {
    /// Makes a token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Cancels: every call with a clone of this token returns `cancelled` soon.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Relaxed);
    }

    /// Whether [`CancelToken::cancel`] was called on this token or a clone of it.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Relaxed)
            || self.above.as_ref().is_some_and(|above| above.load(Relaxed))
    }

    /// The token of a call that runs apart from its caller: it counts for this one and is cancelled
    /// with it, but may also be cancelled alone.
    pub(crate) fn for_work_apart(&self) -> CancelToken {
        CancelToken {
            is_cancelled: Arc::default(),
            above: Some(Arc::clone(&self.is_cancelled)),
            files: Arc::clone(&self.files),
        }
    }

    /// How many files the calls with this token have looked at so far, for showing progress. A call
    /// that goes over files several times counts them each time.
    pub fn files_looked_at(&self) -> u64 {
        self.files.load(Relaxed)
    }
}

/// Why a search ended before it had looked at everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// It did not: everything in scope was looked at.
    None,
    /// A limit on matches or files was reached.
    Limit,
    /// The deadline passed.
    Deadline,
    /// The output reached its maximum size in bytes.
    ByteBudget,
}

impl StopReason {
    /// The stable text of the reason, as replies give it.
    pub const fn code(self) -> &'static str {
        match self {
            StopReason::None => "none",
            StopReason::Limit => "limit",
            StopReason::Deadline => "deadline",
            StopReason::ByteBudget => "byte_budget",
        }
    }
}

/// The answer of a poll that says stop; what the step should do is always the same: return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Deadline, cancel flag and the engine's own stop flag, shared by the threads of one call.
#[derive(Debug)]
pub(crate) struct Budget {
    clock: Clock,
    deadline: Option<Instant>,
    cancel: CancelToken,
    /// Set when the outcome is decided: deadline seen, cancelled, or a limit reached.
    stop: AtomicBool,
    deadline_passed: AtomicBool,
}

impl Budget {
    /// Starts a budget that ends `timeout` from now, or never when that is absent or beyond the clock.
    pub(crate) fn new(timeout: Option<Duration>, cancel: &CancelToken) -> Budget {
        let clock = Clock::of_this_thread();
        Budget {
            deadline: timeout.and_then(|timeout| clock.now().checked_add(timeout)),
            clock,
            cancel: cancel.clone(),
            stop: AtomicBool::new(false),
            deadline_passed: AtomicBool::new(false),
        }
    }

    /// Asks cheaply, for steps of microseconds: reads the clock only now and then.
    pub(crate) fn poll(&self) -> Result<(), Stopped> {
        if self.stop.load(Relaxed) || self.cancel.is_cancelled() {
            return Err(Stopped);
        }
        let polls = POLLS.get().wrapping_add(1);
        POLLS.set(polls);
        if polls.is_multiple_of(POLLS_PER_CLOCK_READ) { self.poll_clock() } else { Ok(()) }
    }

    /// Asks with a look at the clock, for steps that may take a millisecond.
    pub(crate) fn poll_clock(&self) -> Result<(), Stopped> {
        if self.stop.load(Relaxed) || self.cancel.is_cancelled() {
            return Err(Stopped);
        }
        if self.deadline.is_some_and(|deadline| self.clock.now() >= deadline) {
            self.deadline_passed.store(true, Relaxed);
            self.stop.store(true, Relaxed);
            return Err(Stopped);
        }
        Ok(())
    }

    /// Counts files that were looked at; several at once, because threads share the count.
    pub(crate) fn count_files(&self, files: u64) {
        self.cancel.files.fetch_add(files, Relaxed);
    }

    /// A budget with the same deadline and token, which nothing has stopped yet.
    pub(crate) fn again(&self) -> Budget {
        Budget {
            clock: self.clock.clone(),
            deadline: self.deadline,
            cancel: self.cancel.clone(),
            stop: AtomicBool::new(false),
            deadline_passed: AtomicBool::new(false),
        }
    }

    /// Tells every thread of the call that no more work is wanted.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the deadline is what ended the work.
    pub(crate) fn deadline_passed(&self) -> bool {
        self.deadline_passed.load(Relaxed)
    }

    /// Whether the call runs apart from its caller, because file systems may never answer.
    pub(crate) fn is_apart(&self) -> bool {
        self.cancel.above.is_some()
    }

    /// Whether the caller cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TurnedClock;

    #[test]
    fn a_passed_deadline_stops_and_is_remembered() {
        let budget = Budget::new(Some(Duration::ZERO), &CancelToken::new());
        assert_eq!(budget.poll_clock(), Err(Stopped));
        assert!(budget.deadline_passed() && !budget.is_cancelled());
    }

    #[test]
    fn cheap_polls_see_the_deadline_after_a_few() {
        let budget = Budget::new(Some(Duration::ZERO), &CancelToken::new());
        let polls = (0..).take_while(|_| budget.poll().is_ok()).count();
        assert!(polls < POLLS_PER_CLOCK_READ as usize);
    }

    #[test]
    fn a_deadline_passes_at_the_reading_that_reaches_it() {
        let clock = TurnedClock::by(Duration::from_millis(1));
        let timeout = Some(Duration::from_millis(5));
        let budget = clock.during(|| Budget::new(timeout, &CancelToken::new()));
        let n_passed = (0..).take_while(|_| budget.poll_clock().is_ok()).count();
        // The first reading made the deadline.
        assert_eq!((n_passed, clock.readings()), (4, 6));
        assert!(budget.deadline_passed() && budget.again().poll_clock().is_err());
        let other = Budget::new(timeout, &CancelToken::new());
        assert_eq!((other.poll_clock(), clock.readings()), (Ok(()), 7));
    }

    #[test]
    fn a_timeout_beyond_the_clock_is_no_deadline() {
        let budget = Budget::new(Some(Duration::MAX), &CancelToken::new());
        assert_eq!(budget.poll_clock(), Ok(()));
    }

    #[test]
    fn cancel_is_seen_by_the_cheapest_poll() {
        let cancel = CancelToken::new();
        let budget = Budget::new(None, &cancel);
        assert_eq!(budget.poll(), Ok(()));
        cancel.cancel();
        assert_eq!(budget.poll(), Err(Stopped));
    }

    #[test]
    fn the_token_of_work_apart_is_cancelled_with_its_own_or_alone() {
        let cancel = CancelToken::new();
        let [alone, with] = [cancel.for_work_apart(), cancel.for_work_apart()];
        Budget::new(None, &alone).count_files(3);
        alone.cancel();
        assert_eq!((cancel.files_looked_at(), cancel.is_cancelled()), (3, false));
        assert!(alone.is_cancelled() && !with.is_cancelled());
        cancel.cancel();
        assert!(with.is_cancelled() && Budget::new(None, &with).poll().is_err());
        let [apart, not] = [&with, &cancel].map(|token| Budget::new(None, token).is_apart());
        assert!(apart && !not);
    }

    #[test]
    fn a_token_counts_the_files_of_all_its_calls() {
        let cancel = CancelToken::new();
        assert_eq!(cancel.files_looked_at(), 0);
        Budget::new(None, &cancel).count_files(8);
        Budget::new(None, &cancel).count_files(3);
        assert_eq!(cancel.files_looked_at(), 11);
    }
}
