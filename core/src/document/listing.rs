//! The walk over documents, and running a visitor over what it gives.

use super::{DocumentLimits, DocumentWarning};
use crate::budget::{Budget, CancelToken, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::walk::{self, FileBlock, FileList, KnownFiles, Visitor};
use crate::workspace::fs::{Dir, FsError, Kind, ListBuffer};
use crate::workspace::{DocsRoot, RelPath, Workspace};
use std::sync::Arc;

/// So many documents are looked at before the walk goes on, in case they are enough.
const FIRST_WINDOW: usize = 64;
/// More warnings are only counted.
const WARNINGS_MAX: usize = 1_000;
/// As deep as other walks go.
const DEPTH_MAX: usize = 4_096;

/// What the documents' names end in.
const EXTENSION: &[u8] = b".md";

/// Whether a file of this name is a document, if nothing leaves it out.
pub(super) fn is_document_name(name: &[u8]) -> bool {
    !is_hidden(name) && name.ends_with(EXTENSION)
}

pub(super) fn is_hidden(name: &[u8]) -> bool {
    name.starts_with(b".")
}

/// The name of a document that does not say one.
pub(super) fn name_of_file(path: &RelPath) -> String {
    let name = path.file_name();
    let stem = name.strip_suffix(EXTENSION).unwrap_or(name);
    String::from_utf8_lossy(stem).into_owned()
}

/// A caller's path as one below the documents' root.
///
/// # Errors
///
/// `access_denied` when it leaves the root.
pub(super) fn resolve(workspace: &Workspace, path: &str) -> Result<RelPath> {
    let below = path.strip_prefix('/').unwrap_or(path);
    if below == "/" {
        return Ok(RelPath::root());
    }
    let names_a_root = below.starts_with('/') || below.contains('\0');
    let outside = || {
        let shown = path.escape_debug();
        let message = format!("path '{shown}' is outside the documents' root");
        Error::new(ErrorKind::AccessDenied, message).with_param("path").with_path(path)
    };
    if names_a_root {
        return Err(outside());
    }
    // What is relative does not depend on where the root is.
    workspace.resolve(below).map_err(|_| outside())
}

/// How a walk over documents ended.
pub(super) struct Walked {
    /// Whether something was left when a limit ended the walk, be it a document or not.
    pub truncated: bool,
    pub warnings: Vec<DocumentWarning>,
}

/// Runs `visitor` over the documents below `start` and hands what it finds of each to `each`, in
/// order, until that returns false. The visitor must find something in every document.
pub(super) fn run<V: Visitor>(
    workspace: &Workspace,
    start: &RelPath,
    limits: &DocumentLimits,
    cancel: &CancelToken,
    visitor: &Arc<V>,
    each: &mut dyn FnMut(&RelPath, V::Found, &mut Warnings) -> bool,
) -> Result<Walked> {
    let budget = Arc::new(Budget::new(limits.timeout, cancel));
    let mut warnings = Warnings::default();
    let mut listing = Listing::new(workspace.docs(), &budget);
    listing.enter(start, &mut warnings)?;
    let (mut left, mut window) = (limits.documents_max, FIRST_WINDOW);
    let mut truncated = false;
    while left > 0 {
        let listed = listing.window(window.min(left)).map_err(|Stopped| ended(&budget))?;
        if listed.steps.is_empty() {
            break;
        }
        let docs = Arc::clone(workspace.docs().fs());
        let files = KnownFiles::new(&docs, listed.files, listing.follow).of_a_listing();
        let mut steps = listed.steps.into_iter();
        let mut is_over = false;
        walk::run(&budget, &files, visitor, workspace.threads(), &mut |found| {
            let step = steps.by_ref().find_map(|step| step.document_or_warn(&mut warnings));
            let Some((path, is_followed)) = step else {
                return false;
            };
            left -= 1;
            is_over = !each(&path, found, &mut warnings) || left == 0;
            truncated = is_over && is_followed;
            !is_over
        })?;
        if is_over {
            break;
        }
        if budget.poll_clock().is_err() {
            return Err(ended(&budget));
        }
        for step in steps {
            step.document_or_warn(&mut warnings);
        }
        window = usize::MAX;
    }
    Ok(Walked { truncated, warnings: warnings.into_list() })
}

/// The error of a call that was stopped.
pub(super) fn ended(budget: &Budget) -> Error {
    if budget.is_cancelled() {
        return Error::new(ErrorKind::Cancelled, "the call was cancelled");
    }
    Error::new(ErrorKind::Timeout, "not done within the time limit; narrow the path")
}

/// What was not looked at, in order.
#[derive(Default)]
pub(super) struct Warnings {
    list: Vec<DocumentWarning>,
    more: u64,
}

impl Warnings {
    pub(super) fn add(&mut self, path: &RelPath, is_directory: bool, reason: String) {
        let path = if path.is_root() { String::new() } else { path.display().into_owned() };
        self.push(DocumentWarning { path, is_directory, reason });
    }

    fn push(&mut self, warning: DocumentWarning) {
        if self.list.len() < WARNINGS_MAX {
            self.list.push(warning);
        } else {
            self.more += 1;
        }
    }

    fn into_list(mut self) -> Vec<DocumentWarning> {
        if self.more > 0 {
            let reason = format!("and {} more that are not listed", self.more);
            self.list.push(DocumentWarning { path: String::new(), is_directory: true, reason });
        }
        self.list
    }
}

/// The depth-first walk, which can rest between two documents.
struct Listing<'a> {
    docs: &'a DocsRoot,
    budget: &'a Budget,
    /// The directories on the way, each with the entries that are still to come.
    levels: Vec<Level>,
    /// Whether the start was reached through symlinks.
    follow: bool,
    buffer: ListBuffer,
}

