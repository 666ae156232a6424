//! Compares the results of a search with those of the naive one in the same files.

use super::SearchResult;
use super::input::SearchInput;
use super::naive::{Naive, NaiveLine, naive_lines, text_of};
use searchscope::{FileMatches, Line, Mode, Report, SearchRequest, StopReason, TotalKind};

/// The expected reading of a file.
enum Held {
    TooLarge,
    Binary,
    /// Its text, and the position of a NUL that ends it.
    Text(Vec<u8>, Option<usize>),
}

impl Held {
    fn text(&self) -> &[u8] {
        match self {
            Held::Text(text, _) => text,
            _ => b"",
        }
    }
}

/// The number of matches that the limits allow in each file, and whether they cut any.
struct Shares {
    given: Vec<usize>,
    is_cut: bool,
}

pub(super) fn check(naive: &Naive, input: &SearchInput, found: &SearchResult) {
    let request = &input.request;
    let (files, report) = found;
    let held: Vec<Held> = input.files.iter().map(|file| held(&file.content, request)).collect();
    let known = naive.known(request, held.iter().map(Held::text));
    let lines: Vec<Vec<NaiveLine<'_>>> =
        held.iter().map(|held| naive_lines(held.text(), &known)).collect();
    let matching: Vec<Vec<usize>> = lines
        .iter()
        .map(|lines| (0..lines.len()).filter(|&at| lines[at].spans.is_some()).collect())
        .collect();
    let shares = shares(request, matching.iter().map(Vec::len));
    check_report(request, &held, &shares, report);
    let name = |file: &FileMatches| String::from_utf8_lossy(file.path.as_bytes()).into_owned();
    let names: Vec<String> = files.iter().map(name).collect();
    assert!(names.is_sorted(), "{names:?} of {request:?}");
    for (at, file) in input.files.iter().enumerate() {
        let parts: Vec<&FileMatches> = names
            .iter()
            .zip(files)
            .filter(|(name, _)| *name == file.name)
            .map(|(_, it)| it)
            .collect();
        assert!(request.in_parts || parts.len() <= 1, "{names:?} of {request:?}");
        assert!(parts.iter().all(|part| part.n_matches > 0), "{parts:?} of {request:?}");
        let n_given: u64 = parts.iter().map(|part| part.n_matches).sum();
        assert_eq!(n_given, shares.given[at] as u64, "{} of {request:?}", file.name);
        if request.mode == Mode::Content {
            let given = given_lines(request, &parts);
            check_lines(request, &lines[at], &matching[at][..shares.given[at]], &given);
        }
    }
}

fn held(content: &[u8], request: &SearchRequest) -> Held {
    if request.limits.file_bytes_max.is_some_and(|max| content.len() as u64 > max) {
        return Held::TooLarge;
    }
    match text_of(content, request.encoding.as_deref()) {
        Some((text, nul_at)) => Held::Text(text, nul_at),
        None => Held::Binary,
    }
}

fn shares(request: &SearchRequest, n_matching: impl Iterator<Item = usize>) -> Shares {
    let limits = &request.limits;
    let number =
        |max: Option<u64>| max.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
    let (mut matches_left, mut files_left) = (number(limits.matches_max), number(limits.files_max));
    let mut shares = Shares { given: Vec::new(), is_cut: false };
    for n in n_matching {
        // This mode does not read a file beyond its first match.
        let n = if request.mode == Mode::Files { n.min(1) } else { n };
        let of_file = n.min(number(limits.matches_per_file_max)).min(matches_left);
        let given = if files_left > 0 { of_file } else { 0 };
        shares.given.push(given);
        shares.is_cut |= given < n;
        matches_left -= given;
        files_left -= given.min(1);
    }
    shares
}

