//! The literals of which every match holds at least one: the quick no.

use aho_corasick::AhoCorasick;
use memchr::memmem;
use regex_syntax::hir::{Class, Hir, HirKind};

/// More literals than this cost more to look for than they save.
const LITERALS_MAX: usize = 64;
/// A class with more characters than this is no set of literals.
const CLASS_CHARS_MAX: u32 = 4;

/// Literals of which every match holds at least one.
#[derive(Debug)]
pub(crate) enum Required {
    One(Box<memmem::Finder<'static>>),
    AnyOf(AhoCorasick),
}

impl Required {
    /// Reads the literals off a compiled expression; `None` where it has no useful ones.
    pub(crate) fn of(hir: &Hir) -> Option<Required> {
        let literals = required(hir)?;
        match literals.as_slice() {
            [one] => Some(Required::One(Box::new(memmem::Finder::new(one).into_owned()))),
            many if many.iter().all(|literal| literal.len() > 1) => {
                AhoCorasick::new(many).ok().map(Required::AnyOf)
            }
            _ => None,
        }
    }

    /// The length of the longest of them: what pieces of a text must overlap by, and one less.
    pub(crate) fn longest(&self) -> usize {
        match self {
            Required::One(finder) => finder.needle().len(),
            Required::AnyOf(automaton) => automaton.max_pattern_len(),
        }
    }

    /// Whether any of the literals is in `text`.
    pub(crate) fn is_in(&self, text: &[u8]) -> bool {
        match self {
            Required::One(finder) => finder.find(text).is_some(),
            Required::AnyOf(automaton) => automaton.is_match(text),
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
        HirKind::Concat(parts) => parts.iter().filter_map(required).max_by_key(|literals| {
            let shortest = literals.iter().map(Vec::len).min().unwrap_or(0);
            (shortest, std::cmp::Reverse(literals.len()))
        }),
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
        ] {
            let found = literals(pattern);
            let found: Option<Vec<&str>> =
                found.as_ref().map(|all| all.iter().map(String::as_str).collect());
            assert_eq!(found, expected, "{pattern}");
        }
    }
}
