//! The walk over documents, and reading them in its order.

use super::{DocumentLimits, DocumentOperation, DocumentWalk, DocumentWarning};
use crate::budget::{Budget, Stopped};
use crate::call::Call;
use crate::error::{Error, ErrorKind, Result};
use crate::sort::sort;
use crate::walk::{
    self, Candidate, Effort, FileBlock, FileList, KnownFiles, RunOptions, Tally, Visited, Visitor,
};
use crate::workspace::fs::{Dir, File, FsError, Kind, ListBuffer};
use crate::workspace::{DocsRoot, RelPath, Unread, Workspace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Number of documents in the first window: they may be enough, and then the walk need not go
/// further.
const FIRST_WINDOW: usize = 64;
/// Maximum number of warnings; more are only counted.
const WARNINGS_MAX: usize = 1_000;
/// Maximum depth, as in other walks.
const DEPTH_MAX: usize = 4_096;
/// Size from which a document is a task of its own.
const LARGE_BYTES: u64 = 1024 * 1024;

/// Returns whether a file of this name is a document, unless it is excluded.
pub(super) fn is_document_name(docs: &DocsRoot, name: &[u8]) -> bool {
    !is_hidden(name) && docs.suffixes().stem(name).is_some()
}

pub(super) fn is_hidden(name: &[u8]) -> bool {
    name.starts_with(b".")
}

/// Returns the name of a document without one in its front matter.
pub(super) fn name_of_file(docs: &DocsRoot, path: &RelPath) -> String {
    let name = path.file_name();
    let stem = docs.suffixes().stem(name).unwrap_or(name);
    String::from_utf8_lossy(stem).into_owned()
}

/// Resolves a path of the caller below the documents' root.
///
/// # Errors
///
/// `access_denied` when it leaves the root.
pub(super) fn resolve(workspace: &Workspace, path: &str) -> Result<RelPath> {
    let below = path.strip_prefix('/').unwrap_or(path);
    if below.bytes().all(|byte| byte == b'/') {
        return Ok(RelPath::root());
    }
    let outside = || {
        let shown = path.escape_debug();
        let message = format!("path '{shown}' is outside the documents' root");
        Error::new(ErrorKind::AccessDenied, message).with_param("path").with_path(path)
    };
    if below.starts_with('/') || below.contains('\0') {
        return Err(outside());
    }
    // Resolving a relative path does not depend on the location of the root.
    workspace.resolve(below).map_err(|_| outside())
}

/// Reads each document of a walk.
pub(super) trait DocumentReader: Send + Sync + 'static {
    /// Memory that a worker reuses from document to document.
    type Scratch: Default + Send;
    type Output: Send;

    fn read(
        &self,
        file: File,
        scratch: &mut Self::Scratch,
        budget: &Budget,
    ) -> Result<Self::Output, Unread>;

    /// Returns the approximate memory of `output`.
    fn weight(output: &Self::Output) -> usize;
}

/// Reads the documents below `start` and passes the output of each to `each`, in order, until that
/// returns false.
///
/// The walk lists a small window first, because a search often ends within a few documents, and
/// then everything that is left. Workers read a window in parallel, and their outputs arrive in its
/// order; warnings about directories that could not be listed are merged in between, so that
/// neither the number of workers nor the window changes the report.
pub(super) fn run<L: DocumentReader>(
    workspace: &Workspace,
    start: &RelPath,
    limits: &DocumentLimits,
    call: &Call,
    reader: L,
    each: &mut dyn FnMut(&RelPath, L::Output) -> bool,
) -> Result<DocumentWalk> {
    let budget = Arc::new(Budget::of(call));
    let visitor =
        Arc::new(ReadingVisitor { reader, document_bytes_max: limits.document_bytes_max });
    let mut walk = DocumentWalk::default();
    let mut listing = Listing::new(workspace.docs(), &budget);
    listing.enter(start, &mut walk)?;
    let (mut left, mut window) = (limits.documents_max, FIRST_WINDOW);
    let mut is_over = false;
    while left > 0 && !is_over {
        let Ok(Window { files, steps }) = listing.window(window.min(left)) else {
            break;
        };
        if steps.is_empty() {
            break;
        }
        let files = KnownFiles::new(workspace.docs().fs(), files, listing.follow).of_a_listing();
        let mut steps = steps.into_iter();
        let options = RunOptions::on(workspace.threads());
        walk::run(&budget, &files, &visitor, options, &mut |output, _, _| {
            let step = steps.by_ref().find_map(|step| step.document_or_warn(&mut walk));
            let Some((path, is_followed)) = step else {
                return false;
            };
            left -= 1;
            let wants_more = match output {
                Ok(output) => each(&path, output),
                Err(reason) => {
                    walk.warn(&path, DocumentOperation::Read, reason);
                    true
                }
            };
            is_over = !wants_more || left == 0;
            walk.truncated = is_over && is_followed;
            !is_over
        })?;
        if !is_over && budget.poll_clock().is_err() {
            break;
        }
        if !is_over {
            steps.for_each(|step| drop(step.document_or_warn(&mut walk)));
        }
        window = usize::MAX;
    }
    walk.other_formats = listing.other_formats.0;
    if budget.is_cancelled() {
        return Err(ended(&budget));
    }
    if !is_over && budget.deadline_passed() {
        (walk.timed_out, walk.truncated) = (true, true);
    }
    Ok(walk)
}

