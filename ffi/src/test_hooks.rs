//! Functions for the C tests alone; declared in tests/c/hooks.h, never in the public header.

use crate::boundary::boundary;
use crate::handle::{self, ReportHandle};
use crate::status::{Fault, SEARCHSCOPE_OK, Status};
use searchscope::{Error, ErrorKind};
use std::cell::Cell;
use std::ffi::c_int;

thread_local! {
    /// The number of streamed results until this thread panics; negative for never.
    static RESULTS_LEFT: Cell<c_int> = const { Cell::new(-1) };
}

/// Panics if the tests requested it for this result: inside the engine, between two results.
pub(crate) fn before_result() {
    let left = RESULTS_LEFT.get();
    RESULTS_LEFT.set(left.saturating_sub(1).max(-1));
    assert!(left != 0, "requested");
}

/// A panic payload that panics again when it is dropped.
struct Worse;

impl Drop for Worse {
    fn drop(&mut self) {
        panic!("the payload panics, too");
    }
}

/// Panics inside the boundary: with a text, or if `worse` is not 0 with a payload that panics when
/// dropped.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn searchscope_test_panic(
    worse: c_int,
    out_report: *mut *mut ReportHandle,
) -> Status {
    boundary!(report to out_report; {
        if worse != 0 {
            std::panic::panic_any(Worse);
        }
        panic!("requested");
    })
}

/// Makes a streamed call of this thread panic after `n_results` results; only once.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn searchscope_test_panic_after(n_results: c_int) -> Status {
    boundary!(otherwise |fault| fault.status(); {
        RESULTS_LEFT.set(n_results);
        Ok(SEARCHSCOPE_OK)
    })
}

/// Fails with the engine's error kind of this number; `internal` for an unknown number.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn searchscope_test_fail(
    number: c_int,
    out_report: *mut *mut ReportHandle,
) -> Status {
    boundary!(report to out_report; {
        let kind = ErrorKind::ALL.iter().find(|kind| kind.number() == number);
        Err(Fault::from(Error::new(*kind.unwrap_or(&ErrorKind::Internal), "requested")))
    })
}

/// Returns the number of live handles.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn searchscope_test_live_handles() -> usize {
    boundary!(otherwise |_| usize::MAX; { Ok(handle::live()) })
}
