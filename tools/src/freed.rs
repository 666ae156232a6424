//! Returning the memory of large calls to the system.

use parking_lot::Mutex;
use searchscope::Result;
use std::time::{Duration, Instant};

/// Size from which arguments or replies consist of thousands of small blocks, ten to twenty times
/// as large.
const ARGS_BYTES_MAX: usize = 512 << 10;
const REPLY_BYTES_MAX: usize = 4 << 20;
/// A longer call searched much, and the lists of its threads are free blocks in the heap of each of them.
const LONG: Duration = Duration::from_millis(30);
/// After long calls memory is returned at most once in this time.
const PAUSE: Duration = Duration::from_millis(700);

/// When memory was last returned after a long call.
static RETURNED: Mutex<Option<Instant>> = Mutex::new(None);

/// Makes a call with arguments of `args_len` bytes. After a large or a long one, returns the memory that it
/// freed to the system.
pub(crate) fn returning_memory<T: AsRef<[u8]>>(
    args_len: usize,
    call: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let started = Instant::now();
    let reply = call();
    let reply_len = reply.as_ref().map_or(0, |reply| reply.as_ref().len());
    let is_large = args_len > ARGS_BYTES_MAX || reply_len > REPLY_BYTES_MAX;
    if is_large || started.elapsed() >= LONG && is_due() {
        searchscope_memory::trim();
    }
    reply
}

/// Returns whether memory was not returned lately. The calls that end meanwhile leave it to the next one.
fn is_due() -> bool {
    let mut returned = RETURNED.lock();
    let is_due = returned.is_none_or(|at| at.elapsed() >= PAUSE);
    if is_due {
        *returned = Some(Instant::now());
    }
    is_due
}
