//! The table of vectors: stems in alphabetical order, and a row of numbers for each.
//!
//! It is read where the binary has it, without work at the start of a call. `bench/vectors` has its maker and the
//! packages that it was trained on. Its bytes are the number of stems (2 bytes, little endian), the end of each
//! stem among their letters (2 bytes each), the letters of all stems, and the rows.

use std::cmp::Ordering;

/// The numbers of a vector. All have one scale, which a cosine does not need.
pub(super) const NUMBERS: usize = 64;

/// The vector of a stem: signed numbers, as bytes.
pub(super) type Row = [u8; NUMBERS];

/// The length of the longest stem with a row.
pub(super) const STEM_MAX: usize = 20;

pub(super) static BYTES: &[u8] = include_bytes!("table.bin");
/// The checksum of the table. Another table has other ranks.
#[cfg(test)]
pub(super) const SHA256: &str = "b7c14347d91e123fa9f0f8f070160fa7c3ab4ea23818a201a6ff5c0bf90dd0c6";
pub(super) const N_STEMS: usize = number_at(BYTES, 0);
const LETTERS: usize = 2 + 2 * N_STEMS;
const ROWS: usize = LETTERS + number_at(BYTES, 2 * N_STEMS);

// A table of another size does not build.
const _: () = assert!(BYTES.len() == ROWS + N_STEMS * NUMBERS);

const fn number_at(bytes: &[u8], at: usize) -> usize {
    bytes[at] as usize | (bytes[at + 1] as usize) << 8
}

/// Returns the stem at `index`.
pub(super) fn stem_at(index: usize) -> &'static [u8] {
    let end_of = |at: usize| number_at(BYTES, 2 * at);
    let start = if index == 0 { 0 } else { end_of(index) };
    &BYTES[LETTERS + start..LETTERS + end_of(index + 1)]
}

/// Returns the index of the row of `stem`.
pub(super) fn index_of(stem: &[u8]) -> Option<u16> {
    let (mut low, mut high) = (0, N_STEMS);
    while low < high {
        let middle = (low + high) / 2;
        match stem_at(middle).cmp(stem) {
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
            Ordering::Equal => return u16::try_from(middle).ok(),
        }
    }
    None
}

/// Returns the row at `index`, which [`index_of`] has returned.
pub(super) fn row_at(index: u16) -> &'static Row {
    &BYTES[ROWS..].as_chunks::<NUMBERS>().0[usize::from(index)]
}

/// Returns the row of `stem`.
pub(super) fn row_of(stem: &[u8]) -> Option<&'static Row> {
    index_of(stem).map(row_at)
}
