//! Programs in reverse Polish notation.

use super::atom::{FailureMode, ScopeAtom, codes};

codes! {
    /// What a token does.
    ScopeOp {
        /// Pushes an atom.
        PushAtom = "PUSH_ATOM",
        /// Takes two scopes and pushes what is in both.
        And = "AND",
        /// Takes two scopes and pushes what is in either.
        Or = "OR",
        /// Takes a scope and pushes everything else under the root.
        Not = "NOT",
    }
}

codes! {
    /// What a scope is made of, as IntelliJ's classes have it.
    ScopeShape {
        /// It is asked about files.
        Global = "GLOBAL",
        /// It is a list of places in files, and has no complement.
        Local = "LOCAL",
        /// Both; read in descriptors, never made: a union of both is global.
        Mixed = "MIXED",
    }
}

/// One token of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the fields are those of the contract")]
pub struct ScopeToken {
    /// What it does.
    pub op: ScopeOp,
    /// Of [`ScopeOp::PushAtom`] alone: which atom.
    pub atom_id: Option<String>,
}

/// A scope as an expression: atoms, and tokens in reverse Polish notation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the fields are those of the contract")]
pub struct ScopeProgram {
    /// What tokens may push; each has an id of its own. At most 1,024.
    pub atoms: Vec<ScopeAtom>,
    /// At least one and at most 4,096.
    pub tokens: Vec<ScopeToken>,
    /// Whether an atom that does not resolve fails the program.
    pub strict: bool,
    /// Whether scopes resolve that depend on what a user is just looking at.
    pub allow_ui_interactive_scopes: bool,
    /// What becomes of an atom that does not resolve and does not say so itself, where the program is
    /// not strict.
    pub non_strict_default_failure_mode: FailureMode,
}

impl ScopeProgram {
    /// A strict program of one atom.
    pub fn of(atom: ScopeAtom) -> ScopeProgram {
        let token = ScopeToken { op: ScopeOp::PushAtom, atom_id: Some(atom.atom_id.clone()) };
        ScopeProgram {
            atoms: vec![atom],
            tokens: vec![token],
            strict: true,
            allow_ui_interactive_scopes: false,
            non_strict_default_failure_mode: FailureMode::EmptyScope,
        }
    }
}
