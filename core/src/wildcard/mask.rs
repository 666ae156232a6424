//! File masks as in IDEs: a list such as `*.kt, !*Test.kt`.

use super::globs::NameGlob;
use super::limits::{GLOBS_BYTES_MAX, GLOBS_MAX};
use crate::error::{Error, Result};

/// A parsed list of masks.
#[derive(Debug)]
pub struct FileMask {
    /// One of these must match, if there are any.
    wanted: Vec<NameGlob>,
    /// None of these may match.
    unwanted: Vec<NameGlob>,
}

impl FileMask {
    /// Reads a list with `,` between its masks. A mask with `!` at its start excludes, at any position.
    pub fn new(param: &str, text: &str) -> Result<FileMask> {
        if text.len() > GLOBS_BYTES_MAX {
            let predicate = format!("may have at most {GLOBS_BYTES_MAX} bytes, got {}", text.len());
            return Err(Error::invalid_param(param, predicate));
        }
        let mut mask = FileMask { wanted: Vec::new(), unwanted: Vec::new() };
        let masks = split(text);
        let masks = masks.iter().map(|mask| mask.trim()).filter(|mask| !mask.is_empty());
        for (n, one) in masks.enumerate() {
            if n == GLOBS_MAX {
                let predicate = format!("may have at most {GLOBS_MAX} masks");
                return Err(Error::invalid_param(param, predicate));
            }
            match one.strip_prefix('!') {
                Some(unwanted) => mask.unwanted.push(NameGlob::new(param, unwanted.trim())?),
                None => mask.wanted.push(NameGlob::new(param, one)?),
            }
        }
        Ok(mask)
    }

    /// Returns whether the mask includes the file at `path`.
    pub fn matches(&self, path: &[u8]) -> bool {
        let is_one_of = |masks: &[NameGlob]| masks.iter().any(|mask| mask.matches(path));
        (self.wanted.is_empty() || is_one_of(&self.wanted)) && !is_one_of(&self.unwanted)
    }
}

/// Splits the text at commas outside braces.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, char) in text.char_indices() {
        match char {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_include_and_exclude_in_any_order() {
        for (mask, path, expected) in [
            ("", "a/b.kt", true),
            ("*.kt", "a/b.kt", true),
            ("*.kt", "a/b.kts", false),
            ("*.kt,*.java", "b.java", true),
            ("*.kt, !*Test.kt", "aTest.kt", false),
            ("!*Test.kt, *.kt", "aTest.kt", false),
            ("!*Test.kt,*.kt", "a.kt", true),
            ("!*Test.kt", "a.rs", true),
            ("! *.kt", "a.kt", false),
            ("!test", "test/a.kt", true),
            ("*.{kt,java}, x", "a.java", true),
            ("src/**", "src/a/b", true),
            ("src/**", "x/src/a", false),
            (" , ", "a", true),
        ] {
            let compiled = FileMask::new("fileMask", mask).expect(mask);
            assert_eq!(compiled.matches(path.as_bytes()), expected, "{mask:?} on {path:?}");
        }
    }

    #[test]
    fn bad_and_hostile_masks_are_refused() {
        let many = "a,".repeat(GLOBS_MAX + 1);
        let long = "a,".repeat(GLOBS_BYTES_MAX);
        for mask in ["[", "!", "a, !", "{a", &many, &long] {
            let error = FileMask::new("fileMask", mask).expect_err(mask);
            assert_eq!((error.code(), error.param()), ("invalid_param", Some("fileMask")));
        }
    }
}
