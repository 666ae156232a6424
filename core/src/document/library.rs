//! Listing documents, and reading one.

use super::front_matter;
use super::listing::{self, Listing, is_document_name, name_of_file};
use super::reading::{self, DocumentReader};
use super::{DocumentLimits, DocumentWalk};
use crate::budget::Budget;
use crate::call::Call;
use crate::encoding::{self, Encodings};
use crate::error::{Error, ErrorKind, Result};
use crate::room;
use crate::suggest;
use crate::workspace::fs::{File, FsError, Kind};
use crate::workspace::{self, RelPath, Unread, Workspace};
use std::borrow::Cow;
use std::io;

/// Number of bytes that surely contain the front matter, even in UTF-16 with a mark and line ends.
const HEAD_BYTES: u64 = 2 * (front_matter::BYTES_MAX as u64 + 1_024);

/// Maximum number of documents that are proposed for one that does not exist, and the least similarity of paths.
const NEAR_MAX: usize = 3;
const NEAR_SIMILAR: f64 = 0.85;

/// A document with a description.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentEntry {
    /// The path relative to the documents' root.
    pub path: RelPath,
    /// The name in the front matter, else the name of the file without `.md`.
    pub name: String,
    /// The description in its front matter.
    pub description: String,
}

/// The documents below a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentList {
    /// Those with a description, in the order of the walk.
    pub documents: Vec<DocumentEntry>,
    /// The report of the walk.
    pub walk: DocumentWalk,
}

/// A document as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document {
    /// The path relative to the documents' root.
    pub path: RelPath,
    /// The name in the front matter, else the name of the file without `.md`.
    pub name: String,
    /// The description in the front matter, if there is one.
    pub description: Option<String>,
    /// The whole text, with front matter and without byte order mark; bytes that are not UTF-8
    /// become U+FFFD.
    pub content: String,
}

pub(super) fn list(
    workspace: &Workspace,
    path: &str,
    limits: &DocumentLimits,
    call: &Call,
) -> Result<DocumentList> {
    let start = listing::resolve(path)?;
    let mut documents = Vec::new();
    let mut take = |path: &RelPath, output: Option<Described>| {
        documents.extend(output.map(|Described { name, description }| {
            let name = name.unwrap_or_else(|| name_of_file(workspace.docs(), path));
            DocumentEntry { path: path.clone(), name, description }
        }));
        true
    };
    let describer = Describer {
        hyphens_min: workspace.front_matter_hyphens_min(),
        encodings: workspace.encodings().clone(),
    };
    let walk = reading::run(workspace, &start, limits, call, describer, &mut take)?;
    Ok(DocumentList { documents, walk })
}

pub(super) fn read(
    workspace: &Workspace,
    path: &str,
    limits: &DocumentLimits,
    call: &Call,
) -> Result<Document> {
    let budget = Budget::of(call);
    let at = listing::resolve(path)?;
    let failed = |kind, reason: &str| {
        let message = format!("document '{}' {reason}", path.escape_debug());
        Error::new(kind, message).with_param("path").with_path(path)
    };
    let file = open(workspace, &at).map_err(|error| match error {
        FsError::NotFound | FsError::NameTooLong | FsError::Symlink | FsError::WrongKind => {
            let near = near(workspace, &at, limits, &budget).unwrap_or_default();
            let reason = format!("does not exist{}", suggest::suggestion(&near));
            failed(ErrorKind::NotFound, &reason).with_near(near)
        }
        FsError::Outside | FsError::Pseudo => {
            failed(ErrorKind::AccessDenied, "is outside the documents' root")
        }
        error => failed(ErrorKind::Io, &format!("was not read: {}", error.reason())),
    })?;
    let encodings = file.encodings(workspace.encodings());
    let mut buffer = Vec::new();
    let bytes_max = limits.document_bytes_max;
    let bytes = workspace::read(file, bytes_max, &mut buffer, &budget).map_err(|unread| {
        let kind = match &unread {
            Unread::TooLarge(_) => ErrorKind::ResultTooLarge,
            // Only our own lack of room: an error of the system with the same kind stays an I/O
            // error.
            Unread::Failed(FsError::Io(error))
                if error.kind() == io::ErrorKind::OutOfMemory && error.raw_os_error().is_none() =>
            {
                ErrorKind::ResultTooLarge
            }
            Unread::Stopped | Unread::Failed(_) => ErrorKind::Io,
        };
        match unread.reason() {
            Some(reason) => failed(kind, &format!("was not read: {reason}")),
            None => reading::ended(&budget),
        }
    })?;
    let content = encoding::decode_text(bytes, true, &encodings, &budget)
        .map_err(|_| reading::ended(&budget))?;
    let content = match content {
        Cow::Owned(content) => content,
        Cow::Borrowed(content) => room::copy(content.as_bytes())
            .ok()
            .and_then(|content| String::from_utf8(content).ok())
            .ok_or_else(|| failed(ErrorKind::ResultTooLarge, "was not read: out of memory"))?,
    };
    let front_matter = front_matter::parse(&content, workspace.front_matter_hyphens_min());
    Ok(Document {
        name: front_matter
            .name
            .map_or_else(|| name_of_file(workspace.docs(), &at), Cow::into_owned),
        description: front_matter.description.map(Cow::into_owned),
        path: at,
        content,
    })
}

