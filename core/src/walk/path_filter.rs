//! The interface through which a layer above the walk decides which files belong.

use super::tally::Tally;
use crate::workspace::RelPath;
use crate::workspace::fs::{FsError, Meta};
use std::cell::Cell;

/// A file or directory that a [`PathFilter`] judges, with the walk's knowledge about it.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The path, relative to the root.
    pub(crate) path: &'a RelPath,
    /// Whether it is a directory.
    pub(crate) is_dir: bool,
    /// Whether ignore files exclude it or a directory above it.
    pub(crate) is_ignored: bool,
    /// Looks up its metadata; the maker of the place reports a failure.
    pub(crate) stat: &'a dyn Fn() -> Option<Meta>,
}

impl<'a> Place<'a> {
    /// Returns the path, relative to the root.
    pub fn path(&self) -> &'a RelPath {
        self.path
    }

    /// Returns whether it is a directory rather than a file.
    pub fn is_dir(&self) -> bool {
        self.is_dir
    }

    /// Returns whether ignore files exclude it or a directory above it. Always false if the request has
    /// `no_ignore`.
    pub fn is_ignored(&self) -> bool {
        self.is_ignored
    }

    /// Looks up the time of modification, in nanoseconds since 1970. Returns `None` if the system fails to
    /// report it; the report then has a warning.
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

/// Runs look-ups for a filter and keeps the failure for the filter's caller.
#[derive(Default)]
pub(super) struct LookUp(Cell<Option<FsError>>);

impl LookUp {
    /// Returns `found`, and keeps its error.
    pub(super) fn note(&self, found: Result<Meta, FsError>) -> Option<Meta> {
        found.map_err(|error| self.0.set(Some(error))).ok()
    }

    /// Reports the failure, if there was one.
    pub(super) fn tell(self, path: &RelPath, tally: &mut Tally) {
        if let Some(error) = self.0.into_inner() {
            tally.count_unread(path, "modification time unknown", &error);
        }
    }
}

/// Lets a layer above the walk, such as scopes, decide which files belong.
///
/// It must return the same answer for the same place during a call. It decides about every file, even one
/// that the request names.
pub trait PathFilter: Send + Sync {
    /// Returns whether the file or directory at `place` belongs. The walk queries directories only if the
    /// request wants directories themselves.
    fn matches(&self, place: &Place<'_>) -> bool;

    /// Returns whether the walk enters `dir` because files below it may belong. Must be true for a directory
    /// with a file that belongs.
    fn visit(&self, dir: &Place<'_>) -> bool;

    /// Returns whether the filter itself judges what ignore files exclude; the walk then offers that too.
    /// Default: no.
    fn judges_ignored(&self) -> bool {
        false
    }

    /// Returns whether the filter itself judges names that start with a dot; the walk then offers them too.
    /// Default: no.
    fn judges_hidden(&self) -> bool {
        false
    }

    /// Returns a number that differs for filters that let different files through: a cursor is valid only for
    /// the same number. With the default, `None`, searches neither return nor accept cursors.
    fn identity(&self) -> Option<u64> {
        None
    }
}
