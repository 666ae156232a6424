//! Unicode Normalization Form C of texts that need not be valid UTF-8.
//!
//! A text is cut into segments that normalize independently of each other: a character with the marks
//! that combine with it. Almost all segments keep their bytes, so a text without changes is never copied,
//! and the offsets of one with changes can be led back by walking over the same segments again.

use super::decode::RecodeError;
use crate::budget::{Budget, Stopped};
use std::borrow::Cow;
use std::ops::Range;
use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The form in which patterns, texts and names are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnicodeForm {
    /// Their bytes. The default.
    #[default]
    Bytes,
    /// Normalization Form C, in which `é` is the same text whether it is one character or two.
    Nfc,
}

impl UnicodeForm {
    /// Returns the short text in this form.
    pub(crate) fn of_text(self, text: &str) -> Cow<'_, str> {
        match self {
            UnicodeForm::Bytes => Cow::Borrowed(text),
            UnicodeForm::Nfc => match nfc_string(text.as_bytes()) {
                Cow::Borrowed(_) => Cow::Borrowed(text),
                Cow::Owned(text) => Cow::Owned(String::from_utf8(text).unwrap_or_default()),
            },
        }
    }

    /// Returns the short text, which need not be valid UTF-8, in this form.
    pub(crate) fn of_bytes(self, text: &[u8]) -> Cow<'_, [u8]> {
        match self {
            UnicodeForm::Bytes => Cow::Borrowed(text),
            UnicodeForm::Nfc => nfc_string(text),
        }
    }
}

/// A longer run of combining marks is normalized in pieces. Unicode's stream-safe format allows 30; a
/// hostile text may have millions, which would have to be sorted at once.
const SEGMENT_CHARS_MAX: usize = 1024;
/// The budget is polled after this many segments.
const SEGMENTS_PER_POLL: usize = 4096;

/// A part of a text that normalizes by itself.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) range: Range<usize>,
    /// Its normalized text, where that differs.
    pub(super) changed: Option<String>,
}

/// Iterates over the segments of a text.
#[derive(Clone, Debug)]
pub(super) struct Segments<'t> {
    text: &'t [u8],
    at: usize,
    /// The valid UTF-8 from `at` on, if that is known. It is validated once and then cut: validating it
    /// for each segment would be quadratic.
    valid: &'t str,
}

impl<'t> Segments<'t> {
    pub(super) fn new(text: &'t [u8]) -> Segments<'t> {
        Segments { text, at: 0, valid: "" }
    }

    /// Returns the valid UTF-8 at the position; empty where a byte that is not UTF-8 comes first.
    fn valid(&mut self) -> &'t str {
        if self.valid.is_empty() {
            let mut chunks = self.text[self.at..].utf8_chunks();
            self.valid = chunks.next().map_or("", |chunk| chunk.valid());
        }
        self.valid
    }

    /// Moves on by `len` bytes and returns them as a segment.
    fn take(&mut self, len: usize, changed: Option<String>) -> Segment {
        let start = self.at;
        self.at += len;
        self.valid = self.valid.get(len..).unwrap_or_default();
        Segment { range: start..self.at, changed }
    }
}

/// Returns the length of the first segment of a text that is not empty.
fn segment_len(text: &str) -> usize {
    for (n, (len, char)) in text.char_indices().enumerate().skip(1) {
        if n == SEGMENT_CHARS_MAX || begins_segment(&text[..len], char) {
            return len;
        }
    }
    text.len()
}

/// Returns whether a character begins a segment after `before`, the segment so far: nothing before it combines
/// or trades places with it.
///
/// The first character of its decomposition decides. Singletons such as U+2126 (ohm) are not in the form, but
/// decompose to a character that begins a segment. A character that trades places has a combining class. One
/// without may still combine, as a Hangul vowel does with the consonant before it, but only with the very
/// character before it: marks in between would block it. Then all of `before` is one character in the
/// form, so there are few of them, and the look at `before` costs linear time in all.
fn begins_segment(before: &str, char: char) -> bool {
    let class = canonical_combining_class;
    let quick = |char| is_nfc_quick(std::iter::once(char));
    if char.is_ascii() || class(char) == 0 && quick(char) == IsNormalized::Yes {
        return true;
    }
    let mut first = None;
    decompose_canonical(char, |part| {
        first.get_or_insert(part);
    });
    let first = first.unwrap_or(char);
    if class(first) != 0 {
        return false;
    }
    quick(first) == IsNormalized::Yes
        || before.nfc().last().is_none_or(|last| compose(last, first).is_none())
}

impl Iterator for Segments<'_> {
    type Item = Segment;

    fn next(&mut self) -> Option<Segment> {
        let start = self.at;
        if start == self.text.len() {
            return None;
        }
        // A mark combines with a visible character before it, and never with a line end.
        let ascii = self.text[start..].iter().take_while(|byte| byte.is_ascii()).count();
        let has_base = ascii > 0 && self.text[start + ascii - 1].is_ascii_graphic();
        let is_last = start + ascii == self.text.len();
        let same = if is_last { ascii } else { ascii - usize::from(has_base) };
        if same > 0 {
            return Some(self.take(same, None));
        }
        let valid = self.valid();
        if valid.is_empty() {
            return Some(self.take(1, None));
        }
        let len = segment_len(valid);
        let source = &valid[..len];
        let is_same = is_nfc_quick(source.chars()) == IsNormalized::Yes;
        let changed = (!is_same).then(|| source.nfc().collect::<String>());
        // The quick check may answer "maybe" for a text that is normalized already.
        let changed = changed.filter(|changed| changed != source);
        Some(self.take(len, changed))
    }
}