/// Returns the documents of that name in other directories, or else those with the most similar paths; `None` if
/// the walk cannot tell.
fn near(
    workspace: &Workspace,
    path: &RelPath,
    limits: &DocumentLimits,
    budget: &Budget,
) -> Option<Vec<String>> {
    let mut listing = Listing::new(workspace.docs(), None, budget);
    let mut walk = DocumentWalk::default();
    listing.enter(&RelPath::root(), &mut walk).ok()?;
    let window = listing.window(limits.documents_max).ok()?;
    let documents = window.steps.into_iter().filter_map(|step| step.document_or_warn(&mut walk));
    let known: Vec<RelPath> = documents.map(|(path, _)| path).collect();
    let shown = |path: &RelPath| format!("/{}", path.display());
    let same_name = known.iter().filter(|known| known.file_name() == path.file_name());
    let near: Vec<String> = same_name.take(NEAR_MAX).map(shown).collect();
    if !near.is_empty() {
        return Some(near);
    }
    let paths: Vec<String> = known.iter().map(shown).collect();
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    let similar = suggest::similar(&shown(path), &names, NEAR_SIMILAR);
    Some(similar.into_iter().take(NEAR_MAX).map(|at| paths[at].clone()).collect())
}

/// Opens a document by the rules of the walk, which follows links to named directories but not to
/// documents. A document that the walk would not meet does not exist.
fn open(workspace: &Workspace, path: &RelPath) -> Result<File, FsError> {
    let docs = workspace.docs();
    let dir = path.parent().unwrap_or_default();
    let is_left_out = !is_document_name(docs, path.file_name())
        || docs.leaves_out_dir(&dir)
        || docs.leaves_out(path, false);
    if is_left_out {
        return Err(FsError::NotFound);
    }
    // On a case-insensitive file system the entry may have another name than the one judged above.
    if docs.fs().stat_followed(path)?.is_none() {
        return Err(FsError::NotFound);
    }
    let dir = docs.fs().open_dir(&dir, true)?;
    // Opening a pipe or a device can have side effects, so the kind is checked first.
    match dir.stat(path.file_name())?.kind {
        Kind::File => dir.open_file(path.file_name()),
        _ => Err(FsError::WrongKind),
    }
}

/// Reads name and description of each document.
struct Describer {
    /// Minimum number of hyphens in the lines around front matter.
    hyphens_min: usize,
    /// The declared encodings.
    encodings: Encodings,
}

struct Described {
    name: Option<String>,
    description: String,
}

impl DocumentReader for Describer {
    type Scratch = Vec<u8>;
    type Output = Option<Described>;

    fn read(
        &self,
        _path: &RelPath,
        file: File,
        buffer: &mut Vec<u8>,
        budget: &Budget,
    ) -> Result<Option<Described>, Unread> {
        let encodings = file.encodings(&self.encodings);
        let bytes = workspace::read_start(file, HEAD_BYTES, buffer, budget)?;
        let is_whole = (bytes.len() as u64) < HEAD_BYTES;
        let head = encoding::decode_text(bytes, is_whole, &encodings, budget)?;
        let front_matter = front_matter::parse(&head, self.hyphens_min);
        Ok(front_matter.description.map(|description| Described {
            name: front_matter.name.map(Cow::into_owned),
            description: description.into_owned(),
        }))
    }

    fn weight(output: &Option<Described>) -> usize {
        output.as_ref().map_or(0, |output| {
            output.description.len() + output.name.as_ref().map_or(0, String::len)
        })
    }
}
