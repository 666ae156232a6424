//! The state of a workspace's index as JSON.

use searchscope::IndexStatus;
use serde::Serialize;

/// The wire form of [`IndexStatus`].
#[derive(Serialize)]
struct Status<'a> {
    state: &'static str,
    directories: u64,
    files: u64,
    memory_bytes: u64,
    left_out: u64,
    waiting: u64,
    not_watched: Option<&'a str>,
}

/// Returns the wire form of `status`.
pub(crate) fn json(status: &IndexStatus) -> Vec<u8> {
    let status = Status {
        state: status.state.code(),
        directories: status.directories,
        files: status.files,
        memory_bytes: status.memory_bytes,
        left_out: status.left_out,
        waiting: status.waiting,
        not_watched: status.not_watched.as_deref(),
    };
    serde_json::to_vec(&status).unwrap_or_default()
}
