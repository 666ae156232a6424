//! Files that a plan does not exclude.

use super::FileId;
use super::ids::IdTable;

/// Result of a plan: every file is a candidate, except those that it excludes.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    excluded: IdTable,
    /// Number of files that the evaluation saw and did not exclude.
    #[cfg(test)]
    count: usize,
}

impl Candidates {
    pub(super) fn new(excluded: IdTable, _count: usize) -> Candidates {
        Candidates {
            excluded,
            #[cfg(test)]
            count: _count,
        }
    }

    /// Reports whether a file may match; true for every file that the evaluation did not see.
    pub(crate) fn may_match(&self, file: FileId) -> bool {
        !self.excluded.contains(file.0)
    }

    /// Returns the number of files in the index that may match. Forgotten ones count until they are dropped.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}
