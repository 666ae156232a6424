//! Sets of small numbers, one bit each.

use crate::room;
use std::collections::TryReserveError;

/// Set of numbers below a bound.
#[derive(Clone, Debug)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn none(len: usize) -> Result<Bits, TryReserveError> {
        let n_words = len.div_ceil(64);
        Ok(Bits(room::collect(std::iter::repeat_n(0, n_words), n_words)?))
    }

    pub(super) fn all(len: usize) -> Result<Bits, TryReserveError> {
        let n_words = len.div_ceil(64);
        let mut words = room::collect(std::iter::repeat_n(u64::MAX, n_words), n_words)?;
        if let Some(last) = words.last_mut().filter(|_| !len.is_multiple_of(64)) {
            *last >>= 64 - len % 64;
        }
        Ok(Bits(words))
    }

    pub(super) fn insert(&mut self, number: u32) {
        self.0[(number / 64) as usize] |= 1 << (number % 64);
    }

    pub(super) fn contains(&self, number: u32) -> bool {
        self.0[(number / 64) as usize] & 1 << (number % 64) != 0
    }

    pub(super) fn and(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    pub(super) fn or(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    pub(super) fn or_words(&mut self, words: impl Iterator<Item = u64>) {
        self.0.iter_mut().zip(words).for_each(|(word, other)| *word |= other);
    }

    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Calls `visit` with each number, in ascending order.
    pub(super) fn for_each(&self, mut visit: impl FnMut(u32)) {
        for (first, &word) in (0_u32..).step_by(64).zip(&self.0) {
            let mut word = word;
            while word != 0 {
                visit(first + word.trailing_zeros());
                word &= word - 1;
            }
        }
    }
}
