//! Limits that several tools share, and their checks.

use searchscope::toolkit::ErrorExt;
use searchscope::{Error, ErrorKind, PatternOptions, Result, SearchContext, Syntax, Workspace};

/// Maximum size of a reply: docs/contracts/general.md#limits.
pub(crate) const REPLY_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Maximum size of arguments. Callers do not write longer ones by hand; a host that does sets
/// `args_bytes_max`.
pub(crate) const ARGS_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Maximum size of a regex, unless the host sets another: docs/contracts/general.md#limits.
pub(crate) const REGEX_BYTES_MAX: usize = 4 * 1024;
/// Maximum size of a line in contracts with whole lines; also the longest that is kept in memory.
pub(crate) const LINE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Refuses a regex whose text is too long.
pub(crate) fn check_regex(param: &str, pattern: &PatternOptions) -> Result<()> {
    let len: usize = pattern.patterns.iter().map(String::len).sum();
    if pattern.syntax == Syntax::Literal || len <= REGEX_BYTES_MAX {
        return Ok(());
    }
    let message = format!("it has {len} bytes; at most {REGEX_BYTES_MAX} are allowed");
    Err(Error::new(ErrorKind::PatternSyntax, message).with_param(param))
}

/// Refuses a `context` in a build without grammars; `param` is the parameter that requires them.
pub(crate) fn check_context(
    workspace: &Workspace,
    context: SearchContext,
    param: &str,
) -> Result<()> {
    if context == SearchContext::Any {
        return Ok(());
    }
    workspace.check_grammars().map(drop).map_err(|error| error.with_param(param))
}

/// Returns the maximum size of arguments in bytes.
pub(crate) fn args_bytes_max(workspace: &Workspace) -> usize {
    workspace.options().args_bytes_max.unwrap_or(ARGS_BYTES_MAX)
}
