//! Decoding the bytes of a file that is read as a whole: a document, a file that is shown or parsed.

use super::decode::{Decoded, Encodings, RecodeError};
use super::labels::from_bom;
use crate::budget::{Budget, Stopped};
use encoding_rs::{Encoding, UTF_8};
use std::borrow::Cow;

/// Bytes decoded between two polls: a fraction of a millisecond.
const BYTES_PER_POLL: usize = 64 * 1024;

/// Returns whether the bytes must be decoded before they can be searched.
pub(crate) fn is_encoded(bytes: &[u8], encodings: &Encodings) -> bool {
    match from_bom(bytes) {
        Some((encoding, _)) => encoding != UTF_8,
        None => !(encodings.is_empty() || encodings.keep_ascii() && bytes.is_ascii()),
    }
}

/// Returns the text without byte order mark, decoded by its mark or else from the first of the declared
/// encodings in which it has no errors. Where there is none, these are the bytes as they are. Bytes that are
/// not `whole` are only the start of a file, which may end within a character.
pub(crate) fn decode_bytes<'b>(
    bytes: &'b [u8],
    is_whole: bool,
    encodings: &Encodings,
    budget: &Budget,
) -> Result<Cow<'b, [u8]>, Stopped> {
    match from_bom(bytes) {
        Some((encoding, mark)) if encoding == UTF_8 => Ok(Cow::Borrowed(&bytes[mark..])),
        Some((encoding, mark)) => {
            Ok(Cow::Owned(decode_other(encoding, &bytes[mark..], budget)?.into_bytes()))
        }
        None if !is_encoded(bytes, encodings) => Ok(Cow::Borrowed(bytes)),
        None => match encodings.decode(bytes, is_whole, budget) {
            Ok(Some(Decoded { text, .. })) => Ok(text),
            // Without memory for the decoded text it is read as it is.
            Ok(None) | Err(RecodeError::OutOfMemory(_)) => Ok(Cow::Borrowed(bytes)),
            Err(RecodeError::Stopped) => Err(Stopped),
        },
    }
}

/// Decodes the text as [`decode_bytes`] does; invalid UTF-8 becomes U+FFFD.
pub(crate) fn decode_text<'b>(
    bytes: &'b [u8],
    is_whole: bool,
    encodings: &Encodings,
    budget: &Budget,
) -> Result<Cow<'b, str>, Stopped> {
    match decode_bytes(bytes, is_whole, encodings, budget)? {
        Cow::Borrowed(text) => decode_utf8(text, budget),
        Cow::Owned(text) => Ok(Cow::Owned(String::from_utf8(text).unwrap_or_default())),
    }
}

fn decode_other(
    encoding: &'static Encoding,
    bytes: &[u8],
    budget: &Budget,
) -> Result<String, Stopped> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::new();
    let mut rest = bytes;
    loop {
        let (piece, after) = rest.split_at(rest.len().min(BYTES_PER_POLL));
        // The decoder writes only into reserved memory, and may have a rest even without input.
        text.reserve(decoder.max_utf8_buffer_length(piece.len()).unwrap_or(0));
        let (_, _, _) = decoder.decode_to_string(piece, &mut text, after.is_empty());
        if after.is_empty() {
            return Ok(text);
        }
        rest = after;
        budget.poll_clock()?;
    }
}

fn decode_utf8<'b>(bytes: &'b [u8], budget: &Budget) -> Result<Cow<'b, str>, Stopped> {
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return Ok(Cow::Borrowed(text));
    }
    let mut text = String::with_capacity(bytes.len());
    let mut next_poll = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        if text.len() >= next_poll {
            budget.poll_clock()?;
            next_poll = text.len() + BYTES_PER_POLL;
        }
    }
    Ok(Cow::Owned(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    #[test]
    fn texts() {
        let none = Encodings::default();
        for (bytes, expected) in [
            (&b"plain"[..], "plain"),
            (b"\xEF\xBB\xBFmarked", "marked"),
            (b"\xEF\xBB\xBF\xEF\xBB\xBFtwice", "\u{FEFF}twice"),
            (b"a\xFFb\xE2\x82", "a\u{FFFD}b\u{FFFD}"),
            (b"\xFF\xFEh\0i\0", "hi"),
            (b"\xFE\xFF\0h\0i", "hi"),
        ] {
            let budget = Budget::of(&Call::new());
            assert_eq!(decode_text(bytes, true, &none, &budget).as_deref(), Ok(expected));
        }
        let units = "aΣ😀".repeat(40_000);
        let utf16: Vec<u8> = std::iter::once(0xFEFF)
            .chain(units.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        let budget = Budget::of(&Call::new());
        assert!(
            decode_text(&utf16, true, &none, &budget).as_deref() == Ok(&units),
            "pieces make the whole"
        );
        assert_eq!(decode_text(b"\xFF\xFEh\0i", true, &none, &budget).as_deref(), Ok("h\u{FFFD}"));
        for (bytes, expected) in [
            (&b"\xFF\xFEh\0"[..], true),
            (b"\xEF\xBB\xBFx", false),
            (b"x", false),
            (b"\xe9", false),
        ] {
            assert_eq!(is_encoded(bytes, &none), expected, "{bytes:?}");
        }
    }

    #[test]
    fn declared_encodings() {
        let labels = ["utf-8", "shift_jis"].map(str::to_owned);
        let encodings = Encodings::from_labels("encodings", &labels).expect("they are known");
        let budget = Budget::of(&Call::new());
        let of = |bytes| decode_text(bytes, true, &encodings, &budget).expect("there is time");
        assert_eq!(of(b"\x93\xfa\x96{"), "日本");
        assert_eq!(of("日本".as_bytes()), "日本");
        assert_eq!(of(b"a\xff"), "a\u{FFFD}");
        let start =
            decode_text(b"\x93\xfa\x96", false, &encodings, &budget).expect("there is time");
        assert_eq!(start, "日");
        assert!(is_encoded(b"\x93\xfa", &encodings) && !is_encoded(b"x", &encodings));
    }
}
