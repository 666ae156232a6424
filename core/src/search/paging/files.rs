//! The files of a request, in its order, from the position of its cursor; and changes of those before it.
//!
//! A walk yields the order of paths, so a page in that order enters the tree at its position and lists
//! nothing before it. In any other order the first file is known only after all files were seen: the tree is
//! listed and sorted for each page, which costs more than keeping the list but keeps cursors free of state.

use super::cursor::{Cursor, Position};
use crate::budget::Budget;
use crate::error::Result;
use crate::index::{Subtree, View};
use crate::search::Order;
use crate::search::ranking::{self, Counted, Ranker};
use crate::sort::sort;
use crate::walk::{
    self, Candidate, FileAttributes, FileBlock, FileList, FileOptions, FileSource, KnownFiles,
    NamedFiles, PathRange, RunOptions, Tally, Tree, Visit, Visited, Visitor, stamp_of,
};
use crate::wildcard::IgnoreLines;
use crate::workspace::fs::{FsError, Kind, Meta, Root};
use crate::workspace::{RelPath, Workspace};
use std::sync::Arc;

/// The files that a request describes, and their order.
pub(in crate::search) struct Selection<'a> {
    pub(in crate::search) paths: Vec<RelPath>,
    pub(in crate::search) files: FileOptions,
    pub(in crate::search) named_files: NamedFiles,
    pub(in crate::search) order: Order,
    pub(in crate::search) cursor: Option<&'a Cursor>,
    /// Whether a stopped page returns a cursor.
    pub(in crate::search) resumable: bool,
    /// The identity of the request, equal on all its pages.
    pub(in crate::search) identity: Option<u64>,
    /// Whether stamps include the attributes, not only the path.
    pub(in crate::search) stamps_attributes: bool,
    /// Judges the files; only in the order of relevance.
    pub(in crate::search) ranker: Option<Ranker>,
}

/// The files of a request, ready to be visited.
pub(in crate::search) struct Files<'a> {
    workspace: &'a Workspace,
    selection: Selection<'a>,
    tree: Tree,
    /// The files, if the order is not that of paths.
    ordered: Option<Ordered>,
}

/// Files in an order other than that of paths.
struct Ordered {
    /// The files to visit; those before them were on an earlier page.
    files: KnownFiles,
    /// The key of each file in descending order, including earlier pages.
    keys: Vec<i128>,
    /// The index of the first file to visit.
    first: usize,
    /// Whether the key of a file depends on the other files.
    is_relative: bool,
}

/// Returns the sort key that precedes the path.
fn key(order: Order, meta: &Meta) -> i128 {
    match order {
        Order::Path | Order::Relevance => 0,
        Order::Mtime => meta.mtime_ns,
        Order::Size => i128::from(meta.size),
    }
}

