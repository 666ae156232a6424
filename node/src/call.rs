//! One call of a tool, off the main thread.

use crate::in_flight::InFlight;
use crate::promise::Deferred;
use crate::test_hooks;
use napi_derive::napi;
use searchscope::{Call, Error, ErrorKind, Workspace};
use searchscope_tools as tools;
use searchscope_tools::CallTools;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The error of a call or stream that panicked. A literal, so that creating it cannot panic as well.
pub(crate) const PANICKED: &str =
    r#"{"code":"internal","message":"internal error in searchscope; the workspace stays usable"}"#;

/// What a call's promise resolves with; one of the two is there.
#[napi(object)]
#[derive(Debug)]
pub(crate) struct Envelope {
    /// The tool's reply, JSON or plain text.
    pub reply: Option<String>,
    /// The engine's error as JSON.
    pub error: Option<String>,
}

impl Envelope {
    fn of(reply: Result<String, Error>) -> Envelope {
        match reply {
            Ok(reply) => Envelope { reply: Some(reply), error: None },
            Err(error) => Envelope::failed(error_text(&error)),
        }
    }

    fn failed(error: String) -> Envelope {
        Envelope { reply: None, error: Some(error) }
    }
}

/// Cancels one call, and knows whether it has begun.
#[derive(Clone, Debug, Default)]
pub(crate) struct Token {
    pub(crate) cancel: searchscope::CancelToken,
    has_begun: Arc<AtomicBool>,
}

impl Token {
    /// Returns the number of files that the call has visited so far; `None` while it waits.
    pub(crate) fn files(&self) -> Option<u64> {
        self.has_begun.load(Relaxed).then(|| self.cancel.files_looked_at())
    }
}

/// A call and its inputs.
pub(crate) struct NativeCall {
    pub(crate) workspace: Workspace,
    pub(crate) operation: Operation,
    pub(crate) token: Token,
}

/// The operation that a call runs.
pub(crate) enum Operation {
    Tool {
        name: String,
        args: Vec<u8>,
        /// Whether the reply is plain text instead of JSON.
        as_text: bool,
    },
    /// Builds the index.
    Warm,
}

impl NativeCall {
    fn reply(&self) -> Result<String, Error> {
        let call = Call::new().with_cancel(&self.token.cancel);
        match &self.operation {
            Operation::Warm => self.workspace.warm_json(&call).and_then(json_text),
            Operation::Tool { name, args, as_text } => {
                if let Some(reply) = test_hooks::reply(name, &call) {
                    return reply;
                }
                if *as_text {
                    return self.workspace.call_text(name, args, &call);
                }
                self.workspace.call(name, args, &call).and_then(json_text)
            }
        }
    }
}

/// A call that waits for a thread or runs on one.
pub(crate) struct QueuedCall {
    pub(crate) call: NativeCall,
    pub(crate) promise: Deferred<Envelope>,
    pub(crate) in_flight: InFlight,
}

impl QueuedCall {
    pub(crate) fn is_cancelled(&self) -> bool {
        self.call.token.cancel.is_cancelled()
    }

    /// Runs the call and returns its reply, which is still to be sent.
    pub(crate) fn run(self) -> UnsentReply {
        let QueuedCall { call, promise, in_flight } = self;
        call.token.has_begun.store(true, Relaxed);
        // With the call, the closure drops its workspace: it is released before the caller hears.
        let run = move || Envelope::of(call.reply());
        let envelope = caught(run, || Envelope::failed(PANICKED.to_string()));
        drop(in_flight);
        UnsentReply { envelope, promise }
    }

    /// Ends a call that was cancelled before it began.
    pub(crate) fn cancel(self) {
        let error = Error::new(ErrorKind::Cancelled, "the call was cancelled");
        self.fail(error_text(&error));
    }

    /// Ends a call for which there is no thread.
    pub(crate) fn refuse(self) {
        self.fail(busy("the system cannot start a thread for the call"));
    }

    fn fail(self, error: String) {
        let promise = self.promise;
        drop((self.call, self.in_flight));
        promise.resolve(Envelope::failed(error));
    }
}

/// The reply of a call that has ended.
pub(crate) struct UnsentReply {
    envelope: Envelope,
    promise: Deferred<Envelope>,
}

impl UnsentReply {
    /// Resolves the caller's promise.
    pub(crate) fn send(self) {
        self.promise.resolve(self.envelope);
    }
}

/// Returns the result of `run`, or that of `panicked` if it panics. Nothing else catches panics on threads
/// of the addon: they would lose the thread and leave its promise pending.
pub(crate) fn caught<T>(run: impl FnOnce() -> T, panicked: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        // Leaked, because dropping it may panic again.
        std::mem::forget(payload);
        panicked()
    })
}

/// Converts JSON bytes of the engine to text.
pub(crate) fn json_text(json: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(json).map_err(|_| Error::new(ErrorKind::Internal, "the reply is not UTF-8"))
}

/// Returns an engine error as JSON text.
pub(crate) fn error_text(error: &Error) -> String {
    String::from_utf8_lossy(&tools::error_json(error)).into_owned()
}

/// Returns the error for lack of room as JSON text; its code exists only in the Node package.
pub(crate) fn busy(message: &str) -> String {
    format!(r#"{{"code":"busy","message":"{message}"}}"#)
}
