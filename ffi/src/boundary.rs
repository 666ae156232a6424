//! Checks at the border to C: panics, NULL, UTF-8, out-parameters.
//!
//! The body of an exported function is one `boundary!` and nothing else; a test checks the source for
//! it. All dereferencing of the caller's pointers is in this file.

use crate::each::SEARCHSCOPE_CONTINUE;
use crate::handle::{self, Report, ReportHandle};
use crate::request::{Request, SEARCHSCOPE_NUL_TERMINATED};
use crate::status::{Fault, SEARCHSCOPE_OK, Status};
use searchscope::toolkit::ErrorExt;
use searchscope::{Call, Error, ErrorKind};
use std::any::Any;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[cfg(panic = "abort")]
compile_error!("the C ABI turns panics into a status: build it with panic = \"unwind\"");

/// Runs the body of an entry point; panics and faults do not pass it.
///
/// `report to OUT; {..}` is for bodies that return a reply, or `None` if the function has none: it returns
/// the status, and unless `OUT` is NULL writes a report of the reply or of the fault to it.
/// `otherwise F; {..}` is for all other bodies: on a fault it returns `F(fault)`.
macro_rules! boundary {
    (report to $out_report:expr; $body:block) => {{
        let body = move || $body;
        // SAFETY: the header requires NULL or a place where a pointer can be written.
        unsafe { $crate::boundary::status($out_report, body) }
    }};
    (otherwise $otherwise:expr; $body:block) => {
        $crate::boundary::value($otherwise, move || $body)
    };
}
pub(crate) use boundary;

/// Implements the `report to` form of [`boundary!`].
///
/// # Safety
/// `out_report` is NULL or valid for writing a pointer.
pub(crate) unsafe fn status(
    out_report: *mut *mut ReportHandle,
    body: impl FnOnce() -> Result<Option<Vec<u8>>, Fault>,
) -> Status {
    let (status, report) = match caught(body) {
        Ok(None) => return SEARCHSCOPE_OK,
        Ok(Some(_)) if out_report.is_null() => return SEARCHSCOPE_OK,
        Ok(Some(reply)) => (SEARCHSCOPE_OK, caught(|| Ok(handle::give(Report::of_reply(reply))))),
        Err(fault) if out_report.is_null() => return fault.status(),
        Err(fault) => (fault.status(), caught(|| Ok(handle::give(Report::of_fault(&fault))))),
    };
    match report {
        Ok(report) => {
            // SAFETY: not NULL, so valid for writing by the contract of this function.
            unsafe { out_report.write(report) };
            status
        }
        Err(fault) => fault.status(),
    }
}

/// Implements the `otherwise` form of [`boundary!`].
pub(crate) fn value<T>(
    otherwise: impl FnOnce(Fault) -> T,
    body: impl FnOnce() -> Result<T, Fault>,
) -> T {
    caught(body).unwrap_or_else(otherwise)
}

/// Upper bound of the stack that a call uses, for any arguments: recursive parsers limit their depth.
const STACK_NEEDED: usize = 512 * 1024;
/// Size of the stack for a call whose thread has less than [`STACK_NEEDED`] left.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// Runs a body with enough stack and turns its panic into a fault.
///
/// Hosts may be written in Go, use green threads, or have threads with 64 KiB of stack, and an overflow
/// would kill their process. The body therefore runs on a stack of its own if the caller's has too
/// little left; otherwise this costs one comparison.
fn caught<T>(body: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    let body = || stacker::maybe_grow(STACK_NEEDED, STACK_BYTES, body);
    // Unwind safety: a body shares only two kinds of state with later calls. The map of a registry is
    // consistent whenever code that can panic runs, and a workspace is immutable.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        drop_payload(payload);
        Err(Fault::Panic)
    })
}

/// Drops a panic payload, which can be any value: its drop may panic with a payload that again panics
/// when dropped.
fn drop_payload(mut payload: Box<dyn Any + Send>) {
    // A longer chain is assumed to be endless: its last payload is leaked.
    const CHAIN_MAX: usize = 4;
    for _ in 0..CHAIN_MAX {
        match catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            Ok(()) => return,
            Err(next) => payload = next,
        }
    }
    std::mem::forget(payload);
}

