//! Fault injection: one operation of a workspace fails, or all from a given one on.
//!
//! A workspace opened within [`Faults::opening`] is watched together with everything that it opens.
//! Operations are counted over all threads, and so are open handles.

pub use super::Op;
use parking_lot::Mutex;
use rustix::io::{Errno, Result};
use std::cell::RefCell;
use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::thread::ThreadId;
use std::time::Duration;

/// The effect on an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "tests name them")]
pub enum Fault {
    /// It fails with this error.
    Fails(Errno),
    /// Reads and writes transfer at most this many bytes.
    Short(usize),
    /// It begins after this time.
    Late(Duration),
}

/// The operations that a fault affects.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "tests write them")]
pub struct Plan {
    /// The fault.
    pub fault: Fault,
    /// The number of the first one, from 1.
    pub from: u64,
    /// The number of operations.
    pub n: u64,
}

/// The planned faults and the operations that happened.
#[derive(Debug, Default)]
pub struct Faults(AssertUnwindSafe<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    plans: Vec<Plan>,
    /// The error that `openat2` always returns.
    refusal: Option<Errno>,
    /// Whether listings hide the kinds of entries.
    hides_kinds: bool,
    /// The operations since the last plan.
    ops: Vec<Op>,
    /// The threads that ran them.
    threads: HashSet<ThreadId>,
    /// The number of faults that happened.
    n_happened: u64,
    n_open: usize,
}

/// A handle's link to its faults; it counts as open until it is dropped.
#[derive(Debug)]
pub(super) struct Watch {
    faults: Option<Arc<Faults>>,
    counts: bool,
}

thread_local! {
    static OPENING: RefCell<Option<Arc<Faults>>> = const { RefCell::new(None) };
}

impl Faults {
    /// Watches the workspaces that `open` opens.
    pub fn opening<T>(self: &Arc<Faults>, open: impl FnOnce() -> T) -> T {
        OPENING.set(Some(Arc::clone(self)));
        let opened = open();
        OPENING.set(None);
        opened
    }

    /// Restarts the count with these plans; if two affect one operation, the first applies.
    pub fn plan(&self, plans: impl IntoIterator<Item = Plan>) {
        let plans = plans.into_iter().collect();
        let mut state = self.0.lock();
        let State { n_open, refusal, hides_kinds, .. } = *state;
        *state = State { plans, n_open, refusal, hides_kinds, ..State::default() };
    }

    /// Makes `openat2` fail with `errno` from now on.
    pub fn refuse_openat2(&self, errno: Errno) {
        self.0.lock().refusal = Some(errno);
    }

    /// Makes listings hide the kinds of entries from now on, as some file systems do.
    pub fn hide_kinds(&self) {
        self.0.lock().hides_kinds = true;
    }

    /// Returns the operations since the last plan.
    pub fn ops(&self) -> Vec<Op> {
        self.0.lock().ops.clone()
    }

    /// Returns the operation number `nth`, from 1.
    pub fn op(&self, nth: u64) -> Option<Op> {
        let before = usize::try_from(nth.checked_sub(1)?).ok()?;
        self.0.lock().ops.get(before).copied()
    }

    /// Returns the number of threads that ran them.
    pub fn n_threads(&self) -> usize {
        self.0.lock().threads.len()
    }

    /// Returns the number of faults that happened.
    pub fn n_happened(&self) -> u64 {
        self.0.lock().n_happened
    }

    /// Returns the number of open handles.
    pub fn n_open(&self) -> usize {
        self.0.lock().n_open
    }

    /// Returns the fault planned for the operation that was counted last, if any.
    fn due(state: &State) -> Option<Fault> {
        let nth = state.ops.len() as u64;
        let is_due = |plan: &&Plan| nth >= plan.from && nth - plan.from < plan.n;
        state.plans.iter().find(is_due).map(|plan| plan.fault)
    }
}

impl Watch {
    pub(super) fn of_this_thread() -> Watch {
        Watch { faults: OPENING.with_borrow(Clone::clone), counts: false }
    }

    pub(super) fn opened(&self) -> Watch {
        if let Some(faults) = &self.faults {
            faults.0.lock().n_open += 1;
        }
        Watch { faults: self.faults.clone(), counts: true }
    }

    pub(super) fn before(&self, op: Op) -> Result<()> {
        let Some(faults) = &self.faults else {
            return Ok(());
        };
        let mut state = faults.0.lock();
        if let (Op::OpenBeneath, Some(refusal)) = (op, state.refusal) {
            return Err(refusal);
        }
        state.ops.push(op);
        state.threads.insert(std::thread::current().id());
        let due = Faults::due(&state);
        let happens = match due {
            Some(Fault::Short(_)) => matches!(op, Op::Read | Op::Write),
            due => due.is_some(),
        };
        state.n_happened += u64::from(happens);
        drop(state);
        match due {
            Some(Fault::Fails(errno)) => Err(errno),
            Some(Fault::Late(duration)) => {
                std::thread::sleep(duration);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn tells_kinds(&self) -> bool {
        self.faults.as_ref().is_none_or(|faults| !faults.0.lock().hides_kinds)
    }

    pub(super) fn allowed(&self, len: usize) -> usize {
        let due = self.faults.as_ref().and_then(|faults| Faults::due(&faults.0.lock()));
        match due {
            Some(Fault::Short(max)) => len.min(max),
            _ => len,
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(faults) = self.faults.as_ref().filter(|_| self.counts) {
            faults.0.lock().n_open -= 1;
        }
    }
}
