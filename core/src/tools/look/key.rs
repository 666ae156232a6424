//! Keys of settings, such as `http.routers.NAME.middlewares`, of which a part is free or whose first parts are
//! written elsewhere.

use super::answer::Lookup;
use super::query::is_name;
use crate::error::Result;
use crate::pattern::{Case, PatternOptions, Syntax};

/// Keys of fewer parts say too little without one of them.
const PARTS_MIN: usize = 3;
const PARTS_MAX: usize = 12;
/// Minimum number of parts that are as written, beside a free one.
const FIXED_MIN: usize = 3;
/// Any part of a key: a name, or a placeholder such as `<name>`.
const ANY: &str = r"[A-Za-z0-9_<>{}\[\]$*-]+";

impl Lookup<'_> {
    /// Searches for a key of several parts without its first parts, or with any name in the place of an inner
    /// one.
    pub(super) fn found_key(&mut self, text: &str) -> Result<bool> {
        let Some(patterns) = patterns(text) else { return Ok(false) };
        let pattern = PatternOptions {
            patterns,
            syntax: Syntax::Regex,
            case: Case::Insensitive,
            ..PatternOptions::default()
        };
        let shown = super::query::quoted_short(text);
        let remark = format!(
            "no line contains {shown}; without its first parts, or with another name in one of them:"
        );
        self.found(pattern, Some(&remark))
    }
}

/// Returns the expressions for a key with one part free or the first parts left out; `None` for other texts.
fn patterns(text: &str) -> Option<Vec<String>> {
    let text = text.trim_start_matches('-');
    let parts: Vec<&str> = text.split('.').collect();
    let n = parts.len();
    if !(PARTS_MIN..=PARTS_MAX).contains(&n) || !parts.iter().all(|part| is_name(part)) {
        return None;
    }
    let escaped: Vec<String> = parts.iter().map(|part| regex_syntax::escape(part)).collect();
    let mut patterns = Vec::new();
    for start in 0..2 {
        let rest = &escaped[start..];
        if start > 0 && rest.len() >= 2 {
            patterns.push(rest.join(r"\."));
        }
        if rest.len() > FIXED_MIN {
            for free in 1..rest.len() - 1 {
                let mut with_free = rest.to_vec();
                with_free[free] = ANY.to_owned();
                patterns.push(with_free.join(r"\."));
            }
        }
    }
    Some(patterns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_a_free_part_or_no_first_one() {
        let found = |key: &str, line: &str| {
            let patterns = patterns(key).expect("a key");
            patterns
                .iter()
                .any(|one| regex_automata::meta::Regex::new(one).expect("valid").is_match(line))
        };
        let key = "traefik.http.routers.app.middlewares";
        for line in ["traefik.http.routers.<name>.middlewares=a", "http.routers.myapp.middlewares"]
        {
            assert!(found(key, line), "{line}");
        }
        assert!(!found(key, "routers.app"));
        assert!(found("test.coverage.thresholds", "coverage.thresholds: 80"));
        for text in ["a.b", "a..b", "one two.three.four", "how. are. you", "v1"] {
            assert_eq!(patterns(text), None, "{text}");
        }
    }
}
