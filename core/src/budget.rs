//! The poll state of one run, and the reasons for which it stops.
//!
//! Each run creates a [`Budget`] from its [`Call`] and passes it to every operation that could take long. The
//! budget enforces nothing; its polls are cheap enough for every directory entry and every buffer.

use crate::call::Call;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// One in this many cheap polls reads the clock: entries and small files take microseconds.
const POLLS_PER_CLOCK_READ: u32 = 16;

thread_local! {
    /// The number of polls of this thread; a shared counter would cause contention.
    static POLLS: Cell<u32> = const { Cell::new(0) };
}

/// The reason why a search ended before it had covered everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// A limit on matches or files was reached.
    Limit,
    /// The deadline passed.
    Deadline,
    /// The output reached its maximum size in bytes.
    ByteBudget,
}

impl StopReason {
    /// Returns the stable name of the reason, as replies contain it.
    pub const fn code(self) -> &'static str {
        match self {
            StopReason::Limit => "limit",
            StopReason::Deadline => "deadline",
            StopReason::ByteBudget => "byte_budget",
        }
    }
}

/// The error of a poll after a stop; the step returns at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// The call and the engine's own stop flag, shared by the threads of one run.
#[derive(Debug)]
pub(crate) struct Budget {
    call: Call,
    /// Set when the outcome is decided: deadline seen, cancelled, or a limit reached.
    stop: AtomicBool,
    deadline_passed: AtomicBool,
}

impl Budget {
    /// Starts the budget of one run of `call`.
    pub(crate) fn of(call: &Call) -> Budget {
        Budget {
            call: call.clone(),
            stop: AtomicBool::new(false),
            deadline_passed: AtomicBool::new(false),
        }
    }

    /// Polls cheaply, for steps of microseconds: reads the clock only now and then.
    pub(crate) fn poll(&self) -> Result<(), Stopped> {
        if self.stop.load(Relaxed) || self.call.is_cancelled() {
            return Err(Stopped);
        }
        let polls = POLLS.get().wrapping_add(1);
        POLLS.set(polls);
        if polls.is_multiple_of(POLLS_PER_CLOCK_READ) { self.poll_clock() } else { Ok(()) }
    }

    /// Polls and reads the clock, for steps that may take a millisecond.
    pub(crate) fn poll_clock(&self) -> Result<(), Stopped> {
        if self.stop.load(Relaxed) || self.call.is_cancelled() {
            return Err(Stopped);
        }
        if self.call.deadline_has_passed() {
            self.deadline_passed.store(true, Relaxed);
            self.stop.store(true, Relaxed);
            return Err(Stopped);
        }
        Ok(())
    }

    /// Counts files that were visited; several at once, because threads share the counter.
    pub(crate) fn count_files(&self, files: u64) {
        self.call.cancel_token().count_files(files);
    }

    /// Returns a fresh budget of the same call, without a stop.
    pub(crate) fn again(&self) -> Budget {
        Budget::of(&self.call)
    }

    /// Stops all threads of the run: no more work is wanted.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Returns whether the deadline ended the work.
    pub(crate) fn deadline_passed(&self) -> bool {
        self.deadline_passed.load(Relaxed)
    }

    /// Returns whether the call runs on a separate thread, because file systems may never respond.
    pub(crate) fn is_abandonable(&self) -> bool {
        self.call.is_abandonable()
    }

    /// Returns whether the caller cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.call.is_cancelled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::CancelToken;
    use crate::clock::TurnedClock;
    use std::time::Duration;

    fn over() -> Budget {
        Budget::of(&Call::new().with_timeout(Duration::ZERO))
    }

    #[test]
    fn a_passed_deadline_stops_and_is_remembered() {
        let budget = over();
        assert_eq!(budget.poll_clock(), Err(Stopped));
        assert!(budget.deadline_passed() && !budget.is_cancelled());
    }

    #[test]
    fn cheap_polls_see_the_deadline_after_a_few() {
        let budget = over();
        let polls = (0..).take_while(|_| budget.poll().is_ok()).count();
        assert!(polls < POLLS_PER_CLOCK_READ as usize);
    }

    #[test]
    fn a_deadline_passes_at_the_reading_that_reaches_it() {
        let clock = TurnedClock::by(Duration::from_millis(1));
        let in_time = |timeout| Budget::of(&Call::new().with_timeout(timeout));
        let budget = clock.during(|| in_time(Duration::from_millis(5)));
        let n_passed = (0..).take_while(|_| budget.poll_clock().is_ok()).count();
        // The first reading set the deadline.
        assert_eq!((n_passed, clock.readings()), (4, 6));
        assert!(budget.deadline_passed() && budget.again().poll_clock().is_err());
        // This budget uses the ordinary clock; its timeout is longer than any suspension of the thread.
        let other = in_time(Duration::from_secs(600));
        assert_eq!((other.poll_clock(), clock.readings()), (Ok(()), 7));
    }

    #[test]
    fn cancel_is_seen_by_the_cheapest_poll() {
        let cancel = CancelToken::new();
        let budget = Budget::of(&Call::new().with_cancel(&cancel));
        assert_eq!(budget.poll(), Ok(()));
        cancel.cancel();
        assert_eq!(budget.poll(), Err(Stopped));
    }

    #[test]
    fn a_token_counts_the_files_of_all_its_calls() {
        let cancel = CancelToken::new();
        assert_eq!(cancel.files_looked_at(), 0);
        Budget::of(&Call::new().with_cancel(&cancel)).count_files(8);
        Budget::of(&Call::new().with_cancel(&cancel)).count_files(3);
        assert_eq!(cancel.files_looked_at(), 11);
    }
}
