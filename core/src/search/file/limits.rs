//! The limits of a search as its inner loops compare them.

use crate::search::Limits;

/// Limits of the search in one file. An absent limit is the largest number, which no count reaches.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct FileLimits {
    pub(in crate::search) matches_max: u64,
    pub(in crate::search) matches_per_file_max: u64,
    pub(in crate::search) output_bytes_max: usize,
    pub(in crate::search) file_bytes_max: u64,
    pub(in crate::search) line_bytes_max: usize,
    pub(in crate::search) spans_per_line_max: usize,
}

impl FileLimits {
    pub(in crate::search) fn of(limits: &Limits) -> FileLimits {
        FileLimits {
            matches_max: limits.matches_max.unwrap_or(u64::MAX),
            matches_per_file_max: limits.matches_per_file_max.unwrap_or(u64::MAX),
            output_bytes_max: limits.output_bytes_max.unwrap_or(usize::MAX),
            file_bytes_max: limits.file_bytes_max.unwrap_or(u64::MAX),
            line_bytes_max: limits.line_bytes_max.unwrap_or(usize::MAX),
            spans_per_line_max: limits.spans_per_line_max.unwrap_or(usize::MAX),
        }
    }
}
