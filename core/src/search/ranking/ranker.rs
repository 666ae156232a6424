//! The visitor that counts each file, and the keys of the counted files.

use super::counts::CountScratch;
use super::packed::{CountList, PackedCounts};
use super::score::Statistics;
use super::{Beginnings, FileCounts, Terms};
use crate::budget::Budget;
use crate::search::FileMatches;
use crate::search::file::run::{FileSearch, Scratch};
use crate::walk::{Candidate, FileBlock, Tally, Visited, Visitor};

/// Steps per unit of a score; the rest of it does not count.
const SCORE_STEPS: f64 = 10_000.0;

/// Counts each file with a term.
pub(in crate::search) struct Ranker {
    /// Finds the matching lines.
    pub(in crate::search) search: FileSearch,
    pub(in crate::search) terms: Terms,
    /// Finds the terms in matching lines; without it these have their matches.
    pub(in crate::search) beginnings: Option<Beginnings>,
    /// Whether files count whose path alone has a term.
    pub(in crate::search) by_path: bool,
    /// Whether the files are listed with their metadata.
    pub(in crate::search) keeps_metadata: bool,
}

/// Memory that a thread reuses from file to file.
#[derive(Default)]
pub(in crate::search) struct RankScratch {
    search: Scratch,
    counts: CountScratch,
}

impl Visitor for Ranker {
    type Scratch = RankScratch;
    /// The index of a file in its batch.
    type Item = (u32, PackedCounts);

    fn visit(
        &self,
        scratch: &mut RankScratch,
        file: &Candidate<'_>,
        budget: &Budget,
        tally: &mut Tally,
        files: &mut FileBlock,
    ) -> Visited<Self::Item> {
        let Visited { found, effort, stopped, stamp } =
            self.search.visit(&mut scratch.search, file, budget, tally, files);
        let found = found.filter(|found| found.n_matches > 0);
        let item = if found.is_some() || self.by_path {
            self.count(&mut scratch.counts, file, found.as_ref(), tally, files)
        } else {
            None
        };
        Visited { found: item, effort, stopped, stamp }
    }

    fn weight((_, counts): &Self::Item) -> usize {
        counts.weight()
    }
}

impl Ranker {
    fn count(
        &self,
        scratch: &mut CountScratch,
        file: &Candidate<'_>,
        found: Option<&FileMatches>,
        tally: &mut Tally,
        files: &mut FileBlock,
    ) -> Option<(u32, PackedCounts)> {
        let path = found.map_or_else(|| file.path(), |found| found.path.clone());
        let counts =
            FileCounts::of(&self.terms, self.beginnings.as_ref(), &path.display(), found, scratch)?;
        let meta = file.stat().map_err(|error| tally.count_unopened(&path, &error)).ok()?;
        let counts = PackedCounts::of(&FileCounts { size: meta.size, ..counts });
        Some((file.add_to(files, self.keeps_metadata.then_some(meta)), counts))
    }
}

/// Returns the keys of the files with counters among `n_files` files of `n_bytes` in all, and the statistics that
/// they depend on. The most relevant file has the largest key.
pub(in crate::search) fn keys(
    terms: &Terms,
    files: &CountList,
    (n_files, n_bytes): (u64, u64),
) -> (Vec<i64>, Statistics) {
    let statistics = Statistics::of(terms, files, n_files, n_bytes);
    let mut keys = Vec::with_capacity(files.len());
    files.for_each(terms, &mut |file| {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a score has a fraction that does not count"
        )]
        keys.push((statistics.score(terms, file) * SCORE_STEPS) as i64);
    });
    (keys, statistics)
}
