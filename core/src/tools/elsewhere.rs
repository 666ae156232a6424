//! Reasons for an empty search or find: other files that have results.
//!
//! Advice to search hidden or ignored files is a false trail unless they match: they are
//! searched before they are named, within the rest of the deadline.

use super::ToolCall;
use super::files_args::Narrowing;
use super::wire::all_ignored;
use crate::error::{ErrorKind, Result};
use crate::search::{
    FileMatches, FindRequest, Flow, FoundFile, Limits, Mode, Report, SearchRequest,
};
use crate::walk::{FileOptions, PathFilter};
use crate::{Call, StopReason, Workspace};
use std::sync::Arc;
use std::time::Duration;

/// Maximum time for searching other files; reasons that are not known by then are omitted.
const TIME_MAX: Duration = Duration::from_secs(1);

/// A number of results in files that a request leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    /// Matching lines; `None` in a find, which only looks at names.
    pub(super) lines: Option<u64>,
    pub(super) files: u64,
}

/// Results in files that a request leaves out. `None` if there are none, or if that is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Elsewhere {
    /// Results in ignored files.
    ignored: Option<Count>,
    /// Results in hidden files and directories.
    hidden: Option<Count>,
    /// Results in files that are both ignored and hidden, if neither of the others has any.
    ignored_and_hidden: Option<Count>,
    /// Results reached through symlinks.
    linked: Option<Count>,
    /// Results in files that globs, names, types, sizes, times and the scope leave out.
    filtered: Option<Count>,
}

/// Counts the results of a request in other files; `None` if the time runs out.
type CountIn<'a> = dyn FnMut(FileOptions, &Call) -> Result<Option<Count>> + 'a;

impl Elsewhere {
    /// Searches the files that `request` leaves out, if `report` is empty.
    ///
    /// # Errors
    ///
    /// `cancelled`. Any other error counts as an unknown number of results.
    pub(super) fn search(
        workspace: &Workspace,
        request: &SearchRequest,
        report: &Report,
        call: &ToolCall<'_>,
    ) -> Result<Option<Elsewhere>> {
        if request.cursor.is_some() {
            return Ok(None);
        }
        let mut count = |files: FileOptions, call: &Call| {
            let (count, report) = count(workspace, request, files, call)?;
            Ok(known(&report, count))
        };
        Elsewhere::look(&request.files, report, call, true, &mut count)
    }

    /// Counts the files that `request` leaves out, as [`Elsewhere::search`] does for lines.
    pub(super) fn find(
        workspace: &Workspace,
        request: &FindRequest,
        report: &Report,
        call: &ToolCall<'_>,
    ) -> Result<Option<Elsewhere>> {
        if request.cursor.is_some() {
            return Ok(None);
        }
        let mut count = |files: FileOptions, call: &Call| {
            let mut other = FindRequest::new(files, u64::MAX, usize::MAX);
            other.paths.clone_from(&request.paths);
            let mut files = 0;
            let report = workspace.run_find_each(&other, call, &mut |_: &FoundFile| {
                files += 1;
                Flow::Continue
            })?;
            Ok(known(&report, Count { lines: None, files }))
        };
        Elsewhere::look(&request.files, report, call, false, &mut count)
    }

    fn look(
        files: &FileOptions,
        report: &Report,
        call: &ToolCall<'_>,
        filters_text: bool,
        count: &mut CountIn<'_>,
    ) -> Result<Option<Elsewhere>> {
        if report.total > 0 || report.stopped.is_some() {
            return Ok(None);
        }
        let call = call.within(TIME_MAX);
        let mut count = |files: FileOptions| match count(files, &call) {
            Err(error) if error.kind() != ErrorKind::Cancelled => Ok(None),
            counted => counted,
        };
        let mut elsewhere = Elsewhere::default();
        // A scope itself decides about ignored and hidden files.
        let judges =
            |filter: &Arc<dyn PathFilter>| filter.judges_ignored() || filter.judges_hidden();
        let is_open = !files.path_filter.as_ref().is_some_and(judges);
        let has_ignored = is_open && !files.no_ignore && report.skipped.ignored > 0;
        let has_hidden = is_open && !files.hidden && report.skipped.hidden > 0;
        if has_ignored {
            elsewhere.ignored = count(FileOptions { no_ignore: true, ..files.clone() })?;
        }
        if has_hidden {
            elsewhere.hidden = count(with_hidden(files.clone()))?;
        }
        if is_open && elsewhere == Elsewhere::default() && (has_ignored || has_hidden) {
            let both = FileOptions { no_ignore: true, ..with_hidden(files.clone()) };
            elsewhere.ignored_and_hidden = count(both)?;
        }
        if !files.follow && report.skipped.symlink > 0 {
            elsewhere.linked = count(FileOptions { follow: true, ..files.clone() })?;
        }
        // Directories that a glob excludes are not entered, so `filtered_files` omits their files.
        let has_filters = !files.globs.is_empty() || files.path_filter.is_some();
        if filters_text && (has_filters || report.filtered_files > 0) {
            let (no_ignore, hidden, follow) = (files.no_ignore, files.hidden, files.follow);
            let worktrees = files.worktrees;
            let unfiltered =
                FileOptions { no_ignore, hidden, worktrees, follow, ..FileOptions::default() };
            elsewhere.filtered = count(unfiltered)?;
        }
        Ok(Some(elsewhere))
    }