struct Level {
    path: RelPath,
    entries: std::vec::IntoIter<Entry>,
}

struct Entry {
    name: Vec<u8>,
    kind: Option<Kind>,
}

/// Documents that follow on each other, and the places between them that could not be listed.
struct Window {
    files: FileList,
    steps: Vec<Step>,
}

enum Step {
    /// A document, and whether there is another entry behind it in its directory or one above.
    Document(RelPath, bool),
    Unlisted(RelPath, String),
}

impl Step {
    fn document_or_warn(self, warnings: &mut Warnings) -> Option<(RelPath, bool)> {
        match self {
            Step::Document(path, is_followed) => Some((path, is_followed)),
            Step::Unlisted(path, reason) => {
                warnings.add(&path, true, reason);
                None
            }
        }
    }
}

impl<'a> Listing<'a> {
    fn new(docs: &'a DocsRoot, budget: &'a Budget) -> Listing<'a> {
        Listing { docs, budget, levels: Vec::new(), follow: false, buffer: ListBuffer::default() }
    }

    /// Enters the directory that the caller named, through symlinks where it has to be.
    fn enter(&mut self, start: &RelPath, warnings: &mut Warnings) -> Result<()> {
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
                let message =
                    format!("path '{}' leads outside the documents' root", start.display());
                return Err(Error::new(ErrorKind::AccessDenied, message).with_param("path"));
            }
            Err(error) => Err(error),
        };
        match listed {
            Ok(()) => {}
            Err(error) => warnings.add(start, true, error.reason()),
        }
        Ok(())
    }

    /// Goes down into `dir`, which is at `path`.
    fn list(&mut self, dir: &Dir, path: &RelPath) -> Result<(), FsError> {
        let mut entries = Vec::new();
        let budget = self.budget;
        dir.list(&mut self.buffer, &mut |name, kind| {
            entries.push(Entry { name: name.to_vec(), kind });
            budget.poll().is_ok()
        })?;
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        for entry in &mut entries {
            if entry.kind.is_none() && !is_hidden(&entry.name) {
                entry.kind = dir.stat(&entry.name).ok().map(|meta| meta.kind);
            }
        }
        self.levels.push(Level { path: path.clone(), entries: entries.into_iter() });
        Ok(())
    }

    /// The next documents, at most so many. None and no warning means that there are no more.
    fn window(&mut self, documents_max: usize) -> Result<Window, Stopped> {
        let (mut block, mut steps) = (FileBlock::default(), Vec::new());
        while block.len() < documents_max
            && let Some(level) = self.levels.last_mut()
        {
            self.budget.poll()?;
            let Some(Entry { name, kind }) = level.entries.next() else {
                self.levels.pop();
                continue;
            };
            let is_dir = kind == Some(Kind::Dir);
            let is_file = kind == Some(Kind::File) && is_document_name(&name);
            if is_hidden(&name) || !is_dir && !is_file {
                continue;
            }
            let path = level.path.join(&name);
            if self.docs.leaves_out(&path, is_dir) {
                continue;
            }
            if is_file {
                block.push(&path, b"", None);
                let is_followed = self.levels.iter().any(|level| level.entries.len() > 0);
                steps.push(Step::Document(path, is_followed));
            } else if let Err(reason) = self.descend(&path) {
                steps.push(Step::Unlisted(path, reason));
            }
        }
        self.budget.poll_clock()?;
        let order = (0..block.len()).map(|index| (0, index as u32)).collect();
        Ok(Window { files: FileList::new(vec![block], order), steps })
    }

    fn descend(&mut self, path: &RelPath) -> Result<(), String> {
        if self.levels.len() >= DEPTH_MAX {
            return Err("too deep".to_owned());
        }
        let dir = self.docs.fs().open_dir(path, self.follow).map_err(|error| error.reason())?;
        self.list(&dir, path).map_err(|error| error.reason())
    }
}
