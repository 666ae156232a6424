//! The walk over documents.

use super::report::{DocumentOperation, DocumentWalk, WARNINGS_MAX};
use crate::budget::{Budget, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::index::Subtree;
use crate::sort::sort;
use crate::walk::FileList;
use crate::workspace::fs::{Dir, FsError, Kind};
use crate::workspace::{DocsRoot, RawEntries, RelPath, Workspace};
use std::collections::{BTreeMap, TryReserveError};

/// Maximum depth, as in other walks.
const DEPTH_MAX: usize = 4_096;

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
pub(super) fn resolve(path: &str) -> Result<RelPath> {
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
    Workspace::resolve_relative(below).ok_or_else(outside)
}

/// A depth-first walk that can pause between two documents.
pub(super) struct Listing<'a> {
    docs: &'a DocsRoot,
    budget: &'a Budget,
    /// The index's memory of the documents' tree.
    memory: Option<&'a Subtree>,
    /// The directories from the start to the current one, each with its remaining entries.
    levels: Vec<Level>,
    /// Whether the start was reached through symlinks.
    follow: bool,
    raw: RawEntries,
    /// Number of directories that could not be listed.
    unlisted: usize,
    /// Files of other formats, by suffix.
    other_formats: BTreeMap<&'static str, u64>,
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
    /// The last in order of the other entries; empty without one. It decides whether anything follows the last
    /// document, and so whether a limit cut the walk.
    last_other: Vec<u8>,
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
pub(super) struct Window {
    pub(super) files: FileList,
    pub(super) steps: Vec<Step>,
}

pub(super) enum Step {
    /// A document, and whether another entry follows in its directory or one above.
    Document(RelPath, bool),
    Unlisted(RelPath, String),
    /// Number of further directories that could not be listed.
    MoreUnlisted(u64),
}

impl Step {
    pub(super) fn document_or_warn(self, walk: &mut DocumentWalk) -> Option<(RelPath, bool)> {
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
        let last = came_last.map_or(&[][..], |&last| self.name(last));
        self.next < self.entries.len() || *self.last_other > *last
    }
}

impl<'a> Listing<'a> {
    pub(super) fn new(
        docs: &'a DocsRoot,
        memory: Option<&'a Subtree>,
        budget: &'a Budget,
    ) -> Listing<'a> {
        Listing {
            docs,
            budget,
            memory,
            levels: Vec::new(),
            follow: false,
            raw: RawEntries::default(),
            unlisted: 0,
            other_formats: BTreeMap::new(),
        }
    }

    /// Returns whether the start was reached through symlinks.
    pub(super) fn follows(&self) -> bool {
        self.follow
    }

    /// Returns the number of files of other formats, by suffix.
    pub(super) fn into_other_formats(self) -> BTreeMap<&'static str, u64> {
        self.other_formats
    }

    /// Enters the directory that the caller named, through symlinks if necessary.
    pub(super) fn enter(&mut self, start: &RelPath, walk: &mut DocumentWalk) -> Result<()> {
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
            Ok(dir) => self.list(dir, start),
            Err(FsError::Outside | FsError::Pseudo) => {
                let shown = start.display();
                let message = format!("path '{shown}' leads outside the documents' root");
                return Err(Error::new(ErrorKind::AccessDenied, message).with_param("path"));
            }
            Err(error) => Err(error.reason()),
        };
        match listed {
            Ok(unknown) => unknown
                .into_iter()
                .for_each(|(path, reason)| walk.warn(&path, DocumentOperation::List, reason)),
            Err(reason) => walk.warn(start, DocumentOperation::List, reason),
        }
        Ok(())
    }

    /// Reads the entries of `dir`, which is at `path`, and adds a level for it. After a stop the level is
    /// incomplete; the callers poll again before they use it.
    ///
    /// Returns the entries whose kind could not be determined.
    fn list(&mut self, dir: Dir, path: &RelPath) -> Result<Vec<Unknown>, String> {
        let memory = self.memory.filter(|_| !self.follow);
        if let Some(known) = memory.and_then(|memory| memory.verified(path, &dir)) {
            // After a stop the level is not used.
            let _ = self.raw.set(known.iter(), self.budget);
        } else if let Err(unread) = self.raw.read(&dir, self.budget) {
            // After a stop there is no reason, and the level is not used.
            unread.reason().map_or(Ok(()), Err)?;
        }
        self.add_level(path, Some(&dir))
    }

    /// Adds a level for the directory at `path`, whose entries are in `raw`. The kinds of those from an open
    /// directory may be unknown.
    fn add_level(&mut self, path: &RelPath, dir: Option<&Dir>) -> Result<Vec<Unknown>, String> {
        let no_room = |error: TryReserveError| FsError::Io(error.into()).reason();
        let (docs, budget) = (self.docs, self.budget);
        let (mut names, mut entries, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
        names.try_reserve_exact(self.raw.names_len()).map_err(no_room)?;
        entries.try_reserve_exact(self.raw.len()).map_err(no_room)?;
        let mut last_other: &[u8] = &[];
        for (name, kind) in self.raw.iter() {
            // Some file systems do not report kinds in listings: these entries cost a stat each.
            let is_unknown = kind.is_none() && !is_hidden(name);
            let looked_up = dir.filter(|_| is_unknown).map(|dir| dir.stat(name));
            let kind = match looked_up {
                _ if is_hidden(name) => None,
                Some(Err(error @ FsError::Io(_))) => {
                    unknown.push((path.join(name), error.reason()));
                    continue;
                }
                Some(found) => found.ok().map(|meta| meta.kind),
                None => kind,
            };
            if kind == Some(Kind::File)
                && let Some(suffix) = docs.suffixes().other(name)
            {
                *self.other_formats.entry(suffix).or_default() += 1;
            }
            let is_dir = kind == Some(Kind::Dir);
            if is_dir || kind == Some(Kind::File) && is_document_name(docs, name) {
                let start = names.len();
                names.extend_from_slice(name);
                entries.push(Entry { start, end: names.len(), is_dir });
            } else {
                last_other = last_other.max(name);
            }
            let polled = if is_unknown { budget.poll_clock() } else { budget.poll() };
            if polled.is_err() {
                break;
            }
        }
        let name = |entry: &Entry| &names[entry.start..entry.end];
        // After a stop the order is wrong, but then the level is unused.
        let _ = sort(&mut entries, budget, &|a, b| name(a).cmp(name(b)));
        let real = dir.and_then(Dir::real_path).cloned();
        let last_other = last_other.to_vec();
        self.levels.push(Level { path: path.clone(), real, names, entries, next: 0, last_other });
        Ok(unknown)
    }

    /// Returns up to `documents_max` next documents. No document and no warning means the end.
    pub(super) fn window(&mut self, documents_max: usize) -> Result<Window, Stopped> {
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
        let memory = self.memory.filter(|_| !self.follow);
        if let Some(known) = memory.and_then(|memory| memory.listing(path)) {
            // After a stop the level is not used.
            let _ = self.raw.set(known.iter(), self.budget);
            return self.add_level(path, None);
        }
        let dir = self.docs.fs().open_dir(path, self.follow).map_err(|error| error.reason())?;
        self.list(dir, path)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_start_at_the_documents_root() {
        let resolved = |path| resolve(path).map(|path| path.display().into_owned());
        for (path, expected) in [("", "."), ("/", "."), ("/a/./b", "a/b"), ("a/../b", "b")] {
            assert_eq!(resolved(path).expect(path), expected, "{path}");
        }
        let absolute = [r"/C:\a", "/C:/a", r"\a", r"/\\host\share\a", r"\\?\C:\a"];
        let absolute = absolute.into_iter().filter(|_| cfg!(windows));
        for path in ["/../a", "..", "//a", "/a\0"].into_iter().chain(absolute) {
            assert_eq!(resolved(path).expect_err(path).code(), "access_denied", "{path}");
        }
    }
}
