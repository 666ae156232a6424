//! The lists of files that a scope names, indexed by path.
//!
//! A file may be in several lists. Each combination of lists is stored once and has a number, so the key
//! under which a thread caches a verdict has a fixed size.

use super::regions::number;
use crate::workspace::RelPath;
use std::collections::{BTreeMap, HashMap};

/// Numbered lists of files.
#[derive(Debug, Default)]
pub(in crate::scope) struct FileLists {
    /// Each file with the set of lists that contain it.
    by_path: BTreeMap<RelPath, u32>,
    /// Sets of lists; the first is empty.
    sets: Vec<Vec<u32>>,
}

impl FileLists {
    pub(in crate::scope) fn new(lists: &[Vec<RelPath>]) -> FileLists {
        let mut lists_of: BTreeMap<&RelPath, Vec<u32>> = BTreeMap::new();
        for (index, list) in lists.iter().enumerate() {
            for path in list {
                let lists = lists_of.entry(path).or_default();
                if lists.last() != Some(&number(index)) {
                    lists.push(number(index));
                }
            }
        }
        let mut sets = vec![Vec::new()];
        let mut known = HashMap::new();
        let by_path = lists_of.into_iter().map(|(path, lists)| {
            let set = known.entry(lists).or_insert_with_key(|lists| {
                sets.push(lists.clone());
                number(sets.len() - 1)
            });
            (path.clone(), *set)
        });
        let by_path = by_path.collect();
        FileLists { by_path, sets }
    }

    /// Returns the set of lists that contain the file at `path`.
    pub(super) fn set_of(&self, path: &RelPath) -> u32 {
        self.by_path.get(path).copied().unwrap_or(0)
    }

    /// Returns the lists of a set, in order.
    pub(super) fn lists(&self, set: u32) -> &[u32] {
        &self.sets[set as usize]
    }

    /// Returns the lists that contain a file below `dir`, in order.
    pub(super) fn below(&self, dir: &RelPath) -> Vec<u32> {
        let mut lists = Vec::new();
        for (path, set) in self.by_path.range(dir..) {
            // Names such as `dir-x` sort between `dir` and the paths below it.
            if !path.as_bytes().starts_with(dir.as_bytes()) {
                break;
            }
            if path.starts_with(dir) && path != dir {
                lists.extend_from_slice(self.lists(*set));
            }
        }
        lists.sort_unstable();
        lists.dedup();
        lists
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RelPath {
        RelPath::from_components(text.split('/').filter(|name| !name.is_empty()).map(str::as_bytes))
    }

    #[test]
    fn lists_contain_their_files() {
        let first = ["a/b", "a/b", "a-c/d"].map(path).to_vec();
        let second = ["a/b", "x"].map(path).to_vec();
        let lists = FileLists::new(&[first, second]);
        for (file, expected) in [("a/b", &[0, 1][..]), ("a-c/d", &[0]), ("x", &[1]), ("a", &[])] {
            assert_eq!(lists.lists(lists.set_of(&path(file))), expected, "{file}");
        }
        for (dir, expected) in [("", &[0, 1][..]), ("a", &[0, 1]), ("a-c", &[0]), ("x", &[])] {
            assert_eq!(lists.below(&path(dir)), expected, "{dir}");
        }
    }
}