impl<'a> Files<'a> {
    /// Lists the tree, and counts skipped entries, unless the order is that of paths. A stopped listing
    /// contains no files: the newest of some files are not the newest of all.
    pub(in crate::search) fn new(
        budget: &Arc<Budget>,
        workspace: &'a Workspace,
        mut selection: Selection<'a>,
        tally: &mut Tally,
    ) -> Result<Files<'a>> {
        let ranker = selection.ranker.take();
        let Selection { ref paths, ref files, named_files, order, cursor, .. } = selection;
        let from = cursor.map(|cursor| &cursor.position).filter(|_| order == Order::Path);
        let from = from.map(|position| (position.path.clone(), !position.done));
        let range = PathRange { from, to: None };
        let view = View::of_call(workspace);
        let tree = Tree::new(workspace, paths, files, named_files, range, view)?;
        let mut ordered = None;
        if order != Order::Path {
            let (files, keys) = match ranker {
                Some(ranker) => rank(budget, workspace, &tree, ranker, tally)?,
                None => list(budget, workspace, &tree, order, tally)?,
            };
            let files = KnownFiles::new(workspace.fs(), files, tree.has_links());
            let files = files.with_memory(tree.view().cloned().map(Subtree::whole));
            let is_relative = order == Order::Relevance;
            let all = Ordered { files, keys, first: 0, is_relative };
            let first = cursor.map_or(0, |cursor| all.n_before(&cursor.position));
            ordered = Some(Ordered { files: all.files.from(first), first, ..all });
        }
        Ok(Files { workspace, selection, tree, ordered })
    }

    /// Returns the files to visit.
    pub(in crate::search) fn source(&self) -> &dyn FileSource {
        match &self.ordered {
            Some(ordered) => &ordered.files,
            None => &self.tree,
        }
    }

    /// Returns the tree of the files.
    pub(in crate::search) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the files of an order other than that of paths.
    pub(in crate::search) fn ordered(&self) -> Option<&KnownFiles> {
        self.ordered.as_ref().map(|ordered| &ordered.files)
    }

    /// Returns whether visitors have to stamp files.
    pub(in crate::search) fn stamps_by_visit(&self) -> bool {
        self.ordered.is_none()
    }

    pub(in crate::search) fn order(&self) -> Order {
        self.selection.order
    }

    /// Returns the cursor of `position`, if the request is resumable and has advanced; `stamps` is the sum
    /// over the visited files. `None` if the request has no identity.
    pub(super) fn cursor_at(&self, position: Option<Position>, stamps: u64) -> Option<Cursor> {
        let before = self.selection.cursor;
        let request = self.selection.identity.filter(|_| self.selection.resumable)?;
        let mut position = position?;
        let bounds = self.tree.attributes();
        let times = (bounds.modified_after_ns, bounds.modified_before_ns);
        let stamps_before = before.map_or(0, |cursor| cursor.stamps);
        let Some(ordered) = &self.ordered else {
            let stamps = stamps_before.wrapping_add(stamps);
            let cursor = Cursor { request, position, stamps, times };
            // A page without progress has no cursor: a caller that follows cursors to the end would otherwise
            // never arrive.
            return Some(cursor).filter(|cursor| before != Some(cursor));
        };
        let mut sum = stamps_before;
        for ((path, meta), key) in ordered.files.iter().zip(&ordered.keys[ordered.first..]) {
            // The sum already includes the file in which the request continued.
            if before.is_none_or(|cursor| cursor.position.path.as_bytes() != path) {
                sum = sum.wrapping_add(stamp_of(path, meta));
            }
            if path == position.path.as_bytes() {
                position.key = *key;
                break;
            }
        }
        if ordered.is_relative {
            // The sum of the first page, so that every later page still reports a change. It covers all files
            // and not only those before the position, because a change of any file may change the rank of
            // every other.
            sum = before.map_or_else(|| ordered.stamps(usize::MAX), |cursor| cursor.stamps);
        }
        let cursor = Cursor { request, position, stamps: sum, times };
        Some(cursor).filter(|cursor| before != Some(cursor))
    }

    /// Returns whether files up to the position of the request's cursor have appeared, vanished or changed
    /// since; `None` without a cursor, or without time to check.
    pub(in crate::search) fn changed(&self, budget: &Budget) -> Result<Option<bool>> {
        let Some(cursor) = self.selection.cursor else {
            return Ok(None);
        };
        let position = &cursor.position;
        // The page may have stopped its budget at a limit; the check needs one that still runs.
        let budget = Arc::new(budget.again());
        if budget.poll_clock().is_err() {
            return Ok(None);
        }
        if let Some(ordered) = &self.ordered {
            let n = match ordered.is_relative {
                true => usize::MAX,
                false => ordered.n_before(&Position { done: true, ..position.clone() }),
            };
            return Ok(Some(ordered.stamps(n) != cursor.stamps));
        }
        let Selection { paths, files, named_files, stamps_attributes, .. } = &self.selection;
        if position.path.is_root() {
            return Ok(Some(cursor.stamps != 0));
        }
        let to = Some((position.path.clone(), position.stamped));
        let range = PathRange { from: None, to };
        let view = View::of_call(self.workspace);
        let Ok(tree) = Tree::new(self.workspace, paths, files, *named_files, range, view) else {
            // A path of the request has vanished since the search began.
            return Ok(Some(true));
        };
        // A walk of its own, because the page has not seen the files before its position.
        let stamps = Arc::new(Stamps { attributes: *stamps_attributes });
        let options = RunOptions::on(self.workspace.threads());
        let tally = walk::run(&budget, &tree, &stamps, options, &mut |(), _, _| true)?;
        let is_whole = budget.poll_clock().is_ok();
        Ok(is_whole.then_some(tally.counts.stamps != cursor.stamps))
    }
}

impl Ordered {
    /// Returns the number of files before `position`, on earlier pages too.
    ///
    /// Found by comparison rather than by an index in the cursor: files before the position may have appeared
    /// or vanished since.
    fn n_before(&self, position: &Position) -> usize {
        if position.path.is_root() {
            return 0;
        }
        let end = position.path.as_bytes();
        let all = self.files.from(0);
        let is_before = |((path, _), key): &((&[u8], Option<&Meta>), &i128)| {
            let is_before =
                **key == position.key && (*path < end || (position.done && *path == end));
            **key > position.key || is_before
        };
        all.iter().zip(&self.keys).take_while(is_before).count()
    }

    /// Returns the sum of the stamps of the first `n` files.
    fn stamps(&self, n: usize) -> u64 {
        let all = self.files.from(0);
        let stamps = all.iter().take(n).map(|(path, meta)| stamp_of(path, meta));
        stamps.fold(0, u64::wrapping_add)
    }
}

/// Ranks the files with matches, the most relevant first.
fn rank(
    budget: &Arc<Budget>,
    workspace: &Workspace,
    tree: &Tree,
    mut ranker: Ranker,
    tally: &mut Tally,
) -> Result<(FileList, Vec<i128>)> {
    ranker.search.attributes = tree.attributes().clone();
    ranker.search.match_in(tree.view(), budget);
    ranker.keeps_metadata = true;
    let terms = ranker.terms.clone();
    let (counted, of_pass) = Counted::of(workspace, tree, ranker, budget)?;
    let n_searched = (of_pass.counts.files, of_pass.counts.bytes);
    tally.append(of_pass);
    let Counted { blocks, places, counts } = counted;
    let (keys, _) = ranking::keys(&terms, &counts, n_searched);
    drop(counts);
    Ok(sorted(budget, blocks, keys.into_iter().map(i128::from).zip(places).collect()))
}

