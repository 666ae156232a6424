//! A pass over the tree that ranks its files for the words of a question.

use super::counted::Counted;
use super::score::{Statistics, weight_of_part};
use super::vectors::{self, Access, ByWords};
use super::{Terms, keys};
use crate::Workspace;
use crate::budget::Budget;
use crate::call::Call;
use crate::error::Result;
use crate::index::View;
use crate::search::paging::page::{PageLimits, Progress};
use crate::search::syntax::file::{SyntaxOptions, Wanted};
use crate::search::{Report, Role, SearchRequest, after_search, run};
use crate::sort::sort;
use crate::walk::{NamedFiles, PathRange, Tally, Tree};
use crate::workspace::RelPath;
use std::sync::Arc;
use std::time::Instant;

/// Maximum number of files that a ranking names; all are counted.
const FILES_MAX: usize = 2_000;

/// The files that a question is about, the best first.
#[derive(Debug)]
#[non_exhaustive]
pub struct Ranking {
    /// The best files, at most 2,000.
    pub files: Vec<RankedFile>,
    /// The number of files with a term.
    pub n_files: u64,
    /// The number of files with each term, in their text or path.
    pub n_with: Vec<u64>,
    /// The weight of each term: its rarity.
    pub rarities: Vec<f64>,
    /// The terms that no file has but as several sub-words together, as a set.
    pub only_joined: u32,
    /// Whether a text was not read to its end, so that it may have a term that it does not seem to have.
    pub is_partial: bool,
    /// The report of the pass. Its total is the number of files.
    pub report: Report,
}

impl Ranking {
    /// Returns the number of terms that no file has.
    pub fn n_missing(&self) -> usize {
        self.n_with.iter().filter(|n_files| **n_files == 0).count()
    }

    /// Returns the share that a set of terms has of the rarity of all.
    pub fn share_of(&self, set: u32) -> f64 {
        let all = self.rarities.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let own = self.rarities.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        own.map(|(_, rarity)| rarity).sum::<f64>() / all
    }

    /// Returns the largest share that the terms of one window of the first `n_files` files have of the rarity of
    /// all, if these are two terms or more.
    pub fn share_in_window(&self, n_files: usize) -> f64 {
        let sets = self.files.iter().take(n_files).map(|file| file.in_window);
        let sets = sets.filter(|set| set.count_ones() > 1);
        sets.map(|set| self.share_of(set)).fold(0.0, f64::max)
    }

    /// Returns the largest number of terms in one line of the first `n_files` files.
    pub fn n_in_line(&self, n_files: usize) -> usize {
        let in_line = self.files.iter().take(n_files).map(|file| file.n_in_line as usize);
        in_line.max().unwrap_or_default()
    }
}

/// A file of a ranking.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RankedFile {
    /// Its path.
    pub path: RelPath,
    /// The score by its words, and the weight of its part, which is a factor of it.
    pub(super) score: i64,
    pub(super) part: f64,
    /// The first and last line of its best window; 0 if only its path has a term.
    pub window: (u64, u64),
    /// The number of terms in its text and its path.
    pub n_terms: usize,
    /// The largest number of terms in one line.
    pub n_in_line: u32,
    /// The terms that it has only as several sub-words together, as a set.
    pub only_joined: u32,
    /// The terms in its best window, not only abbreviated, as a set.
    pub in_window: u32,
    /// Whether a line has the question as written, or may have.
    pub may_have_phrase: bool,
    /// The similarity of its most similar name to the name of the question, between 0 and 1.
    pub similar: f32,
    /// The names of the question that its text has as written, as a set.
    pub names: u32,
    /// Whether a line defines a name of the question as written.
    pub defines_name: bool,
    /// Whether the terms are its file name and some of its directories.
    pub is_spelled: bool,
    /// Whether it is in the part of the project that the question names.
    pub is_in_area: bool,
}

