//! Errors of the engine as the contracts have them.

use crate::error::{Error, ErrorKind};

/// An error about a path, in the words that the seeds' tools share.
pub(super) fn path_error(error: Error, path: &str) -> Error {
    match error.kind() {
        ErrorKind::NotFound => error.with_message(format!("PATH_NOT_FOUND: {path}")),
        ErrorKind::AccessDenied if error.is_outside_root() => error
            .with_message(format!("PATH_SECURITY_ERROR: Path '{path}' is outside project root")),
        // The workspace's own refusals say that they are its own.
        ErrorKind::AccessDenied => error,
        _ => return error,
    }
    .with_param("path")
    .with_path(path)
}
