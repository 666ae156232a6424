//! One call of a tool, off the main thread.

use crate::in_flight::InFlight;
use napi::{Env, Task};
use napi_derive::napi;
use searchscope::{Call, CancelToken, Error, ErrorKind, Workspace, tools};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The error of a call or stream that panicked. A literal, so that creating it cannot panic as well.
pub(crate) const PANICKED: &str =
    r#"{"code":"internal","message":"internal error in searchscope; the workspace stays usable"}"#;

/// What a call's promise resolves with; at most one of the two is there.
#[napi(object)]
#[derive(Debug)]
pub struct Envelope {
    /// The tool's reply, JSON or plain text.
    pub reply: Option<String>,
    /// The engine's error as JSON.
    pub error: Option<String>,
}

/// A call and its inputs.
pub(crate) struct NativeCall {
    pub(crate) workspace: Workspace,
    pub(crate) operation: Operation,
    pub(crate) token: CancelToken,
}

/// The operation that a call runs.
pub(crate) enum Operation {
    Tool {
        name: String,
        args: Vec<u8>,
        /// Whether the reply is plain text instead of JSON.
        as_text: bool,
    },
    /// Makes the text of a reply that is there as JSON.
    TextOf { name: String, args: Vec<u8>, reply: String },
    /// Builds the index.
    Warm,
}

/// A call that waits for a libuv thread or runs on one.
pub struct CallTask {
    call: NativeCall,
    in_flight: Option<InFlight>,
}

impl CallTask {
    pub(crate) fn new(call: NativeCall, in_flight: InFlight) -> CallTask {
        CallTask { call, in_flight: Some(in_flight) }
    }

    fn run(&self) -> Envelope {
        match self.call.reply() {
            Ok(reply) => Envelope { reply, error: None },
            Err(error) => Envelope { reply: None, error: Some(error_text(&error)) },
        }
    }
}

impl NativeCall {
    fn reply(&self) -> Result<Option<String>, Error> {
        let call = Call::new().with_cancel(&self.token);
        match &self.operation {
            Operation::Warm => self.workspace.warm_json(&call).and_then(json_text).map(Some),
            Operation::TextOf { name, args, reply } => {
                tools::text_of_reply(&self.workspace, name, args, reply.as_bytes())
            }
            Operation::Tool { name, args, as_text } => {
                test_panic::before_call(name);
                if *as_text {
                    return self.workspace.call_text(name, args, &call).map(Some);
                }
                self.workspace.call(name, args, &call).and_then(json_text).map(Some)
            }
        }
    }
}

impl Task for CallTask {
    type Output = Envelope;
    type JsValue = Envelope;

    fn compute(&mut self) -> napi::Result<Envelope> {
        let in_flight = self.in_flight.take();
        let panicked = || Envelope { reply: None, error: Some(PANICKED.to_string()) };
        let envelope = caught(|| self.run(), panicked);
        // The libuv thread is about to become free: the next call need not wait for the main thread.
        drop(in_flight);
        Ok(envelope)
    }

    fn resolve(&mut self, _env: Env, envelope: Envelope) -> napi::Result<Envelope> {
        Ok(envelope)
    }
}

impl fmt::Debug for CallTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallTask").finish_non_exhaustive()
    }
}

/// Returns the result of `run`, or that of `panicked` if it panics. napi catches no panics on libuv
/// threads: they would abort the host's process.
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

#[cfg(not(feature = "test-panic"))]
pub(crate) mod test_panic {
    pub(super) fn before_call(_tool: &str) {}

    pub(crate) fn before_stream(_args: &[u8]) {}
}

#[cfg(feature = "test-panic")]
pub(crate) mod test_panic {
    pub(super) fn before_call(tool: &str) {
        assert!(tool != "test_panic", "a panic for the tests, in a call");
    }

    /// Panics in a search for `test_panic`.
    pub(crate) fn before_stream(args: &[u8]) {
        let args = String::from_utf8_lossy(args);
        assert!(!args.contains(r#"["test_panic"]"#), "a panic for the tests, in a stream");
    }

    /// Panics on the main thread.
    #[napi_derive::napi(catch_unwind)]
    pub(crate) fn test_panic() {
        panic!("a panic for the tests, on the main thread");
    }
}
