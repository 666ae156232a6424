//! A search of one file, held against a search line by line over its decoded text with the slowest
//! engine that there is.

use super::bytes::Bytes;
use super::scratch;
use crate::{
    CancelToken, Case, FileMatches, Limits, Line, Mode, PatternOptions, Report, SearchRequest,
    StopReason, Syntax, TotalKind,
};
use encoding_rs::{Encoding, UTF_8};
use regex_automata::nfa::thompson::{
    self,
    pikevm::{Cache, PikeVM},
};
use regex_syntax::hir::{Hir, Look};
use std::collections::HashMap;
use std::fs;

const CONTENT_BYTES_MAX: usize = 1024;
const PATTERN_BYTES_MAX: usize = 48;
/// contracts.md section 0.
const BINARY_PREFIX_BYTES: usize = 64 * 1024;
/// More than the engine holds of a file at once, and more than decides whether it is binary.
const LARGE_BYTES: usize = 4 * 1024 * 1024 + 100_000;
const MEDIUM_BYTES: usize = 70_000;
/// A line between two contents of a large file, so that the naive search has not a million of them.
const FILLER_BYTES: usize = 40_000;

const PIECES: &[&str] = &[
    "a",
    "b",
    "ab",
    "foo",
    "Foo",
    "é",
    "ß",
    " ",
    ".",
    "[ab]",
    "[^a]",
    "a+",
    "b*",
    "(a|b)",
    "^",
    "$",
    r"\b",
    r"\B",
    r"\w",
    r"\s",
    r"\W+",
    ".*",
    "(?i)",
    "a{2}",
    "|",
    "(?-u:\\xFF)",
    r"\pL",
    "x?",
    "K",
];

const LABELS: &[Option<&str>] = &[
    None,
    None,
    None,
    Some("auto"),
    Some("utf-8"),
    Some("utf-16le"),
    Some("utf-16be"),
    Some("latin1"),
    Some("shift_jis"),
    Some("gbk"),
    Some("iso-2022-jp"),
    Some("euc-kr"),
];

/// Choices, the pattern up to a byte that no text holds, and the content of the file.
pub fn search(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let mut request = request(&mut bytes);
    let size = bytes.byte();
    let pattern = pattern(&mut bytes);
    let content = bytes.take(CONTENT_BYTES_MAX);
    let content = match size {
        0..=239 => content.to_vec(),
        240..=254 => repeated(content, MEDIUM_BYTES),
        255 => repeated(&[content, &[b'x'; FILLER_BYTES], b"\n"].concat(), LARGE_BYTES),
    };
    request.pattern = pattern;
    request.paths = vec!["file".to_owned()];
    let (dir, workspace) = scratch();
    fs::write(dir.path().join("file"), &content).expect("written");
    let naive = Naive::new(&request.pattern);
    match workspace.search(&request, &CancelToken::new()) {
        Ok(found) => {
            if let Some(naive) = naive {
                naive.check(&request, &content, &found);
            }
        }
        Err(error) => {
            let is_known = matches!(error.code(), "pattern_syntax" | "invalid_param");
            assert!(is_known, "{error:?} for {request:?}");
            // What it refuses is beyond it in size, or in a line feed that could never match.
            let is_plain = request.pattern.syntax == Syntax::Literal;
            let refused = |text: &String| text.is_empty() || text.contains('\n');
            let is_refused = request.pattern.patterns.iter().any(refused);
            assert!(!is_plain || is_refused, "{error:?} for {request:?}");
        }
    }
}

fn repeated(content: &[u8], len: usize) -> Vec<u8> {
    let times = len / content.len().max(1);
    let mut all = Vec::with_capacity(len);
    if !content.is_empty() {
        (0..=times).for_each(|_| all.extend_from_slice(content));
    }
    all
}