/// Returns the error of a call that was stopped.
pub(super) fn ended(budget: &Budget) -> Error {
    if budget.is_cancelled() {
        return Error::new(ErrorKind::Cancelled, "the call was cancelled");
    }
    Error::new(ErrorKind::Timeout, "not done within the time limit")
}

/// Opens and reads each document; the output is a reason if that fails.
struct ReadingVisitor<L> {
    reader: L,
    document_bytes_max: u64,
}

impl<L: DocumentReader> Visitor for ReadingVisitor<L> {
    type Scratch = L::Scratch;
    type Found = Result<L::Output, String>;

    fn visit(
        &self,
        scratch: &mut L::Scratch,
        candidate: &Candidate<'_>,
        budget: &Budget,
        _tally: &mut Tally,
        _files: &mut FileBlock,
    ) -> Visited<Self::Found> {
        let mut effort = Effort::Small;
        let output = candidate.open().map_err(Unread::from).and_then(|file| {
            if file.meta().size > LARGE_BYTES {
                effort = Effort::Large;
            }
            self.reader.read(file, scratch, budget)
        });
        let found = match output {
            Ok(output) => Ok(output),
            Err(unread) => match unread.reason(self.document_bytes_max) {
                Some(reason) => Err(reason),
                None => return Visited { stopped: Err(Stopped), ..Visited::nothing() },
            },
        };
        Visited { found: Some(found), effort, stopped: Ok(()), stamp: 0 }
    }

    fn weight(found: &Self::Found) -> usize {
        size_of_val(found) + found.as_ref().map_or(0, L::weight)
    }
}

impl DocumentWalk {
    fn warn(&mut self, path: &RelPath, operation: DocumentOperation, reason: String) {
        if self.warnings.len() >= WARNINGS_MAX {
            self.more_warnings += 1;
            return;
        }
        let path = if path.is_root() { String::new() } else { path.display().into_owned() };
        self.warnings.push(DocumentWarning { path, operation, reason });
    }
}

/// Number of files per suffix.
#[derive(Default)]
struct OtherFormats(BTreeMap<&'static str, u64>);

impl Extend<&'static str> for OtherFormats {
    fn extend<I: IntoIterator<Item = &'static str>>(&mut self, suffixes: I) {
        for suffix in suffixes {
            *self.0.entry(suffix).or_default() += 1;
        }
    }
}

/// A depth-first walk that can pause between two documents.
struct Listing<'a> {
    docs: &'a DocsRoot,
    budget: &'a Budget,
    /// The directories from the start to the current one, each with its remaining entries.
    levels: Vec<Level>,
    /// Whether the start was reached through symlinks.
    follow: bool,
    buffer: ListBuffer,
    /// Number of directories that could not be listed.
    unlisted: usize,
    /// Files of other formats, by suffix.
    other_formats: OtherFormats,
}

/// A directory on the way to the current one.
struct Level {
    path: RelPath,
    /// The path without symlinks and in the names that directories list, if it differs.
    real: Option<RelPath>,
    names: Vec<u8>,
    /// Directories and documents, in order, and the index of the next one.
    entries: Vec<Entry>,
    next: usize,
    /// The last in order of the remaining entries. It decides whether anything follows the last
    /// document, and so whether a limit cut the walk.
    last_other: Option<Vec<u8>>,
}

