//! `scope_resolve_program`: converts a program to a descriptor. Contract:
//! docs/contracts/scopes.md#programs.

use crate::arguments::scope::wire::{Descriptor, ProgramDto, VERSION, context_of};
use crate::replies::outcome::Outcome;
use crate::tool::{Contract, ToolCall};
use schemars::JsonSchema;
use searchscope::toolkit::TIME_MAX;
use searchscope::{Result, Workspace};
use serde::Serialize;
use std::time::Duration;

pub(crate) struct ScopeResolveProgram;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Reply {
    /// The scope, for any tool that takes one.
    descriptor: Descriptor,
}

impl Contract for ScopeResolveProgram {
    const NAME: &'static str = "scope_resolve_program";
    const DESCRIPTION: &'static str = "Resolves a scope given as a program of atoms and tokens in \
        reverse Polish notation (PUSH_ATOM, AND, OR, NOT), and returns a descriptor, which the \
        other scope tools, search and find accept as scope. An atom that does not resolve is an \
        error that names it; with strict false, a diagnostic.";
    type Args = ProgramDto;
    type Reply = Reply;

    fn timeout(_args: &ProgramDto) -> Duration {
        TIME_MAX
    }

    fn outcome(_reply: &Reply) -> Outcome {
        Outcome::Found
    }

    fn run(workspace: &Workspace, args: ProgramDto, call: &ToolCall<'_>) -> Result<Reply> {
        let context = context_of(args.context.clone())?;
        let program = args.clone().program()?;
        let resolved = workspace.resolve_scope(&program, &context, call)?;
        let ref_ids = resolved.atoms.into_iter().map(|atom| atom.scope_ref_id);
        let descriptor = Descriptor {
            version: VERSION,
            program: args.with_ref_ids(ref_ids),
            display_name: resolved.display_name,
            scope_shape: resolved.shape.into(),
            diagnostics: resolved.diagnostics,
        };
        Ok(Reply { descriptor })
    }
}
