//! A match with its context.

use std::ops::Range;

/// Marks a cut before or after the excerpt.
const CUT: &str = "...";
/// Encloses the match.
const MARK: &str = "**";

/// Returns the match `found` in `text` with `context_units` UTF-16 units on each side, on one line.
///
/// A side never ends inside a surrogate pair: it is one unit longer then.
pub(super) fn excerpt(text: &str, found: &Range<usize>, context_units: usize) -> String {
    let before = &text[..found.start];
    let behind = &text[found.end..];
    let start = before.len() - last_units(before, context_units);
    let end = found.end + first_units(behind, context_units);
    let mut excerpt = String::with_capacity(end - start + 2 * (CUT.len() + MARK.len()));
    if start > 0 {
        excerpt.push_str(CUT);
    }
    push_on_one_line(&mut excerpt, &text[start..found.start]);
    excerpt.push_str(MARK);
    excerpt.push_str(&text[found.clone()]);
    excerpt.push_str(MARK);
    push_on_one_line(&mut excerpt, &text[found.end..end]);
    if end < text.len() {
        excerpt.push_str(CUT);
    }
    excerpt
}

/// Returns the size in bytes of the last characters that make up `units` UTF-16 units.
fn last_units(text: &str, units: usize) -> usize {
    // Most texts are ASCII, where a unit is a byte.
    match text.len().checked_sub(units) {
        Some(start) if text.as_bytes()[start..].is_ascii() => return units,
        _ => {}
    }
    let mut n_units = 0;
    let starts = text.bytes().enumerate().rev().filter(|(_, byte)| units_from(*byte) > 0);
    let mut starts = starts.skip_while(|(_, byte)| {
        n_units += units_from(*byte);
        n_units < units
    });
    starts.next().map_or(text.len(), |(start, _)| text.len() - start)
}

/// Returns the size in bytes of the first characters that make up `units` UTF-16 units.
fn first_units(text: &str, units: usize) -> usize {
    match text.as_bytes().get(..units) {
        Some(start) if start.is_ascii() => return units,
        _ => {}
    }
    let mut n_units = 0;
    let end = text.bytes().position(|byte| {
        let is_end = n_units >= units && units_from(byte) > 0;
        n_units += units_from(byte);
        is_end
    });
    end.unwrap_or(text.len())
}

/// Returns the number of UTF-16 units of the character that starts with this byte; 0 inside a
/// character.
fn units_from(byte: u8) -> usize {
    match byte {
        0x80..0xC0 => 0,
        0xF0.. => 2,
        _ => 1,
    }
}

/// Appends `text` with each line end as a space.
fn push_on_one_line(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(end) = memchr::memchr(b'\n', rest.as_bytes()) {
        let line = &rest[..end];
        out.push_str(line.strip_suffix('\r').unwrap_or(line));
        out.push(' ');
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn excerpts() {
        for (text, word, units, expected) in [
            ("one word here", "word", 50, "one **word** here"),
            ("one word here", "word", 2, "...e **word** h..."),
            ("one word here", "one", 5, "**one** word..."),
            ("a\nb\r\nword\r\n", "word", 10, "a b **word** "),
            ("a\rword\r", "word", 10, "a\r**word**\r"),
            ("😀😀word😀😀", "word", 1, "...😀**word**😀..."),
            ("😀😀word😀😀", "word", 2, "...😀**word**😀..."),
            ("😀😀word😀😀", "word", 3, "😀😀**word**😀😀"),
            ("한국어 문서", "문서", 2, "...어 **문서**"),
        ] {
            let start = text.find(word).expect(word);
            let found = start..start + word.len();
            assert_eq!(excerpt(text, &found, units), expected, "{text:?} {units}");
        }
    }

    proptest! {
        #[test]
        fn units_are_those_of_utf_16(text in "[aé한😀]{0,12}", units in 0_usize..16) {
            let bytes_of = |chars: &mut dyn Iterator<Item = char>| {
                let mut n_units = 0;
                let within = chars.take_while(|c| {
                    let is_within = n_units < units;
                    n_units += c.len_utf16();
                    is_within
                });
                within.map(char::len_utf8).sum::<usize>()
            };
            prop_assert_eq!(first_units(&text, units), bytes_of(&mut text.chars()));
            prop_assert_eq!(last_units(&text, units), bytes_of(&mut text.chars().rev()));
        }
    }
}
