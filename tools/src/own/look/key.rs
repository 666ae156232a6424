//! Keys of settings, such as `http.routers.NAME.middlewares`, of which a part is free or whose first part is
//! written elsewhere.

use super::answer::Lookup;
use super::query::is_name;
use searchscope::toolkit::is_file_extension;
use searchscope::{Case, PatternOptions, Result, Syntax};

/// Keys of fewer parts say too little without one of them.
const PARTS_MIN: usize = 3;
const PARTS_MAX: usize = 12;
/// Minimum number of parts that are as written, beside a free one.
const FIXED_MIN: usize = 3;
/// Any part of a key: a name, or a placeholder such as `<name>`.
const ANY: &str = r"[A-Za-z0-9_<>{}\[\]$*-]+";

/// The characters around a key: not those of a longer one, but dashes of an option are allowed before it.
const BEFORE: &str = r"(?:^|--|[^\w.-])";
const AFTER: &str = r"(?:$|[^\w-])";
impl Lookup<'_> {
    /// Searches for a key of several parts without its first part, or with any name in the place of an inner
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
            "no line contains {shown}; without its first part, or with another name in one of the others:"
        );
        self.found(pattern, Some(&remark))
    }
}

/// Returns the expressions for a key with one part free or the first part left out; `None` for other texts.
fn patterns(text: &str) -> Option<Vec<String>> {
    let text = text.trim_start_matches('-');
    let parts: Vec<&str> = text.split('.').collect();
    let has_form = (PARTS_MIN..=PARTS_MAX).contains(&parts.len());
    if !has_form || !parts.iter().all(|part| is_name(part)) || is_file_name(&parts) {
        return None;
    }
    let escaped: Vec<String> = parts.iter().map(|part| regex_syntax::escape(part)).collect();
    let mut patterns = Vec::new();
    for start in 0..2 {
        let rest = &escaped[start..];
        if start > 0 && rest.len() >= 2 {
            patterns.push(bounded(rest));
        }
        if rest.len() > FIXED_MIN {
            for free in 1..rest.len() - 1 {
                let mut with_free = rest.to_vec();
                with_free[free] = ANY.to_owned();
                patterns.push(bounded(&with_free));
            }
        }
    }
    Some(patterns)
}

/// Returns the expression for the parts of a whole key.
fn bounded(parts: &[String]) -> String {
    format!("{BEFORE}{}{AFTER}", parts.join(r"\."))
}

/// Returns whether the last part is the extension of a file, as in `widget.test.ts`.
fn is_file_name(parts: &[&str]) -> bool {
    parts.last().is_some_and(|last| is_file_extension(&last.to_ascii_lowercase()))
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
        assert!(found(key, "--traefik.http.routers.b.middlewares=a"));
        assert!(!found(key, "routers.app"));
        assert!(found("test.coverage.thresholds", "coverage.thresholds: 80"));
        assert!(found("my.config.id", "see `config.id`."));
        for line in
            ["key.config.idPrefix", "other.config.id", "myconfig.id", "config.ids", "config.id-b"]
        {
            assert!(!found("my.config.id", line), "{line}");
        }
        for text in [
            "a.b",
            "a..b",
            "one two.three.four",
            "how. are. you",
            "v1",
            "Widget.test.ts",
            "a.b.min.js",
        ] {
            assert_eq!(patterns(text), None, "{text}");
        }
    }
}
