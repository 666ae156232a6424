//! Counts of skipped entries, by reason: the basis for every claim of completeness.

use crate::workspace::RelPath;
use crate::workspace::fs::FsError;

/// A report keeps this many warnings; the rest are only counted.
pub(crate) const WARNINGS_MAX: usize = 20;
/// A report names this many entries that ignore rules and hidden names left out.
pub const LEFT_OUT_MAX: usize = 1_000;

/// Counts of skipped entries, by reason. A skipped directory counts once, whatever it contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// Left out by `.gitignore`, `.ignore` or `.git/info/exclude`.
    pub ignored: u64,
    /// Left out because the name starts with a dot.
    pub hidden: u64,
    /// Binary: a NUL in the first 64 KiB.
    pub binary: u64,
    /// Larger than the request's maximum, or than multi-line search can hold.
    pub too_large: u64,
    /// Symlinks that were not followed, or that lead outside the root, nowhere or in a circle.
    pub symlink: u64,
    /// Could not be opened, listed or read to the end, ignore files and `.git` files included.
    pub unreadable: u64,
    /// Names that this system cannot represent (never on Linux).
    pub undecodable_name: u64,
    /// FIFOs, sockets, devices and kernel file systems; never opened.
    pub special: u64,
    /// Directories below the default depth of a walk, where the request does not set one.
    pub too_deep: u64,
    /// Left out by the option `deny_secrets`. Entries that only `deny` leaves out are not counted.
    pub denied: u64,
    /// Git worktrees of a repository inside the root: copies of its files.
    pub worktree: u64,
}

/// An entry that was not searched, or not completely, with the reason; it never fails the call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// The path, relative to the root.
    pub path: String,
    /// The reason, in a few words.
    pub reason: String,
}

/// Files whose syntax was requested but whose language has no grammar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoGrammar {
    /// The number of them.
    pub files: u64,
    /// The first five, relative to the root.
    pub first: Vec<String>,
}

/// The maximum number of files without grammar that are named.
const NO_GRAMMAR_MAX: usize = 5;

/// The counts of a stretch of the walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub files: u64,
    /// The size of the files that a search opened, or would have opened without the index.
    pub bytes: u64,
    pub skipped: Skipped,
    /// Files that globs, names or attributes of the request left out.
    pub filtered: u64,
    /// The sum of the stamps of the files that were visited. A sum, because batches arrive from several
    /// threads, and the next page extends it without the files of this one.
    pub stamps: u64,
    /// Files in scope that were not searched completely: larger than the engine can handle, or with a NUL far
    /// into them.
    pub given_up: u64,
    /// Those of `given_up` that exceed a limit of the engine.
    pub over_limits: u64,
    /// Those of `skipped.too_large` that exceed the maximum of the request, and no limit of the engine.
    pub over_max: u64,
    pub warnings: u64,
    /// Files whose syntax was requested but whose language has no grammar.
    pub no_grammar: u64,
    /// Matching lines outside the syntax to which the request limits matches.
    pub elsewhere: u64,
}

/// The counts and warnings of a stretch of the walk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub counts: Counts,
    /// The first warnings, in the order of the walk.
    pub warnings: Vec<Warning>,
    /// The first files without a grammar.
    pub no_grammar: Vec<String>,
    /// The first files and directories that ignore rules and hidden names left out.
    pub left_out: Vec<RelPath>,
    /// The end of the stretch, where the visitor keeps track of it.
    pub last: Option<Reached>,
}

/// The position of a run in the order of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// After this file.
    File(RelPath),
    /// Before this path, which follows everything below a directory.
    Before(RelPath),
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Counts) {
        let (to, from) = (&mut self.skipped, &other.skipped);
        self.files += other.files;
        self.bytes += other.bytes;
        self.filtered += other.filtered;
        self.stamps = self.stamps.wrapping_add(other.stamps);
        self.given_up += other.given_up;
        self.over_limits += other.over_limits;
        self.over_max += other.over_max;
        self.warnings += other.warnings;
        self.no_grammar += other.no_grammar;
        self.elsewhere += other.elsewhere;
        to.ignored += from.ignored;
        to.hidden += from.hidden;
        to.binary += from.binary;
        to.too_large += from.too_large;
        to.symlink += from.symlink;
        to.unreadable += from.unreadable;
        to.undecodable_name += from.undecodable_name;
        to.special += from.special;
        to.too_deep += from.too_deep;
        to.denied += from.denied;
        to.worktree += from.worktree;
    }
}

