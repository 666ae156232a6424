//! Calls of a workspace with a file system that may never answer, as that of a server which is gone:
//! they run apart from their callers, who leave them alone when their time is over.

use super::Call;
use crate::Workspace;
use crate::error::{Error, ErrorKind, Result};
use crate::pool::{Abandoned, run_abandonable};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// An engine that is only slow gives what it has found so far within this behind the deadline.
const BEHIND_DEADLINE: Duration = Duration::from_millis(60);
/// The same behind a cancellation, after which nothing is given.
const BEHIND_CANCEL: Duration = Duration::from_millis(30);

/// Makes a call that ends within `timeout` where the file systems answer, and else soon behind it.
///
/// # Errors
///
/// Those of `run`; `timeout` and `cancelled` where no answer came; `timeout` at once where calls are
/// stuck already.
pub(super) fn call<T: Send + 'static>(
    workspace: &Workspace,
    call: &Call<'_>,
    timeout: Duration,
    run: impl FnOnce(&Workspace, &Call<'_>) -> Result<T> + Send + 'static,
) -> Result<T> {
    if !workspace.may_not_answer() {
        return run(workspace, call);
    }
    // What is left alone must do nothing more, also where the token of the caller is never cancelled.
    let cancel = call.cancel.counting_for();
    let there = {
        let (workspace, args, cancel) = (workspace.clone(), call.args.clone(), cancel.clone());
        let started = call.started;
        move || run(&workspace, &Call { args: &args, cancel: &cancel, started })
    };
    let until = call.started.checked_add(timeout.saturating_add(BEHIND_DEADLINE));
    let cancelled_at: Cell<Option<Instant>> = Cell::new(None);
    let is_over = || {
        if call.cancel.is_cancelled() {
            cancel.cancel();
            let since = cancelled_at.get().unwrap_or_else(Instant::now);
            cancelled_at.set(Some(since));
            return since.elapsed() >= BEHIND_CANCEL;
        }
        until.is_some_and(|until| Instant::now() >= until)
    };
    run_abandonable(&is_over, there).unwrap_or_else(|abandoned| {
        cancel.cancel();
        Err(not_answered(abandoned, call, timeout))
    })
}

fn not_answered(abandoned: Abandoned, call: &Call<'_>, timeout: Duration) -> Error {
    if call.cancel.is_cancelled() {
        return Error::new(ErrorKind::Cancelled, "cancelled");
    }
    let message = match abandoned {
        Abandoned::Late => format!(
            "a file system in the workspace did not answer within {} ms: it may be a mount whose \
             server is gone; leave it out of 'path', or try again",
            timeout.as_millis()
        ),
        Abandoned::Busy => {
            "earlier calls still wait for a file system that does not answer: this one \
                            was not begun; try again when the mount is back"
                .to_owned()
        }
    };
    Error::new(ErrorKind::Timeout, message)
}
