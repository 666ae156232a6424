use super::*;
use crate::budget::{Budget, CancelToken};
use grep_matcher::Matcher;
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn compiled(options: &PatternOptions) -> Pattern {
    Pattern::new(options).expect("valid")
}

fn budget(timeout: Option<Duration>) -> Budget {
    Budget::new(timeout, &CancelToken::new())
}

fn spans(pattern: &Pattern, text: &str) -> Vec<(usize, usize, usize)> {
    let (budget, memory) = (budget(None), StepMemory::default());
    let matcher = BudgetedMatcher { pattern, budget: &budget, memory: &memory, exclude: None };
    let spans = matcher.spans(text.as_bytes(), 100).expect("not stopped");
    spans.into_iter().map(|span| (span.start, span.end, span.pattern)).collect()
}

fn matches(options: &PatternOptions, text: &str) -> bool {
    !spans(&compiled(options), text).is_empty()
}

#[test]
fn literals_are_plain_text() {
    for literal in ["a.c", "--pre=x", "-f/etc/passwd", "(", "[", "*", "\\d", "$"] {
        let options = PatternOptions::literal(literal);
        assert!(matches(&options, &format!("x{literal}y")), "{literal}");
        assert!(!matches(&options, "abc 1"), "{literal}");
    }
}

#[test]
fn case_and_word() {
    for (pattern, case, text, expected) in [
        ("straße", Case::Sensitive, "STRASSE Straße", false),
        ("straße", Case::Insensitive, "Straße", true),
        ("abc", Case::Smart, "ABC", true),
        ("aBc", Case::Smart, "ABC", false),
        (r"\Sbc", Case::Smart, "ABC", true),
        (r"\p{Lu}bc", Case::Smart, "Xbc", true),
        ("[A-z]bc", Case::Smart, "aBC", false),
    ] {
        let options = PatternOptions { case, ..PatternOptions::regex(pattern) };
        assert_eq!(matches(&options, text), expected, "{pattern} {case:?} {text}");
    }
    let word = |text| PatternOptions { word: true, ..PatternOptions::literal(text) };
    assert!(matches(&word("foo"), "a foo b") && !matches(&word("foo"), "a foob"));
    assert!(matches(&word("-2"), "foo -2 bar"));
}

#[test]
fn each_match_tells_its_pattern() {
    let options = PatternOptions {
        patterns: vec!["foo".into(), "ba.".into(), "b".into()],
        ..PatternOptions::regex("")
    };
    assert_eq!(spans(&compiled(&options), "bar foo"), [(0, 3, 1), (0, 1, 2), (4, 7, 0)]);
}

#[test]
fn mistakes_have_a_place() {
    for (pattern, span) in [
        ("a(b", Some(1..2)),
        ("a[b", Some(1..2)),
        ("*", Some(0..1)),
        (r"a\p{Nope}", Some(1..9)),
        (r"(?:a{1000}){1000}", None),
        ("a\\nb", None),
    ] {
        let error = Pattern::new(&PatternOptions::regex(pattern)).expect_err(pattern);
        assert_eq!(error.code(), "pattern_syntax", "{pattern}");
        assert_eq!(error.span(), span, "{pattern}: {error}");
    }
    for pattern in ["", &"a".repeat(70_000)] {
        let error = Pattern::new(&PatternOptions::regex(pattern)).expect_err("refused");
        assert_eq!(error.code(), "invalid_param");
    }
    assert!(
        Pattern::new(&PatternOptions { patterns: vec![], ..PatternOptions::default() }).is_err()
    );
}

#[test]
fn hostile_patterns_are_refused_quickly() {
    let nested = "(".repeat(20_000) + &")".repeat(20_000);
    for pattern in
        [nested.as_str(), "(?:){294967295}", r"(?:\w{200}){200}", "(((a{100}){100}){100})"]
    {
        let started = Instant::now();
        let _ = Pattern::new(&PatternOptions::regex(pattern));
        assert!(started.elapsed() < Duration::from_secs(2), "{pattern:.20}");
    }
}

/// Finding 5: a legal pattern on one long line, and a deadline that must hold inside of it.
#[test]
fn a_deadline_holds_inside_one_line() {
    let line = "ab ".repeat(350_000);
    for pattern in
        ["(?s).{0,5000}z", "(?:[ab]?){2000}c{3}z", r"(?:[ab]{1,40}\s?){30}z", r"\b\w+é\b.*zz"]
    {
        let mut options = PatternOptions { multi_line: true, ..PatternOptions::regex(pattern) };
        options.size_bytes_max = Some(10 << 20);
        let pattern_ = compiled(&options);
        let (budget, memory) = (budget(Some(Duration::from_millis(50))), StepMemory::default());
        let matcher =
            BudgetedMatcher { pattern: &pattern_, budget: &budget, memory: &memory, exclude: None };
        let started = Instant::now();
        let found = matcher.find(line.as_bytes());
        let took = started.elapsed();
        assert!(took < Duration::from_millis(500), "{pattern}: {took:?}");
        assert!(found.is_err() || took < Duration::from_millis(60), "{pattern}: {found:?}");
    }
}

/// The engines that can be stopped find what the ordinary one finds.
fn same_by_all_engines(pattern: &str, text: &[u8]) -> Result<(), TestCaseError> {
    let Ok(compiled) =
        Pattern::new(&PatternOptions { multi_line: true, ..PatternOptions::regex(pattern) })
    else {
        return Ok(());
    };
    let budget = budget(None);
    let expected = compiled.matcher.find_at(text, 0).expect("no errors");
    let expected = expected.map(|found| found.start()..found.end());
    let stepped = compiled.stepped.find(&mut None, text, 0, &budget).expect("not stopped");
    prop_assert_eq!(&stepped, &expected, "stepped: {} on {:?}", pattern, text);
    let simulated = compiled.stepped.simulated(text, 0, &budget).expect("not stopped");
    prop_assert_eq!(&simulated, &expected, "simulated: {} on {:?}", pattern, text);
    Ok(())
}

proptest! {
    #[test]
    fn engines_agree(
        pattern in r"(\^|\\b|a|b|é|\.|\(a\|ab\)|\[ab\]|\\w|\\s|\*|\+|\?|\*\?|\||\$|\\B){1,8}",
        text in "[abcé \n]{0,24}",
    ) {
        same_by_all_engines(&pattern, text.as_bytes())?;
    }

    #[test]
    fn engines_agree_on_any_bytes(
        pattern in r"(\\b|a|\.|\(\?s:\.\)|\[\^a\]|\\W|\*|\+|\$){1,6}",
        text in proptest::collection::vec(any::<u8>(), 0..24),
    ) {
        same_by_all_engines(&pattern, &text)?;
    }

    #[test]
    fn the_quick_no_is_never_wrong(pattern in r"(a|b|é|\.|\(a\|bc\)|\[ab\]|\\w|\*|\+|\?|\|){1,8}", text in "[abcé ]{0,16}") {
        if let Ok(compiled) = Pattern::new(&PatternOptions::regex(&pattern)) {
            let found = compiled.matcher.is_match(text.as_bytes()).expect("no errors");
            prop_assert!(!found || compiled.may_match(text.as_bytes()), "{} on {:?}", pattern, text);
        }
    }
}
