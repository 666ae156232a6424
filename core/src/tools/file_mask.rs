//! File masks as IDEs have them: a list such as `*.kt, !*Test.kt`.

use crate::error::{Error, Result};
use crate::scope::Scope;
use crate::walk::{NameGlob, PathFilter, Place};
use crate::workspace::RelPath;

/// contracts.md section 0: globs a call.
const MASKS_MAX: usize = 128;
/// Compiling masks of this many bytes takes some 40 ms, which nothing can stop.
const MASKS_BYTES_MAX: usize = 16 * 1024;

/// A list of masks, compiled.
struct FileMask {
    /// One of these has to match, if there are any.
    wanted: Vec<NameGlob>,
    /// None of these may.
    unwanted: Vec<NameGlob>,
}

/// The files of a scope that a mask lets through.
pub(super) struct Masked {
    scope: Scope,
    mask: FileMask,
}

impl FileMask {
    /// Compiles a list with `,` between its masks. In whatever order they stand, one with `!` in
    /// front takes away.
    fn new(param: &str, text: &str) -> Result<FileMask> {
        if text.len() > MASKS_BYTES_MAX {
            let message = format!("'{param}' may have {MASKS_BYTES_MAX} bytes, got {}", text.len());
            return Err(Error::invalid_param(param, message));
        }
        let mut mask = FileMask { wanted: Vec::new(), unwanted: Vec::new() };
        let masks = split(text);
        let masks = masks.iter().map(|mask| mask.trim()).filter(|mask| !mask.is_empty());
        for (n, one) in masks.enumerate() {
            if n == MASKS_MAX {
                let message = format!("'{param}' may be at most {MASKS_MAX} masks");
                return Err(Error::invalid_param(param, message));
            }
            match one.strip_prefix('!') {
                Some(unwanted) => mask.unwanted.push(NameGlob::new(param, unwanted.trim())?),
                None => mask.wanted.push(NameGlob::new(param, one)?),
            }
        }
        Ok(mask)
    }

    fn matches(&self, path: &RelPath) -> bool {
        let is_one_of = |masks: &[NameGlob]| masks.iter().any(|mask| mask.matches(path.as_bytes()));
        (self.wanted.is_empty() || is_one_of(&self.wanted)) && !is_one_of(&self.unwanted)
    }
}

impl Masked {
    pub(super) fn new(scope: Scope, param: &str, text: &str) -> Result<Masked> {
        Ok(Masked { scope, mask: FileMask::new(param, text)? })
    }
}

impl PathFilter for Masked {
    fn matches(&self, place: &Place<'_>) -> bool {
        self.mask.matches(place.path()) && self.scope.matches(place)
    }

    fn visit(&self, dir: &Place<'_>) -> bool {
        self.scope.visit(dir)
    }

    fn judges_ignored(&self) -> bool {
        self.scope.judges_ignored()
    }

    fn judges_hidden(&self) -> bool {
        self.scope.judges_hidden()
    }
}

/// The parts between commas that stand in no braces.
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
    fn masks_want_and_take_away_in_any_order() {
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
            let path = RelPath::of_bytes(path.as_bytes());
            assert_eq!(compiled.matches(&path), expected, "{mask:?} on {path:?}");
        }
    }

    #[test]
    fn bad_and_hostile_masks_are_refused() {
        let many = "a,".repeat(MASKS_MAX + 1);
        let long = "a,".repeat(MASKS_BYTES_MAX);
        for mask in ["[", "!", "a, !", "{a", &many, &long] {
            let error = FileMask::new("fileMask", mask).err().expect(mask);
            assert_eq!((error.code(), error.param()), ("invalid_param", Some("fileMask")));
        }
    }
}
