//! The files of a worktree, compared with the index of its repository.
//!
//! Every entry of the index counts as missing until a listing shows it. One pass over the directories
//! therefore finds deleted, changed and untracked files together, where a stat per entry would find no
//! untracked ones.

use super::compare::Compare;
use super::failure::Failure;
use super::files::{Folder, contents, shown};
use super::ignore::{Rules, ignores};
use super::index::{Index, MODE_GITLINK, MODE_TYPE};
use super::repository::{IGNORE_BYTES_MAX, Repository, is_top};
use crate::budget::Budget;
use crate::room;
use crate::wildcard::IgnoreLines;
use crate::workspace::fs::{FsError, Kind};
use crate::workspace::{RelPath, Unread, Workspace};
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of entries of a directory.
const ENTRIES_MAX: usize = 1_000_000;

/// A tracked file as it is in the worktree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It does not exist, or is another kind of entry.
    Missing,
    /// It equals its entry in the index.
    Same,
    /// It differs from the index; the field is its mode.
    Differs(u32),
}

/// The result of a scan.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    /// The state of each entry of the index.
    pub states: Vec<State>,
    /// Tracked files that the directory lists under another name, on a file system that ignores letter case.
    pub renamed: HashMap<usize, RelPath>,
    pub untracked: Vec<RelPath>,
    /// Directories with repositories of their own.
    pub nested: Vec<RelPath>,
    pub problems: Vec<String>,
    pub incomplete: bool,
}

/// A directory still to be read.
struct Pending {
    path: RelPath,
    is_ignored: bool,
    rules: Option<Arc<Rules>>,
}

/// A scan of the worktree of a repository; without one it only looks for repositories.
pub(super) struct Scan<'a> {
    workspace: &'a Workspace,
    /// Where it begins.
    at: RelPath,
    repository: Option<&'a Repository>,
    index: &'a Index,
    compare: Option<Compare<'a>>,
    /// The entries by their paths in lower case, on a file system that ignores letter case. Only ASCII
    /// letters are folded, as by git's `core.ignorecase`.
    folded: HashMap<Vec<u8>, usize>,
    budget: &'a Budget,
    todo: Vec<Pending>,
    found: Scanned,
}

