//! The calls and streams in flight, of all JavaScript threads of the process. A call occupies a libuv
//! thread, a stream has a thread of its own.
//!
//! They are counted because libuv's pool belongs to the whole process, and listed because Node waits for
//! its pool when it exits: a thread that ends must be able to cancel its calls and streams.

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

/// A call or stream that can be cancelled.
#[derive(Debug)]
pub(crate) enum Work {
    Call(CancelToken),
    Stream(Arc<Buffer>),
}

/// Guard that keeps a call or stream in the list until it is dropped.
#[derive(Debug)]
pub(crate) struct InFlight {
    id: u64,
}

impl InFlight {
    /// Lists work of a JavaScript thread; returns `None` if `max` of its kind are listed already.
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

/// Cancels the calls and streams of one JavaScript thread, or of all threads.
pub(crate) fn cancel(thread: Option<u32>) {
    for one in listed().iter().filter(|one| thread.is_none_or(|thread| thread == one.thread)) {
        match &one.work {
            Work::Call(token) => token.cancel(),
            Work::Stream(buffer) => buffer.cancel(),
        }
    }
}

/// JavaScript's end of a socket pair, as a descriptor.
///
/// A worker may be terminated at any moment, even between the two steps in which JavaScript wraps the
/// descriptor and reports that. The clean-up hook, which runs last, therefore decides by the state at
/// that time: it closes the descriptor unless JavaScript owns it or has closed it already.
#[napi]
#[derive(Debug)]
pub struct ExitSocket {
    fd: i32,
    is_owned: Arc<AtomicBool>,
}

#[napi]
impl ExitSocket {
    /// Returns the descriptor.
    #[napi(getter)]
    pub fn fd(&self) -> i32 {
        self.fd
    }

    /// Records that a JavaScript handle owns the descriptor and will close it.
    #[napi]
    pub fn own(&self) {
        self.is_owned.store(true, Relaxed);
    }
}

/// Cancels the thread's calls and streams when the returned end of a socket is closed, or when its
/// environment ends.
///
/// A terminated worker runs no more JavaScript, and Node calls clean-up hooks only after the running
/// calls have ended: a hook alone would come too late to cancel them. But Node first closes the worker's
/// handles, and with them this socket. If the worker is terminated before the handle exists, the hook
/// ends the waiting thread.
#[cfg(unix)]
pub(crate) fn cancel_when_closed(env: &Env, thread: u32) -> Option<ExitSocket> {
    use std::io::Read;
    use std::net::Shutdown;
    use std::os::fd::{AsRawFd, IntoRawFd};
    use std::os::unix::net::UnixStream;

    let (ours, theirs) = UnixStream::pair().ok()?;
    let mut reader = ours.try_clone().ok()?;
    let wait = move || {
        // The other end never writes: this returns when it is closed, and any failure means the same.
        let _ = reader.read(&mut [0]);
        cancel(Some(thread));
    };
    std::thread::Builder::new().name("searchscope-exit".to_string()).spawn(wait).ok()?;
    let is_owned = Arc::new(AtomicBool::new(false));
    let socket = ExitSocket { fd: theirs.as_raw_fd(), is_owned: Arc::clone(&is_owned) };
    let end = move |(ours, theirs): (UnixStream, UnixStream)| {
        // If JavaScript has closed its handle, the descriptor may already belong to another file.
        if is_owned.load(Relaxed) || is_closed(&ours) {
            let _ = theirs.into_raw_fd();
        }
        // Fails if the other end is closed, in which case the thread has already returned.
        let _ = ours.shutdown(Shutdown::Both);
    };
    env.add_env_cleanup_hook((ours, theirs), end).ok()?;
    Some(socket)
}

/// Returns whether the other end of the socket, which never writes, is closed.
#[cfg(unix)]
fn is_closed(socket: &std::os::unix::net::UnixStream) -> bool {
    use std::io::{ErrorKind, Read};
    let mut socket = socket;
    let read = socket.set_nonblocking(true).and_then(|()| socket.read(&mut [0]));
    !matches!(read, Err(error) if error.kind() == ErrorKind::WouldBlock)
}

/// Returns `None`: on this system a terminated worker waits for its running call.
#[cfg(not(unix))]
pub(crate) fn cancel_when_closed(_env: &Env, _thread: u32) -> Option<ExitSocket> {
    None
}

fn listed() -> MutexGuard<'static, Vec<Listed>> {
    // No step above leaves the list half changed, so it is consistent even after a panic.
    WORK.lock().unwrap_or_else(PoisonError::into_inner)
}
