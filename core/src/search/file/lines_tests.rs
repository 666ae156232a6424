//! Checks the lines of a result against the searched text: position, content and completeness.

use crate::WorkspaceOptions;
use crate::pattern::PatternOptions;
use crate::search::*;
use crate::syntax::SearchContext;
use crate::tests::{NO_LIMITS, tree};
use proptest::prelude::*;
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use std::collections::BTreeSet;

/// Pieces of texts; the last one has no line end.
const PIECES: &[&str] = &[
    "hit\n",
    "x\n",
    "\n",
    "hit x hit\r\n",
    "häß hit\n",
    "/* hit\n",
    "hit */\n",
    "fn f(\n",
    "  hit)\n",
    "// hit\n",
    "// hit\r\n",
    "\"hit\";\n",
    "let hit = \"hit\"; // hit\n",
    "hit",
];
/// Regexes, and whether they are searched across lines.
const PATTERNS: &[(&str, bool)] = &[
    ("hit", false),
    (r"\bhit\b|ß", false),
    (r"t\s*$", false),
    ("x*", false),
    (r"hit\r?$", true),
    ("hit", true),
    (r"hit\r?\n(x\n)?", true),
    (r"\(\s+hit\)|x$", true),
];

fn text_of(pieces: &[usize]) -> String {
    pieces.iter().map(|&at| PIECES[at]).collect()
}

/// Returns the starts and ends of matches in the text, line by line or across lines.
fn places(text: &str, (regex, multi_line): (&str, bool)) -> Vec<(usize, usize)> {
    let lines = syntax::Config::new().multi_line(true);
    // An empty match may be within a character, as in ripgrep.
    let bytes = Regex::config().utf8_empty(false);
    let regex = Regex::builder().syntax(lines).configure(bytes).build(regex).expect("a regex");
    let mut places = Vec::new();
    let mut start = 0;
    for line in if multi_line { vec![text] } else { text.split_inclusive('\n').collect() } {
        let searched = if multi_line { line } else { line.strip_suffix('\n').unwrap_or(line) };
        let found = regex.find_iter(searched);
        places.extend(found.map(|found| (start + found.start(), start + found.end())));
        start += line.len();
    }
    places
}

/// Returns the numbers of the lines that these spans cover.
fn lines_of(text: &str, places: &[(usize, usize)]) -> Vec<u64> {
    let number = |at: usize| 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() as u64;
    // A line end belongs to its line.
    let lines = places
        .iter()
        .flat_map(|&(start, end)| number(start)..=number(end.saturating_sub(1).max(start)));
    let lines: BTreeSet<u64> = lines.collect();
    lines.into_iter().collect()
}

/// Returns the starts and ends of the matches of a file in its text.
fn spans_of(file: &FileMatches) -> Vec<(usize, usize)> {
    let spans = file.lines.iter().flat_map(|line| {
        let at = usize::try_from(line.offset).expect("small");
        line.spans.iter().map(move |span| (at + span.start, at + span.end))
    });
    spans.collect()
}

/// Cuts the spans to the text of their lines, as in results.
fn cut(file: &FileMatches, places: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    let cut = |(start, end): (usize, usize)| {
        let mut lines =
            file.lines.iter().filter(|line| line.is_match && line.offset <= start as u64);
        let line = lines.next_back().expect("a line that matches");
        let text_end = usize::try_from(line.offset).expect("small") + line.line_len;
        (start, end.min(text_end).max(start))
    };
    places.into_iter().map(cut).collect()
}

