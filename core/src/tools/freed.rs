//! Memory that large calls have freed.

use crate::error::Result;

/// Arguments and replies of more bytes are thousands of small blocks, ten to twenty times as large.
const ARGS_BYTES_MAX: usize = 512 << 10;
const REPLY_BYTES_MAX: usize = 4 << 20;

/// Makes a call with arguments of `args_len` bytes; if it is a large one, returns to the system the
/// memory that it has freed.
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
