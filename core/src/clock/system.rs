//! The clock outside tests: the system's.

use std::time::Instant;

#[derive(Clone, Debug)]
pub(crate) struct Clock;

impl Clock {
    pub(crate) fn of_this_thread() -> Clock {
        Clock
    }

    pub(crate) fn now(&self) -> Instant {
        Instant::now()
    }
}
