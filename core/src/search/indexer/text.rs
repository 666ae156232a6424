//! The text of a file in the index: the text that a search would see.
//!
//! Any difference would lose matches, because a search does not open a file in whose indexed text its pattern
//! cannot match.

use crate::encoding;
use crate::index::Class;
use crate::search::file::reader::BINARY_PREFIX_BYTES;
use encoding_rs::Encoding;
use encoding_rs_io::DecodeReaderBytesBuilder;
use std::borrow::Cow;
use std::io::Read;

/// Larger files are not indexed, and always opened. Source trees contain generated headers of 23 MiB, and one
/// file that is searched each time takes longer than all the others that need not be.
pub(super) const FILE_BYTES_MAX: u64 = 32 << 20;

/// The decoded form of UTF-16 has at most three bytes for two, and so at most half as many again as the file.
const DECODED_BYTES_MAX: u64 = FILE_BYTES_MAX / 2 * 3;

/// Returns the class of a file with these bytes, and its text if it is a text file.
pub(super) fn classify(bytes: &[u8]) -> (Class, Option<Cow<'_, [u8]>>) {
    let marked = encoding::from_bom(bytes);
    if let Some((encoding, _)) = marked
        && encoding != encoding_rs::UTF_8
    {
        return match decode(bytes, encoding) {
            Some(text) => (Class::Text, Some(Cow::Owned(text))),
            None => (Class::Opaque, None),
        };
    }
    let bom = marked.map_or(0, |(_, len)| len);
    let text = &bytes[bom..];
    match memchr::memchr(0, text) {
        Some(nul) if nul < BINARY_PREFIX_BYTES - bom => (Class::Binary, None),
        // A search warns about it, so it must open the file.
        Some(_) => (Class::Opaque, None),
        None => (Class::Text, Some(Cow::Borrowed(text))),
    }
}

fn decode(bytes: &[u8], encoding: &'static Encoding) -> Option<Vec<u8>> {
    let mut builder = DecodeReaderBytesBuilder::new();
    builder.encoding(Some(encoding)).strip_bom(true).bom_override(true);
    let mut text = Vec::new();
    text.try_reserve(bytes.len()).ok()?;
    let reader = builder.build(bytes);
    let read = reader.take(DECODED_BYTES_MAX + 1).read_to_end(&mut text).ok()?;
    (read as u64 <= DECODED_BYTES_MAX).then_some(text)
}
