//! Reads an input as a sequence of choices.

/// Choices made from the bytes of an input, from its front. After its end every choice is the first one,
/// so a shorter input is a simpler one.
pub(super) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn new(data: &'a [u8]) -> Bytes<'a> {
        Bytes(data)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn byte(&mut self) -> u8 {
        let Some((byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *byte
    }

    /// Returns a number below `end`, which is at most 256.
    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    pub(super) fn is_set(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub(super) fn number(&mut self) -> u64 {
        let (mut number, bytes) = ([0; 8], self.take(8));
        number[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(number)
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Takes at most `bytes_max` bytes.
    pub(super) fn take(&mut self, bytes_max: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(self.0.len().min(bytes_max));
        self.0 = rest;
        taken
    }

    /// Takes the bytes up to the next `end`, which is dropped.
    pub(super) fn until(&mut self, end: u8) -> &'a [u8] {
        let at = self.0.iter().position(|byte| *byte == end);
        let taken = self.take(at.unwrap_or(self.0.len()));
        self.take(1);
        taken
    }

    /// Takes the rest.
    pub(super) fn rest(&mut self) -> &'a [u8] {
        self.take(self.0.len())
    }

    /// Concatenates at most `n_max` pieces.
    pub(super) fn text_of(&mut self, pieces: &[&str], n_max: usize) -> String {
        let n = self.below(n_max + 1);
        (0..n).map(|_| self.pick(pieces)).collect()
    }
}
