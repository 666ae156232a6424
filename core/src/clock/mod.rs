//! The clock for deadlines: the system's, and in tests one that the test controls.

#[cfg(not(any(test, feature = "testing")))]
mod system;
#[cfg_attr(
    not(feature = "testing"),
    expect(unreachable_pub, reason = "the tests of the tools use it too")
)]
#[cfg(any(test, feature = "testing"))]
mod turned;

#[cfg(not(any(test, feature = "testing")))]
pub(crate) use system::Clock;
#[cfg(any(test, feature = "testing"))]
pub(crate) use turned::Clock;
#[cfg(all(test, not(feature = "testing")))]
pub(crate) use turned::TurnedClock;
#[cfg(feature = "testing")]
pub use turned::TurnedClock;
