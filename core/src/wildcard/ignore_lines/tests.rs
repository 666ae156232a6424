//! The verdicts of single lines, and the limits.

use std::time::{Duration, Instant};

use super::line::parse;
use super::lines::PROBLEMS_MAX;
use super::*;
use crate::wildcard::limits::{FILE_BYTES_MAX, FILE_PATTERNS_MAX, FOLDED_COST_MAX, LINE_BYTES_MAX};
use crate::wildcard::linear::{STEPS_PER_POLL, Steps};
use Verdict::{Ignore, Include, None as Nothing};
use proptest::prelude::ProptestConfig;

/// Ignore file, path, whether it is a directory, and the verdict of git 2.47 (parents judged).
pub(crate) const CASES: &[(&str, &str, bool, Verdict)] = &[
    // Names, anchors, directories.
    ("a", "a", false, Ignore),
    ("a", "x/y/a", false, Ignore),
    ("a", "ab", false, Nothing),
    ("a", "A", false, Nothing),
    ("a", "a/b", false, Ignore),
    ("/a", "a", false, Ignore),
    ("/a", "x/a", false, Nothing),
    ("a/b", "a/b", false, Ignore),
    ("a/b", "x/a/b", false, Nothing),
    ("a/", "a", false, Nothing),
    ("a/", "a", true, Ignore),
    ("a/", "x/a/b", false, Ignore),
    ("/", "a", true, Nothing),
    ("//", "a", true, Nothing),
    ("//a", "a", false, Nothing),
    ("a//b", "a/b", false, Nothing),
    ("a//", "a", true, Nothing),
    // Signs at the start, the last line wins, parents.
    ("a\n!a", "a", false, Include),
    ("!a\na", "a", false, Ignore),
    ("d\n!d/a", "d/a", false, Ignore),
    ("d/*\n!d/a", "d/a", false, Include),
    ("!", "a", false, Nothing),
    ("!!a", "!a", false, Include),
    ("\\!a", "!a", false, Ignore),
    ("#a", "#a", false, Nothing),
    ("\\#a", "#a", false, Ignore),
    (" #a", " #a", false, Ignore),
    ("!#a", "#a", false, Include),
    ("!/a", "a", false, Include),
    // Blanks, line ends, marks.
    ("a  ", "a", false, Ignore),
    ("a\\ ", "a ", false, Ignore),
    ("a\\  ", "a ", false, Ignore),
    ("a\t", "a", false, Nothing),
    ("a\t", "a\t", false, Ignore),
    ("a \t ", "a \t", false, Ignore),
    ("a\r\nb\r\n", "a", false, Ignore),
    ("a \r\n", "a", false, Ignore),
    ("a\r", "a", false, Ignore),
    ("a\rb", "a\rb", false, Ignore),
    ("a\r\r\n", "a\r", false, Ignore),
    ("a\u{b}", "a\u{b}", false, Ignore),
    ("\u{feff}a", "a", false, Ignore),
    ("b\n\u{feff}a", "a", false, Nothing),
    ("a\0b", "a", false, Ignore),
    // Stars.
    ("*.c", "x/a.c", false, Ignore),
    ("*.c", ".c", false, Ignore),
    ("*", "x/.a", false, Ignore),
    ("a*", "x/ab", false, Ignore),
    ("/a*b", "a/b", false, Nothing),
    ("a/*", "a/b/c", false, Ignore),
    ("!a/*", "a/b/c", false, Nothing),
    ("?", "é", false, Nothing),
    ("??", "é", false, Ignore),
    ("a?b", "a/b", false, Nothing),
    ("**", "x/a", false, Ignore),
    ("**/a", "a", false, Ignore),
    ("**/a", "x/y/a", false, Ignore),
    ("**/a/b", "x/a/b", false, Ignore),
    ("!a/**", "a", true, Nothing),
    ("!a/**", "a/b/c", false, Include),
    ("a/**/b", "a/b", false, Ignore),
    ("a/**/b", "a/x/y/b", false, Ignore),
    ("a/***/b", "a/x/y/b", false, Ignore),
    ("a/**/**/b", "a/b", false, Ignore),
    ("**/", "a", true, Ignore),
    ("!/**", "a/b", false, Include),
    ("!/**/*", "a/b", false, Include),
    // `**` within a segment is `*`, except right after plain text at the start.
    ("a**b", "axb", false, Ignore),
    ("/a**b", "a/b", false, Nothing),
    ("a**/b", "ab", false, Ignore),
    ("a**/b", "a/b", false, Ignore),
    ("a**/b", "ax/y/b", false, Ignore),
    ("a**//b", "a/b", false, Ignore),
    ("!/a**", "ax/y", false, Include),
    ("!/a*b**", "axb/y", false, Nothing),
    ("a?**/b", "axy/z/b", false, Nothing),
    ("a/**\\/b", "a/b", false, Nothing),
    ("a/**\\/b", "a/x/y/b", false, Ignore),
    // Backslashes, and text that is not syntax.
    ("\\a", "a", false, Ignore),
    ("\\*", "*", false, Ignore),
    ("\\*", "a", false, Nothing),
    ("a\\", "a", false, Nothing),
    ("a\\", "a\\", false, Nothing),
    ("a\\\\", "a\\", false, Ignore),
    ("a\\/", "a", true, Nothing),
    ("a\\/b", "a/b", false, Ignore),
    ("\\é", "é", false, Ignore),
    ("{a,b}", "a", false, Nothing),
    ("{a,b}", "{a,b}", false, Ignore),
    ("{*,b}", "{x,b}", false, Ignore),
    ("}", "}", false, Ignore),
    ("a]", "a]", false, Ignore),
    // Classes.
    ("[ab]", "b", false, Ignore),
    ("[!ab]", "c", false, Ignore),
    ("[^ab]", "a", false, Nothing),
    ("[a-c]", "b", false, Ignore),
    ("[c-a]", "b", false, Nothing),
    ("[a-c-e]", "d", false, Nothing),
    ("[a-c-e]", "-", false, Ignore),
    ("[-a]", "-", false, Ignore),
    ("[a-]", "-", false, Ignore),
    ("[--0]", ".x", false, Nothing),
    ("[--0]", "0", false, Ignore),
    ("[]a]", "]", false, Ignore),
    ("[!]a]", "b", false, Ignore),
    ("[!]a]", "]", false, Nothing),
    ("[\\]]", "]", false, Ignore),
    ("[\\\\]", "\\", false, Ignore),
    ("[a\\-c]", "-", false, Ignore),
    ("[a\\-c]", "b", false, Nothing),
    ("[a!^]", "^", false, Ignore),
    ("[-!^]", "!", false, Ignore),
    ("[[]", "[", false, Ignore),
    ("[#]a", "#a", false, Ignore),
    ("[", "[", false, Nothing),
    ("a[", "a[", false, Nothing),
    ("[a", "[a", false, Nothing),
    ("[]", "[]", false, Nothing),
    ("[!]", "a", false, Nothing),
    ("a[!b]c", "a/c", false, Nothing),
    ("x/a[!b]c", "x/a/c", false, Nothing),
    ("x/a[/]c", "x/a/c", false, Nothing),
    ("a[/b]c", "abc", false, Ignore),
    ("a[/b]c", "x/abc", false, Nothing),
    ("x[+-1]y", "x/y", false, Nothing),
    ("x/a[+-1]", "x/a.", false, Ignore),
    ("[é]x", "éx", false, Nothing),
    ("[é][é]x", "éx", false, Ignore),
    ("[!é]", "a", false, Ignore),
    ("[!a][!a]", "é", false, Ignore),
    ("[[:alpha:]]", "x", false, Ignore),
    ("[[:alpha:]]", "1", false, Nothing),
    ("[![:alpha:]]", "1", false, Ignore),
    ("[[:digit:][:upper:]_]", "_", false, Ignore),
    ("[[:digit:]-z]", "-", false, Ignore),
    ("[[:digit:]-z]", "b", false, Nothing),
    ("[[:space:]]", "\u{b}", false, Nothing),
    ("[[:punct:]]", "^", false, Ignore),
    ("[[:word:]]", "a", false, Nothing),
    ("[[:alpha]", ":", false, Ignore),
    ("[[:alpha]", "x", false, Nothing),
    ("[[:]b]", ":b]", false, Ignore),
];

