//! The trait of every tool, and the call that it receives.

use crate::arguments::forms::OtherNames;
use crate::arguments::limits::REPLY_BYTES_MAX;
use crate::replies::outcome::Outcome;
use schemars::JsonSchema;
use searchscope::{Call, Error, Result, Workspace};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::ops::Deref;
use std::time::Duration;

/// One call of a tool: a [`Call`] that ends at the deadline of the arguments.
pub(crate) struct ToolCall<'a> {
    /// The arguments as received: a JSON object, empty if they could not be read.
    pub(crate) args: &'a Value,
    /// Whether the arguments could be read.
    pub(crate) is_read: bool,
    pub(crate) call: Call,
}

impl ToolCall<'_> {
    /// Returns whether the caller passed this argument.
    pub(crate) fn is_given(&self, name: &str) -> bool {
        self.args.get(name).is_some()
    }
}

impl Deref for ToolCall<'_> {
    type Target = Call;

    fn deref(&self) -> &Call {
        &self.call
    }
}

/// Receiver of the results of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consumer {
    /// One reply, which has limits and a deadline even if the arguments do not set them.
    Reply,
    /// A stream that the caller reads as far as it wants: only limits and deadlines in the
    /// arguments apply.
    Stream,
}

/// Returns the defaults of a call whose reply is text, given its arguments.
pub(crate) type TextDefaults = fn(&Value) -> Map<String, Value>;

/// A tool's contract, which its file implements.
pub(crate) trait Contract {
    const NAME: &'static str;
    const DESCRIPTION: &'static str;
    type Args: for<'a> Deserialize<'a> + JsonSchema + Send + 'static;
    type Reply: Serialize + JsonSchema + Send + 'static;

    /// Returns how long a call with these arguments may take.
    fn timeout(args: &Self::Args) -> Duration;

    fn run(workspace: &Workspace, args: Self::Args, call: &ToolCall<'_>) -> Result<Self::Reply>;

    /// Returns the outcome of a call with this reply.
    fn outcome(reply: &Self::Reply) -> Outcome;

    /// Converts an error to a reply where the contract has a shape for it.
    fn failed(error: Error, _call: &ToolCall<'_>) -> Result<Self::Reply> {
        Err(error)
    }

    /// Arguments that the contract clamps or replaces when they are invalid; the tool checks them
    /// itself.
    const LENIENT: &'static [&'static str] = &[];

    /// Names that callers may expect for another parameter, each with advice.
    const EXPECTED: &'static [(&'static str, &'static str)] = &[];

    /// Parameters with the other names that callers use for them and that can mean nothing else.
    const OTHER_NAMES: &'static [OtherNames] = &[];
    /// Whole numbers that may be written as text.
    const NUMBERS_AS_TEXT: &'static [&'static str] = &[];

    /// Whether only the exact names and shapes of the contract are accepted, as its document
    /// demands.
    const STRICT: bool = false;

    /// Whether the reply has its text in the field `text`.
    const REPLIES_TEXT: bool = false;

    /// Defaults of a call whose reply is text.
    const TEXT_DEFAULTS: TextDefaults = |_| Map::new();

    /// Whether error replies repeat the arguments, so that all of them must be read.
    const SHOWS_ARGS: bool = false;

    /// Maximum size of a reply.
    const REPLY_BYTES_MAX: usize = REPLY_BYTES_MAX;
}
