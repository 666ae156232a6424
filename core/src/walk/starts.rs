//! Start paths: the paths of a request as a source of files, in the order of results.

use super::attributes::FileAttributes;
use super::file_filter::{FileFilter, FileOptions};
use super::file_list::FileList;
use super::names::named_starts::NamedStarts;
use super::names::near::near;
use super::range::PathRange;
use super::rules::above::Above;
use super::rules::ignore_rules::Rules;
use super::source::{FileSource, KnownFiles, Task};
use super::tally::{LEFT_OUT_MAX, Tally};
use super::tree::{DirTask, Walk};
use crate::budget::{Budget, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::index::View;
use crate::workspace::fs::{Kind, Meta};
use crate::workspace::{RelPath, Workspace};
use std::sync::Arc;

/// Each path is looked up before the walk begins; more are a list of files rather than places to search.
/// A request can name all entries that a report names as left out.
const PATHS_MAX: usize = LEFT_OUT_MAX;

/// The files below some directories of a workspace that pass a filter.
pub(crate) struct Tree {
    walk: Arc<Walk>,
    starts: Vec<Start>,
    has_links: bool,
    /// The number of named files that the filter excludes.
    n_filtered: u64,
}

/// Treatment of a file that a request names itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedFiles {
    /// It is searched, whatever its name.
    Always,
    /// Its name must match; it may be hidden or ignored.
    Judged,
}

/// Returns the metadata of a request's path, through symlinks inside the root. The error for a path that does
/// not exist suggests similar ones.
pub(crate) fn stat_named(workspace: &Workspace, path: &RelPath) -> Result<Meta> {
    workspace.refuse_denied(path)?;
    workspace.stat(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            let near = near(workspace, path);
            error.with_near(near.iter().map(|path| path.display().into_owned()).collect())
        }
        _ => error,
    })
}

/// A place where a walk begins.
#[derive(Clone, Debug)]
struct Start {
    path: RelPath,
    /// False for a file that was named: it is visited whatever the filter says.
    is_dir: bool,
    /// Whether symlinks lead to it.
    linked: bool,
}

impl Tree {
    /// Builds the walk over the files below `paths` that pass `options`, and the files that `paths` names.
    ///
    /// A path below another one adds entries that the other excludes. If a path leads through a symlink to
    /// files that another path leads to as well, it is replaced by its path without symlinks, so that every
    /// file is reported once. Directories in the memory of `view` are not listed again.
    ///
    /// # Errors
    ///
    /// `not_found` and `access_denied` for a path, `invalid_param` for one that is neither a
    /// directory nor a regular file, for too many paths, and for globs that do not compile.
    pub(crate) fn new(
        workspace: &Workspace,
        paths: &[RelPath],
        options: &FileOptions,
        named_files: NamedFiles,
        range: PathRange,
        view: Option<Arc<View>>,
    ) -> Result<Tree> {
        if paths.len() > PATHS_MAX {
            let predicate = format!("may have at most {PATHS_MAX} paths, got {}", paths.len());
            return Err(Error::invalid_param("paths", predicate));
        }
        let mut filter = FileFilter::new(workspace, options)?;
        let named = paths.iter().map(|path| Start::new(workspace, path));
        let mut named = named.collect::<Result<Vec<Start>>>()?;
        for (from, to) in Start::merge_overlapping(workspace, &mut named)? {
            filter.add_base(&from, &to);
        }
        let mut starts = Vec::new();
        let mut left_out = Vec::new();
        for start in named {
            let is_taken = start.is_dir || named_files == NamedFiles::Always;
            if is_taken || filter.matches_names(&start.path) {
                starts.push(start);
            } else {
                left_out.push(start.path);
            }
        }
        // Files below another start path are counted by the walk.
        let is_below = |path: &RelPath| {
            starts.iter().any(|start: &Start| start.is_dir && path.starts_with(&start.path))
        };
        let n_filtered = left_out.iter().filter(|path| !is_below(path)).count() as u64;
        starts.sort_by_cached_key(Start::order);
        starts.dedup_by(|later, earlier| later.path == earlier.path);
        let has_links = filter.follow || starts.iter().any(|start| start.linked);
        let (mut outer, mut inner): (Vec<Start>, Vec<RelPath>) = (Vec::new(), Vec::new());
        for start in starts {
            let is_inner =
                outer.last().is_some_and(|last| last.is_dir && start.path.starts_with(&last.path));
            if is_inner { inner.push(start.path) } else { outer.push(start) }
        }
        outer.retain(|start| {
            if start.is_dir { range.may_hold_below(&start.path) } else { range.holds(&start.path) }
        });
        let walk = Arc::new(Walk::new(workspace, filter, NamedStarts::new(inner), range, view));
        Ok(Tree { walk, starts: outer, has_links, n_filtered })
    }

    /// Returns the index's memory of the tree, if the walk may use one.
    pub(crate) fn view(&self) -> Option<&Arc<View>> {
        self.walk.view()
    }

