//! The clock that deadlines are compared with: the system's, and in tests one that the test turns.

#[cfg(not(test))]
mod system;
#[cfg(test)]
mod turned;

#[cfg(not(test))]
pub(crate) use system::Clock;
#[cfg(test)]
pub(crate) use turned::{Clock, TurnedClock};
