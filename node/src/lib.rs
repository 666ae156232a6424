//! The Node addon: hands bytes to the engine on libuv's threads and brings bytes back.
//!
//! No search logic, no promises to cancel, no error classes: those are the engine's and the
//! wrapper's (`node/api.js`). What is here is what only native code can do: leave the main thread,
//! stop a running call, and turn a panic into an error before it reaches Node, which would abort.

mod buffer;
mod in_flight;
mod stream;
mod task;

use in_flight::{InFlight, Work};
use napi::Env;
use napi::bindgen_prelude::AsyncTask;
use napi_derive::napi;
use searchscope::{Workspace, tools};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use stream::{NativeStream, Request, Source};
use task::{CallTask, NativeCall, Operation, error_text};

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
    /// Absent once it is closed. Behind a lock, because napi lends the object to a running call.
    workspace: Mutex<Option<Workspace>>,
}

#[napi]
impl NativeWorkspace {
    /// Opens `root` with options as JSON bytes. An engine error is thrown with its JSON as message.
    #[napi(factory, catch_unwind)]
    pub fn open(root: String, options: &[u8]) -> Result<NativeWorkspace, napi::Error<String>> {
        match tools::open_workspace(Path::new(&root), options) {
            Ok(workspace) => Ok(NativeWorkspace { workspace: Mutex::new(Some(workspace)) }),
            Err(error) => Err(napi::Error::new(ENGINE_ERROR.to_string(), error_text(&error))),
        }
    }

    /// Lays unsaved texts over the workspace: makes another one, from a JSON object of texts by path.
    #[napi(catch_unwind)]
    pub fn with_overlay(&self, overlay: &[u8]) -> Result<NativeWorkspace, napi::Error<String>> {
        let thrown = |error: &searchscope::Error| {
            napi::Error::new(ENGINE_ERROR.to_string(), error_text(error))
        };
        let workspace = self.workspace().clone();
        let workspace = workspace.ok_or_else(|| {
            let closed = searchscope::ErrorKind::Cancelled;
            thrown(&searchscope::Error::new(closed, "the workspace is closed"))
        })?;
        match tools::with_overlay(&workspace, overlay) {
            Ok(workspace) => Ok(NativeWorkspace { workspace: Mutex::new(Some(workspace)) }),
            Err(error) => Err(thrown(&error)),
        }
    }

    /// Starts a call whose reply is JSON, or with `as_text` plain text; or gives null while `calls_max` calls of this process hold a libuv thread.
    ///
    /// The promise always resolves, with an envelope of either a reply or an error.
    #[napi(catch_unwind)]
    pub fn call(
        &self,
        tool: String,
        args: &[u8],
        as_text: bool,
        cancel: &CancelToken,
        calls_max: u32,
    ) -> napi::Result<Option<AsyncTask<CallTask>>> {
        let operation = Operation::Tool { name: tool, args: args.to_vec(), as_text };
        self.begin(operation, cancel, calls_max)
    }

    /// Starts to make the text of a JSON reply, as [`NativeWorkspace::call`] starts a call. The envelope
    /// is empty where the text needs a run of its own.
    #[napi(catch_unwind)]
    pub fn text_of(
        &self,
        tool: String,
        args: &[u8],
        reply: String,
        cancel: &CancelToken,
        calls_max: u32,
    ) -> napi::Result<Option<AsyncTask<CallTask>>> {
        let operation = Operation::TextOf { name: tool, args: args.to_vec(), reply };
        self.begin(operation, cancel, calls_max)
    }

    /// Starts to build the index, as [`NativeWorkspace::call`] starts a call; the reply is its state.
    #[napi(catch_unwind)]
    pub fn warm(
        &self,
        cancel: &CancelToken,
        calls_max: u32,
    ) -> napi::Result<Option<AsyncTask<CallTask>>> {
        self.begin(Operation::Warm, cancel, calls_max)
    }

    /// Returns the state of the index as JSON.
    #[napi(catch_unwind)]
    pub fn index_status(&self) -> napi::Result<String> {
        Ok(String::from_utf8_lossy(&self.opened()?.index_status_json()).into_owned())
    }

    /// Makes a stream of the tool `search`, for the JavaScript thread with this id.
    #[napi(catch_unwind)]
    pub fn search(&self, args: &[u8], thread: u32) -> napi::Result<NativeStream> {
        self.stream(Source::Search, args, thread)
    }

    /// The same of the tool `find`.
    #[napi(catch_unwind)]
    pub fn find(&self, args: &[u8], thread: u32) -> napi::Result<NativeStream> {
        self.stream(Source::Find, args, thread)
    }

    /// Lets go of the root; what runs keeps it until it ends.
    #[napi(catch_unwind)]
    pub fn close(&self) {
        *self.workspace() = None;
    }

    fn begin(
        &self,
        operation: Operation,
        cancel: &CancelToken,
        calls_max: u32,
    ) -> napi::Result<Option<AsyncTask<CallTask>>> {
        let (workspace, token) = (self.opened()?, cancel.token.clone());
        let Some(in_flight) = InFlight::enter(cancel.thread, Work::Call(token.clone()), calls_max)
        else {
            return Ok(None);
        };
        let call = NativeCall { workspace, operation, token };
        Ok(Some(AsyncTask::new(CallTask::new(call, in_flight))))
    }

    fn stream(&self, source: Source, args: &[u8], thread: u32) -> napi::Result<NativeStream> {
        let request = Request { workspace: self.opened()?, source, args: args.to_vec() };
        Ok(NativeStream::of(request, thread))
    }

    fn opened(&self) -> napi::Result<Workspace> {
        // The wrapper does not ask.
        self.workspace().clone().ok_or_else(|| napi::Error::from_reason("the workspace is closed"))
    }

    fn workspace(&self) -> MutexGuard<'_, Option<Workspace>> {
        self.workspace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tool table as JSON.
#[napi(catch_unwind)]
pub fn tools() -> String {
    String::from_utf8_lossy(&tools::tools_json()).into_owned()
}

/// The names of the tools, in the order of the table.
#[napi(catch_unwind)]
pub fn tool_names() -> Vec<&'static str> {
    tools::TOOLS.iter().map(|tool| tool.name).collect()
}

/// The pattern language of scopes explained, as Markdown.
#[napi(catch_unwind)]
pub fn scope_reference() -> &'static str {
    searchscope::SCOPE_REFERENCE
}

/// Returns the gitignore lines of the option `deny_secrets`.
#[napi(catch_unwind)]
pub fn secrets() -> Vec<&'static str> {
    searchscope::SECRETS.to_vec()
}

/// Returns the version of these lines.
#[napi(catch_unwind)]
pub fn secrets_version() -> u32 {
    searchscope::SECRETS_VERSION
}

/// Cancels the calls and streams of one JavaScript thread, or of all when none is named.
#[napi(catch_unwind)]
pub fn cancel_all(thread: Option<u32>) {
    in_flight::cancel(thread);
}

/// Makes a socket and gives one end; when that closes, the calls and streams of the thread are
/// cancelled.
///
/// Null where there are no such sockets.
#[napi(catch_unwind)]
pub fn cancel_when_closed(env: &Env, thread: u32) -> Option<in_flight::ExitSocket> {
    in_flight::cancel_when_closed(env, thread)
}
