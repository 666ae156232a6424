//! Streams: a search on a thread of its own, which blocks while JavaScript does not pull its results.
//!
//! The thread is not one of libuv's, because the host needs those few for itself. It never calls into
//! JavaScript, because Node aborts if that happens during its exit. JavaScript pulls instead, in short
//! calls.

use crate::buffer::{Buffer, End};
use crate::in_flight::{InFlight, Work};
use crate::task::{PANICKED, caught, error_text, json_text, test_panic};
use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;
use searchscope::{Call, CancelToken, Error, Workspace, tools};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Maximum number of streams that run at once in the process: each has a thread.
const STREAMS_MAX: u32 = 64;

/// Maximum time that a pull waits for a result. It occupies one of the few libuv threads meanwhile, so it
/// returns soon to let other calls run.
const PULL_MAX: Duration = Duration::from_millis(50);

/// The tools that can be streamed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Search,
    Find,
}

/// A stream of results; the search starts with the first pull.
#[napi]
#[derive(Debug)]
pub struct NativeStream {
    buffer: Arc<Buffer>,
    thread: u32,
    request: Mutex<Option<Request>>,
}

/// The search that a stream's thread runs.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) workspace: Workspace,
    pub(crate) source: Source,
    pub(crate) args: Vec<u8>,
}

/// The result of a pull.
#[napi(object)]
#[derive(Debug)]
pub struct Batch {
    /// A JSON array of results; empty if none arrived in time.
    pub results: String,
    /// The tool's report as JSON; comes with the last results.
    pub report: Option<String>,
    /// The error that ended the stream, as JSON; it comes after the results.
    pub error: Option<String>,
}

#[napi]
impl NativeStream {
    pub(crate) fn of(request: Request, thread: u32) -> NativeStream {
        let buffer = Arc::new(Buffer::new(CancelToken::new()));
        NativeStream { buffer, thread, request: Mutex::new(Some(request)) }
    }

    /// Pulls results. Returns null while `calls_max` calls of this process hold a libuv thread.
    ///
    /// The promise resolves within 50 ms.
    #[napi(catch_unwind)]
    pub fn pull(&self, calls_max: u32) -> Option<AsyncTask<PullTask>> {
        let call = Work::Call(self.buffer.token().clone());
        let in_flight = InFlight::enter(self.thread, call, calls_max)?;
        if let Some(request) = self.request.lock().unwrap_or_else(PoisonError::into_inner).take() {
            self.start(request);
        }
        let buffer = Arc::clone(&self.buffer);
        Some(AsyncTask::new(PullTask { buffer, in_flight: Some(in_flight) }))
    }

    /// Cancels the search; its thread ends soon.
    #[napi(catch_unwind)]
    pub fn cancel(&self) {
        self.buffer.cancel();
    }

    /// Returns the number of files that the search has visited so far.
    #[napi(catch_unwind)]
    pub fn files(&self) -> f64 {
        // Exact up to 2^53.
        self.buffer.token().files_looked_at() as f64
    }

    fn start(&self, request: Request) {
        let work = Work::Stream(Arc::clone(&self.buffer));
        let Some(in_flight) = InFlight::enter(self.thread, work, STREAMS_MAX) else {
            let message = format!("{STREAMS_MAX} streams are already running; finish or close one");
            return self.buffer.end(busy(&message));
        };
        let buffer = Arc::clone(&self.buffer);
        let run = move || {
            let end = caught(|| request.run(&buffer), || End::Error(PANICKED.to_string()));
            // Released before the end is published, so that its reader can start another stream at once.
            drop((request, in_flight));
            buffer.end(end);
        };
        let thread = std::thread::Builder::new().name("searchscope-stream".to_string());
        if thread.spawn(run).is_err() {
            self.buffer.end(busy("the system cannot start a thread for the stream"));
        }
    }
}

impl Drop for NativeStream {
    fn drop(&mut self) {
        self.buffer.cancel();
    }
}

impl Request {
    fn run(&self, buffer: &Buffer) -> End {
        test_panic::before_stream(&self.args);
        let mut failed = None;
        let mut put = |json: Result<String, Error>| match json {
            Ok(json) => buffer.put(&json),
            Err(error) => {
                failed = Some(error);
                false
            }
        };
        let (workspace, args) = (&self.workspace, &self.args);
        let call = Call::new().with_cancel(buffer.token());
        let report = match self.source {
            Source::Search => {
                tools::search_each(workspace, args, &call, &mut |result| put(result.to_json()))
            }
            Source::Find => tools::find_each(workspace, args, &call, &mut |file| {
                put(tools::found_file_json(file))
            }),
        };
        match failed.map_or(report, Err).and_then(json_text) {
            Ok(report) => End::Report(report),
            Err(error) => End::Error(error_text(&error)),
        }
    }
}

/// A pull that waits for a libuv thread or runs on one.
pub struct PullTask {
    buffer: Arc<Buffer>,
    in_flight: Option<InFlight>,
}

impl Task for PullTask {
    type Output = Batch;
    type JsValue = Batch;

    fn compute(&mut self) -> napi::Result<Batch> {
        let in_flight = self.in_flight.take();
        let take = || self.buffer.take(PULL_MAX);
        let (results, end) =
            caught(take, || ("[]".to_string(), Some(End::Error(PANICKED.to_string()))));
        drop(in_flight);
        let (report, error) = match end {
            None => (None, None),
            Some(End::Report(report)) => (Some(report), None),
            Some(End::Error(error)) => (None, Some(error)),
        };
        Ok(Batch { results, report, error })
    }

    fn resolve(&mut self, _env: Env, batch: Batch) -> napi::Result<Batch> {
        Ok(batch)
    }
}

impl fmt::Debug for PullTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PullTask").finish_non_exhaustive()
    }
}

/// Returns the error for lack of room; its code exists only in the Node package.
fn busy(message: &str) -> End {
    End::Error(format!(r#"{{"code":"busy","message":"{message}"}}"#))
}
