//! Streams: a search on a thread of its own, which blocks while JavaScript does not pull its results.
//!
//! The thread runs no JavaScript: it settles the promise of a pull, at most one at a time, and JavaScript
//! pulls again when it wants more.

use crate::buffer::{Buffer, End};
use crate::call::{PANICKED, busy, caught, error_text, json_text};
use crate::in_flight::{self, InFlight, STREAMS_MAX};
use crate::promise::Deferred;
use crate::test_hooks;
use napi::Env;
use napi::bindgen_prelude::Object;
use napi_derive::napi;
use searchscope::{Call, CancelToken, Error, Workspace};
use searchscope_tools as tools;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

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

#[napi]
impl NativeStream {
    pub(crate) fn of(request: Request, thread: u32) -> NativeStream {
        let buffer = Arc::new(Buffer::new(CancelToken::new()));
        NativeStream { buffer, thread, request: Mutex::new(Some(request)) }
    }

    /// Pulls results: all that are buffered, or the first one when it comes.
    #[napi(catch_unwind)]
    pub fn pull<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let (pull, promise) = Deferred::new(env)?;
        if let Some(request) = self.request.lock().unwrap_or_else(PoisonError::into_inner).take() {
            self.start(request);
        }
        self.buffer.pull(pull);
        Ok(promise)
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
        if in_flight::is_exiting() {
            return self.buffer.cancel();
        }
        let Some(in_flight) = InFlight::of_stream(self.thread, Arc::clone(&self.buffer)) else {
            let message = format!("{STREAMS_MAX} streams are already running; finish or close one");
            return self.buffer.end(End::Error(busy(&message)));
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
            let message = "the system cannot start a thread for the stream";
            self.buffer.end(End::Error(busy(message)));
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
        test_hooks::before_stream(&self.args);
        let mut failed = None;
        let mut put = |json: Result<String, Error>| match json {
            Ok(json) if buffer.put(&json) => ControlFlow::Continue(()),
            Ok(_) => ControlFlow::Break(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
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
        match failed.map_or(report, Err).and_then(|report| json_text(report.bytes)) {
            Ok(report) => End::Report(report),
            Err(error) => End::Error(error_text(&error)),
        }
    }
}