/// The range of its name in the names of its level, and its kind.
#[derive(Clone, Copy)]
struct Entry {
    start: usize,
    end: usize,
    is_dir: bool,
}

/// An entry whose kind the system does not report, and the reason.
type Unknown = (RelPath, String);

/// Consecutive documents, and the places between them that could not be listed.
struct Window {
    files: FileList,
    steps: Vec<Step>,
}

enum Step {
    /// A document, and whether another entry follows in its directory or one above.
    Document(RelPath, bool),
    Unlisted(RelPath, String),
    /// Number of further directories that could not be listed.
    MoreUnlisted(u64),
}

impl Step {
    fn document_or_warn(self, walk: &mut DocumentWalk) -> Option<(RelPath, bool)> {
        match self {
            Step::Document(path, is_followed) => return Some((path, is_followed)),
            Step::Unlisted(path, reason) => walk.warn(&path, DocumentOperation::List, reason),
            Step::MoreUnlisted(count) => walk.more_warnings += count,
        }
        None
    }
}

impl Level {
    fn next(&mut self) -> Option<Entry> {
        let entry = self.entries.get(self.next).copied();
        self.next += 1;
        entry
    }

    fn name(&self, entry: Entry) -> &[u8] {
        &self.names[entry.start..entry.end]
    }

    /// Returns whether an entry of any kind follows the current one.
    fn has_more(&self) -> bool {
        let came_last = self.next.checked_sub(1).and_then(|last| self.entries.get(last));
        let is_behind = |other: &Vec<u8>| came_last.is_none_or(|&last| **other > *self.name(last));
        self.next < self.entries.len() || self.last_other.as_ref().is_some_and(is_behind)
    }
}

