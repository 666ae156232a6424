//! Compares plans and segments with the regex engine: no file with a match may be excluded.

use super::*;
use crate::tests::cases;
use proptest::prelude::*;
use proptest::sample::select;
use regex_syntax::hir::{Class, Hir, HirKind, Look};
use std::collections::BTreeSet;

/// Flags of a pattern.
#[derive(Clone, Copy, Debug)]
struct How {
    insensitive: bool,
    word: bool,
    dot_matches_line_feed: bool,
}

fn hir(pattern: &str, how: How) -> Option<Hir> {
    let mut parser = regex_syntax::ParserBuilder::new()
        .utf8(false)
        .multi_line(true)
        .case_insensitive(how.insensitive)
        .dot_matches_new_line(how.dot_matches_line_feed)
        .build();
    let hir = parser.parse(pattern).ok()?;
    let (start, end) = (Look::WordStartHalfUnicode, Look::WordEndHalfUnicode);
    Some(match how.word {
        true => Hir::concat(vec![Hir::look(start), hir, Hir::look(end)]),
        false => hir,
    })
}

fn engine(pattern: &str, how: How) -> Option<regex::bytes::Regex> {
    let pattern = match how.word {
        true => format!(r"\b{{start-half}}(?:{pattern})\b{{end-half}}"),
        false => pattern.to_owned(),
    };
    regex::bytes::RegexBuilder::new(&pattern)
        .multi_line(true)
        .case_insensitive(how.insensitive)
        .dot_matches_new_line(how.dot_matches_line_feed)
        .build()
        .ok()
}

fn how() -> impl Strategy<Value = How> {
    any::<[bool; 3]>().prop_map(|[insensitive, word, dot_matches_line_feed]| How {
        insensitive,
        word: word && insensitive,
        dot_matches_line_feed,
    })
}

/// Generates texts of characters that fold to ASCII letters, take several bytes, or end lines, among others.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> = vec![
        b"a",
        b"b",
        b"k",
        b"s",
        b"A",
        b"B",
        b"K",
        b"S",
        b"_",
        b" ",
        b"1",
        b"\n",
        b"\r\n",
        b"\0",
        b"\xff",
        "\u{212a}".as_bytes(),
        "\u{17f}".as_bytes(),
        "\u{e4}".as_bytes(),
        b"abk",
        b"ask",
    ];
    proptest::collection::vec(select(pieces), 0..40).prop_map(|pieces| pieces.concat())
}

fn pattern() -> impl Strategy<Value = String> {
    let atoms = vec![
        "a",
        "b",
        "k",
        "s",
        "ab",
        "ask",
        "bka",
        "K",
        "_",
        "1",
        " ",
        "[ab]",
        "[^a]",
        "[a-s]",
        ".",
        r"\w",
        r"\s",
        r"\d",
        r"\n",
        r"\r",
        r"\x00",
        "ä",
        "\u{212a}",
        "^",
        "$",
        r"\b",
        r"\B",
        r"\A",
        r"\z",
        "(?-u:\\xff)",
        "(?i:s)",
        "(?-i:A)",
        "(?s:.)",
        "[[:upper:]]",
        r"\pL",
        "[a&&b]",
        "abkask",
        "",
    ];
    let leaf = select(atoms).prop_map(str::to_owned);
    leaf.prop_recursive(5, 40, 5, |inner| {
        let counts =
            select(vec!["*", "+", "?", "*?", "{2}", "{3}", "{1,2}", "{0,2}", "{2,}", "{5}", "{6}"]);
        prop_oneof![
            4 => proptest::collection::vec(inner.clone(), 1..5).prop_map(|parts| parts.concat()),
            2 => proptest::collection::vec(inner.clone(), 1..5)
                .prop_map(|parts| format!("(?:{})", parts.join("|"))),
            1 => inner.clone().prop_map(|part| format!("({part})")),
            2 => (inner, counts).prop_map(|(part, count)| format!("(?:{part}){count}")),
        ]
    })
}

/// Appends a string that matches an expression, as far as its anchors allow, to `text`. Choices repeat when
/// they are used up.
fn write_match(hir: &Hir, choices: &mut impl Iterator<Item = usize>, text: &mut Vec<u8>) {
    let choice = choices.next().unwrap_or(0);
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.extend_from_slice(&literal.0),
        HirKind::Class(Class::Unicode(class)) if !class.ranges().is_empty() => {
            let range = class.ranges()[choice % class.ranges().len()];
            let chars = (range.start()..=range.end()).skip(choice / 7 % 3);
            text.extend(chars.chain([range.start()]).take(1).collect::<String>().into_bytes());
        }
        HirKind::Class(Class::Bytes(class)) if !class.ranges().is_empty() => {
            text.push(class.ranges()[choice % class.ranges().len()].start());
        }
        HirKind::Class(_) => {}
        HirKind::Capture(capture) => write_match(&capture.sub, choices, text),
        HirKind::Repetition(repetition) => {
            let max = repetition.max.unwrap_or(repetition.min + 3) as usize;
            let min = repetition.min as usize;
            for _ in 0..min + choice % (max - min + 1) {
                write_match(&repetition.sub, choices, text);
            }
        }
        HirKind::Concat(parts) => parts.iter().for_each(|part| write_match(part, choices, text)),
        HirKind::Alternation(parts) => write_match(&parts[choice % parts.len()], choices, text),
    }
}

