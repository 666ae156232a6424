//! Suggestions for a path that does not exist.
//!
//! The path is followed from the root; where a name is missing, the names most similar to it are tried in its
//! place. If that leads nowhere, the tree is searched for a path with the same end. Both steps look at a
//! bounded number of entries and never at the clock, in an order of their own rather than the system's: the
//! same tree gives the same suggestions.

use crate::budget::Budget;
use crate::call::Call;
use crate::workspace::fs::{Dir, FsError, Kind};
use crate::workspace::{RawEntries, RelPath, Workspace};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// The maximum number of suggestions.
const PATHS_MAX: usize = 3;
/// The maximum number of entries that each of the two steps looks at, some milliseconds of work.
const ENTRIES_MAX: usize = 6_000;
/// The longest path that most systems accept at once; longer ones are not typing errors.
const PATH_BYTES_MAX: usize = 4_096;
/// No file system has longer names.
const NAME_BYTES_MAX: usize = 255;
/// Names in directories with longer paths are not collected, to bound the memory of the queue.
const DIR_BYTES_MAX: usize = 1_024;
/// The maximum number of listings for similar names: three of three of three, and some to spare.
const LISTINGS_MAX: usize = 48;
/// The maximum number of similar names of one directory that are checked until enough may be suggested.
const CHECKED_MAX: usize = 16;
/// The maximum sum, over all comparisons, of the product of both lengths: a comparison costs about that, and
/// there can be thousands of names of 255 bytes.
const COMPARED_MAX: usize = 2_000_000;

/// The minimum similarity of a name that may have been meant.
const SIMILAR: f64 = 0.8;
/// The cost of a name that differs only in case: less than that of any other similar name.
const CASE_COST: f64 = 0.001;
/// The cost of two swapped neighbours. In short names the similarity measure does not detect them.
const SWAP_COST: f64 = 0.05;
/// The maximum cost per name where only a beginning of the path exists: less than in a whole path.
const PARTLY_COST_MAX: f64 = 0.1;

/// Returns at most three paths that the missing `path` was probably meant to be, best first.
///
/// They exist, are inside the root, and are not denied.
pub(crate) fn near(workspace: &Workspace, path: &RelPath) -> Vec<RelPath> {
    near_within(workspace, path, ENTRIES_MAX)
}

/// Like [`near`], looking at no more than `entries_max` entries in each of the two steps.
pub(super) fn near_within(
    workspace: &Workspace,
    path: &RelPath,
    entries_max: usize,
) -> Vec<RelPath> {
    let is_hopeless = path.is_root() || path.as_bytes().len() > PATH_BYTES_MAX;
    if is_hopeless || workspace.refuse_denied(path).is_err() {
        return Vec::new();
    }
    let Ok(text) = std::str::from_utf8(path.as_bytes()) else {
        return Vec::new();
    };
    let mut search = Search {
        workspace,
        names: text.split('/').collect(),
        entries_left: entries_max,
        compared_left: COMPARED_MAX,
        raw: RawEntries::default(),
    };
    let (whole, partly) = search.corrected();
    if !whole.is_empty() {
        // The path does exist, so nothing was corrected.
        return whole.into_iter().filter(|found| found != path).collect();
    }
    search.entries_left = entries_max;
    let mut found = search.elsewhere();
    found.extend(partly);
    found.truncate(PATHS_MAX);
    found
}

struct Search<'a> {
    workspace: &'a Workspace,
    /// The names of the missing path.
    names: Vec<&'a str>,
    entries_left: usize,
    compared_left: usize,
    raw: RawEntries,
}

/// An existing path in place of the first names of the missing one.
#[derive(Debug, Default)]
struct Corrected {
    path: RelPath,
    n_names: usize,
    /// The cost of its corrections; 0 without any.
    cost: f64,
}

