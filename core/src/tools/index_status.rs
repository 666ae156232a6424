//! The state of a workspace's index as JSON.

use crate::{Call, IndexStatus, Result, Workspace};
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

fn json(status: &IndexStatus) -> Vec<u8> {
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

impl Workspace {
    /// Returns [`Workspace::index_status`] as a JSON object: `state` ("off", "cold", "building" or
    /// "ready"), `directories`, `files`, `memory_bytes`, `left_out`, `waiting` and `not_watched`.
    pub fn index_status_json(&self) -> Vec<u8> {
        json(&self.index_status())
    }

    /// Builds the index as [`Workspace::warm`] does. Returns its new state in the form of
    /// [`Workspace::index_status_json`].
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::warm`].
    pub fn warm_json(&self, call: &Call) -> Result<Vec<u8>> {
        self.warm(call).map(|status| json(&status))
    }
}
