//! Work that may never end, and callers that abandon it.
//!
//! A system call on a dead mount cannot be interrupted, and a thread cannot be ended from outside without
//! leaving its locks locked. The caller can only leave the thread. Each job has a thread of its own, because
//! stuck jobs would occupy those of a pool and block calls that reach other mounts.

use crate::pool::{spawn, wait};
use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// The maximum of abandoned jobs that still run: further ones would be stuck too.
const ABANDONED_MAX: usize = 4;

/// The reason why work was not waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Abandoned {
    /// Its time ran out.
    Late,
    /// It did not start: too many abandoned jobs still run.
    Busy,
}

/// Runs `work`, which may never end, on a separate thread, and abandons it once `is_over` returns true.
/// `n_abandoned` counts abandoned jobs that still run. If the system refuses a thread, the caller runs the
/// work.
pub(super) fn run_abandonable<T: Send + 'static>(
    n_abandoned: &Arc<AtomicUsize>,
    is_over: &dyn Fn() -> bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Abandoned> {
    if n_abandoned.load(Relaxed) >= ABANDONED_MAX {
        return Err(Abandoned::Busy);
    }
    // Set by the first of the two, the departing caller or the ending work. The second sees it set and takes
    // back the count, so that work which ends just as its caller departs is not counted for ever.
    let is_parted = Arc::new(AtomicBool::new(false));
    let of_work = (Arc::clone(&is_parted), Arc::clone(n_abandoned));
    let ended = move || {
        let (is_parted, n_abandoned) = of_work;
        if is_parted.swap(true, AcqRel) {
            n_abandoned.fetch_sub(1, Relaxed);
        }
    };
    let answer = match spawn(work, ended) {
        Ok(answer) => answer,
        Err(work) => return Ok(work()),
    };
    if let Some(value) = wait(&answer, is_over) {
        return Ok(value);
    }
    n_abandoned.fetch_add(1, Relaxed);
    if is_parted.swap(true, AcqRel) {
        n_abandoned.fetch_sub(1, Relaxed);
    }
    Err(Abandoned::Late)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::TURN;
    use std::panic::catch_unwind;
    use std::sync::mpsc;
    use std::thread;
    use std::time::{Duration, Instant};

    #[test]
    fn abandoned_jobs_are_bounded() {
        let over_after = |millis| {
            let until = Instant::now() + Duration::from_millis(millis);
            move || Instant::now() >= until
        };
        let n_abandoned = Arc::new(AtomicUsize::new(0));
        assert_eq!(run_abandonable(&n_abandoned, &over_after(60_000), || 7), Ok(7));
        let panics =
            catch_unwind(|| run_abandonable(&Arc::default(), &|| false, || panic!("of the job")));
        assert!(panics.is_err());
        let mut releases = Vec::new();
        for n in 0..=ABANDONED_MAX {
            let (release, wait) = mpsc::channel::<()>();
            releases.push(release);
            let work = move || {
                let _ = wait.recv_timeout(Duration::from_secs(60));
                // No caller is left to catch it.
                panic!("of the job");
            };
            let reason = if n < ABANDONED_MAX { Abandoned::Late } else { Abandoned::Busy };
            let result: Result<(), _> = run_abandonable(&n_abandoned, &over_after(20), work);
            assert_eq!(result, Err(reason), "{n}");
        }
        drop(releases);
        let until = Instant::now() + Duration::from_secs(60);
        while n_abandoned.load(Relaxed) > 0 {
            assert!(Instant::now() < until, "those that have ended still count");
            thread::sleep(TURN);
        }
        assert_eq!(run_abandonable(&n_abandoned, &|| false, || 8), Ok(8));
    }
}