impl Search<'_> {
    /// Returns the corrected paths, cheapest first, and, where the end leads nowhere, corrections of the
    /// longest beginning.
    fn corrected(&mut self) -> (Vec<RelPath>, Vec<RelPath>) {
        let (mut whole, mut partly) = (Vec::new(), Vec::new());
        let mut candidates = vec![Corrected::default()];
        let mut n_listings = 0;
        // Corrections only ever add to the cost, so the first complete path is the cheapest, as in Dijkstra's
        // search.
        while let Some(cheapest) = cheapest(&candidates) {
            let (corrected, dir) = self.follow(candidates.swap_remove(cheapest));
            if corrected.n_names == self.names.len() {
                whole.push(corrected.path);
                if whole.len() == PATHS_MAX {
                    break;
                }
                continue;
            }
            let mut corrections = Vec::new();
            if let Some(dir) = dir.filter(|_| n_listings < LISTINGS_MAX) {
                n_listings += 1;
                corrections = self.corrections(&corrected, &dir);
            }
            if corrections.is_empty() && self.is_worth_naming(&corrected) {
                partly.push(corrected);
            }
            candidates.append(&mut corrections);
        }
        // The cheapest come first.
        let n_names_max = partly.iter().map(|corrected: &Corrected| corrected.n_names).max();
        partly.retain(|corrected| Some(corrected.n_names) == n_names_max);
        (whole, partly.into_iter().map(|corrected| corrected.path).collect())
    }

    /// Returns whether a path that leads no further is worth suggesting.
    fn is_worth_naming(&self, corrected: &Corrected) -> bool {
        let cost_max: f64 = corrected.path.components().map(|_| PARTLY_COST_MAX).sum();
        corrected.cost > 0.0 && corrected.cost <= cost_max && self.may_name(&corrected.path, true)
    }

    /// Follows the path as long as the next names exist; also returns the directory in which one is missing.
    fn follow(&self, mut corrected: Corrected) -> (Corrected, Option<Dir>) {
        if corrected.n_names == self.names.len() {
            return (corrected, None);
        }
        let mut here = self.workspace.fs().open_dir(&corrected.path, true).ok();
        while let (Some(dir), Some(name)) = (&here, self.names.get(corrected.n_names)) {
            let path = corrected.path.join(name.as_bytes());
            let is_last = corrected.n_names + 1 == self.names.len();
            let next = if is_last { None } else { self.enter(dir, &path) };
            if next.is_none() && !(is_last && self.may_name(&path, false)) {
                break;
            }
            corrected = Corrected { path, n_names: corrected.n_names + 1, cost: corrected.cost };
            here = next;
        }
        (corrected, here)
    }

    /// Opens a directory in `dir`, through symlinks inside the root.
    fn enter(&self, dir: &Dir, path: &RelPath) -> Option<Dir> {
        match dir.open_dir(path.file_name()) {
            Err(FsError::Symlink | FsError::WrongKind) => {
                self.workspace.fs().open_dir(path, true).ok()
            }
            opened => opened.ok(),
        }
    }

    /// Returns the entries of `dir`, the end of the path so far, that are most similar to the missing name.
    fn corrections(&mut self, corrected: &Corrected, dir: &Dir) -> Vec<Corrected> {
        let wanted = self.names[corrected.n_names];
        let is_last = corrected.n_names + 1 == self.names.len();
        if wanted.len() > NAME_BYTES_MAX || self.workspace.refuse_denied(&corrected.path).is_err() {
            return Vec::new();
        }
        let entries = self.list(dir).unwrap_or_default();
        let may_fit = |kind: &Option<Kind>| match kind {
            Some(Kind::Special) => false,
            Some(Kind::File) => is_last,
            Some(Kind::Dir | Kind::Symlink) | None => true,
        };
        let mut similar: Vec<(f64, String)> = entries
            .into_iter()
            .filter(|(name, kind)| name != ".git" && may_fit(kind))
            .filter_map(|(name, _)| Some((self.cost(wanted, &name)?, name)))
            .collect();
        // The entries come sorted, and sorting is stable.
        similar.sort_by(|a, b| a.0.total_cmp(&b.0));
        let corrections = similar.into_iter().take(CHECKED_MAX).map(|(cost, name)| Corrected {
            path: corrected.path.join(name.as_bytes()),
            n_names: corrected.n_names + 1,
            cost: corrected.cost + cost,
        });
        corrections
            .filter(|corrected| self.may_name(&corrected.path, !is_last))
            .take(PATHS_MAX)
            .collect()
    }

    /// Returns the distance of `name` from the wanted one; `None` if it is the same or too far.
    fn cost(&mut self, wanted: &str, name: &str) -> Option<f64> {
        if name == wanted {
            return None;
        }
        let (wanted, name) = (wanted.to_lowercase(), name.to_lowercase());
        if name == wanted {
            return Some(CASE_COST);
        }
        self.compared_left = self.compared_left.checked_sub(wanted.len() * name.len())?;
        let (wanted, name) = without_common_ending(&wanted, &name);
        if is_swapped(wanted.as_bytes(), name.as_bytes()) {
            return Some(SWAP_COST);
        }
        let similarity = strsim::jaro_winkler(wanted, name);
        (similarity >= SIMILAR).then_some(1.0 - similarity)
    }

    /// Returns the paths below the root that share the end of the missing one, ordered by a longer shared
    /// end, then a longer shared beginning, then fewer names.
    fn elsewhere(&mut self) -> Vec<RelPath> {
        let mut best: Vec<(usize, usize, RelPath)> = Vec::new();
        let mut dirs = VecDeque::from([RelPath::root()]);
        while let Some(dir_path) = dirs.pop_front() {
            let Ok(dir) = self.workspace.fs().open_dir(&dir_path, false) else {
                continue;
            };
            let Some(entries) = self.list(&dir) else {
                break;
            };
            for (name, kind) in entries {
                let is_hidden = name.starts_with('.') && !self.names.contains(&name.as_str());
                if is_hidden || name == ".git" {
                    continue;
                }
                let path = dir_path.join(name.as_bytes());
                let kind = kind.or_else(|| Some(dir.stat(name.as_bytes()).ok()?.kind));
                let is_wanted = self.names.last() == Some(&name.as_str());
                if is_wanted && kind != Some(Kind::Symlink) && self.may_name(&path, false) {
                    let names = || self.names.iter().map(|name| name.as_bytes());
                    let end = names().rev().zip(path.components().rev());
                    let start = names().zip(path.components());
                    best.push((n_equal(end), n_equal(start), path.clone()));
                    // The sort is stable: among equals the one found first stays first.
                    best.sort_by_key(|(end, start, _)| Reverse((*end, *start)));
                    best.truncate(PATHS_MAX);
                }
                let is_entered = kind == Some(Kind::Dir) && path.as_bytes().len() <= DIR_BYTES_MAX;
                if is_entered && self.workspace.refuse_denied(&path).is_ok() {
                    dirs.push_back(path);
                }
            }
        }
        best.into_iter().map(|(_, _, path)| path).collect()
    }

    /// Returns the entries of a directory by name; `None` if there are more than may still be visited,
    /// because the system decides which of them come first.
    ///
    /// A name that is not UTF-8 is left out, because no caller could write it.
    fn list(&mut self, dir: &Dir) -> Option<Vec<(String, Option<Kind>)>> {
        let read = self.raw.read_at_most(dir, self.entries_left, &Budget::of(&Call::new()));
        self.entries_left -= self.raw.len();
        match read {
            Ok(true) => {}
            Ok(false) => return None,
            Err(_) => return Some(Vec::new()),
        }
        let name = |name| Some(std::str::from_utf8(name).ok()?.to_owned());
        let mut entries: Vec<(String, Option<Kind>)> =
            self.raw.iter().filter_map(|(bytes, kind)| Some((name(bytes)?, kind))).collect();
        entries.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Some(entries)
    }

    /// Returns whether `path` exists inside the root, has a usable kind, and is not denied.
    fn may_name(&self, path: &RelPath, as_dir: bool) -> bool {
        let kind = || self.workspace.stat(path).ok().map(|meta| meta.kind);
        self.workspace.refuse_denied(path).is_ok()
            && match kind() {
                Some(Kind::Dir) => true,
                Some(Kind::File) => !as_dir,
                Some(Kind::Symlink | Kind::Special) | None => false,
            }
    }
}

