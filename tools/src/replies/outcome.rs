//! The outcome of a call: whether it found something.

/// Outcome of a call that returned a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a host must tell all outcomes apart")]
pub enum Outcome {
    /// There are results; a tool that does not search has replied.
    Found,
    /// There are no results, and everything in scope was searched.
    Nothing,
    /// There are no results, but not everything was searched; or the reply is an error.
    Unknown,
}

impl Outcome {
    /// Returns the outcome of a search. `is_complete` is whether nothing in scope was left out.
    pub(crate) fn of_search(has_results: bool, is_complete: bool) -> Outcome {
        match (has_results, is_complete) {
            (true, _) => Outcome::Found,
            (false, true) => Outcome::Nothing,
            (false, false) => Outcome::Unknown,
        }
    }
}

/// Reply of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolReply {
    /// The reply in the requested form.
    pub bytes: Vec<u8>,
    /// Outcome of the call, the same in either form.
    pub outcome: Outcome,
}

impl AsRef<[u8]> for ToolReply {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
