//! Calls of a workspace with a file system that may never answer, as that of a server which is gone:
//! they run apart from their callers, who leave them alone when their time is over.

use super::Call;
use crate::Workspace;
use crate::error::{Error, ErrorKind, Result};
use crate::pool::{Abandoned, run_abandonable};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// A file system that is only slow answers within this behind the deadline, and then the call gives
/// what it has found so far.
const BEHIND_DEADLINE: Duration = Duration::from_millis(500);
/// Behind a cancellation nothing is given.
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
    let cancel = call.cancel.for_work_apart();
    let work = {
        let (workspace, args, cancel) = (workspace.clone(), call.args.clone(), cancel.clone());
        let started = call.started;
        move || run(&workspace, &Call { args: &args, cancel: &cancel, started })
    };
    let until = call.started.checked_add(timeout.saturating_add(BEHIND_DEADLINE));
    let cancelled_at = Cell::new(None);
    let is_over = || {
        if !call.cancel.is_cancelled() {
            return until.is_some_and(|until| Instant::now() >= until);
        }
        let since = cancelled_at.get().unwrap_or_else(Instant::now);
        cancelled_at.set(Some(since));
        since.elapsed() >= BEHIND_CANCEL
    };
    run_abandonable(workspace.n_abandoned(), &is_over, work).unwrap_or_else(|abandoned| {
        cancel.cancel();
        Err(not_answered(abandoned, call, timeout))
    })
}

fn not_answered(abandoned: Abandoned, call: &Call<'_>, timeout: Duration) -> Error {
    if call.cancel.is_cancelled() {
        return Error::new(ErrorKind::Cancelled, "the call was cancelled");
    }
    let message = match abandoned {
        Abandoned::Late => {
            let millis = timeout.as_millis();
            format!(
                "no answer within {millis} ms and some time behind: a file system beneath the root \
                 may be slow, or its server gone"
            )
        }
        Abandoned::Busy => "not begun: earlier calls still wait for a file system that does not \
                            answer; try again when it does"
            .to_owned(),
    };
    Error::new(ErrorKind::Timeout, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CancelToken;
    use serde_json::json;
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;

    const LONG: Duration = Duration::from_secs(60);

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let dir = crate::tests::tree(&[("a.txt", "hit\n")]);
        let workspace = Workspace::open(dir.path(), &Default::default()).expect("opened");
        (dir, workspace)
    }

    /// Makes a call that waits until the other end is dropped, and then gives whether it was cancelled.
    fn stuck(
        workspace: &Workspace,
        cancel: &CancelToken,
        timeout: Duration,
        until: Receiver<()>,
    ) -> (Result<()>, Receiver<bool>) {
        let args = json!({});
        let (tell, told) = channel();
        let asked = Call { args: &args, cancel, started: Instant::now() };
        let result = call(workspace, &asked, timeout, move |_, call| {
            let _ = until.recv_timeout(LONG);
            let _ = tell.send(call.cancel.is_cancelled());
            Ok(())
        });
        (result, told)
    }

    #[test]
    fn where_all_answers_a_call_stays_on_its_thread() {
        let (_dir, workspace) = workspace();
        let (args, cancel) = (json!({"a": 1}), CancelToken::new());
        let asked = Call { args: &args, cancel: &cancel, started: Instant::now() };
        workspace.pretend_silence(false);
        let here = thread::current().id();
        let run = move |_: &Workspace, call: &Call<'_>| {
            Ok((thread::current().id() == here, call.args.clone()))
        };
        assert_eq!(call(&workspace, &asked, LONG, run).expect("made"), (true, args.clone()));
        workspace.pretend_silence(true);
        assert_eq!(call(&workspace, &asked, LONG, run).expect("made"), (false, args.clone()));
        let reply = workspace.call("search", br#"{"patterns": ["hit"]}"#, &cancel).expect("found");
        assert!(reply.starts_with(br#"{"matches":[{"path":"a.txt""#));
        assert_eq!(cancel.files_looked_at(), 1);
        cancel.cancel();
        let error = workspace.call("search", br#"{"patterns": ["hit"]}"#, &cancel);
        assert_eq!(error.expect_err("it was cancelled before").code(), "cancelled");
    }

    #[test]
    fn a_call_that_is_cancelled_while_it_writes_changes_nothing() {
        let (dir, _) = workspace();
        let options = crate::WorkspaceOptions {
            output_dir: Some(dir.path().to_path_buf()),
            ..Default::default()
        };
        let workspace = Workspace::open(dir.path(), &options).expect("opened");
        let cancel = CancelToken::new();
        let own = cancel.for_work_apart();
        own.cancel();
        let written = workspace.write_output("output_file", "report", b"{}", &own);
        assert_eq!(written.expect_err("cancelled").code(), "cancelled");
        assert!(workspace.write_output("output_file", "report", b"{}", &cancel).is_ok());
    }

    #[test]
    fn a_call_that_is_stuck_is_left_alone_and_does_nothing_more() {
        let (_dir, workspace) = workspace();
        workspace.pretend_silence(true);
        let cancel = CancelToken::new();
        let (release, wait) = channel();
        let (result, told) = stuck(&workspace, &cancel, Duration::from_millis(20), wait);
        let error = result.expect_err("nothing answered");
        assert_eq!(error.code(), "timeout");
        assert!(error.message().contains("within 20 ms"), "{error}");
        drop(release);
        assert!(told.recv_timeout(LONG).expect("it went on"), "it may not work on for nobody");
        assert!(!cancel.is_cancelled(), "the token is the caller's");
    }

    #[test]
    fn a_call_that_is_stuck_can_be_cancelled() {
        let (_dir, workspace) = workspace();
        workspace.pretend_silence(true);
        let cancel = CancelToken::new();
        let of_another = cancel.clone();
        let other = thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            of_another.cancel();
        });
        let (release, wait) = channel();
        let started = Instant::now();
        let (result, told) = stuck(&workspace, &cancel, LONG, wait);
        assert_eq!(result.expect_err("cancelled").code(), "cancelled");
        assert!(started.elapsed() < LONG / 2);
        drop(release);
        assert!(told.recv_timeout(LONG).expect("it went on"));
        other.join().expect("it ends");
    }
}
