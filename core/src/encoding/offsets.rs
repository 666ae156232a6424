//! The way back: where a position of a decoded or normalized text is in the text that it was made from.
//!
//! Nothing is recorded while a text is made, because most texts have no match. A walker makes the text
//! again, character by character, up to the positions that are queried. So positions must not decrease
//! from call to call, and a file costs at most one more pass.

use super::nfc::{Segment, Segments};
use crate::budget::{Budget, Stopped};
use encoding_rs::{Decoder, Encoding};
use std::ops::Range;

/// The budget is polled after this many characters or segments.
const STEPS_PER_POLL: usize = 4096;

/// A walker over the characters of a text.
pub(crate) trait Offsets {
    /// Returns the bytes of the source that became the character at `position`. Both ends are the same
    /// where `position` is between characters.
    fn locate(&mut self, position: usize, budget: &Budget) -> Result<Range<usize>, Stopped>;
}

/// Positions in the source and in the text that was made from it.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    source: usize,
    text: usize,
}

/// The last step of a walker.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    from: Place,
    to: Place,
}

impl Step {
    fn locate(&self, position: usize) -> Range<usize> {
        let Step { from, to } = *self;
        if position >= to.text {
            to.source..to.source
        } else if position <= from.text {
            from.source..from.source
        } else {
            from.source..to.source
        }
    }
}

/// Leads positions in a decoded text back to the bytes of the file.
pub(crate) struct DecodedOffsets<'b> {
    decoder: Decoder,
    bytes: &'b [u8],
    /// Whether a byte of ASCII between two characters is a character of its own.
    keeps_ascii: bool,
    last: Step,
}

impl<'b> DecodedOffsets<'b> {
    /// Makes a walker over `bytes`, which have no errors in the encoding.
    pub(crate) fn new(encoding: &'static Encoding, bytes: &'b [u8]) -> DecodedOffsets<'b> {
        let decoder = encoding.new_decoder_without_bom_handling();
        let keeps_ascii = encoding.is_ascii_compatible();
        DecodedOffsets { decoder, bytes, keeps_ascii, last: Step::default() }
    }

    /// Decodes one character, or skips ASCII up to `position`. Returns false at the end.
    fn step(&mut self, position: usize) -> bool {
        let from = self.last.to;
        let rest = &self.bytes[from.source..];
        // The decoder is between characters here, so a byte of ASCII cannot be the second byte of one.
        // Skipping runs of ASCII without the decoder makes source code cheap.
        if self.keeps_ascii && rest.first().is_some_and(u8::is_ascii) {
            let wanted = &rest[..rest.len().min(position - from.text)];
            let n = wanted.iter().take_while(|byte| byte.is_ascii()).count();
            let to = Place { source: from.source + n, text: from.text + n };
            self.last = Step { from: to, to };
            return true;
        }
        // No character of a single encoding has more bytes in UTF-8, and big5 has pairs of characters.
        let mut room = [0; 16];
        // A decoder does not report where characters begin. With single bytes, the end of a character is
        // where output appears.
        for (n, byte) in rest.iter().enumerate() {
            let (_, _, written) = self.decoder.decode_to_utf8_without_replacement(
                std::slice::from_ref(byte),
                &mut room,
                false,
            );
            if written > 0 {
                let to = Place { source: from.source + n + 1, text: from.text + written };
                self.last = Step { from, to };
                return true;
            }
        }
        false
    }
}

impl Offsets for DecodedOffsets<'_> {
    fn locate(&mut self, position: usize, budget: &Budget) -> Result<Range<usize>, Stopped> {
        let mut n = 0;
        while self.last.to.text < position && self.step(position) {
            n += 1;
            if n % STEPS_PER_POLL == 0 {
                budget.poll_clock()?;
            }
        }
        Ok(self.last.locate(position))
    }
}

/// Leads positions in a normalized text back to the text before.
pub(crate) struct NfcOffsets<'t> {
    segments: Segments<'t>,
    last: Step,
    /// Whether the last segment has the same bytes in both texts.
    is_same: bool,
}

