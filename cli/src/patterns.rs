//! Patterns, rewritten for flags that the engine does not have.
//!
//! A rewritten pattern is a regex. A pattern that does not parse stays as it is, so that the engine reports
//! the error at its place in the text that was typed.

use regex_syntax::ParserBuilder;

/// Returns whether a text is a regex of the engine's syntax.
pub(crate) fn is_regex(text: &str) -> bool {
    ParserBuilder::new().utf8(false).build().parse(text).is_ok()
}

/// Returns a regex that matches exactly this text.
pub(crate) fn literal(text: &str) -> String {
    regex_syntax::escape(text)
}

/// Returns the regex in a group. A comment at its end, with the flag `x`, would hide the end of the group.
fn group(regex: &str) -> String {
    let group = format!("(?:{regex})");
    if is_regex(&group) { group } else { format!("(?:{regex}\n)") }
}

/// Returns patterns that match whole lines, as `-x` does.
pub(crate) fn whole_lines(patterns: Vec<String>) -> Vec<String> {
    each(patterns, |pattern| format!("(?m:^){}(?m:$)", group(&pattern)))
}

/// Returns patterns that match whole words, as `-w` does.
pub(crate) fn whole_words(patterns: Vec<String>) -> Vec<String> {
    each(patterns, |pattern| format!(r"\b{{start-half}}{}\b{{end-half}}", group(&pattern)))
}

/// Returns one pattern for all, which finds the matches that ripgrep finds: the leftmost, and of those that
/// begin at one place the one of the first pattern. The engine's own matches of several patterns may overlap.
pub(crate) fn joined(patterns: Vec<String>) -> Vec<String> {
    let is_joinable = patterns.len() > 1 && patterns.iter().all(|pattern| is_regex(pattern));
    if !is_joinable {
        return patterns;
    }
    vec![patterns.iter().map(|pattern| group(pattern)).collect::<Vec<_>>().join("|")]
}

fn each(patterns: Vec<String>, rewrite: impl Fn(String) -> String) -> Vec<String> {
    let patterns = patterns.into_iter();
    patterns.map(|pattern| if is_regex(&pattern) { rewrite(pattern) } else { pattern }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(patterns: &[&str]) -> Vec<String> {
        patterns.iter().map(|&pattern| pattern.to_owned()).collect()
    }

    #[test]
    fn rewritten_patterns_are_regexes() {
        assert_eq!(whole_lines(of(&["a|b"])), ["(?m:^)(?:a|b)(?m:$)"]);
        assert_eq!(whole_words(of(&["a|b"])), [r"\b{start-half}(?:a|b)\b{end-half}"]);
        assert_eq!(joined(of(&["a", "b|c"])), ["(?:a)|(?:b|c)"]);
        let commented = whole_lines(of(&["(?x) a # the letter"]));
        assert_eq!(commented, ["(?m:^)(?:(?x) a # the letter\n)(?m:$)"]);
        for pattern in commented.iter().chain(&whole_words(of(&["a#"]))) {
            assert!(is_regex(pattern), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_is_not_a_regex_stays_as_typed() {
        assert_eq!(whole_lines(of(&["a("])), ["a("]);
        assert_eq!(joined(of(&["a", "b("])), ["a", "b("]);
    }
}
