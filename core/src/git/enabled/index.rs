//! The index: the files that git tracks, as it last saw them.
//!
//! The paths of all entries are one buffer, because an index may have many entries, and each would otherwise
//! need an allocation. The file is read in windows, because its size says nothing about its contents.

use super::bytes::Bytes;
use super::cached_trees::CachedTrees;
use super::ewah;
use super::failure::{Failure, Malformed};
use super::id::{Id, ObjectFormat};
use super::index_memory::IndexMemory;
use super::window::Window;
use crate::budget::Budget;
use crate::room;
use std::io::Read;

/// The file type of an entry, in git's mode bits.
pub(super) const MODE_TYPE: u32 = 0o170_000;
pub(super) const MODE_DIR: u32 = 0o040_000;
pub(super) const MODE_FILE: u32 = 0o100_644;
pub(super) const MODE_EXECUTABLE: u32 = 0o100_755;
pub(super) const MODE_SYMLINK: u32 = 0o120_000;
pub(super) const MODE_GITLINK: u32 = 0o160_000;

const MODE_REGULAR: u32 = MODE_FILE & MODE_TYPE;
/// The signature, the version and the number of entries.
const HEAD_BYTES: usize = 12;
/// The name and the size of an extension.
const EXTENSION_HEAD_BYTES: usize = 8;

const ASSUME_VALID: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;
const NAME_LEN: u16 = 0x0fff;

/// The maximum length of a path; no file system has longer ones.
const PATH_BYTES_MAX: usize = 1 << 16;
/// An entry is looked at as a whole: its numbers, its path, and the NULs after it.
const ENTRY_BYTES_MAX: usize = PATH_BYTES_MAX + 256;
/// The paths grow by at least this much at a time.
const PATHS_STEP: usize = 64 << 10;
/// The maximum sizes of the extensions that are read. Without its cached trees an index is only slower.
const TREES_BYTES_MAX: u32 = 8 << 20;
const LINK_BYTES_MAX: u32 = 8 << 20;

/// The metadata that git recorded with an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stat {
    pub ctime: (u32, u32),
    pub mtime: (u32, u32),
    pub inode: u32,
    pub size: u32,
}

/// One tracked file.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The range of the path in the paths of the index.
    path: (u32, u32),
    pub stat: Stat,
    pub mode: u32,
    pub id: Id,
    /// 0, or 1 to 3 for the sides of a conflict.
    pub stage: u8,
    /// The user promises that the file does not change.
    pub assume_valid: bool,
    /// The file is not checked out.
    pub skip_worktree: bool,
    /// The file was announced (`git add --intent-to-add`) but not staged.
    pub intent_to_add: bool,
}

impl Entry {
    /// Returns the entry of a file in a directory that is not checked out.
    pub(super) fn unwanted_file(&self, mode: u32, id: Id) -> Entry {
        Entry { mode, id, stat: Stat::default(), skip_worktree: true, ..self.clone() }
    }
}

/// The entries of an index in their order: by path, then by stage.
#[derive(Debug, Default)]
pub(super) struct Index {
    paths: Vec<u8>,
    entries: Vec<Entry>,
    pub trees: CachedTrees,
    /// The shared index to which this one applies.
    pub link: Option<Link>,
}

/// A split index's changes to its shared index.
#[derive(Debug)]
pub(super) struct Link {
    pub base: Id,
    /// The positions of entries of the base that are deleted.
    delete: Vec<u64>,
    /// The positions of entries that the first entries of this index replace; those have no path.
    replace: Vec<u64>,
}

