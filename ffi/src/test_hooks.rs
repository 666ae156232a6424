//! What the C tests need and no program may use; declared in tests/c/hooks.h, never in the header.

use crate::boundary::boundary;
use crate::handle::{self, ErrorHandle};
use crate::status::{Fault, SEARCHSCOPE_OK};
use searchscope::{Error, ErrorKind};
use std::cell::Cell;
use std::ffi::c_int;

thread_local! {
    /// After how many more results of streams the thread panics; negative for never.
    static RESULTS_LEFT: Cell<c_int> = const { Cell::new(-1) };
}

/// Where the tests let a stream fail: inside the engine, between two results.
pub(crate) fn before_result() {
    let left = RESULTS_LEFT.get();
    RESULTS_LEFT.set(left.saturating_sub(1).max(-1));
    assert!(left != 0, "asked for");
}

/// A payload that panics once more when it is dropped.
struct Worse;

impl Drop for Worse {
    fn drop(&mut self) {
        panic!("the payload panics, too");
    }
}

/// Panics inside the boundary: with text, or (`worse` not 0) with a payload that panics when dropped.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn searchscope_test_panic(
    worse: c_int,
    out_error: *mut *mut ErrorHandle,
) -> c_int {
    boundary!(error to out_error; {
        if worse != 0 {
            std::panic::panic_any(Worse);
        }
        panic!("asked for");
    })
}

/// Lets a streamed call of this thread panic when `n_results` were handed over; only once.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn searchscope_test_panic_after(n_results: c_int) -> c_int {
    boundary!(otherwise |fault| fault.status(); {
        RESULTS_LEFT.set(n_results);
        Ok(SEARCHSCOPE_OK)
    })
}

/// Fails as the engine does with the error kind of this number; `internal` for a number that has none.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn searchscope_test_fail(
    number: c_int,
    out_error: *mut *mut ErrorHandle,
) -> c_int {
    boundary!(error to out_error; {
        let kind = ErrorKind::ALL.iter().find(|kind| kind.number() == number);
        Err(Fault::from(Error::new(*kind.unwrap_or(&ErrorKind::Internal), "asked for")))
    })
}

/// How many handles live.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn searchscope_test_live_handles() -> usize {
    boundary!(otherwise |_| usize::MAX; { Ok(handle::live()) })
}
