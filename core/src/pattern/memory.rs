//! Finds out whether there is memory for a pattern before it is compiled.
//!
//! The compiler and the caches of regular expressions abort the process where an allocation fails. Before a
//! pattern that may take much, blocks of the size of what it may take are reserved and given back, so that a
//! lack of memory is an error. Memory that is not written to costs the system next to nothing.

use crate::error::{Error, ErrorKind, Result};
use regex_syntax::hir::{Class, Hir, HirKind};

/// Smaller automata need no large blocks.
const SMALL_BYTES: usize = 256 << 10;
/// The memory of one range of bytes of a class, with its states in both directions while they are built:
/// measured as 1.1 MiB for `\w{30}`, whose class has 771 ranges.
const RANGE_BYTES: usize = 64;
/// The characters that differ in the last byte of their text, and the maximum number of ranges of bytes that
/// others are split into.
const LAST_BYTE: u32 = 64;
const SPLIT_MAX: u32 = 8;

/// Refuses a pattern for whose compilation and caches there is not enough memory. Its automaton has at most
/// `automaton_bytes_max`, and the caches of its automaton have at most `cache_bytes_max`.
pub(super) fn check(hir: &Hir, automaton_bytes_max: usize, cache_bytes_max: usize) -> Result<()> {
    let automaton_bytes = size_of(hir).min(automaton_bytes_max);
    if automaton_bytes <= SMALL_BYTES {
        return Ok(());
    }
    let mut blocks: [Vec<u8>; 2] = Default::default();
    for (block, bytes) in blocks.iter_mut().zip([automaton_bytes, cache_bytes_max]) {
        let reserved = block.try_reserve_exact(bytes);
        reserved.map_err(|_| {
            let message = "there is not enough memory to compile the pattern";
            Error::new(ErrorKind::Internal, message).with_param("patterns")
        })?;
    }
    // Otherwise the optimiser may leave both blocks out.
    std::hint::black_box(&blocks);
    Ok(())
}

/// Returns an upper estimate of the size of the automaton in bytes. The parser bounds the depth.
fn size_of(hir: &Hir) -> usize {
    let n_ranges = |n: usize| n.saturating_mul(RANGE_BYTES);
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => RANGE_BYTES,
        HirKind::Literal(literal) => n_ranges(literal.0.len()),
        HirKind::Class(Class::Unicode(class)) => {
            let split = |len: u32| (1 + len / LAST_BYTE).min(SPLIT_MAX) as usize;
            let ranges = class.ranges().iter();
            n_ranges(ranges.map(|range| split(range.end() as u32 - range.start() as u32)).sum())
        }
        HirKind::Class(Class::Bytes(class)) => n_ranges(class.ranges().len()),
        HirKind::Repetition(repetition) => {
            let n = repetition.max.unwrap_or(repetition.min.saturating_add(1)).max(1);
            size_of(&repetition.sub).saturating_mul(n as usize)
        }
        HirKind::Capture(capture) => size_of(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(size_of).fold(0, usize::saturating_add)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_grows_with_classes_and_repetitions() {
        let size = |pattern: &str| size_of(&regex_syntax::parse(pattern).expect("it parses"));
        assert!(size("[a-z]+_needle|other") < SMALL_BYTES);
        assert!(size(r"\w{30}x") > SMALL_BYTES);
        assert_eq!(size("(?:a{100}){100}"), 100 * size("a{100}"));
        assert_eq!(size("(?:(?:(?:a{1000}){1000}){1000}){1000}"), 1_000_000_000_000 * RANGE_BYTES);
    }

    #[test]
    fn more_than_there_is_is_refused() {
        let hir = regex_syntax::parse(r"\w{30}x").expect("it parses");
        assert!(check(&hir, usize::MAX, 1 << 20).is_ok());
        let error = check(&hir, usize::MAX, isize::MAX as usize).expect_err("too much");
        assert_eq!(error.param(), Some("patterns"));
    }
}
