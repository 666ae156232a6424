//! The parsers of git's formats for the fuzz targets, from bytes to plain values.

use super::attributes::{AttributeLines, Known};
use super::bytes::Bytes;
use super::config::{Config, ConfigMemory};
use super::failure::Failure;
use super::id::{Id, ObjectFormat};
use super::index::Index;
use super::index_memory::IndexMemory;
use super::object::{Commit, next_entry, tagged};
use super::pack::{Pack, Stored, apply};
use crate::budget::Budget;
use crate::call::Call;
use crate::wildcard::LetterCase;

/// The maximum size of an object in an input.
const OBJECT_BYTES_MAX: usize = 1 << 20;

fn format_of(is_sha256: bool) -> ObjectFormat {
    if is_sha256 { ObjectFormat::Sha256 } else { ObjectFormat::Sha1 }
}

fn budget() -> Budget {
    Budget::of(&Call::new())
}

/// Returns the paths of an index, with the stage of each; `None` if it is refused.
pub(crate) fn index(
    bytes: &[u8],
    shared: Option<&[u8]>,
    is_sha256: bool,
) -> Option<Vec<(Vec<u8>, u8)>> {
    let (format, budget) = (format_of(is_sha256), budget());
    let mut memory = IndexMemory::default();
    let mut read =
        |bytes: &[u8]| Index::read(bytes, bytes.len() as u64, format, &mut memory, &budget).ok();
    let mut index = read(bytes)?;
    if index.link.is_some() {
        let shared = read(shared?)?;
        index = index.over(&shared, &mut memory, &budget).ok()?;
    }
    let entries = index.entries().iter();
    Some(entries.map(|entry| (index.path(entry).to_vec(), entry.stage)).collect())
}

/// Returns the sizes of all objects of a pack, up to 64 of them; `None` for one that is refused.
pub(crate) fn pack(idx: &[u8], pack: &[u8], is_sha256: bool) -> Option<Vec<Option<usize>>> {
    let budget = budget();
    let pack = Pack::open(idx, pack, format_of(is_sha256)).ok()?;
    let mut ids: Vec<Id> = Vec::new();
    let listed = pack.with_prefix(&[], &mut |id| {
        ids.push(id);
        ids.len() < 64
    });
    listed.ok()?;
    let size = |id: Id| match pack.read(id, OBJECT_BYTES_MAX, &budget) {
        Ok(Some(Stored::Object(object))) => Some(object.data.len()),
        _ => None,
    };
    Some(ids.into_iter().map(size).collect())
}

/// Applies a delta; `None` if it does not fit.
pub(crate) fn delta(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
    apply(base, delta, OBJECT_BYTES_MAX, &budget()).ok()
}

/// Reads bytes as each kind of object; returns the names in the tree.
pub(crate) fn objects(bytes: &[u8], is_sha256: bool) -> Vec<Vec<u8>> {
    let format = format_of(is_sha256);
    let _ = Commit::parse(bytes, format);
    let _ = tagged(bytes, format);
    let mut input = Bytes::new(bytes);
    let mut names = Vec::new();
    while let Ok(Some(entry)) = next_entry(&mut input, format) {
        names.push(entry.name.to_vec());
    }
    names
}

/// Reads bytes as a configuration and as attributes of the path `path`.
pub(crate) fn texts(bytes: &[u8], path: &[u8]) {
    let budget = budget();
    let read = Config::default().add(bytes, &mut ConfigMemory::default(), &budget);
    assert!(!matches!(read, Err(Failure::Stopped)), "nothing stops it");
    let mut known = Known::default();
    let lines = AttributeLines::parse(bytes, LetterCase::Distinct);
    let filled = lines.fill(path, &mut known, &budget);
    assert!(filled.is_ok(), "nothing stops it");
    let _ = known.finish();
}
