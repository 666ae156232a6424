//! The calls that hold a libuv thread now, of every JavaScript thread of the process.
//!
//! They are counted here because libuv's pool belongs to the whole process, and listed here
//! because Node waits for them when it exits: whoever ends must be able to cancel them.

use searchscope::CancelToken;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

static CALLS: Mutex<Vec<Call>> = Mutex::new(Vec::new());
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

struct Call {
    id: u64,
    thread: u32,
    token: CancelToken,
}

/// Keeps a call in the list until it is dropped.
#[derive(Debug)]
pub(crate) struct InFlight {
    id: u64,
}

impl InFlight {
    /// Lists a call, or gives nothing when `calls_max` are listed already.
    pub(crate) fn enter(thread: u32, token: &CancelToken, calls_max: u32) -> Option<InFlight> {
        let mut calls = calls();
        if calls.len() >= calls_max as usize {
            return None;
        }
        let id = NEXT_ID.fetch_add(1, Relaxed);
        calls.push(Call { id, thread, token: token.clone() });
        Some(InFlight { id })
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        calls().retain(|call| call.id != self.id);
    }
}

/// Cancels the calls of one JavaScript thread, or of all.
pub(crate) fn cancel(thread: Option<u32>) {
    for call in calls().iter().filter(|call| thread.is_none_or(|thread| thread == call.thread)) {
        call.token.cancel();
    }
}

/// Cancels the thread's calls when the returned pipe end is closed.
///
/// A terminated worker runs no JavaScript any more, and Node calls its clean-up hooks only after
/// the running calls have ended. The first thing it does is to close the worker's handles.
#[cfg(unix)]
pub(crate) fn cancel_when_closed(thread: u32) -> Option<i32> {
    use std::os::fd::IntoRawFd;

    let (mut reader, writer) = std::io::pipe().ok()?;
    let wait = move || {
        // Nobody writes: this returns at the end of the pipe, and any failure means the same.
        let _ = std::io::copy(&mut reader, &mut std::io::sink());
        cancel(Some(thread));
    };
    std::thread::Builder::new().name("searchscope-exit".to_string()).spawn(wait).ok()?;
    Some(writer.into_raw_fd())
}

/// Here a terminated worker waits for its running call.
#[cfg(not(unix))]
pub(crate) fn cancel_when_closed(_thread: u32) -> Option<i32> {
    None
}

fn calls() -> MutexGuard<'static, Vec<Call>> {
    // No step above leaves the list half changed, so a panic in one poisons nothing.
    CALLS.lock().unwrap_or_else(PoisonError::into_inner)
}
