//! The ignore files that apply in a directory: a chain of only those directories that have some.
//!
//! Precedence is ripgrep's: any `.ignore` before any `.gitignore` before any `.git/info/exclude`, and within
//! one kind the deepest file with a verdict. `.gitignore` files above a nested repository do not apply in it.
//! The verdicts of one file are git's (`wildcard`).

use crate::budget::Budget;
use crate::index::Listing;
use crate::room;
use crate::walk::tally::Tally;
use crate::wildcard::limits::FILE_BYTES_MAX;
use crate::wildcard::{IGNORE_FILES, IgnoreLines, Steps, Verdict};
use crate::workspace::fs::{Dir, File, FsError, Kind, read_retrying};
use crate::workspace::{RawEntries, RelPath};
use std::io;
use std::sync::{Arc, Weak};

/// More patterns than this above one file are a mistake or an attack; further files are reported.
const PATTERNS_MAX: usize = 20_000;
/// The maximum number of warnings about the lines of one file.
const LINE_WARNINGS_MAX: usize = 3;

/// The number of kinds of ignore files: those of [`IGNORE_FILES`], and `.git/info/exclude`.
const N_KINDS: usize = IGNORE_FILES.len() + 1;

/// The ignore rules that apply to the entries of one directory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    link: Option<Arc<Link>>,
    /// Whether ignore files further down do not apply either.
    off: bool,
}

#[derive(Debug)]
struct Link {
    above: Rules,
    /// The length in bytes of this directory's path from the root, with the `/` after it.
    prefix_len: usize,
    /// The ignore files of the directory, in the order of their precedence.
    files: [Option<IgnoreLines>; N_KINDS],
    is_repository: bool,
    in_repository: bool,
    pattern_count: usize,
    /// Whether one of its files can change under another name: it has hard links, or is a mount.
    has_links: bool,
}

/// The names relevant to ignore rules that are present in a directory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Present {
    files: [Entry; IGNORE_FILES.len()],
    git: Entry,
}

/// A listing's report on one name.
#[derive(Clone, Copy, Debug, Default)]
enum Entry {
    #[default]
    Absent,
    /// The directory was not listed, or the listing does not report the kind.
    Unknown,
    Is(Kind),
}

impl Present {
    /// Returns which of the names are among `entries`.
    pub(crate) fn among(entries: &RawEntries) -> Present {
        let mut present = Present::default();
        for (name, kind) in entries.iter() {
            let entry = match IGNORE_FILES.iter().position(|file| file.name == name) {
                Some(at) => &mut present.files[at],
                None if name == b".git" => &mut present.git,
                None => continue,
            };
            *entry = kind.map_or(Entry::Unknown, Entry::Is);
        }
        present
    }

    /// Returns whether `.git` may be a file, as in worktrees and submodules.
    pub(in crate::walk) fn may_have_git_file(self) -> bool {
        matches!(self.git, Entry::Unknown | Entry::Is(Kind::File))
    }

    /// Returns whether nothing in the directory brings rules.
    pub(crate) fn is_empty(self) -> bool {
        self.files.iter().chain([&self.git]).all(|entry| matches!(entry, Entry::Absent))
    }

    /// The value for a directory that was not listed: each name is then tried.
    pub(crate) const UNKNOWN: Present =
        Present { files: [Entry::Unknown; IGNORE_FILES.len()], git: Entry::Unknown };
}

/// The rules of a directory, with those above it from which they were derived.
pub(in crate::walk) struct EnteredRules {
    pub(in crate::walk) above: Rules,
    pub(in crate::walk) rules: Rules,
}

impl EnteredRules {
    /// Returns the rules of the directory, if those above it are `above`.
    pub(in crate::walk) fn below(&self, above: &Rules) -> Option<Rules> {
        self.above.is(above).then(|| self.rules.clone())
    }

    /// Returns the rules that were derived last in `listing`, if `read`, read again below `above`, are equal:
    /// what was derived from them depends on their identity. Otherwise returns `read`.
    pub(in crate::walk) fn known_in(listing: &Listing, above: &Rules, read: &Rules) -> Rules {
        let last = listing.last_derived();
        let last = last.as_ref().and_then(|last| last.downcast_ref::<EnteredRules>());
        let known = last.and_then(|last| last.below(above)).filter(|known| known.equal(read));
        known.unwrap_or_else(|| read.clone())
    }
}

/// The identity of rules. It keeps nothing of them, and no other rules have it as long as it exists.
pub(super) struct RulesIdentity(Weak<Link>);

impl RulesIdentity {
    /// Returns whether it is that of `rules`.
    pub(in crate::walk) fn is_of(&self, rules: &Rules) -> bool {
        rules.link.as_ref().is_some_and(|link| std::ptr::eq(Arc::as_ptr(link), self.0.as_ptr()))
    }
}

