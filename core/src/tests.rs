//! What the tests of several areas share.

use crate::Limits;

pub(crate) use crate::fuzz::tree;

pub(crate) const NO_LIMITS: Limits = Limits {
    matches_max: u64::MAX,
    matches_per_file_max: u64::MAX,
    files_max: u64::MAX,
    output_bytes_max: usize::MAX,
    file_bytes_max: u64::MAX,
    line_bytes_max: usize::MAX,
    spans_per_line_max: 100,
};
