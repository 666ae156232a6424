//! The work that goes on now, of every JavaScript thread of the process: calls, which hold a libuv
//! thread, and streams, which have threads of their own.
//!
//! It is counted here because libuv's pool belongs to the whole process, and listed here because
//! Node waits for its pool when it exits: whoever ends must be able to end the work.

use crate::buffer::Buffer;
use napi::Env;
use napi_derive::napi;
use searchscope::CancelToken;
use std::mem::discriminant;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

static WORK: Mutex<Vec<Listed>> = Mutex::new(Vec::new());
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

struct Listed {
    id: u64,
    thread: u32,
    work: Work,
}

/// What can be ended.
#[derive(Debug)]
pub(crate) enum Work {
    Call(CancelToken),
    Stream(Arc<Buffer>),
}

/// Keeps a piece of work in the list until it is dropped.
#[derive(Debug)]
pub(crate) struct InFlight {
    id: u64,
}

impl InFlight {
    /// Lists work of a JavaScript thread, or gives nothing when `max` of its kind are listed already.
    pub(crate) fn enter(thread: u32, work: Work, max: u32) -> Option<InFlight> {
        let mut listed = listed();
        let kind = discriminant(&work);
        let same_kind = listed.iter().filter(|other| discriminant(&other.work) == kind);
        if same_kind.count() >= max as usize {
            return None;
        }
        let id = NEXT_ID.fetch_add(1, Relaxed);
        listed.push(Listed { id, thread, work });
        Some(InFlight { id })
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        listed().retain(|other| other.id != self.id);
    }
}

/// Cancels the work of one JavaScript thread, or of all.
pub(crate) fn cancel(thread: Option<u32>) {
    for one in listed().iter().filter(|one| thread.is_none_or(|thread| thread == one.thread)) {
        match &one.work {
            Work::Call(token) => token.cancel(),
            Work::Stream(buffer) => buffer.cancel(),
        }
    }
}

/// The end of a socket that JavaScript is to hold, as a descriptor.
///
/// A worker may be terminated at any moment, also between the two steps in which JavaScript takes
/// the descriptor and reports that. So whoever ends last decides by what is true then: the clean-up
/// hook closes the descriptor unless JavaScript owns it, or has closed it already.
#[napi]
#[derive(Debug)]
pub struct ExitSocket {
    fd: i32,
    is_owned: Arc<AtomicBool>,
}

#[napi]
impl ExitSocket {
    /// The descriptor.
    #[napi(getter)]
    pub fn fd(&self) -> i32 {
        self.fd
    }

    /// Reports that a handle of JavaScript owns the descriptor and will close it.
    #[napi]
    pub fn own(&self) {
        self.is_owned.store(true, Relaxed);
    }
}

/// Cancels the thread's work when the returned end of a socket is closed, or its environment ends.
///
/// A terminated worker runs no JavaScript any more, and Node calls its clean-up hooks only after
/// the running calls have ended. The first thing it does is to close the worker's handles. But it may
/// be terminated before there is a handle, and then the hook is what ends the waiting thread.
#[cfg(unix)]
pub(crate) fn cancel_when_closed(env: &Env, thread: u32) -> Option<ExitSocket> {
    use std::io::Read;
    use std::net::Shutdown;
    use std::os::fd::{AsRawFd, IntoRawFd};
    use std::os::unix::net::UnixStream;

    let (ours, theirs) = UnixStream::pair().ok()?;
    let mut reader = ours.try_clone().ok()?;
    let wait = move || {
        // Nobody writes: this returns at the end, and any failure means the same.
        let _ = reader.read(&mut [0]);
        cancel(Some(thread));
    };
    std::thread::Builder::new().name("searchscope-exit".to_string()).spawn(wait).ok()?;
    let is_owned = Arc::new(AtomicBool::new(false));
    let socket = ExitSocket { fd: theirs.as_raw_fd(), is_owned: Arc::clone(&is_owned) };
    let end = move |(ours, theirs): (UnixStream, UnixStream)| {
        // Where JavaScript has closed its handle, the number may be another file's by now.
        if is_owned.load(Relaxed) || is_closed(&ours) {
            let _ = theirs.into_raw_fd();
        }
        // It fails when the other end is closed, and then the thread knows already.
        let _ = ours.shutdown(Shutdown::Both);
    };
    env.add_env_cleanup_hook((ours, theirs), end).ok()?;
    Some(socket)
}

/// Whether the other end of a socket that nobody writes to is closed.
#[cfg(unix)]
fn is_closed(socket: &std::os::unix::net::UnixStream) -> bool {
    use std::io::{ErrorKind, Read};
    let mut socket = socket;
    let read = socket.set_nonblocking(true).and_then(|()| socket.read(&mut [0]));
    !matches!(read, Err(error) if error.kind() == ErrorKind::WouldBlock)
}

/// Here a terminated worker waits for its running call.
#[cfg(not(unix))]
pub(crate) fn cancel_when_closed(_env: &Env, _thread: u32) -> Option<ExitSocket> {
    None
}

fn listed() -> MutexGuard<'static, Vec<Listed>> {
    // No step above leaves the list half changed, so a panic in one poisons nothing.
    WORK.lock().unwrap_or_else(PoisonError::into_inner)
}