impl Link {
    /// Returns whether both have the same rules, below the very same ones.
    fn has_rules_of(&self, other: &Link) -> bool {
        let facts = |link: &Link| {
            let Link { prefix_len, is_repository, in_repository, pattern_count, has_links, .. } =
                *link;
            (prefix_len, is_repository, in_repository, pattern_count, has_links)
        };
        self.above.is(&other.above) && facts(self) == facts(other) && self.files == other.files
    }
}

impl Rules {
    /// Returns whether these are the very rules of `other`, by identity.
    fn is(&self, other: &Rules) -> bool {
        let is_same_link = match (&self.link, &other.link) {
            (None, None) => true,
            (Some(link), Some(other)) => Arc::ptr_eq(link, other),
            _ => false,
        };
        is_same_link && self.off == other.off
    }

    /// Returns whether `other` has the same rules, below the very same ones.
    fn equal(&self, other: &Rules) -> bool {
        let are_equal = match (&self.link, &other.link) {
            (None, None) => true,
            (Some(link), Some(other)) => link.has_rules_of(other),
            _ => false,
        };
        are_equal && self.off == other.off
    }

    /// Returns the identity of the rules; `None` if there are none.
    pub(super) fn identity(&self) -> Option<RulesIdentity> {
        self.link.as_ref().map(|link| RulesIdentity(Arc::downgrade(link)))
    }

    /// Returns a value without rules, here and below.
    pub(crate) fn off() -> Rules {
        Rules { link: None, off: true }
    }

    /// Returns whether the lowest ignore files can change without an event in their directory.
    pub(in crate::walk) fn have_links(&self) -> bool {
        self.link.as_ref().is_some_and(|link| link.has_links)
    }

    /// Returns whether there are no rules.
    pub(crate) fn is_empty(&self) -> bool {
        self.link.is_none()
    }

    /// Returns the rules for the entries of `dir`: these, and those of the ignore files in it. The rules of a
    /// denied ignore file apply, because they can only exclude more, but no warning names it.
    pub(crate) fn enter(
        &self,
        budget: &Budget,
        dir: &Dir,
        path: &RelPath,
        present: Present,
        deny: Option<&IgnoreLines>,
        tally: &mut Tally,
    ) -> Rules {
        if self.off {
            return self.clone();
        }
        let mut room =
            PATTERNS_MAX.saturating_sub(self.link.as_ref().map_or(0, |l| l.pattern_count));
        let mut has_links = false;
        let mut load = |opened: Result<File, FsError>, names: &[&[u8]]| {
            if let Err(FsError::NotFound) = opened {
                return None;
            }
            has_links |= opened.as_ref().is_ok_and(|file| file.meta().has_links || file.is_mount());
            let at = names.iter().fold(path.clone(), |path, name| path.join(name));
            let is_denied = |deny: &IgnoreLines| {
                deny.verdict_with_parents(at.as_bytes(), false) == Verdict::Ignore
            };
            let at = if deny.is_some_and(is_denied) { path.clone() } else { at };
            read(budget, opened, &at, &mut room, tally)
        };
        let mut files = [const { None }; N_KINDS];
        for ((file, entry), lines) in IGNORE_FILES.iter().zip(present.files).zip(&mut files) {
            *lines = load(open(dir, file.name, entry), &[file.name]);
        }
        let info = match present.git {
            Entry::Absent => None,
            Entry::Unknown | Entry::Is(_) => repository(dir),
        };
        let is_repository = info.is_some();
        files[N_KINDS - 1] = info.and_then(|info| {
            let opened = info.and_then(|info| open(&info, b"exclude", Entry::Unknown));
            load(opened, &[b".git", b"info", b"exclude"])
        });
        if files.iter().all(Option::is_none) && !is_repository {
            return self.clone();
        }
        let in_repository =
            is_repository || self.link.as_ref().is_some_and(|link| link.in_repository);
        let link = Link {
            above: self.clone(),
            prefix_len: if path.is_root() { 0 } else { path.as_bytes().len() + 1 },
            files,
            is_repository,
            in_repository,
            pattern_count: PATTERNS_MAX - room,
            has_links,
        };
        Rules { link: Some(Arc::new(link)), off: false }
    }