fn lines_of(file: &[u8]) -> IgnoreLines {
    let (lines, problems) = IgnoreLines::parse(file, &mut || true);
    assert_eq!(problems, [], "{}", file.escape_ascii());
    lines.expect("a line that matches something")
}

fn problems_of(file: &[u8]) -> Vec<(u64, Problem)> {
    IgnoreLines::parse(file, &mut || true)
        .1
        .iter()
        .map(|found| (found.line, found.problem))
        .collect()
}

#[test]
fn cases() {
    for &(file, path, is_dir, expected) in CASES {
        let (lines, problems) = IgnoreLines::parse(file.as_bytes(), &mut || true);
        assert_eq!(problems, [], "{file:?}");
        let verdict =
            lines.map_or(Nothing, |lines| lines.verdict_with_parents(path.as_bytes(), is_dir));
        assert_eq!(verdict, expected, "{file:?} on {path:?}, directory: {is_dir}");
    }
}

#[test]
fn a_single_verdict_ignores_parents() {
    let lines = lines_of(b"d/\n");
    assert_eq!(lines.verdict(b"d", true), Ignore);
    assert_eq!(lines.verdict(b"d/a", false), Nothing);
    assert_eq!(lines.verdict_with_parents(b"d/a", false), Ignore);
}

#[test]
fn paths_need_not_be_utf8() {
    let lines = lines_of(b"a?b\n");
    assert_eq!(lines.verdict(b"x\xff/a\xffb", false), Ignore);
}

