//! The argument `changed`: files that differ from a commit.

use schemars::JsonSchema;
use searchscope::toolkit::ErrorExt;
use searchscope::{Call, ChangedFiles, Error, Result, Workspace};
use serde::{Deserialize, Serialize};

/// Selection of changed files.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "Changed")]
#[serde(untagged)]
pub(crate) enum ChangedArg {
    /// Whether only files that differ from HEAD count.
    Head(bool),
    /// Since another commit.
    Since(Since),
}

/// The commit that files are compared with.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(deny_unknown_fields)]
pub(crate) struct Since {
    /// A branch, tag or commit id; files are compared with its merge base with HEAD.
    #[schemars(length(min = 1))]
    since: String,
}

/// The changed files of a request.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ChangedSet")]
pub(crate) struct ChangedSet {
    /// The number of changed files, whether or not the request includes them.
    files: usize,
    /// Warnings about the set of changed files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<String>,
}

impl ChangedArg {
    /// Returns the changed files; `None` if the argument is `false`.
    pub(crate) fn files(&self, workspace: &Workspace, call: &Call) -> Result<Option<ChangedFiles>> {
        let since = match self {
            ChangedArg::Head(false) => return Ok(None),
            ChangedArg::Head(true) => None,
            ChangedArg::Since(Since { since }) => Some(since.as_str()),
        };
        let files = workspace.changed_files(since, call);
        files.map(Some).map_err(|error| in_changed(error, "changed"))
    }
}

/// Assigns an error about changed files to the parameter `param`.
pub(crate) fn in_changed(error: Error, param: &str) -> Error {
    match error.param() {
        Some("since") => error.with_param_named(format!("{param}.since")),
        _ => error.with_param(param),
    }
}

impl From<&ChangedFiles> for ChangedSet {
    fn from(changed: &ChangedFiles) -> ChangedSet {
        ChangedSet { files: changed.paths().len(), diagnostics: changed.problems().to_vec() }
    }
}
