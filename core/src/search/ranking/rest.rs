//! The parts of a text that are not counted: what follows in a long line, after many names of a line, and after
//! many lines. They do not move a file, but a reply says which words are nowhere, and which file has them all. So
//! they are read for the terms that the counted parts do not have.

use super::Beginnings;
use super::terms::{ABBREVIATION, Terms, name_around};
use crate::budget::{Budget, Stopped};
use crate::syntax::is_name_char;
use std::ops::Range;

/// Maximum number of bytes of these parts that are read in a file: a kernel has hundreds of generated headers of some
/// megabytes.
const BYTES_MAX: usize = 256 * 1024;
/// Maximum number of bytes before a part that are read to find the start of a name that the part continues.
const NAME_BYTES_MAX: usize = 128;

/// The parts of a text that are not counted. A thread reuses the memory from file to file.
#[derive(Default)]
pub(super) struct Rest {
    parts: Vec<Range<usize>>,
    /// The terms that were found in them and not in the counted parts, as a set.
    pub(super) terms: u32,
    /// Whether terms may be in a part that was not read.
    pub(super) is_partial: bool,
}

impl Rest {
    /// Begins with the next file.
    pub(super) fn start(&mut self) {
        self.parts.clear();
        (self.terms, self.is_partial) = (0, false);
    }

    /// Adds a part that follows the parts before it.
    pub(super) fn push(&mut self, part: Range<usize>) {
        if !part.is_empty() {
            self.parts.push(part);
        }
    }

    /// Reads the parts of `text` for the terms that `counted`, a set, does not have.
    pub(super) fn read(
        &mut self,
        (terms, beginnings): (&Terms, &Beginnings),
        text: &[u8],
        counted: u32,
        budget: &Budget,
    ) -> Result<(), Stopped> {
        let Rest { parts, terms: found, is_partial } = self;
        let mut missing = terms.all() & !counted;
        let mut room = BYTES_MAX;
        let mut word = String::new();
        for part in parts.drain(..) {
            if missing == 0 {
                break;
            }
            let start = name_start(text, part.start);
            let end = part.end.min(start.saturating_add(room));
            room -= end - start;
            *is_partial |= end < part.end;
            let part = String::from_utf8_lossy(&text[start..end]);
            let wanted = beginnings.for_terms(terms, missing);
            let mut next = beginnings.next_of(wanted, part.as_bytes(), 0, budget)?;
            while let Some(at) = next {
                let name = name_around(&part, at);
                let mut in_name = 0;
                terms.for_each_in(&part[name.clone()], &mut word, &mut |term, weight| {
                    in_name |= u32::from(weight != ABBREVIATION) << term;
                });
                *found |= in_name & missing;
                missing &= !in_name;
                next = match missing {
                    0 => None,
                    _ => beginnings.next_of(wanted, part.as_bytes(), name.end, budget)?,
                };
            }
        }
        *is_partial &= missing != 0;
        Ok(())
    }
}

/// Returns the start of the name that a cut at `at` has split, if it is near.
fn name_start(text: &[u8], at: usize) -> usize {
    let before = &text[at.saturating_sub(NAME_BYTES_MAX)..at];
    let in_name = |byte: &&u8| !byte.is_ascii() || is_name_char(char::from(**byte));
    at - before.iter().rev().take_while(in_name).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    fn rest_of(text: &str, parts: &[(usize, usize)], counted: u32) -> (u32, bool) {
        let terms = Terms::of_question("retries of requests with isdir", &[], false);
        let beginnings = Beginnings::of(&terms).expect("they are words");
        let mut rest = Rest::default();
        rest.start();
        parts.iter().for_each(|&(start, end)| rest.push(start..end));
        let budget = Budget::of(&Call::new());
        let read = rest.read((&terms, &beginnings), text.as_bytes(), counted, &budget);
        read.expect("time is unlimited");
        (rest.terms, rest.is_partial)
    }

    #[test]
    fn the_rest_is_read_for_terms_that_are_not_counted() {
        let text = "é Retry; max_requests é is_dir, re";
        for (parts, counted, found) in [
            (&[(0, text.len())][..], 0, 0b111),
            (&[(0, text.len())][..], 0b101, 0b010),
            (&[(0, text.len())][..], 0b111, 0),
            (&[(0, 4), (text.len() - 2, text.len())][..], 0, 0b000),
            // A name that the cut has split counts from its start.
            (&[(6, 8)][..], 0, 0b001),
            (&[(18, 28)][..], 0, 0b010),
            (&[][..], 0, 0),
        ] {
            assert_eq!(rest_of(text, parts, counted), (found, false), "{parts:?}, {counted}");
        }
    }

    #[test]
    fn a_long_rest_is_not_read_to_its_end() {
        let text = format!("{} retry", "- ".repeat(BYTES_MAX));
        assert_eq!(rest_of(&text, &[(0, text.len())], 0), (0, true));
        assert_eq!(rest_of(&text, &[(text.len() - 8, text.len())], 0b110), (0b001, false));
        assert_eq!(rest_of(&text, &[(0, text.len())], 0b111), (0, false));
    }

    #[test]
    fn a_file_with_all_terms_is_not_partial() {
        let terms = Terms::of_question("retries", &[], false);
        let beginnings = Beginnings::of(&terms).expect("they are words");
        let mut rest = Rest { is_partial: true, ..Rest::default() };
        rest.push(0..4);
        let budget = Budget::of(&Call::new());
        rest.read((&terms, &beginnings), b"text", 1, &budget).expect("time is unlimited");
        assert!(!rest.is_partial);
    }
}
