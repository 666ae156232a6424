//! The beginnings of terms in a matching line. A search for the pattern a second time, for the positions, would
//! cost as much as everything else that is counted.

use super::Terms;
use super::terms::name_around;
use crate::syntax::is_name_char;

/// Finds the beginnings of terms in any case.
#[derive(Debug)]
pub(in crate::search) struct Beginnings {
    texts: Vec<String>,
    /// The texts that begin with a byte, as a set; `None` if a text has other letters than those of ASCII, whose
    /// case bytes do not show.
    by_first: Option<Box<[u32; 256]>>,
}

impl Beginnings {
    /// Returns those of `terms`; `None` if these are patterns, whose matches only the search knows.
    pub(in crate::search) fn of(terms: &Terms) -> Option<Beginnings> {
        let texts = terms.beginnings();
        if terms.are_patterns || texts.iter().any(String::is_empty) {
            return None;
        }
        if !texts.iter().all(|text| text.is_ascii()) {
            return Some(Beginnings { texts, by_first: None });
        }
        let mut by_first = Box::new([0; 256]);
        for (at, text) in texts.iter().enumerate() {
            let first = text.as_bytes()[0];
            by_first[usize::from(first.to_ascii_lowercase())] |= 1 << at;
            by_first[usize::from(first.to_ascii_uppercase())] |= 1 << at;
        }
        Some(Beginnings { texts, by_first: Some(by_first) })
    }

    /// Returns the position of the first one in `text` from byte `from`, or of the name that has it.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<usize> {
        let Some(by_first) = &self.by_first else { return self.find_name(text, from) };
        let bytes = text.as_bytes();
        let is_here = |at: usize| {
            let mut set = by_first[usize::from(bytes[at])];
            while set != 0 {
                let beginning = self.texts[set.trailing_zeros() as usize].as_bytes();
                let here = bytes.get(at..at + beginning.len());
                if here.is_some_and(|here| here.eq_ignore_ascii_case(beginning)) {
                    return true;
                }
                set &= set - 1;
            }
            false
        };
        (from..bytes.len()).find(|&at| is_here(at))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{PatternOptions, Syntax};

    #[test]
    fn every_beginning_is_found_in_any_case() {
        let terms = Terms::of_question("Retries of requests", &[], false);
        let beginnings = Beginnings::of(&terms).expect("they are ASCII");
        let text = "é re RETRY_REQUEST, unRequested";
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = beginnings.find(text, from) {
            found.push(&text[at..at + 3]);
            from = at + 1;
        }
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
