//! The Rust interface of the engine: builders, results that iterate, and methods that run a whole
//! request.
//!
//! A builder fills a request with public fields and runs it; the request has fields for everything
//! that the builder has no method for. This layer has no search logic and knows no JSON.

mod changed;
mod checks;
mod documents;
mod files;
mod find;
mod run;
mod scope;
mod search;
mod symbols;
#[cfg(test)]
mod tests;

pub use documents::Documents;
pub use files::FileText;
pub use find::{Find, FindResults};
pub use search::{Match, Search, SearchResults};
pub use symbols::Symbols;

use crate::{Call, CancelToken};
use std::time::Duration;

/// Options of the calls that a builder will start.
#[derive(Clone, Debug, Default)]
struct CallOptions {
    timeout: Option<Duration>,
    cancel: CancelToken,
    changed: Option<changed::Since>,
}

impl CallOptions {
    /// Starts a call.
    fn start(&self) -> Call {
        let call = Call::new().with_cancel(&self.cancel);
        match self.timeout {
            Some(timeout) => call.with_timeout(timeout),
            None => call,
        }
    }
}

/// Adds the methods that choose files to a builder with `request.paths`, `request.files` and
/// `call`.
macro_rules! choosing_files {
    () => {
        /// Adds a directory or file to search, relative to the root or absolute inside it. Default:
        /// the root.
        pub fn path(mut self, path: impl Into<String>) -> Self {
            if !std::mem::replace(&mut self.has_paths, true) {
                self.request.paths.clear();
            }
            self.request.paths.push(path.into());
            self
        }

        /// Adds a glob that files must match, like ripgrep's `--glob`; with `!` in front it
        /// excludes.
        pub fn glob(mut self, glob: impl Into<String>) -> Self {
            self.request.files.globs.push(glob.into());
            self
        }

        /// Restricts files to a scope, which itself decides about hidden and ignored ones.
        pub fn scope(mut self, scope: &crate::Scope) -> Self {
            let before = self.request.files.path_filter.take();
            let scope = std::sync::Arc::new(scope.clone());
            self.request.files.path_filter = Some(crate::walk::both(before, scope));
            self
        }

        /// Restricts files to those that differ from git's `HEAD`: staged, edited, or neither tracked
        /// nor ignored. The last call of this method and of `changed_since` counts.
        ///
        /// The set is computed when the builder runs, with the errors of
        /// [`Workspace::changed_files`](crate::Workspace::changed_files). Its problems are warnings of
        /// the report, which is not complete if a repository was left out.
        ///
        /// ```
        /// # use searchscope::Workspace;
        /// # fn main() -> searchscope::Result<()> {
        /// # if !cfg!(feature = "git") { return Ok(()); }
        /// # let dir = tempfile::tempdir().unwrap();
        /// # std::fs::write(dir.path().join("new.rs"), "// TODO\n").unwrap();
        /// let workspace = Workspace::open(dir.path())?;
        /// let error = workspace.search("TODO").changed().run().unwrap_err();
        /// assert_eq!(error.code(), "not_found", "there is no repository");
        /// # std::fs::create_dir_all(dir.path().join(".git/objects")).unwrap();
        /// # std::fs::write(dir.path().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        /// // After `git init` every file is new:
        /// assert_eq!(workspace.search("TODO").changed().run()?.report.total, 1);
        /// # Ok(())
        /// # }
        /// ```
        pub fn changed(mut self) -> Self {
            self.call.changed = Some(crate::api::changed::Since::Head);
            self
        }

        /// Restricts files to those that differ from the merge base of `HEAD` and a revision: a branch,
        /// a tag or a commit id. Otherwise as `changed`.
        ///
        /// ```
        /// # use searchscope::Workspace;
        /// # fn main() -> searchscope::Result<()> {
        /// # if !cfg!(feature = "git") { return Ok(()); }
        /// # let dir = tempfile::tempdir().unwrap();
        /// # std::fs::create_dir_all(dir.path().join(".git/objects")).unwrap();
        /// # std::fs::write(dir.path().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        /// # let workspace = Workspace::open(dir.path())?;
        /// let error = workspace.find().changed_since("mian").run().unwrap_err();
        /// assert_eq!((error.code(), error.param()), ("invalid_param", Some("since")));
        /// # Ok(())
        /// # }
        /// ```
        pub fn changed_since(mut self, revision: impl Into<String>) -> Self {
            self.call.changed = Some(crate::api::changed::Since::Revision(revision.into()));
            self
        }

        /// Restricts files to those of a set that
        /// [`Workspace::changed_files`](crate::Workspace::changed_files) returned, which saves computing
        /// it for each of several searches.
        pub fn changed_files(mut self, changed: &crate::ChangedFiles) -> Self {
            let before = self.request.files.path_filter.take();
            let changed = std::sync::Arc::new(changed.clone());
            self.request.files.path_filter = Some(crate::walk::both(before, changed));
            self
        }

        /// Includes files and directories whose name starts with a dot.
        pub fn hidden(mut self, on: bool) -> Self {
            self.request.files.hidden = on;
            self
        }

        /// Includes git worktrees of a repository inside the root, which are copies of its files.
        pub fn worktrees(mut self, on: bool) -> Self {
            self.request.files.worktrees = on;
            self
        }

        /// Includes files that ignore files exclude.
        pub fn ignored(mut self, on: bool) -> Self {
            self.request.files.no_ignore = on;
            self
        }

        /// Follows symlinks that stay inside the root.
        pub fn follow(mut self, on: bool) -> Self {
            self.request.files.follow = on;
            self
        }

        /// Stops `timeout` after the start with the results so far.
        pub fn timeout(mut self, timeout: std::time::Duration) -> Self {
            self.call.timeout = Some(timeout);
            self
        }

        /// Ends the call with the error `cancelled` once `cancel` is triggered.
        pub fn cancel(mut self, cancel: &crate::CancelToken) -> Self {
            self.call.cancel = cancel.clone();
            self
        }
    };
}
use choosing_files;
