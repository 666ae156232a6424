//! Texts as bytes: their encodings and Unicode forms, with the way back to the bytes of the file.
//!
//! A text is converted as a whole before it is searched. Converting the pattern instead would be wrong: bytes
//! of ASCII occur inside characters of Shift_JIS, so a pattern in bytes would match in the middle of a
//! character, and a class has no finite list of decomposed spellings.

mod decode;
mod labels;
mod nfc;
mod offsets;
mod text;

pub(crate) use decode::{Decoded, Encodings, RecodeError};
pub(crate) use labels::as_native_path;
pub(crate) use labels::from_bom;
pub use labels::from_label;
pub use nfc::UnicodeForm;
pub(crate) use nfc::nfc;
pub(crate) use offsets::{DecodedOffsets, NfcOffsets, Offsets};
pub(crate) use text::decode_text;
pub(crate) use text::{decode_bytes, is_encoded};
