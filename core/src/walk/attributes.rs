//! What a file has besides its name, and what requests ask of it.

/// A bound on the size of a file, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SizeBound {
    /// The file has this many bytes or more.
    AtLeast(u64),
    /// The file has this many bytes or fewer.
    AtMost(u64),
    /// The file has exactly this many bytes.
    Exactly(u64),
}

impl SizeBound {
    /// Whether a file of `size` bytes is within the bound.
    pub(crate) fn admits(self, size: u64) -> bool {
        match self {
            SizeBound::AtLeast(bound) => size >= bound,
            SizeBound::AtMost(bound) => size <= bound,
            SizeBound::Exactly(bound) => size == bound,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_include_their_number() {
        for (bound, expected) in [
            (SizeBound::AtLeast(5), [false, true, true]),
            (SizeBound::AtMost(5), [true, true, false]),
            (SizeBound::Exactly(5), [false, true, false]),
        ] {
            assert_eq!([4, 5, 6].map(|size| bound.admits(size)), expected, "{bound:?}");
        }
    }
}
