//! Code shared by the tools over documents.

pub(crate) mod js_values;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod search;

use schemars::JsonSchema;
use searchscope::toolkit::ErrorExt;
use searchscope::{DocumentLimits, DocumentWalk, DocumentWarning, Error, ErrorKind, RelPath};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// docs/contracts/documents.md#limits-and-order.
const DOCUMENTS_MAX: usize = 1_000;
/// Maximum size of a document: larger than any that people read.
const DOCUMENT_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// The deadline: the contract has no parameter for it, but every call needs one.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) const LIMITS: DocumentLimits =
    DocumentLimits { documents_max: DOCUMENTS_MAX, document_bytes_max: DOCUMENT_BYTES_MAX };

/// Summary of a walk in replies.
#[derive(Serialize, JsonSchema)]
pub(crate) struct WalkSummary {
    /// Whether the time limit of 60 seconds ended the walk; the reply has the results found until
    /// then.
    #[serde(skip_serializing_if = "is_false")]
    timed_out: bool,
    /// Entries not read: the first 1,000.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
    /// The number of further warnings.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_warnings: Option<u64>,
    /// The number of documentation files that are not documents here, by suffix; the workspace
    /// option doc_suffixes can include them. Absent if empty.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    other_formats: BTreeMap<&'static str, u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde requires")]
fn is_false(value: &bool) -> bool {
    !value
}

impl WalkSummary {
    /// Returns whether every entry was read within the time limit.
    pub(crate) fn is_complete(&self) -> bool {
        !self.timed_out && self.warnings.is_empty()
    }
}

impl From<DocumentWalk> for WalkSummary {
    fn from(walk: DocumentWalk) -> WalkSummary {
        WalkSummary {
            timed_out: walk.timed_out,
            warnings: walk.warnings.into_iter().map(Warning::from).collect(),
            more_warnings: Some(walk.more_warnings).filter(|&more| more > 0),
            other_formats: walk.other_formats,
        }
    }
}

/// A directory or document not read.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DocumentWarning")]
struct Warning {
    /// Relative to the documents' root; empty for the root itself.
    path: String,
    /// The operation: "list" a directory, or "read" a document.
    #[schemars(extend("enum" = ["list", "read"]))]
    operation: &'static str,
    /// The reason, in a few words.
    reason: String,
}

impl From<DocumentWarning> for Warning {
    fn from(warning: DocumentWarning) -> Warning {
        let DocumentWarning { path, operation, reason, .. } = warning;
        Warning { path, operation: operation.code(), reason }
    }
}

/// Returns the path of a document as replies show it: from the documents' root, which is `/`.
pub(crate) fn shown(path: &RelPath) -> String {
    format!("/{}", path.display())
}

/// Converts an error to the words of the contract.
pub(crate) fn contract_error(error: Error) -> Error {
    match error.kind() {
        ErrorKind::AccessDenied => {
            let message = format!("PATH_TRAVERSAL: {}", error.message());
            error.with_message(message)
        }
        _ => error,
    }
}