/// Ranks the files of `request` in `role`, or in any, for `terms`; the pattern of the request does not count.
///
/// A deadline is no error: the files seen until then are ranked, and the report says so.
///
/// # Errors
///
/// Those of a search.
pub fn rank_files(
    workspace: &Workspace,
    request: &SearchRequest,
    terms: &Terms,
    role: Option<Role>,
    call: &Call,
) -> Result<Ranking> {
    let started = Instant::now();
    let budget = Arc::new(Budget::of(call));
    let progress = Progress::new(&budget, started, PageLimits::new(None, None, None));
    let request = SearchRequest { pattern: terms.pattern(), ..request.clone() };
    let grammars = workspace.grammars_slot().get();
    let syntax = SyntaxOptions::new(grammars, Wanted::of(&request))?;
    let Ok(search) = run::compile(workspace, &budget, &request, syntax) else {
        let report = progress.finish(Tally::default())?;
        let (n_with, rarities) = (vec![0; terms.len()], vec![0.0; terms.len()]);
        let files = Vec::new();
        return Ok(Ranking {
            files,
            n_files: 0,
            n_with,
            rarities,
            only_joined: 0,
            is_partial: true,
            report,
        });
    };
    let mut ranker = run::ranker(workspace, &search?, &request, terms.clone())?;
    let mut files = request.files.clone();
    files.attributes.types.directories = false;
    files.attributes.types.symlinks = false;
    let paths = run::resolve(workspace, &request.paths)?;
    let view = View::of_call(workspace);
    let tree =
        Tree::new(workspace, &paths, &files, NamedFiles::Always, PathRange::default(), view)?;
    ranker.by_path = true;
    ranker.search.attributes = tree.attributes().clone();
    ranker.search.match_in(tree.view(), &budget);
    let (counted, tally) = Counted::of(workspace, &tree, ranker, &budget)?;
    let n_searched = (tally.counts.files, tally.counts.bytes);
    let (mut files, n_files, statistics) = ranked(&counted, terms, role, n_searched, &budget);
    drop(counted);
    reorder(&mut files, terms, Access::of(workspace, &budget, tree.has_links()))?;
    let mut report = progress.finish(tally)?;
    report.unignored = tree.unignored().to_vec();
    report.has_links = tree.has_links();
    report.total = n_files;
    after_search(workspace);
    let is_partial = statistics.is_partial || !report.complete;
    let Statistics { n_files: n_with, rarities, only_joined, .. } = statistics;
    Ok(Ranking { files, n_files, n_with, rarities, only_joined, is_partial, report })
}

/// Returns the best files in `role`, the number of all of them, and the statistics of the terms.
fn ranked(
    counted: &Counted,
    terms: &Terms,
    role: Option<Role>,
    n_searched: (u64, u64),
    budget: &Budget,
) -> (Vec<RankedFile>, u64, Statistics) {
    let (keys, statistics) = keys(terms, &counted.counts, n_searched);
    let is_wanted =
        |at| role.is_none_or(|role| Role::of(&counted.path(at as usize).display()) == role);
    let mut ranked: Vec<(i64, u32)> =
        keys.into_iter().zip(0..).filter(|(_, at)| is_wanted(*at)).collect();
    let n_files = ranked.len() as u64;
    // Equal scores keep the order of paths. Past the deadline some order is better than none.
    if sort(&mut ranked, budget, &|one, other| other.0.cmp(&one.0)).is_err() {
        ranked.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
    }
    ranked.truncate(FILES_MAX);
    let files =
        ranked.into_iter().map(|(key, at)| ranked_file(counted, terms, key, at as usize)).collect();
    (files, n_files, statistics)
}

/// Orders the first files by words and vectors, unless the words are the path of the first one.
fn reorder(files: &mut [RankedFile], terms: &Terms, access: Access<'_>) -> Result<()> {
    if files.first().is_some_and(|file| file.is_spelled) {
        return Ok(());
    }
    let n_first = files.len().min(vectors::FILES);
    let by_words = |file: &RankedFile| {
        let RankedFile { ref path, score, part, .. } = *file;
        ByWords { path: path.clone(), score, part }
    };
    let first: Vec<ByWords> = files[..n_first].iter().map(by_words).collect();
    if let Some(order) = vectors::reorder(terms, &first, access)? {
        let ordered: Vec<RankedFile> = order.into_iter().map(|at| files[at].clone()).collect();
        files[..n_first].clone_from_slice(&ordered);
    }
    Ok(())
}

fn ranked_file(counted: &Counted, terms: &Terms, score: i64, at: usize) -> RankedFile {
    let counts = counted.counts.get(terms, at);
    RankedFile {
        path: counted.path(at),
        score,
        part: weight_of_part(terms, counts.part),
        window: counts.window,
        n_terms: (0..terms.len()).filter(|term| counts.has_in_full(*term)).count(),
        n_in_line: counts.in_line.count_ones(),
        only_joined: counts.only_joined,
        in_window: counts.in_window(),
        may_have_phrase: counts.may_have_phrase,
        similar: counts.names.iter().map(|name| name.similar).fold(0.0, f32::max),
        names: counts.names_as_written(),
        defines_name: counts.names.iter().any(|name| name.is_defined),
        is_spelled: counts.path.spelled > 0.0,
        is_in_area: terms.area != 0 && counts.path.has_all(terms.area),
    }
}
