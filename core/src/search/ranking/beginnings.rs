//! The beginnings of terms in a text. A search for the pattern a second time, for the positions, would cost as
//! much as everything else that is counted.

use super::Terms;
use super::terms::name_around;
use crate::budget::{Budget, Stopped};
use crate::syntax::is_name_char;
use regex_automata::util::prefilter::Prefilter;
use regex_automata::{MatchKind, Span};

/// Maximum number of literals for which the search for several at once is fast.
const LITERALS_MAX: usize = 64;
/// The lengths of the literals, of which the longest that are few enough are taken.
const LITERAL_LENGTHS: [usize; 2] = [3, 2];
/// A text is searched in pieces of this size between two polls.
const PIECE_BYTES: usize = 64 * 1024;

/// Finds the beginnings of terms in any case.
#[derive(Debug)]
pub(in crate::search) struct Beginnings {
    texts: Vec<String>,
    /// `None` if a text has other letters than those of ASCII, whose case bytes do not show.
    ascii: Option<Ascii>,
}

/// How beginnings in ASCII are found.
#[derive(Debug)]
struct Ascii {
    /// The texts that begin with a byte, as a set.
    by_first: Box<[u32; 256]>,
    /// Finds the first letters of all texts; `None` if there are too many.
    first_letters: Option<Prefilter>,
    /// The length of the longest text.
    longest: usize,
}

impl Beginnings {
    /// Returns those of `terms`; `None` if these are patterns, whose matches only the search knows.
    pub(in crate::search) fn of(terms: &Terms) -> Option<Beginnings> {
        let texts = terms.beginnings();
        if terms.are_patterns || texts.iter().any(String::is_empty) {
            return None;
        }
        if !texts.iter().all(|text| text.is_ascii()) {
            return Some(Beginnings { texts, ascii: None });
        }
        let mut by_first = Box::new([0; 256]);
        for (at, text) in texts.iter().enumerate() {
            let first = text.as_bytes()[0];
            by_first[usize::from(first.to_ascii_lowercase())] |= 1 << at;
            by_first[usize::from(first.to_ascii_uppercase())] |= 1 << at;
        }
        let first_letters = first_letters(&texts);
        let longest = texts.iter().map(String::len).max().unwrap_or_default();
        Some(Beginnings { texts, ascii: Some(Ascii { by_first, first_letters, longest }) })
    }

    /// Returns whether [`Beginnings::next`] is faster than a search for the lines.
    pub(in crate::search) fn are_fast(&self) -> bool {
        self.ascii.as_ref().is_some_and(|ascii| ascii.first_letters.is_some())
    }

    /// Returns the position of the first one in `text` from byte `from`, or of the name that has it.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<usize> {
        match &self.ascii {
            Some(ascii) => {
                (from..text.len()).find(|&at| self.is_at(ascii, u32::MAX, text.as_bytes(), at))
            }
            None => self.find_name(text, from),
        }
    }

    /// Returns the position of the first one in `text` from byte `from`, if they are fast to find.
    pub(super) fn next(
        &self,
        text: &[u8],
        from: usize,
        budget: &Budget,
    ) -> Result<Option<usize>, Stopped> {
        self.next_of(u32::MAX, text, from, budget)
    }

    /// Returns those that `terms`, a set, may begin with, as a set.
    pub(super) fn for_terms(&self, all: &Terms, terms: u32) -> u32 {
        let begins = |text: &String| all.may_begin_with(terms, text);
        let texts = self.texts.iter().enumerate().filter(|(_, text)| begins(text));
        texts.fold(0, |set, (at, _)| set | 1 << at)
    }

    /// Returns the position of the first one of `wanted`, a set, as [`Beginnings::next`] does.
    pub(super) fn next_of(
        &self,
        wanted: u32,
        text: &[u8],
        mut from: usize,
        budget: &Budget,
    ) -> Result<Option<usize>, Stopped> {
        let Some(ascii) = &self.ascii else { return Ok(None) };
        let Some(first_letters) = &ascii.first_letters else { return Ok(None) };
        loop {
            budget.poll()?;
            let end = text.len().min(from.saturating_add(PIECE_BYTES));
            while let Some(found) = first_letters.find(&text[..end], Span::from(from..end)) {
                if self.is_at(ascii, wanted, text, found.start) {
                    return Ok(Some(found.start));
                }
                from = found.start + 1;
            }
            if end == text.len() {
                return Ok(None);
            }
            // One may cross the end of the piece.
            from = from.max(end - ascii.longest);
        }
    }

    /// Returns whether one of `wanted` is at `at`, where a sub-word of a name may begin.
    fn is_at(&self, ascii: &Ascii, wanted: u32, text: &[u8], at: usize) -> bool {
        let mut set = ascii.by_first[usize::from(text[at])] & wanted;
        // A small letter after another letter begins no sub-word.
        let is_inner =
            text[at].is_ascii_lowercase() && at > 0 && text[at - 1].is_ascii_alphabetic();
        while set != 0 && !is_inner {
            let beginning = self.texts[set.trailing_zeros() as usize].as_bytes();
            let here = text.get(at..at + beginning.len());
            if here.is_some_and(|here| here.eq_ignore_ascii_case(beginning)) {
                return true;
            }
            set &= set - 1;
        }
        false
    }

    fn find_name(&self, text: &str, from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(start) = text[at..].find(is_name_char).map(|start| at + start) {
            let name = name_around(text, start);
            let lower = text[name.clone()].to_lowercase();
            if self.texts.iter().any(|beginning| lower.contains(beginning.as_str())) {
                return Some(start);
            }
            at = name.end;
        }
        None
    }
}