    fn sentences(&self, narrowing: &Narrowing) -> Vec<String> {
        let scope_too = match (&narrowing.scope, &narrowing.changed) {
            (None, None) => "",
            (Some(_), None) => "the scope, ",
            (None, Some(_)) => "changed, ",
            (Some(_), Some(_)) => "the scope, changed, ",
        };
        let filtered = format!(" left out by {scope_too}globs, names, types, sizes or times");
        let all = [
            (self.ignored, "ignored ", "", "; no_ignore includes such files"),
            (self.hidden, "hidden ", "", "; hidden includes such files"),
            (
                self.ignored_and_hidden,
                "ignored and hidden ",
                "",
                "; no_ignore with hidden includes such files",
            ),
            (self.linked, "", " reached through symlinks", "; follow includes such files"),
            (self.filtered, "", filtered.as_str(), ""),
        ];
        let known = all.iter().filter_map(|(count, before, after, advice)| {
            count.map(|count| format!("{}{advice}", count.sentence(before, after)))
        });
        known.collect()
    }
}

/// Counts the lines that `request` matches in `files`, without its limits on results.
///
/// # Errors
///
/// Those of the search.
pub(super) fn count(
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
    (other.files, other.mode) = (files, Mode::Count);
    let (mut lines, mut files) = (0, 0);
    let report = workspace.run_search_each(&other, call, &mut |file: FileMatches| {
        lines += file.n_matches;
        files += 1;
        true
    })?;
    Ok((Count { lines: Some(lines), files }, report))
}

/// Adds hidden files, except those of git.
fn with_hidden(files: FileOptions) -> FileOptions {
    let mut globs = files.globs.clone();
    globs.push("!.git".to_owned());
    FileOptions { globs, hidden: true, ..files }
}

fn unlimited(limits: &Limits) -> Limits {
    Limits {
        matches_max: u64::MAX,
        matches_per_file_max: u64::MAX,
        files_max: u64::MAX,
        output_bytes_max: usize::MAX,
        ..*limits
    }
}

/// Returns the count of a search, if it completed and found something.
fn known(report: &Report, count: Count) -> Option<Count> {
    (report.stopped.is_none() && count.files > 0).then_some(count)
}

impl Count {
    /// Returns a sentence about results in files, with `before` and `after` around the noun.
    fn sentence(&self, before: &str, after: &str) -> String {
        let end = |n: u64| if n == 1 { "" } else { "s" };
        let verb = |n: u64| if n == 1 { "matches" } else { "match" };
        let files = format!("{} {before}file{}{after}", self.files, end(self.files));
        match self.lines {
            Some(n) => format!("{n} line{} {} in {files}", end(n), verb(n)),
            None => format!("{files} {}", verb(self.files)),
        }
    }
}

/// Returns the reasons for an empty result, in sentences that suggest changes. `elsewhere` is known
/// if other files were searched.
pub(super) fn why_nothing(
    report: &Report,
    had_cursor: bool,
    looks_into_files: bool,
    narrowing: &Narrowing,
    elsewhere: Option<&Elsewhere>,
) -> Vec<String> {
    let mut why = Vec::new();
    match report.stopped {
        None if had_cursor => {
            why.push("no more results after the cursor".to_owned());
        }
        None => {}
        Some(StopReason::Deadline) => {
            why.push("the deadline ended the search early".to_owned());
        }
        Some(stopped) => why.push(format!("a limit ended the search: {}", stopped.code())),
    }
    let n = report.searched_files;
    let others = elsewhere.map(|elsewhere| elsewhere.sentences(narrowing)).unwrap_or_default();
    if let Some(reason) = all_ignored(report) {
        why.push(reason.to_owned());
    } else if n > 0 || report.filtered_files > 0 || !others.is_empty() {
        why.push(match looks_into_files {
            true if report.elsewhere > 0 => {
                format!("{} searched, but no line in them matched in search_context", were(n))
            }
            true => format!("{} searched, and no line in them matched", were(n)),
            false => "no file below paths matched".to_owned(),
        });
    } else if !had_cursor {
        why.push("no files below paths within depth".to_owned());
    }
    why.extend(others);
    let skipped = &report.skipped;
    let mut say = |n: u64, what: &str| {
        if n > 0 {
            let (noun, verb) = if n == 1 { ("entry", "was") } else { ("entries", "were") };
            why.push(format!("{n} {noun} {verb} {what}"));
        }
    };
    say(skipped.binary, "binary");
    say(skipped.too_large, "too large");
    say(skipped.unreadable, "unreadable");
    say(skipped.special, "neither a file nor a directory");
    say(skipped.too_deep, "too deep");
    say(skipped.denied, "withheld: names like those of credentials");
    say(skipped.worktree, "a git worktree; worktrees includes them, and so does a path to one");
    if report.elsewhere > 0 {
        let n = report.elsewhere;
        let lines = if n == 1 { "1 line matches" } else { &format!("{n} lines match") };
        why.push(format!("{lines}, but outside search_context"));
    }
    if let Some(changed) = &narrowing.changed {
        let n = changed.paths().len();
        let have = if n == 1 { "1 file has".to_owned() } else { format!("{n} files have") };
        let since = changed.since().map_or("HEAD", |since| since);
        why.push(format!("{have} changed since {since}; only these were searched"));
    }
    if let Some(scope) = &narrowing.scope {
        why.push(format!("only files of scope '{}' were searched", scope.display_name));
    }
    why
}

fn were(n_files: u64) -> String {
    if n_files == 1 { "1 file was".to_owned() } else { format!("{n_files} files were") }
}
