//! Differences between a tree and an index.

use super::bytes::Bytes;
use super::failure::{Failure, Malformed};
use super::id::Id;
use super::index::{Index, MODE_DIR, MODE_TYPE};
use super::object::{Kind, next_entry};
use super::objects::Objects;
use crate::budget::Budget;
use crate::room;

/// Deeper trees are refused: no file system has their paths.
const DEPTH_MAX: usize = 4_096;

/// A tree that is being read. The trees on the way are a list rather than a recursion, because a repository
/// decides how deep it is.
struct Frame {
    data: Vec<u8>,
    read: usize,
    /// The length of the directory's path, with its slash.
    path_len: usize,
}

/// One difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference<'a> {
    pub path: &'a [u8],
    /// Mode and id in the tree.
    pub tree: Option<(u32, Id)>,
    /// The first entry of the path in the index.
    pub entry: Option<usize>,
}

/// Walks through a tree and an index side by side, as a merge of two sorted lists.
///
/// Trees sort directories as if their names ended with a slash, so the paths of files come in the byte order
/// of the index. A subtree whose id the index has cached is skipped unread, which makes the usual case cheap.
struct Walk<'a> {
    index: &'a Index,
    /// The next entry of the index.
    at: usize,
    each: &'a mut dyn FnMut(Difference<'_>) -> Result<(), Failure>,
}

/// Calls `each` with every path whose entry in the index differs from the tree's, in order; without a tree,
/// with every entry.
pub(super) fn differences(
    tree: Option<Id>,
    index: &Index,
    objects: &Objects,
    budget: &Budget,
    each: &mut dyn FnMut(Difference<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut walk = Walk { index, at: 0, each };
    let Some(tree) = tree else { return walk.only_index(None) };
    if index.trees.is(b"", tree) {
        return Ok(());
    }
    let mut path = Vec::new();
    let mut frames = vec![Frame { data: tree_data(tree, objects, budget)?, read: 0, path_len: 0 }];
    while let Some(frame) = frames.last_mut() {
        budget.poll()?;
        path.truncate(frame.path_len);
        let mut input = Bytes::new(&frame.data[frame.read..]);
        let Some(entry) = next_entry(&mut input, objects.format)? else {
            frames.pop();
            continue;
        };
        path.try_reserve(entry.name.len() + 1)?;
        path.extend_from_slice(entry.name);
        let (mode, id) = (entry.mode, entry.id);
        frame.read = frame.data.len() - input.rest().len();
        if mode & MODE_TYPE != MODE_DIR {
            walk.file(&path, mode, id)?;
            continue;
        }
        path.push(b'/');
        if index.trees.is(&path, id) {
            walk.same_dir(&path)?;
            continue;
        }
        if frames.len() == DEPTH_MAX {
            return Err(Malformed("a tree is too deep").into());
        }
        let data = tree_data(id, objects, budget)?;
        room::push(&mut frames, Frame { data, read: 0, path_len: path.len() })?;
    }
    walk.only_index(None)
}

/// Reads the data of a tree.
pub(super) fn tree_data(id: Id, objects: &Objects, budget: &Budget) -> Result<Vec<u8>, Failure> {
    let object = objects.read(id, budget)?;
    if object.kind != Kind::Tree {
        return Err(Failure::refused(format!("the object {id} is not a tree")));
    }
    Ok(object.data)
}

impl Walk<'_> {
    /// Reports the entries before `end`, which are only in the index.
    fn only_index(&mut self, end: Option<&[u8]>) -> Result<(), Failure> {
        while let Some(entry) = self.index.entries().get(self.at) {
            let path = self.index.path(entry);
            if end.is_some_and(|end| path >= end) {
                break;
            }
            (self.each)(Difference { path, tree: None, entry: Some(self.at) })?;
            self.skip(path);
        }
        Ok(())
    }

    /// Skips all entries of a path: a conflict has several.
    fn skip(&mut self, path: &[u8]) {
        let entries = self.index.entries();
        while entries.get(self.at).is_some_and(|entry| self.index.path(entry) == path) {
            self.at += 1;
        }
    }

    fn file(&mut self, path: &[u8], mode: u32, id: Id) -> Result<(), Failure> {
        self.only_index(Some(path))?;
        let entry = self.index.entries().get(self.at);
        let Some(entry) = entry.filter(|entry| self.index.path(entry) == path) else {
            return (self.each)(Difference { path, tree: Some((mode, id)), entry: None });
        };
        let is_same = entry.stage == 0 && entry.id == id && is_same_mode(entry.mode, mode);
        if !is_same {
            (self.each)(Difference { path, tree: Some((mode, id)), entry: Some(self.at) })?;
        }
        self.skip(path);
        Ok(())
    }

    fn same_dir(&mut self, dir: &[u8]) -> Result<(), Failure> {
        self.only_index(Some(dir))?;
        let entries = self.index.entries();
        let below = |at: usize| {
            entries.get(at).is_some_and(|entry| self.index.path(entry).starts_with(dir))
        };
        while below(self.at) {
            self.at += 1;
        }
        Ok(())
    }
}

/// Returns whether two modes are equivalent: old trees have other permissions than git writes today.
pub(super) fn is_same_mode(a: u32, b: u32) -> bool {
    a & MODE_TYPE == b & MODE_TYPE && a & 0o100 == b & 0o100
}
