//! Definitions, comments and string literals of source files, by syntax.
//!
//! The parsers are those of tree-sitter, in the feature `symbols`; without it nothing here needs
//! them and `Workspace::grammars` says so. This area reads texts that it is given and knows no
//! search; what it finds out has the types of `syntax`.

#[cfg(not(feature = "symbols"))]
mod disabled;
#[cfg(feature = "symbols")]
mod enabled;
mod outline;

#[cfg(not(feature = "symbols"))]
use disabled as parsers;
#[cfg(feature = "symbols")]
use enabled as parsers;

use crate::Workspace;
use crate::error::Result;
use crate::syntax::Grammars;

impl Workspace {
    /// Makes the grammars for searches that ask for syntax, if the workspace has none yet. The outlines
    /// that were read last are remembered, in at most 32 MiB for the workspace; a file that has changed
    /// since is parsed again.
    ///
    /// # Errors
    ///
    /// `unsupported` in a build without the feature `symbols`.
    pub(crate) fn grammars(&self) -> Result<Grammars> {
        parsers::grammars(self.grammars_slot())
    }
}
