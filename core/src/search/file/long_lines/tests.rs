use super::*;
use crate::PatternOptions;
use crate::budget::Budget;
use crate::call::Call;
use crate::pattern::{Pattern, StepMemory};
use crate::search::file::limits::FileLimits;
use crate::search::file::parts::{Handover, Parts};
use crate::search::{Line, Mode};
use crate::workspace::RelPath;
use grep_searcher::SearcherBuilder;
use proptest::prelude::*;
use std::cell::Cell;
use std::time::{Duration, Instant};

const LIMITS: FileLimits = FileLimits {
    matches_max: u64::MAX,
    matches_per_file_max: u64::MAX,
    output_bytes_max: usize::MAX,
    file_bytes_max: u64::MAX,
    line_bytes_max: 200,
    spans_per_line_max: 100,
};
const MIB: usize = 1024 * 1024;

/// Returns a few bytes per read.
struct Dribble<'a>(&'a [u8], usize);

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.1.min(buffer.len());
        self.0.read(&mut buffer[..n])
    }
}

/// Returns the result of `run` for `options`, given a matcher and a collector.
fn collected(
    options: &PatternOptions,
    context: Context,
    run: impl FnOnce(&BudgetedMatcher<'_>, &mut Collector<'_>),
) -> Vec<Line> {
    let pattern = Pattern::new(options).expect("valid");
    let budget = Budget::of(&Call::new());
    let memory = StepMemory::default();
    let matcher =
        BudgetedMatcher { pattern: &pattern, budget: &budget, memory: &memory, exclude: None };
    let nul_at = Cell::new(None);
    let handover = Handover { skip: 0, parts: Parts::Whole };
    let mut collector =
        Collector::new(&matcher, None, Mode::Content, &LIMITS, context, handover, &nul_at);
    run(&matcher, &mut collector);
    collector.finish(false, RelPath::root).map_or(Vec::new(), |found| found.lines)
}

fn search_all(options: &PatternOptions, text: &[u8], context: (usize, usize)) -> Vec<Line> {
    let context = Context { before: context.0, after: context.1 };
    collected(options, context, |matcher, collector| {
        search(matcher, text, context, collector).expect("searched");
    })
}

fn regex(pattern: &str, text: &[u8]) -> Vec<Line> {
    search_all(&PatternOptions::regex(pattern), text, (0, 0))
}

/// Returns `n` MiB of one byte.
fn long(byte: u8, n: usize) -> Vec<u8> {
    vec![byte; n * MIB]
}

#[test]
fn a_match_up_to_the_end_of_the_line_is_found() {
    let line = [b"foo", long(b'a', 20).as_slice(), b"\nfoo\n"].concat();
    let found = regex("foo.*", &line);
    let numbers: Vec<u64> = found.iter().map(|line| line.number).collect();
    assert_eq!(numbers, [1, 2]);
    assert_eq!((found[0].text_start, found[0].spans[0].start), (0, 0));
    assert_eq!((found[0].line_len, found[1].offset), (20 * MIB + 3, 20 * MIB as u64 + 4));
}

#[test]
fn a_part_does_not_start_like_a_line() {
    let line = [b"a", long(b'b', 20).as_slice()].concat();
    for (pattern, n) in [("^b", 0), (r"\bb", 0), ("b$", 1), ("ab", 1), (r"ab\b", 0)] {
        assert_eq!(regex(pattern, &line).len(), n, "{pattern}");
    }
}

#[test]
fn a_match_is_placed_in_its_line() {
    let (before, after) = (long(b'a', 15), long(b'b', 5));
    let line = [b"x\n", before.as_slice(), b"needle", &after, b"\r\nneedle\n"].concat();
    for options in [PatternOptions::literal("needle"), PatternOptions::regex("nee(dle|d)")] {
        let found = search_all(&options, &line, (1, 0));
        assert_eq!((found[0].number, found[0].is_match), (1, false));
        let hit = &found[1];
        assert_eq!((hit.number, hit.offset, hit.line_len), (2, 2, 20 * MIB + 6));
        assert_eq!((hit.spans[0].start, hit.spans[0].end), (15 * MIB, 15 * MIB + 6));
        let shown = hit.spans[0].start - hit.text_start;
        assert_eq!(&hit.text[shown..shown + 6], b"needle");
        assert_eq!((found[2].number, found[2].offset), (3, 20 * MIB as u64 + 10));
    }
}

/// The excerpt does not start like a word either.
#[test]
fn the_piece_around_a_match_does_not_start_like_a_line() {
    let line = [b"x", long(b'a', 15).as_slice(), b"needle", &long(b'b', 5), b"\n"].concat();
    let found = regex(r"^a|\ba|needle", &line);
    let spans: Vec<_> = found[0].spans.iter().map(|span| (span.start, span.end)).collect();
    assert_eq!(spans, [(15 * MIB + 1, 15 * MIB + 7)]);
}

#[test]
fn an_overlong_line_is_context_too() {
    let text = [b"hit\n", long(b'a', 9).as_slice(), b"\nhit\n", &long(b'b', 9), b"\nhit"].concat();
    let found = search_all(&PatternOptions::literal("hit"), &text, (1, 1));
    let found: Vec<_> = found.iter().map(|line| (line.number, line.text[0])).collect();
    assert_eq!(found, [(1, b'h'), (2, b'a'), (3, b'h'), (4, b'b'), (5, b'h')]);
}

/// Each short line costs little, even if all of them have to be searched or kept.
#[test]
fn short_lines_after_a_long_one_are_fast() {
    let text = [long(b'a', 17), b"\n".to_vec(), b"z\n".repeat(2 * MIB), b"end\n".to_vec()].concat();
    let started = Instant::now();
    for pattern in ["end", "[d-e]nd", r"\Aend"] {
        let found = search_all(&PatternOptions::regex(pattern), &text, (3, 3));
        assert_eq!(found.last().map(|line| line.number), Some(2 * MIB as u64 + 2), "{pattern}");
        assert_eq!(found.len(), 4, "{pattern}");
    }
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn lines_kept_for_context_are_bounded() {
    let line = [vec![b'a'; 1_000], b"\n".to_vec()].concat();
    let text = [line.repeat(20_000), b"hit\n".to_vec()].concat();
    let found = search_all(&PatternOptions::literal("hit"), &text, (1_000_000, 0));
    let n_kept = found.len() - 1;
    assert!((7_000..=8_400).contains(&n_kept), "{n_kept}");
    assert_eq!((found[n_kept].number, found[0].number), (20_001, 20_001 - n_kept as u64));
}

proptest! {
    /// Both engines agree on lines that the searcher can hold.
    #[test]
    fn short_lines_are_searched_as_by_the_searcher(
        pattern in r"(\^|\\b|a|b|\.|\[ab\]|\\w|\*|\+|\||\$|\\A|\\z){1,5}",
        text in "[abc \r\n]{0,60}",
        n in 1_usize..9,
        context in (0_usize..3, 0_usize..3),
    ) {
        let options = PatternOptions::regex(&pattern);
        prop_assume!(Pattern::new(&options).is_ok());
        let context = Context { before: context.0, after: context.1 };
        let expected = collected(&options, context, |matcher, collector| {
            let mut builder = SearcherBuilder::new();
            let mut searcher =
                builder.before_context(context.before).after_context(context.after).build();
            searcher.search_slice(matcher, text.as_bytes(), collector).expect("searched");
        });
        let found = collected(&options, context, |matcher, collector| {
            search(matcher, Dribble(text.as_bytes(), n), context, collector).expect("searched");
        });
        prop_assert_eq!(format!("{found:?}"), format!("{expected:?}"));
    }
}