/// Returns the files with a match, in one line or anywhere.
fn matching(engine: &regex::bytes::Regex, texts: &[Vec<u8>], mode: Mode) -> BTreeSet<u32> {
    let matches = |text: &[u8]| match mode {
        Mode::File => engine.is_match(text),
        Mode::Lines => {
            let in_line = |range: std::ops::Range<usize>| !text[range].contains(&b'\n');
            // With the line feeds around it, for the anchors, and as a text of its own.
            engine.find_iter(text).any(|found| in_line(found.range()))
                || text.split(|byte| *byte == b'\n').any(|line| engine.is_match(line))
        }
    };
    (0..).zip(texts).filter(|(_, text)| matches(text)).map(|(id, _)| id).collect()
}

/// Adds texts, in segments of `per_segment`.
fn store_of(texts: &[Vec<u8>], per_segment: usize) -> Store {
    let store = Store::new();
    let mut builder = SegmentBuilder::new().expect("there is room");
    for texts in texts.chunks(per_segment) {
        for text in texts {
            let id = store.next_id().expect("there are ids");
            assert_eq!(builder.add(id, text), Ok(Added::Indexed));
        }
        store.add(builder.finish().expect("there is room")).expect("there is room");
    }
    store
}

fn never() -> bool {
    false
}

fn candidates(store: &Store, plan: &Plan, mode: Mode, n: usize) -> BTreeSet<u32> {
    let candidates = store.candidates(plan, mode, &never);
    (0..).take(n).filter(|id| candidates.may_match(FileId(*id))).collect()
}

/// Files, patterns and edits of one case.
#[derive(Clone, Debug)]
struct Case {
    texts: Vec<Vec<u8>>,
    patterns: Vec<(String, How)>,
    per_segment: usize,
    forgotten: BTreeSet<u32>,
    /// Choices by which matches of the patterns are written, which become texts too.
    choices: Vec<usize>,
    around: Vec<u8>,
}

fn case() -> impl Strategy<Value = Case> {
    use proptest::collection::{btree_set, vec};
    let patterns = vec((pattern(), how()), 8);
    let forgotten = btree_set(0_u32..48, 0..6);
    let choices = vec(0_usize..1000, 1..50);
    (vec(text(), 1..24), patterns, 1_usize..9, forgotten, choices, text()).prop_map(
        |(texts, patterns, per_segment, forgotten, choices, around)| Case {
            texts,
            patterns,
            per_segment,
            forgotten,
            choices,
            around,
        },
    )
}

fn matches_are_in_candidates(case: Case) -> Result<(), TestCaseError> {
    let Case { mut texts, patterns, per_segment, forgotten, choices, around } = case;
    let mut choices = choices.into_iter().cycle();
    for hir in patterns.iter().filter_map(|(pattern, how)| hir(pattern, *how)) {
        for around in [&b""[..], &around] {
            let mut text = around.to_vec();
            write_match(&hir, &mut choices, &mut text);
            text.extend_from_slice(around);
            texts.push(text);
        }
    }
    let store = store_of(&texts, per_segment);
    let check = |store: &Store, forgotten: &BTreeSet<u32>| {
        for (pattern, how) in &patterns {
            let Some((hir, engine)) = hir(pattern, *how).zip(engine(pattern, *how)) else {
                continue;
            };
            let plan = Plan::of(&hir);
            for mode in [Mode::Lines, Mode::File] {
                let found = matching(&engine, &texts, mode);
                let kept = candidates(store, &plan, mode, texts.len());
                let lost: Vec<_> =
                    found.difference(&kept).filter(|id| !forgotten.contains(*id)).collect();
                prop_assert!(lost.is_empty(), "{pattern:?} {how:?} {mode:?} {plan} lost {lost:?}");
            }
        }
        Ok(())
    };
    check(&store, &BTreeSet::new())?;
    forgotten.iter().for_each(|id| store.forget(FileId(*id)));
    while store.compact(&never) {}
    check(&store, &forgotten)?;
    let n_forgotten = forgotten.iter().filter(|id| (**id as usize) < texts.len()).count();
    prop_assert_eq!(store.files(), texts.len() - n_forgotten);
    Ok(())
}