fn request(bytes: &mut Bytes<'_>) -> SearchRequest {
    let few = |bytes: &mut Bytes<'_>| [u64::MAX, u64::MAX, 1, 2, 3, 7][bytes.below(6)];
    let limits = Limits {
        matches_max: few(bytes),
        matches_per_file_max: few(bytes),
        files_max: few(bytes),
        output_bytes_max: usize::MAX,
        file_bytes_max: u64::MAX,
        line_bytes_max: bytes.pick(&[usize::MAX, 40, 10, 400]),
        spans_per_line_max: bytes.pick(&[100, 0, 1, 3]),
    };
    let mut request = SearchRequest::new(PatternOptions::default(), limits);
    request.mode = bytes.pick(&[Mode::Content, Mode::Content, Mode::Count, Mode::Files]);
    request.context_before = bytes.pick(&[0, 0, 1, 2, 5]);
    request.context_after = bytes.pick(&[0, 0, 1, 2, 5]);
    request.encoding = bytes.pick(LABELS).map(str::to_owned);
    request.exclude = [None, None, Some("b"), Some("é")][bytes.below(4)].map(str::to_owned);
    request.in_parts = bytes.is_set();
    request
}

fn pattern(bytes: &mut Bytes<'_>) -> PatternOptions {
    let mut options = PatternOptions {
        syntax: bytes.pick(&[Syntax::Literal, Syntax::Regex]),
        case: bytes.pick(&[Case::Sensitive, Case::Insensitive]),
        word: bytes.below(4) == 3,
        ..PatternOptions::default()
    };
    let n_patterns = 1 + bytes.below(8) / 6;
    let is_text = bytes.is_set();
    options.patterns = (0..n_patterns)
        .map(|_| {
            let mut input = Bytes::new(bytes.until(0xFF));
            if is_text {
                return String::from_utf8_lossy(input.take(PATTERN_BYTES_MAX)).into_owned();
            }
            let mut text = String::new();
            while !input.is_empty() && text.len() < PATTERN_BYTES_MAX {
                text.push_str(input.pick(PIECES));
            }
            text
        })
        .collect();
    options
}

/// A matcher of single lines.
struct Naive {
    regex: PikeVM,
}

/// The matches in each line that there is; none where it does not match.
type Known<'a> = HashMap<&'a [u8], Option<Vec<(usize, usize)>>>;

/// A line as the naive search sees it.
struct NaiveLine<'a> {
    offset: usize,
    /// With a return at its end.
    seen: &'a [u8],
    /// Without it.
    shown: &'a [u8],
    /// None where the line does not match.
    spans: Option<&'a [(usize, usize)]>,
}

impl Naive {
    /// None where it is refused, or where it means something else for a line than for a text.
    fn new(options: &PatternOptions) -> Option<Naive> {
        let texts: Vec<String> = options
            .patterns
            .iter()
            .map(|text| match options.syntax {
                Syntax::Literal => regex_syntax::escape(text),
                Syntax::Regex => text.clone(),
            })
            .collect();
        let parts: Option<Vec<Hir>> = texts
            .iter()
            .map(|text| {
                regex_syntax::ParserBuilder::new()
                    .utf8(false)
                    .multi_line(true)
                    .case_insensitive(options.case == Case::Insensitive)
                    .build()
                    .parse(text)
                    .ok()
            })
            .collect();
        let mut hir = Hir::alternation(parts?);
        let looks = hir.properties().look_set();
        let is_of_text = looks.contains_anchor_haystack() || looks.contains_anchor_crlf();
        if options.word {
            let (start, end) = (Look::WordStartHalfUnicode, Look::WordEndHalfUnicode);
            hir = Hir::concat(vec![Hir::look(start), hir, Hir::look(end)]);
        }
        let config = thompson::Config::new().utf8(false).nfa_size_limit(Some(1 << 20));
        let nfa = thompson::Compiler::new().configure(config).build_from_hir(&hir).ok()?;
        let regex = PikeVM::new_from_nfa(nfa).ok()?;
        (!is_of_text).then_some(Naive { regex })
    }

    fn spans(&self, cache: &mut Cache, line: &[u8]) -> Vec<(usize, usize)> {
        let found = self.regex.find_iter(cache, line);
        found.map(|found| (found.start(), found.end())).collect()
    }

