//! Markdown documents: searching, listing and reading them. The search returns the same results as
//! the JavaScript service that it replaces. Contract: docs/contracts/documents.md.
//!
//! Documents are the regular files below the documents' root whose names end in `.md`, or in a
//! suffix that the host names, in the order of a depth-first walk of Node: the entries of a
//! directory by the bytes of their names, files and directories mixed. Names that begin with a dot
//! are left out, as are paths that the workspace excludes or denies; git's ignore files do not
//! count. Symlinks are not followed.

mod excerpt;
mod fold;
mod front_matter;
mod library;
mod listing;
mod needle;
mod ranked;
mod reading;
mod report;
mod search;
#[cfg(test)]
mod tests;

pub use library::{Document, DocumentEntry, DocumentList};
pub use report::{DocumentLimits, DocumentOperation, DocumentWalk, DocumentWarning};
pub use search::{DocumentMatch, DocumentMatches, DocumentReport, DocumentSearch};

use crate::call::Call;
use crate::error::Result;
use crate::search::after_search;
use crate::workspace::Workspace;

impl Workspace {
    /// Finds a text in the documents below a directory.
    ///
    /// Documents with more matches, or by relevance the best, come first; equal ones stay in the order of the
    /// walk. The result is the same for any number of threads.
    ///
    /// ```
    /// use searchscope::{Call, DocumentLimits, DocumentSearch, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.md"), "---\nname: Guide\n---\nHow to Search\n").unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// let search = DocumentSearch {
    ///     query: "search".into(),
    ///     case_sensitive: false,
    ///     path: "/".into(),
    ///     context_units: 50,
    ///     matches_max: 500,
    ///     matches_per_document_max: Some(10),
    ///     limits: DocumentLimits { documents_max: 1_000, document_bytes_max: 1 << 24 },
    ///     by_relevance: false,
    /// };
    /// let report = workspace.search_documents(&search, &Call::new())?;
    /// assert_eq!(report.documents[0].name, "Guide");
    /// assert_eq!(report.documents[0].matches[0].excerpt, "How to **Search** ");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `access_denied` when the path leaves the documents' root, `cancelled`, and `internal` for a
    /// defect. A missing directory is a warning.
    pub fn search_documents(&self, search: &DocumentSearch, call: &Call) -> Result<DocumentReport> {
        let report = search::search(self, search, call)?;
        after_search(self);
        Ok(report)
    }

    /// Lists the documents below the directory `path` that have a description in their front
    /// matter, in the order of the walk.
    ///
    /// ```
    /// use searchscope::{Call, DocumentLimits, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("a.md"), "---\nname: Guide\ndescription: How to start\n---\n").unwrap();
    /// # std::fs::write(dir.path().join("b.md"), "No front matter\n").unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// let limits = DocumentLimits { documents_max: 1_000, document_bytes_max: 1 << 24 };
    /// let list = workspace.list_documents("/", &limits, &Call::new())?;
    /// assert_eq!(list.documents.len(), 1);
    /// assert_eq!(list.documents[0].description, "How to start");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::search_documents`].
    pub fn list_documents(
        &self,
        path: &str,
        limits: &DocumentLimits,
        call: &Call,
    ) -> Result<DocumentList> {
        library::list(self, path, limits, call)
    }

    /// Reads the document at `path`, relative to the documents' root, with or without a leading
    /// `/`.
    ///
    /// ```
    /// use searchscope::{Call, DocumentLimits, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # std::fs::write(dir.path().join("guide.md"), "# Guide\n").unwrap();
    /// let workspace = Workspace::open(dir.path())?;
    /// let limits = DocumentLimits { documents_max: 1_000, document_bytes_max: 1 << 24 };
    /// let document = workspace.read_document("/guide.md", &limits, &Call::new())?;
    /// assert_eq!((&*document.name, &*document.content), ("guide", "# Guide\n"));
    /// let error = workspace.read_document("gone.md", &limits, &Call::new()).unwrap_err();
    /// assert_eq!(error.code(), "not_found");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `access_denied` when the path leaves the documents' root, `not_found` when there is no such
    /// document, `result_too_large` when it is larger than the limit, `timeout`, `cancelled`, `io`.
    pub fn read_document(
        &self,
        path: &str,
        limits: &DocumentLimits,
        call: &Call,
    ) -> Result<Document> {
        library::read(self, path, limits, call)
    }
}