impl Index {
    /// Reads an index of version 2, 3 or 4, whose file has `size` bytes.
    pub(super) fn read(
        file: impl Read,
        size: u64,
        format: ObjectFormat,
        memory: &mut IndexMemory,
        budget: &Budget,
    ) -> Result<Index, Failure> {
        let body = size.checked_sub(format.len() as u64).ok_or(Malformed("it is too short"))?;
        let mut window = Window::new(file, body);
        let mut head = Bytes::new(window.front(HEAD_BYTES, budget)?);
        if head.take(4)? != b"DIRC" {
            return Err(Malformed("it does not have the signature of an index").into());
        }
        let (version, n) = (head.u32()?, head.u32()?);
        window.advance(HEAD_BYTES);
        if !(2..=4).contains(&version) {
            return Err(Failure::refused(format!("version {version} is unsupported")));
        }
        // Each entry has more bytes than this, so that a false number takes no memory.
        if u64::from(n) * (42 + format.len() as u64) > window.left() {
            return Err(Malformed("it is too short for the number of its entries").into());
        }
        let mut index = Index::default();
        memory.take((n as usize).saturating_mul(size_of::<Entry>()), budget)?;
        index.entries.try_reserve_exact(n as usize)?;
        let mut previous = Vec::new();
        for _ in 0..n {
            budget.poll()?;
            let front = window.front(ENTRY_BYTES_MAX, budget)?;
            let mut input = Bytes::new(front);
            index.read_entry(&mut input, version, format, &mut previous, memory, budget)?;
            let n_read = front.len() - input.rest().len();
            window.advance(n_read);
        }
        index.read_extensions(&mut window, format, memory, budget)?;
        // Entries that replace those of a shared index have no path yet; `over` checks the merged list.
        if index.link.is_none() {
            index.check_order(budget)?;
        }
        Ok(index)
    }

    fn read_entry(
        &mut self,
        input: &mut Bytes<'_>,
        version: u32,
        format: ObjectFormat,
        previous: &mut Vec<u8>,
        memory: &mut IndexMemory,
        budget: &Budget,
    ) -> Result<(), Failure> {
        let before = input.rest().len();
        let ctime = (input.u32()?, input.u32()?);
        let mtime = (input.u32()?, input.u32()?);
        let (_device, inode) = (input.u32()?, input.u32()?);
        let mode = input.u32()?;
        if !matches!(mode & MODE_TYPE, MODE_DIR | MODE_SYMLINK | MODE_GITLINK | MODE_REGULAR) {
            return Err(Malformed("an entry is of no kind that git tracks").into());
        }
        let (_user, _group) = (input.u32()?, input.u32()?);
        let size = input.u32()?;
        let id = Id::new(input.take(format.len())?);
        let flags = input.u16()?;
        let more = if flags & EXTENDED != 0 { input.u16()? } else { 0 };
        if flags & EXTENDED != 0 && version < 3 {
            return Err(Malformed("an entry has flags of a later version").into());
        }
        let path;
        if version == 4 {
            let strip = usize::try_from(input.offset()?).unwrap_or(usize::MAX);
            let kept = previous.len().checked_sub(strip);
            previous.truncate(kept.ok_or(Malformed("a path is shortened too far"))?);
            let suffix = input.until(0)?;
            previous.try_reserve(suffix.len())?;
            previous.extend_from_slice(suffix);
            path = self.push_path(previous, memory, budget)?;
        } else {
            let long = usize::from(flags & NAME_LEN);
            let name = match long < usize::from(NAME_LEN) {
                true => input.take(long)?,
                false => {
                    let end = memchr::memchr(0, input.rest());
                    input.take(end.ok_or(Malformed("a path is not terminated"))?)?
                }
            };
            path = self.push_path(name, memory, budget)?;
            // Entries end with one to eight NULs, at a multiple of eight bytes.
            let len = before - input.rest().len();
            input.take(8 - len % 8)?;
        }
        let entry = Entry {
            path,
            stat: Stat { ctime, mtime, inode, size },
            mode,
            id,
            stage: u8::try_from(flags >> 12 & 3).unwrap_or(0),
            assume_valid: flags & ASSUME_VALID != 0,
            skip_worktree: more & SKIP_WORKTREE != 0,
            intent_to_add: more & INTENT_TO_ADD != 0,
        };
        room::push(&mut self.entries, entry)?;
        Ok(())
    }

