//! A clock for tests: each reading advances it by a fixed step.
//!
//! Time then depends on the engine's work and not on the speed of the machine. A test chooses at which
//! reading a deadline passes, and counts how often a long step reads the clock.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

thread_local! {
    static CURRENT: RefCell<Option<Arc<TurnedClock>>> = const { RefCell::new(None) };
}

#[derive(Clone, Debug)]
pub(crate) struct Clock(Option<Arc<TurnedClock>>);

impl Clock {
    /// Returns the clock with which [`TurnedClock::during`] runs this thread, else the system's.
    pub(crate) fn of_this_thread() -> Clock {
        Clock(CURRENT.with_borrow(Clone::clone))
    }

    pub(crate) fn now(&self) -> Instant {
        self.0.as_ref().map_or_else(Instant::now, |turned| turned.read())
    }
}

/// A clock that advances only when a thread reads it.
#[derive(Debug)]
pub struct TurnedClock {
    start: Instant,
    step: Duration,
    readings: AtomicU32,
}

impl TurnedClock {
    /// Creates a clock that each reading advances by `step`.
    pub fn by(step: Duration) -> Arc<TurnedClock> {
        Arc::new(TurnedClock { start: Instant::now(), step, readings: AtomicU32::new(0) })
    }

    /// Runs `calls`; all of their budgets read this clock.
    pub fn during<T>(self: &Arc<Self>, calls: impl FnOnce() -> T) -> T {
        struct Restore(Option<Arc<TurnedClock>>);
        impl Drop for Restore {
            fn drop(&mut self) {
                CURRENT.set(self.0.take());
            }
        }
        let _restore = Restore(CURRENT.replace(Some(Arc::clone(self))));
        calls()
    }

    /// Returns how often the clock was read.
    pub fn readings(&self) -> u32 {
        self.readings.load(Relaxed)
    }

    fn read(&self) -> Instant {
        self.start + self.step * self.readings.fetch_add(1, Relaxed)
    }
}
