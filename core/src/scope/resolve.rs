//! From a program to a frozen scope.

use super::program::{ScopeProgram, ScopeShape};
use crate::budget::CancelToken;
use crate::error::{Error, Result};
use crate::walk::{PathFilter, Place, Visit};
use crate::workspace::Workspace;

/// What the host knows of its user: files as `file://` URLs or paths relative to the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScopeContext {
    /// The file that the user looks at.
    pub current_file: Option<String>,
    /// The files that are open.
    pub open_files: Option<Vec<String>>,
    /// The files that were open lately.
    pub recent_files: Option<Vec<String>>,
    /// The files and directories that are selected.
    pub selected_files: Option<Vec<String>>,
}

/// A scope, compiled: says of any path under the root whether it belongs. Cheap to clone.
///
/// It holds for what the workspace was when it was resolved: modules and named scopes that change
/// later do not change it.
#[derive(Clone, Debug)]
pub struct Scope {}

/// A program that was resolved.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResolvedScope {
    /// The scope itself; give it to [`crate::FileOptions::scoped`].
    pub scope: Scope,
    /// What people call it: the names of its atoms with the operators between, cut when it is long.
    pub display_name: String,
    /// The same, whole, with parentheses where they are needed.
    pub expression: String,
    /// What it is made of.
    pub shape: ScopeShape,
    /// What became of the atoms of the program, in its order.
    pub atoms: Vec<ResolvedAtom>,
    /// What the caller should know: atoms that did not resolve, what could not be read.
    pub diagnostics: Vec<String>,
}

/// What became of an atom.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResolvedAtom {
    /// The ref id by which catalog and programs name it.
    pub scope_ref_id: String,
    /// What people call it.
    pub display_name: String,
    /// What it is made of.
    pub shape: ScopeShape,
    /// Why it did not resolve, if so.
    pub failure: Option<Error>,
}

/// What there is to say of the text of a pattern.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PatternCheck {
    /// The normal form; `None` for a text that is no pattern.
    pub normalized: Option<String>,
    /// The ref id of the pattern.
    pub scope_ref_id: Option<String>,
    /// The mistake, or what is probably not meant although it is valid.
    pub diagnostics: Vec<String>,
}

impl Workspace {
    /// Resolves a program, strictly or not as it says.
    ///
    /// # Errors
    ///
    /// `invalid_param` for a program that is none and for atoms that do not resolve, with the place
    /// and the nearest names; `pattern_syntax` for a pattern; `not_found` and `access_denied` for
    /// directories and files; `cancelled`.
    pub fn resolve_scope(
        &self,
        program: &ScopeProgram,
        context: &ScopeContext,
        cancel: &CancelToken,
    ) -> Result<ResolvedScope> {
        todo!("{program:?} {context:?} {cancel:?}")
    }

    /// As [`Workspace::resolve_scope`], but atoms that do not resolve are told and not an error.
    ///
    /// # Errors
    ///
    /// `invalid_param` for a program that is none, and `cancelled`.
    pub fn describe_scope(
        &self,
        program: &ScopeProgram,
        context: &ScopeContext,
        cancel: &CancelToken,
    ) -> Result<ResolvedScope> {
        todo!("{program:?} {context:?} {cancel:?}")
    }

    /// Says whether `text` is a pattern of the scope language, and what it comes to here.
    ///
    /// # Errors
    ///
    /// `cancelled`.
    pub fn check_scope_pattern(&self, text: &str, cancel: &CancelToken) -> Result<PatternCheck> {
        todo!("{text:?} {cancel:?}")
    }
}

impl PathFilter for Scope {
    fn matches(&self, path: &Place<'_>) -> bool {
        todo!("{path:?}")
    }

    fn visit(&self, dir: &Place<'_>) -> Visit {
        todo!("{dir:?}")
    }
}
