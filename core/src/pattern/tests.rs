use super::stepped::StepCaches;
use super::*;
use crate::budget::Budget;
use crate::call::Call;
use crate::clock::TurnedClock;
use grep_matcher::Matcher;
use proptest::prelude::*;
use std::ops::Range;
use std::time::{Duration, Instant};

fn compiled(options: &PatternOptions) -> Pattern {
    Pattern::new(options).expect("valid")
}

fn budget(timeout: Option<Duration>) -> Budget {
    Budget::of(&timeout.map_or_else(Call::new, |timeout| Call::new().with_timeout(timeout)))
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
fn no_empty_match_begins_where_a_match_ends() {
    for (pattern, text, expected) in [
        ("a*", "aab", vec![(0, 2, 0), (3, 3, 0)]),
        (".*.*", "aé", vec![(0, 3, 0)]),
        ("b*", "ab", vec![(0, 0, 0), (1, 2, 0)]),
        ("x*", "ab", vec![(0, 0, 0), (1, 1, 0), (2, 2, 0)]),
    ] {
        assert_eq!(spans(&compiled(&PatternOptions::regex(pattern)), text), expected, "{pattern}");
    }
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
fn each_match_names_its_pattern() {
    let options = PatternOptions {
        patterns: vec!["foo".into(), "ba.".into(), "b".into()],
        ..PatternOptions::regex("")
    };
    assert_eq!(spans(&compiled(&options), "bar foo"), [(0, 3, 1), (0, 1, 2), (4, 7, 0)]);
}

#[test]
fn mistakes_have_a_position() {
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
        assert!(started.elapsed() < Duration::from_secs(20), "{pattern:.20}");
    }
}

/// A deadline of 50 ms with the overshoot that callers are promised at most.
const STOPPED_WITHIN: Duration = Duration::from_millis(150);

/// Finding 5: legal patterns, each slow on a long line.
const SLOW_PATTERNS: [&str; 4] =
    ["(?s).{0,5000}z", "(?:[ab]?){2000}c{3}z", r"(?:[ab]{1,40}\s?){30}z", r"\b\w+é\b.*zz"];

fn long_line() -> String {
    "ab ".repeat(350_000)
}

/// The clock is read throughout a line, and the reading that reaches the deadline is the last.
#[test]
fn a_deadline_holds_inside_one_line() {
    let line = long_line();
    for pattern in SLOW_PATTERNS {
        let options = PatternOptions { multi_line: true, ..PatternOptions::regex(pattern) };
        let pattern_ = compiled(&options);
        let clock = TurnedClock::by(Duration::from_millis(1));
        let budget = clock.during(|| budget(Some(Duration::from_millis(5))));
        let (pattern, memory) = (&pattern_, &StepMemory::default());
        let matcher = BudgetedMatcher { pattern, budget: &budget, memory, exclude: None };
        assert!(matcher.find(line.as_bytes()).is_err(), "{pattern:?} was not stopped");
        assert_eq!(clock.readings(), 6, "{pattern:?}");
    }
}

/// The same with the wall clock.
#[test]
fn long_run_a_deadline_holds_inside_one_line() {
    let line = long_line();
    for pattern in SLOW_PATTERNS {
        let options = PatternOptions { multi_line: true, ..PatternOptions::regex(pattern) };
        let pattern_ = compiled(&options);
        // The best of a few runs counts: a step that does not poll overruns in each of them.
        let is_in_time = (0..3).any(|_| {
            let (budget, memory) = (budget(Some(Duration::from_millis(50))), StepMemory::default());
            let (pattern, memory) = (&pattern_, &memory);
            let matcher = BudgetedMatcher { pattern, budget: &budget, memory, exclude: None };
            let started = Instant::now();
            let found = matcher.find(line.as_bytes());
            let took = started.elapsed();
            took < STOPPED_WITHIN && (found.is_err() || took < Duration::from_millis(60))
        });
        assert!(is_in_time, "{pattern}: three times too late");
    }
}

/// States that the simulation follows without a byte count as work, too.
#[test]
fn a_deadline_holds_among_many_assertions() {
    let (pattern, line) = many_assertions();
    let clock = TurnedClock::by(Duration::from_millis(1));
    let budget = clock.during(|| budget(Some(Duration::from_millis(5))));
    let found =
        pattern.stepped.find(&mut StepCaches::default(), line.as_bytes(), 0, false, &budget);
    assert!(found.is_err() && clock.readings() == 6, "{found:?} after {clock:?}");
}

fn many_assertions() -> (Pattern, String) {
    let pattern = compiled(&PatternOptions::regex(format!("{}[^é ]", r"\b".repeat(1_500))));
    (pattern, "é ".repeat(80_000))
}

#[test]
fn long_run_a_deadline_holds_among_many_assertions() {
    let (pattern, line) = many_assertions();
    let budget = budget(Some(Duration::from_millis(50)));
    let started = Instant::now();
    let found =
        pattern.stepped.find(&mut StepCaches::default(), line.as_bytes(), 0, false, &budget);
    let took = started.elapsed();
    assert!(found.is_err() && took < STOPPED_WITHIN, "{found:?} after {took:?}");
}

/// Ordinary patterns, and a large one that must be interruptible rather than refused.
#[test]
fn ordinary_patterns_fit_the_default_size() {
    for pattern in
        ["(?s).{0,5000}z", r"\w{5}\s+\w{5}\s+\w{5}\s+\w{5}\s+\w{5}", r"\w{1,40}@\w{1,40}\.\w{2,10}"]
    {
        let error = Pattern::new(&PatternOptions::regex(pattern)).err();
        assert!(error.is_none(), "{pattern}: {error:?}");
    }
}

#[test]
fn patterns_are_limited_in_total() {
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
fn patterns_are_compiled_alone_only_to_distinguish_them() {
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

#[test]
fn the_prefilter_knows_every_case_of_a_letter() {
    let options = PatternOptions { case: Case::Insensitive, ..PatternOptions::literal("ask 1s") };
    let pattern = compiled(&options);
    assert_eq!(pattern.longest_required(), Some("aſ\u{212A} 1".len()));
    for text in ["ask 1s", "ASK 1S", "Aſ\u{212A} 1ſ", "xaSk 1sx"] {
        assert!(pattern.may_match(text.as_bytes(), &budget(None)), "{text}");
        assert!(matches(&options, text), "{text}");
    }
    for text in ["ask 2s", "as k 1s", "ask", ""] {
        assert!(!pattern.may_match(text.as_bytes(), &budget(None)), "{text}");
    }
}

/// Returns whether the regex of a pattern is compiled only when a text needs it.
fn waits(options: &PatternOptions) -> bool {
    !compiled(options).lazy.is_compiled()
}

#[test]
fn a_regex_is_compiled_for_the_first_text_that_may_match() {
    let pattern = compiled(&PatternOptions::regex(r"fo+\w bar"));
    let (budget, memory) = (budget(None), StepMemory::default());
    let matcher =
        BudgetedMatcher { pattern: &pattern, budget: &budget, memory: &memory, exclude: None };
    assert!(!pattern.may_match(b"nothing here", &budget));
    assert!(!pattern.lazy.is_compiled());
    assert!(matcher.is_match(b"foox bar").expect("not stopped"));
    assert!(pattern.lazy.is_compiled());
}

#[test]
fn patterns_that_may_fail_or_take_long_are_compiled_at_once() {
    let of_two = PatternOptions { patterns: vec!["a".into(), "b".into()], ..Default::default() };
    assert!(!waits(&of_two));
    assert!(!waits(&PatternOptions::regex(r"\w+")), "every file needs it");
    assert!(!waits(&PatternOptions::regex(r"needle\w{60}")));
    let smaller = PatternOptions { size_bytes_max: Some(1 << 20), ..PatternOptions::literal("a") };
    assert!(!waits(&smaller));
    for refused in [r"needle[\n]", r"needle(?-u:[\n])", r"(needle\n)?needle", r"needle(\x0A|x)"] {
        let error = Pattern::new(&PatternOptions::regex(refused)).expect_err(refused);
        assert_eq!(error.code(), "pattern_syntax", "{refused}");
    }
}

/// Every accepted pattern compiles, with any option that changes its text.
#[test]
fn lazily_compiled_patterns_compile() {
    for text in
        ["needle", "(needle", r"needle\", "needle # ", "ſKer", "a.b", "^needle$", r"\bneedle\b"]
    {
        for (word, case) in [(false, Case::Sensitive), (true, Case::Insensitive)] {
            let options = PatternOptions { word, case, ..PatternOptions::literal(text) };
            assert!(waits(&options), "{options:?}");
            compiled(&options).matcher();
        }
    }
    for text in
        [r"(?x)needle # \(", r"(?s)needle.\z", r"needle[^x]$", r"(?P<a>needle)\s", r"needle[\n\r]"]
    {
        let options = PatternOptions { word: true, ..PatternOptions::regex(text) };
        assert!(waits(&options), "{options:?}");
        compiled(&options).matcher();
    }
}

/// If only the joined patterns can be run, the text around a match still decides which one it belongs to.
#[test]
fn in_long_lines_each_match_names_its_pattern() {
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

/// A window ends after a line end, and the next line does not match there.
#[test]
fn no_line_matches_for_the_window_before_it() {
    let pattern = compiled(&PatternOptions::regex(r"^$|\w{60}x"));
    let text = "abc def ghi\n".repeat(300);
    assert_eq!(matching_lines(&pattern, text.as_bytes(), None), Vec::<u64>::new());
}

/// Returns the numbers of the lines that the searcher finds.
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

/// The automaton for ASCII lines stops at the first line that matches or is not ASCII.
fn same_by_ascii_lines(pattern: &str, text: &str) -> Result<(), TestCaseError> {
    let Ok(compiled) = Pattern::new(&PatternOptions::regex(pattern)) else {
        return Ok(());
    };
    let Some(lines) = &compiled.ascii_lines else {
        return Ok(());
    };
    lines.make();
    let Some(automaton) = lines.automaton(0) else {
        return Ok(());
    };
    let found = automaton.find(text.as_bytes());
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        let bare = line.strip_suffix('\n').unwrap_or(line);
        let matches = compiled.matcher().is_match(bare.as_bytes()).expect("no errors");
        match found {
            Some(found) if found.at() < end => {
                let is_right = match found {
                    ascii::ScanEnd::Match(_) => matches,
                    ascii::ScanEnd::NotAscii(_) => !line.is_ascii(),
                };
                prop_assert!(is_right, "{} on {:?}: {:?}", pattern, text, found);
                return Ok(());
            }
            _ => {
                prop_assert!(!matches && line.is_ascii(), "{} on {:?}: {:?}", pattern, text, found)
            }
        }
    }
    prop_assert_eq!(found, None);
    Ok(())
}

/// The interruptible engines find the same matches as the ordinary one.
fn same_by_all_engines(pattern: &str, text: &[u8]) -> Result<(), TestCaseError> {
    let Ok(compiled) =
        Pattern::new(&PatternOptions { multi_line: true, ..PatternOptions::regex(pattern) })
    else {
        return Ok(());
    };
    let budget = budget(None);
    let expected = compiled.matcher().find_at(text, 0).expect("no errors");
    let expected = expected.map(|found| found.start()..found.end());
    let stepped = |earliest| {
        compiled
            .stepped
            .find(&mut StepCaches::default(), text, 0, earliest, &budget)
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
fn patterns_that_match_the_empty_text() {
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
                    !is_out && compiled.matcher().is_match(line.as_bytes()).expect("no errors")
                })
                .map(|(_, number)| number)
                .collect();
            compiled.bytes_per_call = bytes_per_call;
            if let Some(lines) = &compiled.ascii_lines {
                lines.make();
            }
            let found = matching_lines(&compiled, text.as_bytes(), exclude.as_deref());
            prop_assert_eq!(found, naive, "{} on {:?} by {}", pattern, text, bytes_per_call);
        }
    }

    #[test]
    fn the_prefilter_is_never_wrong_in_either_case(
        pattern in r"(a|bs|k|é|1|\.|\[ab\]|\[\^k\]|\\w|\*|\+|\?|\|){1,8}",
        text in "[abBksSKſ\u{212A}cé1 ]{0,16}",
    ) {
        let options =
            PatternOptions { case: Case::Insensitive, ..PatternOptions::regex(&pattern) };
        if let Ok(compiled) = Pattern::new(&options) {
            let found = compiled.matcher().is_match(text.as_bytes()).expect("no errors");
            prop_assert!(!found || compiled.may_match(text.as_bytes(), &budget(None)), "{} on {:?}", pattern, text);
        }
    }

    #[test]
    fn ascii_lines_match_as_others(
        pattern in r"(\\w|\\s|\\d|\\S)(\\w|\\s|\\d|\.|\[a-f\]|\[\^a\]|\\b|\\B|\^|\$|1|é|\+|\?|\{2\}|\|\\w){0,7}",
        text in "([ab1 é]{0,1}[ab1 ]{0,8}\r?\n){0,12}[ab1 ]{0,6}",
    ) {
        same_by_ascii_lines(&pattern, &text)?;
    }

    #[test]
    fn the_prefilter_is_never_wrong(pattern in r"(a|b|é|\.|\(a\|bc\)|\[ab\]|\\w|\*|\+|\?|\|){1,8}", text in "[abcé ]{0,16}") {
        if let Ok(compiled) = Pattern::new(&PatternOptions::regex(&pattern)) {
            let found = compiled.matcher().is_match(text.as_bytes()).expect("no errors");
            prop_assert!(!found || compiled.may_match(text.as_bytes(), &budget(None)), "{} on {:?}", pattern, text);
        }
    }
}
