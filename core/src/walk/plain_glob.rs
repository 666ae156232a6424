//! Globs that say no more than how a name begins or ends: decided without the compiled matcher, which
//! costs more than everything else that a find does with a file.

/// A glob that is a literal with a `*` before it, behind it, or both.
#[derive(Debug)]
pub(super) struct PlainGlob {
    literal: Vec<u8>,
    /// Whether something may stand before the literal.
    any_before: bool,
    /// Whether something may stand behind it.
    any_behind: bool,
}

impl PlainGlob {
    /// `None` for a glob that says more.
    pub(super) fn new(glob: &str) -> Option<PlainGlob> {
        let before = glob.strip_prefix('*');
        let rest = before.unwrap_or(glob);
        let behind = rest.strip_suffix('*');
        let literal = behind.unwrap_or(rest);
        let is_plain = !literal.is_empty() && !literal.contains(is_special);
        is_plain.then(|| PlainGlob {
            literal: literal.as_bytes().to_vec(),
            any_before: before.is_some(),
            any_behind: behind.is_some(),
        })
    }

    /// Whether a base name matches.
    pub(super) fn matches(&self, name: &[u8]) -> bool {
        let literal = self.literal.as_slice();
        match (self.any_before, self.any_behind) {
            (false, false) => name == literal,
            (true, false) => name.ends_with(literal),
            (false, true) => name.starts_with(literal),
            (true, true) => memchr::memmem::find(name, literal).is_some(),
        }
    }
}

const fn is_special(char: char) -> bool {
    matches!(char, '*' | '?' | '[' | ']' | '{' | '}' | '\\' | '/' | ',')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::as_native_path;
    use globset::GlobBuilder;
    use proptest::prelude::*;

    #[test]
    fn only_literals_between_stars_are_plain() {
        for glob in ["*.c", "a*", "*a*", "a", ".*", "!a", "a b"] {
            assert!(PlainGlob::new(glob).is_some(), "{glob}");
        }
        for glob in ["*", "**", "**a", "a*b", "?a", "[a]", "{a,b}", "a\\*", "a/b", "*/a"] {
            assert!(PlainGlob::new(glob).is_none(), "{glob}");
        }
    }

    proptest! {
        #[test]
        fn verdicts_are_those_of_the_compiled_glob(
            glob in r"\*?[ab.é!]{1,3}\*?",
            name in r"[ab.é!\n]{1,6}",
        ) {
            let compiled = GlobBuilder::new(&glob).literal_separator(true).build().expect("valid");
            let expected = compiled.compile_matcher().is_match(as_native_path(name.as_bytes()));
            let plain = PlainGlob::new(&glob).expect("plain");
            prop_assert_eq!(plain.matches(name.as_bytes()), expected, "{} on {:?}", glob, name);
        }
    }
}
