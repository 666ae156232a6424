//! Ranking of texts that no search of files reads, such as documents.

use super::counts::CountScratch;
use super::terms::name_around;
use super::{FileCounts, SPANS_MAX, Terms, keys};
use crate::budget::{Budget, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::pattern::Span;
use crate::search::{FileMatches, Line};
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use std::ops::Range;

/// Counts the terms of a question in texts, and orders the texts by them.
pub(crate) struct TextRanker {
    terms: Terms,
    /// Finds the beginning of each term in any case.
    beginnings: Regex,
}

/// The counters of a text with a term.
pub(crate) struct CountedText {
    counts: FileCounts,
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
    /// Reads the words of `question`; `None` if none of them counts.
    ///
    /// # Errors
    ///
    /// `invalid_param` for words that are too long.
    pub(crate) fn new(question: &str) -> Result<Option<TextRanker>> {
        let terms = Terms::of_question(question, &[], false);
        if terms.len() == 0 {
            return Ok(None);
        }
        let beginnings: Vec<String> =
            terms.pattern().patterns.iter().map(|text| regex_syntax::escape(text)).collect();
        let config = Regex::config().utf8_empty(false).dfa(false).onepass(false);
        let beginnings = Regex::builder()
            .configure(config)
            .syntax(syntax::Config::new().case_insensitive(true).utf8(false))
            .build_many(&beginnings)
            .map_err(|error| {
                Error::new(ErrorKind::InvalidParam, format!("'query' is too long: {error}"))
            })?;
        Ok(Some(TextRanker { terms, beginnings }))
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
            let spans = self.spans(text);
            if !spans.is_empty() {
                found.lines.push(line(number, text, spans));
            }
        }
        let counts =
            FileCounts::of(&self.terms, None, path, Some(&found), &mut CountScratch::default());
        let Some(counts) = counts else { return Ok(None) };
        let places = self.places(&counts, &found, n_places);
        Ok(Some(CountedText { counts: FileCounts { size, ..counts }, places }))
    }

    /// Returns the order of counted texts among `n_texts` of `n_bytes`, the best first, as indexes; equal ones
    /// keep their order.
    pub(crate) fn order(&self, counted: &[CountedText], n_texts: u64, n_bytes: u64) -> Vec<usize> {
        let counts: Vec<FileCounts> = counted.iter().map(|text| text.counts.clone()).collect();
        let (keys, _) = keys(&self.terms, &counts, (n_texts, n_bytes));
        let mut order: Vec<usize> = (0..counted.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(keys[at]));
        order
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        let found = self.beginnings.find_iter(text).take(SPANS_MAX);
        let span = |found: regex_automata::Match| Span {
            start: found.start(),
            end: found.end(),
            pattern: 0,
        };
        found.map(span).collect()
    }

    /// Returns the places in the best window: those of the lines with the most terms, in their order.
    fn places(&self, counts: &FileCounts, found: &FileMatches, n_places: usize) -> Vec<Place> {
        let (first, last) = counts.window;
        let mut places: Vec<(usize, Place)> = Vec::new();
        for line in found.lines.iter().filter(|line| (first.max(1)..=last).contains(&line.number)) {
            let text = String::from_utf8_lossy(&line.text);
            let mut terms = 0u32;
            let mut range = None;
            for span in &line.spans {
                let name = name_around(&text, span.start);
                let own = self.terms.in_name(&text[name.clone()]);
                terms |= own;
                range = range.or((own != 0).then_some(name));
            }
            if let Some(range) = range {
                places.push((self.terms.length(terms), Place { line: line.number, range }));
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

/// A line that is cut to no excerpt: paragraphs of documents are one line.
fn line(number: u64, text: &str, spans: Vec<Span>) -> Line {
    Line {
        is_match: true,
        number,
        last_number: number,
        offset: 0,
        text_start: 0,
        text: text.as_bytes().to_vec(),
        line_len: text.len(),
        spans,
        file_spans: None,
        enclosing: None,
    }
}
