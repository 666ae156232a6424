//! The encoding of a text: by its byte order mark, else by a label, else UTF-8.

use crate::error::{Error, Result};
use crate::suggest;
use encoding_rs::{Encoding, UTF_8};
use std::borrow::Cow;
use std::path::Path;

/// Looks up an encoding by its label, such as `utf-16le`, `latin1` or `shift_jis`; `None` for `auto` and for
/// UTF-8, which need no decoding.
pub fn from_label(param: &str, label: &str) -> Result<Option<&'static Encoding>> {
    if label == "auto" {
        return Ok(None);
    }
    match Encoding::for_label_no_replacement(label.as_bytes()) {
        Some(encoding) if encoding == UTF_8 => Ok(None),
        Some(encoding) => Ok(Some(encoding)),
        None => {
            let near = nearest_label(label);
            let predicate = format!(
                "must be 'auto' or an encoding label such as 'utf-8', 'utf-16le', \
                 'latin1' or 'shift_jis', got '{label}'{near}"
            );
            Err(Error::invalid_param(param, predicate))
        }
    }
}

/// The labels that are suggested for one that is unknown: the standard's names and frequent aliases.
const LABELS: &[&str] = &[
    "utf-8",
    "utf-16le",
    "utf-16be",
    "latin1",
    "ascii",
    "shift_jis",
    "sjis",
    "euc-jp",
    "iso-2022-jp",
    "euc-kr",
    "gb18030",
    "gbk",
    "gb2312",
    "big5",
    "big5-hkscs",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "cp1252",
    "ibm866",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "x-mac-cyrillic",
    "iso-8859-1",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-9",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
];

/// Returns the end of a message that suggests the label nearest to one that is unknown.
pub(super) fn nearest_label(label: &str) -> String {
    let near = suggest::similar(label, LABELS, suggest::SIMILAR);
    let near: Vec<&str> = near.first().map(|&n| LABELS[n]).into_iter().collect();
    suggest::suggestion(&near)
}

/// The byte order mark of UTF-32LE, which begins with that of UTF-16LE. No encoding here reads UTF-32; without
/// a mark its NULs make it binary, as those of UTF-32BE do.
const UTF_32_LE_MARK: &[u8] = b"\xFF\xFE\0\0";

/// Returns the encoding of the byte order mark at the start of `text`, and the mark's length.
pub(crate) fn from_bom(text: &[u8]) -> Option<(&'static Encoding, usize)> {
    if text.starts_with(UTF_32_LE_MARK) { None } else { Encoding::for_bom(text) }
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
        let error = from_label("encoding", "shift-jiss").expect_err("it is misspelt");
        assert!(error.message().ends_with("did you mean 'shift_jis'?"), "{error}");
        for label in LABELS {
            assert!(Encoding::for_label_no_replacement(label.as_bytes()).is_some(), "{label}");
        }
    }

    #[test]
    fn marks() {
        assert_eq!(from_bom(b"\xEF\xBB\xBFa"), Some((UTF_8, 3)));
        assert_eq!(from_bom(b"\xFF\xFEa\0"), Some((encoding_rs::UTF_16LE, 2)));
        assert_eq!(from_bom(b"\xFE\xFF\0a"), Some((encoding_rs::UTF_16BE, 2)));
        assert_eq!(from_bom(b"plain"), None);
        assert_eq!(from_bom(b"\xFF\xFE\0\0a\0\0\0"), None);
    }
}
