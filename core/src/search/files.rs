//! The files of a request, in its order, from where a cursor says; and whether those before have
//! changed.

use super::Order;
use super::cursor::{Cursor, Position};
use crate::budget::Budget;
use crate::error::Result;
use crate::ignore_lines::IgnoreLines;
use crate::sort::sort;
use crate::walk::{
    self, Candidate, FileAttributes, FileBlock, FileList, FileOptions, FileSource, KnownFiles,
    NamedFiles, PathRange, Tally, Tree, Visited, Visitor, stamp_of,
};
use crate::workspace::fs::{FsError, Kind, Meta};
use crate::workspace::{RelPath, Workspace};
use std::sync::Arc;

/// Which files a request asks for, in which order.
pub(super) struct Asked<'a> {
    pub(super) paths: &'a [RelPath],
    pub(super) files: &'a FileOptions,
    pub(super) named_files: NamedFiles,
    pub(super) order: Order,
    pub(super) cursor: Option<&'a Cursor>,
    /// Whether stamps are of the attributes too, and not of the path alone.
    pub(super) stamps_attributes: bool,
}

/// The files of a request, ready to be looked at.
pub(super) struct Files<'a> {
    workspace: &'a Workspace,
    asked: Asked<'a>,
    tree: Tree,
    /// In another order than that of paths: all files, and the first that is to be looked at.
    ordered: Option<(KnownFiles, usize)>,
}

/// What orders a file before its path does.
fn key(order: Order, meta: &Meta) -> i128 {
    match order {
        Order::Path => 0,
        Order::Mtime => meta.mtime_ns,
        Order::Size => i128::from(meta.size),
    }
}

impl<'a> Files<'a> {
    /// In another order than that of paths the tree is listed here, and what is passed over on the
    /// way counted. A listing that was stopped gives no files: the newest of a part are not the
    /// newest.
    pub(super) fn new(
        budget: &Arc<Budget>,
        workspace: &'a Workspace,
        asked: Asked<'a>,
        tally: &mut Tally,
    ) -> Result<Files<'a>> {
        let Asked { paths, files, named_files, order, cursor, .. } = asked;
        let from = cursor.map(|cursor| &cursor.position).filter(|_| order == Order::Path);
        let from = from.map(|position| (position.path.clone(), !position.done));
        let range = PathRange { from, to: None };
        let tree = Tree::new(workspace, paths, files, named_files, range)?;
        let mut ordered = None;
        if order != Order::Path {
            let files = list(budget, workspace, &tree, order, tally)?;
            let known = KnownFiles::new(workspace.fs(), files, tree.has_links());
            let first = cursor.map_or(0, |cursor| behind(&known, order, &cursor.position));
            ordered = Some((known.from(first), first));
        }
        Ok(Files { workspace, asked, tree, ordered })
    }

    /// The files that are to be looked at.
    pub(super) fn source(&self) -> &dyn FileSource {
        match &self.ordered {
            Some((known, _)) => known,
            None => &self.tree,
        }
    }

    /// The tree they are in.
    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The files of an order other than that of paths.
    pub(super) fn ordered(&self) -> Option<&KnownFiles> {
        self.ordered.as_ref().map(|(known, _)| known)
    }

    /// Whether visitors have to stamp what they look at.
    pub(super) fn stamps_by_visit(&self) -> bool {
        self.ordered.is_none()
    }

    /// The cursor of `position`, where the request has got on; `stamps` are those of the files that
    /// were looked at. None without an identity of the request.
    pub(super) fn cursor_at(
        &self,
        request: Option<u64>,
        position: Option<Position>,
        stamps: u64,
    ) -> Option<Cursor> {
        let before = self.asked.cursor;
        let request = request?;
        let mut position = position?;
        let bounds = self.tree.attributes();
        let times = (bounds.modified_after_ns, bounds.modified_before_ns);
        let stamps_before = before.map_or(0, |cursor| cursor.stamps);
        let Some((known, first)) = &self.ordered else {
            let stamps = stamps_before.wrapping_add(stamps);
            let cursor = Cursor { request, position, stamps, times };
            return Some(cursor).filter(|cursor| before != Some(cursor));
        };
        let mut sum = stamps_before;
        for (path, meta) in known.from(*first).iter() {
            // That of the file in which the request went on is in the sum already.
            if before.is_none_or(|cursor| cursor.position.path.as_bytes() != path) {
                sum = sum.wrapping_add(stamp_of(path, meta));
            }
            if path == position.path.as_bytes() {
                position.key = meta.map_or(0, |meta| key(self.asked.order, meta));
                break;
            }
        }
        let cursor = Cursor { request, position, stamps: sum, times };
        Some(cursor).filter(|cursor| before != Some(cursor))
    }

    /// Whether files up to the position of the request's cursor have appeared, vanished or changed
    /// since; `None` without a cursor, or when there was no time to look.
    pub(super) fn changed(&self, budget: &Budget) -> Result<Option<bool>> {
        let Some(cursor) = self.asked.cursor else {
            return Ok(None);
        };
        let position = &cursor.position;
        let budget = Arc::new(budget.again());
        if budget.poll_clock().is_err() {
            return Ok(None);
        }
        if let Some((known, _)) = &self.ordered {
            let all = known.from(0);
            let n = behind(&all, self.asked.order, &Position { done: true, ..position.clone() });
            let stamps = all.iter().take(n).map(|(path, meta)| stamp_of(path, meta));
            return Ok(Some(stamps.fold(0, u64::wrapping_add) != cursor.stamps));
        }
        let Asked { paths, files, named_files, stamps_attributes, .. } = self.asked;
        if position.path.is_root() {
            return Ok(Some(cursor.stamps != 0));
        }
        let to = Some((position.path.clone(), position.stamped));
        let range = PathRange { from: None, to };
        let Ok(tree) = Tree::new(self.workspace, paths, files, named_files, range) else {
            // A path of the request has vanished since the search began.
            return Ok(Some(true));
        };
        let stamps = Arc::new(Stamps { attributes: stamps_attributes });
        let threads = self.workspace.threads();
        let tally = walk::run(&budget, &tree, &stamps, threads, &mut |(), (), _| true)?;
        let is_whole = budget.poll_clock().is_ok();
        Ok(is_whole.then_some(tally.counts.stamps != cursor.stamps))
    }
}

