//! Reading numbers and slices from the front of a byte string, never beyond its end.

use super::failure::Malformed;

const CUT: Malformed = Malformed("it is truncated");

/// A byte string that is read from the front.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Bytes<'a> {
        Bytes { rest: bytes }
    }

    /// Returns the bytes that were not read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Reads `n` bytes.
    pub(super) fn take(&mut self, n: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or(CUT)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads up to the next `end`; returns the bytes before it.
    pub(super) fn until(&mut self, end: u8) -> Result<&'a [u8], Malformed> {
        let at = memchr::memchr(end, self.rest).ok_or(CUT)?;
        let taken = &self.rest[..at];
        self.rest = &self.rest[at + 1..];
        Ok(taken)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn u16(&mut self) -> Result<u16, Malformed> {
        let bytes = self.take(2)?.try_into().map_err(|_| CUT)?;
        Ok(u16::from_be_bytes(bytes))
    }

    pub(super) fn u32(&mut self) -> Result<u32, Malformed> {
        let bytes = self.take(4)?.try_into().map_err(|_| CUT)?;
        Ok(u32::from_be_bytes(bytes))
    }

    pub(super) fn u64(&mut self) -> Result<u64, Malformed> {
        let bytes = self.take(8)?.try_into().map_err(|_| CUT)?;
        Ok(u64::from_be_bytes(bytes))
    }

    /// Reads a number as encoded in pack offsets and in lengths of index version 4: groups of seven bits, the
    /// most significant first, each but the last incremented.
    pub(super) fn offset(&mut self) -> Result<u64, Malformed> {
        let mut byte = self.u8()?;
        let mut value = u64::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = self.u8()?;
            let next = value.checked_add(1).and_then(|value| value.checked_mul(128));
            let next = next.ok_or(Malformed("a number is too large"))?;
            value = next | u64::from(byte & 0x7f);
        }
        Ok(value)
    }

    /// Reads a size as encoded in deltas: groups of seven bits, the least significant first.
    pub(super) fn size(&mut self) -> Result<u64, Malformed> {
        let mut value = 0;
        let mut shift = 0;
        loop {
            let byte = self.u8()?;
            if shift > 56 {
                return Err(Malformed("a number is too large"));
            }
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
    }
}
