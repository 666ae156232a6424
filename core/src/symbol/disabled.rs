//! Replaces the parsers in a build without the feature `symbols`.

use crate::error::{Error, ErrorKind, Result};
use crate::syntax::Grammars;
use std::sync::OnceLock;

pub(super) fn grammars(_slot: &OnceLock<Grammars>) -> Result<Grammars> {
    let message = "this build has no parsers: the feature 'symbols' is off";
    Err(Error::new(ErrorKind::Unsupported, message))
}

#[cfg(test)]
mod tests {
    use crate::Workspace;

    #[test]
    fn a_build_without_parsers_is_an_error() {
        let dir = tempfile::tempdir().expect("a directory");
        let workspace = Workspace::open(dir.path()).expect("opened");
        let error = workspace.grammars().expect_err("no parsers");
        assert_eq!(error.code(), "unsupported");
        assert!(error.message().contains("'symbols'"));
    }
}
