//! Collects the set of changed files from repositories.
//!
//! A file differs if the index differs from the tree, or the worktree from the index; git compares in these
//! two steps too, because the index knows sizes and times and a tree does not. Files that are neither tracked
//! nor ignored are added. Each repository below the root, submodules included, is compared by itself.

use super::compare::Compare;
use super::failure::{BadRevision, Failure, OUTSIDE_ROOT, OUTSIDE_ROOT_ADVICE, Refusal};
use super::files::{Folder, Reach, shown};
use super::id::Id;
use super::index::{Index, MODE_GITLINK, MODE_TYPE};
use super::merge_base::merge_bases;
use super::repository::{GitDir, Repository, Top, is_top};
use super::tree_diff::{Difference, differences, is_same_mode};
use super::worktree::{Scan, Scanned, State};
use crate::budget::Budget;
use crate::error::{Error, ErrorKind, Result};
use crate::git::ChangedFiles;
use crate::room;
use crate::suggest::{shorten, unknown};
use crate::workspace::fs::{Kind, Root};
use crate::workspace::{RelPath, Workspace};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The maximum number of changed files: a set has to be small.
const PATHS_MAX: usize = 1_000_000;
const GITDIR_BYTES_MAX: u64 = 64 << 10;
/// The maximum number of reported problems.
const PROBLEMS_MAX: usize = 20;

/// The set under construction.
struct Collector<'a> {
    workspace: &'a Workspace,
    since: Option<&'a str>,
    budget: &'a Budget,
    reach: Reach,
    paths: Vec<RelPath>,
    problems: Vec<String>,
    is_complete: bool,
    n_repositories: usize,
    /// The repositories that were found, because a worktree is found in two ways.
    seen: HashSet<RelPath>,
    /// Whether a repository knows the revision, and the failure of one that does not.
    is_since_known: bool,
    since_failure: Option<Failure>,
}

/// The commit with which a repository is compared.
#[derive(Clone, Copy, Debug)]
enum Against {
    /// Its own `HEAD`, or the merge base of that and the revision.
    Own,
    /// The commit that the repository around a submodule records for it; `None` if that commit has no such
    /// submodule, so that every file of it is new. Its own `HEAD` would hide that the submodule is at another
    /// commit, which is a change of the repository around it.
    Recorded(Option<Id>),
}

/// A repository inside another one, or inside a root without a repository.
#[derive(Debug)]
struct Nested {
    at: RelPath,
    against: Against,
}

