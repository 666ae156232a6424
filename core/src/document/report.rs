//! Bounds of a walk over documents, and its report.

use std::collections::BTreeMap;

/// Bounds of a walk over documents. They have no defaults: what is right is the tool's to say.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a limit that is added must be decided by every caller"
)]
pub struct DocumentLimits {
    /// After so many documents the walk ends.
    pub documents_max: usize,
    /// A larger document is not read, and warned of.
    pub document_bytes_max: u64,
}

/// How a walk over documents went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentWalk {
    /// Whether a limit or the deadline ended the walk while something was left.
    pub truncated: bool,
    /// Whether it was the deadline.
    pub timed_out: bool,
    /// What was not looked at, in the order of the walk: the first 1,000.
    pub warnings: Vec<DocumentWarning>,
    /// How many warnings there were beside those.
    pub more_warnings: u64,
    /// The files of documentation in other formats, as far as the walk went: how many for each end of
    /// a name that [`WorkspaceOptions::doc_suffixes`](crate::WorkspaceOptions::doc_suffixes) lacks.
    pub other_formats: BTreeMap<&'static str, u64>,
}

/// Something among the documents that was not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentWarning {
    /// Where, relative to the documents' root; empty for that itself.
    pub path: String,
    /// What was to be done there.
    pub operation: DocumentOperation,
    /// Why it was not, in a few words.
    pub reason: String,
}

/// What a walk does at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentOperation {
    /// Lists a directory.
    List,
    /// Reads a document.
    Read,
}

impl DocumentOperation {
    /// The stable text of the operation, as replies give it.
    pub const fn code(self) -> &'static str {
        match self {
            DocumentOperation::List => "list",
            DocumentOperation::Read => "read",
        }
    }
}
