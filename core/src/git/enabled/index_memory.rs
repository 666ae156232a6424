//! The memory of indexes: the file of an index decides how much it would take, and anyone can write one.

use super::failure::Failure;
use crate::budget::Budget;
use parking_lot::{Mutex, MutexGuard};
use std::time::Duration;

/// The maximum memory of the entries and paths of one index, together with its shared part: some 500,000
/// files. What else belongs to it, such as its cached trees, keeps it below 100 MiB.
pub(super) const MEMORY_BYTES_MAX: usize = 72 << 20;
/// An index that takes more memory waits until no other such index is in memory.
const LARGE_BYTES: usize = 16 << 20;
/// How long a thread waits before it looks at its deadline again.
const WAIT: Duration = Duration::from_millis(10);

/// Held by the call that has a large index.
static TURN: Mutex<()> = Mutex::new(());

/// The memory that an index has taken. A process has one large index at a time, so that many calls do not
/// need many times the memory.
#[derive(Default)]
pub(super) struct IndexMemory {
    bytes: usize,
    turn: Option<MutexGuard<'static, ()>>,
}

impl IndexMemory {
    /// Counts memory before it is taken.
    pub(super) fn take(&mut self, bytes: usize, budget: &Budget) -> Result<(), Failure> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MEMORY_BYTES_MAX {
            let mib = MEMORY_BYTES_MAX >> 20;
            return Err(Failure::refused(format!("it needs more than {mib} MiB of memory")));
        }
        while self.bytes > LARGE_BYTES && self.turn.is_none() {
            budget.poll_clock()?;
            self.turn = TURN.try_lock_for(WAIT);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    #[test]
    fn large_indexes_take_turns() {
        let budget = Budget::of(&Call::new());
        let mut first = IndexMemory::default();
        first.take(LARGE_BYTES + 1, &budget).expect("its turn");
        let mut small = IndexMemory::default();
        small.take(LARGE_BYTES, &budget).expect("no turn needed");
        let call = Call::new().with_timeout(Duration::from_millis(30));
        let late = small.take(1, &Budget::of(&call));
        assert!(matches!(late, Err(Failure::Stopped)), "{late:?}");
        drop(first);
        small.take(1, &budget).expect("its turn");
        let refused = small.take(MEMORY_BYTES_MAX, &budget);
        assert!(matches!(refused, Err(Failure::Refused(_))), "{refused:?}");
    }
}
