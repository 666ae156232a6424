//! Decompression from a position of a file into memory of a known size.
//!
//! The size comes from a header and is compared with a limit before the data is inflated, so compressed data
//! cannot fill the memory however far it would expand. The budget is polled once per piece of input: 4 KiB
//! inflate to at most some 4 MiB.

use super::failure::{Failure, Malformed};
use crate::budget::Budget;
use crate::room;
use crate::workspace::fs::File;
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};
use std::io;

/// Bytes that can be read at any position.
pub(super) trait ReadAt {
    /// Reads at `offset`; returns the number of bytes, 0 at the end.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

impl ReadAt for File {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        File::read_at(self, offset, buffer)
    }
}

impl ReadAt for &[u8] {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.len());
        let len = buffer.len().min(self.len() - start);
        buffer[..len].copy_from_slice(&self[start..start + len]);
        Ok(len)
    }
}

/// Fills `buffer` from `offset` on.
pub(super) fn fill(source: &dyn ReadAt, offset: u64, buffer: &mut [u8]) -> Result<(), Failure> {
    let len = read_up_to(source, offset, buffer)?;
    if len < buffer.len() { Err(Malformed("it is truncated").into()) } else { Ok(()) }
}

/// Fills as much of `buffer` as possible; returns the number of bytes.
pub(super) fn read_up_to(
    source: &dyn ReadAt,
    offset: u64,
    buffer: &mut [u8],
) -> Result<usize, Failure> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read_at(offset.saturating_add(filled as u64), &mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Failure::refused(error.kind().to_string())),
        }
    }
    Ok(filled)
}

/// A compressed stream in a file.
pub(super) struct Inflater<'a> {
    source: &'a dyn ReadAt,
    offset: u64,
    state: Box<InflateState>,
    input: Box<[u8; INPUT_BYTES]>,
    /// The range of the input that was not consumed yet.
    unread: (usize, usize),
    is_over: bool,
}

const INPUT_BYTES: usize = 4096;

impl<'a> Inflater<'a> {
    /// Starts at `offset`.
    pub(super) fn new(source: &'a dyn ReadAt, offset: u64) -> Inflater<'a> {
        Inflater {
            source,
            offset,
            state: InflateState::new_boxed(DataFormat::Zlib),
            input: Box::new([0; INPUT_BYTES]),
            unread: (0, 0),
            is_over: false,
        }
    }

    /// Fills `output` as far as the stream goes; returns the number of bytes.
    pub(super) fn read(&mut self, output: &mut [u8], budget: &Budget) -> Result<usize, Failure> {
        let broken = Malformed("its compressed data is corrupt");
        let mut filled = 0;
        while filled < output.len() && !self.is_over {
            budget.poll_clock()?;
            if self.unread.0 == self.unread.1 {
                let n = read_up_to(self.source, self.offset, &mut self.input[..])?;
                self.offset = self.offset.saturating_add(n as u64);
                self.unread = (0, n);
            }
            let input = &self.input[self.unread.0..self.unread.1];
            let done = inflate(&mut self.state, input, &mut output[filled..], MZFlush::None);
            self.unread.0 += done.bytes_consumed;
            filled += done.bytes_written;
            match done.status {
                Ok(MZStatus::StreamEnd) => self.is_over = true,
                Ok(_) if done.bytes_consumed == 0 && done.bytes_written == 0 => {
                    return Err(broken.into());
                }
                Ok(_) => {}
                Err(MZError::Buf) if done.bytes_consumed + done.bytes_written > 0 => {}
                Err(_) => return Err(broken.into()),
            }
        }
        Ok(filled)
    }

    /// Reads exactly the `size` bytes that the stream must have.
    pub(super) fn read_all(&mut self, size: usize, budget: &Budget) -> Result<Vec<u8>, Failure> {
        let mut output = Vec::new();
        room::resize(&mut output, size)?;
        let len = self.read(&mut output, budget)?;
        // Trying one more byte detects a longer stream, or confirms its end.
        let is_longer = !self.is_over && self.read(&mut [0], budget)? > 0;
        if len < size || is_longer {
            return Err(Malformed("its size differs from its header").into());
        }
        Ok(output)
    }
}
