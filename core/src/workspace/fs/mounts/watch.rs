//! Detects file systems that may never respond, and runs calls that reach one.

use super::abandon::{Abandoned, run_abandonable};
use crate::call::Call;
use crate::error::{Error, ErrorKind, Result};
use parking_lot::Mutex;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

/// The time for which a list of mounts without a remote one is trusted. Reading the list anew for each call
/// would add system calls to calls that take less than a millisecond.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(1);
/// A merely slow file system responds within this time after the deadline; the call then returns its partial
/// result.
const AFTER_DEADLINE: Duration = Duration::from_millis(500);
/// The same after a cancellation, which discards the result.
const AFTER_CANCEL: Duration = Duration::from_millis(30);

/// Watches the mounts at and beneath the directories of one workspace.
#[derive(Debug)]
pub(crate) struct MountWatch {
    dirs: Vec<PathBuf>,
    /// Whether a file system may not respond, and since when that is known. It stays true: a mount that is
    /// gone from the list may still hold files that were opened on it.
    known: Mutex<(bool, Instant)>,
    /// The number of abandoned calls that still run.
    n_abandoned: Arc<AtomicUsize>,
}

impl MountWatch {
    /// Reads the list of mounts for `dirs`, which are real paths.
    pub(in crate::workspace) fn new(dirs: Vec<PathBuf>) -> MountWatch {
        let known = Mutex::new((dirs.iter().any(|dir| may_not_answer(dir)), Instant::now()));
        MountWatch { dirs, known, n_abandoned: Arc::default() }
    }

    /// Returns whether the workspace reaches a file system that may block a call for ever, as network file
    /// systems do. A later mount is noticed within a second.
    pub(crate) fn may_not_answer(&self) -> bool {
        // A fork may have left the lock locked.
        let Some(mut known) = self.known.try_lock_for(Duration::from_millis(1)) else {
            return true;
        };
        if !known.0 && known.1.elapsed() >= LOOK_AGAIN_AFTER {
            *known = (self.dirs.iter().any(|dir| may_not_answer(dir)), Instant::now());
        }
        known.0
    }

    /// Runs `work` on a separate thread, with a call that ends with `call`, and returns its result or an
    /// error soon after the deadline. Abandoned work sees its call cancelled.
    ///
    /// # Errors
    ///
    /// Those of `work`; `timeout` and `cancelled` if no result came; `timeout` at once if calls are stuck
    /// already.
    pub(crate) fn run_apart<T: Send + 'static>(
        &self,
        call: &Call,
        work: impl FnOnce(&Call) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        // Abandoned work must have no further effect, even if the caller never cancels its token.
        let (own, cancel) = call.abandonable();
        let until = call.deadline().and_then(|deadline| deadline.checked_add(AFTER_DEADLINE));
        let cancelled_at = Cell::new(None);
        let is_over = || {
            if !call.is_cancelled() {
                return until.is_some_and(|until| Instant::now() >= until);
            }
            let since = cancelled_at.get().unwrap_or_else(Instant::now);
            cancelled_at.set(Some(since));
            since.elapsed() >= AFTER_CANCEL
        };
        let result = run_abandonable(&self.n_abandoned, &is_over, move || work(&own));
        result.unwrap_or_else(|abandoned| {
            cancel.cancel();
            Err(not_answered(abandoned, call))
        })
    }

    /// Pretends from now on that a file system may not respond, or that all do.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn pretend(&self, may_not_answer: bool) {
        let far = Instant::now() + Duration::from_secs(3_600);
        *self.known.lock() = (may_not_answer, far);
    }
}

fn may_not_answer(dir: &Path) -> bool {
    #[cfg(target_os = "linux")]
    return super::list::may_not_answer(dir);
    // Only Linux lists its file systems.
    #[cfg(not(target_os = "linux"))]
    {
        let _ = dir;
        false
    }
}

fn not_answered(abandoned: Abandoned, call: &Call) -> Error {
    if call.is_cancelled() {
        return Error::new(ErrorKind::Cancelled, "the call was cancelled");
    }
    let message = match abandoned {
        Abandoned::Late => {
            let millis = call.timeout().unwrap_or_default().as_millis();
            format!(
                "a file system beneath the root did not respond within {millis} ms: it may be slow, or \
                 its server unreachable"
            )
        }
        Abandoned::Busy => "not started: earlier calls still wait for a file system that does not \
                            respond; try again when it does"
            .to_owned(),
    };
    Error::new(ErrorKind::Timeout, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, CancelToken};
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;

    const LONG: Duration = Duration::from_secs(60);

    /// Runs a call that waits until the other end is dropped, and then reports whether it was cancelled.
    fn stuck(call: &Call, until: Receiver<()>) -> (Result<()>, Receiver<bool>) {
        let (tell, told) = channel();
        let result = MountWatch::new(Vec::new()).run_apart(call, move |call| {
            let _ = until.recv_timeout(LONG);
            let _ = tell.send(call.is_cancelled());
            Ok(())
        });
        (result, told)
    }

    #[test]
    fn a_finished_call_returns_its_result() {
        let here = thread::current().id();
        let run = move |_: &Call| Ok(thread::current().id() == here);
        let watch = MountWatch::new(Vec::new());
        assert!(!watch.may_not_answer());
        assert!(!watch.run_apart(&Call::new(), run).expect("made"));
        watch.pretend(true);
        assert!(watch.may_not_answer());
    }

    #[test]
    fn a_stuck_call_is_abandoned_and_does_nothing_more() {
        let call = Call::new().with_timeout(Duration::from_millis(20));
        let (release, wait) = channel();
        let (result, told) = stuck(&call, wait);
        let error = result.expect_err("nothing answered");
        assert_eq!(error.code(), "timeout");
        assert!(error.message().contains("within 20 ms"), "{error}");
        drop(release);
        assert!(
            told.recv_timeout(LONG).expect("the job continued"),
            "the job must stop without a caller"
        );
        assert!(!call.is_cancelled(), "the token is the caller's");
    }

    #[test]
    fn a_stuck_call_can_be_cancelled() {
        let cancel = CancelToken::new();
        let of_another = cancel.clone();
        let other = thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            of_another.cancel();
        });
        let (release, wait) = channel();
        let started = Instant::now();
        let call = Call::new().with_timeout(LONG).with_cancel(&cancel);
        let (result, told) = stuck(&call, wait);
        assert_eq!(result.expect_err("cancelled").code(), "cancelled");
        assert!(started.elapsed() < LONG / 2);
        drop(release);
        assert!(told.recv_timeout(LONG).expect("the job continued"));
        other.join().expect("it ends");
    }
}
