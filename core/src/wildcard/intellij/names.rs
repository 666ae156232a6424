//! Names of modules and libraries: `*` is any run, and every other character is literal.

use crate::wildcard::linear::Steps;
use crate::wildcard::token::{Pattern, Token, Tokens};

/// A text with stars that is compared with whole names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stars(Pattern);

impl Stars {
    /// Reads a text; every text is valid.
    pub(crate) fn new(text: &str) -> Stars {
        let mut tokens = Tokens::new(false);
        for byte in text.bytes() {
            match byte {
                b'*' => tokens.push_run(Token::Anything),
                byte => tokens.push_literal(byte),
            }
        }
        Stars(tokens.into_pattern())
    }

    /// Returns whether the text matches all of `name`.
    pub(crate) fn matches(&self, name: &str) -> bool {
        self.0.matches(name.as_bytes(), &mut Steps::unlimited())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Tries every way to split the name.
    fn matches_naively(wildcard: &[char], name: &[char]) -> bool {
        let mut reached = vec![false; name.len() + 1];
        reached[0] = true;
        for c in wildcard {
            let before = reached.clone();
            for at in 0..reached.len() {
                reached[at] = match c {
                    '*' => before[..=at].contains(&true),
                    _ => at > 0 && before[at - 1] && name[at - 1] == *c,
                };
            }
        }
        reached[name.len()]
    }

    proptest! {
        #[test]
        fn a_wildcard_matches_as_the_naive_one(wildcard in "[abé*]{0,10}", name in "[abé]{0,12}") {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            let expected = matches_naively(&chars(&wildcard), &chars(&name));
            prop_assert_eq!(Stars::new(&wildcard).matches(&name), expected);
        }
    }
}