/// Checks one file of a result; returns the numbers of its matching lines.
fn check(text: &str, file: &FileMatches, context: (usize, usize)) -> Vec<(u64, u64)> {
    let bytes = text.as_bytes();
    let mut behind = 0;
    for line in &file.lines {
        let at = usize::try_from(line.offset).expect("small");
        assert!(at >= behind, "lines come one after the other: {file:?}");
        let number = 1 + memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64;
        let n_inside = memchr::memchr_iter(b'\n', &line.text).count() as u64;
        assert_eq!((line.number, line.last_number), (number, number + n_inside), "{file:?}");
        assert!(at == 0 || bytes[at - 1] == b'\n', "a line begins at its beginning: {file:?}");
        assert_eq!(line.text, &bytes[at..at + line.line_len], "{file:?}");
        assert!(line.is_match || n_inside == 0, "context has single lines: {line:.200?}");
        for span in &line.spans {
            assert!(line.is_match && span.start <= span.end && span.end <= line.line_len + 1);
        }
        behind = at + line.line_len;
        // Every reported line is a match or near one.
        let near = |other: &Line| {
            other.is_match
                && line.number <= other.last_number + context.1 as u64
                && line.last_number + context.0 as u64 >= other.number
        };
        assert!(line.is_match || file.lines.iter().any(near), "{file:?}");
    }
    let matching = file.lines.iter().filter(|line| line.is_match);
    let numbers: Vec<_> = matching.map(|line| (line.number, line.last_number)).collect();
    assert_eq!(file.n_matches, numbers.len() as u64);
    // No line near a match is missing.
    let n_lines = bytes.split_inclusive(|&byte| byte == b'\n').count() as u64;
    for &(first, last) in &numbers {
        let wanted = first.saturating_sub(context.0 as u64).max(1)
            ..=last.saturating_add(context.1 as u64).min(n_lines);
        for number in wanted {
            let is_shown =
                file.lines.iter().any(|line| line.number <= number && number <= line.last_number);
            assert!(is_shown, "line {number} near {first}: {file:?}");
        }
    }
    numbers
}

fn search(text: &str, request: &SearchRequest) -> (Option<FileMatches>, Report) {
    let dir = tree(&[("f.rs", text)]);
    let workspace = Workspace::open(dir.path()).expect("opened");
    let (mut files, report) = workspace.run_search(request, &Call::new()).expect("searched");
    assert!(files.len() <= 1);
    (files.pop(), report)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn every_line_is_at_its_reported_position(
        pieces in proptest::collection::vec(0..PIECES.len(), 0..14), pattern in 0..PATTERNS.len(),
        context in (0usize..4, 0usize..4), syntax in 0usize..3, max in 1u64..5,
    ) {
        let text = text_of(&pieces);
        let (regex, multi_line) = PATTERNS[pattern];
        let mut request = SearchRequest::new(PatternOptions::regex(regex), NO_LIMITS);
        request.pattern.multi_line = multi_line;
        request.limits.spans_per_line_max = Some(100);
        (request.context_before, request.context_after) = context;
        request.search_context =
            [SearchContext::Any, SearchContext::InComments, SearchContext::ExceptComments][syntax];
        let (whole, report) = search(&text, &request);
        prop_assert!(report.complete, "{report:?}");
        let numbers = whole.as_ref().map_or(Vec::new(), |file| check(&text, file, context));
        prop_assert_eq!(report.total, numbers.len() as u64);
        let spans = whole.as_ref().map_or(Vec::new(), spans_of);
        let places = places(&text, PATTERNS[pattern]);
        if request.search_context == SearchContext::Any {
            let covered = numbers.iter().flat_map(|&(first, last)| first..=last);
            prop_assert_eq!(covered.collect::<Vec<_>>(), lines_of(&text, &places));
            prop_assert_eq!(&spans, &whole.as_ref().map_or(Vec::new(), |file| cut(file, places)));
        } else if ["hit", r"hit\r?$"].contains(&regex) {
            // A word is either in a comment or not, and so is the carriage return of a line end after it.
            let others = [SearchContext::ExceptComments, SearchContext::InComments][syntax - 1];
            let other = SearchRequest { search_context: others, ..request.clone() };
            let mut all = search(&text, &other).0.as_ref().map_or(Vec::new(), spans_of);
            all.extend(&spans);
            all.sort_unstable();
            // The end of a match depends on the lines it is reported with.
            let starts = |all: Vec<(usize, usize)>| all.into_iter().map(|(start, _)| start);
            prop_assert!(starts(all.clone()).eq(starts(places.clone())), "{all:?} {places:?}");
        }
        // A limit reports the first of them, with all their context.
        request.limits.matches_per_file_max = Some(max);
        let (cut, _) = search(&text, &request);
        let first = cut.as_ref().map_or(Vec::new(), |file| check(&text, file, context));
        let n_first = numbers.len().min(usize::try_from(max).expect("small"));
        prop_assert_eq!(&first, &numbers[..n_first]);
        // The next page reports the others.
        request.limits = Limits { matches_max: Some(max), ..NO_LIMITS };
        request.resumable = true;
        let mut paged = Vec::new();
        let dir = tree(&[("f.rs", &text)]);
        let workspace = Workspace::open(dir.path()).expect("opened");
        loop {
            let (files, report) = workspace.run_search(&request, &Call::new()).expect("searched");
            paged.extend(files.iter().flat_map(|file| check(&text, file, context)));
            request.cursor = report.cursor;
            if request.cursor.is_none() {
                break;
            }
        }
        prop_assert_eq!(&paged, &numbers);
    }
}