fn check_report(request: &SearchRequest, held: &[Held], shares: &Shares, report: &Report) {
    let n_given: usize = shares.given.iter().sum();
    assert_eq!(report.total, n_given as u64, "{request:?}");
    let stopped = if shares.is_cut { Some(StopReason::Limit) } else { None };
    assert_eq!(report.stopped, stopped, "{request:?} {report:?}");
    let has_nul = held.iter().any(|held| matches!(held, Held::Text(_, Some(_))));
    // In this mode the search may stop before a NUL.
    if request.mode != Mode::Files || !has_nul {
        let is_exact = report.total_kind == TotalKind::Exact;
        assert_eq!(is_exact, !shares.is_cut && !has_nul, "{request:?} {report:?}");
    }
    let count = |is: fn(&Held) -> bool| held.iter().filter(|held| is(held)).count() as u64;
    let expected = (
        count(|held| matches!(held, Held::TooLarge)),
        count(|held| matches!(held, Held::Binary)),
        count(|held| matches!(held, Held::Text(..))),
    );
    let skipped = &report.skipped;
    let told = (skipped.too_large, skipped.binary, report.searched_files);
    // Files beyond a limit may have been searched or not.
    if shares.is_cut {
        let is_less = told.0 <= expected.0 && told.1 <= expected.1 && told.2 <= expected.2;
        assert!(is_less, "{request:?} {report:?}");
    } else {
        assert_eq!(told, expected, "{request:?} {report:?}");
    }
}

/// Merges the parts of a file: a line may occur again as context of a match in the next part.
fn given_lines<'a>(request: &SearchRequest, parts: &[&'a FileMatches]) -> Vec<&'a Line> {
    let mut lines: Vec<&Line> = parts.iter().flat_map(|part| &part.lines).collect();
    if request.in_parts {
        lines.sort_by_key(|line| (line.number, !line.is_match));
        lines.dedup_by_key(|line| line.number);
    }
    lines
}

/// Checks that the lines are the matching ones and their context.
fn check_lines(
    request: &SearchRequest,
    lines: &[NaiveLine<'_>],
    matching: &[usize],
    given: &[&Line],
) {
    let mut expected = Vec::new();
    for &at in matching {
        let first = at.saturating_sub(request.context_before);
        let last = at.saturating_add(request.context_after).min(lines.len() - 1);
        expected.extend(first..=last);
    }
    expected.sort_unstable();
    expected.dedup();
    let numbers: Vec<u64> = given.iter().map(|line| line.number).collect();
    let expected_numbers: Vec<u64> = expected.iter().map(|at| *at as u64 + 1).collect();
    assert_eq!(numbers, expected_numbers, "{request:?}");
    for (line, &at) in given.iter().zip(&expected) {
        let naive = &lines[at];
        let is_match = matching.binary_search(&at).is_ok();
        assert_eq!(line.is_match, is_match, "line {at} of {request:?}");
        assert_eq!(line.offset, naive.offset as u64, "line {at} of {request:?}");
        assert_eq!(line.line_len, naive.shown.len(), "line {at} of {request:?}");
        let window = line.text_start..line.text_start + line.text.len();
        assert_eq!(naive.shown.get(window), Some(&line.text[..]), "line {at} of {request:?}");
        let line_max = request.limits.line_bytes_max.unwrap_or(usize::MAX);
        assert!(line.text.len() <= line_max, "line {at} of {request:?}");
        assert!(line.line_len > line_max || !line.is_truncated(), "line {at} of {request:?}");
        if is_match && request.pattern.patterns.len() == 1 {
            check_spans(request, naive, line);
        }
    }
}

fn check_spans(request: &SearchRequest, naive: &NaiveLine<'_>, line: &Line) {
    let len = naive.shown.len();
    let all = naive.spans.unwrap_or_default().iter();
    let expected: Vec<(usize, usize)> = all
        .map(|&(start, end)| (start, end.min(len).max(start)))
        .take(request.limits.spans_per_line_max.unwrap_or(usize::MAX))
        .collect();
    let given: Vec<(usize, usize)> = line.spans.iter().map(|span| (span.start, span.end)).collect();
    assert_eq!(given, expected, "{:?} in {request:?}", String::from_utf8_lossy(naive.seen));
}
