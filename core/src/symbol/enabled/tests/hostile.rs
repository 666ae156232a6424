//! Hostile texts: parsing must end in time and without a deep stack.

use super::super::TreeSitter;
use super::super::language;
use crate::budget::Budget;
use crate::call::Call;
use crate::clock::TurnedClock;
use crate::syntax::{Syntax, SyntaxParts, SyntaxReader, Unparsed};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Smaller than the stack of any thread of the engine.
const STACK_BYTES: usize = 256 << 10;

fn read_within(
    language: &str,
    text: &[u8],
    timeout: Option<Duration>,
) -> (Result<Syntax, Unparsed>, Duration) {
    let grammar = language::named(language).expect(language);
    let call = Call::new();
    let budget = Budget::of(&match timeout {
        Some(timeout) => call.with_timeout(timeout),
        None => call,
    });
    let wanted = SyntaxParts { regions: true, outline: true, uses: true };
    let started = Instant::now();
    let read = TreeSitter::default().read(grammar.name, text, wanted, None, &budget);
    (read, started.elapsed())
}

/// Runs `test` for every language in a thread with a small stack.
fn in_every_language(test: impl Fn(&'static str, &str) + Sync) {
    std::thread::scope(|scope| {
        let run = || {
            for grammar in language::all() {
                let start = if grammar.name == "PHP" { "<?php\n" } else { "" };
                test(grammar.name, start);
            }
        };
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run);
        thread.expect("a thread").join().expect("no panic");
    });
}

#[test]
fn nesting_has_no_depth_that_overflows() {
    const DEPTH: usize = 20_000;
    const SHAPES: [(&str, &str); 2] = [("{", "}"), ("(", "")];
    in_every_language(|language, start| {
        for (open, close) in SHAPES {
            let text = format!("{start}{}1{}", open.repeat(DEPTH), close.repeat(DEPTH));
            let (read, took) = read_within(language, text.as_bytes(), None);
            assert_ne!(read.err(), Some(Unparsed::Stopped));
            assert!(took < Duration::from_secs(20), "{language} {open}{close}: {took:?}");
        }
    });
}

/// Texts that stay ambiguous throughout.
const DOUBTS: [&str; 4] = ["<a=", "a<", "(a)", "a ? "];

#[test]
fn doubts_have_no_depth_that_overflows() {
    in_every_language(|language, start| {
        for part in DOUBTS {
            let text = format!("{start}{}", part.repeat(4_000));
            assert_ne!(
                read_within(language, text.as_bytes(), None).0.err(),
                Some(Unparsed::Stopped)
            );
        }
    });
}

#[test]
fn long_run_doubts_have_no_depth_that_overflows() {
    in_every_language(|language, start| {
        for part in DOUBTS {
            let text = format!("{start}{}", part.repeat(20_000));
            let (_, took) = read_within(language, text.as_bytes(), None);
            assert!(took < Duration::from_secs(10), "{language} {part:?}: {took:?}");
        }
    });
}

#[test]
fn any_bytes_are_read_or_refused() {
    let mut state = 1_u64;
    let mut byte = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33).to_le_bytes()[0]
    };
    let bytes: Vec<u8> = (0..20_000).map(|_| byte()).collect();
    in_every_language(|language, start| {
        for text in [&bytes[..], &bytes[..2_000], b"\xff\xfe\0\0", b"\0"] {
            let text = [start.as_bytes(), text].concat();
            let (read, _) = read_within(language, &text, None);
            if let Ok(syntax) = read {
                let outline = syntax.outline.expect("requested");
                for symbol in outline.symbols() {
                    let range = symbol.range();
                    assert!(range.start < range.end && range.end <= text.len() as u64);
                }
            }
        }
    });
}

/// Each of these used to take seconds and gigabytes in one step at the end of the text.
#[test]
fn long_run_ambiguous_files_are_parsed_in_time() {
    for (language, part) in [
        ("Java", "a<"),
        ("Java", ">f("),
        ("Java", "=>a "),
        ("Java", ">a="),
        ("C#", "a<"),
        ("C#", "<a="),
        ("C#", "<@a "),
        ("TypeScript", "->new "),
        ("TSX", "->new "),
    ] {
        for end in ["", ";", "}", "/*", "\""] {
            let text = format!("{}{end}", part.repeat(4_000));
            // The best of a few runs counts, because the machine may be busy.
            let mut runs = (0..3).map(|_| read_within(language, text.as_bytes(), None).1);
            let is_quick = runs.any(|took| took < Duration::from_secs(5));
            assert!(is_quick, "{language} {part:?} {end:?}: three times more than 5 s");
        }
    }
}

