//! Counts the terms in the text of one file: in the whole text where the search holds it and only the terms
//! decide, else in the matching lines that the search has found.

use super::counts::NameCounts;
use super::rest::Rest;
use super::terms::{ABBREVIATION, PART, Terms, WHOLE, name_around};
use super::{Beginnings, LINE_BYTES_MAX, LINES_MAX, SPANS_MAX};
use crate::budget::{Budget, Stopped};
use crate::excerpt;
use crate::lines::{text_of, to_text};
use crate::search::{FileMatches, Line};
use crate::syntax::{Likeness, is_name_char, likeness};
use std::borrow::Cow;
use std::ops::Range;

/// The weight of a line that only has the form of a definition, compared with one that has a keyword.
const WEAK_DEFINITION: f32 = 0.4;
/// Least similarity of a name to one of the question.
const SIMILAR_MIN: f32 = 0.6;

/// What is counted.
#[derive(Clone, Copy)]
pub(super) struct Sought<'a> {
    pub(super) terms: &'a Terms,
    /// Finds the terms in a text; without it a line has its matches.
    pub(super) beginnings: Option<&'a Beginnings>,
}

/// What the text of a file has of the terms. A thread reuses the memory from file to file.
#[derive(Default)]
pub(super) struct TextCounter {
    /// The occurrences: line, term, weight.
    pub(super) occurrences: Vec<(u64, usize, f32)>,
    /// The weighted number of occurrences of each term in names that a line defines.
    pub(super) in_definitions: Vec<f32>,
    /// The relation of the text to each name of the question.
    pub(super) names: Vec<NameCounts>,
    /// The terms of the line with the most and longest of them, as a set.
    pub(super) in_line: u32,
    /// Whether a line has the question as written, or may have: in a part of it that was not counted.
    pub(super) may_have_phrase: bool,
    /// The parts of the text that were not counted.
    pub(super) rest: Rest,
    /// The size of the file, if its text was counted as a whole.
    pub(super) size: Option<u64>,
    /// Memory for the choice of the best window.
    pub(super) in_window: Vec<f32>,
    word: String,
}

/// A line as it is counted.
struct Shown<'a> {
    number: u64,
    text: &'a str,
}

impl TextCounter {
    /// Begins with the next file.
    pub(super) fn start(&mut self, terms: &Terms) {
        self.occurrences.clear();
        self.in_definitions.clear();
        self.in_definitions.resize(terms.len(), 0.0);
        self.names.clear();
        self.names.resize(terms.names.len(), NameCounts::default());
        self.rest.start();
        (self.in_line, self.may_have_phrase, self.size) = (0, false, None);
    }

    /// Returns whether no term was found.
    pub(super) fn is_empty(&self) -> bool {
        self.occurrences.is_empty()
    }

    /// Counts the matching lines of a search.
    pub(super) fn count_lines(&mut self, sought: Sought<'_>, found: &FileMatches) {
        self.skip_rest(found.cut.is_some());
        for line in found.lines.iter().filter(|line| line.is_match) {
            let text = to_text(&line.text);
            self.skip_rest(line.is_truncated());
            let shown = Shown { number: line.number, text: &text };
            let first = self.occurrences.len();
            match sought.beginnings {
                Some(beginnings) => self.count_names(sought.terms, beginnings, &shown),
                None => self.count_spans(sought.terms, line, &shown),
            }
            self.end_line(sought.terms, &shown, first);
        }
    }

    /// Notes that the search has left out a part of the text, if it `is_cut`.
    fn skip_rest(&mut self, is_cut: bool) {
        self.may_have_phrase |= is_cut;
        self.rest.is_partial |= is_cut;
    }

