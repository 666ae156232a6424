//! The readers between a file and the searcher: each does one thing to the stream of bytes.

use super::collect::ReadHalt;
use crate::budget::Budget;
use std::cell::Cell;
use std::io::{self, Read};

/// docs/contracts/general.md#binary-files: a NUL up to here makes a file binary.
pub(in crate::search) const BINARY_PREFIX_BYTES: usize = 64 * 1024;
/// docs/contracts/general.md#limits: longer lines are not held in memory whole.
pub(in crate::search) const LINE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Maximum size of one read: a slow disk must not keep the budget from being polled.
const READ_BYTES_MAX: usize = 256 * 1024;

/// Polls the budget before every read, and retries interrupted reads.
pub(super) struct Polled<'a, R> {
    inner: R,
    budget: &'a Budget,
}

impl<'a, R: Read> Polled<'a, R> {
    pub(in crate::search) fn new(budget: &'a Budget, inner: R) -> Self {
        Polled { inner, budget }
    }
}

impl<R: Read> Read for Polled<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.budget.poll_clock().is_err() {
            return Err(ReadHalt::Stopped.into());
        }
        let len = buffer.len().min(READ_BYTES_MAX);
        crate::workspace::fs::read_retrying(&mut self.inner, &mut buffer[..len])
    }
}

/// Ends the stream before a NUL and records its position.
pub(super) struct UntilNul<'a, R> {
    inner: R,
    position: u64,
    enabled: bool,
    nul_at: &'a Cell<Option<u64>>,
}

impl<'a, R: Read> UntilNul<'a, R> {
    /// Creates the reader. Where a NUL is text, it is not `enabled` and passes everything through.
    pub(in crate::search) fn new(inner: R, enabled: bool, nul_at: &'a Cell<Option<u64>>) -> Self {
        UntilNul { inner, position: 0, enabled, nul_at }
    }
}

impl<R: Read> Read for UntilNul<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.nul_at.get().is_some() {
            return Ok(0);
        }
        let n = self.inner.read(buffer)?;
        if self.enabled
            && let Some(nul) = memchr::memchr(0, &buffer[..n])
        {
            self.nul_at.set(Some(self.position + nul as u64));
            return Ok(nul);
        }
        self.position += n as u64;
        Ok(n)
    }
}

/// Notes whether the stream has bytes that are not ASCII.
pub(super) struct NonAscii<'s, R> {
    inner: R,
    seen: &'s Cell<bool>,
}

impl<'s, R: Read> NonAscii<'s, R> {
    pub(in crate::search) fn new(inner: R, seen: &'s Cell<bool>) -> Self {
        NonAscii { inner, seen }
    }
}

impl<R: Read> Read for NonAscii<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        if !self.seen.get() && !buffer[..n].is_ascii() {
            self.seen.set(true);
        }
        Ok(n)
    }
}

/// Refuses to hand out a line longer than [`LINE_BYTES_MAX`].
pub(super) struct ShortLines<R> {
    inner: R,
    since_line_end: usize,
}

impl<R: Read> ShortLines<R> {
    pub(in crate::search) fn new(inner: R) -> Self {
        ShortLines { inner, since_line_end: 0 }
    }
}

impl<R: Read> Read for ShortLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        // A line within one read is short. For a line continued from earlier reads, the verdict must not
        // depend on where the reads happened to end.
        let first = memchr::memchr(b'\n', &buffer[..n]);
        if self.since_line_end + first.unwrap_or(n) > LINE_BYTES_MAX {
            return Err(ReadHalt::LongLine.into());
        }
        match memchr::memrchr(b'\n', &buffer[..n]) {
            Some(line_end) => self.since_line_end = n - line_end - 1,
            None => self.since_line_end += n,
        }
        Ok(n)
    }
}
