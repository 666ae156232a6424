//! Lower-casing as JavaScript's `toLowerCase` does it, and mapping ranges back to the original
//! text.
//!
//! Both use the full mapping of Unicode, as `str::to_lowercase` does: `İ` becomes two characters,
//! and a final sigma differs from one inside a word.

use crate::budget::{Budget, Stopped};
use crate::excerpt::floor_char_boundary;
use std::ops::Range;

/// Maximum size of a text that is folded at once; longer ones are folded in pieces to be
/// interruptible.
const PIECE_BYTES: usize = 64 * 1024;
/// The lower case of a sigma depends on the letters around it; a piece sees this much beyond its
/// ends.
const CONTEXT_BYTES: usize = 1024;
/// Characters mapped back between two polls: a fraction of a millisecond.
const CHARS_PER_POLL: usize = 4 * 1024;

/// Relation of positions in folded text to those in the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Places {
    /// Every character has as many bytes as before.
    Kept,
    /// Some positions may have moved.
    Moved,
}

/// Writes `text` in lower case into `folded`, which keeps its memory.
pub(super) fn fold_into(
    text: &str,
    folded: &mut String,
    budget: &Budget,
) -> Result<Places, Stopped> {
    folded.clear();
    if text.len() <= PIECE_BYTES {
        return Ok(fold_at_once(text, folded));
    }
    let mut start = 0;
    while start < text.len() {
        let end = floor_char_boundary(text, start + PIECE_BYTES);
        let before = floor_char_boundary(text, start.saturating_sub(CONTEXT_BYTES));
        let behind = floor_char_boundary(text, end + CONTEXT_BYTES);
        let piece = text[before..behind].to_lowercase();
        // The context folds to the same length wherever it is, for both forms of sigma have two
        // bytes: so its length says where to cut.
        let from = folded_len(&text[before..start]);
        let to = piece.len() - folded_len(&text[end..behind]);
        folded.push_str(&piece[from..to]);
        start = end;
        budget.poll_clock()?;
    }
    Ok(Places::Moved)
}

fn fold_at_once(text: &str, folded: &mut String) -> Places {
    let mut places = Places::Kept;
    let mut rest = text;
    loop {
        let n_ascii = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        let start = folded.len();
        folded.push_str(&rest[..n_ascii]);
        folded[start..].make_ascii_lowercase();
        rest = &rest[n_ascii..];
        let Some(c) = rest.chars().next() else {
            return places;
        };
        rest = &rest[c.len_utf8()..];
        match c {
            // Its lower case depends on the letters around it.
            'Σ' => {
                folded.clear();
                folded.push_str(&text.to_lowercase());
                return Places::Moved;
            }
            c if is_without_case(c) => folded.push(c),
            c => {
                let start = folded.len();
                folded.extend(c.to_lowercase());
                if folded.len() - start != c.len_utf8() {
                    places = Places::Moved;
                }
            }
        }
    }
}

/// Returns true for East Asian characters that certainly have no case; false says nothing.
fn is_without_case(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{A63F}' | '\u{AC00}'..='\u{D7FF}')
}

fn folded_len(text: &str) -> usize {
    text.chars().flat_map(char::to_lowercase).map(char::len_utf8).sum()
}

/// Maps ranges in the folded text to ranges in the original; in ascending order only.
///
/// It walks the original once, and only as far as the matches reach. A table of all positions would
/// cost several times the memory of the text, for documents that mostly have few matches.
pub(super) struct Unfold<'a> {
    rest: std::str::Chars<'a>,
    original: usize,
    folded: usize,
    budget: &'a Budget,
    steps: usize,
}