/// Like `text_of`, but each line has some 16 KiB, so that a few of them fill a part.
fn long_text_of(pieces: &[usize]) -> String {
    let blanks = " ".repeat(16 * 1024);
    pieces.iter().map(|&at| format!("{blanks}{}", PIECES[at])).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn parts_equal_the_whole(
        pieces in proptest::collection::vec(0..PIECES.len(), 30..70), pattern in 0..PATTERNS.len(),
        context in (0usize..4, 0usize..4), max in proptest::option::of(1u64..60), threads in 1usize..3,
    ) {
        let text = long_text_of(&pieces);
        let (regex, multi_line) = PATTERNS[pattern];
        let mut request = SearchRequest::new(PatternOptions::regex(regex), NO_LIMITS);
        request.pattern.multi_line = multi_line;
        (request.context_before, request.context_after) = context;
        request.limits.matches_per_file_max = max;
        let dir = tree(&[("f", &text[..]), ("g", "hit\n")]);
        let options = WorkspaceOptions { threads: Some(threads), ..WorkspaceOptions::default() };
        let workspace = options.open(dir.path()).expect("opened");
        let search = |request: &SearchRequest| {
            let (mut files, report) = workspace.run_search(request, &Call::new()).expect("searched");
            let others = files.iter().position(|file| file.path.as_bytes() == b"g");
            let others = files.split_off(others.unwrap_or(files.len()));
            let numbers: Vec<_> = files.iter().flat_map(|part| check(&text, part, context)).collect();
            (files, others.len(), numbers, report)
        };
        let (whole, n_others, numbers, report) = search(&request);
        prop_assert!(whole.len() <= 1);
        request.in_parts = true;
        let (parts, n_others_beside, in_parts, of_parts) = search(&request);
        prop_assert_eq!((&in_parts, n_others_beside), (&numbers, n_others));
        prop_assert_eq!((of_parts.total, of_parts.complete), (report.total, report.complete));
        prop_assert_eq!(of_parts.searched_files, report.searched_files);
        let bytes: usize = whole.iter().map(|file| file.output_bytes).sum();
        prop_assert!(parts.len() > 1 || bytes < 1024 * 1024, "{bytes} bytes in one part");
        // Pages of parts.
        (request.resumable, request.limits.matches_max) = (true, Some(7));
        let mut paged = Vec::new();
        loop {
            let (_, _, numbers, report) = search(&request);
            paged.extend(numbers);
            request.cursor = report.cursor;
            if request.cursor.is_none() {
                break;
            }
        }
        prop_assert_eq!(&paged, &numbers);
    }
}

#[test]
fn text_after_a_nul_is_reported_with_and_without_a_match() {
    for (text, n_matches) in [("hit\n", 1), ("other\n", 0)] {
        let text = format!("{}{text}\0 hit\n", "filler\n".repeat(20_000));
        let request = SearchRequest::new(PatternOptions::literal("hit"), NO_LIMITS);
        let (file, report) = search(&text, &request);
        assert_eq!(file.map_or(0, |file| file.n_matches), n_matches);
        assert_eq!((report.complete, report.given_up, report.total), (false, 1, n_matches));
        let warning = report.warnings.first().expect("it is reported");
        assert!(warning.reason.contains("at a NUL at byte"), "{warning:?}");
    }
}

