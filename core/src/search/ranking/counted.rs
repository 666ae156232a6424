//! The files that a pass has counted, until they are ranked.

use super::{CountList, Ranker};
use crate::Workspace;
use crate::budget::Budget;
use crate::error::Result;
use crate::search::paging::files::number;
use crate::walk::{self, FileBlock, RunOptions, Tally, Tree};
use crate::workspace::RelPath;
use std::sync::Arc;

/// The files with counters, in the order of their paths.
pub(in crate::search) struct Counted {
    pub(in crate::search) blocks: Vec<FileBlock>,
    /// The block of each file, and its index there.
    pub(in crate::search) places: Vec<(u32, u32)>,
    pub(in crate::search) counts: CountList,
}

impl Counted {
    /// Counts the files of `tree`.
    pub(in crate::search) fn of(
        workspace: &Workspace,
        tree: &Tree,
        ranker: Ranker,
        budget: &Arc<Budget>,
    ) -> Result<(Counted, Tally)> {
        let (mut blocks, mut places) = (Vec::new(), Vec::new());
        let mut counts = CountList::default();
        let mut add = |(index, of_file), block: &mut FileBlock, _: &mut Tally| {
            // The first file of a block takes the whole block.
            if index == 0 {
                blocks.push(std::mem::take(block));
            }
            places.push((number(blocks.len() - 1), index));
            counts.push(&of_file);
            true
        };
        let options = RunOptions::on(workspace.threads());
        let tally = walk::run(budget, tree, &Arc::new(ranker), options, &mut add)?;
        Ok((Counted { blocks, places, counts }, tally))
    }

    /// Returns the path of the file at `at`.
    pub(super) fn path(&self, at: usize) -> RelPath {
        let (block, index) = self.places[at];
        RelPath::of_bytes(self.blocks[block as usize].get(index).0)
    }
}