    /// Counts a whole text. Its lines count as those of a search do, up to `LINES_MAX`.
    pub(super) fn count_text(
        &mut self,
        (terms, beginnings): (&Terms, &Beginnings),
        text: &[u8],
        budget: &Budget,
    ) -> Result<(), Stopped> {
        // The number of the line that begins at `numbered`.
        let (mut number, mut numbered) = (1, 0);
        let mut n_lines = 0;
        let mut next = beginnings.next(text, 0, budget)?;
        while let Some(hit) = next {
            n_lines += 1;
            if n_lines > LINES_MAX {
                self.may_have_phrase = true;
                self.rest.push(hit..text.len());
                break;
            }
            let start = memchr::memrchr(b'\n', &text[..hit]).map_or(0, |line_end| line_end + 1);
            let end = memchr::memchr(b'\n', &text[hit..]).map_or(text.len(), |n| hit + n + 1);
            number += memchr::memchr_iter(b'\n', &text[numbered..start]).count() as u64;
            numbered = start;
            let line = text_of(&text[start..end]);
            let at = (hit - start).min(line.len());
            let window = excerpt::window(line, at..line.len().min(at + 1), LINE_BYTES_MAX);
            self.may_have_phrase |= window.len() < line.len();
            let first = self.occurrences.len();
            let (base, window_end) = (start + window.start, window.end);
            let shown = to_text(&line[window]);
            let shown_line = Shown { number, text: &shown };
            next = match &shown {
                Cow::Borrowed(valid) => {
                    let mut next = Some(hit);
                    for _ in 0..SPANS_MAX {
                        let Some(at) = next.filter(|at| *at < base + valid.len()) else { break };
                        let name = name_around(valid, at - base);
                        let name_end = base + name.end;
                        self.count_name(terms, &shown_line, name);
                        next = beginnings.next(text, name_end, budget)?;
                    }
                    if let Some(at) = next.filter(|at| *at < base + valid.len()) {
                        self.rest.push(at..base + valid.len());
                    }
                    next
                }
                Cow::Owned(_) => {
                    self.count_names(terms, beginnings, &shown_line);
                    None
                }
            };
            self.rest.push(start + window_end..start + line.len());
            self.end_line(terms, &shown_line, first);
            if next.is_none_or(|next| next < end) {
                next = beginnings.next(text, end, budget)?;
            }
        }
        let counted = self.occurrences.iter().filter(|(_, _, weight)| *weight != ABBREVIATION);
        let counted = counted.fold(0, |set, (_, term, _)| set | 1 << term);
        self.rest.read((terms, beginnings), text, counted, budget)
    }

    /// Ends a line, whose first occurrence is the one at `first`.
    fn end_line(&mut self, terms: &Terms, line: &Shown<'_>, first: usize) {
        self.may_have_phrase = self.may_have_phrase || terms.is_written_in(line.text);
        let added = self.occurrences[first..].iter();
        let in_line = added.fold(0u32, |set, (_, term, _)| set | 1 << term);
        if in_line & !self.in_line != 0 && terms.length(in_line) > terms.length(self.in_line) {
            self.in_line = in_line;
        }
    }

    /// Counts the matches of a search in a line.
    fn count_spans(&mut self, terms: &Terms, line: &Line, shown: &Shown<'_>) {
        let mut counted = 0;
        for span in &line.spans {
            let Some(start) = span.start.checked_sub(line.text_start) else { continue };
            if start < counted && counted > 0 || !shown.text.is_char_boundary(start) {
                continue;
            }
            if terms.are_patterns {
                let end = span.end.saturating_sub(line.text_start);
                self.count_match((terms, span.pattern), shown, start..end);
                continue;
            }
            let name = name_around(shown.text, start);
            counted = name.end;
            self.count_name(terms, shown, name);
        }
    }

    /// Counts the first names of a line with the beginning of a term.
    fn count_names(&mut self, terms: &Terms, beginnings: &Beginnings, line: &Shown<'_>) {
        let mut from = 0;
        for _ in 0..SPANS_MAX {
            let Some(start) = beginnings.find(line.text, from) else { return };
            let name = name_around(line.text, start);
            from = name.end;
            self.count_name(terms, line, name);
        }
        self.rest.is_partial |= beginnings.find(line.text, from).is_some();
    }

    /// Counts a match of a pattern that is a term.
    fn count_match(
        &mut self,
        (terms, term): (&Terms, usize),
        line: &Shown<'_>,
        span: Range<usize>,
    ) {
        let (Some(before), Some(after)) = (line.text.get(..span.start), line.text.get(span.end..))
        else {
            return;
        };
        if term >= terms.len() {
            return;
        }
        let is_whole = !before.ends_with(is_name_char) && !after.starts_with(is_name_char);
        let weight = if is_whole { WHOLE } else { PART };
        self.occurrences.push((line.number, term, weight));
        let likeness = likeness(before, after);
        self.in_definitions[term] += weight * definition_weight(likeness);
        let name = terms.names.iter().position(|name| name.terms == 1 << term);
        if let Some(name) = name.filter(|_| is_whole && likeness != Likeness::None) {
            let counts = &mut self.names[name];
            counts.is_defined |= likeness == Likeness::Strong;
            counts.similar_defined = counts.similar_defined.max(definition_weight(likeness));
            counts.is_type |= likeness == Likeness::Strong && defines_type(before);
        }
    }