impl<'a> Listing<'a> {
    fn new(docs: &'a DocsRoot, budget: &'a Budget) -> Listing<'a> {
        let (levels, buffer) = (Vec::new(), ListBuffer::default());
        Listing {
            docs,
            budget,
            levels,
            follow: false,
            buffer,
            unlisted: 0,
            other_formats: OtherFormats::default(),
        }
    }

    /// Enters the directory that the caller named, through symlinks if necessary.
    fn enter(&mut self, start: &RelPath, walk: &mut DocumentWalk) -> Result<()> {
        if self.docs.denies_dir(start) {
            // Excluded directories are silently absent; denied ones are reported.
            walk.warn(start, DocumentOperation::List, "denied by the workspace".to_owned());
            return Ok(());
        }
        if self.docs.leaves_out_dir(start) {
            return Ok(());
        }
        let mut opened = self.docs.fs().open_dir(start, false);
        if matches!(opened, Err(FsError::Symlink | FsError::WrongKind)) {
            self.follow = true;
            opened = self.docs.fs().open_dir(start, true);
        }
        let listed = match opened {
            Ok(dir) => self.list(&dir, start),
            Err(FsError::Outside | FsError::Pseudo) => {
                let shown = start.display();
                let message = format!("path '{shown}' leads outside the documents' root");
                return Err(Error::new(ErrorKind::AccessDenied, message).with_param("path"));
            }
            Err(error) => Err(error),
        };
        match listed {
            Ok(unknown) => unknown
                .into_iter()
                .for_each(|(path, reason)| walk.warn(&path, DocumentOperation::List, reason)),
            Err(error) => walk.warn(start, DocumentOperation::List, error.reason()),
        }
        Ok(())
    }

    /// Lists `dir`, which is at `path`, and adds a level for it. After a stop the level is
    /// incomplete and unsorted; the callers poll again before they use it.
    ///
    /// Returns the entries whose kind could not be determined.
    fn list(&mut self, dir: &Dir, path: &RelPath) -> Result<Vec<Unknown>, FsError> {
        let (mut names, mut entries, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
        let mut failed = Vec::new();
        let mut last_other: Option<Vec<u8>> = None;
        let mut other = |name: &[u8]| {
            if last_other.as_deref().is_none_or(|last| last < name) {
                last_other = Some(name.to_vec());
            }
        };
        let (budget, docs) = (self.budget, self.docs);
        let is_document = |name: &[u8]| is_document_name(docs, name);
        let other_formats = &mut self.other_formats;
        let mut no_room = None;
        dir.list(&mut self.buffer, &mut |name, kind| {
            let is_dir = kind == Some(Kind::Dir);
            let is_wanted = !is_hidden(name)
                && (is_dir || kind.is_none() || kind == Some(Kind::File) && is_document(name));
            if kind == Some(Kind::File) && !is_hidden(name) {
                other_formats.extend(docs.suffixes().other(name));
            }
            if is_wanted {
                let start = names.len();
                let list = if kind.is_none() { &mut unknown } else { &mut entries };
                no_room = names.try_reserve(name.len()).and_then(|()| list.try_reserve(1)).err();
                if no_room.is_some() {
                    return false;
                }
                names.extend_from_slice(name);
                list.push(Entry { start, end: names.len(), is_dir });
            } else {
                other(name);
            }
            budget.poll().is_ok()
        })?;
        if let Some(error) = no_room {
            return Err(FsError::Io(error.into()));
        }
        // Some file systems do not report kinds in listings: these entries cost a stat each.
        for entry in unknown {
            let name = &names[entry.start..entry.end];
            match dir.stat(name).map(|meta| meta.kind) {
                Ok(Kind::Dir) => entries.push(Entry { is_dir: true, ..entry }),
                Ok(Kind::File) if is_document(name) => entries.push(entry),
                Err(error @ FsError::Io(_)) => failed.push((path.join(name), error.reason())),
                _ => other(name),
            }
            if budget.poll_clock().is_err() {
                break;
            }
        }
        let name = |entry: &Entry| &names[entry.start..entry.end];
        // After a stop the order is wrong, but then the level is unused.
        let _ = sort(&mut entries, budget, &|a, b| name(a).cmp(name(b)));
        let real = dir.real_path().cloned();
        self.levels.push(Level { path: path.clone(), real, names, entries, next: 0, last_other });
        Ok(failed)
    }

    /// Returns up to `documents_max` next documents. No document and no warning means the end.
    fn window(&mut self, documents_max: usize) -> Result<Window, Stopped> {
        let (mut n_documents, mut steps) = (0, Vec::new());
        while n_documents < documents_max
            && let Some(level) = self.levels.last_mut()
        {
            self.budget.poll()?;
            let Some(entry) = level.next() else {
                self.levels.pop();
                continue;
            };
            let path = level.path.join(level.name(entry));
            let real = level.real.as_ref().map(|real| real.join(level.name(entry)));
            if self.docs.leaves_out(&path, entry.is_dir)
                || real.is_some_and(|real| self.docs.denies(&real, entry.is_dir))
            {
                continue;
            }
            if !entry.is_dir {
                n_documents += 1;
                let is_followed = self.levels.iter().any(Level::has_more);
                steps.push(Step::Document(path, is_followed));
            } else {
                let unlisted = self.descend(&path).unwrap_or_else(|reason| vec![(path, reason)]);
                unlisted
                    .into_iter()
                    .for_each(|(path, reason)| self.unlisted(path, reason, &mut steps));
            }
        }
        self.budget.poll_clock()?;
        let files = FileList::of_paths(steps.iter().filter_map(|step| match step {
            Step::Document(path, _) => Some(path),
            Step::Unlisted(..) | Step::MoreUnlisted(_) => None,
        }));
        Ok(Window { files, steps })
    }

    fn descend(&mut self, path: &RelPath) -> Result<Vec<Unknown>, String> {
        if self.levels.len() >= DEPTH_MAX {
            return Err("too deep".to_owned());
        }
        let dir = self.docs.fs().open_dir(path, self.follow).map_err(|error| error.reason())?;
        self.list(&dir, path).map_err(|error| error.reason())
    }

    fn unlisted(&mut self, path: RelPath, reason: String, steps: &mut Vec<Step>) {
        self.unlisted += 1;
        if self.unlisted <= WARNINGS_MAX {
            steps.push(Step::Unlisted(path, reason));
        } else if let Some(Step::MoreUnlisted(count)) = steps.last_mut() {
            *count += 1;
        } else {
            steps.push(Step::MoreUnlisted(1));
        }
    }
}
