//! Counters of one file: everything that the score needs, in a few numbers for each term.
//!
//! The matching lines of a file are counted while it is searched and then dropped, so that memory grows with
//! the number of files and not with the number of matches. The best window is chosen here too, before the
//! rarity of the terms is known; long words stand for rare ones.

use super::path::{Part, PathCounts};
use super::terms::{ABBREVIATION, JOINED, JOINED_PART, LONGER, PART, Terms, WHOLE, name_around};
use super::{Beginnings, SPANS_MAX};
use crate::lines::to_text;
use crate::search::{FileMatches, Line};
use crate::syntax::{Likeness, is_name_char, likeness};

/// Number of lines of a window.
pub(crate) const WINDOW_LINES: u64 = 26;
/// Number of lines of a block, the unit in which the rarity of a term is counted.
const BLOCK_LINES: u64 = 40;
/// Half of the weight that a term can add to a window is reached at this many occurrences.
pub(super) const SATURATION: f32 = 1.2;
/// The weight of a line that only has the form of a definition, compared with one that has a keyword.
const WEAK_DEFINITION: f32 = 0.4;
/// Least similarity of a name to one of the question.
const SIMILAR_MIN: f32 = 0.6;

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

/// Memory that a thread reuses from file to file.
#[derive(Default)]
pub(super) struct CountScratch {
    /// The occurrences of a file: line, term, weight.
    occurrences: Vec<(u64, usize, f32)>,
    in_window: Vec<f32>,
    word: String,
}

impl FileCounts {
    /// Counts the matching lines of a file and the terms of its path; `None` if neither has a term.
    pub(super) fn of(
        terms: &Terms,
        beginnings: Option<&Beginnings>,
        path: &str,
        found: Option<&FileMatches>,
        scratch: &mut CountScratch,
    ) -> Option<FileCounts> {
        let mut counts = FileCounts {
            part: Part::of(path),
            path: PathCounts::of(terms, path),
            may_have_phrase: found.is_some_and(|found| found.cut.is_some()),
            ..FileCounts::default()
        };
        if let Some(found) = found {
            counts.count_lines(terms, beginnings, found, scratch);
        }
        let is_empty = counts.path.is_empty() && counts.in_text.is_empty();
        (!is_empty).then_some(counts)
    }

    fn count_lines(
        &mut self,
        terms: &Terms,
        beginnings: Option<&Beginnings>,
        found: &FileMatches,
        scratch: &mut CountScratch,
    ) {
        scratch.occurrences.clear();
        let mut in_definitions = vec![0.0; terms.len()];
        let mut names = vec![NameCounts::default(); terms.names.len()];
        for line in found.lines.iter().filter(|line| line.is_match) {
            let counter = LineCounter { terms, beginnings, line, text: &to_text(&line.text) };
            self.may_have_phrase |= line.is_truncated() || terms.is_written_in(counter.text);
            let first = scratch.occurrences.len();
            counter.count(scratch, &mut in_definitions, &mut names);
            let of_line = scratch.occurrences[first..].iter();
            let in_line = of_line.fold(0u32, |set, (_, term, _)| set | 1 << term);
            if in_line & !self.in_line != 0 && terms.length(in_line) > terms.length(self.in_line) {
                self.in_line = in_line;
            }
        }
        if scratch.occurrences.is_empty() {
            return;
        }
        let mut in_text = vec![0.0; terms.len()];
        let mut n_blocks = vec![0; terms.len()];
        let mut last_block = vec![u64::MAX; terms.len()];
        let mut is_plain = 0u32;
        for &(line, term, weight) in &scratch.occurrences {
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
        self.choose_window(terms, scratch);
        self.in_text = in_text;
        self.in_definitions = in_definitions;
        self.n_blocks = n_blocks;
        self.names = names;
    }

    /// Chooses the window with the most terms, the first of equals.
    fn choose_window(&mut self, terms: &Terms, scratch: &mut CountScratch) {
        let CountScratch { occurrences, in_window, .. } = scratch;
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

    /// Returns whether the text or the path has the term.
    pub(super) fn has(&self, term: usize) -> bool {
        let has = |counts: &[f32]| counts.get(term).is_some_and(|n| *n > 0.0);
        has(&self.in_text) || has(&self.path.in_name)
    }

    /// Returns whether the text or the path has the term, not only abbreviated.
    pub(super) fn has_in_full(&self, term: usize) -> bool {
        self.in_full >> term & 1 == 1
            || self.path.in_name.get(term).is_some_and(|n| *n >= super::path::FORM_IN_NAME)
            || self.path.is_in_dirs(term)
    }
}

/// The names in one matching line.
struct LineCounter<'a> {
    terms: &'a Terms,
    /// Finds the terms in the text; without it the line has its matches.
    beginnings: Option<&'a Beginnings>,
    line: &'a Line,
    text: &'a str,
}

impl LineCounter<'_> {
    fn count(
        &self,
        scratch: &mut CountScratch,
        in_definitions: &mut [f32],
        names: &mut [NameCounts],
    ) {
        if let Some(beginnings) = self.beginnings {
            return self.count_beginnings(beginnings, scratch, in_definitions, names);
        }
        let mut counted = 0;
        for span in &self.line.spans {
            let Some(start) = span.start.checked_sub(self.line.text_start) else { continue };
            if start < counted && counted > 0 || !self.text.is_char_boundary(start) {
                continue;
            }
            if self.terms.are_patterns {
                let end = span.end.saturating_sub(self.line.text_start);
                self.count_match(span.pattern, start..end, scratch, in_definitions, names);
                continue;
            }
            let name = name_around(self.text, start);
            counted = name.end;
            self.count_name(name, scratch, in_definitions, names);
        }
    }

