//! Ranking of texts that no search of files reads, such as documents.

use super::counter::{Sought, TextCounter};
use super::packed::PackedCounts;
use super::terms::name_around;
use super::{Beginnings, CountList, FileCounts, SPANS_MAX, Terms, keys};
use crate::budget::{Budget, Stopped};
use crate::lines::to_text;
use crate::search::{FileMatches, Line};
use std::ops::Range;

/// Counts the terms of a question in texts, and orders the texts by them.
pub(crate) struct TextRanker {
    terms: Terms,
    beginnings: Beginnings,
}

/// The counters of a text with a term.
pub(crate) struct CountedText {
    counts: PackedCounts,
    /// The places of the best window: the number of a line, and a name in it with a term.
    pub(crate) places: Vec<Place>,
}

/// A name with a term, in a line of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: u64,
    /// Its bytes in the line.
    pub(crate) range: Range<usize>,
}

impl TextRanker {
    /// Reads the words of `question`; `None` if it has none.
    pub(crate) fn new(question: &str) -> Option<TextRanker> {
        let terms = Terms::of_question(question, &[], false);
        let beginnings = Beginnings::of(&terms).filter(|_| !terms.is_empty())?;
        Some(TextRanker { terms, beginnings })
    }

    /// Counts the lines of a text, each with its number, and the terms of its path. Line 0 counts but is in no
    /// place. Returns `None` if neither has a term.
    pub(crate) fn count<'a>(
        &self,
        (path, size): (&str, u64),
        lines: impl Iterator<Item = (u64, &'a str)>,
        n_places: usize,
        budget: &Budget,
    ) -> Result<Option<CountedText>, Stopped> {
        let mut found = FileMatches::empty();
        for (number, text) in lines {
            budget.poll_clock()?;
            if self.beginnings.find(text, 0).is_some() {
                found.lines.push(Line::whole(number, text));
            }
        }
        let mut counter = TextCounter::default();
        counter.start(&self.terms);
        let sought = Sought { terms: &self.terms, beginnings: Some(&self.beginnings) };
        counter.count_lines(sought, &found);
        let counts = FileCounts::of(&self.terms, path, &mut counter);
        let Some(counts) = counts else { return Ok(None) };
        let places = self.places(&counts, &found, n_places);
        let counts = PackedCounts::of(&FileCounts { size, ..counts });
        Ok(Some(CountedText { counts, places }))
    }

    /// Returns the order of counted texts among `n_texts` of `n_bytes`, the best first, as indexes; equal ones
    /// keep their order.
    pub(crate) fn order(&self, counted: &[CountedText], n_texts: u64, n_bytes: u64) -> Vec<usize> {
        let mut counts = CountList::default();
        counted.iter().for_each(|text| counts.push(&text.counts));
        let (keys, _) = keys(&self.terms, &counts, (n_texts, n_bytes));
        let mut order: Vec<usize> = (0..counted.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(keys[at]));
        order
    }

    /// Returns the places in the best window: those of the lines with the most terms, in their order.
    fn places(&self, counts: &FileCounts, found: &FileMatches, n_places: usize) -> Vec<Place> {
        let (first, last) = counts.window;
        let mut places: Vec<(usize, Place)> = Vec::new();
        for line in found.lines.iter().filter(|line| (first.max(1)..=last).contains(&line.number)) {
            let text = to_text(&line.text);
            let (mut set, mut first_name) = (0u32, None);
            let mut from = 0;
            for _ in 0..SPANS_MAX {
                let Some(start) = self.beginnings.find(&text, from) else { break };
                let name = name_around(&text, start);
                from = name.end;
                let own = self.terms.in_name(&text[name.clone()]);
                set |= own;
                first_name = first_name.or((own != 0).then_some(name));
            }
            if let Some(range) = first_name {
                places.push((self.terms.length(set), Place { line: line.number, range }));
            }
        }
        places.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
        places.truncate(n_places);
        let mut places: Vec<Place> = places.into_iter().map(|(_, place)| place).collect();
        places.sort_by_key(|place| place.line);
        places
    }
}

impl CountedText {
    /// Returns its approximate size in memory.
    pub(crate) fn weight(&self) -> usize {
        self.counts.weight() + size_of_val(&*self.places)
    }
}
