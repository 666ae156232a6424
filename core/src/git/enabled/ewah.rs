//! Compressed bitmaps (EWAH), as used by a split index.
//!
//! A split index is refused rather than read without them: the deleted entries of its shared index would
//! count as tracked.

use super::bytes::Bytes;
use super::failure::{Failure, Malformed};
use crate::budget::Budget;
use crate::room;

/// The maximum number of positions: an index has fewer entries.
const POSITIONS_MAX: usize = 1 << 22;
/// Bits beyond this belong to no entry; the bound keeps positions from overflowing.
const BITS_MAX: u64 = 1 << 40;

/// Reads one bitmap; returns the positions of its bits in ascending order.
pub(super) fn positions(input: &mut Bytes<'_>, budget: &Budget) -> Result<Vec<u64>, Failure> {
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
                add(&mut positions, bit)?;
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
                add(&mut positions, at + bit)?;
            }
            at += 64;
        }
    }
    Ok(positions)
}

fn add(positions: &mut Vec<u64>, bit: u64) -> Result<(), Failure> {
    if positions.len() == POSITIONS_MAX {
        return Err(Malformed("a bitmap is too large").into());
    }
    room::push(positions, bit)?;
    Ok(())
}
