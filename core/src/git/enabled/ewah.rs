//! Compressed bitmaps (EWAH), as used by a split index.
//!
//! A split index is refused rather than read without them: the deleted entries of its shared index would
//! count as tracked.

use super::bytes::Bytes;
use super::failure::{Failure, Malformed};
use super::index_memory::IndexMemory;
use crate::budget::Budget;

/// Bits beyond this belong to no entry; the limit keeps positions from overflowing.
const BITS_MAX: u64 = 1 << 40;

/// Reads one bitmap; returns the positions of its bits in ascending order.
///
/// A bitmap of a few bytes can have any number of bits, so their memory counts as that of the index.
pub(super) fn positions(
    input: &mut Bytes<'_>,
    memory: &mut IndexMemory,
    budget: &Budget,
) -> Result<Vec<u64>, Failure> {
    let _bits = input.u32()?;
    let n_words = input.u32()? as usize;
    let words = input.take(n_words.checked_mul(8).ok_or(Malformed("a bitmap is too large"))?)?;
    let _last_marker = input.u32()?;
    let mut words = Bytes::new(words);
    let mut positions = Vec::new();
    let mut at = 0_u64;
    while !words.rest().is_empty() {
        budget.poll()?;
        // A marker word: the repeated bit, the number of words with it, and the number of literal words that
        // follow.
        let marker = words.u64()?;
        let (run, literals) = (marker >> 1 & 0xffff_ffff, marker >> 33);
        if marker & 1 == 1 {
            for bit in at..at + run * 64 {
                memory.push(&mut positions, bit, budget)?;
            }
        }
        at += run * 64;
        if at > BITS_MAX {
            return Err(Malformed("a bitmap is too large").into());
        }
        for _ in 0..literals {
            budget.poll()?;
            let word = words.u64()?;
            for bit in (0..64).filter(|bit| word >> bit & 1 == 1) {
                memory.push(&mut positions, at + bit, budget)?;
            }
            at += 64;
        }
    }
    Ok(positions)
}
