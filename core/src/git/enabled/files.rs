//! Files of a repository, opened through the handle of a root.
//!
//! Git writes absolute paths and paths with `..` into its files (`.git` of a worktree, `commondir`,
//! alternates). They are resolved by their text, because resolving them on disk would query directories
//! outside the root before it is known whether that is allowed.

use super::failure::Failure;
use crate::budget::Budget;
use crate::room;
use crate::workspace::fs::{File, FsError, Kind, Root};
use crate::workspace::{RawEntries, RelPath, read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The maximum number of names in one directory.
const NAMES_MAX: usize = 1_000_000;

/// A directory beneath a root.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    root: Arc<Root>,
    path: RelPath,
}

/// The directories that may be opened: the root, and others if the host allows it.
#[derive(Debug)]
pub(super) struct Reach {
    pub(super) root: Arc<Root>,
    /// Whether directories outside the root may be opened.
    pub(super) outside: bool,
}

impl Reach {
    /// Returns the directory at the path `text`, found in a file of the repository and relative to `from`.
    pub(super) fn folder(&self, from: &Folder, text: &[u8]) -> Result<Folder, Failure> {
        let text = String::from_utf8_lossy(text);
        let absolute = normal(&from.absolute().join(&*text));
        if let Ok(inside) = absolute.strip_prefix(self.root.real_path()) {
            let names = inside.iter().map(|name| name.as_encoded_bytes());
            let path = RelPath::from_components(names);
            return Ok(Folder { root: Arc::clone(&self.root), path });
        }
        if !self.outside {
            return Err(Failure::outside_root());
        }
        let root = Root::open(&absolute).map_err(|error| {
            Failure::refused(format!("a directory outside of the root: {}", error.reason()))
        })?;
        Ok(Folder { root: Arc::new(root), path: RelPath::root() })
    }
}

/// Removes `.` and `..` from a path by its text.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

impl Folder {
    pub(super) fn new(root: &Arc<Root>, path: RelPath) -> Folder {
        Folder { root: Arc::clone(root), path }
    }

    /// Returns the absolute path.
    pub(super) fn absolute(&self) -> PathBuf {
        self.root.real_path().join(self.path.to_path())
    }

    /// Returns whether the path `text`, relative to this folder, is that of `other`.
    pub(super) fn leads_to(&self, text: &str, other: &Folder) -> bool {
        normal(&self.absolute().join(text)) == normal(&other.absolute())
    }

    /// Returns the directory at the path `text`, relative to `from`, if it is this folder or below it.
    pub(super) fn leading_to(&self, from: &Folder, text: &str) -> Option<Folder> {
        let absolute = normal(&from.absolute().join(text));
        let below = absolute.strip_prefix(normal(&self.absolute())).ok()?;
        let names = below.iter().map(|name| name.as_encoded_bytes());
        let path = RelPath::from_components(self.path.components().chain(names));
        Some(Folder { root: Arc::clone(&self.root), path })
    }

    /// Returns the path below this folder as one relative to the root's handle. Names may come from files of
    /// the repository: without `.` and `..` they cannot lead above the folder.
    fn below(&self, name: &[u8]) -> RelPath {
        let names = self.path.components().chain(name.split(|&byte| byte == b'/'));
        RelPath::from_components(names.filter(|name| !matches!(*name, b"" | b"." | b"..")))
    }

    /// Returns the folder `name` below this one.
    pub(super) fn folder(&self, name: &[u8]) -> Folder {
        Folder { root: Arc::clone(&self.root), path: self.below(name) }
    }

    /// Opens a regular file; `None` if it does not exist.
    pub(super) fn open(&self, name: &[u8]) -> Result<Option<File>, Failure> {
        self.open_as(name, true)
    }

    fn open_as(&self, name: &[u8], follow: bool) -> Result<Option<File>, Failure> {
        let path = self.below(name);
        match self.root.open_file(&path, follow) {
            Ok(file) => Ok(Some(file)),
            // Without it the set would be a different one. A hidden `packed-refs`, for example, would make a
            // branch seem absent.
            Err(FsError::NotFound) if self.root.denies_path(&path) => {
                Err(Failure::refused("the workspace option 'deny' hides part of it"))
            }
            // No file has a name that is too long, such as a misspelled revision.
            Err(FsError::NotFound | FsError::WrongKind | FsError::NameTooLong) => Ok(None),
            Err(FsError::Symlink) if !follow => Ok(None),
            Err(error) => Err(Failure::refused(error.reason()).of(&shown(name))),
        }
    }