impl<'a> Scan<'a> {
    /// Scans the worktree of a repository.
    pub(super) fn of(
        workspace: &'a Workspace,
        repository: &'a Repository,
        budget: &'a Budget,
    ) -> Result<Scan<'a>, Failure> {
        let at = repository.top.at.clone();
        Scan::new(workspace, at, Some(repository), &repository.index, budget)
    }

    /// Looks for repositories below the directory `at`, to which no repository belongs.
    pub(super) fn without_repository(
        workspace: &'a Workspace,
        at: RelPath,
        empty: &'a Index,
        budget: &'a Budget,
    ) -> Result<Scan<'a>, Failure> {
        Scan::new(workspace, at, None, empty, budget)
    }

    fn new(
        workspace: &'a Workspace,
        at: RelPath,
        repository: Option<&'a Repository>,
        index: &'a Index,
        budget: &'a Budget,
    ) -> Result<Scan<'a>, Failure> {
        let mut found = Scanned::default();
        found.states.try_reserve_exact(index.entries().len())?;
        found.states.resize(index.entries().len(), State::Missing);
        let mut folded = HashMap::new();
        let ignore_case =
            repository.is_some_and(|it| it.config.is("core.ignorecase") == Some(true));
        if ignore_case {
            folded.try_reserve(index.entries().len())?;
            for (at, entry) in index.entries().iter().enumerate() {
                budget.poll()?;
                folded.insert(index.path(entry).to_ascii_lowercase(), at);
            }
        }
        let compare = repository.map(|it| Compare::new(it, budget)).transpose()?;
        let todo = Vec::new();
        Ok(Scan { workspace, at, repository, index, compare, folded, budget, todo, found })
    }

    /// Reads all directories below the top, except those of nested repositories.
    pub(super) fn run(mut self) -> Result<Scanned, Failure> {
        let start = self.start()?;
        self.todo.push(start);
        while let Some(dir) = self.todo.pop() {
            self.dir(&dir)?;
        }
        self.settle_absent();
        if let Some(compare) = self.compare {
            self.found.problems.extend(compare.problems());
        }
        Ok(self.found)
    }

    /// Returns the top, or the root below it, with the rules that apply there.
    fn start(&self) -> Result<Pending, Failure> {
        let Some(repository) = self.repository else {
            return Ok(Pending { path: self.at.clone(), is_ignored: false, rules: None });
        };
        let exclude = repository.common.read(b"info/exclude", IGNORE_BYTES_MAX, self.budget)?;
        let weakest = Rules::above(None, self.lines(&repository.excludes), 0);
        let exclude = exclude.and_then(|text| self.lines(&text));
        let mut rules = Rules::above(weakest.as_ref(), exclude, 0);
        let mut is_ignored = false;
        let above = &repository.top.above;
        let mut start = 0;
        while let Some(len) = memchr::memchr(b'/', &above[start..]) {
            let dir = &above[..start];
            let name = [dir, b".gitignore"].concat();
            let text = repository.top.folder.read_unlinked(&name, IGNORE_BYTES_MAX, self.budget)?;
            rules = Rules::above(rules.as_ref(), text.and_then(|text| self.lines(&text)), start);
            let dir = &above[..start + len];
            is_ignored |= ignores(rules.as_ref(), dir, true, self.budget);
            start += len + 1;
        }
        Ok(Pending { path: self.at.clone(), is_ignored, rules })
    }

    fn lines(&self, text: &[u8]) -> Option<IgnoreLines> {
        if !self.folded.is_empty() {
            let text = String::from_utf8_lossy(text);
            return IgnoreLines::from_lines(text.lines(), crate::wildcard::LetterCase::Same).0;
        }
        IgnoreLines::parse(text, &mut || self.budget.poll_clock().is_ok()).0
    }

    /// Returns the path in the index of a path below the root.
    fn tracked_path(&self, path: &RelPath) -> Vec<u8> {
        match self.repository {
            Some(repository) => repository.tracked_path(path),
            None => path.as_bytes().to_vec(),
        }
    }

    fn problem(&mut self, path: &RelPath, why: &str) -> Result<(), Failure> {
        self.found.incomplete = true;
        let problem = format!("{}: {why}", shown(path.as_bytes()));
        Ok(room::push(&mut self.found.problems, problem)?)
    }

    fn dir(&mut self, dir: &Pending) -> Result<(), Failure> {
        let listed = self.workspace.entries(&dir.path, ENTRIES_MAX, self.budget);
        let entries = match listed {
            Ok(Some(entries)) if !entries.is_cut => entries.list,
            Ok(None) => return Ok(()),
            Err(Unread::Stopped) => return Err(Failure::Stopped),
            Ok(Some(_)) => return self.problem(&dir.path, "it has too many entries"),
            Err(Unread::Failed(FsError::WrongKind | FsError::Symlink)) => return Ok(()),
            Err(unread) => {
                return self.problem(&dir.path, &unread.reason().unwrap_or_default());
            }
        };
        let rules = self.rules_in(dir, entries.iter().any(|it| it.name == b".gitignore"))?;
        let handle = match self.workspace.fs().open_dir(&dir.path, false) {
            Ok(handle) => handle,
            Err(error) => return self.problem(&dir.path, &error.reason()),
        };
        for entry in entries {
            self.budget.poll()?;
            // On a file system that ignores letter case, `.GIT` is the repository too.
            if entry.name == b".git"
                || !self.folded.is_empty() && entry.name.eq_ignore_ascii_case(b".git")
            {
                continue;
            }
            let path = dir.path.join(&entry.name);
            let tracked = self.tracked_path(&path);
            if entry.kind == Kind::Dir {
                self.subdir(path, tracked, dir.is_ignored, rules.as_ref())?;
                continue;
            }
            let known = self.index.find(&tracked).or_else(|| {
                let at = self.folded.get(&tracked.to_ascii_lowercase()).copied()?;
                self.found.renamed.insert(at, path.clone());
                Some(at)
            });
            match (known, &mut self.compare) {
                (Some(at), Some(compare)) => {
                    self.found.states[at] =
                        compare.state(&self.index.entries()[at], &tracked, &handle, &entry.name)?;
                }
                _ if self.repository.is_none() || entry.kind == Kind::Special => {}
                _ if dir.is_ignored => {}
                _ if ignores(rules.as_ref(), &tracked, false, self.budget) => {}
                _ => room::push(&mut self.found.untracked, path)?,
            }
        }
        Ok(())
    }

    /// Returns the rules that apply in a directory. The rules of a denied ignore file apply too.
    fn rules_in(&mut self, dir: &Pending, is_listed: bool) -> Result<Option<Arc<Rules>>, Failure> {
        let path = dir.path.join(b".gitignore");
        let tracked = self.tracked_path(&path);
        let may_be_there = is_listed || self.workspace.deny().is_some();
        let text = match may_be_there.then(|| self.workspace.fs().open_listed_file(&path)) {
            Some(Ok(file)) => match contents(file, IGNORE_BYTES_MAX, self.budget) {
                Ok(text) => Some(text),
                Err(Failure::Refused(why)) => {
                    self.problem(&path, &why.to_string())?;
                    None
                }
                Err(failure) => return Err(failure),
            },
            None | Some(Err(FsError::NotFound | FsError::WrongKind | FsError::Symlink)) => {
                self.unwanted_rules(&tracked)?
            }
            Some(Err(error)) => {
                self.problem(&path, &error.reason())?;
                None
            }
        };
        let lines = text.and_then(|text| self.lines(&text));
        let dir_len = tracked.len() - b".gitignore".len();
        Ok(Rules::above(dir.rules.as_ref(), lines, dir_len))
    }

    /// Reads an ignore file that a sparse checkout leaves out: git uses the staged one.
    fn unwanted_rules(&self, tracked: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
        let entry = self.index.find(tracked).map(|at| &self.index.entries()[at]);
        match (entry.filter(|entry| entry.skip_worktree), self.repository) {
            (Some(entry), Some(repository)) => {
                Ok(Some(repository.objects.read(entry.id, self.budget)?.data))
            }
            _ => Ok(None),
        }
    }

    fn subdir(
        &mut self,
        path: RelPath,
        tracked: Vec<u8>,
        in_ignored: bool,
        rules: Option<&Arc<Rules>>,
    ) -> Result<(), Failure> {
        let known = self.index.find(&tracked).map(|at| (at, self.index.entries()[at].mode));
        let gitlink = known.filter(|(_, mode)| mode & MODE_TYPE == MODE_GITLINK);
        let is_ignored =
            in_ignored || self.repository.is_some() && ignores(rules, &tracked, true, self.budget);
        // A submodule is tracked, so ignore rules do not apply to it.
        if gitlink.is_some() || !is_ignored {
            let folder = Folder::new(self.workspace.fs(), path.clone());
            if is_top(&folder, self.budget)? {
                return Ok(room::push(&mut self.found.nested, path)?);
            }
        }
        if gitlink.is_some() {
            return Ok(());
        }
        let below = [tracked.as_slice(), b"/"].concat();
        // Ignore rules do not apply to tracked files either, and git compares them in ignored directories
        // too.
        if !is_ignored || self.index.has_below(&below) {
            let rules = rules.cloned();
            room::push(&mut self.todo, Pending { path, is_ignored, rules })?;
        }
        Ok(())
    }

    /// Counts missing entries as unchanged if they need not be in the worktree.
    fn settle_absent(&mut self) {
        for (entry, state) in self.index.entries().iter().zip(&mut self.found.states) {
            let is_promised = entry.assume_valid || entry.skip_worktree;
            let is_gitlink = entry.mode & MODE_TYPE == MODE_GITLINK;
            if *state == State::Missing && (is_promised || is_gitlink) {
                *state = State::Same;
            }
        }
    }
}
