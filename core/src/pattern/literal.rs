//! Literals of which every match contains at least one: a quick way to rule a text out.

use crate::budget::{Budget, Stopped};
use regex_automata::util::prefilter::Prefilter;
use regex_automata::{MatchKind, Span};
use regex_syntax::hir::{Class, Hir, HirKind};

/// A search for more literals than this costs more than it saves.
const LITERALS_MAX: usize = 64;
/// A class with more characters than this is not treated as a set of literals.
const CLASS_CHARS_MAX: u32 = 4;

/// Maximum number of literals from adjacent parts of an expression, such as letters in either case: a larger
/// set of longer literals is not found faster.
const NEIGHBOURS_LITERALS_MAX: usize = 32;

/// Maximum number of bytes compared between two polls. In a hostile text every position is the beginning of
/// every literal.
const WORK_PER_POLL: usize = 4 << 20;
const BYTES_PER_POLL_MIN: usize = 4 << 10;

/// Literals of which every match contains at least one.
#[derive(Debug)]
pub(crate) struct Required {
    finder: Prefilter,
    bytes_per_poll: usize,
}

impl Required {
    /// Extracts the literals of a compiled expression; `None` if it has no useful ones.
    pub(crate) fn of(hir: &Hir) -> Option<Required> {
        let literals = required(hir)?;
        if literals.len() > 1 && literals.iter().any(|literal| literal.len() < 2) {
            return None;
        }
        let finder = Prefilter::new(MatchKind::LeftmostFirst, &literals)?;
        // A finder that inspects every byte in turn gains nothing over the expression itself.
        let bytes_per_poll = match &literals[..] {
            // A single literal takes no longer in any text.
            [_] => usize::MAX,
            _ => WORK_PER_POLL / literals.iter().map(Vec::len).sum::<usize>(),
        };
        let bytes_per_poll = bytes_per_poll.max(BYTES_PER_POLL_MIN);
        finder.is_fast().then_some(Required { finder, bytes_per_poll })
    }

    /// Returns the length of the longest literal. Pieces of a text must overlap by one byte less.
    pub(crate) fn longest(&self) -> usize {
        self.finder.max_needle_len()
    }

    /// Returns whether `text` contains any of the literals, within the budget.
    pub(crate) fn is_in(&self, text: &[u8], budget: &Budget) -> Result<bool, Stopped> {
        let mut at = 0_usize;
        loop {
            let next = at.saturating_add(self.bytes_per_poll);
            // A literal may cross the boundary between two pieces.
            let end = text.len().min(next.saturating_add(self.longest() - 1));
            if self.finder.find(text, Span::from(at..end)).is_some() {
                return Ok(true);
            }
            if end == text.len() {
                return Ok(false);
            }
            budget.poll_clock()?;
            at = next;
        }
    }
}

/// Recurses as deep as the expression nests, which the parser has bounded.
fn required(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    match hir.kind() {
        HirKind::Literal(literal) => Some(vec![literal.0.to_vec()]),
        HirKind::Class(class) => class_literals(class),
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Concat(parts) => {
            let alone = parts.iter().filter_map(required);
            alone.chain(of_neighbours(parts)).max_by_key(|literals| {
                let shortest = literals.iter().map(Vec::len).min().unwrap_or(0);
                (shortest, std::cmp::Reverse(literals.len()))
            })
        }
        HirKind::Alternation(branches) => {
            let mut all = Vec::new();
            for branch in branches {
                all.extend(required(branch)?);
                if all.len() > LITERALS_MAX {
                    return None;
                }
            }
            Some(all)
        }
        HirKind::Empty | HirKind::Look(_) | HirKind::Repetition(_) => None,
    }
}

/// Returns the sets of literals that runs of literals and small classes match as a whole: one set for each
/// place where a run may begin, extended until it would become too large.
fn of_neighbours(parts: &[Hir]) -> impl Iterator<Item = Vec<Vec<u8>>> {
    (0..parts.len()).filter_map(|first| {
        let mut all = vec![Vec::new()];
        let mut n_parts = 0;
        for part in &parts[first..] {
            let next = match part.kind() {
                HirKind::Literal(literal) => vec![literal.0.to_vec()],
                HirKind::Class(class) => match class_literals(class) {
                    Some(literals) => literals,
                    None => break,
                },
                _ => break,
            };
            if all.len() * next.len() > NEIGHBOURS_LITERALS_MAX {
                break;
            }
            let joined =
                all.iter().flat_map(|start| next.iter().map(|end| [&start[..], end].concat()));
            all = joined.collect();
            n_parts += 1;
        }
        (n_parts > 1).then_some(all)
    })
}

fn class_literals(class: &Class) -> Option<Vec<Vec<u8>>> {
    let Class::Unicode(class) = class else {
        return None;
    };
    let chars =
        class.ranges().iter().map(|range| u32::from(range.end()) - u32::from(range.start()) + 1);
    if class.ranges().is_empty() || chars.sum::<u32>() > CLASS_CHARS_MAX {
        return None;
    }
    let ranges = class.ranges().iter().flat_map(|range| range.start()..=range.end());
    Some(ranges.map(|char| char.to_string().into_bytes()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literals(pattern: &str) -> Option<Vec<String>> {
        let hir = regex_syntax::parse(pattern).expect("valid");
        let literals = required(&hir)?;
        Some(literals.into_iter().map(|bytes| String::from_utf8(bytes).expect("text")).collect())
    }

    #[test]
    fn the_longest_sure_literal_is_chosen() {
        for (pattern, expected) in [
            ("abc", Some(vec!["abc"])),
            (r"static\s+int\s+\w+_probe", Some(vec!["_probe"])),
            (r"\w+foo\w+", Some(vec!["foo"])),
            ("foo|barbaz", Some(vec!["foo", "barbaz"])),
            ("(foo|bar)+x", Some(vec!["foo", "bar"])),
            ("(foo)?x", Some(vec!["x"])),
            (r"foo|\d+", None),
            (r"\w+", None),
            ("", None),
            ("[ab]", Some(vec!["a", "b"])),
            ("[Tt]o", Some(vec!["To", "to"])),
            (r"\w[Tt]o[Dd][^x]o", Some(vec!["ToD", "Tod", "toD", "tod"])),
            ("[Aa]b.[Cc]def", Some(vec!["Cdef", "cdef"])),
            ("a[bc]+d", Some(vec!["d"])),
        ] {
            let found = literals(pattern);
            let found: Option<Vec<&str>> =
                found.as_ref().map(|all| all.iter().map(String::as_str).collect());
            assert_eq!(found, expected, "{pattern}");
        }
    }
}