/// Implements [`crate::git::changed_files`].
pub(in crate::git) fn changed_files(
    workspace: &Workspace,
    since: Option<&str>,
    budget: &Budget,
) -> Result<ChangedFiles> {
    let reach = Reach {
        root: Arc::clone(workspace.fs()),
        outside: workspace.options().git_dir_outside_root,
    };
    let mut collector = Collector {
        workspace,
        since,
        budget,
        reach,
        paths: Vec::new(),
        problems: Vec::new(),
        is_complete: true,
        n_repositories: 0,
        seen: HashSet::new(),
        is_since_known: false,
        since_failure: None,
    };
    let collected = collector.all();
    let outcome = collected.and_then(|()| match collector.since_failure.take() {
        Some(failure) if !collector.is_since_known => Err(failure),
        _ => Ok(()),
    });
    outcome.map_err(|failure| error(failure, since, budget))?;
    if collector.n_repositories == 0 {
        return Err(no_repository(collector.reach.outside));
    }
    if collector.paths.len() > PATHS_MAX {
        let message = format!("more than {PATHS_MAX} files have changed");
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let n = collector.problems.len();
    collector.problems.truncate(PROBLEMS_MAX);
    if n > PROBLEMS_MAX {
        collector.problems.push(format!("and {} more like these", n - PROBLEMS_MAX));
    }
    let Collector { paths, problems, is_complete, .. } = collector;
    Ok(ChangedFiles::new(paths, since, problems, is_complete))
}

fn no_repository(is_outside_allowed: bool) -> Error {
    let error = |place: &str| {
        let message = format!("changed files need a git repository: not found in {place}");
        Error::new(ErrorKind::NotFound, message)
    };
    if is_outside_allowed {
        return error("the root or above it");
    }
    error("the root").with_remedy(
        OUTSIDE_ROOT,
        "; the engine opens one above it only with the workspace option 'git_dir_outside_root'",
    )
}

fn error(failure: Failure, since: Option<&str>, budget: &Budget) -> Error {
    let since = shorten(since.unwrap_or("HEAD"));
    match failure {
        Failure::Stopped if budget.is_cancelled() => {
            Error::new(ErrorKind::Cancelled, "the call was cancelled")
        }
        Failure::Stopped => {
            Error::new(ErrorKind::Timeout, "the changed files were not determined in time")
        }
        Failure::Refused(Refusal { why, is_outside_root }) => {
            let message = format!("cannot determine changed files: {why}");
            let error = Error::new(ErrorKind::Unsupported, message);
            match is_outside_root {
                true => error.with_remedy(OUTSIDE_ROOT, OUTSIDE_ROOT_ADVICE),
                false => error,
            }
        }
        Failure::Revision(bad) => {
            let message = match bad {
                BadRevision::Missing(names) => {
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    unknown("revision", &since, &names)
                }
                BadRevision::Unusable(why) => format!("the revision '{since}' {why}"),
            };
            Error::around_param(ErrorKind::InvalidParam, "since", "", format!(": {message}"))
        }
    }
}

impl Collector<'_> {
    /// Reads the repository of the root, and those inside it.
    fn all(&mut self) -> std::result::Result<(), Failure> {
        let mut nested = match self.top()? {
            Some(top) => self.repository(top, Against::Own)?,
            None => self.without_repository(RelPath::root())?,
        };
        while let Some(Nested { at, against }) = nested.pop() {
            self.budget.poll()?;
            self.seen.try_reserve(1)?;
            if !self.seen.insert(at.clone()) {
                continue;
            }
            let folder = Folder::new(self.workspace.fs(), at.clone());
            let top = Top { folder, at: at.clone(), above: Vec::new() };
            match self.repository(top, against) {
                Ok(more) => {
                    nested.try_reserve(more.len())?;
                    nested.extend(more);
                }
                // One unreadable repository among many must not hide the changes of the others. The set is
                // then reported as incomplete. Only a failure of the repository at the root ends the call,
                // because the caller asked about that one.
                Err(Failure::Refused(why)) => {
                    self.n_repositories += 1;
                    let problem =
                        format!("the repository {} is left out: {why}", shown(at.as_bytes()));
                    self.take_problems(vec![problem], true);
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(())
    }

    /// Returns the repositories below a directory that belongs to none.
    fn without_repository(&mut self, at: RelPath) -> std::result::Result<Vec<Nested>, Failure> {
        let empty = Index::default();
        let scan = Scan::without_repository(self.workspace, at, &empty, self.budget)?;
        let scanned = scan.run()?;
        self.take_problems(scanned.problems, scanned.incomplete);
        let own = |at| Nested { at, against: Against::Own };
        Ok(scanned.nested.into_iter().map(own).collect())
    }

    /// Returns the worktrees of a bare repository, and the other repositories beside them: its own directory
    /// has no tracked files.
    fn bare(&mut self, dir: &GitDir, at: RelPath) -> std::result::Result<Vec<Nested>, Failure> {
        let mut nested = self.without_repository(at)?;
        for at in self.worktrees(&dir.common)? {
            room::push(&mut nested, Nested { at, against: Against::Own })?;
        }
        match nested.is_empty() {
            true => Err(Failure::refused("it is bare and has no worktree in the root")),
            false => Ok(nested),
        }
    }

    fn take_problems(&mut self, problems: Vec<String>, are_gaps: bool) {
        self.is_complete &= !are_gaps;
        self.problems.extend(problems);
    }

    /// Returns the worktree at the root, or one above the root if the host allows reading there.
    fn top(&mut self) -> std::result::Result<Option<Top>, Failure> {
        let folder = Folder::new(self.workspace.fs(), RelPath::root());
        if is_top(&folder, self.budget)? {
            return Ok(Some(Top { folder, at: RelPath::root(), above: Vec::new() }));
        }
        if !self.reach.outside {
            return Ok(None);
        }
        let mut above = Vec::new();
        let real_path = self.workspace.root().to_path_buf();
        let mut dir = real_path.as_path();
        while let (Some(parent), Some(name)) = (dir.parent(), dir.file_name()) {
            self.budget.poll_clock()?;
            above = [name.as_encoded_bytes(), b"/", &above].concat();
            dir = parent;
            // A directory that cannot be opened does not end the search: the repository may be further up.
            let Ok(root) = Root::open(parent) else { continue };
            let folder = Folder::new(&Arc::new(root), RelPath::root());
            if is_top(&folder, self.budget)? {
                self.problems.push(
                    "the repository is above the root, and the option 'git_dir_outside_root' lets \
                     it be read"
                        .to_owned(),
                );
                return Ok(Some(Top { folder, at: RelPath::root(), above }));
            }
        }
        Ok(None)
    }

    /// Adds the changed files of one repository; returns the repositories inside it.
    fn repository(
        &mut self,
        top: Top,
        against: Against,
    ) -> std::result::Result<Vec<Nested>, Failure> {
        let dir = GitDir::find(&top.folder, &self.reach, self.budget)?;
        if dir.is_bare() {
            return self.bare(&dir, top.at);
        }
        let mut repository = Repository::open(dir, top, &self.reach, self.budget)?;
        self.take_problems(std::mem::take(&mut repository.problems), false);
        let head = repository.refs.head(self.budget)?;
        let (tree, is_since) = match against {
            Against::Recorded(commit) => {
                (self.recorded_tree(&repository, commit, head)?, self.since.is_some())
            }
            Against::Own => {
                let base = match self.since {
                    None => None,
                    Some(since) => self.base(&repository, since, head)?,
                };
                let commit = base.or(head).map(|id| repository.objects.commit(id, self.budget));
                (commit.transpose()?.map(|commit| commit.tree), base.is_some())
            }
        };
        let scan = Scan::of(self.workspace, &repository, self.budget)?;
        let mut scanned = scan.run()?;
        let problems = std::mem::take(&mut scanned.problems);
        let submodules = HashMap::new();
        let mut found = Repo { collector: self, repository: &repository, scanned, submodules };
        match is_since {
            false => found.add_since_head(tree)?,
            true => found.add_since_base(tree)?,
        }
        let mut nested = found.nested()?;
        let scanned = found.scanned;
        self.take_problems(problems, scanned.incomplete);
        self.paths.try_reserve(scanned.untracked.len())?;
        self.paths.extend(scanned.untracked);
        self.n_repositories += 1;
        for at in self.worktrees(&repository.common)? {
            room::push(&mut nested, Nested { at, against: Against::Own })?;
        }
        Ok(nested)
    }

    /// Returns the worktrees of a repository that are inside the root. The scan finds only those that are not
    /// ignored, and most people ignore the directory of their worktrees.
    fn worktrees(&mut self, common: &Folder) -> std::result::Result<Vec<RelPath>, Failure> {
        let list = common.folder(b"worktrees");
        let mut found = Vec::new();
        for (name, kind) in list.list(self.budget)? {
            match self.worktree(&list.folder(&name)) {
                Ok(Some(at)) if kind == Kind::Dir => room::push(&mut found, at)?,
                Ok(_) => {}
                // As for a nested repository, the others count.
                Err(Failure::Refused(why)) => {
                    let problem = format!("the worktree {} is left out: {why}", shown(&name));
                    self.take_problems(vec![problem], true);
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(found)
    }

    /// Returns the place below the root of the worktree that a folder of git's list describes.
    fn worktree(&self, folder: &Folder) -> std::result::Result<Option<RelPath>, Failure> {
        let root = self.workspace.fs();
        let text = folder.read(b"gitdir", GITDIR_BYTES_MAX, self.budget)?.unwrap_or_default();
        let at = folder.inside(root, text.trim_ascii()).and_then(|file| file.parent());
        let Some(at) = at.filter(|at| !at.is_root() && !root.denies_path(at)) else {
            return Ok(None);
        };
        let is_there = is_top(&Folder::new(root, at.clone()), self.budget)?;
        Ok(is_there.then_some(at))
    }

    /// Returns the tree of the commit that is recorded for a submodule, and reports it if the submodule is at
    /// another one.
    fn recorded_tree(
        &mut self,
        submodule: &Repository,
        recorded: Option<Id>,
        head: Option<Id>,
    ) -> std::result::Result<Option<Id>, Failure> {
        let Some(id) = recorded else { return Ok(None) };
        if self.since.is_none() && head != recorded {
            let at = shown(submodule.top.at.as_bytes());
            self.problems.push(format!(
                "the submodule {at} is not at the commit that is recorded for it, and is compared with \
                 the recorded one"
            ));
        }
        let commit = submodule.objects.commit(id, self.budget);
        let commit = commit.map_err(|failure| failure.of("the commit that is recorded for it"))?;
        Ok(Some(commit.tree))
    }

    /// Returns the merge base of `HEAD` and a revision; `None` if a repository inside the root does not know
    /// the revision.
    fn base(
        &mut self,
        repository: &Repository,
        since: &str,
        head: Option<Id>,
    ) -> std::result::Result<Option<Id>, Failure> {
        let (refs, objects) = (&repository.refs, &repository.objects);
        let shallow = repository.shallow(self.budget)?;
        let revision = match refs.commit(since, objects, &shallow, self.budget) {
            Ok(revision) => revision,
            Err(failure @ Failure::Revision(_)) => {
                if repository.top.at.is_root() {
                    return Err(failure);
                }
                let at = shown(repository.top.at.as_bytes());
                self.problems.push(format!(
                    "the repository {at} does not have the revision '{}' and is compared with its \
                     HEAD",
                    shorten(since)
                ));
                // Fails the call if no repository knows the revision: a misspelled name would otherwise
                // compare each of them with its own `HEAD`.
                self.since_failure = Some(failure);
                return Ok(None);
            }
            Err(failure) => return Err(failure),
        };
        self.is_since_known = true;
        let no_commit = "has no merge base with HEAD, which has no commit yet";
        let head = head.ok_or_else(|| Failure::unusable(no_commit))?;
        let bases = merge_bases(revision, head, objects, &shallow, self.budget)?;
        if bases.len() > 1 {
            let n = bases.len();
            self.problems.push(format!("there are {n} merge bases; the newest is used"));
        }
        let base = bases.first().copied();
        let none = match shallow.is_empty() {
            true => "has no ancestor in common with HEAD",
            false => {
                "has no ancestor in common with HEAD in this shallow clone: 'git fetch --unshallow' fetches \
                 the others"
            }
        };
        base.map(Some).ok_or_else(|| Failure::unusable(none))
    }
}

/// One repository, scanned.
struct Repo<'c, 'a> {
    collector: &'c mut Collector<'a>,
    repository: &'c Repository,
    scanned: Scanned,
    /// The commits that the tree records for submodules, by path, where they are not those of the index.
    submodules: HashMap<Vec<u8>, Option<Id>>,
}

/// Notes the commit that a tree records for a submodule, if a difference from the index is one.
fn note_submodule(
    submodules: &mut HashMap<Vec<u8>, Option<Id>>,
    found: &Difference<'_>,
    index: &Index,
) -> std::result::Result<(), Failure> {
    let is_submodule = |mode: u32| mode & MODE_TYPE == MODE_GITLINK;
    let in_tree = found.tree.filter(|(mode, _)| is_submodule(*mode)).map(|(_, id)| id);
    let in_index = found.entry.is_some_and(|at| is_submodule(index.entries()[at].mode));
    if in_tree.is_some() || in_index {
        submodules.try_reserve(1)?;
        submodules.insert(room::copy(found.path)?, in_tree);
    }
    Ok(())
}

impl Repo<'_, '_> {
    /// Returns the repositories inside this one.
    fn nested(&mut self) -> std::result::Result<Vec<Nested>, Failure> {
        let index = &self.repository.index;
        let mut nested = Vec::new();
        for at in std::mem::take(&mut self.scanned.nested) {
            let tracked = self.repository.tracked_path(&at);
            let entry = index.find(&tracked).map(|at| &index.entries()[at]);
            let against = match (self.submodules.get(&tracked), entry) {
                (Some(recorded), _) => Against::Recorded(*recorded),
                (None, Some(entry)) => Against::Recorded(Some(entry.id)),
                (None, None) => Against::Own,
            };
            room::push(&mut nested, Nested { at, against })?;
        }
        Ok(nested)
    }

    /// Adds the tracked files that `git status` lists.
    fn add_since_head(&mut self, tree: Option<Id>) -> std::result::Result<(), Failure> {
        let mut changed = Vec::new();
        let (index, objects) = (&self.repository.index, &self.repository.objects);
        let submodules = &mut self.submodules;
        differences(tree, index, objects, self.collector.budget, &mut |found| {
            note_submodule(submodules, &found, index)?;
            room::push(&mut changed, (found.entry, room::copy(found.path)?))?;
            Ok(())
        })?;
        for (entry, path) in changed {
            self.add(entry, &path)?;
        }
        for at in 0..self.scanned.states.len() {
            if matches!(self.scanned.states[at], State::Differs(_)) {
                let path = self.repository.index.path(&self.repository.index.entries()[at]);
                self.add(Some(at), path)?;
            }
        }
        Ok(())
    }

    /// Adds the files that `git diff` lists against a tree. In contrast to `git status`, a file that was
    /// staged and then restored in the worktree is not listed: only contents in the worktree count. Such
    /// files are hashed once more, against the tree's entry.
    fn add_since_base(&mut self, tree: Option<Id>) -> std::result::Result<(), Failure> {
        let index = &self.repository.index;
        let mut is_other = vec![false; index.entries().len()];
        let mut changed = Vec::new();
        let objects = &self.repository.objects;
        let submodules = &mut self.submodules;
        differences(tree, index, objects, self.collector.budget, &mut |found| {
            note_submodule(submodules, &found, index)?;
            if let Some(at) = found.entry {
                is_other[at] = true;
            }
            room::push(&mut changed, (found.entry, found.tree, room::copy(found.path)?))?;
            Ok(())
        })?;
        let mut compare = Compare::new(self.repository, self.collector.budget)?;
        for (entry, tree, path) in changed {
            let is_back = match (entry, tree) {
                (Some(at), Some(tree)) => self.is_content(&mut compare, at, &path, tree)?,
                _ => false,
            };
            if !is_back {
                self.add(entry, &path)?;
            }
        }
        for (at, entry) in index.entries().iter().enumerate() {
            let is_changed = matches!(self.scanned.states[at], State::Differs(_));
            let path = index.path(entry);
            if is_changed
                && !is_other[at]
                && !self.is_content(&mut compare, at, path, (entry.mode, entry.id))?
            {
                self.add(Some(at), path)?;
            }
        }
        Ok(())
    }

    /// Returns whether a file that differs from the index has the content and mode of a tree's entry.
    fn is_content(
        &self,
        compare: &mut Compare<'_>,
        at: usize,
        tracked: &[u8],
        (mode, id): (u32, Id),
    ) -> std::result::Result<bool, Failure> {
        let entry = &self.repository.index.entries()[at];
        let State::Differs(own_mode) = self.scanned.states[at] else { return Ok(false) };
        if entry.stage != 0 || !is_same_mode(own_mode, mode) {
            return Ok(false);
        }
        let Some(path) = self.path(Some(at), tracked) else { return Ok(false) };
        let parent = path.parent().unwrap_or_default();
        let Ok(dir) = self.collector.workspace.fs().open_dir(&parent, false) else {
            return Ok(false);
        };
        let ids = compare.ids(entry, tracked, own_mode, &dir, path.file_name())?;
        Ok(ids.contains(&id))
    }

    /// Returns the path below the root of a tracked file, as its directory lists it.
    fn path(&self, at: Option<usize>, tracked: &[u8]) -> Option<RelPath> {
        let renamed = at.and_then(|at| self.scanned.renamed.get(&at));
        renamed.cloned().or_else(|| self.repository.path_below_root(tracked))
    }

    /// Adds a file if it exists. Submodules are directories, and are read as repositories of their own.
    fn add(&mut self, at: Option<usize>, tracked: &[u8]) -> std::result::Result<(), Failure> {
        let Some(path) = self.path(at, tracked) else { return Ok(()) };
        let entry = at.map(|at| (&self.repository.index.entries()[at], self.scanned.states[at]));
        let is_there = match entry {
            Some((entry, _)) if entry.mode & MODE_TYPE == MODE_GITLINK => false,
            Some((_, State::Missing)) => false,
            Some((entry, _)) if !entry.skip_worktree && !entry.assume_valid => true,
            _ => {
                // The scan did not establish that these exist: only the tree has them, or a flag of
                // the index exempts them from the comparison.
                let meta = self.collector.workspace.fs().stat(&path, false);
                meta.is_ok_and(|meta| matches!(meta.kind, Kind::File | Kind::Symlink))
            }
        };
        if is_there {
            room::push(&mut self.collector.paths, path)?;
        }
        Ok(())
    }
}