fn cheapest(candidates: &[Corrected]) -> Option<usize> {
    let order = |a: &&Corrected, b: &&Corrected| {
        a.cost.total_cmp(&b.cost).then_with(|| a.path.cmp(&b.path))
    };
    candidates.iter().enumerate().min_by(|(_, a), (_, b)| order(a, b)).map(|(index, _)| index)
}

fn n_equal<'a>(pairs: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> usize {
    pairs.take_while(|(a, b)| a == b).count()
}

/// Returns both names without the extension if it is the same: a shared extension does not make names
/// similar.
fn without_common_ending<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str) {
    match (a.rsplit_once('.'), b.rsplit_once('.')) {
        (Some((a, a_ending)), Some((b, b_ending)))
            if a_ending == b_ending && !a.is_empty() && !b.is_empty() =>
        {
            (a, b)
        }
        _ => (a, b),
    }
}

/// Returns whether swapping two neighbours turns one name into the other.
fn is_swapped(a: &[u8], b: &[u8]) -> bool {
    let Some(at) = a.iter().zip(b).position(|(a, b)| a != b) else {
        return false;
    };
    match (&a[at..], &b[at..]) {
        ([a0, a1, a_rest @ ..], [b0, b1, b_rest @ ..]) => a0 == b1 && a1 == b0 && a_rest == b_rest,
        _ => false,
    }
}
