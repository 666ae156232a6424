//! What ignore rules and hidden names left out of a search, as the files of another one.

use searchscope::{PathFilter, Place, RelPath, Report, TotalKind};

/// The most warnings that a report keeps.
const WARNINGS_MAX: usize = 20;

/// Entries that a search left out, and everything below them.
pub(super) struct LeftOut {
    /// In the order of their bytes.
    entries: Vec<RelPath>,
}

impl LeftOut {
    /// Returns the entries of a report except those of git, if there are any.
    pub(super) fn of(report: &Report) -> Option<LeftOut> {
        let mut entries: Vec<RelPath> =
            report.left_out.iter().filter(|path| path.file_name() != b".git").cloned().collect();
        entries.sort();
        (!entries.is_empty()).then_some(LeftOut { entries })
    }

    fn contains(&self, path: &[u8]) -> bool {
        self.entries.binary_search_by(|entry| entry.as_bytes().cmp(path)).is_ok()
    }

    /// Returns whether a path is an entry, or below one.
    fn has(&self, path: &[u8]) -> bool {
        let ends = memchr::memchr_iter(b'/', path).chain([path.len()]);
        ends.into_iter().any(|end| self.contains(&path[..end]))
    }

    /// Returns whether an entry is below a directory.
    fn has_below(&self, dir: &[u8]) -> bool {
        let beginning = || dir.iter().chain(b"/");
        let first = self.entries.partition_point(|entry| entry.as_bytes().iter().lt(beginning()));
        let below = |entry: &RelPath| {
            entry.as_bytes().strip_prefix(dir).is_some_and(|rest| rest.starts_with(b"/"))
        };
        dir.is_empty() || self.entries.get(first).is_some_and(below)
    }
}

impl PathFilter for LeftOut {
    fn matches(&self, place: &Place<'_>) -> bool {
        self.has(place.path().as_bytes())
    }

    fn visit(&self, dir: &Place<'_>) -> bool {
        let path = dir.path().as_bytes();
        self.has(path) || self.has_below(path)
    }
}

/// Returns the report of a search and of one of what it left out, as if they were one.
pub(super) fn joined(first: &Report, left_out: Report) -> Report {
    let (of_first, more) = (first.skipped, left_out.skipped);
    let mut joined = left_out;
    // What is beside the entries was counted by both.
    joined.skipped = of_first;
    joined.skipped.binary += more.binary;
    joined.skipped.too_large += more.too_large;
    joined.skipped.unreadable += more.unreadable;
    (joined.skipped.ignored, joined.skipped.hidden) = (more.ignored, more.hidden);
    joined.searched_files += first.searched_files;
    joined.given_up += first.given_up;
    joined.over_limits += first.over_limits;
    joined.n_warnings += first.n_warnings;
    let later = std::mem::replace(&mut joined.warnings, first.warnings.clone());
    joined.warnings.extend(later);
    joined.warnings.truncate(WARNINGS_MAX);
    joined.complete &= first.complete;
    if !joined.complete {
        joined.total_kind = TotalKind::AtLeast;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use searchscope::testing::path;

    #[test]
    fn what_was_left_out_is_found_on_the_way_and_below() {
        let entries = ["a/.env", "b/out", "b/out.txt", ".cache"].map(path);
        let mut report = searchscope::testing::report(None);
        report.left_out = [&entries[..], &[path("c/.git")]].concat();
        let left_out = LeftOut::of(&report).expect("entries");
        for (is_in, path) in [
            (true, "a/.env"),
            (true, "b/out/x/y"),
            (true, "b/out.txt"),
            (true, ".cache/z"),
            (false, "a/env"),
            (false, "b/outer"),
            (false, "b/out.tx"),
            (false, "c/.git/config"),
        ] {
            assert_eq!(left_out.has(path.as_bytes()), is_in, "{path}");
        }
        for (is_on_the_way, dir) in
            [(true, ""), (true, "a"), (true, "b"), (false, "c"), (false, "b/ou"), (false, "b/x")]
        {
            assert_eq!(left_out.has_below(dir.as_bytes()), is_on_the_way, "{dir}");
        }
        report.left_out = vec![path(".git")];
        assert!(LeftOut::of(&report).is_none());
    }
}