#[test]
fn lines_without_effect_are_not_counted() {
    assert_eq!(lines_of(b"\n# a\na\n[\n//x\n!b\nc**/d\n   \n").pattern_count(), 3);
    assert!(IgnoreLines::parse(b"", &mut || true).0.is_none());
    assert!(IgnoreLines::parse(b"# a\n\r\n[\n", &mut || true).0.is_none());
}

#[test]
fn lines_without_a_file_are_used_whole() {
    let (lines, problems) =
        IgnoreLines::from_lines(["*.key", "!a.key", "secret/"], LetterCase::Distinct);
    let lines = lines.expect("three patterns");
    assert_eq!((lines.pattern_count(), problems), (3, vec![]));
    assert_eq!(lines.verdict(b"b.key", false), Ignore);
    assert_eq!(lines.verdict(b"a.key", false), Include);
    assert_eq!(lines.verdict_with_parents(b"x/secret/a", false), Ignore);
}

#[test]
fn bad_lines_are_skipped_and_reported_by_number() {
    let long = "a".repeat(LINE_BYTES_MAX + 1);
    let stars = "*a".repeat(33);
    let text = format!("a\n{long}\n{stars}\n[а-я]\n[\\!^]\na\u{a0}\nb\n");
    let file = [text.as_bytes(), b"\xff\nc"].concat();
    let expected = [
        (2, Problem::LineTooLong),
        (3, Problem::TooManyStars),
        (4, Problem::Unsupported),
        (8, Problem::NotUtf8),
    ];
    assert_eq!(problems_of(&file), expected);
    let lines = IgnoreLines::parse(&file, &mut || true).0.expect("five good lines");
    assert_eq!(lines.pattern_count(), 5);
    for name in ["c", "^", "!", "a\u{a0}"] {
        assert_eq!(lines.verdict(name.as_bytes(), false), Ignore, "{name:?}");
    }
}

#[test]
fn files_have_limits() {
    assert_eq!(problems_of(&vec![b'\n'; FILE_BYTES_MAX]), []);
    assert_eq!(problems_of(&vec![b'\n'; FILE_BYTES_MAX + 1]), [(1, Problem::FileTooLarge)]);
    let names: String = (0..FILE_PATTERNS_MAX + 5).map(|n| format!("name{n}\n")).collect();
    assert_eq!(problems_of(names.as_bytes()), [(20_001, Problem::TooManyPatterns)]);
    let bad = "[!^\n[а-я]\n".repeat(50);
    assert_eq!(problems_of(bad.as_bytes()).len(), PROBLEMS_MAX);
}

/// However a line is indexed, the last matching line decides.
#[test]
fn the_last_line_wins_across_the_lists_of_the_index() {
    let filler: String = (0..1_500).map(|n| format!("x{n}*y\n")).collect();
    let lines =
        lines_of(format!("a*\n{filler}!ab\n{filler}!*c\na?*d\n!a?*d\n*e*\n!ae\n").as_bytes());
    for (name, expected) in [
        ("aa", Ignore),
        ("ab", Include),
        ("ac", Include),
        ("axd", Include),
        ("x7y", Ignore),
        ("ae", Include),
        ("aee", Ignore),
        ("b", Nothing),
    ] {
        assert_eq!(lines.verdict(name.as_bytes(), false), expected, "{name}");
    }
}

#[test]
fn many_patterns_with_extensions() {
    let file: String = (0..50).map(|n| format!("/a{n}*.c\n[x]{n}?.tar.é\n")).collect();
    let lines = lines_of(file.as_bytes());
    for n in 0..50 {
        assert_eq!(lines.verdict(format!("a{n}-.c").as_bytes(), false), Ignore);
        assert_eq!(lines.verdict(format!("d/x{n}-.tar.é").as_bytes(), false), Ignore);
        assert_eq!(lines.verdict(format!("a{n}-xc").as_bytes(), false), Nothing);
    }
}

