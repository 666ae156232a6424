//! Bounds of a walk over documents, and its report.

use crate::workspace::RelPath;
use std::collections::BTreeMap;

/// Maximum number of warnings; more are only counted.
pub(super) const WARNINGS_MAX: usize = 1_000;

/// Bounds of a walk over documents. They have no defaults: each tool chooses its own.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a limit that is added must be decided by every caller"
)]
pub struct DocumentLimits {
    /// Maximum number of documents; the walk ends there.
    pub documents_max: usize,
    /// Maximum size of a document; larger ones are not read, and cause a warning.
    pub document_bytes_max: u64,
}

/// Report of a walk over documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentWalk {
    /// Whether a limit or the deadline ended the walk before its end.
    pub truncated: bool,
    /// Whether the deadline ended it.
    pub timed_out: bool,
    /// Directories and documents that could not be read, in the order of the walk: the first 1,000.
    pub warnings: Vec<DocumentWarning>,
    /// Number of warnings beyond those.
    pub more_warnings: u64,
    /// Number of documentation files in other formats that the walk met, by the suffixes that
    /// [`WorkspaceOptions::doc_suffixes`](crate::WorkspaceOptions::doc_suffixes) lacks.
    pub other_formats: BTreeMap<&'static str, u64>,
}

impl DocumentWalk {
    pub(super) fn warn(&mut self, path: &RelPath, operation: DocumentOperation, reason: String) {
        if self.warnings.len() >= WARNINGS_MAX {
            self.more_warnings += 1;
            return;
        }
        let path = if path.is_root() { String::new() } else { path.display().into_owned() };
        self.warnings.push(DocumentWarning { path, operation, reason });
    }
}

/// A directory or document that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentWarning {
    /// The path relative to the documents' root; empty for the root itself.
    pub path: String,
    /// The operation that failed.
    pub operation: DocumentOperation,
    /// The reason, in a few words.
    pub reason: String,
}

/// An operation of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentOperation {
    /// Lists a directory.
    List,
    /// Reads a document.
    Read,
}

impl DocumentOperation {
    /// Returns the stable name of the operation, which replies contain.
    pub const fn code(self) -> &'static str {
        match self {
            DocumentOperation::List => "list",
            DocumentOperation::Read => "read",
        }
    }
}