/// The place for a workspace; written once, on success. It is checked before the work, so that a call with
/// NULL fails at once.
#[derive(Debug)]
pub(crate) struct Out<T>(*mut *mut T);

impl<T> Out<T> {
    /// Wraps an out-parameter that must not be NULL.
    ///
    /// # Safety
    /// `place` is NULL or valid for writing a pointer until the entry point returns.
    pub(crate) unsafe fn new(place: *mut *mut T, param: &'static str) -> Result<Out<T>, Fault> {
        if place.is_null() { Err(Fault::Null(param)) } else { Ok(Out(place)) }
    }

    pub(crate) fn write(self, result: *mut T) {
        // SAFETY: not NULL, so valid for writing by the contract of `new`.
        unsafe { self.0.write(result) };
    }
}

/// The caller's function for streamed results, with its `user_data`.
#[derive(Debug)]
pub(crate) struct Callback<T> {
    function: unsafe extern "C" fn(user_data: *mut c_void, result: *const T) -> c_int,
    user_data: *mut c_void,
}

impl<T> Callback<T> {
    /// Wraps a function that must not be NULL.
    ///
    /// # Safety
    /// Until the entry point returns, `function` is NULL or may be called with `user_data` and any
    /// result; it returns normally.
    pub(crate) unsafe fn new(
        function: Option<unsafe extern "C" fn(*mut c_void, *const T) -> c_int>,
        user_data: *mut c_void,
        param: &'static str,
    ) -> Result<Callback<T>, Fault> {
        let function = function.ok_or(Fault::Null(param))?;
        Ok(Callback { function, user_data })
    }

    /// Delivers a result; returns whether the search continues.
    pub(crate) fn take(&self, result: &T) -> ControlFlow<()> {
        // SAFETY: the function may be called by the contract of `new`, and the result outlives the call.
        match unsafe { (self.function)(self.user_data, result) } {
            SEARCHSCOPE_CONTINUE => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }
}

/// Reads a C string that must not be NULL.
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

/// The arguments of a call, and its cancel token or none.
#[derive(Debug)]
pub(crate) struct Arguments<'a> {
    pub(crate) args: &'a [u8],
    pub(crate) call: Call,
}

/// Reads a request that must not be NULL.
///
/// # Safety
/// `request` is NULL, or its `struct_size` can be read and is the number of its bytes that can; `args` is as
/// `args_len` says, and none of it changes for `'a`.
pub(crate) unsafe fn request<'a>(request: *const Request) -> Result<Arguments<'a>, Fault> {
    if request.is_null() {
        return Err(Fault::Null("request"));
    }
    // SAFETY: not NULL, so the size can be read by the contract of this function.
    let size = unsafe { (&raw const (*request).struct_size).read() };
    // A field that a later version adds is read only if the size covers it.
    if size < size_of::<Request>() {
        return Err(invalid("request", "struct_size is too small"));
    }
    if size > size_of::<Request>() {
        let message = "request is of a later version: struct_size exceeds that of this library";
        return Err(Error::new(ErrorKind::Unsupported, message).into());
    }
    // SAFETY: the size covers every field.
    let request = unsafe { request.read() };
    let args = if request.args_len == SEARCHSCOPE_NUL_TERMINATED {
        // SAFETY: with this length `args` is a NUL-terminated string by the contract of this function.
        unsafe { text(request.args, "args") }?.as_bytes()
    } else {
        // SAFETY: `args` has as many bytes by the contract of this function.
        unsafe { bytes(request.args, request.args_len, "args") }?
    };
    Ok(Arguments { args, call: handle::call(request.cancel)? })
}

/// Returns the fault for an argument that `message` does not name.
fn invalid(param: &str, message: &str) -> Fault {
    Error::new(ErrorKind::InvalidParam, message).with_param(param).into()
}

/// Reads a text of `len` bytes; NULL with length 0 is the empty text.
///
/// # Safety
/// `bytes` is NULL or valid for reading `len` bytes that do not change for `'a`.
unsafe fn bytes<'a>(
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
        return Err(invalid(param, "the length exceeds the largest possible object"));
    }
    // SAFETY: not NULL and not longer than a slice can be; the rest is the contract of this function.
    let bytes = unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), len) };
    std::str::from_utf8(bytes).map(str::as_bytes).map_err(|_| Fault::Utf8(param))
}
