//! Declared encodings: which of them a text is in, and the text in UTF-8.
//!
//! The declared order decides, and an encoding applies where the text has no errors in it. A guess from
//! letter frequencies would be wrong for short texts, and one more line could change the encoding of a file.
//! Encodings in which every byte is valid, such as windows-1252, can only be useful as the last one.

use super::labels::nearest_label;
use crate::budget::{Budget, Stopped};
use crate::error::{Error, Result};
use crate::room;
use encoding_rs::{DecoderResult, Encoding, UTF_8};
use std::borrow::Cow;
use std::collections::TryReserveError;
use std::sync::Arc;

/// A declaration of more encodings is refused: each may cost a pass over every text.
const ENCODINGS_MAX: usize = 16;
/// The budget is polled after each piece of this size, which takes well below a millisecond.
const BYTES_PER_POLL: usize = 64 * 1024;

/// Encodings in which texts without a byte order mark may be, in the order in which they are tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Encodings(Arc<[&'static Encoding]>);

/// A text in UTF-8 and the encoding that it was decoded from.
#[derive(Debug)]
pub(crate) struct Decoded<'b> {
    pub(crate) encoding: &'static Encoding,
    /// Borrowed where the file is in UTF-8.
    pub(crate) text: Cow<'b, [u8]>,
}

/// The reason why a text was not brought into another form.
#[derive(Debug)]
pub(crate) enum RecodeError {
    Stopped,
    OutOfMemory(TryReserveError),
}

impl From<Stopped> for RecodeError {
    fn from(Stopped: Stopped) -> RecodeError {
        RecodeError::Stopped
    }
}

impl From<TryReserveError> for RecodeError {
    fn from(error: TryReserveError) -> RecodeError {
        RecodeError::OutOfMemory(error)
    }
}

impl Encodings {
    /// Looks up encodings by their labels, such as `utf-8`, `shift_jis` or `windows-1252`.
    ///
    /// # Errors
    ///
    /// `invalid_param` that names `param` for an unknown label, for two labels of one encoding, and for
    /// more than 16.
    pub(crate) fn from_labels(param: &str, labels: &[String]) -> Result<Encodings> {
        let refuse = |predicate: String| Err(Error::invalid_param(param, predicate));
        if labels.len() > ENCODINGS_MAX {
            let n = labels.len();
            return refuse(format!("may have at most {ENCODINGS_MAX} encodings, got {n}"));
        }
        let mut encodings: Vec<&'static Encoding> = Vec::new();
        for label in labels {
            let Some(encoding) = Encoding::for_label_no_replacement(label.as_bytes()) else {
                let near = nearest_label(label);
                return refuse(format!(
                    "must have encoding labels such as 'utf-8', 'shift_jis' or \
                     'windows-1252', got '{label}'{near}"
                ));
            };
            if encodings.contains(&encoding) {
                let name = encoding.name();
                return refuse(format!("names {name} twice, the second time as '{label}'"));
            }
            encodings.push(encoding);
        }
        Ok(Encodings(encodings.into()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a text of ASCII bytes is the same text in each of the encodings. In UTF-16 and ISO-2022-JP it
    /// is not: there the same bytes may be other characters.
    pub(crate) fn keep_ascii(&self) -> bool {
        self.0.iter().all(|encoding| encoding.is_ascii_compatible())
    }

    /// Decodes a text from the first encoding in which it has no errors; `None` where it has errors in
    /// each of them. A text whose `bytes` are only the start of a file may end within a character.
    pub(crate) fn decode<'b>(
        &self,
        bytes: &'b [u8],
        is_whole: bool,
        budget: &Budget,
    ) -> std::result::Result<Option<Decoded<'b>>, RecodeError> {
        for &encoding in self.0.iter() {
            let text = if encoding == UTF_8 {
                is_utf8(bytes, is_whole).then_some(Cow::Borrowed(bytes))
            } else {
                decode(encoding, bytes, is_whole, budget)?.map(Cow::Owned)
            };
            if let Some(text) = text {
                return Ok(Some(Decoded { encoding, text }));
            }
        }
        Ok(None)
    }
}

fn is_utf8(bytes: &[u8], is_whole: bool) -> bool {
    // The flavour `compat` and not the slightly faster `basic`, because only it distinguishes an incomplete
    // character at the end from a wrong byte.
    match simdutf8::compat::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => !is_whole && error.error_len().is_none(),
    }
}

