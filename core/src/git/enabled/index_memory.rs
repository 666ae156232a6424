//! The memory of indexes: the file of an index decides how much it would take, and anyone can write one.

use super::failure::Failure;
use crate::budget::Budget;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// The maximum memory of the entries, paths and bitmaps of one index, together with those of its shared part:
/// some 500,000 files, or half as many if the index is split or sparse, because it is then built twice. Its
/// cached trees and its buffers, which have limits of their own, keep the whole below 100 MiB.
pub(super) const MEMORY_BYTES_MAX: usize = 72 << 20;
/// An index that takes more memory waits until no other such index is in memory.
const LARGE_BYTES: usize = 16 << 20;
/// How long a thread waits before it looks at its deadline again.
const WAIT: Duration = Duration::from_millis(10);

/// The process that has a large index, or 0.
///
/// It is not a mutex, because a process that was forked while its parent had a large index has a copy of it, and
/// no thread that would ever unlock it.
static HOLDER: AtomicU32 = AtomicU32::new(0);

/// The right to have a large index.
struct Turn;

impl Turn {
    /// Takes the turn if no other call of this process has it.
    fn try_take() -> Option<Turn> {
        let own = process::id();
        let taken = HOLDER.fetch_update(Ordering::Acquire, Ordering::Relaxed, |holder| {
            (holder != own).then_some(own)
        });
        // Not `then_some`: a turn that is made and dropped would end that of another call.
        taken.ok().map(|_| Turn)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        HOLDER.store(0, Ordering::Release);
    }
}

/// The memory that an index has taken. A process has one large index at a time, so that many calls do not
/// need many times the memory.
#[derive(Default)]
pub(super) struct IndexMemory {
    bytes: usize,
    turn: Option<Turn>,
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
            self.turn = Turn::try_take();
            if self.turn.is_none() {
                thread::sleep(WAIT);
            }
        }
        Ok(())
    }

    /// Adds an item to a list whose memory is counted.
    pub(super) fn push<T>(
        &mut self,
        list: &mut Vec<T>,
        item: T,
        budget: &Budget,
    ) -> Result<(), Failure> {
        if list.len() == list.capacity() {
            let more = (list.len() / 8).max(64);
            self.take(more * size_of::<T>(), budget)?;
            list.try_reserve_exact(more)?;
        }
        list.push(item);
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
        // In a child of `fork`, the holder is another process.
        HOLDER.fetch_add(1, Ordering::Relaxed);
        assert!(Turn::try_take().is_some());
        drop(first);
        small.take(1, &budget).expect("its turn");
        let refused = small.take(MEMORY_BYTES_MAX, &budget);
        assert!(matches!(refused, Err(Failure::Refused(_))), "{refused:?}");
    }
}
