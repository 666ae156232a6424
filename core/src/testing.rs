//! Faults of the system, and a clock that a test turns: for the tests of crates over the engine. It changes without
//! notice.

pub use crate::clock::TurnedClock;
#[cfg(unix)]
pub use crate::workspace::fs::faults::{Fault, Faults, Op, Plan};

use crate::index::{Index, View};
use crate::pattern::Span;
use crate::{Line, RelPath, Report, StopReason, Warning, Workspace};
use std::time::Instant;

/// Pretends from now on that a file system beneath the root may not respond, or that all do.
pub fn pretend_may_not_answer(workspace: &Workspace, may_not_answer: bool) {
    workspace.mounts().pretend(may_not_answer);
}

/// Discards the events of the index, as the system does when its queue overflows.
pub fn lose_events(workspace: &Workspace) {
    if let Some(index) = Index::of(workspace) {
        index.lose_events();
    }
}

/// Discards the events that wait, without marking the index as stale.
pub fn discard_events(workspace: &Workspace) {
    if let Some(index) = Index::of(workspace) {
        index.discard_events();
    }
}

/// Takes the events that wait, as the start of a call does.
pub fn take_events(workspace: &Workspace) {
    drop(View::of_call(workspace));
}

/// Returns whether a directory waits for the builder.
pub fn is_dirty(workspace: &Workspace) -> bool {
    Index::of(workspace).is_some_and(|index| index.is_dirty())
}

/// Returns the report of a search with one match.
pub fn report(stopped: Option<StopReason>) -> Report {
    Report::new(stopped, 1, Default::default(), Instant::now())
}

/// Returns a line with matches, the 7th of a file.
pub fn line(text: &str, spans: Vec<Span>) -> Line {
    Line { spans, offset: 100, ..Line::whole(7, text) }
}

/// Returns a warning.
pub fn warning(path: &str, reason: &str) -> Warning {
    Warning { path: path.to_owned(), reason: reason.to_owned() }
}

/// Returns a path below the root.
pub fn path(path: &str) -> RelPath {
    RelPath::from_components(path.split('/').map(str::as_bytes))
}
