//! The threads that run calls: one set for all JavaScript threads of the process, started on demand and
//! ended when idle.
//!
//! They are not libuv's, because the host needs those few for files and names, and not the engine's pool,
//! whose threads help each call. A JavaScript thread only puts calls into the queue.

use crate::call::QueuedCall;
use crate::in_flight;
use crate::queue::Queue;
use crate::test_hooks;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum number of threads, and so of calls that run at once in the process: those of two workspaces at
/// their maximum, so that a workspace with many long calls does not block another.
const THREADS_MAX: usize = 16;

/// Time after which an idle thread ends. Starting one costs less than a short call.
const IDLE_MAX: Duration = Duration::from_secs(2);

/// As for the threads of the engine's pool: no tool recurses over its input.
const STACK_BYTES: usize = 2 * 1024 * 1024;

static SET: Mutex<Set> =
    Mutex::new(Set { queue: Queue::new(), n_threads: 0, n_idle: 0, n_cancelled: 0 });

/// Signalled when a call may start.
static READY: Condvar = Condvar::new();

struct Set {
    queue: Queue<QueuedCall>,
    n_threads: usize,
    /// The number of threads that run no call, including those that are starting.
    n_idle: usize,
    /// The number of calls cancelled since cancelled ones were removed from the queue.
    n_cancelled: usize,
}

/// Puts a call into the queue, among the calls of its workspace. If the system refuses a thread, the call
/// waits for one that exists; if there is none, it fails as `busy`.
pub(crate) fn submit(workspace: u64, call: QueuedCall) {
    if in_flight::is_exiting() {
        return call.cancel();
    }
    let mut set = locked();
    set.queue.push(workspace, call);
    // In any case: a thread may be waiting while others, which are ending calls, are not idle yet.
    READY.notify_one();
    // A thread that has not taken its call yet is idle, and its call is ready: both are in the numbers.
    if set.queue.n_ready() <= set.n_idle || set.n_threads == THREADS_MAX {
        return;
    }
    if test_hooks::refuses_threads() || !start_thread() {
        // If there are threads, one of them takes the call later.
        let is_lost = set.n_threads == 0;
        let refused = set.queue.remove(|_| is_lost);
        drop(set);
        return refused.into_iter().for_each(QueuedCall::refuse);
    }
    set.n_threads += 1;
    set.n_idle += 1;
}

/// Records that a call was cancelled. Cancelled calls are removed together once they may be half of those
/// that wait: a host that cancels thousands one by one would otherwise pass through the queue each time.
pub(crate) fn note_cancelled() {
    let mut set = locked();
    set.n_cancelled += 1;
    let is_due = set.n_cancelled * 2 >= set.queue.n_waiting();
    drop(set);
    if is_due {
        remove_cancelled();
    }
}

/// Removes cancelled calls from the queue, so that they keep neither their arguments nor their workspace.
pub(crate) fn remove_cancelled() {
    let mut set = locked();
    set.n_cancelled = 0;
    let removed = set.queue.remove(QueuedCall::is_cancelled);
    drop(set);
    removed.into_iter().for_each(QueuedCall::cancel);
}

fn start_thread() -> bool {
    let thread = std::thread::Builder::new().name("searchscope-call".to_string());
    thread.stack_size(STACK_BYTES).spawn(serve).is_ok()
}

/// Runs calls until there is none for a while. The thread counts as idle at its start and at its end.
fn serve() {
    let mut set = locked();
    loop {
        let Some((workspace, call)) = set.queue.start() else {
            let (after, waited) =
                READY.wait_timeout(set, IDLE_MAX).unwrap_or_else(PoisonError::into_inner);
            set = after;
            if waited.timed_out() && set.queue.n_ready() == 0 {
                set.n_threads -= 1;
                set.n_idle -= 1;
                return;
            }
            continue;
        };
        set.n_idle -= 1;
        drop(set);
        let reply = call.run();
        set = locked();
        set.queue.end(workspace);
        drop(set);
        // Only now, so that the caller's next call finds room.
        reply.send();
        set = locked();
        set.n_idle += 1;
    }
}

fn locked() -> MutexGuard<'static, Set> {
    // No step above panics between two changes that belong together.
    SET.lock().unwrap_or_else(PoisonError::into_inner)
}
