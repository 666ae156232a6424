//! The reference of the pattern language, for people and agents. The tests here run its examples.

/// The reference of the scope pattern language, for people and agents, as Markdown.
pub const SCOPE_REFERENCE: &str = include_str!("reference.md");

#[cfg(test)]
mod tests {
    use super::super::ast::{Leaf, Op};
    use super::super::parse::{NESTING_MAX, PatternErrorKind, TEXT_BYTES_MAX, parse};
    use super::super::warnings::warnings;
    use super::*;
    use crate::scope::compiled::NameFilter;
    use crate::wildcard::intellij::{Bodies, Separator};

    /// Returns the lines of all fenced blocks of one kind, at least one.
    fn examples(kind: &str) -> Vec<&'static str> {
        let mut inside = None;
        let mut lines = Vec::new();
        for line in SCOPE_REFERENCE.lines() {
            match (inside, line.strip_prefix("```")) {
                (None, Some(found)) => inside = Some(found),
                (Some(_), Some("")) => inside = None,
                (Some(found), None) if found == kind => lines.push(line),
                (_, None) => {}
                (Some(found), Some(_)) => panic!("{found}: {line}"),
            }
        }
        assert_eq!(inside, None, "a block is open");
        assert!(lines.len() > 3, "{kind}: {} examples", lines.len());
        lines
    }

    fn halves(line: &'static str) -> (&'static str, &'static str) {
        let (text, expected) = line.split_once("=>").unwrap_or_else(|| panic!("{line}"));
        (text.trim(), expected.trim())
    }

    /// Returns the text with the names it must match and those it must not.
    fn verdicts(line: &'static str) -> (&'static str, Vec<(&'static str, bool)>) {
        let (text, verdicts) = line.split_once(' ').unwrap_or_else(|| panic!("{line}"));
        let (yes, no) = verdicts.split_once("not:").unwrap_or((verdicts, ""));
        let yes = yes.trim();
        let yes = if yes.is_empty() { "" } else { yes.strip_prefix("matches:").expect(line) };
        let names = |list: &'static str, verdict: bool| {
            list.split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .map(move |name| (name, verdict))
        };
        let all: Vec<_> = names(yes, true).chain(names(no, false)).collect();
        assert!(!all.is_empty(), "{line}");
        (text, all)
    }

    #[test]
    fn every_block_is_of_a_known_kind() {
        let openings = SCOPE_REFERENCE.lines().filter_map(|line| line.strip_prefix("```"));
        for kind in openings.filter(|kind| !kind.is_empty()) {
            assert!(
                ["text", "pattern", "error", "match", "module", "warning"].contains(&kind),
                "{kind}"
            );
        }
    }

    #[test]
    fn patterns_have_their_normal_form() {
        for (text, expected) in examples("pattern").into_iter().map(halves) {
            assert_eq!(parse(text).expect(text).text(), expected, "{text}");
        }
    }

    #[test]
    fn mistakes_have_their_message_and_a_hint() {
        for (text, expected) in examples("error").into_iter().map(halves) {
            let error = parse(text).expect_err(text);
            assert_eq!(error.message(), expected, "{text}");
            assert!(error.hint.is_some(), "{text}");
        }
        for kind in [
            PatternErrorKind::UnexpectedToken("…".into()),
            PatternErrorKind::PatternExpected,
            PatternErrorKind::ParenExpected,
            PatternErrorKind::UnknownScopeType,
            PatternErrorKind::TooLong,
            PatternErrorKind::TooDeep,
        ] {
            assert!(SCOPE_REFERENCE.contains(&format!("| `{kind}` |")), "{kind}");
        }
        assert_eq!((TEXT_BYTES_MAX, NESTING_MAX), (65_536, 1_000));
    }

    #[test]
    fn bodies_match_as_documented() {
        for (text, verdicts) in
            examples("match").into_iter().filter(|line| !line.is_empty()).map(verdicts)
        {
            let set = parse(text).expect(text);
            let [Op::Leaf(leaf)] = set.ops() else { panic!("{text}") };
            for (path, expected) in verdicts {
                assert_eq!(is_match(leaf, path), expected, "{text} {path}");
            }
        }
    }

    fn is_match(leaf: &Leaf, path: &str) -> bool {
        let separator = if leaf.prefix.is_path() { Separator::Slash } else { Separator::Dot };
        let bodies = Bodies::new(separator, &[leaf.match_body()]).expect("small");
        let mut cache = bodies.cache();
        let start = bodies.start(&mut cache);
        let state = bodies.step(&mut cache, start, path.as_bytes());
        !cache.ids(cache.accepted(state)).is_empty()
    }

    #[test]
    fn filters_select_modules_as_documented() {
        for (text, verdicts) in examples("module").into_iter().map(verdicts) {
            let filter = NameFilter::new(text);
            for (module, expected) in verdicts {
                let (name, groups) = module.split_once(" (").unwrap_or((module, ""));
                let groups =
                    groups.trim_end_matches(')').split('/').filter(|name| !name.is_empty());
                let groups: Vec<String> = groups.map(str::to_owned).collect();
                assert_eq!(filter.matches_module(name, &groups), expected, "{text} {module}");
            }
        }
    }

    #[test]
    fn warnings_are_as_documented() {
        for (text, expected) in examples("warning").into_iter().map(halves) {
            let warnings = warnings(&parse(text).expect(text));
            assert!(warnings.concat().contains(expected), "{text}: {warnings:?}");
        }
    }
}
