//! Objects: commits, trees, tags and blobs.

use super::bytes::Bytes;
use super::failure::{Failure, Malformed};
use super::id::{Id, ObjectFormat};
use crate::room;

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Commit,
    Tree,
    Blob,
    Tag,
}

impl Kind {
    /// Returns the kind named in an object's header.
    pub(super) fn of_name(name: &[u8]) -> Option<Kind> {
        match name {
            b"commit" => Some(Kind::Commit),
            b"tree" => Some(Kind::Tree),
            b"blob" => Some(Kind::Blob),
            b"tag" => Some(Kind::Tag),
            _ => None,
        }
    }
}

/// An object in memory.
#[derive(Debug)]
pub(super) struct Object {
    pub kind: Kind,
    pub data: Vec<u8>,
}

/// The fields of a commit that the engine uses.
#[derive(Debug)]
pub(super) struct Commit {
    pub tree: Id,
    pub parents: Vec<Id>,
    /// The time of the commit in seconds since 1970; 0 if it is not a number.
    pub date: i64,
}

impl Commit {
    pub(super) fn parse(data: &[u8], format: ObjectFormat) -> Result<Commit, Failure> {
        let wrong = Malformed("malformed commit");
        let mut lines = data.split(|&byte| byte == b'\n');
        let id = |line: &[u8], name: &[u8]| {
            line.strip_prefix(name).and_then(|hex| Id::from_hex(hex, format))
        };
        let tree = lines.next().and_then(|line| id(line, b"tree ")).ok_or(wrong)?;
        let mut commit = Commit { tree, parents: Vec::new(), date: 0 };
        // Stops at the committer: the message after the headers may contain lines that look like headers.
        for line in lines {
            if let Some(parent) = id(line, b"parent ") {
                room::push(&mut commit.parents, parent)?;
            } else if let Some(committer) = line.strip_prefix(b"committer ") {
                commit.date = date(committer).unwrap_or(0);
                break;
            } else if line.is_empty() {
                break;
            }
        }
        Ok(commit)
    }
}

/// Reads the seconds after the address in a line that names a person.
fn date(line: &[u8]) -> Option<i64> {
    let after = &line[memchr::memrchr(b'>', line)? + 1..];
    let mut words = after.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    std::str::from_utf8(words.next()?).ok()?.parse().ok()
}

/// Returns the object that a tag names.
pub(super) fn tagged(data: &[u8], format: ObjectFormat) -> Result<Id, Malformed> {
    let line = data.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let hex = line.strip_prefix(b"object ").unwrap_or_default();
    Id::from_hex(hex, format).ok_or(Malformed("malformed tag"))
}

/// One entry of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeEntry<'a> {
    pub mode: u32,
    pub name: &'a [u8],
    pub id: Id,
}

/// Reads the next entry of a tree; `None` at its end.
pub(super) fn next_entry<'a>(
    input: &mut Bytes<'a>,
    format: ObjectFormat,
) -> Result<Option<TreeEntry<'a>>, Malformed> {
    if input.rest().is_empty() {
        return Ok(None);
    }
    let wrong = Malformed("malformed tree entry");
    let digits = input.until(b' ')?;
    if digits.is_empty() || digits.len() > 7 {
        return Err(wrong);
    }
    let mut mode = 0;
    for digit in digits {
        let value = digit.checked_sub(b'0').filter(|value| *value < 8).ok_or(wrong)?;
        mode = mode << 3 | u32::from(value);
    }
    let name = input.until(0)?;
    // Names are joined to paths, so a hostile one must not lead to another directory.
    if name.contains(&b'/') || matches!(name, b"" | b"." | b"..") {
        return Err(wrong);
    }
    Ok(Some(TreeEntry { mode, name, id: Id::new(input.take(format.len())?) }))
}

/// Converts a size to one of memory.
pub(super) fn size_of(size: u64) -> Result<usize, Malformed> {
    usize::try_from(size).map_err(|_| Malformed("it is too large"))
}
