//! The Node addon: hands bytes to the engine on libuv's threads and brings bytes back.
//!
//! No search logic, no promises to cancel, no error classes: those are the engine's and the
//! wrapper's (`node/api.js`). What is here is what only native code can do: leave the main thread,
//! stop a running call, and turn a panic into an error before it reaches Node, which would abort.

mod in_flight;
mod task;

use in_flight::InFlight;
use napi::bindgen_prelude::AsyncTask;
use napi_derive::napi;
use searchscope::{Workspace, tools};
use std::path::Path;
use task::{CallTask, error_text};

/// The `code` of a thrown JavaScript error whose message is an engine error as JSON.
const ENGINE_ERROR: &str = "searchscope";

/// Stops the calls that it was given to.
#[napi]
#[derive(Debug)]
pub struct CancelToken {
    token: searchscope::CancelToken,
    thread: u32,
}

#[napi]
impl CancelToken {
    /// Makes a token for a call of the JavaScript thread with this id.
    #[napi(constructor, catch_unwind)]
    pub fn new(thread: u32) -> CancelToken {
        CancelToken { token: searchscope::CancelToken::new(), thread }
    }

    /// Lets every call with this token end soon with `cancelled`.
    #[napi(catch_unwind)]
    pub fn cancel(&self) {
        self.token.cancel();
    }

    /// How many files the calls with this token have looked at so far.
    #[napi(catch_unwind)]
    pub fn files(&self) -> f64 {
        // Exact up to 2^53.
        self.token.files_looked_at() as f64
    }
}

/// An open workspace.
#[napi]
#[derive(Debug)]
pub struct NativeWorkspace {
    workspace: Workspace,
}

#[napi]
impl NativeWorkspace {
    /// Opens `root` with options as JSON bytes. An engine error is thrown with its JSON as message.
    #[napi(factory, catch_unwind)]
    pub fn open(root: String, options: &[u8]) -> Result<NativeWorkspace, napi::Error<String>> {
        match tools::open_workspace(Path::new(&root), options) {
            Ok(workspace) => Ok(NativeWorkspace { workspace }),
            Err(error) => Err(napi::Error::new(ENGINE_ERROR.to_string(), error_text(&error))),
        }
    }

    /// Starts a call, or gives null while `calls_max` calls of this process hold a libuv thread.
    ///
    /// The promise always resolves, with an envelope of either a reply or an error.
    #[napi(catch_unwind)]
    pub fn call(
        &self,
        tool: String,
        args: &[u8],
        cancel: &CancelToken,
        calls_max: u32,
    ) -> Option<AsyncTask<CallTask>> {
        let in_flight = InFlight::enter(cancel.thread, &cancel.token, calls_max)?;
        let (workspace, token) = (self.workspace.clone(), cancel.token.clone());
        Some(AsyncTask::new(CallTask::new(workspace, tool, args.to_vec(), token, in_flight)))
    }
}

/// The tool table as JSON.
#[napi(catch_unwind)]
pub fn tools() -> String {
    String::from_utf8_lossy(&tools::tools_json()).into_owned()
}

/// The pattern language of scopes explained, as Markdown.
#[napi(catch_unwind)]
pub fn scope_reference() -> &'static str {
    searchscope::SCOPE_REFERENCE
}

/// Cancels the calls of one JavaScript thread, or of all when none is named.
#[napi(catch_unwind)]
pub fn cancel_all(thread: Option<u32>) {
    in_flight::cancel(thread);
}

/// Makes a pipe and gives its writing end; when that closes, the thread's calls are cancelled.
///
/// Null where there are no such pipes.
#[napi(catch_unwind)]
pub fn cancel_when_closed(thread: u32) -> Option<i32> {
    in_flight::cancel_when_closed(thread)
}
