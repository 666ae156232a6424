//! Listing documents, and reading one.

use super::front_matter;
use super::listing::{self, is_document_name, is_hidden, name_of_file};
use super::text::{self, Unread};
use super::{DocumentLimits, DocumentWarning};
use crate::budget::{Budget, CancelToken, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::walk::{Candidate, Effort, Tally, Visited, Visitor};
use crate::workspace::fs::{File, FsError};
use crate::workspace::{RelPath, Workspace};
use std::sync::Arc;

/// A document that says what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentEntry {
    /// Where it is, relative to the documents' root.
    pub path: RelPath,
    /// What it calls itself, else the name of the file without `.md`.
    pub name: String,
    /// What it is about, in its own words.
    pub description: String,
}

/// The documents below a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentList {
    /// Those with a description, in the order of the walk.
    pub documents: Vec<DocumentEntry>,
    /// Whether the limit on documents ended the walk before its end.
    pub truncated: bool,
    /// What was not looked at, in the order of the walk.
    pub warnings: Vec<DocumentWarning>,
}

/// A document as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Where it is, relative to the documents' root.
    pub path: RelPath,
    /// What it calls itself, else the name of the file without `.md`.
    pub name: String,
    /// What it is about, where it says so.
    pub description: Option<String>,
    /// All of it, front matter included, without byte order mark; bytes that are not UTF-8 are
    /// U+FFFD.
    pub content: String,
}

pub(super) fn list(
    workspace: &Workspace,
    path: &str,
    limits: &DocumentLimits,
    cancel: &CancelToken,
) -> Result<DocumentList> {
    let start = listing::resolve(workspace, path)?;
    let visitor = Arc::new(Describer { document_bytes_max: limits.document_bytes_max });
    let mut documents = Vec::new();
    let mut take = |path: &RelPath, seen: Seen, warnings: &mut listing::Warnings| {
        match seen {
            Seen::Undescribed => {}
            Seen::Unread(reason) => warnings.add(path, false, reason),
            Seen::Described { name, description } => {
                let name = name.unwrap_or_else(|| name_of_file(path));
                documents.push(DocumentEntry { path: path.clone(), name, description });
            }
        }
        true
    };
    let walked = listing::run(workspace, &start, limits, cancel, &visitor, &mut take)?;
    let (truncated, warnings) = (walked.truncated, walked.warnings);
    Ok(DocumentList { documents, truncated, warnings })
}

pub(super) fn read(
    workspace: &Workspace,
    path: &str,
    limits: &DocumentLimits,
    cancel: &CancelToken,
) -> Result<Document> {
    let budget = Budget::new(limits.timeout, cancel);
    let at = listing::resolve(workspace, path)?;
    let failed = |kind, reason: &str| {
        let message = format!("document '{}' {reason}", path.escape_debug());
        Error::new(kind, message).with_param("path").with_path(path)
    };
    let file = open(workspace, &at).map_err(|error| match error {
        FsError::NotFound | FsError::Symlink | FsError::WrongKind => {
            failed(ErrorKind::NotFound, "does not exist")
        }
        FsError::Outside | FsError::Pseudo => {
            failed(ErrorKind::AccessDenied, "is outside the documents' root")
        }
        error => failed(ErrorKind::Io, &format!("was not read: {}", error.reason())),
    })?;
    let mut buffer = Vec::new();
    let bytes_max = limits.document_bytes_max;
    let bytes =
        text::read(file, bytes_max, &mut buffer, &budget).map_err(|unread| match &unread {
            Unread::Stopped => listing::ended(&budget),
            Unread::TooLarge => {
                failed(ErrorKind::ResultTooLarge, &format!("is {}", unread.reason(bytes_max)))
            }
            Unread::Failed(error) => {
                failed(ErrorKind::Io, &format!("was not read: {}", error.reason()))
            }
        })?;
    let content = text::decode(bytes).into_owned();
    let front_matter = front_matter::parse(&content);
    Ok(Document {
        name: front_matter.name.map_or_else(|| name_of_file(&at), str::to_owned),
        description: front_matter.description.map(str::to_owned),
        path: at,
        content,
    })
}

/// Opens a document by the rules of the walk: what that would not meet does not exist.
fn open(workspace: &Workspace, path: &RelPath) -> Result<File, FsError> {
    let docs = workspace.docs();
    let dir = path.parent().unwrap_or_default();
    let is_left_out = path.components().any(is_hidden)
        || !is_document_name(path.file_name())
        || docs.leaves_out_dir(&dir)
        || docs.leaves_out(path, false);
    if is_left_out { Err(FsError::NotFound) } else { docs.fs().open_file(path, false) }
}

/// Reads what each document says of itself.
struct Describer {
    document_bytes_max: u64,
}

enum Seen {
    Undescribed,
    Described { name: Option<String>, description: String },
    Unread(String),
}

impl Visitor for Describer {
    type Scratch = Vec<u8>;
    type Found = Seen;

    fn scratch(&self) -> Vec<u8> {
        Vec::new()
    }

    fn visit(
        &self,
        buffer: &mut Vec<u8>,
        file: &Candidate<'_>,
        budget: &Budget,
        _tally: &mut Tally,
    ) -> Visited<Seen> {
        let seen = match self.look(buffer, file, budget) {
            Ok(seen) => seen,
            Err(Unread::Stopped) => {
                return Visited { stopped: Err(Stopped), ..Visited::nothing() };
            }
            Err(unread) => Seen::Unread(unread.reason(self.document_bytes_max)),
        };
        Visited { found: Some(seen), effort: Effort::Small, stopped: Ok(()), stamp: 0 }
    }

    fn weight(seen: &Seen) -> usize {
        match seen {
            Seen::Described { name, description } => {
                description.len() + name.as_ref().map_or(0, String::len)
            }
            Seen::Undescribed | Seen::Unread(_) => size_of_val(seen),
        }
    }
}

impl Describer {
    fn look(
        &self,
        buffer: &mut Vec<u8>,
        file: &Candidate<'_>,
        budget: &Budget,
    ) -> Result<Seen, Unread> {
        let bytes = text::read(file.open()?, self.document_bytes_max, buffer, budget)?;
        let document = text::decode(bytes);
        let front_matter = front_matter::parse(&document);
        Ok(match front_matter.description {
            None => Seen::Undescribed,
            Some(description) => Seen::Described {
                name: front_matter.name.map(str::to_owned),
                description: description.to_owned(),
            },
        })
    }
}
