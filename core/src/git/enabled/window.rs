//! Reading a file of any size from its front with little memory.

use super::failure::{Failure, Malformed};
use crate::budget::Budget;
use crate::room;
use crate::workspace::fs::read_retrying;
use std::io::Read;

/// The size of the buffer, which is also that of the longest piece that [`Window::front`] returns by default.
pub(super) const WINDOW_BYTES: usize = 256 << 10;

/// The bytes of a file that were not read yet, of which the first are in memory.
pub(super) struct Window<R> {
    reader: R,
    buffer: Vec<u8>,
    /// The range of the buffer that holds the next bytes.
    start: usize,
    end: usize,
    /// The number of bytes after those in the buffer.
    unread: u64,
}

impl<R: Read> Window<R> {
    /// Reads the first `len` bytes of a file.
    pub(super) fn new(reader: R, len: u64) -> Window<R> {
        Window { reader, buffer: Vec::new(), start: 0, end: 0, unread: len }
    }

    /// Returns the number of bytes that were not read yet.
    pub(super) fn left(&self) -> u64 {
        self.unread + (self.end - self.start) as u64
    }

    /// Returns the next bytes: at least `n` of them, or all that are left if they are fewer.
    pub(super) fn front(&mut self, n: usize, budget: &Budget) -> Result<&[u8], Failure> {
        while self.end - self.start < n && self.unread > 0 {
            budget.poll_clock()?;
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            let wanted = usize::try_from(self.unread).unwrap_or(usize::MAX);
            let full = WINDOW_BYTES.max(n).min(self.end.saturating_add(wanted));
            if self.buffer.len() < full {
                room::resize(&mut self.buffer, full)?;
            }
            let read = read_retrying(&mut self.reader, &mut self.buffer[self.end..full]);
            let read = read.map_err(|error| Failure::refused(error.kind().to_string()))?;
            if read == 0 {
                return Err(Malformed("it became shorter while it was read").into());
            }
            self.end += read;
            self.unread -= read as u64;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// Skips `n` of the bytes that [`Window::front`] returned.
    pub(super) fn advance(&mut self, n: usize) {
        self.start = (self.start + n).min(self.end);
    }

    /// Skips `n` bytes.
    pub(super) fn skip(&mut self, n: u64, budget: &Budget) -> Result<(), Failure> {
        let mut todo = n.min(self.left());
        while todo > 0 {
            let ready = self.front(1, budget)?.len();
            let passed = ready.min(usize::try_from(todo).unwrap_or(usize::MAX));
            self.advance(passed);
            todo -= passed as u64;
        }
        Ok(())
    }

    /// Copies the next `n` bytes.
    pub(super) fn copy(&mut self, n: usize, budget: &Budget) -> Result<Vec<u8>, Failure> {
        let mut copied = Vec::new();
        while copied.len() < n {
            let missing = n - copied.len();
            let ready = self.front(1, budget)?;
            let piece = &ready[..ready.len().min(missing)];
            if piece.is_empty() {
                return Err(Malformed("it is truncated").into());
            }
            copied.try_reserve(piece.len())?;
            copied.extend_from_slice(piece);
            let passed = piece.len();
            self.advance(passed);
        }
        Ok(copied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    /// A reader that returns its bytes in pieces of seven.
    struct Slowly<'a>(&'a [u8]);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let n = buffer.len().min(7).min(self.0.len());
            buffer[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    #[test]
    fn the_front_is_what_comes_next() {
        let budget = Budget::of(&Call::new());
        let bytes: Vec<u8> = (0..250).collect();
        let mut window = Window::new(Slowly(&bytes), 240);
        assert_eq!(&window.front(20, &budget).expect("read")[..20], &bytes[..20]);
        window.advance(15);
        assert_eq!(window.left(), 225);
        assert_eq!(window.copy(100, &budget).expect("read"), &bytes[15..115]);
        window.skip(100, &budget).expect("read");
        assert_eq!(window.front(1_000, &budget).expect("read"), &bytes[215..240]);
        window.skip(u64::MAX, &budget).expect("read");
        assert_eq!((window.left(), window.front(1, &budget).expect("read")), (0, &[][..]));
        assert!(window.copy(1, &budget).is_err());
    }

    #[test]
    fn a_file_that_becomes_shorter_is_refused() {
        let budget = Budget::of(&Call::new());
        let mut window = Window::new(Slowly(b"short"), 240);
        assert!(window.front(20, &budget).is_err());
    }
}