impl<'t> NfcOffsets<'t> {
    /// Makes a walker over the text before it was normalized.
    pub(crate) fn new(text: &'t [u8]) -> NfcOffsets<'t> {
        NfcOffsets { segments: Segments::new(text), last: Step::default(), is_same: true }
    }
}

impl Offsets for NfcOffsets<'_> {
    fn locate(&mut self, position: usize, budget: &Budget) -> Result<Range<usize>, Stopped> {
        let mut n = 0;
        while self.last.to.text < position
            && let Some(Segment { range, changed }) = self.segments.next()
        {
            let from = self.last.to;
            self.is_same = changed.is_none();
            let len = changed.map_or(range.len(), |text| text.len());
            let to = Place { source: range.end, text: from.text + len };
            self.last = Step { from, to };
            n += 1;
            if n % STEPS_PER_POLL == 0 {
                budget.poll_clock()?;
            }
        }
        let Step { from, to } = self.last;
        if self.is_same && (from.text..to.text).contains(&position) {
            let at = from.source + (position - from.text);
            return Ok(at..at);
        }
        Ok(self.last.locate(position))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Encodings;
    use super::super::nfc::nfc_string;
    use super::*;
    use crate::call::Call;
    use proptest::prelude::*;

    fn budget() -> Budget {
        Budget::of(&Call::new())
    }

    /// Every position of each text, character by character, in an encoding whose characters can be
    /// encoded one at a time.
    fn check_decoded(label: &str, text: &str) {
        let encodings = Encodings::from_labels("encodings", &[label.to_owned()]).expect(label);
        let encoding = Encoding::for_label(label.as_bytes()).expect(label);
        let mut bytes = Vec::new();
        let mut expected = Vec::new();
        for char in text.chars() {
            let char = char.to_string();
            let (encoded, _, _) = encoding.encode(&char);
            // Shift_JIS encodes the yen sign as the byte that it decodes to a backslash.
            if encoding.decode_without_bom_handling(&encoded).0 != char {
                continue;
            }
            let whole = bytes.len()..bytes.len() + encoded.len();
            expected.push(whole.start..whole.start);
            expected.extend(std::iter::repeat_n(whole, char.len() - 1));
            bytes.extend_from_slice(&encoded);
        }
        expected.push(bytes.len()..bytes.len());
        let decoded = encodings.decode(&bytes, true, &budget()).expect("there is time");
        let decoded = decoded.expect("it has no errors");
        assert_eq!(decoded.text.len() + 1, expected.len());
        let mut offsets = DecodedOffsets::new(encoding, &bytes);
        for (position, expected) in expected.iter().enumerate() {
            let located = offsets.locate(position, &budget()).expect("there is time");
            assert_eq!(&located, expected, "{label} {position} {text:?}");
        }
        // A jump arrives where steps do.
        for position in [expected.len() / 2, expected.len() - 1] {
            let mut offsets = DecodedOffsets::new(encoding, &bytes);
            let located = offsets.locate(position, &budget()).expect("there is time");
            assert_eq!(located, expected[position], "{label} {position} {text:?}");
        }
    }

    proptest! {
        #[test]
        fn each_character_leads_to_its_bytes(text in "([a-z\\n ]|[日本語のテスト한국]|[éüß€]|.){0,30}") {
            for label in ["shift_jis", "euc-jp", "euc-kr", "gb18030", "big5", "windows-1252"] {
                check_decoded(label, &text);
            }
        }

        #[test]
        fn each_place_leads_to_the_text_before(
            text in "([a-e\\n]|[\u{300}-\u{345}]|[éÅ한豈\u{1100}\u{1161}\u{11a8}]){0,30}"
        ) {
            let normalized = nfc_string(text.as_bytes()).into_owned();
            let mut offsets = NfcOffsets::new(text.as_bytes());
            let mut last = 0;
            for position in 0..=normalized.len() {
                let Range { start, end } = offsets.locate(position, &budget()).expect("there is time");
                prop_assert!(start >= last && end >= start && end <= text.len());
                last = start;
                if start == end {
                    // Both sides of a cut normalize by themselves.
                    let (before, after) = text.as_bytes().split_at(start);
                    prop_assert_eq!(nfc_string(before).into_owned(), &normalized[..position]);
                    prop_assert_eq!(nfc_string(after).into_owned(), &normalized[position..]);
                }
            }
            prop_assert_eq!(last, text.len());
        }
    }

    #[test]
    fn escapes_belong_to_the_character_after_them() {
        let (bytes, _, _) = encoding_rs::ISO_2022_JP.encode("a日b");
        let mut offsets = DecodedOffsets::new(encoding_rs::ISO_2022_JP, &bytes);
        let mut at = |position| offsets.locate(position, &budget()).expect("there is time");
        // ESC $ B, two bytes, ESC ( B, and the letter.
        assert_eq!([at(0), at(1), at(4), at(5)], [0..0, 1..1, 6..6, 10..10]);
    }
}
