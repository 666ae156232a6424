//! The directories that a scope names, indexed by path.

use super::formula::{ALL, SOME, Value};
use crate::workspace::RelPath;
use fnv::FnvBuildHasher;
use std::collections::{BTreeSet, HashMap};

/// A leaf of a formula and its value.
pub(super) type Known = (u32, Value);

/// Directories, each with the leaves that name it.
///
/// A lookup walks from the root down to the path, one hash lookup per level, so its cost does not grow with
/// the number of directories. `sorted` finds the directories below a path. Comparing a path with every named
/// directory would make large scopes slow.
#[derive(Debug, Default)]
pub(in crate::scope) struct Dirs {
    by_path: HashMap<Vec<u8>, Vec<Dir>, FnvBuildHasher>,
    sorted: BTreeSet<RelPath>,
}

#[derive(Clone, Copy, Debug)]
struct Dir {
    leaf: u32,
    /// Whether deeper files belong too.
    deep: bool,
}

impl Dirs {
    pub(in crate::scope) fn new<'a>(dirs: impl Iterator<Item = (u32, &'a RelPath, bool)>) -> Dirs {
        let mut all = Dirs::default();
        for (leaf, path, deep) in dirs {
            all.by_path.entry(path.as_bytes().to_vec()).or_default().push(Dir { leaf, deep });
            all.sorted.insert(path.clone());
        }
        all
    }

    /// Collects the leaves that contain the files directly in `at`.
    pub(super) fn directly(&self, at: &RelPath, known: &mut Vec<Known>) {
        self.above(at, |dir, is_itself| {
            if dir.deep || is_itself {
                known.push((dir.leaf, ALL));
            }
        });
    }

    /// Collects the leaves that contain the directory `at` itself.
    pub(super) fn itself(&self, at: &RelPath, known: &mut Vec<Known>) {
        // A directory is an entry of its parent like a file, so a leaf that names only the files of the
        // parent contains it too.
        let parent = at.parent();
        self.directly(at, known);
        if let Some(parent) = parent {
            let dirs = self.by_path.get(parent.as_bytes()).into_iter().flatten();
            known.extend(dirs.filter(|dir| !dir.deep).map(|dir| (dir.leaf, ALL)));
        }
    }

    /// Collects the leaves that contain all or some of the files below `at`.
    pub(super) fn below(&self, at: &RelPath, known: &mut Vec<Known>) {
        self.above(at, |dir, is_itself| {
            if dir.deep {
                known.push((dir.leaf, ALL));
            } else if is_itself {
                known.push((dir.leaf, SOME));
            }
        });
        for path in self.sorted.range(at..) {
            // Names such as `at-x` sort between `at` and the paths below it.
            if !path.as_bytes().starts_with(at.as_bytes()) {
                break;
            }
            if path != at && path.starts_with(at) {
                let dirs = self.by_path.get(path.as_bytes()).into_iter().flatten();
                known.extend(dirs.map(|dir| (dir.leaf, SOME)));
            }
        }
    }

    /// Calls `take` for `at` and each named directory above it.
    fn above(&self, at: &RelPath, mut take: impl FnMut(&Dir, bool)) {
        if self.by_path.is_empty() {
            return;
        }
        let bytes = at.as_bytes();
        let ends = memchr::memchr_iter(b'/', bytes).chain([bytes.len()]);
        let ends = [0].into_iter().chain(ends.filter(|end| *end > 0));
        for end in ends {
            for dir in self.by_path.get(&bytes[..end]).into_iter().flatten() {
                take(dir, end == bytes.len());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RelPath {
        RelPath::from_components(text.split('/').filter(|name| !name.is_empty()).map(str::as_bytes))
    }

    fn dirs() -> Dirs {
        let all = [("", false), ("a", true), ("a/b", false), ("a-c", true)]
            .map(|(at, deep)| (path(at), deep));
        Dirs::new((0..).zip(&all).map(|(leaf, (at, deep))| (leaf, at, *deep)))
    }

    #[test]
    fn directories_contain_their_files() {
        type Question = fn(&Dirs, &RelPath, &mut Vec<Known>);
        let of = |question: Question, at: &str| {
            let mut known = Vec::new();
            question(&dirs(), &path(at), &mut known);
            known.sort_unstable();
            known
        };
        assert_eq!(of(Dirs::directly, ""), [(0, ALL)]);
        assert_eq!(of(Dirs::directly, "a/b"), [(1, ALL), (2, ALL)]);
        assert_eq!(of(Dirs::directly, "a/b/c"), [(1, ALL)]);
        assert_eq!(of(Dirs::directly, "a-c"), [(3, ALL)]);
        assert_eq!(of(Dirs::directly, "x"), []);
        assert_eq!(of(Dirs::itself, "x"), [(0, ALL)]);
        assert_eq!(of(Dirs::itself, "a/b/c"), [(1, ALL), (2, ALL)]);
        assert_eq!(of(Dirs::below, ""), [(0, SOME), (1, SOME), (2, SOME), (3, SOME)]);
        assert_eq!(of(Dirs::below, "a"), [(1, ALL), (2, SOME)]);
        assert_eq!(of(Dirs::below, "a/b"), [(1, ALL), (2, SOME)]);
        assert_eq!(of(Dirs::below, "a/b/c"), [(1, ALL)]);
        assert_eq!(of(Dirs::below, "x"), []);
    }
}
