//! The threads that help a call: one pool per process, created on first use, and another one for calls whose
//! file systems may never respond, so that stuck calls do not block others.
//!
//! A call never depends on a helper: its own thread does the work, and helpers take a share if they come. A
//! busy pool, a system without threads to spare, or a forked child therefore only makes it slower.
//!
//! The global pool of rayon was rejected, because a host may use it, and may block it.

use crate::budget::{Budget, Stopped};
use parking_lot::Mutex;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Jobs do not recurse, so this is plenty.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// The time before another attempt after the system refused threads.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The maximum number of concurrent jobs of `run_aside`; each is over within a second. Beyond it, callers do
/// the work themselves: late by that second at worst, while threads without a limit would exhaust the host.
const ASIDE_MAX: usize = 16;
static N_ASIDE: AtomicUsize = AtomicUsize::new(0);

/// The interval at which a caller that waits for another thread polls its budget.
pub(crate) const TURN: Duration = Duration::from_millis(2);

#[derive(Debug)]
struct Pool {
    threads: Arc<ThreadPool>,
    /// The number of threads that were wanted, and when: there may be fewer.
    wanted: usize,
    since: Instant,
    /// The process that created it. Threads do not survive a fork; their pool is useless to the child.
    process: u32,
}

/// The second one is for calls that run apart.
static POOLS: [Mutex<Option<Pool>>; 2] = [const { Mutex::new(None) }; 2];

/// Has `helpers` threads run `job`, each once, as soon as they are free.
///
/// The pool grows to the largest number ever requested. If the system refuses threads, fewer or none come,
/// and a later call tries again. Threads for a call that runs `apart` may be stuck for ever: `job` should
/// then keep little memory alive.
pub(crate) fn recruit(helpers: usize, job: &Arc<dyn Fn() + Send + Sync>, apart: bool) {
    let Some(threads) = pool_of(helpers, &POOLS[usize::from(apart)]) else {
        return;
    };
    for _ in 0..helpers {
        let job = Arc::clone(job);
        // The job reports its own panic; here it must only not end the process. Dropping the job may run code
        // of the host, and so may dropping a panic's payload.
        threads.spawn(move || {
            let ran = catch_unwind(AssertUnwindSafe(move || job()));
            let _ = catch_unwind(AssertUnwindSafe(move || drop(ran)));
        });
    }
}

/// Runs `work`, which cannot be interrupted, on a separate thread, and waits for it only as long as the
/// budget allows; a later result is dropped. If the system has no thread, or too many abandoned jobs still
/// run, the caller runs the work.
pub(crate) fn run_aside<T: Send + 'static>(
    budget: &Budget,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Stopped> {
    if N_ASIDE.fetch_add(1, Relaxed) >= ASIDE_MAX {
        N_ASIDE.fetch_sub(1, Relaxed);
        return Ok(work());
    }
    let ended = || {
        N_ASIDE.fetch_sub(1, Relaxed);
    };
    match spawn(work, ended) {
        Ok(answer) => wait(&answer, &|| budget.poll_clock().is_err()).ok_or(Stopped),
        Err(work) => {
            N_ASIDE.fetch_sub(1, Relaxed);
            Ok(work())
        }
    }
}

/// Starts `work` on a separate thread, or returns it if the system has none; that thread calls `ended` after
/// the work.
pub(crate) fn spawn<T: Send + 'static, W: FnOnce() -> T + Send + 'static>(
    work: W,
    ended: impl FnOnce() + Send + 'static,
) -> Result<Receiver<thread::Result<T>>, W> {
    let work = Arc::new(Mutex::new(Some(work)));
    let (send, receive) = sync_channel(1);
    let shared = Arc::clone(&work);
    let run = move || {
        let taken = shared.lock().take();
        if let Some(work) = taken {
            // The caller is gone if its time was over; the payload of a panic is then dropped here.
            let unsent = send.send(catch_unwind(AssertUnwindSafe(work)));
            let _ = catch_unwind(AssertUnwindSafe(move || drop(unsent)));
        }
        ended();
    };
    let builder = thread::Builder::new().name("searchscope-apart".to_owned());
    match builder.stack_size(STACK_BYTES).spawn(run) {
        Ok(_) => Ok(receive),
        Err(_) => Err(work.lock().take().expect("because a thread that was not made took nothing")),
    }
}

