//! The border behind which every entry point stands: panics, NULL, UTF-8, out-parameters.
//!
//! The body of an exported function is one `boundary!` and nothing else; a test reads the source
//! for it. All dereferencing of the caller's pointers is in this file.

use crate::each::SEARCHSCOPE_CONTINUE;
use crate::handle::{self, ErrorHandle};
use crate::status::{ErrorObject, Fault, SEARCHSCOPE_OK};
use searchscope::Error;
use std::any::Any;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[cfg(panic = "abort")]
compile_error!("the C ABI turns panics into a status: build it with panic = \"unwind\"");

/// Runs the body of an entry point; a panic and a fault end here.
///
/// `error to OUT; {..}` is for bodies without a value: gives the status, and on a fault an error
/// object through `OUT` unless that is NULL. `otherwise F; {..}` is for bodies with a value: on a
/// fault gives what `F` makes of it.
macro_rules! boundary {
    (error to $out_error:expr; $body:block) => {{
        let body = move || $body;
        // SAFETY: the header asks the caller for NULL or for a place where a pointer can be written.
        unsafe { $crate::boundary::status($out_error, body) }
    }};
    (otherwise $otherwise:expr; $body:block) => {
        $crate::boundary::value($otherwise, move || $body)
    };
}
pub(crate) use boundary;

/// The `error to` form of [`boundary!`].
///
/// # Safety
/// `out_error` is NULL or valid for writing a pointer.
pub(crate) unsafe fn status(
    out_error: *mut *mut ErrorHandle,
    body: impl FnOnce() -> Result<(), Fault>,
) -> c_int {
    let Err(fault) = caught(body) else { return SEARCHSCOPE_OK };
    let status = fault.status();
    if out_error.is_null() {
        return status;
    }
    match caught(|| Ok(handle::give(ErrorObject::from(fault)))) {
        Ok(error) => {
            // SAFETY: not NULL, so valid for writing by the contract of this function.
            unsafe { out_error.write(error) };
            status
        }
        Err(fault) => fault.status(),
    }
}

/// The `otherwise` form of [`boundary!`].
pub(crate) fn value<T>(
    otherwise: impl FnOnce(Fault) -> T,
    body: impl FnOnce() -> Result<T, Fault>,
) -> T {
    caught(body).unwrap_or_else(otherwise)
}

/// A call needs less stack than this, whatever its arguments: parsers that recurse are bounded.
const STACK_NEEDED: usize = 512 * 1024;
/// The stack of a call whose thread has less left.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// Runs a body where there is stack enough, and takes what it may panic with.
///
/// Hosts in Go, with green threads or with threads of 64 KiB call us too, and an overflow would end
/// their process. So a body runs on a stack of its own where the caller's has less left than it may
/// need; on the others this costs a comparison.
fn caught<T>(body: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    let body = || stacker::maybe_grow(STACK_NEEDED, STACK_BYTES, body);
    // What a body shares with later calls is a registry, whose map is whole whenever code that can
    // panic runs, and a workspace, which never changes.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        drop_payload(payload);
        Err(Fault::Panic)
    })
}

/// A payload is any value: dropping it may panic, with a payload that may panic when dropped.
fn drop_payload(mut payload: Box<dyn Any + Send>) {
    // A chain longer than this has no end, and is given up rather than dropped.
    const CHAIN_MAX: usize = 4;
    for _ in 0..CHAIN_MAX {
        match catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            Ok(()) => return,
            Err(next) => payload = next,
        }
    }
    std::mem::forget(payload);
}

/// A place for a result that the caller owns; written once, on success.
#[derive(Debug)]
pub(crate) struct Out<T>(*mut *mut T);

impl<T> Out<T> {
    /// Refuses NULL.
    ///
    /// # Safety
    /// `place` is NULL or valid for writing a pointer until the entry point returns.
    pub(crate) unsafe fn new(place: *mut *mut T, param: &'static str) -> Result<Out<T>, Fault> {
        if place.is_null() { Err(Fault::Null(param)) } else { Ok(Out(place)) }
    }

    /// Takes NULL for "not wanted".
    ///
    /// # Safety
    /// As for `new`.
    pub(crate) unsafe fn if_wanted(place: *mut *mut T) -> Option<Out<T>> {
        (!place.is_null()).then_some(Out(place))
    }

    pub(crate) fn write(self, result: *mut T) {
        // SAFETY: not NULL, so valid for writing by the contract of `new`.
        unsafe { self.0.write(result) };
    }
}

/// What the caller wants called with one result after the other.
#[derive(Debug)]
pub(crate) struct Callback<T> {
    function: unsafe extern "C" fn(user_data: *mut c_void, result: *const T) -> c_int,
    user_data: *mut c_void,
}

impl<T> Callback<T> {
    /// Refuses NULL.
    ///
    /// # Safety
    /// `function` is NULL or a function that takes `user_data` and any result, and that returns, until
    /// the entry point returns.
    pub(crate) unsafe fn new(
        function: Option<unsafe extern "C" fn(*mut c_void, *const T) -> c_int>,
        user_data: *mut c_void,
        param: &'static str,
    ) -> Result<Callback<T>, Fault> {
        let function = function.ok_or(Fault::Null(param))?;
        Ok(Callback { function, user_data })
    }

    /// Hands over a result and asks whether the next one is wanted.
    pub(crate) fn take(&self, result: &T) -> bool {
        // SAFETY: the function and its data are as they should be by the contract of `new`, and the
        // result lives until it has returned.
        unsafe { (self.function)(self.user_data, result) == SEARCHSCOPE_CONTINUE }
    }
}

/// Reads a C string that must be there.
///
/// # Safety
/// `text` is NULL or a NUL-terminated string that does not change for `'a`.
pub(crate) unsafe fn text<'a>(text: *const c_char, param: &'static str) -> Result<&'a str, Fault> {
    if text.is_null() {
        return Err(Fault::Null(param));
    }
    // SAFETY: not NULL, so NUL-terminated and unchanging by the contract of this function.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Fault::Utf8(param))
}

/// Reads pointer and length; NULL with length 0 is the empty text.
///
/// # Safety
/// `bytes` is NULL or valid for reading `len` bytes that do not change for `'a`.
pub(crate) unsafe fn bytes<'a>(
    bytes: *const c_char,
    len: usize,
    param: &'static str,
) -> Result<&'a [u8], Fault> {
    if len == 0 {
        return Ok(&[]);
    }
    if bytes.is_null() {
        return Err(Fault::Null(param));
    }
    if isize::try_from(len).is_err() {
        return Err(Error::invalid_param(param, "no object in memory is this long").into());
    }
    // SAFETY: neither NULL nor longer than a slice may be; the rest is the contract of this function.
    let bytes = unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), len) };
    std::str::from_utf8(bytes).map(str::as_bytes).map_err(|_| Fault::Utf8(param))
}