/// Returns a configuration that simplifies a failing case for longer than by default.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { max_shrink_iters: 20_000, ..ProptestConfig::with_cases(cases) }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn a_file_with_a_match_is_always_a_candidate(case in case()) {
        matches_are_in_candidates(case)?;
    }

    #[test]
    fn a_string_selects_the_files_that_contain_its_trigrams(
        texts in proptest::collection::vec(text(), 1..24),
        at in any::<proptest::sample::Index>(),
        len in 3_usize..8,
    ) {
        let store = store_of(&texts, 7);
        let all = texts.concat();
        if all.len() <= len {
            return Ok(());
        }
        let at = at.index(all.len() - len);
        let string = &all[at..at + len];
        if string.contains(&b'\n') {
            return Ok(());
        }
        let plan = Plan::of(&Hir::literal(string));
        let has = |text: &Vec<u8>, part: &[u8]| text.windows(3).any(|window| window == part);
        let expected = (0..).zip(&texts).filter(|(_, text)| string.windows(3).all(|part| has(text, part)));
        let expected: BTreeSet<u32> = expected.map(|(id, _)| id).collect();
        for mode in [Mode::Lines, Mode::File] {
            prop_assert_eq!(&candidates(&store, &plan, mode, texts.len()), &expected);
        }
    }
}

proptest! {
    #![proptest_config(config(cases(200)))]

    #[test]
    fn long_run_random_files_with_a_match_are_candidates(case in case()) {
        matches_are_in_candidates(case)?;
    }
}

/// Returns a text of three chunks with distinct lines in the first and the last.
fn three_chunks(first: &str, last: &str) -> Vec<u8> {
    let filler = "ordinary text, again and again\n".repeat(9000);
    [first, "\n", &filler, last, "\n"].concat().into_bytes()
}

#[test]
fn lines_need_their_trigrams_in_one_chunk_and_files_anywhere() {
    let texts = [
        three_chunks("needle in", "haystack"),
        three_chunks("nothing", "needle in haystack"),
        b"needle in haystack".to_vec(),
        three_chunks("nothing", "nothing"),
        Vec::new(),
    ];
    let hir = regex_syntax::parse("needle.*haystack").expect("valid");
    let plan = Plan::of(&hir);
    for per_segment in [1, 2, 5] {
        let store = store_of(&texts, per_segment);
        for n_forgotten in 0..2 {
            (0..n_forgotten).for_each(|id| store.forget(FileId(id)));
            while store.compact(&never) {}
            let found = |mode| candidates(&store, &plan, mode, texts.len());
            let lines = found(Mode::Lines);
            assert!(lines.contains(&1) && lines.contains(&2), "{lines:?}");
            assert!(!lines.contains(&3) && !lines.contains(&4), "{lines:?}");
            assert!(n_forgotten > 0 || !lines.contains(&0), "{lines:?}");
            assert!((1..3).all(|id| found(Mode::File).contains(&id)));
            assert!(n_forgotten > 0 || found(Mode::File).contains(&0));
            assert!(!found(Mode::File).contains(&3) && !found(Mode::File).contains(&4));
        }
    }
}

#[test]
fn rare_strings_exclude_nearly_all_files() {
    let mut texts: Vec<Vec<u8>> = (0..500)
        .map(|n| {
            format!("static int device_{n}_probe(void)\nreturn pm_runtime(&{n});\n").into_bytes()
        })
        .collect();
    texts[7] = b"SET(dev_pm_resume, NULL)".to_vec();
    texts[9] = b"PM_RE\xc5\xbfUME".to_vec();
    texts[11] = b"Pm_Resume".to_vec();
    let store = store_of(&texts, 100);
    for (pattern, expected) in [
        ("(?i)pm_resume", vec![7, 9, 11]),
        ("PM_RE\u{17f}UME", vec![9]),
        ("absent_anywhere", vec![]),
        (r"device_499_\w+", vec![499]),
        (r"^SET\(|Pm_R", vec![7, 11]),
    ] {
        let plan = Plan::of(&regex_syntax::parse(pattern).expect("valid"));
        let found = candidates(&store, &plan, Mode::Lines, texts.len());
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected, "{pattern}: {plan}");
        assert_eq!(store.candidates(&plan, Mode::Lines, &never).count(), expected.len());
    }
    let all = Plan::of(&regex_syntax::parse(r"\w+").expect("valid"));
    assert!(all.is_all());
    assert_eq!(candidates(&store, &all, Mode::Lines, texts.len()).len(), texts.len());
}

