//! The threads that help a call: one pool for the process, made on first use.
//!
//! A call never depends on a helper: its own thread does the work, and helpers that come take a
//! share. So a busy pool, a system without threads to give, or a forked child only make it slower.

use parking_lot::Mutex;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Jobs recurse into nothing, so this is plenty.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// A system that refused threads is not asked again for this long.
const RETRY_AFTER: Duration = Duration::from_secs(1);

#[derive(Debug)]
struct Pool {
    threads: Arc<ThreadPool>,
    /// How many threads were wanted, and when: fewer may have come.
    wanted: usize,
    since: Instant,
    /// Threads do not survive a fork; their pool is of no use to the child.
    process: u32,
}

static POOL: Mutex<Option<Pool>> = Mutex::new(None);

/// Asks for `helpers` threads to run `job`, each once, whenever they are free.
///
/// The pool grows to the largest number ever asked for. Where the system refuses threads, fewer or
/// none come, and a later call asks again.
pub(crate) fn recruit(helpers: usize, job: &Arc<dyn Fn() + Send + Sync>) {
    let Some(threads) = pool_of(helpers) else {
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

fn pool_of(helpers: usize) -> Option<Arc<ThreadPool>> {
    if helpers == 0 {
        return None;
    }
    let process = std::process::id();
    // A fork while another thread held the lock leaves it locked in the child: never wait for it.
    let mut pool = POOL.try_lock_for(Duration::from_millis(1))?;
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
    fn every_helper_runs_the_job_and_the_pool_grows() {
        for helpers in [1, 3, 2] {
            let (sender, receiver) = mpsc::channel();
            let job: Arc<dyn Fn() + Send + Sync> = Arc::new(move || {
                let _ = sender.send(std::thread::current().name().map(str::to_owned));
            });
            recruit(helpers, &job);
            for _ in 0..helpers {
                let name = receiver.recv_timeout(Duration::from_secs(10)).expect("a helper came");
                assert!(name.is_some_and(|name| name.starts_with("searchscope-")));
            }
        }
    }
}
