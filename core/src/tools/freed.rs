//! Returning the memory of large calls to the system.

use crate::error::Result;

/// Size from which arguments or replies consist of thousands of small blocks, ten to twenty times
/// as large.
const ARGS_BYTES_MAX: usize = 512 << 10;
const REPLY_BYTES_MAX: usize = 4 << 20;

/// Makes a call with arguments of `args_len` bytes. After a large one, returns the memory that it
/// freed to the system.
pub(super) fn returning_memory(
    args_len: usize,
    call: impl FnOnce() -> Result<Vec<u8>>,
) -> Result<Vec<u8>> {
    let reply = call();
    let reply_len = reply.as_ref().map_or(0, Vec::len);
    if args_len > ARGS_BYTES_MAX || reply_len > REPLY_BYTES_MAX {
        searchscope_memory::trim();
    }
    reply
}
