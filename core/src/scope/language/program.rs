//! Programs in reverse Polish notation.

use super::atom::{FailureMode, ScopeAtom, codes};
use crate::error::{Error, ErrorKind, Result};
use crate::suggest::{shorten, unknown};
use std::collections::HashMap;

codes! {
    /// The operation of a token.
    #[expect(clippy::exhaustive_enums, reason = "contracts name every value")]
    pub enum ScopeOp {
        /// Pushes an atom.
        PushAtom = "PUSH_ATOM",
        /// Pops two scopes and pushes their intersection.
        And = "AND",
        /// Pops two scopes and pushes their union.
        Or = "OR",
        /// Pops a scope and pushes its complement under the root.
        Not = "NOT",
    }
}

codes! {
    /// The shape of a scope, as in IntelliJ's class hierarchy.
    #[expect(clippy::exhaustive_enums, reason = "contracts name every value")]
    pub enum ScopeShape {
        /// A predicate over files.
        Global = "GLOBAL",
        /// A list of positions in files, which has no complement.
        Local = "LOCAL",
        /// Both. Accepted in descriptors but never produced: a union of both is global.
        Mixed = "MIXED",
    }
}

/// One token of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the fields are those of the contract")]
pub struct ScopeToken {
    /// The operation.
    pub op: ScopeOp,
    /// The atom to push; only for [`ScopeOp::PushAtom`].
    pub atom_id: Option<String>,
}

/// A scope as an expression: atoms, and tokens in reverse Polish notation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the fields are those of the contract")]
pub struct ScopeProgram {
    /// The atoms that tokens may push, with unique ids. At most 1,024.
    pub atoms: Vec<ScopeAtom>,
    /// At least 1 and at most 4,096.
    pub tokens: Vec<ScopeToken>,
    /// Whether an atom that does not resolve fails the program.
    pub strict: bool,
    /// Whether scopes may depend on the user's current file.
    pub allow_ui_interactive_scopes: bool,
    /// The treatment of unresolved atoms without a mode of their own if the program is not strict.
    pub non_strict_default_failure_mode: FailureMode,
}

impl ScopeProgram {
    /// Returns a strict program of one atom.
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

/// docs/contracts/general.md#limits.
const TOKENS_MAX: usize = 4_096;
const ATOMS_MAX: usize = 1_024;

impl ScopeProgram {
    /// Rejects an invalid program without resolving its atoms. Returns the index of each atom by its id.
    pub(in crate::scope) fn check(&self) -> Result<HashMap<&str, usize>> {
        let too_many = |param, max, n| {
            let predicate = format!("may have at most {max} items, got {n}");
            Err(Error::invalid_param(param, predicate))
        };
        if self.tokens.is_empty() {
            return Err(Error::invalid_param("tokens", "must not be empty"));
        }
        if self.tokens.len() > TOKENS_MAX {
            return too_many("tokens", TOKENS_MAX, self.tokens.len());
        }
        if self.atoms.len() > ATOMS_MAX {
            return too_many("atoms", ATOMS_MAX, self.atoms.len());
        }
        let mut places = HashMap::with_capacity(self.atoms.len());
        for (index, atom) in self.atoms.iter().enumerate() {
            let param = format!("atoms[{index}].atomId");
            if atom.atom_id.is_empty() {
                return Err(Error::invalid_param(&param, "must not be empty"));
            }
            if let Some(first) = places.insert(atom.atom_id.as_str(), index) {
                let id = shorten(&atom.atom_id);
                let predicate = format!("is '{id}', which is also the id of atoms[{first}]");
                return Err(Error::invalid_param(&param, predicate));
            }
        }
        let mut depth = 0_usize;
        for (index, token) in self.tokens.iter().enumerate() {
            depth = check_token(index, token, depth, &places)?;
        }
        if depth != 1 {
            let predicate = format!(
                "leave {depth} scopes and must leave one: add an AND or an OR for each \
                 extra scope"
            );
            return Err(Error::invalid_param("tokens", predicate));
        }
        Ok(places)
    }
}

/// Checks one token. `depth` is the stack depth before it; returns the depth after it.
fn check_token(
    index: usize,
    token: &ScopeToken,
    depth: usize,
    places: &HashMap<&str, usize>,
) -> Result<usize> {
    let param = format!("tokens[{index}].atomId");
    let op = token.op.code();
    match (token.op, token.atom_id.as_deref()) {
        (ScopeOp::PushAtom, None) => {
            let predicate = format!("is missing: {op} needs the id of an atom");
            return Err(Error::invalid_param(&param, predicate));
        }
        (ScopeOp::PushAtom, Some(id)) if !places.contains_key(id) => {
            let mut known: Vec<(&&str, &usize)> = places.iter().collect();
            known.sort_by_key(|(_, place)| **place);
            let known: Vec<&str> = known.into_iter().map(|(id, _)| *id).collect();
            let reason = unknown("atom", id, &known);
            return Err(Error::at_param(ErrorKind::InvalidParam, param, reason));
        }
        (ScopeOp::PushAtom, Some(_)) => return Ok(depth + 1),
        (_, Some(_)) => {
            let predicate = format!("is only valid with PUSH_ATOM, not with {op}");
            return Err(Error::invalid_param(&param, predicate));
        }
        (_, None) => {}
    }
    let taken = if token.op == ScopeOp::Not { 1 } else { 2 };
    if depth < taken {
        let param = format!("tokens[{index}].op");
        let reason = format!("{op} takes {taken} scopes from the stack, which has {depth}");
        return Err(Error::at_param(ErrorKind::InvalidParam, param, reason));
    }
    Ok(depth - taken + 1)
}