pub(in crate::search) fn number(n: usize) -> u32 {
    u32::try_from(n).expect("because no tree has 2^32 directories")
}

/// Returns the files of `blocks` by descending key; none of them after the deadline.
fn sorted(
    budget: &Budget,
    blocks: Vec<FileBlock>,
    mut keyed: Vec<(i128, (u32, u32))>,
) -> (FileList, Vec<i128>) {
    // They arrive in the order of their paths; the stable sort keeps it for equal keys.
    let result = sort(&mut keyed, budget, &|(a, _), (b, _)| b.cmp(a));
    if result.is_err() || budget.poll_clock().is_err() {
        return (FileList::new(Vec::new(), Vec::new()), Vec::new());
    }
    let (keys, places) = keyed.into_iter().unzip();
    (FileList::new(blocks, places), keys)
}

/// Lists the tree and sorts its files by descending key, before any file is opened.
fn list(
    budget: &Arc<Budget>,
    workspace: &Workspace,
    tree: &Tree,
    order: Order,
    tally: &mut Tally,
) -> Result<(FileList, Vec<i128>)> {
    let mut blocks: Vec<FileBlock> = Vec::new();
    let mut keys: Vec<(i128, (u32, u32))> = Vec::new();
    let attributes = Arc::new(Attributes(Bounds::new(workspace, tree.attributes())));
    let options = RunOptions::on(workspace.threads());
    tally.append(walk::run(budget, tree, &attributes, options, &mut |(), block, _| {
        for index in 0..block.len() {
            let key = block.get(index).1.map_or(0, |meta| key(order, meta));
            keys.push((key, (number(blocks.len()), index)));
        }
        blocks.push(std::mem::take(block));
        true
    })?);
    Ok(sorted(budget, blocks, keys))
}

/// The bounds of a request, and what a file needs besides its own metadata to be within them.
pub(in crate::search) struct Bounds {
    pub(in crate::search) attributes: FileAttributes,
    deny: Option<Arc<IgnoreLines>>,
    fs: Arc<Root>,
}

impl Bounds {
    pub(in crate::search) fn new(workspace: &Workspace, attributes: &FileAttributes) -> Bounds {
        Bounds {
            attributes: attributes.clone(),
            deny: workspace.deny().cloned(),
            fs: Arc::clone(workspace.fs()),
        }
    }

    /// Returns the metadata of a file within the bounds; counts the file otherwise.
    pub(in crate::search) fn admitted(
        &self,
        file: &Candidate<'_>,
        tally: &mut Tally,
    ) -> Option<Meta> {
        match file.stat().and_then(|meta| Ok((meta, self.admits(file, meta)?))) {
            Ok((meta, true)) => Some(meta),
            Ok(_) => {
                tally.counts.filtered += 1;
                None
            }
            Err(error) => {
                tally.count_unopened(&file.path(), &error);
                None
            }
        }
    }

    fn admits(&self, file: &Candidate<'_>, meta: Meta) -> Result<bool, FsError> {
        let types = self.attributes.types;
        let deny = self.deny.as_deref();
        if types.empty_only && meta.kind == Kind::Dir && !file.is_empty_dir(deny)? {
            return Ok(false);
        }
        // A link is as executable as its target.
        let is_judged = meta.kind == Kind::Symlink && types.executable_only;
        let target = if is_judged { self.fs.stat_followed(&file.path()) } else { Ok(Some(meta)) };
        let executable = target.is_ok_and(|target| target.is_some_and(|meta| meta.executable));
        Ok(self.attributes.admit(&Meta { executable, ..meta }))
    }
}

/// Lists the files with their attributes.
struct Attributes(Bounds);

impl Visitor for Attributes {
    type Scratch = ();
    /// Announces a batch.
    type Item = ();

    fn visit(&self, visit: Visit<'_, ()>) -> Visited<()> {
        let Visit { file, tally, files, .. } = visit;
        let index = self.0.admitted(file, tally).map(|meta| file.add_to(files, Some(meta)));
        // The first file represents the whole batch. A result for each would carry counts and a place in the
        // order, and nothing else.
        Visited { found: (index == Some(0)).then_some(()), ..Visited::nothing() }
    }

    fn weight((): &()) -> usize {
        0
    }
}

/// Stamps each file.
struct Stamps {
    attributes: bool,
}

impl Visitor for Stamps {
    type Scratch = ();
    type Item = ();

    fn visit(&self, Visit { file, .. }: Visit<'_, ()>) -> Visited<()> {
        let meta = if self.attributes { file.stat().ok() } else { None };
        Visited { stamp: file.stamp(meta.as_ref()), ..Visited::nothing() }
    }

    fn weight((): &()) -> usize {
        0
    }
}
