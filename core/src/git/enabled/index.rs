//! The index: the files that git tracks, as it last saw them.
//!
//! The paths of all entries are one buffer, because an index may have a million entries, and each would
//! otherwise need an allocation.

use super::bytes::Bytes;
use super::cached_trees::CachedTrees;
use super::ewah;
use super::failure::{Failure, Malformed};
use super::id::{Id, ObjectFormat};
use crate::budget::Budget;
use crate::room;

/// The file type of an entry, in git's mode bits.
pub(super) const MODE_TYPE: u32 = 0o170_000;
pub(super) const MODE_DIR: u32 = 0o040_000;
pub(super) const MODE_FILE: u32 = 0o100_644;
pub(super) const MODE_EXECUTABLE: u32 = 0o100_755;
pub(super) const MODE_SYMLINK: u32 = 0o120_000;
pub(super) const MODE_GITLINK: u32 = 0o160_000;

const ASSUME_VALID: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;
const NAME_LEN: u16 = 0x0fff;

/// The maximum length of a path; no file system has longer ones.
const PATH_BYTES_MAX: usize = 1 << 16;
/// The maximum memory of all paths: index version 4 compresses them, so a small file could expand far.
const PATHS_BYTES_MAX: usize = 512 << 20;

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
    path: (usize, usize),
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
    /// Reads an index of version 2, 3 or 4.
    pub(super) fn parse(
        bytes: &[u8],
        format: ObjectFormat,
        budget: &Budget,
    ) -> Result<Index, Failure> {
        let body_len = bytes.len().checked_sub(format.len()).ok_or(Malformed("it is too short"))?;
        let mut input = Bytes::new(&bytes[..body_len]);
        if input.take(4)? != b"DIRC" {
            return Err(Malformed("it does not have the signature of an index").into());
        }
        let version = input.u32()?;
        if !(2..=4).contains(&version) {
            return Err(Failure::refused(format!("version {version} is unsupported")));
        }
        let n = input.u32()? as usize;
        let mut index = Index::default();
        // Each entry takes more bytes than this, so that a false count reserves little.
        index.entries.try_reserve(n.min(body_len / (42 + format.len())))?;
        let mut previous = Vec::new();
        for _ in 0..n {
            budget.poll()?;
            index.read_entry(&mut input, version, format, &mut previous)?;
        }
        index.read_extensions(input, format, budget)?;
        // Entries that replace those of a shared index have no path yet; `over` checks the merged list.
        if index.link.is_none() {
            index.check_order()?;
        }
        Ok(index)
    }

    fn read_entry(
        &mut self,
        input: &mut Bytes<'_>,
        version: u32,
        format: ObjectFormat,
        previous: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let before = input.rest().len();
        let ctime = (input.u32()?, input.u32()?);
        let mtime = (input.u32()?, input.u32()?);
        let (_device, inode) = (input.u32()?, input.u32()?);
        let mode = input.u32()?;
        let (_user, _group) = (input.u32()?, input.u32()?);
        let size = input.u32()?;
        let id = Id::new(input.take(format.len())?);
        let flags = input.u16()?;
        let more = if flags & EXTENDED != 0 { input.u16()? } else { 0 };
        if flags & EXTENDED != 0 && version < 3 {
            return Err(Malformed("an entry has flags of a later version").into());
        }
        let start = self.paths.len();
        if version == 4 {
            let strip = usize::try_from(input.offset()?).unwrap_or(usize::MAX);
            let kept = previous.len().checked_sub(strip);
            previous.truncate(kept.ok_or(Malformed("a path is shortened too far"))?);
            let suffix = input.until(0)?;
            previous.try_reserve(suffix.len())?;
            previous.extend_from_slice(suffix);
            self.push_path(previous)?;
        } else {
            let long = usize::from(flags & NAME_LEN);
            let path = match long < usize::from(NAME_LEN) {
                true => input.take(long)?,
                false => {
                    let end = memchr::memchr(0, input.rest());
                    input.take(end.ok_or(Malformed("a path is not terminated"))?)?
                }
            };
            self.push_path(path)?;
            // Entries end with one to eight NULs, at a multiple of eight bytes.
            let len = before - input.rest().len();
            input.take(8 - len % 8)?;
        }
        let entry = Entry {
            path: (start, self.paths.len()),
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

    fn push_path(&mut self, path: &[u8]) -> Result<(), Failure> {
        if path.len() > PATH_BYTES_MAX || self.paths.len() + path.len() > PATHS_BYTES_MAX {
            return Err(Malformed("its paths are too long").into());
        }
        self.paths.try_reserve(path.len())?;
        self.paths.extend_from_slice(path);
        Ok(())
    }

    fn read_extensions(
        &mut self,
        mut input: Bytes<'_>,
        format: ObjectFormat,
        budget: &Budget,
    ) -> Result<(), Failure> {
        while !input.rest().is_empty() {
            budget.poll()?;
            let name = input.take(4)?;
            let size = input.u32()? as usize;
            let data = input.take(size)?;
            match name {
                b"TREE" => {
                    self.trees =
                        CachedTrees::parse(data, format, budget).map_err(|it| it.of("its trees"))?
                }
                b"link" => {
                    self.link = Link::parse(data, format, budget).map_err(|it| it.of("its link"))?
                }
                // Sparse directory entries are recognised by their mode.
                b"sdir" => {}
                // Git's rule: readers may ignore extensions that begin with a capital letter. Any other one
                // changes the meaning of the entries.
                [b'A'..=b'Z', ..] => {}
                _ => {
                    let name = String::from_utf8_lossy(name).escape_debug().to_string();
                    let why = format!("it has the unsupported extension '{name}'");
                    return Err(Failure::refused(why));
                }
            }
        }
        Ok(())
    }

    /// Applies this split index to the entries of its shared index.
    pub(super) fn over(self, base: &Index, budget: &Budget) -> Result<Index, Failure> {
        let Some(link) = self.link else { return Ok(self) };
        let wrong = Malformed("it does not fit its shared index");
        let mut own = self.entries.iter();
        let mut kept: Vec<(&[u8], &Entry)> = Vec::new();
        let (mut delete, mut replace) = (link.delete.iter().peekable(), link.replace.iter());
        let mut next_replaced = replace.next();
        for (at, entry) in (0_u64..).zip(&base.entries) {
            budget.poll()?;
            let path = base.path(entry);
            let is_replaced = next_replaced == Some(&at);
            let entry = match is_replaced {
                true => {
                    next_replaced = replace.next();
                    own.next().ok_or(wrong)?
                }
                false => entry,
            };
            if delete.next_if_eq(&&at).is_some() {
                continue;
            }
            room::push(&mut kept, (path, entry))?;
        }
        if next_replaced.is_some() || delete.next().is_some() {
            return Err(wrong.into());
        }
        for entry in own {
            let path = &self.paths[entry.path.0..entry.path.1];
            room::push(&mut kept, (path, entry))?;
        }
        kept.sort_unstable_by_key(|(path, entry)| (*path, entry.stage));
        let mut merged = Index { trees: self.trees, ..Index::default() };
        for (path, entry) in kept {
            budget.poll()?;
            merged.push(path, entry.clone())?;
        }
        merged.check_order()?;
        Ok(merged)
    }

    /// Adds an entry at the end.
    pub(super) fn push(&mut self, path: &[u8], entry: Entry) -> Result<(), Failure> {
        let start = self.paths.len();
        self.push_path(path)?;
        let entry = Entry { path: (start, self.paths.len()), ..entry };
        room::push(&mut self.entries, entry)?;
        Ok(())
    }

    /// Refuses an index whose entries are not sorted, as binary search requires, or that has an invalid path.
    fn check_order(&self) -> Result<(), Malformed> {
        let key = |entry: &Entry| (&self.paths[entry.path.0..entry.path.1], entry.stage);
        if !self.entries.is_sorted_by(|a, b| key(a) < key(b)) {
            return Err(Malformed("its entries are not sorted"));
        }
        let is_wrong = |entry: &Entry| !is_tracked_path(self.path(entry), entry.mode);
        if self.entries.iter().any(is_wrong) {
            return Err(Malformed("it has an invalid path"));
        }
        Ok(())
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the path of an entry, relative to the top of the worktree.
    pub(super) fn path(&self, entry: &Entry) -> &[u8] {
        &self.paths[entry.path.0..entry.path.1]
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
    fn parse(data: &[u8], format: ObjectFormat, budget: &Budget) -> Result<Option<Link>, Failure> {
        let mut input = Bytes::new(data);
        let base = Id::new(input.take(format.len())?);
        let (mut delete, mut replace) = (Vec::new(), Vec::new());
        if !input.rest().is_empty() {
            delete = ewah::positions(&mut input, budget)?;
            replace = ewah::positions(&mut input, budget)?;
        }
        Ok((!base.is_null()).then_some(Link { base, delete, replace }))
    }
}
