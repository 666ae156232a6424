//! Markdown documents.

use super::CallOptions;
use crate::document::{
    Document, DocumentEntry, DocumentLimits, DocumentList, DocumentMatches, DocumentReport,
    DocumentSearch,
};
use crate::error::Result;
use crate::{CancelToken, Workspace};
use std::time::Duration;

/// Default bounds of a walk.
const LIMITS: DocumentLimits =
    DocumentLimits { documents_max: 10_000, document_bytes_max: 16 << 20 };

/// The documents below a directory of the documents' root.
///
/// ```
/// use searchscope::Workspace;
/// # fn main() -> searchscope::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # std::fs::write(dir.path().join("a.md"), "---\nname: Guide\n---\nHow to Search\n").unwrap();
/// let workspace = Workspace::open(dir.path())?;
/// for document in &workspace.documents().search("search")? {
///     println!("{}: {} matches", document.name, document.matches.len());
/// }
/// # assert_eq!(workspace.documents().read("a.md")?.name, "Guide");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is read before `search`, `list` or `read`"]
pub struct Documents<'w> {
    workspace: &'w Workspace,
    path: String,
    case_sensitive: bool,
    matches_max: usize,
    limits: DocumentLimits,
    by_relevance: bool,
    call: CallOptions,
}

impl Workspace {
    /// Returns a builder for searching, listing and reading documents.
    pub fn documents(&self) -> Documents<'_> {
        Documents {
            workspace: self,
            path: "/".to_owned(),
            case_sensitive: false,
            matches_max: 1_000,
            limits: LIMITS,
            by_relevance: false,
            call: CallOptions::default(),
        }
    }
}

impl Documents<'_> {
    /// Restricts the walk to a directory, relative to the documents' root.
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// Compares letters with their case.
    pub fn case_sensitive(mut self, on: bool) -> Self {
        self.case_sensitive = on;
        self
    }

    /// Finds the words of the query, in any case and in other forms, and puts the most relevant document first.
    pub fn by_relevance(mut self, on: bool) -> Self {
        self.by_relevance = on;
        self
    }

    /// Stops a search after `matches` matches; 1,000 unless set.
    pub fn limit(mut self, matches: usize) -> Self {
        self.matches_max = matches;
        self
    }

    /// Sets the bounds of the walk.
    pub fn limits(mut self, limits: DocumentLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Stops `timeout` after the start with the results so far.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.call.timeout = Some(timeout);
        self
    }

    /// Ends the call with the error `cancelled` once `cancel` is triggered.
    pub fn cancel(mut self, cancel: &CancelToken) -> Self {
        self.call.cancel = cancel.clone();
        self
    }

    /// Finds a text in the documents.
    ///
    /// # Errors
    ///
    /// As [`Workspace::search_documents`].
    pub fn search(&self, query: impl Into<String>) -> Result<DocumentReport> {
        let search = DocumentSearch {
            query: query.into(),
            case_sensitive: self.case_sensitive,
            path: self.path.clone(),
            context_units: 50,
            matches_max: self.matches_max,
            matches_per_document_max: None,
            limits: self.limits,
            by_relevance: self.by_relevance,
        };
        self.workspace.search_documents(&search, &self.call.start())
    }

    /// Lists the documents that have a description.
    ///
    /// # Errors
    ///
    /// As [`Workspace::list_documents`].
    pub fn list(&self) -> Result<DocumentList> {
        self.workspace.list_documents(&self.path, &self.limits, &self.call.start())
    }

    /// Reads the document at `path`, relative to the documents' root.
    ///
    /// # Errors
    ///
    /// As [`Workspace::read_document`].
    pub fn read(&self, path: &str) -> Result<Document> {
        self.workspace.read_document(path, &self.limits, &self.call.start())
    }
}

impl<'a> IntoIterator for &'a DocumentReport {
    type Item = &'a DocumentMatches;
    type IntoIter = std::slice::Iter<'a, DocumentMatches>;

    fn into_iter(self) -> Self::IntoIter {
        self.documents.iter()
    }
}

impl<'a> IntoIterator for &'a DocumentList {
    type Item = &'a DocumentEntry;
    type IntoIter = std::slice::Iter<'a, DocumentEntry>;

    fn into_iter(self) -> Self::IntoIter {
        self.documents.iter()
    }
}
