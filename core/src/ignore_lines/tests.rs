//! The verdicts of single lines, and the limits.

use std::time::{Duration, Instant};

use super::*;
use Verdict::{Ignore, Include, None as Nothing};
use proptest::prelude::{ProptestConfig, Strategy};

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
    // Backslashes and what is no syntax.
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
fn a_verdict_alone_does_not_look_at_parents() {
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
fn lines_from_elsewhere_are_whole() {
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
        (5, Problem::Unsupported),
        (6, Problem::Unsupported),
        (8, Problem::NotUtf8),
    ];
    assert_eq!(problems_of(&file), expected);
    let lines = IgnoreLines::parse(&file, &mut || true).0.expect("three good lines");
    assert_eq!(lines.pattern_count(), 3);
    assert_eq!(lines.verdict(b"c", false), Ignore);
}

#[test]
fn files_have_limits() {
    assert_eq!(problems_of(&vec![b'\n'; FILE_BYTES_MAX]), []);
    assert_eq!(problems_of(&vec![b'\n'; FILE_BYTES_MAX + 1]), [(1, Problem::FileTooLarge)]);
    let names: String = (0..PATTERNS_MAX + 5).map(|n| format!("name{n}\n")).collect();
    assert_eq!(problems_of(names.as_bytes()), [(20_001, Problem::TooManyPatterns)]);
    let bad = "[!^\n\\xff\n[\\!^]\n".repeat(50);
    assert_eq!(problems_of(bad.as_bytes()).len(), PROBLEMS_MAX);
}

/// More wildcards than one matcher takes: the verdict is still that of the last line.
#[test]
fn the_last_line_wins_across_chunks() {
    let filler: String = (0..3 * CHUNK_STATES_MAX / 8).map(|n| format!("x{n}*y\n")).collect();
    let lines = lines_of(format!("a*\n{filler}!ab\n{filler}!ac*\nac*\n").as_bytes());
    assert!(lines.chunks.len() > 2);
    assert_eq!(lines.verdict(b"aa", false), Ignore);
    assert_eq!(lines.verdict(b"ab", false), Include);
    assert_eq!(lines.verdict(b"ac", false), Ignore);
    assert_eq!(lines.verdict(b"x7y", false), Ignore);
    assert_eq!(lines.verdict(b"b", false), Nothing);
}

/// Patterns beyond [`OWN_REGEX_MAX`] are written otherwise and mean the same.
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

/// Seconds where milliseconds are meant: tests run unoptimized, and on busy machines.
#[test]
fn hostile_files_are_cheap() {
    let lines_of_n = |n: usize, line: &str| (line.to_owned() + "\n").repeat(n);
    let files = [
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
        lines_of_n(PATTERNS_MAX, "*a*b*"),
        lines_of_n(2_000, "/**/a*/**/b*/*.c"),
        lines_of_n(50, &format!("*{}", "?".repeat(4_000))),
        lines_of_n(50, &"[[:punct:]a-z]".repeat(290)),
        lines_of_n(500, &"*a".repeat(30)),
    ];
    let paths = [
        "a".repeat(255),
        ["a"; 2_000].join("/"),
        vec!["ab".repeat(120); 16].join("/"),
        "kernel/sched/core.c".to_owned(),
    ];
    for file in &files {
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

proptest::proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn the_quick_no_is_never_wrong(
        line in r"(a|b|é|\*|\*\*|\?|\[a\]|\[!a\]|\[\]a\]|\[a/b\]|\[|\]|\\|!|/|\.|\{|\}|-){1,8}",
        path in r"(a|b|é|\*|\?|\[|\]|\\|!|/a|\.|\{|\}|-){1,8}",
        is_dir in proptest::bool::ANY,
    ) {
        let path = path.trim_start_matches('/');
        if let (Some(lines), _) = IgnoreLines::parse(line.as_bytes(), &mut || true) {
            let full = lines.full_verdict(path.as_bytes(), is_dir);
            proptest::prop_assert_eq!(lines.verdict(path.as_bytes(), is_dir), full);
        }
    }
}

#[test]
fn many_long_literals_compile_whatever_their_case() {
    // As one regex without regard to case they would be beyond the size limit of the engine.
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
fn literals_that_become_classes_are_bounded() {
    // A glob with a class is a regex, although the line has no wildcard.
    for end in ["\\\\", "\t"] {
        let name = "abcdefghij".repeat(49);
        let file: String = (0..2_000).map(|n| format!("{name}{n:05}{end}\n")).collect();
        let (lines, problems) = IgnoreLines::parse(file.as_bytes(), &mut || true);
        let lines = lines.expect("the first lines");
        assert_eq!(problems.first().map(|found| found.problem), Some(Problem::TooCostly));
        let first = format!("{name}00000{}", end.replace("\\\\", "\\"));
        assert_eq!(lines.verdict(first.as_bytes(), false), Ignore);
        assert_eq!(lines.full_verdict(b"zz", false), Nothing);
    }
}

#[test]
fn folded_lines_beyond_the_limit_are_refused() {
    let lines: Vec<String> = (0..6_000).map(|n| format!("{}{n:05}", "x".repeat(95))).collect();
    let lines = lines.iter().map(String::as_str);
    let (rules, problems) = IgnoreLines::from_lines(lines, LetterCase::Same);
    assert_eq!(rules.map(|rules| rules.pattern_count()), Some(FOLDED_STATES_MAX / 100));
    assert_eq!(problems.first().map(|found| found.problem), Some(Problem::TooCostly));
}

/// A part, a filler, and whether the part is at the end of each line that [`similar_lines`] makes.
fn parts() -> impl Strategy<Value = (String, String, bool)> {
    let part = r"(a|É|ſ|\*|\*\*|\?|\.|\t| |\\\\|\\ |/|\[!b\]|\[a-c\]|\{|!){1,8}";
    (part, r"[a-zé]{100,400}", proptest::bool::ANY)
}

fn similar_lines(part: &str, filler: &str, at_end: bool) -> Vec<String> {
    let line = |n: usize| match at_end {
        true => format!("{filler}{n}{part}"),
        false => format!("{part}{filler}{n}"),
    };
    (0..2_500).map(line).collect()
}

/// Whether every chunk of the rules that are made of `lines` compiles.
fn chunks_compile(lines: &[String]) -> bool {
    [LetterCase::Distinct, LetterCase::Same].into_iter().all(|case| {
        let (rules, _) = IgnoreLines::from_lines(lines.iter().map(String::as_str), case);
        let chunks = rules.iter().flat_map(|rules| &rules.chunks);
        chunks.into_iter().all(|chunk| chunk.matcher.get().is_some() || chunk.lines.build().is_ok())
    })
}

proptest::proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]
    #[test]
    fn every_chunk_compiles((part, filler, at_end) in parts()) {
        proptest::prop_assert!(chunks_compile(&similar_lines(&part, &filler, at_end)));
    }
}

proptest::proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn long_run_every_chunk_compiles((part, filler, at_end) in parts()) {
        proptest::prop_assert!(chunks_compile(&similar_lines(&part, &filler, at_end)));
    }
}
