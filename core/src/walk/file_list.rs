//! A compact list of files: many paths in one allocation.

use crate::workspace::RelPath;
use crate::workspace::fs::Meta;

/// Files in sequence, as one thread lists them.
#[derive(Debug, Default)]
pub(crate) struct FileBlock {
    /// The concatenated paths, without separators.
    paths: Vec<u8>,
    /// The end of each path.
    ends: Vec<u32>,
    /// The metadata: of all files, or of none.
    metas: Vec<Meta>,
}

/// Files in an order of their own.
#[derive(Debug)]
pub(crate) struct FileList {
    blocks: Vec<FileBlock>,
    /// The block of each file, and its index there.
    order: Vec<(u32, u32)>,
}

impl FileBlock {
    /// Adds a file and returns its index; `meta` is present for all files of a block, or for none.
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

    /// Returns the number of files.
    pub(crate) fn len(&self) -> u32 {
        number(self.ends.len())
    }

    /// Returns roughly its memory in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.paths.len() + size_of_val(&*self.ends) + size_of_val(&*self.metas)
    }

    /// Returns the files in a block of minimal size and clears this one, which keeps its memory for others.
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

    /// Returns the file at `index`: the bytes of its path, and its metadata if known.
    pub(crate) fn get(&self, index: u32) -> (&[u8], Option<&Meta>) {
        let index = index as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        (&self.paths[start as usize..self.ends[index] as usize], self.metas.get(index))
    }
}

/// Narrows a number, because there may be many of them.
fn number(n: usize) -> u32 {
    u32::try_from(n).expect("blocks and lists stay below 4 GiB")
}

impl FileList {
    /// Returns the files of `blocks` in the order of `order`: block and index there.
    pub(crate) fn new(blocks: Vec<FileBlock>, order: Vec<(u32, u32)>) -> FileList {
        FileList { blocks, order }
    }

    /// Returns the files at `paths`, in that order.
    pub(crate) fn of_paths<'a>(paths: impl IntoIterator<Item = &'a RelPath>) -> FileList {
        let mut block = FileBlock::default();
        let order = paths.into_iter().map(|path| (0, block.push(path, b"", None))).collect();
        FileList { blocks: vec![block], order }
    }

    /// Returns the number of files.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns the file at `index`: the bytes of its path, and its metadata if known.
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
