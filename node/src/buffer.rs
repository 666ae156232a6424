//! Bounded buffer for the results of a stream, between its search thread and JavaScript's pulls.
//!
//! A pull that finds no result waits here as a promise, which the search thread settles: no thread waits.

use crate::call::error_text;
use crate::promise::Deferred;
use napi_derive::napi;
use searchscope::{CancelToken, Error, ErrorKind};
use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Maximum size of the buffered results. Large enough that crossing to JavaScript costs little per
/// result, and small enough for V8's young generation: larger strings are freed late.
const BYTES_MAX: usize = 64 * 1024;

/// The result of a pull.
#[napi(object)]
#[derive(Debug)]
pub(crate) struct Batch {
    /// A JSON array of results.
    pub results: String,
    /// The tool's report as JSON; comes with the last results.
    pub report: Option<String>,
    /// The error that ended the stream, as JSON; it comes after the results.
    pub error: Option<String>,
}

/// The results that were not pulled yet, and the end of the stream.
#[derive(Debug)]
pub(crate) struct Buffer {
    state: Mutex<State>,
    /// Signalled when room becomes free or the stream ends.
    changed: Condvar,
    token: CancelToken,
}

#[derive(Default)]
struct State {
    /// A JSON array without its closing bracket; the empty string if there are no results.
    results: String,
    end: Option<End>,
    /// The pull that waits; only while there are neither results nor an end.
    pull: Option<Deferred<Batch>>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("end", &self.end).finish_non_exhaustive()
    }
}

/// The end of a stream.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// The search finished; the tool's report as JSON.
    Report(String),
    /// The search failed; the engine's error as JSON.
    Error(String),
}

impl State {
    /// Takes the buffered results, with the end if it is known.
    fn take(&mut self) -> Batch {
        let mut results = std::mem::take(&mut self.results);
        if results.is_empty() {
            results.push('[');
        }
        results.push(']');
        let (report, error) = match self.end.clone() {
            None => (None, None),
            Some(End::Report(report)) => (Some(report), None),
            Some(End::Error(error)) => (None, Some(error)),
        };
        Batch { results, report, error }
    }

    /// Returns the waiting pull, with the batch that it was waiting for.
    fn answer(&mut self) -> Option<(Deferred<Batch>, Batch)> {
        let pull = self.pull.take()?;
        Some((pull, self.take()))
    }
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
        settle(state);
        true
    }

    /// Records the end of the stream; the first recorded end wins.
    pub(crate) fn end(&self, end: End) {
        let mut state = self.state();
        state.end.get_or_insert(end);
        self.changed.notify_all();
        settle(state);
    }

    /// Resolves `pull` with the buffered results, or with the first one as soon as it comes. The end comes
    /// with the last results and is repeated on every later pull.
    pub(crate) fn pull(&self, pull: Deferred<Batch>) {
        let mut state = self.state();
        if state.results.is_empty() && state.end.is_none() {
            let earlier = state.pull.replace(pull);
            drop(state);
            // One pull waits at a time: an earlier one returns without results.
            if let Some(earlier) = earlier {
                earlier.resolve(State::default().take());
            }
            return;
        }
        let batch = state.take();
        self.changed.notify_all();
        drop(state);
        pull.resolve(batch);
    }

    /// Cancels the search, wakes the thread and the pull that wait here, and discards the results.
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

/// Resolves the waiting pull, if there is one, after the state is unlocked.
fn settle(mut state: MutexGuard<'_, State>) {
    let answer = state.answer();
    drop(state);
    if let Some((pull, batch)) = answer {
        pull.resolve(batch);
    }
}
