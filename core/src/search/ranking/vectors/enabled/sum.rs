//! Sums of vectors.

use super::table::{NUMBERS, Row};

/// The sum of the vectors of a text. Its numbers stay below 2^31: a text of 2^24 sub-words would be needed for
/// more, and [`super::windows`] adds far fewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sum([i32; NUMBERS]);

impl Default for Sum {
    fn default() -> Sum {
        Sum([0; NUMBERS])
    }
}

impl Sum {
    pub(super) fn is_zero(&self) -> bool {
        self.0.iter().all(|n| *n == 0)
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    pub(super) fn add_row(&mut self, row: &Row) {
        for (sum, n) in self.0.iter_mut().zip(row) {
            *sum = sum.wrapping_add(i32::from(n.cast_signed()));
        }
    }

    /// Returns the sum of three texts.
    pub(super) fn of(one: &Sum, two: &Sum, three: &Sum) -> Sum {
        let mut sum = Sum::default();
        for (at, n) in sum.0.iter_mut().enumerate() {
            *n = one.0[at].wrapping_add(two.0[at]).wrapping_add(three.0[at]);
        }
        sum
    }

    /// Returns the cosine of the angle between two sums, 0 if one is zero. Only its root and its division are not
    /// exact, and IEEE 754 defines both to the last bit.
    pub(super) fn cosine(&self, other: &Sum) -> f64 {
        let product = |one: &Sum, other: &Sum| -> i64 {
            one.0.iter().zip(&other.0).map(|(one, other)| i64::from(*one) * i64::from(*other)).sum()
        };
        let lengths = product(self, self) as f64 * product(other, other) as f64;
        if lengths == 0.0 { 0.0 } else { product(self, other) as f64 / lengths.sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cosine_depends_on_the_direction_alone() {
        let (mut one, mut two, zero) = (Sum::default(), Sum::default(), Sum::default());
        one.0[0] = 3;
        two.0[0] = 4;
        two.0[1] = 3;
        let twice = Sum::of(&one, &one, &zero);
        assert_eq!(one.cosine(&twice), 1.0);
        assert_eq!(one.cosine(&two), 0.8);
        assert_eq!(one.cosine(&zero), 0.0);
        assert!(zero.is_zero() && !one.is_zero());
    }
}
