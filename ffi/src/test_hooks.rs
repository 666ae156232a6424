//! What the C tests need and no program may use; declared in tests/c/hooks.h, never in the header.

use crate::boundary::boundary;
use crate::handle::{self, ErrorHandle};
use std::ffi::c_int;

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

/// How many handles live.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn searchscope_test_live_handles() -> usize {
    boundary!(otherwise |_| usize::MAX; { Ok(handle::live()) })
}
