//! A cache of what was read from recent files, so that repeated queries need not parse again.

use crate::syntax::{FileStamp, Language, Outline, Uses};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

/// The maximum memory of all entries of a cache.
const BYTES_MAX: usize = 32 << 20;
/// The memory of an entry besides its value.
const ENTRY_BYTES: usize = 128;

/// The language, the file's stamp when it was opened, and the hash of its text. A file has one text per
/// encoding that it is read in, and a file changed twice within a tick of the file system's clock keeps its
/// times.
pub(super) type Key = (Language, FileStamp, u64);

/// Returns the hash of a text.
pub(super) fn hash(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text);
    hasher.finish()
}

/// A value with a known size in memory.
pub(super) trait Cached {
    fn bytes(&self) -> usize;
}

impl Cached for Outline {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl Cached for Uses {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

/// Values by the state of their files.
pub(super) struct Cache<T>(Mutex<Remembered<T>>);

impl<T> Default for Cache<T> {
    fn default() -> Cache<T> {
        Cache(Mutex::new(Remembered { entries: HashMap::new(), bytes: 0, clock: 0 }))
    }
}

struct Remembered<T> {
    entries: HashMap<Key, Entry<T>>,
    bytes: usize,
    /// The number of uses so far.
    clock: u64,
}

struct Entry<T> {
    value: Arc<T>,
    bytes: usize,
    used: u64,
}

impl<T: Cached> Cache<T> {
    pub(super) fn get(&self, key: &Key) -> Option<Arc<T>> {
        let mut all = self.0.lock();
        all.clock += 1;
        let clock = all.clock;
        let entry = all.entries.get_mut(key)?;
        entry.used = clock;
        Some(Arc::clone(&entry.value))
    }

    /// Caches the value of a file, unless it is very large.
    pub(super) fn put(&self, key: Key, value: &Arc<T>) {
        let bytes = value.bytes() + ENTRY_BYTES;
        if bytes > BYTES_MAX / 4 {
            return;
        }
        let mut all = self.0.lock();
        all.clock += 1;
        let entry = Entry { value: Arc::clone(value), bytes, used: all.clock };
        all.bytes += bytes;
        if let Some(old) = all.entries.insert(key, entry) {
            all.bytes -= old.bytes;
        }
        if all.bytes > BYTES_MAX {
            all.forget_half();
        }
    }
}

impl<T> Remembered<T> {
    /// Evicts the least recently used entries down to half of the limit. Rare, and therefore cheap.
    fn forget_half(&mut self) {
        let mut by_use: Vec<_> =
            self.entries.iter().map(|(key, entry)| (entry.used, *key, entry.bytes)).collect();
        by_use.sort_unstable_by_key(|(used, ..)| *used);
        for (_, key, bytes) in by_use {
            if self.bytes <= BYTES_MAX / 2 {
                break;
            }
            self.entries.remove(&key);
            self.bytes -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Part, SymbolKind};

    fn stamp(inode: u64, changed: i128) -> FileStamp {
        FileStamp { id: (1, inode), size: 9, mtime_ns: 5, ctime_ns: changed }
    }

    fn key(stamp: FileStamp) -> Key {
        ("Rust", stamp, 7)
    }

    fn outline(n: usize) -> Arc<Outline> {
        let part = |at| Part {
            kind: SymbolKind::Function,
            range: at..at + 1,
            name: "name".into(),
            name_start: at,
            line: 1,
            column: 1,
            scope: None,
            is_recovered: false,
        };
        let words = super::super::language::named("Rust").expect("Rust").words;
        Arc::new(
            Outline::new("Rust", words, None, (0..n).map(part).collect()).expect("there is room"),
        )
    }

    #[test]
    fn an_outline_is_found_by_all_of_its_stamp() {
        let outlines = Cache::<Outline>::default();
        outlines.put(key(stamp(1, 5)), &outline(3));
        assert_eq!(outlines.get(&key(stamp(1, 5))).map(|found| found.symbols().len()), Some(3));
        let others = [stamp(2, 5), stamp(1, 6), FileStamp { size: 8, ..stamp(1, 5) }];
        for other in others {
            assert!(outlines.get(&key(other)).is_none(), "{other:?}");
        }
        assert!(outlines.get(&("Go", stamp(1, 5), 7)).is_none());
        assert!(outlines.get(&("Rust", stamp(1, 5), 8)).is_none());
    }

    #[test]
    fn memory_is_bounded_and_the_last_used_outline_stays() {
        let outlines = Cache::<Outline>::default();
        let large = outline(10_000);
        let n = 2 * BYTES_MAX / large.bytes();
        for inode in 0..n as u64 {
            outlines.put(key(stamp(inode, 5)), &large);
            outlines.get(&key(stamp(0, 5)));
            let all = outlines.0.lock();
            assert!(all.bytes <= BYTES_MAX);
            let summed: usize = all.entries.values().map(|entry| entry.bytes).sum();
            assert_eq!(all.bytes, summed);
        }
        assert!(outlines.get(&key(stamp(0, 5))).is_some());
        assert!(outlines.get(&key(stamp(1, 5))).is_none());
        outlines.put(key(stamp(7, 5)), &outline(BYTES_MAX / 64));
        assert!(outlines.get(&key(stamp(7, 5))).is_none(), "one outline is not a cache");
    }
}
