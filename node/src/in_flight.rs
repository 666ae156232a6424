//! The calls and streams in flight, of all JavaScript threads of the process: a thread that ends must be
//! able to end them.

use crate::buffer::Buffer;
use crate::threads;
use searchscope::CancelToken;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum number of streams that run at once in the process: each has a thread.
pub(crate) const STREAMS_MAX: usize = 64;

/// Maximum time that an ending JavaScript thread waits for its calls. A cancelled call ends within 100 ms
/// on a machine that is not busy.
const END_MAX: Duration = Duration::from_secs(1);

/// By their ids: a host may have thousands of calls, and each that ends is removed.
static WORK: Mutex<BTreeMap<u64, Listed>> = Mutex::new(BTreeMap::new());
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

/// Whether the process is about to exit: nothing may begin any more.
static IS_EXITING: AtomicBool = AtomicBool::new(false);

/// Signalled when a call or stream has ended.
static ENDED: Condvar = Condvar::new();

struct Listed {
    thread: u32,
    work: Work,
}

/// A call or stream that can be cancelled.
enum Work {
    Call(CancelToken),
    Stream(Arc<Buffer>),
}

/// Guard that keeps a call or stream in the list until it is dropped.
#[derive(Debug)]
pub(crate) struct InFlight {
    id: u64,
}

impl InFlight {
    /// Lists a call of a JavaScript thread, waiting or running.
    pub(crate) fn of_call(thread: u32, token: CancelToken) -> InFlight {
        InFlight::list(&mut listed(), thread, Work::Call(token))
    }

    /// Lists a stream of a JavaScript thread; returns `None` if the maximum is listed already.
    pub(crate) fn of_stream(thread: u32, buffer: Arc<Buffer>) -> Option<InFlight> {
        let mut listed = listed();
        let n_streams = listed.values().filter(|one| matches!(one.work, Work::Stream(_))).count();
        (n_streams < STREAMS_MAX).then(|| InFlight::list(&mut listed, thread, Work::Stream(buffer)))
    }

    fn list(listed: &mut BTreeMap<u64, Listed>, thread: u32, work: Work) -> InFlight {
        let id = NEXT_ID.fetch_add(1, Relaxed);
        listed.insert(id, Listed { thread, work });
        InFlight { id }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        listed().remove(&self.id);
        ENDED.notify_all();
    }
}

/// Cancels the calls and streams of a JavaScript thread, because it ends.
pub(crate) fn cancel_thread(thread: u32) {
    cancel(|one| one.thread == thread);
}

/// Cancels the calls and streams of all threads, because the process exits.
pub(crate) fn cancel_all() {
    IS_EXITING.store(true, Relaxed);
    cancel(|_| true);
}

/// Cancels the affected calls and streams, and waits for the calls a moment: the process may be about to
/// exit, and a call that writes an output file would leave a temporary one. Streams write nothing.
fn cancel(is_affected: impl Fn(&Listed) -> bool) {
    for one in listed().values().filter(|one| is_affected(one)) {
        match &one.work {
            Work::Call(token) => token.cancel(),
            Work::Stream(buffer) => buffer.cancel(),
        }
    }
    threads::remove_cancelled();
    let runs = |listed: &mut BTreeMap<u64, Listed>| {
        listed.values().any(|one| is_affected(one) && matches!(one.work, Work::Call(_)))
    };
    // A call that has not ended in time is in a system call that does not return.
    drop(ENDED.wait_timeout_while(listed(), END_MAX, runs));
}

/// Returns whether the process is about to exit.
pub(crate) fn is_exiting() -> bool {
    IS_EXITING.load(Relaxed)
}

fn listed() -> MutexGuard<'static, BTreeMap<u64, Listed>> {
    // No step above leaves the list half changed, so it is consistent even after a panic.
    WORK.lock().unwrap_or_else(PoisonError::into_inner)
}