/// Texts in which nearly every token is an error.
const MISTAKES: [&str; 4] = [":!", "<a=", "\"/*", "if x:\n  "];

/// The clock reading that reaches the deadline is the last. A parser that gave up earlier has taken as many
/// steps as a text of this size may cost.
#[test]
fn a_deadline_is_kept_where_every_sign_is_a_mistake() {
    let n_stopped = AtomicU32::new(0);
    in_every_language(|language, start| {
        for part in MISTAKES {
            let text = format!("{start}{}", part.repeat(10_000));
            let clock = TurnedClock::by(Duration::from_millis(1));
            let timeout = Some(Duration::from_millis(3));
            let (read, _) = clock.during(|| read_within(language, text.as_bytes(), timeout));
            let readings = clock.readings();
            let is_stopped = read.err() == Some(Unparsed::Stopped);
            n_stopped.fetch_add(is_stopped.into(), Relaxed);
            assert!(
                readings == 4 || !is_stopped && readings < 4,
                "{language} {part:?}: {readings}"
            );
        }
    });
    assert!(n_stopped.load(Relaxed) > 20, "only {n_stopped:?} were stopped");
}

#[test]
fn long_run_a_deadline_is_kept_where_every_sign_is_a_mistake() {
    const TIMEOUT: Duration = Duration::from_millis(50);
    in_every_language(|language, start| {
        for part in MISTAKES {
            let text = format!("{start}{}", part.repeat(10_000));
            let (_, took) = read_within(language, text.as_bytes(), Some(TIMEOUT));
            // Usually a few milliseconds; a hundred steps of the slowest grammar take half a second.
            assert!(took < TIMEOUT + Duration::from_millis(1_500), "{language} {part:?}: {took:?}");
        }
    });
}

#[test]
fn a_large_source_is_parsed_and_a_larger_one_is_not() {
    let text: String =
        (0..40_000).map(|n| format!("pub fn f{n}(a: u32) -> u32 {{ a + {n} }}\n")).collect();
    assert!(text.len() > 1 << 20);
    let (read, _) = read_within("Rust", text.as_bytes(), None);
    let outline = read.expect("parsed").outline.expect("requested");
    assert_eq!(outline.symbols().len(), 40_000);
    let too_large = " ".repeat(crate::syntax::PARSE_BYTES_MAX + 1);
    let (read, took) = read_within("Rust", too_large.as_bytes(), None);
    assert_eq!(read.expect_err("too large"), Unparsed::TooLarge);
    assert!(took < Duration::from_secs(10));
}

#[test]
fn unfinished_source_has_its_definitions() {
    for (language, text) in [
        ("Java", "class A { void f() { } void g() { int x = 1;"),
        ("C#", "namespace N { class A { void f() { } void g() { int x = 1;"),
        ("TypeScript", "class A { f() { } g() { const x = 1;"),
        ("TSX", "class A { f() { } g() { const x = 1;"),
    ] {
        let (read, _) = read_within(language, text.as_bytes(), None);
        let outline = read.expect(language).outline.expect("requested");
        let names: Vec<&str> = outline.symbols().iter().map(|symbol| symbol.name()).collect();
        for name in ["A", "f", "g"] {
            assert!(names.contains(&name), "{language}: {names:?}");
        }
    }
}

/// Texts that are all heads, brackets or quotes: the recovery reads each of them a bounded number of times.
#[test]
fn recovery_takes_bounded_steps() {
    const PARTS: [&str; 10] = [
        "class a",
        "fun <",
        "class A(",
        "{ } ",
        "#if a\n{\n#else\n",
        "\"\\\"",
        "=/",
        "template <",
        "struct A B ",
        "MACRO(x)\n",
    ];
    in_every_language(|language, start| {
        for part in PARTS {
            let text = format!("{start}fun @@ {{ {}", part.repeat(4_000));
            let clock = TurnedClock::by(Duration::from_millis(1));
            let timeout = Some(Duration::from_millis(3));
            let (read, _) = clock.during(|| read_within(language, text.as_bytes(), timeout));
            let is_stopped = read.err() == Some(Unparsed::Stopped);
            assert!(clock.readings() <= 4 || !is_stopped, "{language} {part:?}");
            let (read, took) = read_within(language, text.as_bytes(), None);
            assert_ne!(read.err(), Some(Unparsed::Stopped));
            assert!(took < Duration::from_secs(20), "{language} {part:?}: {took:?}");
        }
    });
}
