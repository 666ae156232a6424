//! Tools and functions for the tests alone (feature `test-hooks`). Without the feature they do nothing.

#[cfg(not(feature = "test-hooks"))]
mod disabled {
    use searchscope::{Call, Error};

    pub(crate) fn reply(_tool: &str, _call: &Call) -> Option<Result<String, Error>> {
        None
    }

    pub(crate) fn before_stream(_args: &[u8]) {}

    pub(crate) fn refuses_threads() -> bool {
        false
    }
}

#[cfg(not(feature = "test-hooks"))]
pub(crate) use disabled::{before_stream, refuses_threads, reply};

#[cfg(feature = "test-hooks")]
mod enabled {
    use searchscope::{Call, Error, ErrorKind};
    use std::io::Write;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::sync::{Condvar, Mutex, PoisonError};
    use std::time::Duration;

    /// Interval at which a held call polls its cancel token.
    const POLL: Duration = Duration::from_millis(2);

    /// Time that a held call takes to end after its cancellation, as one that removes a temporary file.
    const CLEANUP: Duration = Duration::from_millis(50);

    /// Calls of the tool `test_hold`.
    struct Held {
        n_begun: u32,
        /// The number of calls that may still return.
        n_released: u32,
    }

    static HELD: Mutex<Held> = Mutex::new(Held { n_begun: 0, n_released: 0 });
    static RELEASED: Condvar = Condvar::new();
    static REFUSES_THREADS: AtomicBool = AtomicBool::new(false);

    /// Runs a tool of the tests: `test_panic` panics, and `test_hold` waits for `testRelease` and returns
    /// its place in the order in which such calls began.
    pub(crate) fn reply(tool: &str, call: &Call) -> Option<Result<String, Error>> {
        assert!(tool != "test_panic", "a panic for the tests, in a call");
        (tool == "test_hold").then(|| hold(call))
    }

    fn hold(call: &Call) -> Result<String, Error> {
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        held.n_begun += 1;
        let place = held.n_begun;
        // Before the release: a cancelled call must not take that of another.
        while !call.is_cancelled() {
            if held.n_released > 0 {
                held.n_released -= 1;
                return Ok(place.to_string());
            }
            let waited = RELEASED.wait_timeout(held, POLL);
            held = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(held);
        Err(ended())
    }

    /// Ends a held call that was cancelled.
    #[expect(
        clippy::disallowed_methods,
        reason = "a test reads the line after the process has exited"
    )]
    fn ended() -> Error {
        std::thread::sleep(CLEANUP);
        let _ = writeln!(std::io::stderr(), "a held call has ended");
        Error::new(ErrorKind::Cancelled, "the held call was cancelled")
    }

    /// Panics in a search for `test_panic`.
    pub(crate) fn before_stream(args: &[u8]) {
        let args = String::from_utf8_lossy(args);
        assert!(!args.contains(r#"["test_panic"]"#), "a panic for the tests, in a stream");
    }

    pub(crate) fn refuses_threads() -> bool {
        REFUSES_THREADS.load(Relaxed)
    }

    /// Returns the number of calls of `test_hold` that have begun.
    #[napi_derive::napi]
    pub(crate) fn test_begun() -> u32 {
        HELD.lock().unwrap_or_else(PoisonError::into_inner).n_begun
    }

    /// Lets `n` calls of `test_hold` return.
    #[napi_derive::napi]
    pub(crate) fn test_release(n: u32) {
        HELD.lock().unwrap_or_else(PoisonError::into_inner).n_released += n;
        RELEASED.notify_all();
    }

    /// Makes every start of a thread for calls fail, or succeed again.
    #[napi_derive::napi]
    pub(crate) fn test_refuse_threads(refuses: bool) {
        REFUSES_THREADS.store(refuses, Relaxed);
    }

    /// Panics on the main thread.
    #[napi_derive::napi(catch_unwind)]
    pub(crate) fn test_panic() {
        panic!("a panic for the tests, on the main thread");
    }
}

#[cfg(feature = "test-hooks")]
pub(crate) use enabled::{before_stream, refuses_threads, reply};