#[test]
fn files_that_the_evaluation_did_not_see_are_candidates() {
    let store = store_of(&vec![b"some text".to_vec(); 40], 8);
    let plan = Plan::of(&regex_syntax::parse("other").expect("valid"));
    let before = store.candidates(&plan, Mode::Lines, &never);
    assert!((0..40).all(|id| !before.may_match(FileId(id))));
    let later = store.next_id().expect("there are ids");
    assert!(before.may_match(later) && before.may_match(FileId(u32::MAX)));
    let stopped = store.candidates(&plan, Mode::Lines, &|| true);
    assert!((0..40).all(|id| stopped.may_match(FileId(id))));
}

#[test]
fn refused_texts_leave_no_trace() {
    let store = Store::new();
    let mut builder = SegmentBuilder::new().expect("there is room");
    let long = [b"secret\n".to_vec(), vec![b'x'; 200_000]].concat();
    // A multiplicative generator: hardly any trigram of these bytes occurs twice.
    let mut state = 1_u64;
    let random = std::iter::repeat_with(|| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    });
    let random: Vec<u8> = random.take(3 << 20).collect();
    assert_eq!(builder.add(FileId(0), b"abc"), Ok(Added::Indexed));
    assert_eq!(builder.add(FileId(1), &long), Ok(Added::Refused));
    assert_eq!(builder.add(FileId(2), &random), Ok(Added::Refused));
    assert_eq!(builder.add(FileId(3), b"xyz"), Ok(Added::Indexed));
    store.add(builder.finish().expect("there is room")).expect("there is room");
    assert!(builder.is_empty());
    for (pattern, expected) in [("abc", [0, 1, 2]), ("xyz", [1, 2, 3])] {
        let plan = Plan::of(&regex_syntax::parse(pattern).expect("valid"));
        assert_eq!(candidates(&store, &plan, Mode::Lines, 4), BTreeSet::from(expected));
    }
}

#[test]
fn compaction_bounds_segments_while_files_come_and_go() {
    let store = Store::new();
    let mut builder = SegmentBuilder::new().expect("there is room");
    let mut live = std::collections::VecDeque::new();
    for n in 0..600 {
        let id = store.next_id().expect("there are ids");
        let text = format!("file_number_{n:04}_of_many\n");
        assert_eq!(builder.add(id, text.as_bytes()), Ok(Added::Indexed));
        store.add(builder.finish().expect("there is room")).expect("there is room");
        live.push_back((id, n));
        if live.len() > 50
            && let Some((id, _)) = live.pop_front()
        {
            store.forget(id);
        }
        assert!(!store.compact(&|| true), "stopped at once");
        while store.compact(&never) {}
        assert!(store.segments() <= 8, "{} segments", store.segments());
        assert_eq!(store.files(), live.len());
    }
    for (id, n) in &live {
        let hir = Hir::literal(format!("number_{n:04}_of").into_bytes());
        let candidates = store.candidates(&Plan::of(&hir), Mode::Lines, &never);
        let left = live.iter().filter(|(id, _)| candidates.may_match(*id)).count();
        assert!(candidates.may_match(*id) && left <= 3, "{left}");
    }
}

#[test]
fn searches_and_edits_during_compaction_lose_no_file() {
    let texts: Vec<Vec<u8>> =
        (0..400).map(|n| format!("file_number_{n:04}\n").into_bytes()).collect();
    let store = store_of(&texts, 2);
    let is_done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for id in (0..400).step_by(2) {
                store.forget(FileId(id));
            }
            while store.compact(&never) {}
            is_done.store(true, std::sync::atomic::Ordering::Release);
        });
        let compactor = scope.spawn(|| {
            while !is_done.load(std::sync::atomic::Ordering::Acquire) {
                store.compact(&never);
            }
        });
        for id in (1..400_u32).step_by(2).cycle().take(2000) {
            let plan = Plan::of(&Hir::literal(texts[id as usize][..16].to_vec()));
            assert!(store.candidates(&plan, Mode::Lines, &never).may_match(FileId(id)));
        }
        compactor.join().expect("no panic");
    });
    while store.compact(&never) {}
    assert_eq!(store.files(), 200);
}

#[test]
fn files_removed_before_their_segment_are_not_in_it() {
    let store = Store::new();
    let mut builder = SegmentBuilder::new().expect("there is room");
    for (forgotten, left) in [(&[1_u32, 1][..], 2), (&[3, 4, 5][..], 2), (&[][..], 5)] {
        let ids = store.reserve_ids(3).expect("there are ids");
        for id in ids {
            assert_eq!(builder.add(FileId(id), b"some text\n"), Ok(Added::Indexed));
        }
        for id in forgotten {
            store.forget(FileId(*id));
        }
        store.add(builder.finish().expect("there is room")).expect("there is room");
        assert_eq!(store.files(), left);
    }
}