    /// Returns the verdict on `path`, given from the root. Directories above it are not judged: a walk that
    /// got here has judged them.
    ///
    /// After a stop of the budget the verdict is meaningless.
    pub(crate) fn verdict(
        &self,
        budget: &Budget,
        path: &[u8],
        is_dir: bool,
        require_git: bool,
    ) -> Verdict {
        let mut found = [Verdict::None; N_KINDS];
        let mut git_counts =
            !require_git || self.link.as_ref().is_some_and(|link| link.in_repository);
        let mut go_on = || budget.poll_clock().is_ok();
        let mut steps = Steps::polled(&mut go_on);
        // From the deepest directory upwards. A verdict of the first kind ends the search, because it outranks
        // the others at any depth. Verdicts of other kinds are only kept, the deepest of each: a file of a
        // higher kind further up still overrides them. Git's rules end at the enclosing repository.
        let mut link = self.link.as_deref();
        while let Some(rules) = link {
            let below = &path[rules.prefix_len..];
            for (kind, lines) in rules.files.iter().enumerate() {
                let is_of_git = IGNORE_FILES.get(kind).is_none_or(|file| file.is_of_git);
                let counts = found[kind] == Verdict::None && (git_counts || !is_of_git);
                if let Some(lines) = lines.as_ref().filter(|_| counts) {
                    found[kind] = lines.verdict_while(below, is_dir, &mut steps);
                }
            }
            if found[0] != Verdict::None {
                return found[0];
            }
            git_counts &= !rules.is_repository;
            link = rules.above.link.as_deref();
        }
        found.into_iter().find(|verdict| *verdict != Verdict::None).unwrap_or(Verdict::None)
    }
}

/// Opens the directory `info` of the repository at `dir`; `None` if `dir` has no `.git`. Only a `.git`
/// directory has rules (otherwise the result is `NotFound`), because a file or a link names another place on
/// the disk.
fn repository(dir: &Dir) -> Option<Result<Dir, FsError>> {
    match dir.open_dir(b".git") {
        Ok(git) => Some(git.open_dir(b"info")),
        Err(FsError::NotFound) => None,
        Err(error @ (FsError::Io(_) | FsError::NameTooLong)) => Some(Err(error)),
        Err(_) => Some(Err(FsError::NotFound)),
    }
}

/// Opens an ignore file. An entry of another kind is not opened: opening a FIFO would already release a
/// process that waits to write to it.
fn open(dir: &Dir, name: &[u8], entry: Entry) -> Result<File, FsError> {
    let kind = match entry {
        Entry::Absent => return Err(FsError::NotFound),
        Entry::Unknown => dir.stat(name)?.kind,
        Entry::Is(kind) => kind,
    };
    match kind {
        Kind::File => dir.open_file(name),
        Kind::Symlink => Err(FsError::Symlink),
        Kind::Dir | Kind::Special => Err(FsError::WrongKind),
    }
}

fn read(
    budget: &Budget,
    opened: Result<File, FsError>,
    at: &RelPath,
    room: &mut usize,
    tally: &mut Tally,
) -> Option<IgnoreLines> {
    let mut file = match opened {
        Ok(file) => file,
        Err(FsError::NotFound) => return None,
        Err(error) => {
            // The files it would have excluded are now in scope, so the reply may have too many.
            tally.counts.skipped.unreadable +=
                u64::from(matches!(error, FsError::Io(_) | FsError::NameTooLong));
            tally.warn(at, format!("ignore file not used: {}", error.reason()));
            return None;
        }
    };
    let mut bytes = Vec::new();
    loop {
        let len = bytes.len();
        if len > FILE_BYTES_MAX {
            tally.warn(at, "ignore file not used: larger than 1 MiB");
            return None;
        }
        let read = room::resize(&mut bytes, len + 16 * 1024).map_err(io::Error::from);
        match read.and_then(|()| read_retrying(&mut file, &mut bytes[len..])) {
            Ok(0) => {
                bytes.truncate(len);
                break;
            }
            Ok(n) => bytes.truncate(len + n),
            Err(error) => {
                tally.counts.skipped.unreadable += 1;
                tally.warn(at, format!("ignore file not used: {}", error.kind()));
                return None;
            }
        }
    }
    let (lines, problems) = IgnoreLines::parse(&bytes, &mut || budget.poll_clock().is_ok());
    for problem in problems.iter().take(LINE_WARNINGS_MAX) {
        tally.warn(at, format!("line {} not used: {}", problem.line, problem.problem.text()));
    }
    // The problems kept are limited in number, hence "at least".
    if let n_more @ 1.. = problems.len().saturating_sub(LINE_WARNINGS_MAX) {
        tally.warn(at, format!("at least {n_more} more lines not used"));
    }
    let lines = lines?;
    match room.checked_sub(lines.pattern_count()) {
        Some(left) => *room = left,
        None => {
            tally.warn(at, "ignore file not used: too many patterns above one directory");
            return None;
        }
    }
    Some(lines)
}