/// How many of the files stand before `position`.
fn behind(known: &KnownFiles, order: Order, position: &Position) -> usize {
    if position.path.is_root() {
        return 0;
    }
    let end = position.path.as_bytes();
    let is_before = |(path, meta): &(&[u8], Option<&Meta>)| {
        let key = meta.map_or(0, |meta| key(order, meta));
        let is_before = key == position.key && (*path < end || (position.done && *path == end));
        key > position.key || is_before
    };
    known.iter().take_while(is_before).count()
}

/// Lists the tree and orders its files, largest key first; only then is a file opened.
fn list(
    budget: &Arc<Budget>,
    workspace: &Workspace,
    tree: &Tree,
    order: Order,
    tally: &mut Tally,
) -> Result<FileList> {
    let mut blocks: Vec<FileBlock> = Vec::new();
    let mut keys: Vec<(i128, (u32, u32))> = Vec::new();
    let deny = workspace.deny().cloned();
    let attributes = Arc::new(Attributes { bounds: tree.attributes().clone(), deny });
    let threads = workspace.threads();
    let number = |n: usize| u32::try_from(n).expect("because no tree has 2^32 directories");
    tally.append(walk::run(budget, tree, &attributes, threads, &mut |(), block, _| {
        for index in 0..block.len() {
            let key = block.get(index).1.map_or(0, |meta| key(order, meta));
            keys.push((key, (number(blocks.len()), index)));
        }
        blocks.push(std::mem::take(block));
        true
    })?);
    // They came in the order of their paths, which equal keys keep.
    let sorted = sort(&mut keys, budget, &|(a, _), (b, _)| b.cmp(a));
    if sorted.is_err() || budget.poll_clock().is_err() {
        return Ok(FileList::new(Vec::new(), Vec::new()));
    }
    Ok(FileList::new(blocks, keys.into_iter().map(|(_, place)| place).collect()))
}

/// What a file is, where its attributes are within the bounds of the request; else it is counted.
pub(super) fn admitted(
    file: &Candidate<'_>,
    bounds: &FileAttributes,
    deny: Option<&IgnoreLines>,
    tally: &mut Tally,
) -> Option<Meta> {
    let found = file.stat().and_then(|meta| {
        let is_empty =
            !bounds.types.empty_only || meta.kind != Kind::Dir || file.is_empty_dir(deny)?;
        Ok::<_, FsError>((meta, is_empty))
    });
    match found {
        Ok((meta, true)) if bounds.admit(&meta) => Some(meta),
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

/// Lists the files with their attributes.
struct Attributes {
    bounds: FileAttributes,
    deny: Option<Arc<IgnoreLines>>,
}

impl Visitor for Attributes {
    type Scratch = FileBlock;
    /// That there is a block.
    type Found = ();
    type Common = FileBlock;

    fn scratch(&self) -> FileBlock {
        FileBlock::default()
    }

    fn visit(
        &self,
        block: &mut FileBlock,
        file: &Candidate<'_>,
        _budget: &Budget,
        tally: &mut Tally,
    ) -> Visited<()> {
        let index = admitted(file, &self.bounds, self.deny.as_deref(), tally)
            .map(|meta| file.add_to(block, Some(meta)));
        // The first file stands for all of the block.
        Visited { found: (index == Some(0)).then_some(()), ..Visited::nothing() }
    }

    fn common(&self, block: &mut FileBlock) -> FileBlock {
        block.take()
    }

    fn weight((): &()) -> usize {
        0
    }

    fn weight_of_common(block: &FileBlock) -> usize {
        block.weight()
    }
}

/// Stamps each file.
struct Stamps {
    attributes: bool,
}

impl Visitor for Stamps {
    type Scratch = ();
    type Found = ();
    type Common = ();

    fn scratch(&self) {}

    fn visit(
        &self,
        (): &mut (),
        file: &Candidate<'_>,
        _budget: &Budget,
        _tally: &mut Tally,
    ) -> Visited<()> {
        let meta = if self.attributes { file.stat().ok() } else { None };
        Visited { stamp: file.stamp(meta.as_ref()), ..Visited::nothing() }
    }

    fn weight((): &()) -> usize {
        0
    }
}
