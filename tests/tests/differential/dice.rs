//! Random choices that repeat in every run.

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

pub(crate) struct Dice(TestRng);

impl Dice {
    pub(crate) fn new() -> Dice {
        Dice(TestRng::deterministic_rng(RngAlgorithm::ChaCha))
    }

    /// Returns a number from 0 to `n - 1`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.0.next_u64() % n as u64).unwrap_or(0)
    }

    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn one<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// Returns one to `n` of the values, without repetition.
    pub(crate) fn some<T: Copy + PartialEq>(&mut self, values: &[T], n: usize) -> Vec<T> {
        let mut chosen = Vec::new();
        for _ in 0..=self.below(n) {
            let value = self.one(values);
            if !chosen.contains(&value) {
                chosen.push(value);
            }
        }
        chosen
    }
}
