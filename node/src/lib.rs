//! The Node addon: runs calls of the engine on threads of its own, bytes in and bytes out.
//!
//! Search logic belongs to the engine; abort signals, promises and error classes belong to the wrapper
//! (`node/api.js`). The addon does only what needs native code: leave the main thread, stop a running
//! call, and turn a panic into an error before it reaches Node, which would abort.

mod buffer;
mod call;
mod command;
mod in_flight;
mod promise;
mod queue;
mod stream;
mod test_hooks;
mod threads;

use call::{NativeCall, Operation, QueuedCall, Token, error_text};
use in_flight::InFlight;
use napi::Env;
use napi::bindgen_prelude::Object;
use napi_derive::napi;
use promise::Deferred;
use searchscope::Workspace;
use searchscope_tools as tools;
use searchscope_tools::CallTools;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use stream::{NativeStream, Request, Source};

/// The `code` of a thrown JavaScript error whose message is an engine error as JSON.
const ENGINE_ERROR: &str = "searchscope";

/// A token that cancels the call it was passed to.
#[napi]
#[derive(Debug)]
pub struct CancelToken {
    token: Token,
    thread: u32,
}

#[napi]
impl CancelToken {
    /// Creates a token for a call of the JavaScript thread with this id.
    #[napi(constructor, catch_unwind)]
    pub fn new(thread: u32) -> CancelToken {
        CancelToken { token: Token::default(), thread }
    }

    /// Cancels the call: it soon fails with `cancelled`.
    #[napi(catch_unwind)]
    pub fn cancel(&self) {
        self.token.cancel.cancel();
        threads::note_cancelled();
    }

    /// Returns the number of files that the call has visited so far, and null while it waits for a thread.
    #[napi(catch_unwind)]
    pub fn files(&self) -> Option<f64> {
        // Exact up to 2^53.
        self.token.files().map(|files| files as f64)
    }
}

/// The id of the next workspace that is opened.
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

/// An open workspace.
#[napi]
#[derive(Debug)]
pub struct NativeWorkspace {
    /// `None` once closed. Locked, because napi lends the object to a running call.
    workspace: Mutex<Option<Workspace>>,
    /// Calls start in the turns of this id; a workspace with unsaved texts has the id of the one below it.
    id: u64,
}

#[napi]
impl NativeWorkspace {
    /// Opens `root` with options as JSON bytes. Throws an engine error with its JSON as the message.
    #[napi(factory, catch_unwind)]
    pub fn open(root: String, options: &[u8]) -> Result<NativeWorkspace, napi::Error<String>> {
        match tools::open_workspace(Path::new(&root), options) {
            Ok(workspace) => Ok(NativeWorkspace::of(workspace, NEXT_ID.fetch_add(1, Relaxed))),
            Err(error) => Err(napi::Error::new(ENGINE_ERROR.to_string(), error_text(&error))),
        }
    }