    /// Like [`Folder::read`], but `None` for a symlink.
    pub(super) fn read_unlinked(
        &self,
        name: &[u8],
        bytes_max: u64,
        budget: &Budget,
    ) -> Result<Option<Vec<u8>>, Failure> {
        read_opened(self.open_as(name, false), name, bytes_max, budget)
    }

    /// Returns whether `name`, or a directory on the way to it from the root, is a symlink.
    pub(super) fn has_link(&self, name: &[u8]) -> bool {
        let path = self.below(name);
        let mut above = RelPath::root();
        path.components().any(|component| {
            above = above.join(component);
            let meta = self.root.stat(&above, false);
            meta.is_ok_and(|meta| meta.kind == Kind::Symlink)
        })
    }

    /// Returns whether the directory has the entry `name`, which may be denied.
    pub(super) fn has_entry(&self, name: &[u8]) -> bool {
        self.root.open_dir(&self.path, true).is_ok_and(|dir| dir.stat(name).is_ok())
    }

    /// Returns the path below the root that the text of a file in this directory names; `None` outside of it.
    pub(super) fn inside(&self, root: &Arc<Root>, text: &[u8]) -> Option<RelPath> {
        if Arc::ptr_eq(&self.root, root) { root.inside(&self.path, text) } else { None }
    }

    /// Returns whether `deny` hides `name`.
    pub(super) fn denies(&self, name: &[u8]) -> bool {
        self.root.denies_path(&self.below(name))
    }

    /// Reads a whole file; `None` if it does not exist.
    pub(super) fn read(
        &self,
        name: &[u8],
        bytes_max: u64,
        budget: &Budget,
    ) -> Result<Option<Vec<u8>>, Failure> {
        read_opened(self.open(name), name, bytes_max, budget)
    }

    /// Returns the kind of `name`; `None` if it does not exist.
    pub(super) fn kind(&self, name: &[u8]) -> Result<Option<Kind>, Failure> {
        match self.root.stat(&self.below(name), true) {
            Ok(meta) => Ok(Some(meta.kind)),
            Err(FsError::NotFound | FsError::WrongKind | FsError::NameTooLong) => Ok(None),
            Err(error) => Err(Failure::refused(error.reason()).of(&shown(name))),
        }
    }

    /// Lists names and kinds, in no particular order; empty if the directory does not exist.
    pub(super) fn list(&self, budget: &Budget) -> Result<Vec<(Vec<u8>, Kind)>, Failure> {
        let dir = match self.root.open_dir(&self.path, true) {
            Ok(dir) => dir,
            Err(FsError::NotFound | FsError::WrongKind) => return Ok(Vec::new()),
            Err(error) => return Err(Failure::refused(error.reason())),
        };
        let mut raw = RawEntries::default();
        match raw.read_at_most(&dir, NAMES_MAX, budget) {
            Ok(true) => {}
            Ok(false) => return Err(Failure::refused("a directory has too many entries")),
            Err(unread) => return Err(unread.into()),
        }
        let mut names = Vec::new();
        for (name, kind) in raw.iter() {
            budget.poll()?;
            // An entry whose kind cannot be determined has vanished.
            let kind = kind.or_else(|| dir.stat(name).ok().map(|meta| meta.kind));
            if let Some(kind) = kind {
                room::push(&mut names, (room::copy(name)?, kind))?;
            }
        }
        Ok(names)
    }
}

/// Reads the whole file `name`, if it was opened.
fn read_opened(
    opened: Result<Option<File>, Failure>,
    name: &[u8],
    bytes_max: u64,
    budget: &Budget,
) -> Result<Option<Vec<u8>>, Failure> {
    let Some(file) = opened? else { return Ok(None) };
    Ok(Some(contents(file, bytes_max, budget).map_err(|failure| failure.of(&shown(name)))?))
}

/// Reads the whole of an open file.
pub(super) fn contents(file: File, bytes_max: u64, budget: &Budget) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let len = match read(file, bytes_max, &mut bytes, budget) {
        Ok(bytes) => bytes.len(),
        Err(unread) => return Err(unread.into()),
    };
    bytes.truncate(len);
    Ok(bytes)
}

/// Returns a name as sentences show it.
pub(super) fn shown(name: &[u8]) -> String {
    format!("'{}'", crate::suggest::shorten(&String::from_utf8_lossy(name)))
}
