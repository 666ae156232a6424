//! The encoding of a text: by its byte order mark, else by a label, else UTF-8.

use crate::error::{Error, Result};
use encoding_rs::{Encoding, UTF_8};
use std::borrow::Cow;
use std::path::Path;

/// Looks up an encoding by its label, such as `utf-16le`, `latin1` or `shift_jis`; `None` for `auto` and for
/// UTF-8, which need no decoding.
pub(crate) fn from_label(param: &str, label: &str) -> Result<Option<&'static Encoding>> {
    if label == "auto" {
        return Ok(None);
    }
    match Encoding::for_label_no_replacement(label.as_bytes()) {
        Some(encoding) if encoding == UTF_8 => Ok(None),
        Some(encoding) => Ok(Some(encoding)),
        None => Err(Error::invalid_param(
            param,
            format!(
                "'{param}' must be 'auto' or an encoding label such as 'utf-8', 'utf-16le', \
                 'latin1' or 'shift_jis', got '{label}'"
            ),
        )),
    }
}

/// Returns the encoding of the byte order mark at the start of `text`, and the mark's length.
pub(crate) fn from_bom(text: &[u8]) -> Option<(&'static Encoding, usize)> {
    Encoding::for_bom(text)
}

/// Converts path bytes to the type of the standard library, for matchers that need it.
#[cfg(unix)]
pub(crate) fn as_native_path(path: &[u8]) -> Cow<'_, Path> {
    use std::os::unix::ffi::OsStrExt;
    Cow::Borrowed(Path::new(std::ffi::OsStr::from_bytes(path)))
}

/// Converts path bytes to the type of the standard library, for matchers that need it.
#[cfg(not(unix))]
pub(crate) fn as_native_path(path: &[u8]) -> Cow<'_, Path> {
    match String::from_utf8_lossy(path) {
        Cow::Borrowed(path) => Cow::Borrowed(Path::new(path)),
        Cow::Owned(path) => Cow::Owned(path.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        for (label, expected) in
            [("auto", None), ("UTF8", None), ("latin1", Some(encoding_rs::WINDOWS_1252))]
        {
            assert_eq!(from_label("encoding", label).expect(label), expected);
        }
        for label in ["nope", "", "replacement", "iso-2022-cn"] {
            let error = from_label("encoding", label).expect_err(label);
            assert_eq!((error.code(), error.param()), ("invalid_param", Some("encoding")));
        }
    }

    #[test]
    fn marks() {
        assert_eq!(from_bom(b"\xEF\xBB\xBFa"), Some((UTF_8, 3)));
        assert_eq!(from_bom(b"\xFF\xFEa\0"), Some((encoding_rs::UTF_16LE, 2)));
        assert_eq!(from_bom(b"\xFE\xFF\0a"), Some((encoding_rs::UTF_16BE, 2)));
        assert_eq!(from_bom(b"plain"), None);
    }
}
