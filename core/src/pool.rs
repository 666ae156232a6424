//! The threads that help a call: one pool for the process, made on first use, and another one for
//! calls whose file systems may never answer, so that these hold up nobody else.
//!
//! A call never depends on a helper: its own thread does the work, and helpers that come take a
//! share. So a busy pool, a system without threads to give, or a forked child only make it slower.

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

/// Jobs recurse into nothing, so this is plenty.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// A system that refused threads is not asked again for this long.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Works that run aside at once; each is over within a second.
const ASIDE_MAX: usize = 16;
static N_ASIDE: AtomicUsize = AtomicUsize::new(0);

/// How long a caller waits for work on another thread between looks at its budget.
pub(crate) const TURN: Duration = Duration::from_millis(2);

#[derive(Debug)]
struct Pool {
    threads: Arc<ThreadPool>,
    /// How many threads were wanted, and when: fewer may have come.
    wanted: usize,
    since: Instant,
    /// Threads do not survive a fork; their pool is of no use to the child.
    process: u32,
}

/// For calls that run apart, the second one.
static POOLS: [Mutex<Option<Pool>>; 2] = [const { Mutex::new(None) }; 2];

/// Asks for `helpers` threads to run `job`, each once, whenever they are free.
///
/// The pool grows to the largest number ever asked for. Where the system refuses threads, fewer or
/// none come, and a later call asks again. Those for a call that runs `apart` may be stuck for ever:
/// then `job` should hold little.
pub(crate) fn recruit(helpers: usize, job: &Arc<dyn Fn() + Send + Sync>, apart: bool) {
    let Some(threads) = pool_of(helpers, &POOLS[usize::from(apart)]) else {
        return;
    };
    for _ in 0..helpers {
        let job = Arc::clone(job);
        // A panic of a job is the job's to report; here it must only not end the process. Dropping
        // the job may run code of the host, and dropping a panic's payload too.
        threads.spawn(move || {
            let ran = catch_unwind(AssertUnwindSafe(move || job()));
            let _ = catch_unwind(AssertUnwindSafe(move || drop(ran)));
        });
    }
}

/// Runs `work`, which nothing can interrupt, on a thread of its own, and waits for it no longer than
/// the budget allows: what comes later is dropped. Where the system has no thread, or many such works
/// were left alone and still run, the caller does it.
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
    match apart(work, ended) {
        Ok(answer) => wait(&answer, &|| budget.poll_clock().is_err()).ok_or(Stopped),
        Err(work) => {
            N_ASIDE.fetch_sub(1, Relaxed);
            Ok(work())
        }
    }
}

/// Begins `work` on a thread of its own, or returns it where the system has none; `ended` is called
/// there after it.
pub(crate) fn apart<T: Send + 'static, W: FnOnce() -> T + Send + 'static>(
    work: W,
    ended: impl FnOnce() + Send + 'static,
) -> Result<Receiver<thread::Result<T>>, W> {
    let work = Arc::new(Mutex::new(Some(work)));
    let (send, receive) = sync_channel(1);
    let shared = Arc::clone(&work);
    let run = move || {
        let taken = shared.lock().take();
        if let Some(work) = taken {
            // The caller is gone when its time was over; then a panic's payload ends here.
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

/// Lets other threads go first: for work that nobody waits for. Where the system refuses, nothing
/// changes.
pub(crate) fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        /// The lowest.
        const NICE: i32 = 19;
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE);
    }
}

/// Returns the result of work apart, unless `is_over` returns true before that.
pub(crate) fn wait<T>(
    answer: &Receiver<thread::Result<T>>,
    is_over: &dyn Fn() -> bool,
) -> Option<T> {
    let given = loop {
        match answer.recv_timeout(TURN) {
            Ok(given) => break given,
            // This thread may have rested for long: it is only over where nothing has come.
            Err(RecvTimeoutError::Timeout) if is_over() => break answer.try_recv().ok()?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => unreachable!("a work apart always answers"),
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
        // Its threads do not exist here; dropping it would wait for them.
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
    fn nobody_waits_for_a_helper_behind_the_deadline() {
        let within =
            |millis| Budget::of(&crate::Call::new().with_timeout(Duration::from_millis(millis)));
        assert_eq!(run_aside(&within(60_000), || 7), Ok(7));
        let (release, wait) = mpsc::channel::<()>();
        let waits = move || {
            let _ = wait.recv_timeout(Duration::from_secs(60));
        };
        assert_eq!(run_aside(&within(30), waits), Err(Stopped));
        drop(release);
        let panics = catch_unwind(|| run_aside(&within(60_000), || panic!("of the work")));
        assert!(panics.is_err());
    }

    #[test]
    fn an_answer_that_has_come_is_taken_however_late() {
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
