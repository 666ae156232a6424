//! Texts that are searched in another form than their file has: decoded from one of several declared
//! encodings, or normalized.
//!
//! The whole text is changed before it is searched, so every part of the search sees one text. Only the
//! lines of a result are led back: text, offset and spans are those of the text before it was
//! normalized, and offsets those of the bytes in the file.

use super::collect::{FoundLine, ReadHalt};
use crate::budget::{Budget, Stopped};
use crate::encoding::{
    Decoded, DecodedOffsets, Encodings, NfcOffsets, Offsets, RecodeError, UnicodeForm, nfc,
};
use crate::pattern::Span;
use encoding_rs::Encoding;
use std::borrow::Cow;
use std::io;
use std::ops::Range;

/// The form in which texts are searched.
#[derive(Clone, Debug, Default)]
pub(in crate::search) struct TextForm {
    /// The encodings that texts without a byte order mark may be in.
    pub(in crate::search) encodings: Encodings,
    pub(in crate::search) unicode: UnicodeForm,
}

impl TextForm {
    /// Whether texts are searched as their files have them.
    pub(in crate::search) fn is_plain(&self) -> bool {
        self.encodings.is_empty() && self.unicode == UnicodeForm::Bytes
    }
}

/// A whole text in the form in which it is searched, with the forms that it had before.
pub(super) struct HeldText<'t> {
    pub(in crate::search) text: Cow<'t, [u8]>,
    /// The text before it was normalized, where that has changed it.
    unnormalized: Option<Cow<'t, [u8]>>,
    /// The bytes of the file and their encoding, where they were decoded. They are kept although the text is
    /// searched without them: offsets are found by decoding them once more.
    encoded: Option<(&'static Encoding, Cow<'t, [u8]>)>,
}

impl From<RecodeError> for io::Error {
    fn from(error: RecodeError) -> io::Error {
        match error {
            RecodeError::Stopped => ReadHalt::Stopped.into(),
            RecodeError::OutOfMemory(error) => error.into(),
        }
    }
}

impl<'t> HeldText<'t> {
    pub(in crate::search) fn new(text: Cow<'t, [u8]>) -> HeldText<'t> {
        HeldText { text, unnormalized: None, encoded: None }
    }

    /// Whether the text has memory of its own.
    pub(in crate::search) fn is_own(&self) -> bool {
        matches!(self.text, Cow::Owned(_))
    }

    /// Whether normalization has changed the text.
    pub(super) fn is_normalized(&self) -> bool {
        self.unnormalized.is_some()
    }

    /// Returns the encoding from which the text was decoded.
    pub(in crate::search) fn encoding(&self) -> Option<&'static Encoding> {
        self.encoded.as_ref().map(|(encoding, _)| *encoding)
    }

    /// Decodes the text from the first encoding in which it has no errors. It keeps its bytes where there
    /// is none.
    pub(in crate::search) fn decode(
        &mut self,
        encodings: &Encodings,
        budget: &Budget,
    ) -> io::Result<()> {
        // Most files of a project are ASCII, and this scan is faster than a decoder.
        if encodings.keep_ascii() && self.text.is_ascii() {
            return Ok(());
        }
        let decoded = encodings.decode(&self.text, true, budget)?;
        if let Some(Decoded { encoding, text: Cow::Owned(text) }) = decoded {
            let bytes = std::mem::replace(&mut self.text, Cow::Owned(text));
            self.encoded = Some((encoding, bytes));
        }
        Ok(())
    }

    pub(in crate::search) fn normalize(
        &mut self,
        form: UnicodeForm,
        budget: &Budget,
    ) -> io::Result<()> {
        if form == UnicodeForm::Nfc
            && let Some(normalized) = nfc(&self.text, budget)?
        {
            self.unnormalized = Some(std::mem::replace(&mut self.text, Cow::Owned(normalized)));
        }
        Ok(())
    }

    /// Returns the way back to the file, where the text has another form.
    pub(super) fn origin(&self) -> Option<Origin<'_>> {
        if self.unnormalized.is_none() && self.encoded.is_none() {
            return None;
        }
        let unnormalized = self.unnormalized.as_deref();
        let encoded = self.encoded.as_ref();
        Some(Origin {
            unnormalized: unnormalized.map(|text| (text, NfcOffsets::new(text))),
            encoded: encoded.map(|(encoding, bytes)| DecodedOffsets::new(encoding, bytes)),
        })
    }
}

/// The way back from the lines of a text to the file. Lines must come in their order.
pub(super) struct Origin<'t> {
    unnormalized: Option<(&'t [u8], NfcOffsets<'t>)>,
    encoded: Option<DecodedOffsets<'t>>,
}

/// A line as the file has it.
pub(super) struct OriginalLine<'l> {
    pub(super) line: FoundLine<'l>,
    pub(in crate::search) spans: Vec<Span>,
    /// The bytes of each match in the file, where the text was decoded.
    pub(in crate::search) file_spans: Option<Vec<Range<u64>>>,
}

