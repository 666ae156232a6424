//! Markdown documents: searched as the JavaScript service searches them that this replaces, listed,
//! and read. Contract: contracts.md section 3.
//!
//! Documents are the regular files below the documents' root whose names end in `.md`, in the order
//! in which a depth-first walk of Node meets them: the entries of a directory by the bytes of their
//! names, files and directories mixed. Names that begin with a dot are left out, and so is what the
//! workspace excludes or denies; git's ignore files have no say. Symlinks are not followed.

mod excerpt;
mod fold;
mod front_matter;
mod library;
mod listing;
mod needle;
mod search;
#[cfg(test)]
mod tests;
mod text;

pub use library::{Document, DocumentEntry, DocumentList};
pub use search::{DocumentMatch, DocumentMatches, DocumentReport, DocumentSearch};

use crate::budget::CancelToken;
use crate::error::Result;
use crate::workspace::Workspace;
use std::time::Duration;

/// Bounds of a walk over documents. They have no defaults: what is right is the tool's to say.
#[derive(Clone, Copy, Debug)]
pub struct DocumentLimits {
    /// After so many documents the walk ends.
    pub documents_max: usize,
    /// A larger document is not read, and warned of.
    pub document_bytes_max: u64,
    /// After this time the call fails with `timeout`.
    pub timeout: Option<Duration>,
}

/// Something among the documents that was not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentWarning {
    /// Where, relative to the documents' root; empty for that itself.
    pub path: String,
    /// Whether a directory was to be listed there, and not a document to be read.
    pub is_directory: bool,
    /// Why not, in a few words.
    pub reason: String,
}

impl Workspace {
    /// Finds a text in the documents below a directory.
    ///
    /// Documents with more matches come first; of equals the one that the walk met first. The
    /// result is the same for any number of threads.
    ///
    /// ```
    /// use searchscope::{CancelToken, DocumentLimits, DocumentSearch, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.md"), "---\nname: Guide\n---\nHow to Search\n").unwrap();
    /// let workspace = Workspace::open(dir.path(), &Default::default())?;
    /// let search = DocumentSearch {
    ///     query: "search".into(),
    ///     case_sensitive: false,
    ///     path: "/".into(),
    ///     context_units: 50,
    ///     matches_max: 500,
    ///     matches_per_document_max: 10,
    ///     limits: DocumentLimits {
    ///         documents_max: 1_000,
    ///         document_bytes_max: 1 << 24,
    ///         timeout: None,
    ///     },
    /// };
    /// let report = workspace.search_documents(&search, &CancelToken::new())?;
    /// assert_eq!(report.documents[0].name, "Guide");
    /// assert_eq!(report.documents[0].matches[0].excerpt, "How to **Search** ");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `access_denied` when the path leaves the documents' root, `timeout`, `cancelled`, and
    /// `internal` for a defect. A missing directory is a warning.
    pub fn search_documents(
        &self,
        search: &DocumentSearch,
        cancel: &CancelToken,
    ) -> Result<DocumentReport> {
        search::search(self, search, cancel)
    }

    /// Lists the documents below the directory `path` that have a description in their front
    /// matter, in the order of the walk.
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::search_documents`].
    pub fn list_documents(
        &self,
        path: &str,
        limits: &DocumentLimits,
        cancel: &CancelToken,
    ) -> Result<DocumentList> {
        library::list(self, path, limits, cancel)
    }

    /// Reads the document at `path`, which is counted from the documents' root, with or without a
    /// `/` before it.
    ///
    /// # Errors
    ///
    /// `access_denied` when the path leaves the documents' root, `not_found` when there is no such
    /// document, `result_too_large` when it is larger than the limit, `timeout`, `cancelled`, `io`.
    pub fn read_document(
        &self,
        path: &str,
        limits: &DocumentLimits,
        cancel: &CancelToken,
    ) -> Result<Document> {
        library::read(self, path, limits, cancel)
    }
}
