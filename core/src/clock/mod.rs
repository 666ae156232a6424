//! The clock for deadlines: the system's, and in tests one that the test controls.

#[cfg(not(test))]
mod system;
#[cfg(test)]
mod turned;

#[cfg(not(test))]
pub(crate) use system::Clock;
#[cfg(test)]
pub(crate) use turned::{Clock, TurnedClock};