    /// Adds a path; returns its range.
    fn push_path(
        &mut self,
        path: &[u8],
        memory: &mut IndexMemory,
        budget: &Budget,
    ) -> Result<(u32, u32), Failure> {
        if path.len() > PATH_BYTES_MAX {
            return Err(Malformed("its paths are too long").into());
        }
        let (start, end) = (self.paths.len(), self.paths.len() + path.len());
        if end > self.paths.capacity() {
            let more = path.len().max(start / 8).max(PATHS_STEP);
            memory.take(more, budget)?;
            self.paths.try_reserve_exact(more)?;
        }
        self.paths.extend_from_slice(path);
        let place = |at: usize| u32::try_from(at).map_err(|_| Malformed("its paths are too long"));
        Ok((place(start)?, place(end)?))
    }

    fn read_extensions(
        &mut self,
        window: &mut Window<impl Read>,
        format: ObjectFormat,
        memory: &mut IndexMemory,
        budget: &Budget,
    ) -> Result<(), Failure> {
        while window.left() > 0 {
            budget.poll()?;
            let mut head = Bytes::new(window.front(EXTENSION_HEAD_BYTES, budget)?);
            let name: [u8; 4] = head.u32()?.to_be_bytes();
            let size = head.u32()?;
            window.advance(EXTENSION_HEAD_BYTES);
            if u64::from(size) > window.left() {
                return Err(Malformed("it is truncated").into());
            }
            match &name {
                b"TREE" if size <= TREES_BYTES_MAX => {
                    let data = window.copy(size as usize, budget)?;
                    let trees = CachedTrees::parse(&data, format, budget);
                    self.trees = trees.map_err(|failure| failure.of("its trees"))?;
                }
                b"link" => {
                    if size > LINK_BYTES_MAX {
                        return Err(Malformed("its link is too large").into());
                    }
                    let data = window.copy(size as usize, budget)?;
                    let link = Link::parse(&data, format, memory, budget);
                    self.link = link.map_err(|failure| failure.of("its link"))?;
                }
                // Sparse directory entries are recognised by their mode. Git's rule for the others: readers
                // may ignore extensions that begin with a capital letter. Any other one changes the meaning
                // of the entries.
                b"sdir" | [b'A'..=b'Z', ..] => window.skip(size.into(), budget)?,
                _ => {
                    let name = String::from_utf8_lossy(&name).escape_debug().to_string();
                    let why = format!("it has the unsupported extension '{name}'");
                    return Err(Failure::refused(why));
                }
            }
        }
        Ok(())
    }

    /// Applies this split index to the entries of its shared index.
    pub(super) fn over(
        self,
        base: &Index,
        memory: &mut IndexMemory,
        budget: &Budget,
    ) -> Result<Index, Failure> {
        let Some(link) = &self.link else { return Ok(self) };
        let wrong = Malformed("it does not fit its shared index");
        // The first of the entries replace those of the base. The others are new; both are in order.
        let n_replaced = link.replace.len();
        if n_replaced > self.entries.len() {
            return Err(wrong.into());
        }
        let (replacing, new) = self.entries.split_at(n_replaced);
        let mut replacing = replacing.iter();
        let mut new = new.iter().peekable();
        let (mut delete, mut replace) =
            (link.delete.iter().peekable(), link.replace.iter().peekable());
        let mut merged = Index::default();
        memory.take((base.entries.len() + self.entries.len()) * size_of::<Entry>(), budget)?;
        merged.entries.try_reserve_exact(base.entries.len() + self.entries.len())?;
        for (at, entry) in (0_u64..).zip(&base.entries) {
            budget.poll()?;
            let path = base.path(entry);
            let entry = match replace.next_if_eq(&&at) {
                Some(_) => replacing.next().ok_or(wrong)?,
                None => entry,
            };
            if delete.next_if_eq(&&at).is_some() {
                continue;
            }
            let is_before = |new: &&Entry| (self.path(new), new.stage) < (path, entry.stage);
            while let Some(new) = new.next_if(is_before) {
                budget.poll()?;
                merged.push(self.path(new), new.clone(), memory, budget)?;
            }
            merged.push(path, entry.clone(), memory, budget)?;
        }
        if replace.next().is_some() || delete.next().is_some() {
            return Err(wrong.into());
        }
        for new in new {
            budget.poll()?;
            merged.push(self.path(new), new.clone(), memory, budget)?;
        }
        merged.check_order(budget)?;
        merged.trees = self.trees;
        Ok(merged)
    }

