//! Comments and string literals, and the matches that count in them.

use crate::room;
use std::collections::TryReserveError;

/// The parts of a source file in which matches count; docs/contracts/scopes.md#searching-text.
///
/// A match is in the innermost comment, string literal or interpolated code that contains all of it. Comment
/// and string markers are part of the comment or string. A file in an unknown language has no comments and
/// strings: the values that require one match nothing there, the others everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SearchContext {
    /// Everywhere. The default, and the only one that needs no parser.
    #[default]
    Any,
    /// Only in string literals, character literals included.
    InStringLiterals,
    /// Only in comments.
    InComments,
    /// Everywhere but in string literals.
    ExceptStringLiterals,
    /// Everywhere but in comments.
    ExceptComments,
    /// Everywhere but in comments and string literals.
    ExceptCommentsAndStringLiterals,
}

impl SearchContext {
    /// Returns whether a match in such a region counts. `None` is code, or text that was not parsed.
    pub(crate) fn admits(self, region: Option<RegionKind>) -> bool {
        let in_comment = region == Some(RegionKind::Comment);
        let in_string = region == Some(RegionKind::String);
        match self {
            SearchContext::Any => true,
            SearchContext::InStringLiterals => in_string,
            SearchContext::InComments => in_comment,
            SearchContext::ExceptStringLiterals => !in_string,
            SearchContext::ExceptComments => !in_comment,
            SearchContext::ExceptCommentsAndStringLiterals => !in_comment && !in_string,
        }
    }
}

/// The kind of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegionKind {
    Comment,
    /// A string or character literal with its quotes.
    String,
    /// Interpolated code in a string literal.
    Code,
}

/// A range of text that is not plain code, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub start: usize,
    pub end: usize,
    pub kind: RegionKind,
}

/// The regions of one text. Any two are disjoint or nested.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    /// By start, the outer one first.
    regions: Vec<Region>,
    /// The index of each region's parent, or `NO_PARENT`.
    parents: Vec<usize>,
}

const NO_PARENT: usize = usize::MAX;

impl Regions {
    /// Returns a copy. There is no `Clone`, which would end the process without memory.
    pub(crate) fn copy(&self) -> Result<Regions, TryReserveError> {
        let len = self.regions.len();
        let regions = room::collect(self.regions.iter().copied(), len)?;
        Ok(Regions { regions, parents: room::collect(self.parents.iter().copied(), len)? })
    }

    /// Creates regions from any order. If two overlap without nesting, the later one ends with the earlier.
    pub(crate) fn new(mut regions: Vec<Region>) -> Result<Regions, TryReserveError> {
        regions.retain(|region| region.start < region.end);
        let mut regions =
            room::sort_by_key(regions, |region| (region.start, usize::MAX - region.end))?;
        regions.dedup_by_key(|region| (region.start, region.end));
        let mut parents = Vec::new();
        parents.try_reserve_exact(regions.len())?;
        let mut open: Vec<usize> = Vec::new();
        for at in 0..regions.len() {
            while open.last().is_some_and(|&outer| regions[outer].end <= regions[at].start) {
                open.pop();
            }
            let parent = open.last().copied().unwrap_or(NO_PARENT);
            if let Some(outer) = regions.get(parent) {
                regions[at].end = regions[at].end.min(outer.end);
            }
            parents.push(parent);
            open.push(at);
        }
        Ok(Regions { regions, parents })
    }

    /// Returns the memory that the regions take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.regions.capacity() * size_of::<Region>() + self.parents.capacity() * size_of::<usize>()
    }

    /// Returns the kind of the innermost region that contains `start` to `end`; `None` is plain code.
    pub(crate) fn kind_at(&self, start: usize, end: usize) -> Option<RegionKind> {
        let behind = self.regions.partition_point(|region| region.start <= start);
        let mut at = behind.checked_sub(1)?;
        while let Some(region) = self.regions.get(at) {
            if end <= region.end && (start < region.end || start == end) {
                return Some(region.kind);
            }
            at = self.parents[at];
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(start: usize, end: usize, kind: RegionKind) -> Region {
        Region { start, end, kind }
    }

    #[test]
    fn the_innermost_region_that_contains_a_match_decides() {
        use RegionKind::{Code, Comment, String};
        let regions = Regions::new(vec![
            region(20, 30, Comment),
            region(2, 12, String),
            region(5, 9, Code),
            region(6, 8, String),
        ])
        .expect("there is room");
        let all = [
            (0, 2, None),
            (1, 3, None),
            (2, 3, Some(String)),
            (3, 6, Some(String)),
            (5, 6, Some(Code)),
            (5, 9, Some(Code)),
            (6, 8, Some(String)),
            (7, 9, Some(Code)),
            (7, 10, Some(String)),
            (2, 12, Some(String)),
            (11, 13, None),
            (12, 13, None),
            (20, 30, Some(Comment)),
            (30, 30, Some(Comment)),
            (31, 31, None),
        ];
        for (start, end, kind) in all {
            assert_eq!(regions.kind_at(start, end), kind, "{start}..{end}");
        }
        assert_eq!(Regions::default().kind_at(0, 1), None);
    }

    #[test]
    fn every_context_and_its_complement() {
        use SearchContext as C;
        let kinds = [None, Some(RegionKind::Comment), Some(RegionKind::String)];
        let admitted = |context: C| kinds.map(|kind| context.admits(kind));
        assert_eq!(admitted(C::Any), [true; 3]);
        assert_eq!(admitted(C::InComments), [false, true, false]);
        assert_eq!(admitted(C::ExceptComments), [true, false, true]);
        assert_eq!(admitted(C::InStringLiterals), [false, false, true]);
        assert_eq!(admitted(C::ExceptStringLiterals), [true, true, false]);
        assert_eq!(admitted(C::ExceptCommentsAndStringLiterals), [true, false, false]);
        // Code inside a string is code.
        let code = Some(RegionKind::Code);
        assert!(
            C::ExceptCommentsAndStringLiterals.admits(code) && !C::InStringLiterals.admits(code)
        );
    }
}