    fn check(&self, request: &SearchRequest, content: &[u8], found: &(Vec<FileMatches>, Report)) {
        let (files, report) = found;
        let Some((text, nul_at)) = text_of(content, request.encoding.as_deref()) else {
            assert!(files.is_empty() && report.skipped.binary == 1, "{report:?}");
            return;
        };
        let mut known = Known::new();
        let mut cache = self.regex.create_cache();
        for line in text.split(|&byte| byte == b'\n') {
            known.entry(line).or_insert_with(|| {
                let shown = line.strip_suffix(b"\r").unwrap_or(line);
                let is_out =
                    request.exclude.as_ref().is_some_and(|text| holds(shown, text.as_bytes()));
                let spans = self.spans(&mut cache, line);
                (!is_out && !spans.is_empty()).then_some(spans)
            });
        }
        let lines = naive_lines(&text, &known);
        let matching: Vec<usize> =
            (0..lines.len()).filter(|&at| lines[at].spans.is_some()).collect();
        let limits = &request.limits;
        let max = limits.matches_max.min(limits.matches_per_file_max);
        let max = usize::try_from(max).unwrap_or(usize::MAX);
        let n_given = match request.mode {
            Mode::Files => matching.len().min(1),
            _ => matching.len().min(max),
        };
        let is_cut = request.mode != Mode::Files && matching.len() > n_given;
        assert_eq!(report.total, n_given as u64, "{request:?}");
        let n_files: u64 = files.iter().map(|file| file.n_matches).sum();
        assert_eq!(n_files, n_given as u64, "{request:?}");
        // Up to a first match a file is not read to its end.
        if request.mode != Mode::Files || nul_at.is_none() {
            let is_exact = report.total_kind == TotalKind::Exact;
            assert_eq!(is_exact, !is_cut && nul_at.is_none(), "{request:?} {report:?}");
        }
        // Where both limits are reached, either may be told.
        if !is_cut || limits.matches_max < limits.matches_per_file_max {
            let stopped = if is_cut { StopReason::Limit } else { StopReason::None };
            assert_eq!(report.stopped, stopped, "{request:?} {report:?}");
        }
        if request.mode == Mode::Content {
            check_lines(request, &lines, &matching[..n_given], &given_lines(request, files));
        }
    }
}

/// In parts a line may be given once more, as context of a match in the next part.
fn given_lines<'a>(request: &SearchRequest, files: &'a [FileMatches]) -> Vec<&'a Line> {
    let mut lines: Vec<&Line> = files.iter().flat_map(|file| &file.lines).collect();
    if request.in_parts {
        lines.sort_by_key(|line| (line.number, !line.is_match));
        lines.dedup_by_key(|line| line.number);
    }
    lines
}

/// The lines that were given are the matching ones and those around them.
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
        let line_max = request.limits.line_bytes_max;
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
        .take(request.limits.spans_per_line_max)
        .collect();
    let given: Vec<(usize, usize)> = line.spans.iter().map(|span| (span.start, span.end)).collect();
    assert_eq!(given, expected, "{:?} in {request:?}", String::from_utf8_lossy(naive.seen));
}

fn naive_lines<'a>(text: &'a [u8], known: &'a Known<'a>) -> Vec<NaiveLine<'a>> {
    let mut lines = Vec::new();
    let mut offset = 0;
    for whole in text.split_inclusive(|&byte| byte == b'\n') {
        let seen = whole.strip_suffix(b"\n").unwrap_or(whole);
        // Without a line feed a return is text.
        let is_ended = seen.len() < whole.len();
        let shown = seen.strip_suffix(b"\r").filter(|_| is_ended).unwrap_or(seen);
        lines.push(NaiveLine { offset, seen, shown, spans: known[seen].as_deref() });
        offset += whole.len();
    }
    lines
}

/// The text that is searched, and where a NUL ends it; nothing where that makes the file binary.
fn text_of(content: &[u8], label: Option<&str>) -> Option<(Vec<u8>, Option<usize>)> {
    let label = label.filter(|label| *label != "auto").unwrap_or("utf-8");
    let named = Encoding::for_label(label.as_bytes()).expect("a label that there is");
    let marked = Encoding::for_bom(content);
    let mut binary_bytes = BINARY_PREFIX_BYTES;
    let text = match marked {
        Some((encoding, mark)) if encoding == UTF_8 => {
            binary_bytes -= mark;
            content[mark..].to_vec()
        }
        Some((encoding, _)) => return Some((encoding.decode(content).0.as_bytes().to_vec(), None)),
        None if named == UTF_8 => content.to_vec(),
        None => named.decode(content).0.as_bytes().to_vec(),
    };
    let Some(nul) = text.iter().position(|byte| *byte == 0) else { return Some((text, None)) };
    if nul < binary_bytes {
        return None;
    }
    let end = text[..nul].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    Some((text[..end].to_vec(), Some(nul)))
}

fn holds(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
