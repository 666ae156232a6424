//! The order in which calls start: workspaces take turns, and the calls of one start in the order in which
//! they came. However many calls a workspace has, another one waits for one of them at most.

use std::collections::VecDeque;

/// Maximum number of calls of one workspace that run at once: as many as agents send together. Each has one
/// thread of its own, because all calls share the helpers of the engine's pool.
const OF_WORKSPACE_MAX: usize = 8;

/// The waiting calls, and the number of running ones, of each workspace.
#[derive(Debug)]
pub(crate) struct Queue<C> {
    /// In the order of their turns; only workspaces with calls.
    workspaces: VecDeque<Calls<C>>,
}

/// The calls of one workspace.
#[derive(Debug)]
struct Calls<C> {
    workspace: u64,
    n_running: usize,
    waiting: VecDeque<C>,
}

impl<C> Calls<C> {
    /// Returns the number of waiting calls that may start.
    fn n_ready(&self) -> usize {
        self.waiting.len().min(OF_WORKSPACE_MAX - self.n_running)
    }

    fn is_empty(&self) -> bool {
        self.n_running == 0 && self.waiting.is_empty()
    }
}

impl<C> Queue<C> {
    pub(crate) const fn new() -> Queue<C> {
        Queue { workspaces: VecDeque::new() }
    }

    /// Adds a call after those of its workspace.
    pub(crate) fn push(&mut self, workspace: u64, call: C) {
        match self.workspaces.iter_mut().find(|calls| calls.workspace == workspace) {
            Some(calls) => calls.waiting.push_back(call),
            None => {
                let waiting = VecDeque::from([call]);
                self.workspaces.push_back(Calls { workspace, n_running: 0, waiting });
            }
        }
    }

    /// Returns the number of waiting calls that could start now, given enough threads.
    pub(crate) fn n_ready(&self) -> usize {
        self.workspaces.iter().map(Calls::n_ready).sum()
    }

    /// Returns the number of waiting calls.
    pub(crate) fn n_waiting(&self) -> usize {
        self.workspaces.iter().map(|calls| calls.waiting.len()).sum()
    }

    /// Takes the next call, with its workspace; it counts as running until [`Queue::end`]. The turn of a
    /// workspace is over with each call; one that has no call ready keeps its turn.
    pub(crate) fn start(&mut self) -> Option<(u64, C)> {
        let next = self.workspaces.iter().position(|calls| calls.n_ready() > 0)?;
        let mut calls = self.workspaces.remove(next)?;
        let call = calls.waiting.pop_front();
        calls.n_running += usize::from(call.is_some());
        let workspace = calls.workspace;
        self.workspaces.push_back(calls);
        call.map(|call| (workspace, call))
    }

    /// Records that a call of the workspace has ended.
    pub(crate) fn end(&mut self, workspace: u64) {
        for calls in self.workspaces.iter_mut().filter(|calls| calls.workspace == workspace) {
            calls.n_running -= 1;
        }
        self.workspaces.retain(|calls| !calls.is_empty());
    }

    /// Removes and returns the waiting calls for which `is_unwanted` returns true.
    pub(crate) fn remove(&mut self, is_unwanted: impl Fn(&C) -> bool) -> Vec<C> {
        let mut removed = Vec::new();
        for calls in &mut self.workspaces {
            for call in std::mem::take(&mut calls.waiting) {
                if is_unwanted(&call) {
                    removed.push(call);
                } else {
                    calls.waiting.push_back(call);
                }
            }
        }
        self.workspaces.retain(|calls| !calls.is_empty());
        removed
    }
}
