//! From a file to the text of a document.

use crate::budget::{Budget, Stopped};
use crate::encoding;
use crate::workspace::fs::{File, FsError, read_retrying};
use encoding_rs::UTF_8;
use std::borrow::Cow;

/// No single read is larger, so that the budget is polled between.
const READ_BYTES_MAX: usize = 256 * 1024;
/// A buffer that a large document has blown up is not kept.
const KEPT_BYTES_MAX: usize = 1024 * 1024;

/// Why a document was not read.
pub(super) enum Unread {
    Stopped,
    TooLarge,
    Failed(FsError),
}

impl Unread {
    /// Why not, in a few words.
    pub(super) fn reason(&self, bytes_max: u64) -> String {
        match self {
            Unread::Stopped => "stopped".to_owned(),
            Unread::TooLarge => format!("larger than {} MiB", bytes_max >> 20),
            Unread::Failed(error) => error.reason(),
        }
    }
}

impl From<Stopped> for Unread {
    fn from(_: Stopped) -> Unread {
        Unread::Stopped
    }
}

impl From<FsError> for Unread {
    fn from(error: FsError) -> Unread {
        Unread::Failed(error)
    }
}

/// Reads the whole file into `buffer`, which keeps its memory.
pub(super) fn read<'b>(
    mut file: File,
    bytes_max: u64,
    buffer: &'b mut Vec<u8>,
    budget: &Budget,
) -> Result<&'b [u8], Unread> {
    let size = file.meta().size;
    if size > bytes_max {
        return Err(Unread::TooLarge);
    }
    if buffer.len() > KEPT_BYTES_MAX {
        *buffer = Vec::new();
    }
    let mut filled = 0;
    loop {
        budget.poll_clock()?;
        // One byte more than is expected, so that the end is seen without another read.
        let expected = usize::try_from(size).unwrap_or(usize::MAX).saturating_sub(filled);
        let wanted = expected.saturating_add(1).min(READ_BYTES_MAX);
        if buffer.len() < filled + wanted {
            buffer.resize((filled + wanted).next_power_of_two(), 0);
        }
        let room = &mut buffer[filled..];
        let room_len = room.len().min(READ_BYTES_MAX);
        let n = read_retrying(&mut file, &mut room[..room_len]).map_err(FsError::Io)?;
        filled += n;
        if filled as u64 > bytes_max {
            return Err(Unread::TooLarge);
        }
        if n == 0 || n < room_len && filled as u64 >= size {
            return Ok(&buffer[..filled]);
        }
    }
}

/// Whether the bytes have to be decoded before they can be searched.
pub(super) fn is_encoded(bytes: &[u8]) -> bool {
    encoding::from_bom(bytes).is_some_and(|(encoding, _)| encoding != UTF_8)
}

/// The text, without byte order mark; what is not UTF-8 becomes U+FFFD.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match encoding::from_bom(bytes) {
        Some((encoding, mark)) if encoding == UTF_8 => decode_utf8(&bytes[mark..]),
        Some((encoding, mark)) => encoding.decode_without_bom_handling(&bytes[mark..]).0,
        None => decode_utf8(bytes),
    }
}

fn decode_utf8(bytes: &[u8]) -> Cow<'_, str> {
    // The standard library does the same, a good deal slower.
    let text = simdutf8::basic::from_utf8(bytes).map(Cow::Borrowed);
    text.unwrap_or_else(|_| String::from_utf8_lossy(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for (bytes, expected) in [
            (&b"plain"[..], "plain"),
            (b"\xEF\xBB\xBFmarked", "marked"),
            (b"\xEF\xBB\xBF\xEF\xBB\xBFtwice", "\u{FEFF}twice"),
            (b"a\xFFb\xE2\x82", "a\u{FFFD}b\u{FFFD}"),
            (b"\xFF\xFEh\0i\0", "hi"),
            (b"\xFE\xFF\0h\0i", "hi"),
        ] {
            assert_eq!(decode(bytes), expected);
        }
        assert!(is_encoded(b"\xFF\xFEh\0") && !is_encoded(b"\xEF\xBB\xBFx") && !is_encoded(b"x"));
    }
}
