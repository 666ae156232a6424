use super::stepped::Memory;
use super::*;
use crate::budget::{Budget, CancelToken};
use grep_matcher::Matcher;
use proptest::prelude::*;
use std::ops::Range;
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
    let spans = matcher.spans_at(text.as_bytes(), 0, 100, &|_, _| Ok(true)).expect("not stopped");
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

/// A deadline of 50 ms and its overshoot, and some room for a busy machine.
const STOPPED_WITHIN: Duration = Duration::from_millis(80);

/// Finding 5: a legal pattern on one long line, and a deadline that must hold inside of it.
#[test]
fn a_deadline_holds_inside_one_line() {
    let line = "ab ".repeat(350_000);
    for pattern in
        ["(?s).{0,5000}z", "(?:[ab]?){2000}c{3}z", r"(?:[ab]{1,40}\s?){30}z", r"\b\w+é\b.*zz"]
    {
        let options = PatternOptions { multi_line: true, ..PatternOptions::regex(pattern) };
        let pattern_ = compiled(&options);
        let (budget, memory) = (budget(Some(Duration::from_millis(50))), StepMemory::default());
        let matcher =
            BudgetedMatcher { pattern: &pattern_, budget: &budget, memory: &memory, exclude: None };
        let started = Instant::now();
        let found = matcher.find(line.as_bytes());
        let took = started.elapsed();
        assert!(took < STOPPED_WITHIN, "{pattern}: {took:?}");
        assert!(found.is_err() || took < Duration::from_millis(60), "{pattern}: {found:?}");
    }
}

/// What the simulation follows without a byte counts as work, too.
#[test]
fn a_deadline_holds_among_many_assertions() {
    let pattern = compiled(&PatternOptions::regex(format!("{}[^é ]", r"\b".repeat(1_500))));
    let line = "é ".repeat(80_000);
    let budget = budget(Some(Duration::from_millis(50)));
    let started = Instant::now();
    let found = pattern.stepped.find(&mut Memory::default(), line.as_bytes(), 0, false, &budget);
    let took = started.elapsed();
    assert!(found.is_err() && took < STOPPED_WITHIN, "{found:?} after {took:?}");
}

/// Ordinary patterns, and one that is large but has to be stoppable rather than refused.
#[test]
fn the_default_size_holds_ordinary_patterns() {
    for pattern in
        ["(?s).{0,5000}z", r"\w{5}\s+\w{5}\s+\w{5}\s+\w{5}\s+\w{5}", r"\w{1,40}@\w{1,40}\.\w{2,10}"]
    {
        let error = Pattern::new(&PatternOptions::regex(pattern)).err();
        assert!(error.is_none(), "{pattern}: {error:?}");
    }
}

#[test]
fn patterns_are_limited_in_all() {
    let limited = |patterns: Vec<String>| {
        let options = PatternOptions { patterns, ..PatternOptions::default() };
        Pattern::new(&options).err().map(|error| error.code())
    };
    assert_eq!(limited(vec!["a".into(); 64]), None);
    assert_eq!(limited(vec!["a".into(); 65]), Some("invalid_param"));
    assert_eq!(limited(vec!["a".repeat(32_000); 2]), None);
    assert_eq!(limited(vec!["a".repeat(32_000); 3]), Some("invalid_param"));
}

#[test]
fn patterns_are_compiled_alone_only_to_tell_them_apart() {
    let patterns = ["foo", "bar"].map(String::from).to_vec();
    let pattern = compiled(&PatternOptions { patterns, ..PatternOptions::regex("") });
    let (budget, memory) = (budget(None), StepMemory::default());
    let matcher =
        BudgetedMatcher { pattern: &pattern, budget: &budget, memory: &memory, exclude: None };
    assert!(matcher.is_match(b"a bar").expect("not stopped"));
    assert_eq!(pattern.parts.n_compiled(), 0);
    assert_eq!(matcher.spans_at(b"a bar", 0, 9, &|_, _| Ok(true)).expect("not stopped").len(), 1);
    assert_eq!(pattern.parts.n_compiled(), 2);
}

/// Where only the patterns as one can be run, the neighbours of a match still decide whose it is.
#[test]
fn in_long_lines_each_match_tells_its_pattern() {
    let options = PatternOptions {
        patterns: [r"foo\b", "foo", "^bar", "bar"].map(String::from).to_vec(),
        ..PatternOptions::regex("")
    };
    let mut pattern = compiled(&options);
    pattern.bytes_per_call = 12;
    let (budget, memory) = (budget(None), StepMemory::default());
    let matcher =
        BudgetedMatcher { pattern: &pattern, budget: &budget, memory: &memory, exclude: None };
    let spans = matcher.spans_at(b"foobar bar foo", 0, 9, &|_, _| Ok(true)).expect("not stopped");
    let spans: Vec<_> = spans.iter().map(|span| (span.start, span.pattern)).collect();
    assert_eq!(spans, [(0, 1), (3, 3), (7, 3), (11, 0)]);
}

