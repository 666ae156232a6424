//! A list of files in little memory: the paths of many in one allocation.

use crate::workspace::RelPath;
use crate::workspace::fs::Meta;

/// Files one after the other, as one thread lists them.
#[derive(Debug, Default)]
pub(crate) struct FileBlock {
    /// The paths, without anything between them.
    paths: Vec<u8>,
    /// Where each path ends.
    ends: Vec<u32>,
    /// What is known of each file: of all of them, or of none.
    metas: Vec<Meta>,
}

/// Files in an order of their own.
#[derive(Debug)]
pub(crate) struct FileList {
    blocks: Vec<FileBlock>,
    /// Of each file its block, and its place there.
    order: Vec<(u32, u32)>,
}

impl FileBlock {
    /// Adds a file and gives its index; `meta` is of all files of a block, or of none.
    pub(crate) fn push(&mut self, dir: &RelPath, name: &[u8], meta: Option<Meta>) -> u32 {
        self.paths.extend_from_slice(dir.as_bytes());
        if !dir.is_root() && !name.is_empty() {
            self.paths.push(b'/');
        }
        self.paths.extend_from_slice(name);
        self.ends.push(number(self.paths.len()));
        self.metas.extend(meta);
        number(self.ends.len() - 1)
    }

    /// How many files there are.
    pub(crate) fn len(&self) -> u32 {
        number(self.ends.len())
    }

    /// About how much memory it holds.
    pub(crate) fn weight(&self) -> usize {
        self.paths.len() + size_of_val(&*self.ends) + size_of_val(&*self.metas)
    }

    /// The files, in no more memory than they need; what they were gathered in is kept for others.
    pub(crate) fn take(&mut self) -> FileBlock {
        let block = FileBlock {
            paths: self.paths.clone(),
            ends: self.ends.clone(),
            metas: self.metas.clone(),
        };
        self.paths.clear();
        self.ends.clear();
        self.metas.clear();
        block
    }

    /// The file at `index`: the bytes of its path, and what is known of it.
    pub(crate) fn get(&self, index: u32) -> (&[u8], Option<&Meta>) {
        let index = index as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        (&self.paths[start as usize..self.ends[index] as usize], self.metas.get(index))
    }
}

/// As a number of few bits, because there may be many of them.
fn number(n: usize) -> u32 {
    u32::try_from(n)
        .expect("because walks hand over a block, and callers bound a list, long before")
}

impl FileList {
    /// The files of `blocks` in the order that `order` gives: block and place there.
    pub(crate) fn new(blocks: Vec<FileBlock>, order: Vec<(u32, u32)>) -> FileList {
        FileList { blocks, order }
    }

    /// The files at `paths`, in that order.
    pub(crate) fn of_paths<'a>(paths: impl IntoIterator<Item = &'a RelPath>) -> FileList {
        let mut block = FileBlock::default();
        let order = paths.into_iter().map(|path| (0, block.push(path, b"", None))).collect();
        FileList { blocks: vec![block], order }
    }

    /// How many files there are.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The file at `index`: the bytes of its path, and what is known of it.
    pub(crate) fn get(&self, index: usize) -> (&[u8], Option<&Meta>) {
        let (block, place) = self.order[index];
        self.blocks[block as usize].get(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_back_in_the_order_of_the_list() {
        let dir = RelPath::root().join(b"a").join(b"b");
        let mut blocks = vec![FileBlock::default(), FileBlock::default()];
        blocks[0].push(&RelPath::root(), b"x", None);
        blocks[0].push(&dir, b"y", None);
        blocks[1].push(&dir, b"", None);
        let list = FileList::new(blocks, vec![(1, 0), (0, 1), (0, 0)]);
        let paths: Vec<&[u8]> = (0..list.len()).map(|index| list.get(index).0).collect();
        assert_eq!(paths, [&b"a/b"[..], b"a/b/y", b"x"]);
        let list = FileList::of_paths([&dir, &RelPath::root().join(b"z")]);
        assert_eq!((list.get(0).0, list.get(1).0, list.len()), (&b"a/b"[..], &b"z"[..], 2));
    }
}