impl Origin<'_> {
    /// Leads a line and the matches within it back to the file.
    pub(super) fn restore<'l>(
        &'l mut self,
        line: FoundLine<'l>,
        spans: Vec<Span>,
        budget: &Budget,
    ) -> Result<OriginalLine<'l>, Stopped> {
        let start = usize::try_from(line.offset).unwrap_or(usize::MAX);
        let of_spans = spans.iter().map(|span| start + span.start..start + span.end);
        let whole = start..start + line.bytes.len();
        let mut ranges: Vec<Range<usize>> = std::iter::once(whole).chain(of_spans).collect();
        let mut restored = OriginalLine { line, spans, file_spans: None };
        // The forms are undone in reverse order: a text is decoded before it is normalized.
        if let Some((text, offsets)) = &mut self.unnormalized {
            ranges = locate_all(offsets, &ranges, budget)?;
            let whole = ranges[0].clone();
            for (span, range) in restored.spans.iter_mut().zip(&ranges[1..]) {
                (span.start, span.end) = (range.start - whole.start, range.end - whole.start);
            }
            restored.line.bytes = &text[whole];
        }
        restored.line.offset = ranges[0].start as u64;
        if let Some(offsets) = &mut self.encoded {
            let in_file = locate_all(offsets, &ranges, budget)?;
            restored.line.offset = in_file[0].start as u64;
            let in_file = in_file[1..].iter();
            restored.file_spans =
                Some(in_file.map(|range| range.start as u64..range.end as u64).collect());
        }
        Ok(restored)
    }

    /// Returns the byte of the file at a position of the text. The position is not before those of the lines
    /// that were restored.
    pub(in crate::search) fn byte_at(
        &mut self,
        position: u64,
        budget: &Budget,
    ) -> Result<u64, Stopped> {
        let mut at = usize::try_from(position).unwrap_or(usize::MAX);
        if let Some((_, offsets)) = &mut self.unnormalized {
            at = offsets.locate(at, budget)?.start;
        }
        if let Some(offsets) = &mut self.encoded {
            at = offsets.locate(at, budget)?.start;
        }
        Ok(at as u64)
    }
}

/// Leads ranges of a text back to its source. A range that begins or ends within a character is widened to
/// all of it. The ends of all ranges are sorted first, because the walkers only move forward and the range of
/// the line contains those of its matches.
fn locate_all(
    offsets: &mut impl Offsets,
    ranges: &[Range<usize>],
    budget: &Budget,
) -> Result<Vec<Range<usize>>, Stopped> {
    let ends = ranges
        .iter()
        .enumerate()
        .flat_map(|(n, range)| [(range.start, n, false), (range.end, n, true)]);
    let mut ends: Vec<(usize, usize, bool)> = ends.collect();
    ends.sort_unstable();
    let mut located = vec![0..0; ranges.len()];
    for (position, n, is_end) in ends {
        let character = offsets.locate(position, budget)?;
        if is_end {
            located[n].end = if ranges[n].is_empty() { located[n].start } else { character.end };
        } else {
            located[n].start = character.start;
        }
    }
    Ok(located)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    fn restored(bytes: &[u8], labels: &[&str], number: usize, spans: &[Range<usize>]) -> String {
        let labels: Vec<String> = labels.iter().map(ToString::to_string).collect();
        let encodings = Encodings::from_labels("encodings", &labels).expect("they are known");
        let budget = Budget::of(&Call::new());
        let mut held = HeldText::new(Cow::Borrowed(bytes));
        held.decode(&encodings, &budget).expect("there is time");
        held.normalize(UnicodeForm::Nfc, &budget).expect("there is time");
        let mut origin = held.origin().expect("the text is changed");
        let mut offset = 0;
        let mut lines = held.text.split_inclusive(|byte| *byte == b'\n');
        for line in lines.by_ref().take(number - 1) {
            offset += line.len();
        }
        let line = FoundLine {
            number: number as u64,
            offset: offset as u64,
            bytes: lines.next().expect("there is such a line"),
            before: b"",
            piece: None,
        };
        let span = |range: &Range<usize>| Span { start: range.start, end: range.end, pattern: 0 };
        let spans = spans.iter().map(span).collect();
        let OriginalLine { line, spans, file_spans } =
            origin.restore(line, spans, &budget).expect("there is time");
        let spans: Vec<_> = spans.iter().map(|span| span.start..span.end).collect();
        format!(
            "{} {:?} {spans:?} {file_spans:?}",
            line.offset,
            String::from_utf8_lossy(line.bytes)
        )
    }

    #[test]
    fn a_line_maps_back_to_its_bytes() {
        // The second line, "é日" in NFC and in Shift_JIS.
        let decomposed = "cafe\u{301}\ne\u{301}日\n".as_bytes();
        assert_eq!(
            restored(decomposed, &[], 2, &[0..2, 2..5]),
            "7 \"e\\u{301}日\\n\" [0..3, 3..6] None"
        );
        let sjis = b"\x93\xfa\n\x83e\x83X\x83g\n"; // 日, テスト
        assert_eq!(
            restored(sjis, &["utf-8", "shift_jis"], 2, &[3..6, 9..9]),
            "3 \"テスト\\n\" [3..6, 9..9] Some([5..7, 9..9])"
        );
    }
}
