//! The request of a call: a struct that the caller fills.
//!
//! It is a struct and not a handle, because a handle would need a function for each field, and a caller
//! would have to check and free it. The struct grows at its end only; `struct_size` says how much of it the
//! caller has.

use crate::handle::CancelHandle;
use std::ffi::c_char;

/// The `args_len` of arguments that end in NUL. The header has it from ffi/macros.h.
pub(crate) const SEARCHSCOPE_NUL_TERMINATED: usize = usize::MAX;

/// The arguments of a call. `SEARCHSCOPE_REQUEST` initializes it; it is borrowed until the function
/// returns, and may be used again.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The size of this struct in the program that fills it.
    pub struct_size: usize,
    /// One JSON object with the arguments of the tool.
    pub args: *const c_char,
    /// The number of bytes of `args`, or `SEARCHSCOPE_NUL_TERMINATED`.
    pub args_len: usize,
    /// A token that ends the call, or NULL. The token is the caller's.
    pub cancel: *const CancelHandle,
}
