//! Plan of a search: the trigrams that every match must contain, as a boolean expression.

use super::algebra::{self, Query};
use regex_syntax::hir::Hir;
use std::fmt;

/// Boolean expression over trigrams. A text that does not satisfy it cannot match.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    root: Node,
    /// Sorted and distinct; [`Node::Trigram`] is a position in it. Each is looked up once a segment.
    trigrams: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    All,
    Trigram(usize),
    And(Vec<Node>),
    Or(Vec<Node>),
}

impl Plan {
    /// Derives the plan of a compiled expression. Its size and depth are bounded for every expression: at
    /// worst the plan excludes less than it could.
    pub(crate) fn of(hir: &Hir) -> Plan {
        let query = algebra::query_of(hir).normalized();
        let mut trigrams = Vec::new();
        collect(&query, &mut trigrams);
        trigrams.sort_unstable();
        trigrams.dedup();
        let root = number(&query, &trigrams);
        Plan { root, trigrams }
    }

    /// Reports whether the plan excludes nothing.
    pub(crate) fn is_all(&self) -> bool {
        matches!(self.root, Node::All)
    }

    pub(super) fn root(&self) -> &Node {
        &self.root
    }

    pub(super) fn trigrams(&self) -> &[u32] {
        &self.trigrams
    }

    fn write(&self, node: &Node, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nodes, separator) = match node {
            Node::All => return formatter.write_str("all"),
            Node::Trigram(at) => {
                let [_, bytes @ ..] = self.trigrams[*at].to_be_bytes();
                return write!(formatter, "{}", bytes.escape_ascii());
            }
            Node::And(nodes) => (nodes, " "),
            Node::Or(nodes) => (nodes, "|"),
        };
        formatter.write_str("(")?;
        for (n, node) in nodes.iter().enumerate() {
            formatter.write_str(if n > 0 { separator } else { "" })?;
            self.write(node, formatter)?;
        }
        formatter.write_str(")")
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(&self.root, formatter)
    }
}

fn collect(query: &Query, trigrams: &mut Vec<u32>) {
    match query {
        Query::All => {}
        Query::Trigram(trigram) => trigrams.push(*trigram),
        Query::And(group) | Query::Or(group) => {
            group.queries.iter().for_each(|query| collect(query, trigrams));
        }
    }
}

fn number(query: &Query, trigrams: &[u32]) -> Node {
    let all = |queries: &[Query]| queries.iter().map(|query| number(query, trigrams)).collect();
    match query {
        Query::All => Node::All,
        Query::Trigram(trigram) => trigrams.binary_search(trigram).map_or(Node::All, Node::Trigram),
        Query::And(group) => Node::And(all(&group.queries)),
        Query::Or(group) => Node::Or(all(&group.queries)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(pattern: &str) -> String {
        let mut parser = regex_syntax::ParserBuilder::new().utf8(false).multi_line(true).build();
        Plan::of(&parser.parse(pattern).expect("valid")).to_string()
    }

    #[test]
    fn plans_state_the_trigrams_of_every_match() {
        for (pattern, expected) in [
            ("abc", "abc"),
            ("abcde", "(abc bcd cde)"),
            ("ab", "all"),
            ("", "all"),
            (r"\w+", "all"),
            (r"\w+foo\w+", "foo"),
            ("foo|barb", "(foo|(arb bar))"),
            ("foo|ba", "all"),
            (r"foo|\d+", "all"),
            ("(abc)?def", "(def|(abc bcd cde def))"),
            ("(abc)*def", "def"),
            ("(abc)+def", "(abc bcd cde def)"),
            ("a[bc]d", "(abd|acd)"),
            (r"^abc\b.*$", "abc"),
            (r"foo.*bar", "(bar foo)"),
            ("ab{3}c", "(abb bbb bbc)"),
            ("ab{2,}c", "(abb bbc)"),
            (r"foo\d", "foo"),
            (r"a\x00bc", r"(\x00bc a\x00b)"),
            ("foo\nbar", "(bar foo)"),
            ("o\nba", "all"),
            (r"(?-u)\xff\xfe\xfd", r"\xff\xfe\xfd"),
            ("ä€", r"(\x82\xac\xa4 ...)"),
        ] {
            let plan = plan(pattern);
            if !expected.contains("...") {
                assert_eq!(plan, expected, "{pattern}");
            }
        }
    }

    #[test]
    fn case_insensitive_letters_expand_to_all_their_spellings() {
        assert_eq!(plan("(?i)abc"), "(ABC|ABc|AbC|Abc|aBC|aBc|abC|abc)");
        // The Kelvin sign and the long s fold to ASCII letters.
        let plan = plan("(?i)ks_x");
        for part in [r"KS_", r"ks_", r"s_X", r"\xbf_x", r"\xe2\x84\xaa", r"\xaa\xc5\xbf"] {
            assert!(plan.contains(part), "{part} is missing in {plan}");
        }
    }

    #[test]
    fn large_expressions_make_bounded_plans() {
        let long = "abcdefghij".repeat(6000);
        let words: Vec<String> =
            (0..64).map(|n| format!("(?i)word_number_{n}_{}", &long[..900])).collect();
        let many = (0..6000).map(|n| format!("w{n:05}")).collect::<Vec<_>>().join("|");
        for pattern in [long.clone(), format!("(?i){}", &long[..5000]), words.join("|"), many] {
            let plan = Plan::of(&regex_syntax::parse(&pattern).expect("valid"));
            assert!(plan.trigrams().len() <= algebra::QUERY_TRIGRAMS_MAX);
        }
        assert_ne!(plan(&long), "all");
        assert_ne!(plan(&words.join("|")), "all");
        // Inexact branches with ever new starts and ends, and deep repetitions.
        let branches: Vec<String> =
            ('a'..='z').flat_map(|c| (0..999).map(move |n| format!("{c}{n}.x{n}"))).collect();
        Plan::of(&regex_syntax::parse(&branches.join("|")).expect("valid"));
        let nested = format!("{}a{}", "(".repeat(200), "{3}x?)".repeat(200));
        let mut parser = regex_syntax::ParserBuilder::new().nest_limit(500).build();
        if let Ok(hir) = parser.parse(&nested) {
            Plan::of(&hir);
        }
    }
}