/// Decodes `bytes`; `None` where they are not valid in the encoding.
fn decode(
    encoding: &'static Encoding,
    bytes: &[u8],
    is_whole: bool,
    budget: &Budget,
) -> std::result::Result<Option<Vec<u8>>, RecodeError> {
    // Only texts without a byte order mark get here: a decoder that looked for one could switch to another
    // encoding.
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = Vec::new();
    let mut filled = 0;
    let mut rest = bytes;
    loop {
        let (piece, after) = rest.split_at(rest.len().min(BYTES_PER_POLL));
        // The bound is reserved piece by piece: for a whole text it can be three times the text, and most of
        // it would stay unused.
        let room_needed = decoder.max_utf8_buffer_length_without_replacement(piece.len());
        let needed = filled + room_needed.unwrap_or(usize::MAX - filled);
        let len = needed.max(text.len());
        room::resize(&mut text, len)?;
        let is_last = after.is_empty();
        let (result, _, written) = decoder.decode_to_utf8_without_replacement(
            piece,
            &mut text[filled..],
            is_last && is_whole,
        );
        filled += written;
        match result {
            DecoderResult::Malformed(..) => return Ok(None),
            // With this much room the decoder takes all of its input.
            DecoderResult::InputEmpty | DecoderResult::OutputFull => {}
        }
        if is_last {
            text.truncate(filled);
            return Ok(Some(text));
        }
        rest = after;
        budget.poll_clock()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    fn encodings(labels: &[&str]) -> Encodings {
        let labels: Vec<String> = labels.iter().map(ToString::to_string).collect();
        Encodings::from_labels("encodings", &labels).expect("the labels are known")
    }

    fn decoded(labels: &[&str], bytes: &[u8], is_whole: bool) -> Option<(&'static str, Vec<u8>)> {
        let budget = Budget::of(&Call::new());
        let decoded = encodings(labels).decode(bytes, is_whole, &budget).expect("there is time");
        decoded.map(|decoded| (decoded.encoding.name(), decoded.text.into_owned()))
    }

    #[test]
    fn the_first_encoding_without_errors_wins() {
        let sjis = b"\x93\xfa\x96{"; // 日本
        let utf8 = "日本".as_bytes();
        let all = ["utf-8", "shift_jis", "windows-1252"];
        assert_eq!(decoded(&all, sjis, true), Some(("Shift_JIS", utf8.to_vec())));
        assert_eq!(decoded(&all, utf8, true), Some(("UTF-8", utf8.to_vec())));
        assert_eq!(decoded(&all, b"caf\xe9", true), Some(("windows-1252", "café".into())));
        assert_eq!(decoded(&["utf-8", "euc-jp"], b"caf\xe9", true), None);
        assert_eq!(
            decoded(&["windows-1252", "utf-8"], b"\xc3\xa9", true).map(|(name, _)| name),
            Some("windows-1252")
        );
    }

    #[test]
    fn the_start_of_a_text_may_end_within_a_character() {
        for (label, bytes) in [("utf-8", &b"a\xe6\x97"[..]), ("shift_jis", b"a\x93")] {
            assert_eq!(decoded(&[label], bytes, true), None, "{label}");
            assert!(decoded(&[label], bytes, false).is_some(), "{label}");
        }
        assert_eq!(decoded(&["utf-8"], b"a\xff", false), None);
    }

    #[test]
    fn pieces_are_joined() {
        let text = "日本語".repeat(BYTES_PER_POLL);
        for encoding in [encoding_rs::SHIFT_JIS, encoding_rs::GB18030, encoding_rs::ISO_2022_JP] {
            let (bytes, _, _) = encoding.encode(&text);
            let decoded = decoded(&[encoding.name()], &bytes, true).expect("it is valid");
            assert!(decoded.1 == text.as_bytes(), "{}", encoding.name());
        }
    }

    #[test]
    fn bad_labels_are_named() {
        let error = |labels: &[&str]| {
            let labels: Vec<String> = labels.iter().map(ToString::to_string).collect();
            Encodings::from_labels("encodings", &labels).expect_err("a label is wrong")
        };
        let unknown = error(&["utf-8", "shift-jiss"]);
        assert_eq!((unknown.code(), unknown.param()), ("invalid_param", Some("encodings")));
        assert!(unknown.message().ends_with("did you mean 'shift_jis'?"), "{unknown}");
        assert!(error(&["latin1", "cp1252"]).message().contains("twice"));
        assert!(error(&["auto"]).message().contains("'auto'"));
        assert!(error(&["utf-8"; 17]).message().contains("17"));
    }
}