impl<'a> Unfold<'a> {
    pub(super) fn new(original: &'a str, budget: &'a Budget) -> Unfold<'a> {
        Unfold { rest: original.chars(), original: 0, folded: 0, budget, steps: 0 }
    }

    /// Returns the range of the original whose characters the folded range came from.
    pub(super) fn range(&mut self, folded: &Range<usize>) -> Result<Range<usize>, Stopped> {
        while let Some((original, behind)) = self.peek()
            && behind <= folded.start
        {
            self.step(original, behind)?;
        }
        let start = self.original;
        // One original character may fold to several, which the next range may share: look ahead in
        // a copy.
        let mut end = start;
        let mut ahead = Unfold { rest: self.rest.clone(), ..*self };
        while ahead.folded < folded.end
            && let Some((original, behind)) = ahead.peek()
        {
            ahead.step(original, behind)?;
            end = ahead.original;
        }
        Ok(start..end)
    }

    /// Returns the ends of the next character, in the original and folded.
    fn peek(&self) -> Option<(usize, usize)> {
        let next = self.rest.clone().next()?;
        let folded = if next.is_ascii() {
            1
        } else {
            next.to_lowercase().map(char::len_utf8).sum::<usize>()
        };
        Some((self.original + next.len_utf8(), self.folded + folded))
    }

    fn step(&mut self, original: usize, folded: usize) -> Result<(), Stopped> {
        self.rest.next();
        (self.original, self.folded) = (original, folded);
        self.steps += 1;
        if self.steps.is_multiple_of(CHARS_PER_POLL) { self.budget.poll_clock() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;
    use proptest::prelude::*;

    fn fold(text: &str) -> String {
        let mut folded = String::from("old");
        let budget = Budget::of(&Call::new());
        fold_into(text, &mut folded, &budget).expect("not stopped");
        folded
    }

    #[test]
    fn the_full_mapping() {
        for (text, expected) in [
            ("AbC", "abc"),
            ("İ", "i\u{307}"),
            ("ΟΔΟΣ ΣΑΣ.", "οδος σας."),
            ("Straße ẞ", "straße ß"),
            ("\u{212A}", "k"),
            ("한국어 ＡＢＣ", "한국어 ａｂｃ"),
        ] {
            assert_eq!(fold(text), expected);
        }
    }

    #[test]
    fn some_characters_have_no_case() {
        let all = ('\0'..=char::MAX).filter(|&c| is_without_case(c));
        let n_cased = all.clone().filter(|c| !c.to_lowercase().eq([*c])).count();
        assert_eq!((n_cased, all.count() > 40_000), (0, true));
    }

    #[test]
    fn places_are_kept_where_no_character_changes_its_length() {
        let budget = Budget::of(&Call::new());
        for (text, expected) in [
            ("AbC ÉÜ 한국어 Д", Places::Kept),
            ("a\u{212A}b", Places::Moved),
            ("AİB", Places::Moved),
            ("ΑΣ", Places::Moved),
        ] {
            let places = fold_into(text, &mut String::new(), &budget).expect("not stopped");
            assert_eq!(places, expected, "{text}");
        }
    }

    #[test]
    fn pieces_fold_like_the_whole() {
        for (unit, times) in [
            ("Ça ÎΣ. ΑΣ ", 20_000),
            ("ÄΣ", 50_000),
            ("éÀ", 60_000),
            ("Σ", 99_999),
            ("aΣ'İ", 50_001),
        ] {
            let text = unit.repeat(times);
            assert_eq!(fold(&text), text.to_lowercase(), "{unit:?}");
        }
    }

    #[test]
    fn ranges_map_back_to_whole_characters() {
        let text = "aİbİK";
        assert_eq!(fold(text), "ai\u{307}bi\u{307}k");
        let budget = Budget::of(&Call::new());
        let mut back = Unfold::new(text, &budget);
        let mut range = |range| back.range(&range).expect("not stopped");
        // The dot alone, then the dot with the b, then from the second i on.
        assert_eq!(&text[range(2..4)], "İ");
        assert_eq!(&text[range(2..5)], "İb");
        assert_eq!(&text[range(5..9)], "İK");
    }

    proptest! {
        #[test]
        fn a_character_maps_back_to_itself(text in "[a-zİıΣσςKÅẞéÉ한😀 .']{0,40}") {
            let folded = fold(&text);
            let at_once = fold_at_once(&text, &mut String::new());
            prop_assert!(at_once == Places::Moved || folded.len() == text.len());
            prop_assert_eq!(&folded, &text.to_lowercase());
            let budget = Budget::of(&Call::new());
            let mut back = Unfold::new(&text, &budget);
            let mut at = 0;
            for (start, c) in text.char_indices() {
                let len = c.to_lowercase().map(char::len_utf8).sum::<usize>();
                let range = back.range(&(at..at + len)).expect("not stopped");
                prop_assert_eq!(range, start..start + c.len_utf8());
                at += len;
            }
            prop_assert_eq!(at, folded.len());
        }
    }
}
