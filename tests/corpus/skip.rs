//! Makes a test run honest: skips are reported, and nothing hangs.

use std::io::Write;
use std::sync::mpsc;
use std::time::Duration;

/// If set, turns every skip into a failure: for machines that must run every test.
const NO_SKIPS: &str = "SEARCHSCOPE_TESTS_NO_SKIPS";

/// Reports on the real standard error, past the capture of the test runner, that something did not run.
///
/// # Panics
/// If `SEARCHSCOPE_TESTS_NO_SKIPS` is set.
pub fn skip(what: &str, why: &str) {
    assert!(std::env::var_os(NO_SKIPS).is_none(), "{what} must not be skipped: {why}");
    say(&format!("SKIPPED: {what}: {why}"));
}

/// Prints a line on the real standard error, past the capture of the test runner.
pub fn say(line: &str) {
    // If standard error is closed, there is no other place to report to.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Runs `work` on a thread of its own and waits for it at most `limit`.
///
/// # Panics
/// If the time is over (the thread keeps running) or `work` panicked.
pub fn run_limited<T: Send + 'static>(
    what: &str,
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        // Fails if the time is over and the receiver is gone.
        let _ = send.send(work());
    });
    match receive.recv_timeout(limit) {
        Ok(value) => value,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("{what}: no answer after {limit:?}"),
        Err(mpsc::RecvTimeoutError::Disconnected) => panic!("{what}: panicked"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "no answer")]
    fn a_hanging_call_is_reported() {
        run_limited("sleep", Duration::from_millis(1), || {
            std::thread::sleep(Duration::from_secs(1))
        });
    }
}
