//! `find_files_by_name`: files whose name matches a glob. Contract:
//! docs/contracts/find-files-by-name.md.

use crate::arguments::defaults;
use crate::arguments::forms::{self, OtherNames};
use crate::arguments::limits::REPLY_BYTES_MAX;
use crate::contracts::errors;
use crate::replies::outcome::Outcome;
use crate::replies::report::{Warning, warnings_of_a_lack};
use crate::replies::{self, JsonList};
use crate::tool::{Contract, ToolCall};
use schemars::JsonSchema;
use searchscope::toolkit::ErrorExt;
use searchscope::{Error, ErrorKind, FileOptions, FindRequest, Result, StopReason, Workspace};
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(crate) struct FindFilesByName;

/// The deadline: the contract has no parameter for it, but every call needs one.
const TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// A glob such as "*.py", "test_?.js" or "src/**/index.{js,ts}". Without "/" it is matched
    /// against the whole file name; with "/" against the whole path relative to path, where "**"
    /// matches any directories. Case-sensitive.
    #[schemars(length(min = 1))]
    name_pattern: String,
    /// The directory to search, relative to the project root or absolute inside it.
    #[serde(default = "defaults::root")]
    path: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Reply {
    /// The files, relative to the project root, with "/" between names, in byte order.
    #[schemars(with = "Vec<String>")]
    files: JsonList,
    /// The number of files in the list.
    total_found: usize,
    /// Entries not read, so files may be missing: the first 20. Absent if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
}

impl Contract for FindFilesByName {
    const NAME: &'static str = "find_files_by_name";
    const DESCRIPTION: &'static str = "Finds regular files below a directory whose names match a \
        glob and returns their paths, sorted. Hidden and git-ignored files are left out, and \
        symlinks are not followed. Matches names only; never opens files.";
    type Args = Args;
    type Reply = Reply;
    const OTHER_NAMES: &'static [OtherNames] =
        &[("name_pattern", forms::TEXT), ("name_pattern", forms::GLOBS), ("path", forms::PLACE)];

    fn timeout(_args: &Args) -> Duration {
        TIMEOUT
    }

    fn outcome(reply: &Reply) -> Outcome {
        Outcome::of_search(!reply.files.is_empty(), reply.warnings.is_empty())
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let contract_error = |error: Error| match (error.kind(), error.param()) {
            (ErrorKind::InvalidParam, Some("name_glob")) => error.with_param_named("name_pattern"),
            _ => errors::path_error(error, &args.path),
        };
        let files = FileOptions {
            worktrees: true,
            name_glob: Some(args.name_pattern.clone()),
            glob_bases: vec![workspace.resolve(&args.path).map_err(contract_error)?],
            ..FileOptions::default()
        };
        let mut request = FindRequest::new(files, None, Some(REPLY_BYTES_MAX));
        request.paths = vec![args.path.clone()];
        let mut files = JsonList::new(REPLY_BYTES_MAX);
        let report =
            workspace.run_find_each(&request, call, &mut |file| files.take(&file.path.display()));
        let report = report.map_err(contract_error)?;
        match report.stopped {
            None => {}
            Some(StopReason::Deadline) => {
                let message =
                    format!("not done after {} seconds; narrow the path", TIMEOUT.as_secs());
                return Err(Error::new(ErrorKind::Timeout, message));
            }
            Some(_) => return Err(replies::too_large()),
        }
        Ok(Reply { total_found: files.len(), files, warnings: warnings_of_a_lack(&report) })
    }
}