    /// Adds an entry at the end.
    pub(super) fn push(
        &mut self,
        path: &[u8],
        entry: Entry,
        memory: &mut IndexMemory,
        budget: &Budget,
    ) -> Result<(), Failure> {
        let path = self.push_path(path, memory, budget)?;
        memory.push(&mut self.entries, Entry { path, ..entry }, budget)
    }

    /// Refuses an index whose entries are not sorted, as binary search requires, or that has an invalid path.
    pub(super) fn check_order(&self, budget: &Budget) -> Result<(), Failure> {
        let mut previous: Option<(&[u8], u8)> = None;
        for entry in &self.entries {
            budget.poll()?;
            let path = self.path(entry);
            if previous.is_some_and(|previous| previous >= (path, entry.stage)) {
                return Err(Malformed("its entries are not sorted").into());
            }
            if !is_tracked_path(path, entry.mode) {
                return Err(Malformed("it has an invalid path").into());
            }
            previous = Some((path, entry.stage));
        }
        Ok(())
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the path of an entry, relative to the top of the worktree.
    pub(super) fn path(&self, entry: &Entry) -> &[u8] {
        &self.paths[entry.path.0 as usize..entry.path.1 as usize]
    }

    /// Returns the position of the first entry at or after `path`.
    pub(super) fn lower_bound(&self, path: &[u8]) -> usize {
        self.entries.partition_point(|entry| self.path(entry) < path)
    }

    /// Returns the position of the first entry of the file `path`.
    pub(super) fn find(&self, path: &[u8]) -> Option<usize> {
        let at = self.lower_bound(path);
        self.entries.get(at).is_some_and(|entry| self.path(entry) == path).then_some(at)
    }

    /// Returns whether a file below the directory `dir`, which ends with a slash, is tracked.
    pub(super) fn has_below(&self, dir: &[u8]) -> bool {
        let at = self.lower_bound(dir);
        self.entries.get(at).is_some_and(|entry| self.path(entry).starts_with(dir))
    }
}

/// Returns whether a path has only valid names between its slashes; that of a sparse directory ends with one.
/// Anyone can write an index: a path through `..` or into `.git` would name files that git never tracks.
fn is_tracked_path(path: &[u8], mode: u32) -> bool {
    let path = match mode & MODE_TYPE == MODE_DIR {
        true => path.strip_suffix(b"/").unwrap_or(b""),
        false => path,
    };
    path.split(|&byte| byte == b'/').all(|name| !matches!(name, b"" | b"." | b".." | b".git"))
        && !path.contains(&0)
}

impl Link {
    fn parse(
        data: &[u8],
        format: ObjectFormat,
        memory: &mut IndexMemory,
        budget: &Budget,
    ) -> Result<Option<Link>, Failure> {
        let mut input = Bytes::new(data);
        let base = Id::new(input.take(format.len())?);
        let (mut delete, mut replace) = (Vec::new(), Vec::new());
        if !input.rest().is_empty() {
            delete = ewah::positions(&mut input, memory, budget)?;
            replace = ewah::positions(&mut input, memory, budget)?;
        }
        Ok((!base.is_null()).then_some(Link { base, delete, replace }))
    }
}