    /// Counts the first names with the beginning of a term.
    fn count_beginnings(
        &self,
        beginnings: &Beginnings,
        scratch: &mut CountScratch,
        in_definitions: &mut [f32],
        names: &mut [NameCounts],
    ) {
        let mut from = 0;
        for _ in 0..SPANS_MAX {
            let Some(start) = beginnings.find(self.text, from) else { break };
            let name = name_around(self.text, start);
            from = name.end;
            self.count_name(name, scratch, in_definitions, names);
        }
    }

    /// Counts a match of a pattern that is a term.
    fn count_match(
        &self,
        term: usize,
        span: std::ops::Range<usize>,
        scratch: &mut CountScratch,
        in_definitions: &mut [f32],
        names: &mut [NameCounts],
    ) {
        let (Some(before), Some(after)) = (self.text.get(..span.start), self.text.get(span.end..))
        else {
            return;
        };
        if term >= self.terms.len() {
            return;
        }
        let is_whole = !before.ends_with(is_name_char) && !after.starts_with(is_name_char);
        let weight = if is_whole { WHOLE } else { PART };
        scratch.occurrences.push((self.line.number, term, weight));
        let likeness = likeness(before, after);
        in_definitions[term] += weight * definition_weight(likeness);
        let name = self.terms.names.iter().position(|name| name.terms == 1 << term);
        if let Some(name) = name.filter(|_| is_whole && likeness != Likeness::None) {
            names[name].is_defined |= likeness == Likeness::Strong;
            names[name].similar_defined =
                names[name].similar_defined.max(definition_weight(likeness));
            names[name].is_type |= likeness == Likeness::Strong && defines_type(before);
        }
    }

    /// Counts the terms in a name of the text.
    fn count_name(
        &self,
        range: std::ops::Range<usize>,
        scratch: &mut CountScratch,
        in_definitions: &mut [f32],
        names: &mut [NameCounts],
    ) {
        let (terms, name) = (self.terms, &self.text[range.clone()]);
        let first = scratch.occurrences.len();
        let CountScratch { occurrences, word, .. } = scratch;
        let (set, n_parts) = terms.for_each_in(name, word, &mut |term, weight| {
            occurrences.push((self.line.number, term, weight));
        });
        if set == 0 {
            return;
        }
        let (before, after) = (&self.text[..range.start], &self.text[range.end..]);
        let likeness = likeness(before, after);
        let weight = definition_weight(likeness);
        if weight > 0.0 {
            for (_, term, n) in &scratch.occurrences[first..] {
                in_definitions[*term] += n * weight;
            }
        }
        for (wanted, counts) in terms.names.iter().zip(names) {
            let is_exact = name == wanted.text;
            let similar = wanted.similarity(name, set, n_parts);
            if similar < SIMILAR_MIN {
                continue;
            }
            counts.similar = counts.similar.max(similar);
            counts.similar_defined = counts.similar_defined.max(similar * weight);
            if is_exact && likeness == Likeness::Strong {
                counts.is_defined = true;
                counts.is_type |= defines_type(before);
            }
        }
    }
}

fn definition_weight(likeness: Likeness) -> f32 {
    match likeness {
        Likeness::Strong => 1.0,
        Likeness::Weak => WEAK_DEFINITION,
        Likeness::None => 0.0,
    }
}

/// Returns whether the text before a defined name says that it is a type or module.
fn defines_type(before: &str) -> bool {
    const TYPES: &[&str] = &[
        "class",
        "struct",
        "trait",
        "interface",
        "enum",
        "type",
        "module",
        "object",
        "protocol",
        "defmodule",
        "mod",
        "namespace",
        "record",
        "actor",
        "typealias",
        "union",
    ];
    before.split_whitespace().next_back().is_some_and(|word| TYPES.contains(&word))
}