/// Normalizes a text; `None` where it is in the form already.
pub(crate) fn nfc(text: &[u8], budget: &Budget) -> Result<Option<Vec<u8>>, RecodeError> {
    normalized(text, || budget.poll_clock())
}

fn normalized(
    text: &[u8],
    poll: impl Fn() -> Result<(), Stopped>,
) -> Result<Option<Vec<u8>>, RecodeError> {
    if text.is_ascii() {
        return Ok(None);
    }
    let mut normalized: Option<Vec<u8>> = None;
    for (n, segment) in Segments::new(text).enumerate() {
        if n % SEGMENTS_PER_POLL == 0 {
            poll()?;
        }
        let Segment { range, changed } = segment;
        if normalized.is_none() && changed.is_some() {
            let mut start = Vec::new();
            start.try_reserve(text.len())?;
            start.extend_from_slice(&text[..range.start]);
            normalized = Some(start);
        }
        if let Some(normalized) = &mut normalized {
            let piece = changed.as_ref().map_or(&text[range], |changed| changed.as_bytes());
            normalized.try_reserve(piece.len())?;
            normalized.extend_from_slice(piece);
        }
    }
    Ok(normalized)
}

/// Normalizes a short text, such as a pattern or a path.
pub(super) fn nfc_string(text: &[u8]) -> Cow<'_, [u8]> {
    match normalized(text, || Ok(())) {
        Ok(Some(normalized)) => Cow::Owned(normalized),
        // Nothing stops it, and a text this short always has room.
        Ok(None) | Err(_) => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;
    use proptest::prelude::*;

    fn of(text: &[u8]) -> Vec<u8> {
        let normalized = nfc(text, &Budget::of(&Call::new())).expect("there is time");
        let normalized = normalized.unwrap_or_else(|| text.to_vec());
        assert_eq!(nfc_string(text).as_ref(), normalized);
        normalized
    }

    #[test]
    fn marks_combine_with_what_is_before_them() {
        for (text, expected) in [
            ("cafe\u{301} x", "café x"),
            ("\n\u{301}e", "\n\u{301}e"),
            ("e\u{327}\u{301}", "ȩ\u{301}"),
            ("e\u{301}\u{327}", "ȩ\u{301}"),
            ("\u{1112}\u{1161}\u{11ab}", "한"),
            ("\u{f900}\u{212b}", "豈Å"),
            ("=\u{338}", "≠"),
        ] {
            assert_eq!(of(text.as_bytes()), expected.as_bytes(), "{text:?}");
        }
        assert_eq!(of(b"e\xcc\x81\xffe\xcc\x81\xcc"), b"\xc3\xa9\xff\xc3\xa9\xcc");
    }

    #[test]
    fn long_texts_take_linear_time() {
        // Quadratic work would take minutes.
        for text in
            ["日本", "e\u{301}日", "日\u{301}x", "\u{1161}", "\u{1100}\u{1161}\u{1161}", "\u{2126}"]
        {
            let text = text.repeat(1 << 18);
            assert_eq!(of(text.as_bytes()), text.nfc().collect::<String>().into_bytes());
        }
    }

    #[test]
    fn a_sequence_of_many_marks_is_cut() {
        let text = format!("e{}", "\u{327}\u{301}".repeat(1 << 20));
        assert!(of(text.as_bytes()).starts_with("ȩ".as_bytes()));
    }

    #[test]
    fn sequences_of_many_marks_take_linear_time() {
        let text = format!("e{}\u{1161}", "\u{301}".repeat(1000)).repeat(256);
        assert_eq!(of(text.as_bytes()), text.nfc().collect::<String>().into_bytes());
    }

    /// Returns the segments of a text.
    fn segments(text: &str) -> Vec<&str> {
        Segments::new(text.as_bytes()).map(|segment| &text[segment.range]).collect()
    }

    #[test]
    fn characters_that_do_not_combine_are_segments_of_their_own() {
        for (text, expected) in [
            ("10\u{2126}", vec!["1", "0", "\u{2126}"]),
            ("ab\u{f901}", vec!["a", "b", "\u{f901}"]),
            ("A\u{30a}\u{212b}", vec!["A\u{30a}", "\u{212b}"]),
            ("\u{f900}\u{f901}\u{301}", vec!["\u{f900}", "\u{f901}\u{301}"]),
            ("e\u{301}\u{1161}", vec!["e\u{301}", "\u{1161}"]),
            ("\u{1100}\u{1161}\u{11a8}\u{11a8}", vec!["\u{1100}\u{1161}\u{11a8}", "\u{11a8}"]),
            // Its decomposition begins with a mark.
            ("\u{f40}\u{f73}", vec!["\u{f40}\u{f73}"]),
        ] {
            assert_eq!(segments(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn segments_join_to_the_form_of_the_whole(
            text in "([a-e=\\n]|[\u{300}-\u{345}]|[éÅ한豈\u{1100}-\u{1112}]|[\u{1161}-\u{1175}\u{11a8}-\u{11c2}]|[\u{f71}-\u{f81}]|[\u{2adc}\u{fb1d}\u{1d15e}]|[\u{2126}\u{212a}\u{212b}\u{1f71}]|[\u{9c7}\u{9be}\u{16120}-\u{16128}\u{1611e}]|.){0,40}"
        ) {
            let expected: String = text.nfc().collect();
            prop_assert_eq!(of(text.as_bytes()), expected.into_bytes());
        }
    }
}
