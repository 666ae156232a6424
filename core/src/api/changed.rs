//! The changed files to which a builder keeps.

use super::CallOptions;
use crate::error::Result;
use crate::git::ChangedFiles;
use crate::search::Report;
use crate::walk::{FileOptions, WARNINGS_MAX, Warning, both};
use crate::{Call, Workspace};
use std::sync::Arc;

/// The commit with which a builder compares files.
#[derive(Clone, Debug)]
pub(super) enum Since {
    Head,
    Revision(String),
}

impl CallOptions {
    /// Adds the set of changed files to the filter of a request, if the builder keeps to them. Returns the
    /// set.
    pub(super) fn narrow(
        &self,
        workspace: &Workspace,
        files: &mut FileOptions,
        call: &Call,
    ) -> Result<Option<ChangedFiles>> {
        let since = match &self.changed {
            None => return Ok(None),
            Some(Since::Head) => None,
            Some(Since::Revision(revision)) => Some(revision.as_str()),
        };
        let changed = workspace.changed_files(since, call)?;
        files.path_filter = Some(both(files.path_filter.take(), Arc::new(changed.clone())));
        Ok(Some(changed))
    }
}

/// Adds the problems of a set to the report of a search that kept to it.
pub(super) fn report_problems(changed: Option<&ChangedFiles>, report: &mut Report) {
    let Some(changed) = changed else { return };
    report.complete &= changed.is_complete();
    report.n_warnings += changed.problems().len() as u64;
    let warning = |reason: &String| Warning { path: ".".to_owned(), reason: reason.clone() };
    report.warnings.splice(0..0, changed.problems().iter().map(warning));
    report.warnings.truncate(WARNINGS_MAX);
}