#[test]
fn a_comment_ends_with_its_pattern() {
    for (pattern, text) in [
        ("(?x)foo # c", "foo"),
        ("(?x)bar|foo # )", "foo"),
        ("(?x)bar # c\n | (?-x)f #", "f #"),
        ("(?x:f o o)# c", "foo# c"),
    ] {
        let patterns = vec![pattern.into(), "other".into()];
        let several = PatternOptions { patterns, ..PatternOptions::regex("") };
        for options in [PatternOptions::regex(pattern), several] {
            assert_eq!(spans(&compiled(&options), text), [(0, text.len(), 0)], "{pattern}");
        }
    }
}

/// A window ends behind a line end, and that is not where the next line matches.
#[test]
fn no_line_matches_for_the_window_before_it() {
    let pattern = compiled(&PatternOptions::regex(r"^$|\w{60}x"));
    let text = "abc def ghi\n".repeat(300);
    assert_eq!(matching_lines(&pattern, text.as_bytes(), None), Vec::<u64>::new());
}

/// The numbers of the lines that match, by way of the searcher.
fn matching_lines(pattern: &Pattern, text: &[u8], exclude: Option<&str>) -> Vec<u64> {
    let (budget, memory) = (budget(None), StepMemory::default());
    let exclude = exclude.map(|exclude| memchr::memmem::Finder::new(exclude).into_owned());
    let matcher =
        BudgetedMatcher { pattern, budget: &budget, memory: &memory, exclude: exclude.as_ref() };
    let mut numbers = Vec::new();
    let sink = grep_searcher::sinks::Bytes(|number, _| {
        numbers.push(number);
        Ok(true)
    });
    grep_searcher::Searcher::new().search_slice(&matcher, text, sink).expect("searched");
    numbers
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
    let stepped = |earliest| {
        compiled
            .stepped
            .find(&mut Memory::default(), text, 0, earliest, &budget)
            .expect("not stopped")
    };
    let simulated =
        |earliest| compiled.stepped.simulated(text, 0, earliest, &budget).expect("not stopped");
    prop_assert_eq!(&stepped(false), &expected, "stepped: {} on {:?}", pattern, text);
    prop_assert_eq!(&simulated(false), &expected, "simulated: {} on {:?}", pattern, text);
    let end = |found: Option<Range<usize>>| found.map(|range| range.end);
    let earliest = end(stepped(true));
    prop_assert_eq!(earliest, end(simulated(true)), "earliest: {} on {:?}", pattern, text);
    prop_assert_eq!(earliest.is_some(), expected.is_some());
    prop_assert!(earliest <= end(expected), "earliest: {} on {:?}", pattern, text);
    Ok(())
}

#[test]
fn patterns_that_may_match_nothing() {
    for (pattern, expected) in [
        ("x*", true),
        ("a|", true),
        ("^", true),
        (r"\b", true),
        ("x+", false),
        ("(x*)y", false),
        ("a{0,3}b?", true),
        ("[a&&b]", false),
    ] {
        let found = Pattern::may_match_empty(&PatternOptions::regex(pattern)).expect(pattern);
        assert_eq!(found, expected, "{pattern}");
    }
    let error = Pattern::may_match_empty(&PatternOptions::regex("(")).expect_err("no regex");
    assert_eq!((error.code(), error.param()), ("pattern_syntax", Some("patterns")));
    assert!(!Pattern::may_match_empty(&PatternOptions::literal("x*")).expect("a literal"));
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
    fn windows_change_no_line(
        pattern in r"(\^\$\||\\B\|)?(\^|\\b|a|b|é|\.|\(a\|ab\)|\[ab\]|\\w|\\s|\*|\+|\?|\||\$|\\B|\\z|\\A){1,8}",
        text in "([abcé ]{0,4}\n){0,16}[ab]?",
        bytes_per_call in 1_usize..20,
        exclude in proptest::option::of("[ab]"),
    ) {
        if let Ok(mut compiled) = Pattern::new(&PatternOptions::regex(&pattern)) {
            let naive: Vec<u64> = text
                .split_terminator('\n')
                .zip(1..)
                .filter(|(line, _)| {
                    let is_out = exclude.as_ref().is_some_and(|exclude| line.contains(exclude));
                    !is_out && compiled.matcher.is_match(line.as_bytes()).expect("no errors")
                })
                .map(|(_, number)| number)
                .collect();
            compiled.bytes_per_call = bytes_per_call;
            let found = matching_lines(&compiled, text.as_bytes(), exclude.as_deref());
            prop_assert_eq!(found, naive, "{} on {:?} by {}", pattern, text, bytes_per_call);
        }
    }

    #[test]
    fn the_quick_no_is_never_wrong(pattern in r"(a|b|é|\.|\(a\|bc\)|\[ab\]|\\w|\*|\+|\?|\|){1,8}", text in "[abcé ]{0,16}") {
        if let Ok(compiled) = Pattern::new(&PatternOptions::regex(&pattern)) {
            let found = compiled.matcher.is_match(text.as_bytes()).expect("no errors");
            prop_assert!(!found || compiled.may_match(text.as_bytes()), "{} on {:?}", pattern, text);
        }
    }
}
