//! What a stream has found and nobody has taken yet: a bounded buffer between two threads.

use crate::task::error_text;
use searchscope::{CancelToken, Error, ErrorKind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Enough that crossing to JavaScript costs little for each result, and not more than JavaScript keeps
/// among its young objects: it frees larger texts late.
const BYTES_MAX: usize = 64 * 1024;

/// The results that wait, and how the stream ended.
#[derive(Debug)]
pub(crate) struct Buffer {
    state: Mutex<State>,
    /// Something came, there is room, or it is over.
    changed: Condvar,
    token: CancelToken,
}

#[derive(Debug, Default)]
struct State {
    /// A JSON array without its closing bracket; empty when there are none.
    results: String,
    end: Option<End>,
}

/// How a stream ended.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// It reached the end; the tool's report, JSON.
    Report(String),
    /// It failed; the engine's error, JSON.
    Error(String),
}

impl Buffer {
    pub(crate) fn new(token: CancelToken) -> Buffer {
        Buffer { state: Mutex::default(), changed: Condvar::new(), token }
    }

    pub(crate) fn token(&self) -> &CancelToken {
        &self.token
    }

    /// Adds a result, JSON, as soon as there is room; false when none are wanted any more.
    pub(crate) fn put(&self, result: &str) -> bool {
        // A result larger than all the room has to have it for itself.
        let is_full = |state: &mut State| {
            let has_room = state.results.len() + result.len() < BYTES_MAX;
            state.end.is_none() && !state.results.is_empty() && !has_room
        };
        let state = self.changed.wait_while(self.state(), is_full);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.end.is_some() {
            return false;
        }
        let separator = if state.results.is_empty() { '[' } else { ',' };
        state.results.push(separator);
        state.results.push_str(result);
        self.changed.notify_all();
        true
    }

    /// Says how it ended, unless that is known already.
    pub(crate) fn end(&self, end: End) {
        self.state().end.get_or_insert(end);
        self.changed.notify_all();
    }

    /// Gives what there is, a JSON array; waits so long until there is anything. The end comes with the
    /// last results, and again whenever it is asked for.
    pub(crate) fn take(&self, wait: Duration) -> (String, Option<End>) {
        let is_empty = |state: &mut State| state.results.is_empty() && state.end.is_none();
        let waited = self.changed.wait_timeout_while(self.state(), wait, is_empty);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let mut results = std::mem::take(&mut state.results);
        self.changed.notify_all();
        let end = state.end.clone();
        drop(state);
        if results.is_empty() {
            results.push('[');
        }
        results.push(']');
        (results, end)
    }

    /// Ends the search, whoever waits here, and the need for the results.
    pub(crate) fn cancel(&self) {
        self.token.cancel();
        let error = Error::new(ErrorKind::Cancelled, "the stream was cancelled");
        self.end(End::Error(error_text(&error)));
        self.state().results = String::new();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Text and end are each changed in one step, so a panic in one poisons nothing.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
