//! The beginnings of terms in a matching line. A search for the pattern a second time, for the positions, would
//! cost as much as everything else that is counted.

use super::Terms;

/// Finds the beginnings of terms in ASCII, in any case.
#[derive(Debug)]
pub(in crate::search) struct Beginnings {
    texts: Vec<String>,
    /// The texts that begin with a byte, as a set.
    by_first: Box<[u32; 256]>,
}

impl Beginnings {
    /// Returns those of `terms`; `None` where the search decides: it knows the case of all letters, and patterns.
    pub(in crate::search) fn of(terms: &Terms) -> Option<Beginnings> {
        let texts = terms.beginnings();
        if terms.are_patterns || !texts.iter().all(|text| text.is_ascii() && !text.is_empty()) {
            return None;
        }
        let mut by_first = Box::new([0; 256]);
        for (at, text) in texts.iter().enumerate() {
            let first = text.as_bytes()[0];
            by_first[usize::from(first.to_ascii_lowercase())] |= 1 << at;
            by_first[usize::from(first.to_ascii_uppercase())] |= 1 << at;
        }
        Some(Beginnings { texts, by_first })
    }

    /// Returns the position of the first one in `text` from byte `from`.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let is_here = |at: usize| {
            let mut set = self.by_first[usize::from(bytes[at])];
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
    fn other_letters_and_patterns_are_left_to_the_search() {
        assert!(Beginnings::of(&Terms::of_question("straße", &[], false)).is_some());
        assert!(Beginnings::of(&Terms::of_question("größe", &[], false)).is_none());
        let pattern = PatternOptions {
            patterns: vec!["a.c".to_owned()],
            syntax: Syntax::Regex,
            ..PatternOptions::default()
        };
        assert!(Beginnings::of(&Terms::of_patterns(&pattern)).is_none());
    }
}
