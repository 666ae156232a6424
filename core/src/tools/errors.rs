//! The engine's errors in the words of the tools.

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

/// An error about a parameter that has another name in the tool than in the engine.
pub(super) fn renamed(error: Error, from: &str, to: &str) -> Error {
    let message = error.message().replacen(&format!("'{from}'"), &format!("'{to}'"), 1);
    error.with_message(message).with_param(to)
}
