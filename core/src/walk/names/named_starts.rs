//! Start paths below other start paths: the walk of the outer one visits them in their place, whatever
//! excludes them or a directory above them.

use crate::budget::Budget;
use crate::walk::listing::{Chosen, EntryKind, EntryRole};
use crate::walk::path_filter::{LookUp, Place};
use crate::walk::tally::Tally;
use crate::walk::tree::Listed;
use crate::wildcard::Verdict;
use crate::workspace::RelPath;
use crate::workspace::fs::Kind;

/// Start paths below other start paths, in the order of their bytes.
#[derive(Debug)]
pub(in crate::walk) struct NamedStarts(Vec<RelPath>);

impl NamedStarts {
    pub(in crate::walk) fn new(mut paths: Vec<RelPath>) -> NamedStarts {
        paths.sort();
        NamedStarts(paths)
    }

    pub(in crate::walk) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::walk) fn iter(&self) -> impl Iterator<Item = &RelPath> {
        self.0.iter()
    }

    fn contains(&self, path: &RelPath) -> bool {
        self.0.binary_search(path).is_ok()
    }

    /// Returns whether one of them is below `dir`.
    pub(in crate::walk) fn is_any_below(&self, dir: &RelPath) -> bool {
        let below = || dir.as_bytes().iter().chain(b"/");
        let first = self.0.partition_point(|named| named.as_bytes().iter().lt(below()));
        self.0.get(first).is_some_and(|named| named.starts_with(dir))
    }
}

impl Listed {
    /// Like [`Listed::choose_one`], if the request names entries at or below this directory. Only the
    /// caller's filter judges those.
    pub(in crate::walk) fn choose_with_named(
        &self,
        budget: &Budget,
        path: &RelPath,
        name: &[u8],
        kind: Kind,
        tally: &mut Tally,
    ) -> Chosen {
        let walk = &self.dir.walk;
        let verdict = || self.dir.verdict(budget, path, kind == Kind::Dir);
        if walk.named.contains(path) && !self.denies(path, name, kind) {
            return match walk.followed(path) {
                Ok(Some(Kind::File)) => {
                    let entry = EntryKind::new(EntryRole::Offer, kind != Kind::File);
                    let belongs = self.belongs(budget, path, name, kind, tally);
                    tally.counts.filtered += u64::from(!belongs);
                    Chosen { offered: belongs.then_some(entry), entered: None }
                }
                Ok(Some(Kind::Dir)) => {
                    // As a start path it is entered; as an entry of the directory above it is judged.
                    let is_judged = !self.dir.is_passed && walk.filter.attributes.types.directories;
                    let judged =
                        is_judged.then(|| self.choose_one(verdict(), path, name, kind, tally));
                    let offered = judged.and_then(|chosen| chosen.offered);
                    // Start paths are opened through symlinks.
                    Chosen { offered, entered: Some(EntryKind::new(EntryRole::Start, true)) }
                }
                Ok(_) => Chosen::default(),
                Err(error) => {
                    tally.count_unopened(path, &error);
                    Chosen::default()
                }
            };
        }
        let chosen = match self.dir.is_passed {
            true => Chosen::default(),
            false => self.choose_one(verdict(), path, name, kind, tally),
        };
        let may_pass = matches!(kind, Kind::Dir | Kind::Symlink);
        let pass = || {
            (may_pass && walk.named.is_any_below(path))
                .then_some(EntryKind::new(EntryRole::Pass, kind == Kind::Symlink))
        };
        Chosen { entered: chosen.entered.or_else(pass), ..chosen }
    }

    /// Returns whether the caller's filter lets a file through that the request names.
    fn belongs(
        &self,
        budget: &Budget,
        path: &RelPath,
        name: &[u8],
        kind: Kind,
        tally: &mut Tally,
    ) -> bool {
        let filter = &self.dir.walk.filter;
        let is_ignored =
            filter.judges_ignored && self.dir.verdict(budget, path, false) == Verdict::Ignore;
        let look_up = LookUp::default();
        let stat = || look_up.note(self.stat(path, name, kind));
        let belongs = filter.belongs(&Place { path, is_dir: false, is_ignored, stat: &stat });
        look_up.tell(path, tally);
        belongs
    }
}