    /// Creates a workspace with unsaved texts laid over this one, from a JSON object of texts by path.
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
            Ok(workspace) => Ok(NativeWorkspace::of(workspace, self.id)),
            Err(error) => Err(thrown(&error)),
        }
    }

    /// Starts a call whose reply is JSON, or with `as_text` plain text. It waits in a queue while too many
    /// calls run.
    ///
    /// The promise always resolves, to an envelope with either a reply or an error.
    #[napi(catch_unwind)]
    pub fn call<'env>(
        &self,
        env: &'env Env,
        tool: String,
        args: &[u8],
        as_text: bool,
        cancel: &CancelToken,
    ) -> napi::Result<Object<'env>> {
        let operation = Operation::Tool { name: tool, args: args.to_vec(), as_text };
        self.begin(env, operation, cancel)
    }

    /// Starts building the index, as [`NativeWorkspace::call`] starts a call; the reply is its state.
    #[napi(catch_unwind)]
    pub fn warm<'env>(&self, env: &'env Env, cancel: &CancelToken) -> napi::Result<Object<'env>> {
        self.begin(env, Operation::Warm, cancel)
    }

    /// Returns the state of the index as JSON.
    #[napi(catch_unwind)]
    pub fn index_status(&self) -> napi::Result<String> {
        Ok(String::from_utf8_lossy(&self.opened()?.index_status_json()).into_owned())
    }

    /// Creates a stream of the tool `search`, for the JavaScript thread with this id.
    #[napi(catch_unwind)]
    pub fn search(&self, args: &[u8], thread: u32) -> napi::Result<NativeStream> {
        self.stream(Source::Search, args, thread)
    }

    /// Creates a stream of the tool `find`, for the JavaScript thread with this id.
    #[napi(catch_unwind)]
    pub fn find(&self, args: &[u8], thread: u32) -> napi::Result<NativeStream> {
        self.stream(Source::Find, args, thread)
    }

    /// Releases the root; running calls and streams keep it until they end.
    #[napi(catch_unwind)]
    pub fn close(&self) {
        *self.workspace() = None;
    }

    fn of(workspace: Workspace, id: u64) -> NativeWorkspace {
        NativeWorkspace { workspace: Mutex::new(Some(workspace)), id }
    }

    fn begin<'env>(
        &self,
        env: &'env Env,
        operation: Operation,
        cancel: &CancelToken,
    ) -> napi::Result<Object<'env>> {
        let (workspace, token) = (self.opened()?, cancel.token.clone());
        let (promise, object) = Deferred::new(env)?;
        let in_flight = InFlight::of_call(cancel.thread, token.cancel.clone());
        let call = NativeCall { workspace, operation, token };
        threads::submit(self.id, QueuedCall { call, promise, in_flight });
        Ok(object)
    }

    fn stream(&self, source: Source, args: &[u8], thread: u32) -> napi::Result<NativeStream> {
        let request = Request { workspace: self.opened()?, source, args: args.to_vec() };
        Ok(NativeStream::of(request, thread))
    }

    fn opened(&self) -> napi::Result<Workspace> {
        // Callers never see this: the wrapper checks first.
        self.workspace().clone().ok_or_else(|| napi::Error::from_reason("the workspace is closed"))
    }

    fn workspace(&self) -> MutexGuard<'_, Option<Workspace>> {
        self.workspace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the tool table as JSON.
#[napi(catch_unwind)]
pub fn tools() -> String {
    String::from_utf8_lossy(&tools::tools_json()).into_owned()
}

/// Returns the names of the tools, in table order.
#[napi(catch_unwind)]
pub fn tool_names() -> Vec<&'static str> {
    tools::TOOLS.iter().map(|tool| tool.name).collect()
}

/// Returns the reference of the scope pattern language, as Markdown.
#[napi(catch_unwind)]
pub fn scope_reference() -> &'static str {
    searchscope::SCOPE_REFERENCE
}

/// Returns the gitignore lines of the option `deny_secrets`.
#[napi(catch_unwind)]
pub fn secrets() -> Vec<&'static str> {
    searchscope::SECRETS.to_vec()
}

/// Returns the version of the list that [`secrets`] returns.
#[napi(catch_unwind)]
pub fn secrets_version() -> u32 {
    searchscope::SECRETS_VERSION
}

/// Lets the threads of the process share `n` heaps, if its C library is glibc.
#[napi(catch_unwind)]
pub fn limit_heaps(n: u8) {
    searchscope_memory::limit_heaps(n);
}

/// Returns freed memory of the process to the system, if its C library is glibc.
#[napi(catch_unwind)]
pub fn return_memory() {
    searchscope_memory::trim();
}

/// Cancels the calls and streams of all JavaScript threads, because the process exits, and waits a moment for
/// the calls to end.
#[napi(catch_unwind)]
pub fn cancel_all() {
    in_flight::cancel_all();
}

/// Cancels the calls and streams of the JavaScript thread with this id when its environment ends, for
/// example because the worker is terminated.
#[napi(catch_unwind)]
pub fn cancel_at_end(env: &Env, thread: u32) -> napi::Result<()> {
    env.add_env_cleanup_hook(thread, in_flight::cancel_thread).map(drop)
}