    /// Counts the terms in a name of a line.
    fn count_name(&mut self, terms: &Terms, line: &Shown<'_>, range: Range<usize>) {
        let name = &line.text[range.clone()];
        let first = self.occurrences.len();
        let TextCounter { occurrences, word, .. } = self;
        let (set, n_parts) = terms.for_each_in(name, word, &mut |term, weight| {
            occurrences.push((line.number, term, weight));
        });
        if set == 0 {
            return;
        }
        let (before, after) = (&line.text[..range.start], &line.text[range.end..]);
        let likeness = likeness(before, after);
        let weight = definition_weight(likeness);
        if weight > 0.0 {
            for (_, term, n) in &self.occurrences[first..] {
                self.in_definitions[*term] += n * weight;
            }
        }
        for (wanted, counts) in terms.names.iter().zip(&mut self.names) {
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

#[cfg(test)]
mod tests {
    use super::super::FileCounts;
    use super::*;
    use crate::call::{Call, CancelToken};
    use proptest::prelude::*;

    const QUESTION: &str = "isdir of retries in SplitNetAddr and io";

    fn terms() -> (Terms, Beginnings) {
        let terms = Terms::of_question(QUESTION, &["SplitNetAddr".to_owned()], false);
        let terms = terms.with_phrase("is dir");
        let beginnings = Beginnings::of(&terms).expect("they are words");
        assert!(beginnings.are_fast());
        (terms, beginnings)
    }

    fn by_text(terms: &Terms, beginnings: &Beginnings, text: &[u8]) -> Option<FileCounts> {
        let mut counter = TextCounter::default();
        counter.start(terms);
        let budget = Budget::of(&Call::new());
        counter.count_text((terms, beginnings), text, &budget).expect("time is unlimited");
        FileCounts::of(terms, "a.rs", &mut counter)
    }

    fn by_lines(terms: &Terms, beginnings: &Beginnings, text: &[u8]) -> Option<FileCounts> {
        let mut found = FileMatches::empty();
        for (line, number) in text.split_inclusive(|byte| *byte == b'\n').zip(1..) {
            let line = to_text(text_of(line)).into_owned();
            if beginnings.find(&line, 0).is_some() {
                found.lines.push(Line::whole(number, &line));
            }
        }
        let mut counter = TextCounter::default();
        counter.start(terms);
        counter.count_lines(Sought { terms, beginnings: Some(beginnings) }, &found);
        FileCounts::of(terms, "a.rs", &mut counter)
    }

    /// Only a whole text has the parts that are not counted.
    fn without_rest(counts: FileCounts) -> FileCounts {
        FileCounts { in_rest: 0, is_partial: false, ..counts }
    }

    proptest! {
        #[test]
        fn a_text_counts_as_its_lines(
            words in prop::collection::vec(
                prop::sample::select(&[
                    "isdir", "isDir", "IS_DIR", "is dir", "retried", "Retry", "RETRIES", "unretried", "toRetry",
                    "splitNetAddr", "split_network_address", "fn ", "class ", "io", "IO", "radio", "stdio", "é",
                    "\n", "\n", "\r\n", " ", " ", "_", "(", "=", "\u{fffd}", "x",
                ][..]),
                0..60,
            ),
            is_cut in any::<bool>(),
        ) {
            let (terms, beginnings) = terms();
            let mut text = words.concat().into_bytes();
            if is_cut {
                // A byte that begins a character without ending it.
                text.insert(text.len() / 2, 0xc3);
            }
            prop_assert_eq!(
                by_text(&terms, &beginnings, &text).map(without_rest),
                by_lines(&terms, &beginnings, &text).map(without_rest)
            );
        }
    }

    #[test]
    fn a_text_of_many_pieces_counts_as_its_lines() {
        let (terms, beginnings) = terms();
        let line = format!("{}\n", "x retry = isDir; ".repeat(3));
        let empty = "\n".repeat(70_000);
        let text = [line.repeat(400), empty.clone(), line.repeat(200), empty, line].concat();
        let counts = by_text(&terms, &beginnings, text.as_bytes());
        assert_eq!(counts, by_lines(&terms, &beginnings, text.as_bytes()));
        assert_eq!(counts.map(|counts| counts.n_blocks), Some(vec![18, 18, 0, 0, 0, 0]));
    }

    #[test]
    fn the_first_lines_of_a_text_suffice() {
        let (terms, beginnings) = terms();
        let lines = "retry\n".repeat(1_001);
        let counts = by_text(&terms, &beginnings, lines.as_bytes()).expect("it has a term");
        assert!(counts.may_have_phrase && (counts.in_text[1] - 800.0).abs() < 1.0, "{counts:?}");
    }

    #[test]
    fn a_long_line_is_counted_around_its_first_name() {
        let (terms, beginnings) = terms();
        let line = [&"- ".repeat(500), "retry isdir", &"- ".repeat(500), "io"].concat();
        let counts = by_text(&terms, &beginnings, line.as_bytes()).expect("it has a term");
        assert_eq!((counts.in_line, counts.may_have_phrase), (0b11, true));
    }

    #[test]
    fn a_cancelled_call_ends_in_the_text() {
        let (terms, beginnings) = terms();
        let cancel = CancelToken::new();
        cancel.cancel();
        let budget = Budget::of(&Call::new().with_cancel(&cancel));
        let mut counter = TextCounter::default();
        counter.start(&terms);
        assert_eq!(counter.count_text((&terms, &beginnings), b"retry", &budget), Err(Stopped));
    }
}
