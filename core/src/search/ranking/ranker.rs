//! The visitor that counts each file, and the keys of the counted files.

use super::counter::{Sought, TextCounter};
use super::packed::{CountList, PackedCounts};
use super::score::Statistics;
use super::{Beginnings, FileCounts, Terms};
use crate::search::file::run::{FileSearch, Scratch};
use crate::walk::{Candidate, FileBlock, Tally, Visit, Visited, Visitor};
use std::cell::RefCell;

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
    counter: TextCounter,
}

impl Visitor for Ranker {
    type Scratch = RankScratch;
    /// The index of a file in its batch.
    type Item = (u32, PackedCounts);

    fn visit(&self, visit: Visit<'_, RankScratch>) -> Visited<Self::Item> {
        let Visit { scratch, file, budget, tally, files } = visit;
        let RankScratch { search, counter } = scratch;
        let terms = &self.terms;
        counter.start(terms);
        let visited = match self.beginnings.as_ref().filter(|beginnings| beginnings.are_fast()) {
            Some(beginnings) => {
                let counter = RefCell::new(&mut *counter);
                let count = |text: &[u8], size| {
                    let mut counter = counter.borrow_mut();
                    counter.size = Some(size);
                    let counted = counter.count_text((terms, beginnings), text, budget);
                    // The rest of a text that was stopped may have it.
                    counter.may_have_phrase |= counted.is_err();
                    counted
                };
                self.search
                    .visit_text(Visit { scratch: search, file, budget, tally, files }, &count)
            }
            None => self.search.visit(Visit { scratch: search, file, budget, tally, files }),
        };
        let Visited { found, effort, stopped, stamp } = visited;
        let found = found.filter(|found| found.n_matches > 0);
        if let Some(found) = &found {
            counter.count_lines(Sought { terms, beginnings: self.beginnings.as_ref() }, found);
        }
        let item = if found.is_some() || !counter.is_empty() || self.by_path {
            self.count(counter, file, tally, files)
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
        counter: &mut TextCounter,
        file: &Candidate<'_>,
        tally: &mut Tally,
        files: &mut FileBlock,
    ) -> Option<(u32, PackedCounts)> {
        let path = file.path();
        let counts = FileCounts::of(&self.terms, &path.display(), counter)?;
        let size = counter.size.filter(|_| !self.keeps_metadata);
        let meta = match size {
            Some(_) => None,
            None => Some(file.stat().map_err(|error| tally.count_unopened(&path, &error)).ok()?),
        };
        let size = size.or(meta.as_ref().map(|meta| meta.size)).unwrap_or_default();
        let counts = PackedCounts::of(&FileCounts { size, ..counts });
        Some((file.add_to(files, meta.filter(|_| self.keeps_metadata)), counts))
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
