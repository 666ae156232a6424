//! Packs: many objects in one file, found through its index.
//!
//! Index and pack are read at positions and never loaded or mapped. A look-up needs a dozen small reads in a
//! pack of a million objects, thanks to the fan-out table, while its index alone has some 30 MB. A mapped
//! file that another process truncates would end the host.

use super::bytes::Bytes;
use super::failure::{Failure, Malformed};
use super::id::{Id, ObjectFormat};
use super::inflate::{Inflater, ReadAt, fill, read_up_to};
use super::object::{Kind, Object, size_of};
use crate::budget::Budget;
use crate::room;

const IDX_MAGIC: &[u8] = b"\xfftOc\0\0\0\x02";
const FANOUT_AT: u64 = 8;
const NAMES_AT: u64 = FANOUT_AT + 1024;
/// Longer chains of deltas count as a loop; git makes them 50 long, at most 4,095.
const CHAIN_MAX: usize = 5_000;
/// The header of an object: its kind and size, and the id or offset of its base.
const HEADER_BYTES: usize = 64;

/// A pack with its index.
pub(super) struct Pack<S> {
    idx: S,
    pack: S,
    format: ObjectFormat,
    /// For each byte, the number of objects whose ids begin with it or a smaller one.
    fanout: Vec<u32>,
}

/// The position of an object's compressed data, and its kind.
struct Header {
    data_at: u64,
    size: usize,
    kind: EntryKind,
}

enum EntryKind {
    Whole(Kind),
    /// A delta to the object at this position.
    OffsetDelta(u64),
    RefDelta(Id),
}

/// An object, or the delta to another one that is not in the pack.
pub(super) enum Stored {
    Object(Object),
    /// The deltas to apply, the last one first, and the id of their base.
    Deltas(Vec<Vec<u8>>, Id),
}

impl<S: ReadAt> Pack<S> {
    /// Opens a pack by its index, of version 2.
    pub(super) fn open(idx: S, pack: S, format: ObjectFormat) -> Result<Pack<S>, Failure> {
        let mut head = [0; 8];
        fill(&idx, 0, &mut head)?;
        if head != IDX_MAGIC {
            return Err(Malformed("it is not a pack index of version 2").into());
        }
        let mut bytes = [0; 1024];
        fill(&idx, FANOUT_AT, &mut bytes)?;
        let mut input = Bytes::new(&bytes);
        let mut fanout = Vec::new();
        for _ in 0..256 {
            room::push(&mut fanout, input.u32()?)?;
        }
        if !fanout.is_sorted() {
            return Err(Malformed("its fan-out table is not sorted").into());
        }
        Ok(Pack { idx, pack, format, fanout })
    }

    fn n_objects(&self) -> u64 {
        u64::from(self.fanout[255])
    }

