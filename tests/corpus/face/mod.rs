//! The three ways into the engine, each thin: open, call, return the bytes.

mod c;
pub mod child;
mod core;
mod node;
mod unsaved;

pub use self::c::CFace;
pub use self::core::{CoreFace, IndexUse};
pub use self::node::NodeFace;
pub use self::unsaved::UnsavedFace;

use crate::mask::mask_bytes;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// Maximum time of a case on any machine; a longer one hangs.
const CALL_LIMIT: Duration = Duration::from_secs(60);

/// One call of a tool.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name of the tool.
    pub tool: String,
    /// Its arguments: JSON, or other bytes sent in its place.
    pub args: Vec<u8>,
}

/// The outcome of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The bytes of the reply.
    Reply(Vec<u8>),
    /// The text code and the error as JSON.
    Failure {
        /// The stable text code.
        code: String,
        /// The bytes of the error object.
        error: Vec<u8>,
    },
}

impl Outcome {
    /// Returns the outcome without the values that differ from call to call.
    #[must_use]
    pub fn masked(&self) -> Outcome {
        match self {
            Outcome::Reply(bytes) => Outcome::Reply(mask_bytes(bytes)),
            failure => failure.clone(),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Reply(bytes) => f.write_str(&String::from_utf8_lossy(bytes)),
            Outcome::Failure { code, error } => {
                write!(f, "{code} {}", String::from_utf8_lossy(error))
            }
        }
    }
}

/// A way into the engine.
pub trait Face {
    /// Returns the name of the face in reports.
    fn name(&self) -> String;

    /// Opens a workspace, makes the calls in order and returns one outcome for each.
    ///
    /// # Panics
    /// If the face itself fails: it crashed, hung, or did not answer every call.
    fn run(&self, root: &Path, options: &str, calls: &[Call]) -> Vec<Outcome>;
}
