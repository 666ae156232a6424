//! How a layer above the walk decides which files belong.

use super::tally::Tally;
use crate::workspace::RelPath;
use crate::workspace::fs::{FsError, Meta};
use std::cell::Cell;

/// A file or directory that a [`PathFilter`] is asked about, and what the walk knows of it.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// Where it is.
    pub(crate) path: &'a RelPath,
    /// Whether it is a directory.
    pub(crate) is_dir: bool,
    /// Whether ignore files leave it, or a directory above it, out.
    pub(crate) is_ignored: bool,
    /// Looks what it is; whoever made the place tells of a failure.
    pub(crate) stat: &'a dyn Fn() -> Option<Meta>,
}

impl<'a> Place<'a> {
    /// Where it is.
    pub fn path(&self) -> &'a RelPath {
        self.path
    }

    /// Whether it is a directory, and not a file.
    pub fn is_dir(&self) -> bool {
        self.is_dir
    }

    /// Whether ignore files leave it out, or a directory above it. Never, where the request has
    /// `no_ignore`.
    pub fn is_ignored(&self) -> bool {
        self.is_ignored
    }

    /// When it was modified, in nanoseconds since 1970; looked up when asked for. `None` where that
    /// cannot be told, of which the report warns.
    pub fn modified_ns(&self) -> Option<i128> {
        (self.stat)().map(|meta| meta.mtime_ns)
    }
}

impl std::fmt::Debug for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Place")
            .field("path", &self.path)
            .field("is_dir", &self.is_dir)
            .field("is_ignored", &self.is_ignored)
            .finish()
    }
}

/// Looks things up for a filter, and keeps what failed for whoever asked the filter.
#[derive(Default)]
pub(super) struct LookUp(Cell<Option<FsError>>);

impl LookUp {
    /// What was found, unless the system failed.
    pub(super) fn note(&self, found: Result<Meta, FsError>) -> Option<Meta> {
        found.map_err(|error| self.0.set(Some(error))).ok()
    }

    /// Tells of a failure.
    pub(super) fn tell(self, path: &RelPath, tally: &mut Tally) {
        if let Some(error) = self.0.into_inner() {
            tally.count_unread(path, "not judged by its time", &error);
        }
    }
}

/// Lets a layer above the walk, such as scopes, decide which files belong.
///
/// It must give the same answer for the same place during a call. It decides about every file, also
/// about those that a request names itself.
pub trait PathFilter: Send + Sync {
    /// Whether the file or directory at `place` belongs. A directory is asked for only where the
    /// request wants directories themselves.
    fn matches(&self, place: &Place<'_>) -> bool;

    /// Whether files below the directory `dir` may belong, so that it is entered. Must be true of a
    /// directory with a file that belongs.
    fn visit(&self, dir: &Place<'_>) -> bool;

    /// Whether it decides itself about what ignore files leave out, so that the walk offers that
    /// too. Default: no.
    fn judges_ignored(&self) -> bool {
        false
    }

    /// Whether it decides itself about names that start with a dot, so that the walk offers them
    /// too. Default: no.
    fn judges_hidden(&self) -> bool {
        false
    }

    /// Returns a number that differs where another filter lets other files through: a cursor holds
    /// only for the same number. Default: `None`, and then searches with this filter give no cursor
    /// and take none.
    fn identity(&self) -> Option<u64> {
        None
    }
}
