//! Finding files: the same walk as a search, without opening what it finds.

use super::{Order, Report};
use crate::budget::{Budget, CancelToken, StopReason};
use crate::error::{Error, ErrorKind, Result};
use crate::walk::{self, Candidate, FileOptions, NamedFiles, Tally, Tree, Visited, Visitor};
use crate::workspace::{RelPath, Workspace};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Which files to find, and how many of them to give.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FindRequest {
    /// Directories to look below, and files, relative to the root or absolute inside it. A file
    /// that is named here may be hidden or ignored, but its name must match. Default: the root.
    pub paths: Vec<String>,
    /// Which files.
    pub files: FileOptions,
    /// In which order files come.
    pub order: Order,
    /// Files to give at most.
    pub files_max: u64,
    /// Bytes of paths to give at most.
    pub output_bytes_max: usize,
    /// After this the search stops with what it has found. Default: no deadline.
    pub timeout: Option<Duration>,
}

impl FindRequest {
    /// A request for the files that `files` lets through, under the whole root.
    pub fn new(files: FileOptions, files_max: u64, output_bytes_max: usize) -> FindRequest {
        FindRequest {
            paths: vec![".".to_owned()],
            files,
            order: Order::default(),
            files_max,
            output_bytes_max,
            timeout: None,
        }
    }
}

impl Workspace {
    /// Finds regular files by name, without opening them, in the order of the request.
    ///
    /// A limit or a deadline is not an error: the report says what stopped the search, and what was
    /// found is a prefix of the whole.
    ///
    /// # Errors
    ///
    /// `invalid_param` for globs that do not compile, `not_found` and `access_denied` for the
    /// paths, `cancelled`, and `internal` for a defect.
    pub fn find(
        &self,
        request: &FindRequest,
        cancel: &CancelToken,
    ) -> Result<(Vec<RelPath>, Report)> {
        let started = Instant::now();
        let mut paths = Vec::with_capacity(request.paths.len());
        for path in &request.paths {
            paths.push(self.resolve(path)?);
        }
        let budget = Arc::new(Budget::new(request.timeout, cancel));
        let tree = Tree::new(self, &paths, &request.files, NamedFiles::Judged)?;
        let mut found = Vec::new();
        let mut stop = StopReason::None;
        let mut bytes = 0;
        let mut take = |path: RelPath| {
            bytes += path.as_bytes().len();
            stop = if found.len() as u64 >= request.files_max {
                StopReason::Limit
            } else if bytes > request.output_bytes_max {
                StopReason::ByteBudget
            } else {
                found.push(path);
                return true;
            };
            false
        };
        let mut tally = Tally::default();
        match request.order {
            Order::Path => {
                let names = Arc::new(Names);
                tally.append(walk::run(&budget, &tree, &names, self.threads(), &mut take)?);
            }
            // A listing that was stopped gives no files: the newest of a part are not the newest.
            Order::Mtime => {
                let newest = super::run::newest_first(self, &budget, &tree, &mut tally)?;
                newest.into_paths().all(take);
            }
        }
        if budget.is_cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "the call was cancelled"));
        }
        if stop == StopReason::None && budget.deadline_passed() {
            stop = StopReason::Deadline;
        }
        let total = found.len() as u64;
        Ok((found, Report::new(stop, total, tally, started)))
    }
}

/// Takes each file's path.
struct Names;

impl Visitor for Names {
    type Scratch = ();
    type Found = RelPath;

    fn scratch(&self) {}

    fn visit(
        &self,
        (): &mut (),
        file: &Candidate<'_>,
        _budget: &Budget,
        _tally: &mut Tally,
    ) -> Visited<RelPath> {
        Visited { found: Some(file.path()), ..Visited::nothing() }
    }

    fn weight(path: &RelPath) -> usize {
        path.as_bytes().len()
    }
}
