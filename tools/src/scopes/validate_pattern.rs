//! `scope_validate_pattern`: checks a pattern of the scope language. Contract:
//! docs/contracts/scopes.md.

use crate::arguments::forms::{self, OtherNames};
use crate::replies::outcome::Outcome;
use crate::tool::{Contract, ToolCall};
use schemars::JsonSchema;
use searchscope::toolkit::TIME_MAX;
use searchscope::{Result, Workspace};
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(crate) struct ScopeValidatePattern;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Args {
    /// The pattern, such as "file:src//*.rs&&!file:*_test.rs". White space is part of it: write
    /// none around "&&", "||" and "!".
    pattern_text: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Whether the pattern is valid.
    valid: bool,
    /// The pattern in its normal form, without needless parentheses.
    #[serde(skip_serializing_if = "Option::is_none")]
    normalized_pattern_text: Option<String>,
    /// The ref id of the pattern, for comparing patterns.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope_ref_id: Option<String>,
    /// The error and its position, or a warning about a valid but suspicious pattern.
    diagnostics: Vec<String>,
}

impl Contract for ScopeValidatePattern {
    const NAME: &'static str = "scope_validate_pattern";
    const DESCRIPTION: &'static str = "Checks a pattern of the scope language (file:, ext:, \
        projectPath:, src:, test:, lib:, problem:, $Name; with &&, || and !) and returns its \
        normal form, or the error and its position. Before further text a single * crosses \
        directories, // matches any directories, and ** stays within one: file:*.js is every .js \
        file, file:src//* everything below src.";
    type Args = Args;
    type Reply = Reply;
    const OTHER_NAMES: &'static [OtherNames] = &[("patternText", forms::TEXT)];

    fn timeout(_args: &Args) -> Duration {
        TIME_MAX
    }

    fn outcome(_reply: &Reply) -> Outcome {
        Outcome::Found
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let check = workspace.check_scope_pattern(&args.pattern_text, call)?;
        Ok(Reply {
            valid: check.normalized.is_some(),
            normalized_pattern_text: check.normalized,
            scope_ref_id: check.scope_ref_id,
            diagnostics: check.diagnostics,
        })
    }
}
