//! Ignore rules above a place that no walk has reached.

use super::ignore_rules::{EnteredRules, Present, Rules};
use crate::budget::{Budget, Stopped};
use crate::index::View;
use crate::walk::file_filter::FileFilter;
use crate::walk::path_filter::{LookUp, Place};
use crate::walk::tally::Tally;
use crate::wildcard::{IgnoreLines, Verdict};
use crate::workspace::fs::{Dir, FsError, Root};
use crate::workspace::{RelPath, Workspace};
use std::collections::HashMap;

/// The ignore rules above places; those of each directory are read once.
pub(in crate::walk) struct Above<'a> {
    fs: &'a Root,
    require_git: bool,
    no_ignore: bool,
    deny: Option<&'a IgnoreLines>,
    /// The index's memory of the tree.
    view: Option<&'a View>,
    known: HashMap<RelPath, Rules>,
}

impl<'a> Above<'a> {
    pub(in crate::walk) fn new(
        fs: &'a Root,
        require_git: bool,
        no_ignore: bool,
        deny: Option<&'a IgnoreLines>,
        view: Option<&'a View>,
    ) -> Above<'a> {
        Above { fs, require_git, no_ignore, deny, view, known: HashMap::new() }
    }

    /// Returns the rules of the directories above `place`, from the root downwards, and whether they ignore
    /// it or one of those directories.
    pub(in crate::walk) fn rules(
        &mut self,
        budget: &Budget,
        place: &RelPath,
        is_dir: bool,
        tally: &mut Tally,
    ) -> Result<(Rules, bool), Stopped> {
        let mut rules = Rules::default();
        let mut is_ignored = false;
        if self.no_ignore {
            return Ok((rules, is_ignored));
        }
        let mut path = RelPath::root();
        let mut above: Option<Dir> = None;
        for name in place.components() {
            budget.poll_clock()?;
            match self.known.get(&path) {
                Some(known) => {
                    rules = known.clone();
                    above = None;
                }
                None => {
                    let opened = self.open(above.take(), &path);
                    match opened {
                        Ok(dir) => {
                            rules = self.enter(&rules, budget, &dir, &path, tally);
                            above = Some(dir);
                        }
                        // Opening the place itself reports its other errors.
                        Err(error) => tally.count_unread(&path, "ignore files not used", &error),
                    }
                    self.known.insert(path.clone(), rules.clone());
                }
            }
            path = path.join(name);
            let is_dir = is_dir || path != *place;
            let verdict = rules.verdict(budget, path.as_bytes(), is_dir, self.require_git);
            is_ignored |= verdict == Verdict::Ignore;
        }
        // After a stop in an ignore file the rules are incomplete.
        budget.poll_clock()?;
        Ok((rules, is_ignored))
    }

    /// Returns the rules for the entries of `dir` below `above`: those that a walk remembers, if these are
    /// equal.
    fn enter(
        &self,
        above: &Rules,
        budget: &Budget,
        dir: &Dir,
        path: &RelPath,
        tally: &mut Tally,
    ) -> Rules {
        let rules = above.enter(budget, dir, path, Present::UNKNOWN, self.deny, tally);
        let listing = self.view.and_then(|view| view.index().listing(path));
        match listing {
            Some(listing) => EnteredRules::known_in(&listing, above, &rules),
            None => rules,
        }
    }

    /// Opens the directory `path` from the one above it, if that is open: from the root each level would cost
    /// as much as all above it.
    fn open(&self, above: Option<Dir>, path: &RelPath) -> Result<Dir, FsError> {
        let step = above.map(|above| above.open_dir(path.file_name()));
        match step {
            // It may be a symlink.
            None | Some(Err(FsError::Symlink | FsError::WrongKind)) => self.fs.open_dir(path, true),
            Some(opened) => opened,
        }
    }

    /// Returns whether the caller's filter lets the file at `path` through.
    pub(in crate::walk) fn belongs(
        &mut self,
        budget: &Budget,
        filter: &FileFilter,
        path: &RelPath,
        tally: &mut Tally,
    ) -> Result<bool, Stopped> {
        if filter.path_filter.is_none() {
            return Ok(true);
        }
        let is_ignored = filter.judges_ignored && self.rules(budget, path, false, tally)?.1;
        let look_up = LookUp::default();
        let stat = || look_up.note(self.fs.stat(path, true));
        let belongs = filter.belongs(&Place { path, is_dir: false, is_ignored, stat: &stat });
        look_up.tell(path, tally);
        Ok(belongs)
    }
}

/// Decides for single files whether a request covers them.
pub(crate) struct Admission<'a> {
    workspace: &'a Workspace,
    filter: &'a FileFilter,
    above: Above<'a>,
}

impl<'a> Admission<'a> {
    pub(crate) fn new(workspace: &'a Workspace, filter: &'a FileFilter) -> Admission<'a> {
        let require_git = workspace.options().require_git;
        let deny = workspace.deny().map(|deny| &**deny);
        let above = Above::new(workspace.fs(), require_git, filter.no_ignore, deny, None);
        Admission { workspace, filter, above }
    }

    /// Returns whether the request covers the file at `path` and `deny` does not.
    pub(crate) fn admits(
        &mut self,
        budget: &Budget,
        path: &RelPath,
        tally: &mut Tally,
    ) -> Result<bool, Stopped> {
        budget.poll_clock()?;
        let is_named = self.workspace.refuse_denied(path).is_ok()
            && self.filter.matches_names_with_parents(path);
        Ok(is_named && self.above.belongs(budget, self.filter, path, tally)?)
    }
}
