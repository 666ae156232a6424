//! Lower-casing as JavaScript's `toLowerCase` does it, and the way back to the original text.
//!
//! The full mapping of Unicode: `İ` becomes two characters, and a sigma at the end of a word another
//! one than elsewhere. `str::to_lowercase` does the same.

use crate::budget::{Budget, Stopped};
use std::ops::Range;

/// A longer text is folded in pieces, to be interruptible.
const PIECE_BYTES: usize = 64 * 1024;

/// Writes `text` in lower case into `folded`, which keeps its memory.
pub(super) fn fold_into(text: &str, folded: &mut String, budget: &Budget) -> Result<(), Stopped> {
    folded.clear();
    if text.is_ascii() {
        folded.push_str(text);
        folded.make_ascii_lowercase();
        return Ok(());
    }
    // What a sigma becomes depends on the word around it, so a piece may only end between words.
    let has_sigma = text.contains('Σ');
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(piece_end(rest, has_sigma));
        folded.push_str(&piece.to_lowercase());
        rest = after;
        budget.poll_clock()?;
    }
    Ok(())
}

fn piece_end(text: &str, only_between_words: bool) -> usize {
    if text.len() <= PIECE_BYTES {
        return text.len();
    }
    let end = (PIECE_BYTES..).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
    if !only_between_words {
        return end;
    }
    let space = memchr::memchr(b' ', &text.as_bytes()[end..]);
    space.map_or(text.len(), |space| end + space + 1)
}

/// Goes back from places in the folded text to places in the original; in ascending order only.
pub(super) struct Unfold<'a> {
    rest: std::str::Chars<'a>,
    original: usize,
    folded: usize,
}

impl<'a> Unfold<'a> {
    pub(super) fn new(original: &'a str) -> Unfold<'a> {
        Unfold { rest: original.chars(), original: 0, folded: 0 }
    }

    /// The characters of the original that the range of the folded text came from.
    pub(super) fn range(&mut self, folded: &Range<usize>) -> Range<usize> {
        while let Some((original, behind)) = self.peek()
            && behind <= folded.start
        {
            self.step(original, behind);
        }
        let start = self.original;
        // The last character may have become several, of which more are in the next range.
        let mut end = start;
        let mut ahead = Unfold { rest: self.rest.clone(), ..*self };
        while ahead.folded < folded.end
            && let Some((original, behind)) = ahead.peek()
        {
            ahead.step(original, behind);
            end = ahead.original;
        }
        start..end
    }

    /// Where the next character ends, in the original and folded.
    fn peek(&self) -> Option<(usize, usize)> {
        let next = self.rest.clone().next()?;
        let folded = if next.is_ascii() {
            1
        } else {
            next.to_lowercase().map(char::len_utf8).sum::<usize>()
        };
        Some((self.original + next.len_utf8(), self.folded + folded))
    }

    fn step(&mut self, original: usize, folded: usize) {
        self.rest.next();
        (self.original, self.folded) = (original, folded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::CancelToken;
    use proptest::prelude::*;

    fn fold(text: &str) -> String {
        let mut folded = String::from("old");
        let budget = Budget::new(None, &CancelToken::new());
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
    fn pieces_give_what_the_whole_gives() {
        for (unit, times) in [("Ça ÎΣ. ΑΣ ", 20_000), ("ÄΣ", 50_000), ("éÀ", 60_000)] {
            let text = unit.repeat(times);
            assert_eq!(fold(&text), text.to_lowercase(), "{unit:?}");
        }
    }

    #[test]
    fn ranges_lead_back_to_whole_characters() {
        let text = "aİbİK";
        assert_eq!(fold(text), "ai\u{307}bi\u{307}k");
        let mut back = Unfold::new(text);
        // The dot alone, then the dot with the b, then from the second i on.
        assert_eq!(&text[back.range(&(2..4))], "İ");
        assert_eq!(&text[back.range(&(2..5))], "İb");
        assert_eq!(&text[back.range(&(5..9))], "İK");
    }

    proptest! {
        #[test]
        fn a_character_leads_back_to_itself(text in "[a-zİıΣσςKÅẞéÉ한😀 .']{0,40}") {
            let folded = fold(&text);
            prop_assert_eq!(&folded, &text.to_lowercase());
            let mut back = Unfold::new(&text);
            let mut at = 0;
            for (start, c) in text.char_indices() {
                let len = c.to_lowercase().map(char::len_utf8).sum::<usize>();
                prop_assert_eq!(back.range(&(at..at + len)), start..start + c.len_utf8());
                at += len;
            }
            prop_assert_eq!(at, folded.len());
        }
    }
}