impl Tally {
    pub(crate) fn warn(&mut self, path: &RelPath, reason: impl Into<String>) {
        self.counts.warnings += 1;
        if self.warnings.len() < WARNINGS_MAX {
            self.warnings
                .push(Warning { path: path.display().into_owned(), reason: reason.into() });
        }
    }

    /// Counts a file in scope that exceeds the engine's limits and is not searched.
    pub(crate) fn give_up(&mut self, path: &RelPath, reason: &str) {
        self.counts.skipped.too_large += 1;
        self.search_in_part(path, reason);
    }

    /// Counts a file in scope that is searched, but not completely, because of the engine's limits.
    pub(crate) fn search_in_part(&mut self, path: &RelPath, reason: &str) {
        self.counts.given_up += 1;
        self.counts.over_limits += 1;
        self.warn(path, reason);
    }

    /// Keeps the first entries that rules left out. Those from `start` on are of one directory, and the order in
    /// which the system lists them does not matter.
    pub(super) fn cut_left_out(&mut self, start: usize) {
        self.left_out[start..].sort();
        self.left_out.truncate(LEFT_OUT_MAX);
    }

    /// Counts a file whose language has no grammar.
    pub(crate) fn count_no_grammar(&mut self, path: &RelPath) {
        self.counts.no_grammar += 1;
        if self.no_grammar.len() < NO_GRAMMAR_MAX {
            self.no_grammar.push(path.display().into_owned());
        }
    }

    /// Adds the part of a stretch up to `counts`.
    pub(crate) fn append_up_to(&mut self, counts: &Counts, next: Tally) {
        let n_warnings = usize::try_from(counts.warnings).unwrap_or(usize::MAX);
        let mut next = next;
        next.warnings.truncate(n_warnings);
        next.no_grammar.truncate(usize::try_from(counts.no_grammar).unwrap_or(usize::MAX));
        next.counts = *counts;
        self.append(next);
    }

    /// Counts an entry that could not be opened. One that vanished since it was listed counts as never
    /// listed.
    pub(crate) fn count_unopened(&mut self, path: &RelPath, error: &FsError) {
        let skipped = &mut self.counts.skipped;
        match error {
            FsError::NotFound => return,
            FsError::Symlink | FsError::Outside => skipped.symlink += 1,
            FsError::Pseudo | FsError::WrongKind => skipped.special += 1,
            FsError::NameTooLong | FsError::Io(_) => skipped.unreadable += 1,
        }
        self.warn(path, error.reason());
    }

    /// Counts a failed look-up for `path`; `lost` names the part that the reply lacks.
    pub(crate) fn count_unread(&mut self, path: &RelPath, lost: &str, error: &FsError) {
        if let FsError::NameTooLong | FsError::Io(_) = error {
            self.counts.skipped.unreadable += 1;
            self.warn(path, format!("{lost}: {}", error.reason()));
        }
    }

    /// Adds the failures of opening files again that are counted already.
    pub(crate) fn append_again(&mut self, again: Tally) {
        let skipped = Skipped { unreadable: again.counts.skipped.unreadable, ..Skipped::default() };
        let counts = Counts { skipped, stamps: again.counts.stamps, ..Counts::default() };
        let mut next = Tally { counts, last: again.last, ..Tally::default() };
        for warning in again.warnings {
            if !self.warnings.contains(&warning) {
                next.counts.warnings += 1;
                next.warnings.push(warning);
            }
        }
        self.append(next);
    }

    /// Adds the stretch after this one.
    pub(crate) fn append(&mut self, next: Tally) {
        self.counts.add(&next.counts);
        self.last = next.last.or(self.last.take());
        let room = WARNINGS_MAX.saturating_sub(self.warnings.len());
        self.warnings.extend(next.warnings.into_iter().take(room));
        let room = NO_GRAMMAR_MAX.saturating_sub(self.no_grammar.len());
        self.no_grammar.extend(next.no_grammar.into_iter().take(room));
        let room = LEFT_OUT_MAX.saturating_sub(self.left_out.len());
        self.left_out.extend(next.left_out.into_iter().take(room));
    }
}
