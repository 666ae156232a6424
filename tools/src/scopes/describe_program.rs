//! `scope_describe_program`: the parts of a scope. Contract: docs/contracts/scopes.md#programs.

use crate::arguments::scope::ScopeArgs;
use crate::arguments::scope::wire::{KindDto, ShapeDto};
use crate::replies::outcome::Outcome;
use crate::tool::{Contract, ToolCall};
use schemars::JsonSchema;
use searchscope::toolkit::TIME_MAX;
use searchscope::{ResolvedAtom, Result, ScopeAtom, Workspace};
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(crate) struct ScopeDescribeProgram;

/// Maximum time to find suggestions for a misspelt scope.
const HINT_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Args {
    #[serde(flatten)]
    scope: ScopeArgs,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The displayed name.
    display_name: String,
    /// The whole expression in infix notation, with parentheses where needed.
    expression: String,
    /// GLOBAL or LOCAL.
    scope_shape: ShapeDto,
    /// The atoms, in the order of the program.
    atoms: Vec<Atom>,
    /// Warnings.
    diagnostics: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DescribedAtom")]
#[serde(rename_all = "camelCase")]
struct Atom {
    /// Its name in tokens; "scope" where the scope is a text.
    atom_id: String,
    /// STANDARD, MODULE, NAMED_SCOPE, PATTERN, DIRECTORY, FILES, GIT_CHANGED or PROVIDER_SCOPE.
    kind: KindDto,
    /// Its ref id in catalog and programs, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope_ref_id: Option<String>,
    /// The displayed name.
    display_name: String,
    /// GLOBAL or LOCAL.
    scope_shape: ShapeDto,
    /// Whether the atom resolves.
    resolved: bool,
    /// Why it does not resolve.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl Contract for ScopeDescribeProgram {
    const NAME: &'static str = "scope_describe_program";
    const DESCRIPTION: &'static str = "Describes a scope: its expression in infix notation, its \
        shape, and each atom with its ref id and, if unresolved, the reason. Searches nothing.";
    type Args = Args;
    type Reply = Reply;

    fn timeout(_args: &Args) -> Duration {
        TIME_MAX
    }

    fn outcome(_reply: &Reply) -> Outcome {
        Outcome::Found
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let requested = args.scope.request(workspace, &call.within(HINT_TIMEOUT))?;
        let described = requested.describe(workspace, call)?;
        let atoms = requested.program.atoms.into_iter().zip(described.atoms);
        Ok(Reply {
            display_name: described.display_name,
            expression: described.expression,
            scope_shape: described.shape.into(),
            atoms: atoms.map(|(atom, resolved)| shown(atom, resolved)).collect(),
            diagnostics: described.diagnostics,
        })
    }
}

fn shown(atom: ScopeAtom, resolved: ResolvedAtom) -> Atom {
    Atom {
        atom_id: atom.atom_id,
        kind: atom.target.kind().into(),
        scope_ref_id: Some(resolved.scope_ref_id).filter(|ref_id| !ref_id.is_empty()),
        display_name: resolved.display_name,
        scope_shape: resolved.shape.into(),
        resolved: resolved.failure.is_none(),
        problem: resolved.failure.map(|failure| failure.message().to_owned()),
    }
}
