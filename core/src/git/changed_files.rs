//! The set of changed files.

use crate::workspace::RelPath;
use std::sync::Arc;

/// Files that differ from a commit, as of the creation of the set. Cheap to clone.
///
/// As a `path_filter` of [`crate::FileOptions`] it limits a search to these files; hidden and ignored ones
/// stay excluded as in every search.
#[derive(Clone, Debug)]
pub struct ChangedFiles(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// In order, without duplicates.
    paths: Vec<RelPath>,
    since: Option<String>,
    problems: Vec<String>,
    is_complete: bool,
}

impl ChangedFiles {
    #[cfg(feature = "git")]
    pub(super) fn new(
        mut paths: Vec<RelPath>,
        since: Option<&str>,
        problems: Vec<String>,
        is_complete: bool,
    ) -> ChangedFiles {
        paths.sort_unstable();
        paths.dedup();
        let since = since.map(str::to_owned);
        ChangedFiles(Arc::new(Inner { paths, since, problems, is_complete }))
    }

    /// Returns the files, relative to the root, in the order of their bytes.
    pub fn paths(&self) -> &[RelPath] {
        &self.0.paths
    }

    /// Returns warnings in sentences: repositories that were not read, and files that git may consider
    /// unchanged.
    pub fn problems(&self) -> &[String] {
        &self.0.problems
    }

    /// Returns whether all repositories were read, so that no changed file is missing.
    pub fn is_complete(&self) -> bool {
        self.0.is_complete
    }

    /// Returns whether a file is in the set.
    pub fn contains(&self, path: &RelPath) -> bool {
        self.0.paths.binary_search(path).is_ok()
    }

    /// Returns whether a file below the directory `dir` is in the set.
    pub(crate) fn has_below(&self, dir: &RelPath) -> bool {
        if dir.is_root() {
            return !self.0.paths.is_empty();
        }
        let below = [dir.as_bytes(), b"/"].concat();
        let at = self.0.paths.partition_point(|path| path.as_bytes() < below.as_slice());
        self.0.paths.get(at).is_some_and(|path| path.as_bytes().starts_with(&below))
    }

    /// Returns the revision with which the set was created.
    pub fn since(&self) -> Option<&str> {
        self.0.since.as_deref()
    }
}