    /// Returns the position of the first object whose id begins with `prefix` or comes after it.
    fn lower_bound(&self, prefix: &[u8]) -> Result<u64, Failure> {
        let Some(&first) = prefix.first() else { return Ok(0) };
        let first = usize::from(first);
        let mut low = if first == 0 { 0 } else { u64::from(self.fanout[first - 1]) };
        let mut high = u64::from(self.fanout[first]);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.id_at(middle)?.as_bytes() < prefix {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        Ok(low)
    }

    fn id_at(&self, position: u64) -> Result<Id, Failure> {
        let mut id = [0; 32];
        let id = &mut id[..self.format.len()];
        fill(&self.idx, NAMES_AT + position * self.format.len() as u64, id)?;
        Ok(Id::new(id))
    }

    /// Calls `each` with the ids that begin with these bytes, until it returns false.
    pub(super) fn with_prefix(
        &self,
        prefix: &[u8],
        each: &mut dyn FnMut(Id) -> bool,
    ) -> Result<(), Failure> {
        for position in self.lower_bound(prefix)?..self.n_objects() {
            let id = self.id_at(position)?;
            if !id.as_bytes().starts_with(prefix) || !each(id) {
                break;
            }
        }
        Ok(())
    }

    /// Returns the offset of an object in the pack; `None` if the pack does not have it.
    fn offset_of(&self, id: Id) -> Result<Option<u64>, Failure> {
        let position = self.lower_bound(id.as_bytes())?;
        if position >= self.n_objects() || self.id_at(position)? != id {
            return Ok(None);
        }
        let offsets_at = NAMES_AT + self.n_objects() * (self.format.len() as u64 + 4);
        let mut offset = [0; 4];
        fill(&self.idx, offsets_at + position * 4, &mut offset)?;
        let offset = u32::from_be_bytes(offset);
        if offset & 1 << 31 == 0 {
            return Ok(Some(u64::from(offset)));
        }
        let large_at = offsets_at + self.n_objects() * 4;
        let mut large = [0; 8];
        fill(&self.idx, large_at + u64::from(offset & !(1 << 31)) * 8, &mut large)?;
        Ok(Some(u64::from_be_bytes(large)))
    }

    /// Reads an object; `None` if the pack does not have it.
    pub(super) fn read(
        &self,
        id: Id,
        bytes_max: usize,
        budget: &Budget,
    ) -> Result<Option<Stored>, Failure> {
        let Some(mut offset) = self.offset_of(id)? else { return Ok(None) };
        let mut deltas = Vec::new();
        let mut n_bytes = 0_usize;
        loop {
            budget.poll()?;
            let header = self.header(offset)?;
            // The sum of a chain is bounded, because all its deltas are in memory at once.
            n_bytes = n_bytes.saturating_add(header.size);
            if n_bytes > bytes_max {
                return Err(Failure::refused("it is too large"));
            }
            let data = Inflater::new(&self.pack, header.data_at).read_all(header.size, budget)?;
            let base = match header.kind {
                EntryKind::Whole(kind) => {
                    let object = Object { kind, data };
                    return Ok(Some(Stored::Object(with_deltas(
                        object, deltas, bytes_max, budget,
                    )?)));
                }
                EntryKind::OffsetDelta(base) => base,
                EntryKind::RefDelta(base) => match self.offset_of(base)? {
                    Some(offset) => offset,
                    None => {
                        room::push(&mut deltas, data)?;
                        return Ok(Some(Stored::Deltas(deltas, base)));
                    }
                },
            };
            if deltas.len() == CHAIN_MAX {
                return Err(Malformed("a chain of deltas is too long").into());
            }
            room::push(&mut deltas, data)?;
            offset = base;
        }
    }

    fn header(&self, at: u64) -> Result<Header, Failure> {
        let mut buffer = [0; HEADER_BYTES];
        let len = read_up_to(&self.pack, at, &mut buffer)?;
        let mut input = Bytes::new(&buffer[..len]);
        let mut byte = input.u8()?;
        let kind = byte >> 4 & 7;
        let mut size = u64::from(byte & 15);
        let mut shift = 4;
        while byte & 0x80 != 0 {
            byte = input.u8()?;
            if shift > 53 {
                return Err(Malformed("a size is too large").into());
            }
            size |= u64::from(byte & 0x7f) << shift;
            shift += 7;
        }
        let kind = match kind {
            1 => EntryKind::Whole(Kind::Commit),
            2 => EntryKind::Whole(Kind::Tree),
            3 => EntryKind::Whole(Kind::Blob),
            4 => EntryKind::Whole(Kind::Tag),
            6 => {
                let back = input.offset()?;
                let base = at.checked_sub(back).filter(|_| back > 0);
                EntryKind::OffsetDelta(base.ok_or(Malformed("a delta has no base"))?)
            }
            7 => EntryKind::RefDelta(Id::new(input.take(self.format.len())?)),
            _ => return Err(Malformed("an object has an unknown kind").into()),
        };
        let data_at = at.saturating_add((len - input.rest().len()) as u64);
        Ok(Header { data_at, size: size_of(size)?, kind })
    }
}

/// Applies deltas to an object, the last one of the list first.
pub(super) fn with_deltas(
    mut object: Object,
    mut deltas: Vec<Vec<u8>>,
    bytes_max: usize,
    budget: &Budget,
) -> Result<Object, Failure> {
    while let Some(delta) = deltas.pop() {
        object.data = apply(&object.data, &delta, bytes_max, budget)?;
    }
    Ok(object)
}

/// Applies one delta: a sequence of copies from the base and new bytes.
pub(super) fn apply(
    base: &[u8],
    delta: &[u8],
    bytes_max: usize,
    budget: &Budget,
) -> Result<Vec<u8>, Failure> {
    let wrong = Malformed("a delta does not fit its base");
    let mut input = Bytes::new(delta);
    if input.size()? != base.len() as u64 {
        return Err(wrong.into());
    }
    let size = size_of(input.size()?)?;
    if size > bytes_max {
        return Err(Failure::refused("it is too large"));
    }
    let mut output = Vec::new();
    output.try_reserve_exact(size)?;
    while !input.rest().is_empty() {
        budget.poll()?;
        let op = input.u8()?;
        let piece = match op {
            0 => return Err(wrong.into()),
            1..=127 => input.take(usize::from(op))?,
            _ => {
                let mut number = |bits: std::ops::Range<u8>| -> Result<usize, Malformed> {
                    let mut value = 0;
                    for (at, bit) in bits.enumerate() {
                        if op >> bit & 1 == 1 {
                            value |= usize::from(input.u8()?) << (at * 8);
                        }
                    }
                    Ok(value)
                };
                let (offset, len) = (number(0..4)?, number(4..7)?);
                let len = if len == 0 { 0x1_0000 } else { len };
                base.get(offset..offset.saturating_add(len)).ok_or(wrong)?
            }
        };
        if output.len() + piece.len() > size {
            return Err(wrong.into());
        }
        output.extend_from_slice(piece);
    }
    if output.len() < size {
        return Err(wrong.into());
    }
    Ok(output)
}
