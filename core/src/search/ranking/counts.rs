//! Counters of one file: everything that the score needs, in a few numbers for each term.
//!
//! The occurrences in a file (`counter.rs`) are summed and then dropped, so that memory grows with the number of
//! files and not with the number of matches. The best window is chosen here too, before the rarity of the terms
//! is known; long words stand for rare ones.

use super::counter::TextCounter;
use super::path::{Part, PathCounts};
use super::terms::{ABBREVIATION, JOINED, JOINED_PART, LONGER, Terms};

/// Number of lines of a window.
pub(crate) const WINDOW_LINES: u64 = 26;
/// Number of lines of a block, the unit in which the rarity of a term is counted.
const BLOCK_LINES: u64 = 40;
/// Half of the weight that a term can add to a window is reached at this many occurrences.
pub(super) const SATURATION: f32 = 1.2;

/// Counters of a file. Those of all files are kept packed (`packed.rs`).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FileCounts {
    /// In bytes.
    pub(super) size: u64,
    pub(super) part: Part,
    pub(super) path: PathCounts,
    /// The weighted number of occurrences of each term; empty if the text has none.
    pub(super) in_text: Vec<f32>,
    /// The same in names that a line defines.
    pub(super) in_definitions: Vec<f32>,
    /// The same in the best window.
    pub(super) in_window: Vec<f32>,
    /// The number of blocks with each term.
    pub(super) n_blocks: Vec<u32>,
    /// The relation of the file to each name of the question.
    pub(super) names: Vec<NameCounts>,
    /// The first and last line of the best window; 0 if the text has no term.
    pub(super) window: (u64, u64),
    /// The terms of the line with the most and longest of them, as a set.
    pub(super) in_line: u32,
    /// The terms that the text has as such and not only abbreviated, as a set.
    pub(super) in_full: u32,
    /// Those of them that it has only as several sub-words together, as a set.
    pub(super) only_joined: u32,
    /// Whether a line has the question as written, or may have: in a part of it that was not counted.
    pub(super) may_have_phrase: bool,
    /// The terms that only parts of the text have which were not counted, as a set.
    pub(super) in_rest: u32,
    /// Whether terms may be in a part of the text that was not read.
    pub(super) is_partial: bool,
}

/// The relation of a file to a name of the question.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct NameCounts {
    /// Whether a line defines it.
    pub(super) is_defined: bool,
    /// Whether such a line defines a type.
    pub(super) is_type: bool,
    /// The similarity of the most similar name, between 0 and 1, and of the most similar that a line defines.
    pub(super) similar: f32,
    pub(super) similar_defined: f32,
}

impl FileCounts {
    /// Sums what `counter` has found in a text, and adds the terms of its path; `None` if neither has a term. The
    /// size is left to the caller.
    pub(super) fn of(terms: &Terms, path: &str, counter: &mut TextCounter) -> Option<FileCounts> {
        let in_path = PathCounts::of(terms, path);
        if in_path.is_empty() && counter.is_empty() {
            return None;
        }
        let mut counts = FileCounts {
            part: Part::of(path),
            path: in_path,
            may_have_phrase: counter.may_have_phrase,
            in_rest: counter.rest.terms,
            is_partial: counter.rest.is_partial,
            in_line: counter.in_line,
            ..FileCounts::default()
        };
        if !counter.is_empty() {
            counts.sum(terms, counter);
        }
        Some(counts)
    }

    fn sum(&mut self, terms: &Terms, counter: &mut TextCounter) {
        let mut in_text = vec![0.0; terms.len()];
        let mut n_blocks = vec![0; terms.len()];
        let mut last_block = vec![u64::MAX; terms.len()];
        let mut is_plain = 0u32;
        for &(line, term, weight) in &counter.occurrences {
            in_text[term] += weight;
            let is_full = weight != ABBREVIATION;
            let is_joined = weight == JOINED || weight == JOINED_PART;
            self.in_full |= u32::from(is_full) << term;
            is_plain |= u32::from(is_full && !is_joined) << term;
            let block = line / BLOCK_LINES;
            n_blocks[term] += u32::from(last_block[term] != block);
            last_block[term] = block;
        }
        self.only_joined = self.in_full & !is_plain;
        self.choose_window(terms, counter);
        self.in_text = in_text;
        self.in_definitions.clone_from(&counter.in_definitions);
        self.n_blocks = n_blocks;
        self.names.clone_from(&counter.names);
    }

    /// Chooses the window with the most terms, the first of equals.
    fn choose_window(&mut self, terms: &Terms, counter: &mut TextCounter) {
        let TextCounter { occurrences, in_window, .. } = counter;
        in_window.clear();
        in_window.resize(terms.len(), 0.0);
        let weights: Vec<f32> =
            terms.terms.iter().map(|term| 0.5 + term.stem.len().min(10) as f32 / 10.0).collect();
        let (mut start, mut best) = (0, 0.0);
        for end in 0..occurrences.len() {
            let (line, term, weight) = occurrences[end];
            in_window[term] += weight;
            while line - occurrences[start].0 >= WINDOW_LINES {
                let (_, term, weight) = occurrences[start];
                in_window[term] = f32::max(in_window[term] - weight, 0.0);
                start += 1;
            }
            // A window is complete only at the end of a line.
            if occurrences.get(end + 1).is_some_and(|next| next.0 == line) {
                continue;
            }
            let score: f32 =
                in_window.iter().zip(&weights).map(|(n, w)| w * n / (n + SATURATION)).sum();
            if score > best * 1.0001 {
                best = score;
                self.window = (occurrences[start].0, line);
                self.in_window.clone_from(in_window);
            }
        }
    }

    /// Returns the terms in the best window, not only abbreviated, as a set.
    pub(super) fn in_window(&self) -> u32 {
        let full = |n: f32| n > LONGER;
        let terms = self.in_window.iter().enumerate().filter(|(_, n)| full(**n));
        terms.fold(0, |set, (term, _)| set | 1 << term)
    }

    /// Returns the names of the question that the text has as written, as a set.
    pub(super) fn names_as_written(&self) -> u32 {
        let as_written = self.names.iter().enumerate().filter(|(_, name)| name.similar == 1.0);
        as_written.fold(0, |set, (at, _)| set | 1 << at)
    }

    /// Returns whether the text or the path has the term.
    pub(super) fn has(&self, term: usize) -> bool {
        let has = |counts: &[f32]| counts.get(term).is_some_and(|n| *n > 0.0);
        has(&self.in_text) || has(&self.path.in_name)
    }

    /// Returns whether the text or the path has the term, not only abbreviated.
    pub(super) fn has_in_full(&self, term: usize) -> bool {
        (self.in_full | self.in_rest) >> term & 1 == 1
            || self.path.in_name.get(term).is_some_and(|n| *n >= super::path::FORM_IN_NAME)
            || self.path.is_in_dirs(term)
    }
}
