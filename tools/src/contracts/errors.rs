//! Errors of the engine in the words of the contracts.

use searchscope::toolkit::ErrorExt;
use searchscope::{Error, ErrorKind};

/// Converts an error about a path to the words that several contracts share.
pub(crate) fn path_error(error: Error, path: &str) -> Error {
    match error.kind() {
        ErrorKind::NotFound => error.with_message(format!("PATH_NOT_FOUND: {path}")),
        ErrorKind::AccessDenied if error.is_outside_root() => error
            .with_message(format!("PATH_SECURITY_ERROR: Path '{path}' is outside project root")),
        // Refusals by the workspace explain themselves.
        ErrorKind::AccessDenied => error,
        _ => return error,
    }
    .with_param("path")
    .with_path(path)
}