#[test]
fn parts_continue_after_an_overlong_line() {
    let short = "hit and more than that\n".repeat(40_000);
    let text = format!("{short}{}hit\n{short}", "x".repeat(9 << 20));
    let mut request = SearchRequest::new(PatternOptions::literal("hit"), NO_LIMITS);
    let (whole, _) = search(&text, &request);
    assert_eq!(whole.expect("found").n_matches, 80_001);
    request.in_parts = true;
    let dir = tree(&[("f.rs", text)]);
    let workspace = Workspace::open(dir.path()).expect("opened");
    let (parts, report) = workspace.run_search(&request, &Call::new()).expect("searched");
    let numbers = parts.iter().flat_map(|part| &part.lines).map(|line| line.number);
    assert!(numbers.eq(1..=80_001), "each once and in order");
    assert_eq!((report.total, report.searched_files), (80_001, 1));
}

/// Nothing is read after the last result: otherwise a warning would report the NUL there.
#[test]
fn a_search_ends_at_the_last_match_of_its_file() {
    let text = format!("hit\nhit\nx\n{}\0", "filler\n".repeat(1_000_000));
    let with = |change: &dyn Fn(&mut SearchRequest)| {
        let mut request = SearchRequest::new(PatternOptions::literal("hit"), NO_LIMITS);
        change(&mut request);
        let (file, report) = search(&text, &request);
        (file.expect("found").lines.len(), report.given_up)
    };
    assert_eq!(with(&|_| {}), (2, 1));
    assert_eq!(with(&|request| request.mode = Mode::Files), (0, 0));
    assert_eq!(with(&|request| request.limits.matches_per_file_max = Some(1)), (1, 0));
    let with_context = |n_after| {
        move |request: &mut SearchRequest| {
            request.limits.matches_per_file_max = Some(1);
            request.context_after = n_after;
        }
    };
    assert_eq!(with(&with_context(1)), (2, 0));
    assert_eq!(with(&with_context(3)), (4, 0));
}

#[test]
fn spans_are_limited_and_a_long_line_is_shown_around_its_match() {
    let line = format!("{}needle", ".".repeat(94));
    let dir = tree(&[("f", &line)]);
    let workspace = Workspace::open(dir.path()).expect("opened");
    for (line_bytes_max, spans_max) in [(99, 0), (40, 0), (100, 0), (101, 0), (40, 1), (100, 1)] {
        let mut request = SearchRequest::new(PatternOptions::literal("needle"), NO_LIMITS);
        request.limits.line_bytes_max = Some(line_bytes_max);
        request.limits.spans_per_line_max = Some(spans_max);
        let (files, _) = workspace.run_search(&request, &Call::new()).expect("searched");
        let line = &files[0].lines[0];
        assert!(line.text.ends_with(b"needle") && line.text.len() <= line_bytes_max, "{line:?}");
        assert_eq!((line.spans.len(), line.line_len), (spans_max, 100));
    }
}

/// Whether a position is within a word depends on the bytes before it, and in multi-line search also on the
/// bytes before the line, where they are not UTF-8; as in ripgrep.
#[test]
fn a_line_may_match_because_of_the_text_before_it() {
    let dir = tree(&[("f", &b"\xbc-\nx\n\xbc-\nx\n"[..])]);
    let workspace = Workspace::open(dir.path()).expect("opened");
    let mut request = SearchRequest::new(PatternOptions::regex(r"\B-"), NO_LIMITS);
    request.limits.spans_per_line_max = Some(9);
    let found = |request: &SearchRequest| {
        let (files, _) = workspace.run_search(request, &Call::new()).expect("searched");
        let lines = files.iter().flat_map(|file| &file.lines);
        let spans = lines.map(|line| {
            let spans: Vec<_> = line.spans.iter().map(|span| (span.start, span.end)).collect();
            (line.number, spans)
        });
        spans.collect::<Vec<_>>()
    };
    assert_eq!(found(&request), []);
    request.pattern.multi_line = true;
    assert_eq!(found(&request), [(3, vec![(1, 2)])]);
}
