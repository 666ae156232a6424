//! The worst-case cost of one byte of a name for a pattern.

use regex_syntax::hir::{Class, Hir, HirKind};

/// The number of ranges of a class that take as long to scan as one more state.
const RANGES_PER_UNIT: usize = 16;
/// A class is compiled to a tree over the bytes of its characters; no node has more branches.
const RANGES_MAX: usize = 64;

/// Returns a bound on the number of states of the pattern's automaton that one text can occupy at the same
/// time.
///
/// The size of the compiled automaton is a poor measure of it: `\w` compiles to hundreds of states, of which
/// a text occupies two, and `[ab]{200}` to two hundred, all of which it can occupy.
pub(super) fn cost(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => cost_of_literal(&literal.0),
        HirKind::Class(Class::Bytes(_)) => 1,
        HirKind::Class(Class::Unicode(class)) => {
            1 + class.ranges().len().min(RANGES_MAX) / RANGES_PER_UNIT
        }
        HirKind::Capture(capture) => cost(&capture.sub).saturating_add(2),
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.max(1));
            let times = usize::try_from(times).unwrap_or(usize::MAX);
            cost(&repetition.sub).saturating_add(1).saturating_mul(times)
        }
        HirKind::Concat(parts) => sum(parts),
        HirKind::Alternation(parts) => sum(parts).saturating_add(1),
    }
}

fn sum(parts: &[Hir]) -> usize {
    parts.iter().map(cost).fold(0, usize::saturating_add)
}

/// Returns the number of positions in the same literal that a text can occupy at once. There are several if
/// an end of the part read so far also starts the literal: `aaaa` can be begun four times at once, `abcd`
/// once.
fn cost_of_literal(literal: &[u8]) -> usize {
    if !literal.is_ascii() {
        // Other characters may be the same in another case.
        return literal.len();
    }
    let literal = literal.to_ascii_lowercase();
    // For each length of the read part: the longest proper end that also starts it, and the number of such
    // ends, the whole part included (the borders of Knuth, Morris and Pratt).
    let mut borders = vec![0; literal.len() + 1];
    let mut counts = vec![1; literal.len() + 1];
    for at in 1..literal.len() {
        let mut border = borders[at];
        while border > 0 && literal[border] != literal[at] {
            border = borders[border];
        }
        if literal[border] == literal[at] {
            border += 1;
        }
        borders[at + 1] = border;
        counts[at + 1] = if border > 0 { counts[border] + 1 } else { 1 };
    }
    counts.into_iter().max().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_is_the_number_of_simultaneous_states() {
        for (regex, expected) in [
            ("", 1),
            ("^", 1),
            ("abcd", 1),
            ("aaaa", 4),
            ("aAaA", 4),
            ("abab", 2),
            ("aabaa", 3),
            ("ää", 4),
            ("[ab]{200}", 400),
            ("(?:ab)+", 2),
            ("(?:ab){3,}", 6),
            ("[ab]*", 2),
            ("(x)", 3),
            ("ab|cd", 3),
            (r"\w", 5),
        ] {
            let hir = regex_syntax::parse(regex).expect(regex);
            assert_eq!(cost(&hir), expected, "{regex}");
        }
        let huge = regex_syntax::parse("(?:(?:(?:a{4000}){4000}){4000}){4000}").expect("huge");
        assert!(cost(&huge) > 4_000 * 4_000);
    }
}