/// Lowers the priority of this thread, for background work that no call waits for. If the system refuses,
/// nothing changes.
pub(crate) fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        /// The lowest priority.
        const NICE: i32 = 19;
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE);
    }
}

/// Returns the result of work on a separate thread, unless `is_over` returns true first.
pub(crate) fn wait<T>(
    answer: &Receiver<thread::Result<T>>,
    is_over: &dyn Fn() -> bool,
) -> Option<T> {
    let given = loop {
        match answer.recv_timeout(TURN) {
            Ok(given) => break given,
            // This thread may have been suspended for long: a result that has come counts.
            Err(RecvTimeoutError::Timeout) if is_over() => break answer.try_recv().ok()?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => unreachable!("a separate job always responds"),
        }
    };
    Some(given.unwrap_or_else(|panic| resume_unwind(panic)))
}

fn pool_of(helpers: usize, pool: &Mutex<Option<Pool>>) -> Option<Arc<ThreadPool>> {
    if helpers == 0 {
        return None;
    }
    let process = std::process::id();
    // A fork while another thread held the lock leaves it locked in the child: never wait for it.
    let mut pool = pool.try_lock_for(Duration::from_millis(1))?;
    if let Some(pool) = pool.as_ref()
        && pool.process == process
        && (pool.threads.current_num_threads() >= helpers
            || (pool.wanted >= helpers && pool.since.elapsed() < RETRY_AFTER))
    {
        return Some(Arc::clone(&pool.threads));
    }
    if let Some(old) = pool.take_if(|old| old.process != process) {
        // Its threads do not exist in this process. Dropping it would take locks that they may have held at
        // the fork.
        std::mem::forget(old);
    }
    let threads =
        std::iter::successors(Some(helpers), |&n| (n > 1).then_some(n / 2)).find_map(|n| {
            let builder = ThreadPoolBuilder::new().num_threads(n).stack_size(STACK_BYTES);
            builder
                .panic_handler(|_| {})
                .thread_name(|index| format!("searchscope-{index}"))
                .build()
                .ok()
        })?;
    // A pool of rayon cannot grow, so a larger one replaces it. The threads of the old one exit after its
    // jobs.
    let threads = Arc::new(threads);
    let since = Instant::now();
    *pool = Some(Pool { threads: Arc::clone(&threads), wanted: helpers, since, process });
    Some(threads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn no_caller_waits_for_a_helper_after_the_deadline() {
        let within =
            |millis| Budget::of(&crate::Call::new().with_timeout(Duration::from_millis(millis)));
        assert_eq!(run_aside(&within(60_000), || 7), Ok(7));
        let (release, wait) = mpsc::channel::<()>();
        let waits = move || {
            let _ = wait.recv_timeout(Duration::from_secs(60));
        };
        assert_eq!(run_aside(&within(30), waits), Err(Stopped));
        drop(release);
        let panics = catch_unwind(|| run_aside(&within(60_000), || panic!("of the job")));
        assert!(panics.is_err());
    }

    #[test]
    fn a_finished_result_is_taken_however_late() {
        let (give, answer) = sync_channel(1);
        let resting = move || {
            let _ = give.try_send(Ok(9));
            true
        };
        assert_eq!(wait(&answer, &resting), Some(9));
    }

    #[test]
    fn every_helper_runs_the_job_and_the_pool_grows() {
        for helpers in [1, 3, 2] {
            let (sender, receiver) = mpsc::channel();
            let job: Arc<dyn Fn() + Send + Sync> = Arc::new(move || {
                let _ = sender.send(std::thread::current().name().map(str::to_owned));
            });
            recruit(helpers, &job, helpers == 3);
            for _ in 0..helpers {
                let name = receiver.recv_timeout(Duration::from_secs(10)).expect("a helper came");
                assert!(name.is_some_and(|name| name.starts_with("searchscope-")));
            }
        }
    }
}
