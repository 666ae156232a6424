//! The index as a caller sees it that knows the paths below one directory.

use super::contents::Candidates;
use super::listing::Listing;
use super::view::{Recalled, View};
use super::{Plan, PlanMode};
use crate::budget::Budget;
use crate::workspace::RelPath;
use crate::workspace::fs::{Dir, Root};
use std::sync::Arc;

/// The memory of a directory and everything below it, by paths relative to that directory.
#[derive(Clone, Debug)]
pub(crate) struct Subtree {
    view: Arc<View>,
    base: RelPath,
    /// The number of known moves of directories when the directory was opened.
    moves: u64,
}

impl Subtree {
    /// Returns the memory of the whole tree.
    pub(crate) fn whole(view: Arc<View>) -> Subtree {
        let (base, moves) = (RelPath::root(), view.moves());
        Subtree { view, base, moves }
    }

    /// Returns the memory of the directory `dir`, which was opened at `base` below `root`; `None` unless the
    /// index knows it, and it is still there. A handle stays with its directory, and with the mount that it
    /// was opened through, when another one takes its place.
    pub(crate) fn below(
        view: Arc<View>,
        root: &Root,
        base: &RelPath,
        dir: &Root,
    ) -> Option<Subtree> {
        let tree = Subtree::whole(view);
        let mut path = RelPath::root();
        tree.known(root, &path)?;
        for name in base.components() {
            path = path.join(name);
            tree.known(root, &path)?;
        }
        let there = root.open_dir(&path, false).ok()?;
        let here = dir.open_dir(&RelPath::root(), false).ok()?;
        let is_it = there.is_same(&here) && tree.listing(&path)?.id() == here.id();
        is_it.then_some(Subtree { base: path, ..tree })
    }

    /// Returns the entries of the directory at `path`, if the index knows them.
    fn known(&self, root: &Root, path: &RelPath) -> Option<Arc<Listing>> {
        let verified = || self.verified(path, &root.open_dir(path, false).ok()?);
        self.listing(path).or_else(verified)
    }

    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    fn path(&self, path: &RelPath) -> RelPath {
        RelPath::from_components(self.base.components().chain(path.components()))
    }

    /// Returns the entries of the directory at `path`, reached without symlinks, if they are right without
    /// verification.
    pub(crate) fn listing(&self, path: &RelPath) -> Option<Arc<Listing>> {
        let path = self.path(path);
        match self.view.dir(&path, self.view.reports_above(&path)) {
            // A moved directory keeps its handle: other entries may be at its path by now.
            Recalled::Fresh(listing) => (self.view.moves() == self.moves).then_some(listing),
            Recalled::ToVerify(_) | Recalled::Unknown => None,
        }
    }

    /// Returns the entries of the directory at `path`, which was opened as `dir`, if they are right.
    pub(crate) fn verified(&self, path: &RelPath, dir: &Dir) -> Option<Arc<Listing>> {
        let fresh = self.listing(path).filter(|listing| listing.id() == dir.id());
        fresh.or_else(|| match self.view.dir(&self.path(path), false) {
            Recalled::ToVerify(listing) => {
                self.view.verify(&listing, dir, self.moves).then_some(listing)
            }
            Recalled::Fresh(_) | Recalled::Unknown => None,
        })
    }

    /// Returns the files in which an expression may match that matches within lines.
    pub(crate) fn matching(&self, plan: &Plan, budget: &Budget) -> Candidates {
        self.view.index().matching(plan, PlanMode::Lines, budget)
    }
}
