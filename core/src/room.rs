//! Fallible allocation for sizes that depend on input or limits: a failure becomes an error. A failing
//! allocation elsewhere aborts the host's process.

use std::collections::TryReserveError;

/// Resizes a buffer to `len` bytes; new bytes are zero.
pub(crate) fn resize(buffer: &mut Vec<u8>, len: usize) -> Result<(), TryReserveError> {
    buffer.try_reserve(len.saturating_sub(buffer.len()))?;
    buffer.resize(len, 0);
    Ok(())
}

/// Adds an item to a list.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) -> Result<(), TryReserveError> {
    list.try_reserve(1)?;
    list.push(item);
    Ok(())
}

/// Copies bytes.
pub(crate) fn copy(bytes: &[u8]) -> Result<Vec<u8>, TryReserveError> {
    let mut copied = Vec::new();
    copied.try_reserve_exact(bytes.len())?;
    copied.extend_from_slice(bytes);
    Ok(copied)
}

/// Collects items into a list with room for exactly `len` of them, or more if there are more.
pub(crate) fn collect<T>(
    items: impl Iterator<Item = T>,
    len: usize,
) -> Result<Vec<T>, TryReserveError> {
    let mut list = Vec::new();
    list.try_reserve_exact(len)?;
    for item in items {
        push(&mut list, item)?;
    }
    Ok(list)
}

/// Sorts a list; items with the same key keep their order. The stable sorts of the standard library allocate,
/// and abort if that fails.
pub(crate) fn sort_by_key<T, K: Ord>(
    list: Vec<T>,
    key: impl Fn(&T) -> K,
) -> Result<Vec<T>, TryReserveError> {
    let len = list.len();
    let mut numbered = collect(list.into_iter().enumerate(), len)?;
    numbered.sort_unstable_by_key(|(at, item)| (key(item), *at));
    collect(numbered.into_iter().map(|(_, item)| item), len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_allocation_changes_nothing() {
        let mut buffer = vec![1, 2];
        assert!(resize(&mut buffer, usize::MAX).is_err());
        assert_eq!(buffer, [1, 2]);
        resize(&mut buffer, 4).expect("there is room");
        assert_eq!(buffer, [1, 2, 0, 0]);
        resize(&mut buffer, 1).expect("less needs no room");
        push(&mut buffer, 9).expect("there is room");
        let sorted = sort_by_key(vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')], |(n, _)| *n);
        assert_eq!(sorted.expect("there is room"), [(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
        assert_eq!(copy(&buffer).expect("there is room"), [1, 9]);
    }
}
