//! Helpers shared by the tests of several areas.

use crate::Limits;
use std::fs;
use tempfile::TempDir;

/// No limits but that on spans, which tests show.
pub(crate) const NO_LIMITS: Limits = Limits { spans_per_line_max: Some(100), ..Limits::NONE };

/// Creates a tree of files with their content.
#[expect(clippy::disallowed_methods, reason = "tests make the trees that they search")]
pub(crate) fn tree<P: AsRef<str>, C: AsRef<[u8]>>(files: &[(P, C)]) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for (path, content) in files {
        let path = dir.path().join(path.as_ref());
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, content).expect("written");
    }
    dir
}

/// Returns the number of random cases of a long run: `few`, unless the variable of proptest sets another.
#[expect(clippy::disallowed_methods, reason = "a long run may draw more cases")]
pub(crate) fn cases(few: u32) -> u32 {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    wanted.unwrap_or(few)
}
