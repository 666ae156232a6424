//! Checks of options before a request, for callers that report mistakes in their own words.

use crate::Call;
use crate::budget::Budget;
use crate::error::Result;
use crate::pattern::{Pattern, PatternOptions};
use crate::walk::{FileFilter, FileOptions};
use crate::workspace::Workspace;

impl PatternOptions {
    /// Compiles the patterns to check them. If the time of `call` ends first, nothing is wrong with them: the
    /// search reports the deadline.
    ///
    /// # Errors
    ///
    /// `pattern_syntax` with the span of the mistake, or if the compiled size exceeds the limit; `invalid_param` for
    /// no pattern, an empty one, more than 64, or more than 64 KiB in all.
    pub fn check(&self, call: &Call) -> Result<()> {
        Pattern::within(&Budget::of(call), self).map_or(Ok(()), |compiled| compiled.map(drop))
    }

    /// Returns whether a match may be empty, as that of `x*` may.
    ///
    /// # Errors
    ///
    /// Those of [`PatternOptions::check`] that parsing detects.
    pub fn may_match_empty(&self) -> Result<bool> {
        Pattern::may_match_empty(self)
    }
}

impl FileOptions {
    /// Compiles the globs, names and extensions to check them.
    ///
    /// # Errors
    ///
    /// `invalid_param` for one that does not compile.
    pub fn check(&self, workspace: &Workspace) -> Result<()> {
        FileFilter::new(workspace, self).map(drop)
    }
}