/// Returns files that take long to read, or whose lines take long to compare.
fn hostile_files() -> Vec<String> {
    let lines_of_n = |n: usize, line: &str| (line.to_owned() + "\n").repeat(n);
    vec![
        "{".repeat(20_000),
        "{".repeat(LINE_BYTES_MAX),
        "{a,".repeat(1_300),
        "*a".repeat(2_000),
        "*a".repeat(32),
        format!("[{}]", "a".repeat(20_000)),
        format!("[{}", "[:".repeat(2_000)),
        lines_of_n(250, &format!("[{}]", "[:".repeat(2_000))),
        "[".repeat(LINE_BYTES_MAX),
        "[!b]".repeat(1_000),
        "[[:punct:]a-z]".repeat(290),
        "\\".repeat(LINE_BYTES_MAX),
        "**/".repeat(1_300),
        "/**/a".repeat(800),
        "/**/a".repeat(32),
        format!("a**{}", "/**/b*".repeat(15)),
        format!("*{}", "?".repeat(4_000)),
        lines_of_n(FILE_PATTERNS_MAX, "*a*b*"),
        lines_of_n(2_000, "/**/a*/**/b*/*.c"),
        lines_of_n(50, &format!("*{}", "?".repeat(4_000))),
        lines_of_n(50, &"[[:punct:]a-z]".repeat(290)),
        lines_of_n(500, &"*a".repeat(30)),
    ]
}

fn hostile_paths() -> [String; 4] {
    [
        "a".repeat(255),
        ["a"; 2_000].join("/"),
        vec!["ab".repeat(120); 16].join("/"),
        "kernel/sched/core.c".to_owned(),
    ]
}

/// The bound is seconds for an expected time of milliseconds: tests run unoptimized, and on busy machines.
#[test]
fn hostile_files_are_cheap() {
    let paths = hostile_paths();
    for file in &hostile_files() {
        let started = Instant::now();
        if let (Some(lines), _) = IgnoreLines::parse(file.as_bytes(), &mut || true) {
            for path in &paths {
                lines.verdict(path.as_bytes(), false);
            }
        }
        let (start, took) = (&file[..file.len().min(20)], started.elapsed());
        assert!(took < Duration::from_secs(20), "{start:?}...: {took:?}");
    }
}

/// A deadline works within a file and within a verdict: polls are at most a fixed number of bytes or steps
/// apart for any lines, and after one that returns false nothing more is read or compared.
#[test]
fn polls_are_frequent_in_hostile_files() {
    const BYTES: usize = 16 << 10;
    for file in hostile_files() {
        let mut n_polls = 0;
        let mut go_on = || {
            n_polls += 1;
            true
        };
        let (lines, _) = IgnoreLines::parse(file.as_bytes(), &mut go_on);
        let start = &file[..file.len().min(20)];
        assert!(n_polls >= file.len() / BYTES, "{start:?}...: {n_polls} polls");
        let Some(lines) = lines else { continue };
        for path in hostile_paths() {
            let mut all = 0;
            let mut go_on = || {
                all += 1;
                true
            };
            let mut steps = Steps::polled(&mut go_on);
            let verdict = lines.verdict_while(path.as_bytes(), false, &mut steps);
            let n_steps = steps.n_spent();
            assert!(
                n_steps / (2 * STEPS_PER_POLL) <= all,
                "{start:?}...: {n_steps} steps, {all} polls"
            );
            assert_eq!(lines.verdict(path.as_bytes(), false), verdict, "{start:?}...");
            for stop_at in [1, all / 2].into_iter().filter(|at| (1..=all).contains(at)) {
                let mut n_polls = 0;
                let mut go_on = || {
                    n_polls += 1;
                    n_polls < stop_at
                };
                let mut steps = Steps::polled(&mut go_on);
                lines.verdict_while(path.as_bytes(), false, &mut steps);
                let n_steps = steps.n_spent();
                assert!(n_steps <= (stop_at + 1) * STEPS_PER_POLL, "{start:?}...: {n_steps} steps");
                assert_eq!(n_polls, stop_at, "{start:?}...");
            }
        }
    }
    // Otherwise the files are not hostile.
    assert!(n_polls_of(&"*a*c*b\n".repeat(3_000), 1) > 2);
}

/// Returns the number of polls of some verdicts that share their steps.
fn n_polls_of(file: &str, n_verdicts: usize) -> usize {
    let lines = lines_of(file.as_bytes());
    let mut n_polls = 0;
    let mut go_on = || {
        n_polls += 1;
        true
    };
    let mut steps = Steps::polled(&mut go_on);
    for _ in 0..n_verdicts {
        lines.verdict_while("ab".repeat(120).as_bytes(), false, &mut steps);
    }
    n_polls
}

