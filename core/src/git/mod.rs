//! Changed files: those that differ from a commit of the git repositories in the root.
//!
//! Everything is read through `workspace/fs`, and no process is started. A repository that cannot be read
//! exactly is refused with a reason, because callers could not distinguish an empty or wrong set from a right
//! one.

mod changed_files;
#[cfg(feature = "git")]
mod enabled;

pub use changed_files::ChangedFiles;
#[cfg(all(feature = "fuzzing", feature = "git"))]
pub(crate) use enabled::fuzzing;

use crate::Call;
use crate::budget::Budget;
use crate::error::Result;
use crate::workspace::Workspace;

impl Workspace {
    /// Returns the files that differ from `HEAD` in the git repositories of the root: staged, not staged, or
    /// neither tracked nor ignored. With `since` they differ from the merge base of `HEAD` and that revision:
    /// a branch, a tag or a commit id.
    ///
    /// Each repository inside the root is compared with its own `HEAD`. The set has no deleted files, because
    /// only existing ones can be searched. No configuration of the user or the system is read.
    ///
    /// ```no_run
    /// use searchscope::{Call, Workspace};
    /// # fn main() -> searchscope::Result<()> {
    /// let workspace = Workspace::open("repo")?;
    /// let changed = workspace.changed_files(Some("main"), &Call::new())?;
    /// for path in changed.paths() {
    ///     println!("{}", path.display());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `not_found` without a repository, `invalid_param` for a revision that does not exist, with the
    /// nearest names, `unsupported` for a repository that is not read, `timeout` and `cancelled`.
    pub fn changed_files(&self, since: Option<&str>, call: &Call) -> Result<ChangedFiles> {
        changed_files(self, since, &Budget::of(call))
    }
}

/// Like [`Workspace::changed_files`], within a budget.
pub(crate) fn changed_files(
    workspace: &Workspace,
    since: Option<&str>,
    budget: &Budget,
) -> Result<ChangedFiles> {
    #[cfg(feature = "git")]
    return enabled::changed_files(workspace, since, budget);
    #[cfg(not(feature = "git"))]
    {
        let _ = (workspace, since, budget);
        let message = "changed files need the feature 'git', which is off in this build";
        Err(crate::error::Error::new(crate::error::ErrorKind::Unsupported, message))
    }
}
