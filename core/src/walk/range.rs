//! A range in the order of paths: where a walk continues, and where it ends.

use crate::workspace::RelPath;

/// The range of paths that a walk covers. The default is all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathRange {
    /// The first path, and whether the range includes it.
    pub from: Option<(RelPath, bool)>,
    /// The last path, and whether the range includes it.
    pub to: Option<(RelPath, bool)>,
}

impl PathRange {
    /// Returns whether the range includes every path.
    pub(crate) fn is_all(&self) -> bool {
        self.from.is_none() && self.to.is_none()
    }

    /// Returns whether the range includes `path`.
    pub(crate) fn holds(&self, path: &RelPath) -> bool {
        let is_after =
            |(from, inclusive): &(RelPath, bool)| path > from || (*inclusive && path == from);
        let is_before = |(to, inclusive): &(RelPath, bool)| path < to || (*inclusive && path == to);
        self.from.as_ref().is_none_or(is_after) && self.to.as_ref().is_none_or(is_before)
    }

    /// Returns whether the range may include a path below the directory `dir`.
    pub(crate) fn may_hold_below(&self, dir: &RelPath) -> bool {
        if dir.is_root() {
            return true;
        }
        let below = || dir.as_bytes().iter().chain(b"/");
        let is_below = |path: &RelPath| path != dir && path.starts_with(dir);
        let ends_after =
            |(from, _): &(RelPath, bool)| is_below(from) || below().gt(from.as_bytes());
        self.from.as_ref().is_none_or(ends_after)
            && self.to.as_ref().is_none_or(|(to, _)| below().lt(to.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn path(text: &str) -> RelPath {
        RelPath::from_components(text.split('/').filter(|name| !name.is_empty()).map(str::as_bytes))
    }

    proptest! {
        #[test]
        fn a_directory_is_entered_when_something_below_may_belong(
            from in "[a-b./]{0,6}", to in "[a-b./]{0,6}", inclusive: bool, dir in "[a-b]{1,2}", name in "[a-b]{1,3}",
        ) {
            let plain = |text: &str| path(&text.replace('.', "c"));
            let range = PathRange { from: Some((plain(&from), inclusive)), to: Some((plain(&to), inclusive)) };
            let dir = path(&dir);
            let inside = dir.join(name.as_bytes());
            prop_assert!(!range.holds(&inside) || range.may_hold_below(&dir), "{range:?} {inside:?}");
        }
    }

    #[test]
    fn directories_wholly_outside_are_not_entered() {
        let range = |from: &str, to: &str| PathRange {
            from: (!from.is_empty()).then(|| (path(from), true)),
            to: (!to.is_empty()).then(|| (path(to), true)),
        };
        for (from, to, dir, expected) in [
            ("b/c", "", "a", false),
            ("b/c", "", "b", true),
            ("b/c", "", "c", true),
            ("b/c", "", "b-", false),
            ("", "b/c", "c", false),
            ("", "b/c", "b", true),
            ("", "b", "b", false),
            ("", "b", "a", true),
        ] {
            assert_eq!(range(from, to).may_hold_below(&path(dir)), expected, "{from}..{to} {dir}");
        }
    }
}