    /// Returns the bounds on the attributes of files, which the visitor of the files applies.
    pub(crate) fn attributes(&self) -> &FileAttributes {
        &self.walk.filter.attributes
    }

    /// Returns the named paths below which no ignore rule applied, because they are ignored themselves. Known
    /// once the walk has begun.
    pub(crate) fn unignored(&self) -> &[RelPath] {
        self.walk.unignored.get().map_or(&[], Vec::as_slice)
    }

    /// Returns whether the walk may reach files through symlinks.
    pub(crate) fn has_links(&self) -> bool {
        self.has_links
    }

    /// Returns the start paths, outer and inner, that are ignored themselves.
    fn find_unignored(
        &self,
        budget: &Budget,
        above: &mut Above<'_>,
        tally: &mut Tally,
    ) -> std::result::Result<Vec<RelPath>, Stopped> {
        let mut unignored = Vec::new();
        if !self.walk.filter.unignore_named {
            return Ok(unignored);
        }
        let outer = self.starts.iter().filter(|start| start.is_dir).map(|start| &start.path);
        for path in outer.chain(self.walk.named.iter()) {
            if above.rules(budget, path, true, tally)?.1 {
                unignored.push(path.clone());
            }
        }
        Ok(unignored)
    }
}

impl Start {
    fn new(workspace: &Workspace, path: &RelPath) -> Result<Start> {
        let kind = stat_named(workspace, path)?.kind;
        if !matches!(kind, Kind::Dir | Kind::File) {
            let shown = path.display();
            let message = format!("'{shown}' is neither a directory nor a regular file");
            let error = Error::new(ErrorKind::InvalidParam, message).with_param("path");
            return Err(error.with_path(shown));
        }
        let itself = workspace.fs().stat(path, false).map(|meta| meta.kind);
        let linked = !matches!(itself, Ok(itself) if itself == kind);
        Ok(Start { path: path.clone(), is_dir: kind == Kind::Dir, linked })
    }

    /// Replaces start paths through symlinks that overlap with others by their paths without symlinks;
    /// returns the old and the new path of each.
    fn merge_overlapping(
        workspace: &Workspace,
        starts: &mut [Start],
    ) -> Result<Vec<(RelPath, RelPath)>> {
        if starts.len() < 2 || !starts.iter().any(|start| start.linked) {
            return Ok(Vec::new());
        }
        let mut real = Vec::with_capacity(starts.len());
        for start in &*starts {
            real.push(match start.linked {
                true => workspace.without_links(&start.path)?,
                false => start.path.clone(),
            });
        }
        let overlaps = |at: usize| {
            (0..real.len()).any(|other| {
                starts[other].path != starts[at].path
                    && (real[at].starts_with(&real[other]) || real[other].starts_with(&real[at]))
            })
        };
        let merged: Vec<usize> =
            (0..starts.len()).filter(|&at| starts[at].linked && overlaps(at)).collect();
        let mut moved = Vec::with_capacity(merged.len());
        for at in merged {
            let to = std::mem::take(&mut real[at]);
            let from = std::mem::replace(&mut starts[at].path, to.clone());
            starts[at].linked = false;
            moved.push((from, to));
        }
        Ok(moved)
    }

    /// Returns the sort key of the paths below a start: a directory sorts with its `/`. The root has none,
    /// and comes before everything in it.
    fn order(&self) -> Vec<u8> {
        let mut key = self.path.as_bytes().to_vec();
        if self.is_dir && !key.is_empty() {
            key.push(b'/');
        }
        key
    }
}

impl FileSource for Tree {
    fn tasks(&self, budget: &Budget, tally: &mut Tally) -> Result<Vec<Task>> {
        tally.counts.filtered += self.n_filtered;
        let walk = &self.walk;
        let (deny, view) = (walk.deny.as_deref(), self.view().map(|view| &**view));
        let no_ignore = walk.filter.no_ignore;
        let mut above = Above::new(&walk.fs, walk.require_git, no_ignore, deny, view);
        let Ok(unignored) = self.find_unignored(budget, &mut above, tally) else {
            return Ok(Vec::new());
        };
        let unignored = walk.unignored.get_or_init(|| unignored);
        let mut tasks = Vec::with_capacity(self.starts.len());
        for Start { path, is_dir, linked } in &self.starts {
            if !is_dir {
                match above.belongs(budget, &walk.filter, path, tally) {
                    Ok(true) => {}
                    Ok(false) => {
                        tally.counts.filtered += 1;
                        continue;
                    }
                    Err(Stopped) => return Ok(Vec::new()),
                }
                let files = FileList::of_paths([path]);
                tasks.push(Task::Known(KnownFiles::new(&walk.fs, files, *linked)));
                continue;
            }
            let Ok((mut rules, mut is_ignored)) = above.rules(budget, path, true, tally) else {
                return Ok(Vec::new());
            };
            if unignored.contains(path) {
                (rules, is_ignored) = (Rules::off(), false);
            }
            tasks.push(Task::Dir(DirTask::start(walk, path, *linked, rules, is_ignored)));
        }
        Ok(tasks)
    }
}
