//! The extension `TREE` of an index: the ids of trees that equal the staged files.
//!
//! Git marks a tree as unknown when a file below it is staged, so an id in this extension that equals the id
//! in a commit proves that nothing below differs. Most trees are then compared without being read.

use super::bytes::Bytes;
use super::failure::{Failure, Malformed};
use super::id::{Id, ObjectFormat};
use crate::budget::Budget;
use crate::room;

/// The maximum memory of all trees; those beyond it are unknown, which costs only time.
const TREES_BYTES_MAX: usize = 12 << 20;

/// Trees by the paths of their directories, with a trailing slash; empty for the top.
#[derive(Debug, Default)]
pub(super) struct CachedTrees(Vec<(Vec<u8>, Id)>);

impl CachedTrees {
    pub(super) fn parse(
        data: &[u8],
        format: ObjectFormat,
        budget: &Budget,
    ) -> Result<CachedTrees, Failure> {
        let mut input = Bytes::new(data);
        let mut trees = Vec::new();
        // Directories with subtrees still to come: the number of those, and the length of the path.
        let mut open: Vec<(u64, usize)> = Vec::new();
        let mut path = Vec::new();
        let mut bytes = 0;
        while !input.rest().is_empty() {
            budget.poll()?;
            let name = input.until(0)?;
            let n_entries = number(input.until(b' ')?)?;
            let n_subtrees = number(input.until(b'\n')?)?.unwrap_or(0);
            while open.pop_if(|(n, _)| *n == 0).is_some() {}
            let end = match open.last_mut() {
                Some((n, end)) => {
                    *n -= 1;
                    *end
                }
                None => 0,
            };
            path.truncate(end);
            if !name.is_empty() {
                path.try_reserve(name.len() + 1)?;
                path.extend_from_slice(name);
                path.push(b'/');
            }
            room::push(&mut open, (n_subtrees, path.len()))?;
            if n_entries.is_some() {
                let id = Id::new(input.take(format.len())?);
                bytes += path.len() + 2 * size_of::<(Vec<u8>, Id)>();
                if bytes <= TREES_BYTES_MAX {
                    room::push(&mut trees, (room::copy(&path)?, id))?;
                }
            }
        }
        trees.sort_unstable();
        Ok(CachedTrees(trees))
    }

    /// Returns whether the files below `dir`, which ends with a slash, are staged exactly as in the tree
    /// `id`.
    pub(super) fn is(&self, dir: &[u8], id: Id) -> bool {
        let found = self.0.binary_search_by(|(path, _)| path.as_slice().cmp(dir));
        found.is_ok_and(|at| self.0[at].1 == id)
    }
}

/// Reads a decimal number; `None` for a negative one, which marks an unknown tree.
fn number(text: &[u8]) -> Result<Option<u64>, Malformed> {
    let wrong = Malformed("a count is not a number");
    let text = std::str::from_utf8(text).map_err(|_| wrong)?;
    let number: i64 = text.parse().map_err(|_| wrong)?;
    Ok(u64::try_from(number).ok())
}
