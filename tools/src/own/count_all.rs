//! The number of all matches of a search whose reply a limit has ended.

use searchscope::{
    Call, FileMatches, FileOptions, Limits, Mode, Report, Result, SearchRequest, Workspace,
};
use std::ops::ControlFlow;

/// The number of matching lines, and of files with one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) lines: u64,
    pub(crate) files: u64,
}

/// Counts the lines that `request` matches in `files`, without its limits on results.
///
/// # Errors
///
/// Those of the search.
pub(crate) fn count(
    workspace: &Workspace,
    request: &SearchRequest,
    files: FileOptions,
    call: &Call,
) -> Result<(Count, Report)> {
    let pattern = request.pattern.clone();
    let mut other = SearchRequest::new(pattern, unlimited(&request.limits));
    other.paths.clone_from(&request.paths);
    other.exclude.clone_from(&request.exclude);
    other.encoding.clone_from(&request.encoding);
    other.encodings.clone_from(&request.encodings);
    other.search_context = request.search_context;
    other.uses.clone_from(&request.uses);
    (other.files, other.mode) = (files, Mode::Count);
    let (mut lines, mut files) = (0, 0);
    let report = workspace.run_search_each(&other, call, &mut |file: FileMatches| {
        lines += file.n_matches;
        files += 1;
        ControlFlow::Continue(())
    })?;
    Ok((Count { lines, files }, report))
}

fn unlimited(limits: &Limits) -> Limits {
    Limits {
        matches_max: None,
        matches_per_file_max: None,
        files_max: None,
        output_bytes_max: None,
        ..*limits
    }
}