/// A chain of many files is polled as often as one large file.
#[test]
fn steps_of_several_files_add_up() {
    let file = "*a*c*b\n".repeat(50);
    assert_eq!(n_polls_of(&file, 1), 0);
    assert!(n_polls_of(&file, 60) > 2);
}

#[test]
fn a_poll_stops_the_reading_of_a_file() {
    let file = "ab\n".repeat(10_000) + "c\n";
    let mut n_polls = 0;
    let (lines, _) = IgnoreLines::parse(file.as_bytes(), &mut || {
        n_polls += 1;
        n_polls < 3
    });
    let lines = lines.expect("the first lines");
    assert!(n_polls == 3 && lines.pattern_count() < 500, "{}", lines.pattern_count());
    assert_eq!((lines.verdict(b"ab", false), lines.verdict(b"c", false)), (Ignore, Nothing));
}

/// Returns the verdict of all lines, each compared with the path.
fn full_verdict(file: &str, case: LetterCase, path: &[u8], is_dir: bool) -> Verdict {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let lines =
        file.split('\n').rev().filter_map(|line| parse(line.as_bytes(), case).ok().flatten());
    let matches = |line: &super::line::Line| {
        let text = if line.anchored { path } else { name };
        (is_dir || !line.dirs_only) && line.pattern.matches(text, &mut Steps::unlimited())
    };
    match lines.into_iter().find(matches) {
        None => Nothing,
        Some(line) if line.negated => Include,
        Some(_) => Ignore,
    }
}

proptest::proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn the_index_misses_no_line(
        file in r"(a|b|A|é|\*|\*|\*\*|\?|\[a\]|\[!a\]|\[\]a\]|\[a/b\]|\[|\]|\\|!|/|\.|\{|\}|-|long-literal|\n|\n!){1,12}",
        path in r"(a|b|A|é|\*|\?|\[|\]|\\|!|/a|\.|\{|\}|-|long-literal){1,8}",
        is_dir in proptest::bool::ANY,
    ) {
        let path = path.trim_start_matches('/').as_bytes();
        for case in [LetterCase::Distinct, LetterCase::Same] {
            let (lines, _) = IgnoreLines::from_lines(file.split('\n'), case);
            let verdict = lines.map_or(Nothing, |lines| lines.verdict(path, is_dir));
            proptest::prop_assert_eq!(verdict, full_verdict(&file, case, path, is_dir));
        }
    }
}

#[test]
fn many_long_literals_match_whatever_their_case() {
    let lines: Vec<String> =
        (0..1_500).map(|n| format!("/{}{n:04}", "abcdefghijklmnopqrs".repeat(5))).collect();
    let (rules, problems) =
        IgnoreLines::from_lines(lines.iter().map(String::as_str), LetterCase::Same);
    assert_eq!(problems.len(), 0);
    let rules = rules.expect("there are lines");
    for n in [0, 700, 1_499] {
        let path = lines[n].trim_start_matches('/').to_uppercase();
        assert_eq!(rules.verdict(path.as_bytes(), false), Ignore);
    }
    assert_eq!(rules.verdict(b"abc", false), Nothing);
}

#[test]
fn literals_with_escapes_and_blanks_are_literals() {
    for end in ["\\\\", "\t"] {
        let name = "abcdefghij".repeat(49);
        let file: String = (0..2_000).map(|n| format!("{name}{n:05}{end}\n")).collect();
        let lines = lines_of(file.as_bytes());
        assert_eq!(lines.pattern_count(), 2_000);
        for n in [0, 1_999] {
            let found = format!("{name}{n:05}{}", end.replace("\\\\", "\\"));
            assert_eq!(lines.verdict(found.as_bytes(), false), Ignore);
            assert_eq!(lines.verdict(format!("{found}x").as_bytes(), false), Nothing);
        }
    }
}

#[test]
fn folded_lines_beyond_the_limit_are_refused() {
    let lines: Vec<String> = (0..6_000).map(|n| format!("{}{n:05}", "x".repeat(95))).collect();
    let lines = lines.iter().map(String::as_str);
    let (rules, problems) = IgnoreLines::from_lines(lines, LetterCase::Same);
    assert_eq!(rules.map(|rules| rules.pattern_count()), Some(FOLDED_COST_MAX / 100));
    assert_eq!(problems.first().map(|found| found.problem), Some(Problem::TooCostly));
}
