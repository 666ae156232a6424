//! Extensions of names, as in `fd --extension`.

use crate::error::{Error, Result};
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

const EXTENSIONS_MAX: usize = 128;
const EXTENSION_BYTES_MAX: usize = 100;

/// One or more extensions, compared ignoring case.
#[derive(Debug)]
pub(crate) struct Extensions {
    /// Folded, from the last character to the first.
    folded: Vec<Vec<char>>,
}

impl Extensions {
    /// Checks the extensions; `None` if there are none.
    pub(crate) fn new(param: &str, texts: &[String]) -> Result<Option<Extensions>> {
        if texts.len() > EXTENSIONS_MAX {
            let n = texts.len();
            let predicate = format!("may have at most {EXTENSIONS_MAX} extensions, got {n}");
            return Err(Error::invalid_param(param, predicate));
        }
        if texts.is_empty() {
            return Ok(None);
        }
        let mut all = Vec::with_capacity(texts.len());
        for (n, text) in texts.iter().enumerate() {
            let extension = text.trim_start_matches('.');
            let is_other = extension.contains('/') || text.starts_with("*.");
            let wanted = if extension.is_empty() || is_other {
                format!("an extension such as \"rs\" or \".rs\", got {text:?}")
            } else if text.len() > EXTENSION_BYTES_MAX {
                format!("of at most {EXTENSION_BYTES_MAX} bytes, got {}", text.len())
            } else {
                all.push(extension.chars().rev().map(folded).collect());
                continue;
            };
            let param = format!("{param}[{n}]");
            return Err(Error::invalid_param(&param, format!("must be {wanted}")));
        }
        all.sort_unstable();
        all.dedup();
        Ok(Some(Extensions { folded: all }))
    }

    /// Returns whether the base name `name` has one of the extensions.
    pub(crate) fn matches(&self, name: &[u8]) -> bool {
        // A byte that is not text ends the search for an extension, as does a character that is in none.
        let text = match name.utf8_chunks().last() {
            Some(chunk) if chunk.invalid().is_empty() => chunk.valid(),
            _ => return false,
        };
        self.folded.iter().any(|extension| {
            let mut rest = text.chars().rev();
            extension.iter().all(|&char| rest.next().map(folded) == Some(char))
                && rest.next() == Some('.')
                // As in fd: preceded by some character of a line, which a byte of another encoding is not.
                && rest.next().is_some_and(|char| char != '\n')
        })
    }
}

/// Returns one character for all that differ only in case.
fn folded(char: char) -> char {
    if char.is_ascii() {
        return char.to_ascii_uppercase();
    }
    let mut class = ClassUnicode::new([ClassUnicodeRange::new(char, char)]);
    // Without its tables the library would fold nothing, and neither would the pattern.
    let _ = class.try_case_fold_simple();
    class.iter().next().map_or(char, ClassUnicodeRange::start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(texts: &[&str]) -> Result<Option<Extensions>> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        Extensions::new("extensions", &texts)
    }

    #[test]
    fn extensions_as_fd_has_them() {
        let matches = |extension: &str, name: &[u8]| {
            new(&["none", extension]).expect("valid").expect("some").matches(name)
        };
        for (extension, name, expected) in [
            ("py", "a.py", true),
            (".py", "a.PY", true),
            ("..Py", "a.py", true),
            ("py", ".py", false),
            ("py", "a.py.x", false),
            ("py", "a.xpy", false),
            ("py", "apy", false),
            ("py", "é.py", true),
            ("py", "..py", true),
            ("py", "\n.py", false),
            ("tar.gz", "a.tar.gz", true),
            ("tar.gz", ".tar.gz", false),
            ("gz", ".tar.gz", true),
            ("*", "a.py", false),
            ("Ä", "a.ä", true),
            ("sh", "a.ſh", true),
            ("ς", "a.Σ", true),
        ] {
            assert_eq!(matches(extension, name.as_bytes()), expected, "{extension} on {name}");
        }
        assert!(matches("py", b"\xffa.py"));
        assert!(!matches("py", b"a\xff.py"));
        assert!(!matches("py", b"a.p\xff"));
        assert!(new(&[]).expect("valid").is_none());
    }

    #[test]
    fn bad_extensions_are_refused_by_place() {
        let long = "a".repeat(EXTENSION_BYTES_MAX + 1);
        for text in ["", ".", "..", &long] {
            let error = new(&["rs", text]).expect_err(text);
            assert_eq!((error.code(), error.param()), ("invalid_param", Some("extensions[1]")));
        }
        let error = new(&["rs"; EXTENSIONS_MAX + 1]).expect_err("many");
        assert_eq!((error.code(), error.param()), ("invalid_param", Some("extensions")));
    }
}
