//! Returning the memory of large calls to the system.

use crate::error::Result;

/// Size from which arguments or replies consist of thousands of small blocks, ten to twenty times
/// as large.
const ARGS_BYTES_MAX: usize = 512 << 10;
const REPLY_BYTES_MAX: usize = 4 << 20;

/// Makes a call with arguments of `args_len` bytes. After a large one, returns the memory that it
/// freed to the system.
pub(super) fn returning_memory<T: AsRef<[u8]>>(
    args_len: usize,
    call: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let reply = call();
    let reply_len = reply.as_ref().map_or(0, |reply| reply.as_ref().len());
    if args_len > ARGS_BYTES_MAX || reply_len > REPLY_BYTES_MAX {
        searchscope_memory::trim();
    }
    reply
}
