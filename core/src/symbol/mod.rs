//! Definitions, comments and string literals of source files, by syntax.
//!
//! The parsers are those of tree-sitter, in the feature `symbols`; without it `Workspace::grammars`
//! returns an error. This module reads the texts it receives and knows no search. Its results have the types
//! of `syntax`.

#[cfg(not(feature = "parsers"))]
mod disabled;
#[cfg(feature = "parsers")]
mod enabled;
mod outline;

#[cfg(not(feature = "parsers"))]
use disabled as parsers;
#[cfg(feature = "parsers")]
use enabled as parsers;

use crate::Workspace;
use crate::error::Result;
use crate::syntax::Grammars;

impl Workspace {
    /// Returns the grammars for searches that need syntax, and creates them on first use. The workspace
    /// caches recent outlines in at most 32 MiB; a changed file is parsed again.
    ///
    /// # Errors
    ///
    /// `unsupported` in a build without the feature `symbols`.
    pub(crate) fn grammars(&self) -> Result<Grammars> {
        parsers::grammars(self.grammars_slot())
    }

    /// Creates the grammars, which searches that need syntax do on first use.
    ///
    /// # Errors
    ///
    /// `unsupported` in a build without the feature `symbols`.
    pub fn check_grammars(&self) -> Result<()> {
        self.grammars().map(drop)
    }
}
