//! Texts as bytes: their encodings and Unicode forms, with the way back to the bytes of the file.

mod decode;
mod labels;
mod nfc;
mod offsets;

pub(crate) use decode::{Decoded, Encodings, Recoding};
pub(crate) use labels::{as_native_path, from_bom, from_label};
pub use nfc::UnicodeForm;
pub(crate) use nfc::nfc;
pub(crate) use offsets::{DecodedOffsets, NfcOffsets, Offsets};
