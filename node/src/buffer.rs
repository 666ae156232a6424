//! Bounded buffer for the results of a stream, between its search thread and JavaScript's pulls.

use crate::task::error_text;
use searchscope::{CancelToken, Error, ErrorKind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum size of the buffered results. Large enough that crossing to JavaScript costs little per
/// result, and small enough for V8's young generation: larger strings are freed late.
const BYTES_MAX: usize = 64 * 1024;

/// The results that were not pulled yet, and the end of the stream.
#[derive(Debug)]
pub(crate) struct Buffer {
    state: Mutex<State>,
    /// Signalled when a result arrives, room becomes free or the stream ends.
    changed: Condvar,
    token: CancelToken,
}

#[derive(Debug, Default)]
struct State {
    /// A JSON array without its closing bracket; the empty string if there are no results.
    results: String,
    end: Option<End>,
}

/// The end of a stream.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// The search finished; the tool's report as JSON.
    Report(String),
    /// The search failed; the engine's error as JSON.
    Error(String),
}

impl Buffer {
    pub(crate) fn new(token: CancelToken) -> Buffer {
        Buffer { state: Mutex::default(), changed: Condvar::new(), token }
    }

    pub(crate) fn token(&self) -> &CancelToken {
        &self.token
    }

    /// Adds a result, JSON, and blocks while the buffer is full. Returns false once the stream has ended.
    pub(crate) fn put(&self, result: &str) -> bool {
        // An empty buffer accepts any result, even one larger than the maximum.
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

    /// Records the end of the stream; the first recorded end wins.
    pub(crate) fn end(&self, end: End) {
        self.state().end.get_or_insert(end);
        self.changed.notify_all();
    }

    /// Returns the buffered results as a JSON array; waits at most `wait` for the first one. The end comes
    /// with the last results and is repeated on every later call.
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

    /// Cancels the search, wakes the threads that wait here and discards the results.
    pub(crate) fn cancel(&self) {
        self.token.cancel();
        let error = Error::new(ErrorKind::Cancelled, "the stream was cancelled");
        self.end(End::Error(error_text(&error)));
        self.state().results = String::new();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Text and end are each changed in one step, so the state is consistent even after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
