//! Reasons for an empty search or find, from the counts of its one pass.
//!
//! Nothing is read again: the walk has counted what ignore rules, hidden names, links and filters left out. Until
//! the reasons came from counts, the excluded files were searched for matches, which made a search without a
//! result four times as slow as one with results.

use crate::arguments::files::Narrowing;
use crate::replies::report::all_ignored;
use searchscope::{FileOptions, PathFilter, Report, StopReason};
use std::sync::Arc;

/// The treatment of the texts of files by a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    /// It finds names only.
    Unread,
    /// Every match counts, or those in a search context.
    Searched,
    /// Matches with other uses do not count either.
    ByUse,
}

impl Texts {
    fn judged(self) -> &'static str {
        match self {
            Texts::ByUse => "in search_context with one of uses",
            _ => "in search_context",
        }
    }

    fn refused(self) -> &'static str {
        match self {
            Texts::ByUse => "outside search_context or with other uses",
            _ => "outside search_context",
        }
    }
}

/// Returns the reasons for an empty result, in sentences that suggest changes. `files` are those of the request.
pub(crate) fn why_nothing(
    report: &Report,
    had_cursor: bool,
    texts: Texts,
    narrowing: &Narrowing,
    files: &FileOptions,
) -> Vec<String> {
    let looks_into_files = texts != Texts::Unread;
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
    let others = match report.stopped {
        None if !had_cursor && all_ignored(report).is_none() => {
            left_out(report, looks_into_files, narrowing, files)
        }
        _ => Vec::new(),
    };
    if let Some(reason) = all_ignored(report) {
        why.push(reason.to_owned());
    } else if n > 0 || report.filtered_files > 0 || !others.is_empty() {
        why.push(match looks_into_files {
            true if report.elsewhere > 0 => {
                format!("{} searched, but no line in them matched {}", were(n), texts.judged())
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
        why.push(format!("{lines}, but {}", texts.refused()));
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

/// Returns sentences about the entries that the request left out and could include.
fn left_out(
    report: &Report,
    looks_into_files: bool,
    narrowing: &Narrowing,
    files: &FileOptions,
) -> Vec<String> {
    // A scope itself decides about ignored and hidden files.
    let judges = |filter: &Arc<dyn PathFilter>| filter.judges_ignored() || filter.judges_hidden();
    let is_open = !files.path_filter.as_ref().is_some_and(judges);
    let skipped = &report.skipped;
    let done = if looks_into_files { "searched" } else { "listed" };
    let mut sentences = Vec::new();
    let mut say = |n: u64, noun: (&str, &str), verb: &str, remedy: &str| match n {
        0 => {}
        1 => sentences.push(format!("1 {} was not {verb}; {remedy} includes it", noun.0)),
        n => sentences.push(format!("{n} {} were not {verb}; {remedy} includes them", noun.1)),
    };
    if is_open && !files.no_ignore {
        say(skipped.ignored, ("ignored entry", "ignored entries"), done, "no_ignore");
    }
    if is_open && !files.hidden {
        say(skipped.hidden, ("hidden entry", "hidden entries"), done, "hidden");
    }
    if !files.follow {
        say(skipped.symlink, ("symlink", "symlinks"), "followed", "follow");
    }
    let n = report.filtered_files;
    if looks_into_files && n > 0 {
        let scope_too = match (&narrowing.scope, &narrowing.changed) {
            (None, None) => "",
            (Some(_), None) => "the scope, ",
            (None, Some(_)) => "changed, ",
            (Some(_), Some(_)) => "the scope, changed, ",
        };
        let by = format!("left out by {scope_too}globs, names, types, sizes or times");
        sentences.push(format!("{} {by}", were(n)));
    }
    sentences
}