/// Returns the search for the first letters of each of `texts`; `None` if it would be slow.
fn first_letters(texts: &[String]) -> Option<Prefilter> {
    LITERAL_LENGTHS.iter().find_map(|&len| {
        let mut literals: Vec<String> =
            texts.iter().flat_map(|text| written(&text[..text.len().min(len)])).collect();
        literals.sort_unstable();
        literals.dedup();
        let are_few = literals.len() <= LITERALS_MAX;
        are_few.then(|| Prefilter::new(MatchKind::LeftmostFirst, &literals))?
    })
}

/// Returns the forms of the first letters of a word: `isd`, `Isd`, `ISD`, and `isD` and `IsD` of two sub-words that
/// are one word of the question. Others begin no sub-word; fewer literals are found faster.
fn written(letters: &str) -> [String; 5] {
    let (first, last) = (&letters[..1], &letters[letters.len() - 1..]);
    let inner = letters.get(1..letters.len() - 1).unwrap_or_default();
    let (upper_first, upper_last) = (first.to_ascii_uppercase(), last.to_ascii_uppercase());
    [
        letters.to_owned(),
        format!("{upper_first}{}", &letters[1..]),
        letters.to_ascii_uppercase(),
        format!("{first}{inner}{upper_last}"),
        format!("{upper_first}{inner}{upper_last}"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{PatternOptions, Syntax};

    #[test]
    fn every_beginning_is_found_in_any_case() {
        let terms = Terms::of_question("Retries of requests", &[], false);
        let beginnings = Beginnings::of(&terms).expect("they are ASCII");
        let text = "é re RETRY_REQUEST, unRequested, unrequested";
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = beginnings.find(text, from) {
            found.push(&text[at..at + 3]);
            from = at + 1;
        }
        // A small letter after another begins no word.
        assert_eq!(found, ["RET", "REQ", "Req"]);
        assert_eq!(beginnings.find(text, text.len()), None);
    }

    #[test]
    fn other_letters_than_those_of_ascii_have_a_case() {
        let terms = Terms::of_question("Größe", &[], false);
        let beginnings = Beginnings::of(&terms).expect("they are no patterns");
        let text = "é groß, die GRÖSSE und maxGröße";
        assert_eq!(beginnings.find(text, 0), text.find("maxGröße"));
        assert_eq!(beginnings.find(text, text.len()), None);
    }

    #[test]
    fn the_matches_of_patterns_are_left_to_the_search() {
        let pattern = PatternOptions {
            patterns: vec!["a.c".to_owned()],
            syntax: Syntax::Regex,
            ..PatternOptions::default()
        };
        assert!(Beginnings::of(&Terms::of_patterns(&pattern)).is_none());
    }
}
