//! Changed files as a filter of a walk, and two filters as one.

use super::path_filter::{PathFilter, Place};
use crate::git::ChangedFiles;
use fnv::FnvHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The files that pass two filters.
struct Both([Arc<dyn PathFilter>; 2]);

/// Returns a filter for the files that pass `first`, if there is one, and `second`.
pub fn both(
    first: Option<Arc<dyn PathFilter>>,
    second: Arc<dyn PathFilter>,
) -> Arc<dyn PathFilter> {
    match first {
        Some(first) => Arc::new(Both([first, second])),
        None => second,
    }
}

impl PathFilter for ChangedFiles {
    fn matches(&self, place: &Place<'_>) -> bool {
        match place.is_dir() {
            true => self.has_below(place.path()),
            false => self.contains(place.path()),
        }
    }

    fn visit(&self, dir: &Place<'_>) -> bool {
        self.has_below(dir.path())
    }

    // The set itself changes while pages are read; `tree_changed` in a report shows it.
    fn identity(&self) -> Option<u64> {
        let mut hasher = FnvHasher::default();
        ("changed", self.since()).hash(&mut hasher);
        Some(hasher.finish())
    }
}

impl PathFilter for Both {
    fn matches(&self, place: &Place<'_>) -> bool {
        self.0.iter().all(|filter| filter.matches(place))
    }

    fn visit(&self, dir: &Place<'_>) -> bool {
        self.0.iter().all(|filter| filter.visit(dir))
    }

    // A filter that does not judge has no opinion, and leaves the decision to the other one.
    fn judges_ignored(&self) -> bool {
        self.0.iter().any(|filter| filter.judges_ignored())
    }

    fn judges_hidden(&self) -> bool {
        self.0.iter().any(|filter| filter.judges_hidden())
    }

    fn identity(&self) -> Option<u64> {
        let mut hasher = FnvHasher::default();
        for filter in &self.0 {
            filter.identity()?.hash(&mut hasher);
        }
        Some(hasher.finish())
    }
}
