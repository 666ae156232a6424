//! Compares the automaton with the documented facts, and with a regex of each body alone.

use super::*;
use crate::wildcard::limits::{BODIES_BYTES_MAX, BODIES_WILDCARDS_MAX};
use proptest::prelude::*;
use regex_automata::meta::Regex;
use std::time::{Duration, Instant};

fn matching(bodies: &Bodies, cache: &mut Cache, path: &[u8]) -> Vec<u32> {
    let state = bodies.start(cache);
    let state = bodies.step(cache, state, path);
    cache.ids(cache.accepted(state)).to_vec()
}

#[track_caller]
fn check(separator: Separator, body: &str, yes: &[&str], no: &[&str]) {
    let bodies = Bodies::new(separator, &[body]).expect("small");
    let mut cache = bodies.cache();
    for (texts, expected) in [(yes, true), (no, false)] {
        for text in texts {
            let is_match = !matching(&bodies, &mut cache, text.as_bytes()).is_empty();
            assert_eq!(is_match, expected, "{body:?} {text:?}");
        }
    }
}

/// Section 1.6 of the facts: consequences of the table.
#[test]
fn section_1_6_consequences() {
    let path = |body, yes: &[&str], no: &[&str]| check(Separator::Slash, body, yes, no);
    path("*.js", &["a.js", "a/b.js", "a/b/c.js", ".js"], &["a.jsx", "ajs", "A.JS"]);
    path("**.js", &["a.js", ".js"], &["a/b.js"]);
    path("src/*", &["src/a", "src/", "src/a.js"], &["src", "src/a/b", "xsrc/a"]);
    path("src/**", &["src/a"], &["src/a/b"]);
    path("src/*.js", &["src/a.js", "src/a/b.js", "src/.js"], &["src/a.ts", "a.js"]);
    path("src//*", &["src/a", "src/a/b", "src/a/b/c", "src/"], &["src", "srca/b", "a/src/b"]);
    path("src//*.js", &["src/a.js", "src/a/b.js"], &["src/a"]);
    path("src//a.js", &["src/a.js", "src/x/a.js", "src/x/y/a.js"], &["src/xa.js", "srca.js"]);
    path("a/*/b", &["a/x/b", "a/x/y/b", "a//b"], &["a/b", "a/x/c"]);
    // The text of the scope of all files requires a separator; `*/` does not.
    path("*//*", &["a/b", "a/b/c", "/"], &["a", "README.md", ""]);
    path("*/", &["a", "a/b", "", "a/b/"], &[]);
    path("a/", &["a"], &["a/", "a/b"]);
    path("src/", &["src"], &["src/", "src/a"]);
    // A directory is compared by its name with a separator.
    path("src//*", &["src/"], &[]);
    path("src/*", &["src/"], &[]);
    path("src", &["src"], &["src/"]);
    path("/src/*", &[], &["src/a", "a/src/a"]);
    path("Foo$Bar.java", &["Foo$Bar.java"], &["Foo", "FooBar.java"]);
    path("README.md", &["README.md"], &["readme.md", "a/README.md", "READMEXmd"]);
    path("a b.txt", &["a b.txt"], &["a  b.txt", "ab.txt"]);
    path("*.js ", &["a.js "], &["a.js"]);
    path("**", &["a", ""], &["a/b"]);
    path("***a", &["a", "x/a", "xa"], &["ab"]);
    path("a///b", &["a//b", "a/x//b"], &["a/b", "a/x/b"]);

    let class = |body, yes: &[&str], no: &[&str]| check(Separator::Dot, body, yes, no);
    class("com.foo.*", &["com.foo.A", "com.foo."], &["com.foo.a.A", "com.foo", "comXfoo.A"]);
    class("com.foo..*", &["com.foo.A", "com.foo.a.A", "com.foo.a.b.A"], &["com.foo", "com.A"]);
    // Classes without a package contain no dot.
    class("*..*", &["a.A", "a.b.A", "pack.readme"], &["A"]);
    class("*.Foo", &["a.Foo", "a.b.Foo", ".Foo"], &["Foo", "a.Foos"]);
    class("*Test", &["Test", "a.b.MyTest"], &["a.Tests"]);
    class("**Test", &["MyTest"], &["a.MyTest"]);
    class("*", &["A"], &["a.A"]);
}

#[test]
fn section_1_6_line_ends() {
    for end in ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"] {
        let with = |text: &str| text.replace('_', end);
        check(Separator::Slash, "*.js", &[], &[&with("a_b.js")]);
        check(Separator::Slash, "a/*", &[&with("a/b_c")], &[]);
        check(Separator::Slash, "a//b", &["a/c/b"], &[&with("a/c_/b"), &with("a/c/d_/b")]);
        check(Separator::Slash, "**x", &[&with("a_x")], &[&with("a_/x")]);
    }
    check(Separator::Slash, "a\u{85}b", &["a\u{85}b"], &["ab", "a\nb"]);
    check(Separator::Slash, "*é", &["é", "aé", "ü/é", "\u{2027}é", "\u{A0}é"], &["e", "\u{85}é"]);
    let bodies = Bodies::new(Separator::Slash, &["*.c", "**"]).expect("small");
    let mut cache = bodies.cache();
    assert_eq!(matching(&bodies, &mut cache, b"\xFF\xC2\xE2\x80/\x85.c"), [0]);
    assert_eq!(matching(&bodies, &mut cache, b"\xE2\x80\xA8.c"), [1]);
}

#[test]
fn bodies_are_shared_and_caches_are_sent() {
    fn shared<T: Send + Sync>(_: &T) {}
    fn sent<T: Send>(_: &T) {}
    let bodies = Bodies::new(Separator::Slash, &["a"]).expect("small");
    shared(&bodies);
    sent(&bodies.cache());
}

#[test]
fn bodies_are_known_by_their_place() {
    let texts = ["b*", "a", "b*", "", "*a", "b"];
    let bodies = Bodies::new(Separator::Slash, &texts).expect("small");
    let mut cache = bodies.cache();
    assert_eq!(matching(&bodies, &mut cache, b"b"), [0, 2, 5]);
    assert_eq!(matching(&bodies, &mut cache, b"a"), [1, 4]);
    assert_eq!(matching(&bodies, &mut cache, b""), [3]);
    assert_eq!(matching(&bodies, &mut cache, b"c/a"), [4]);
    assert_eq!(matching(&bodies, &mut cache, b"c"), [] as [u32; 0]);
    let none = Bodies::new(Separator::Dot, &[]).expect("small");
    let mut cache = none.cache();
    let start = none.start(&mut cache);
    assert!(cache.is_dead(start) && cache.ids(cache.alive(start)).is_empty());
}

#[test]
fn a_directory_determines_its_possible_contents() {
    let texts = ["src//*.c", "src/a/*", "docs/*", "*.md"];
    let bodies = Bodies::new(Separator::Slash, &texts).expect("small");
    let mut cache = bodies.cache();
    let start = bodies.start(&mut cache);
    let alive = |cache: &mut Cache, path: &str| {
        let state = bodies.step(cache, start, path.as_bytes());
        cache.ids(cache.alive(state)).to_vec()
    };
    assert_eq!(alive(&mut cache, ""), [0, 1, 2, 3]);
    assert_eq!(alive(&mut cache, "src/"), [0, 1, 3]);
    assert_eq!(alive(&mut cache, "src/a/"), [0, 1, 3]);
    assert_eq!(alive(&mut cache, "src/a/b/"), [0, 3]);
    assert_eq!(alive(&mut cache, "docs/"), [2, 3]);
    assert_eq!(alive(&mut cache, "docs/a/"), [3]);
    // No body continues after a line end but `docs/*`.
    assert_eq!(alive(&mut cache, "docs/\n"), [2]);
    let only = Bodies::new(Separator::Slash, &["src//*"]).expect("small");
    let mut cache = only.cache();
    let start = only.start(&mut cache);
    let other = only.step(&mut cache, start, b"docs/");
    assert!(cache.is_dead(other) && !cache.is_dead(start));
    assert_eq!(only.step(&mut cache, other, b"src/a"), other);
}

#[test]
fn equal_sets_have_equal_ids() {
    let bodies = Bodies::new(Separator::Slash, &["*.c", "a/*.h"]).expect("small");
    let mut cache = bodies.cache();
    let start = bodies.start(&mut cache);
    let mut set = |path: &str| {
        let state = bodies.step(&mut cache, start, path.as_bytes());
        (cache.accepted(state), cache.alive(state))
    };
    assert_eq!(set("x.c").0, set("y/z.c").0);
    assert_eq!(set("x").0, set("a/").0);
    assert_eq!(set("x").1, set("x.c").0);
    assert_ne!(set("a/").1, set("x").1);
    // Also if one is reached at two places and the other at one.
    let bodies = Bodies::new(Separator::Slash, &["b", "b*"]).expect("small");
    let mut cache = bodies.cache();
    let start = bodies.start(&mut cache);
    let state = bodies.step(&mut cache, start, b"b");
    assert_eq!(cache.ids(cache.accepted(state)), [0, 1]);
    assert_eq!(cache.accepted(state), cache.alive(state));
}

#[test]
fn excessive_patterns_are_refused() {
    let long = "a".repeat(BODIES_BYTES_MAX / 2);
    assert!(Bodies::new(Separator::Slash, &[&long, &long]).is_ok());
    let error = Bodies::new(Separator::Slash, &[&long, &long, "b"]).expect_err("a byte too much");
    assert_eq!(error, TooComplex::Text(BODIES_BYTES_MAX + 1));
    let none = vec![""; BODIES_BYTES_MAX + 1];
    assert!(matches!(Bodies::new(Separator::Slash, &none), Err(TooComplex::Text(_))));
    let texts: Vec<String> = (0..=BODIES_WILDCARDS_MAX).map(|n| format!("{n}*x")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert!(Bodies::new(Separator::Slash, &texts[1..]).is_ok());
    let error = Bodies::new(Separator::Slash, &texts).expect_err("a wildcard too much");
    assert_eq!(error, TooComplex::Wildcards(BODIES_WILDCARDS_MAX + 1));
    assert!(error.to_string().contains("8193 different wildcards"), "{error}");
    // Equal prefixes are counted once.
    let texts: Vec<String> = (0..=BODIES_WILDCARDS_MAX).map(|n| format!("*/{n}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert!(Bodies::new(Separator::Slash, &texts).is_ok());
}

#[test]
fn hostile_bodies_stay_in_time_and_memory() {
    let begin = Instant::now();
    // Each is active at every byte, and no two sets of places are equal.
    let texts: Vec<String> = (0..1_000).map(|n| format!("*{n}*a*{}b*", n * 7)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let many = Bodies::new(Separator::Slash, &texts).expect("allowed");
    let path: Vec<u8> = (0..4_096_u32).map(|n| b"0123456789ab/"[(n * n % 13) as usize]).collect();
    let mut cache = many.cache();
    matching(&many, &mut cache, &path);
    assert!(cache.bytes() < 12 * 1024 * 1024, "{}", cache.bytes());
    let run = format!("*{}b", "a".repeat(BODIES_BYTES_MAX - 2));
    let long = Bodies::new(Separator::Slash, &[&run]).expect("allowed");
    let mut cache = long.cache();
    assert_eq!(matching(&long, &mut cache, &[b'a'; 4_096]), [] as [u32; 0]);
    assert!(cache.generation() > 0 && cache.bytes() < 12 * 1024 * 1024, "{}", cache.bytes());
    let stars = "*".repeat(BODIES_BYTES_MAX);
    let stars = Bodies::new(Separator::Slash, &[&stars]).expect("allowed");
    assert_eq!(matching(&stars, &mut stars.cache(), b"abc"), [0]);
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

/// Returns a body as a regex of characters, by the table of the facts and independently of our tokens.
fn regex(separator: Separator, body: &str) -> Regex {
    let (class, literal) = match separator {
        Separator::Slash => ("[^/]*", "/"),
        Separator::Dot => ("[^.]*", "\\."),
    };
    let any = "[^\\n\\r\\x{85}\\x{2028}\\x{2029}]*";
    let mut text = body.to_owned();
    // A mark replaces each wildcard, the longest runs first; the remaining characters are literal.
    let separator = if literal == "/" { '/' } else { '.' };
    text = text.replace("**", "\u{1}");
    if text.ends_with('*') {
        text = format!("{}\u{1}", text.trim_end_matches('*'));
    }
    text = text.replace('*', "\u{2}");
    text = text.replace(&format!("{separator}{separator}"), "\u{3}");
    text = text.strip_suffix(separator).unwrap_or(&text).to_owned();
    let mut regex = String::new();
    for c in text.chars() {
        match c {
            '\u{1}' => regex.push_str(class),
            '\u{2}' => regex.push_str(any),
            '\u{3}' => regex.push_str(&format!("{literal}({any}{literal})?")),
            c => regex.push_str(&regex_syntax::escape(&c.to_string())),
        }
    }
    Regex::new(&format!("\\A(?s:{regex})\\z")).expect("a regex")
}

/// Returns a path as text: bytes that are not UTF-8 become characters that no body here contains.
fn as_text(path: &[u8]) -> String {
    let mut text = String::new();
    for chunk in path.utf8_chunks() {
        text.push_str(chunk.valid());
        let strange =
            chunk.invalid().iter().filter_map(|byte| char::from_u32(0xE000 + u32::from(*byte)));
        text.extend(strange);
    }
    text
}

fn any_body() -> impl Strategy<Value = String> {
    prop_oneof!["[ab/.*é]{0,8}", "[ab/.*$ \u{85}\u{2027}-]{0,6}", "(a|b|\\*|//|/|\\*\\*|\\.){0,6}"]
}

fn any_name() -> impl Strategy<Value = Vec<u8>> {
    let parts: Vec<&[u8]> = vec![
        b"a",
        b"b",
        b"/",
        b".",
        b"$",
        b" ",
        b"-",
        "é".as_bytes(),
        b"\n",
        b"\r",
        "\u{85}".as_bytes(),
        "\u{2028}".as_bytes(),
        "\u{2029}".as_bytes(),
        "\u{2027}".as_bytes(),
        b"\xFF",
        b"\xC2",
        b"\xE2\x80",
    ];
    let common = prop::sample::select(parts[..4].to_vec());
    let any = prop::sample::select(parts);
    prop::collection::vec(prop_oneof![3 => common, 1 => any], 0..9).prop_map(|parts| parts.concat())
}

fn any_separator() -> impl Strategy<Value = Separator> {
    prop::sample::select(vec![Separator::Slash, Separator::Dot])
}

/// Returns endings that complete a body from any position in it: the rest of it, without wildcards.
fn ends_of(separator: Separator, body: &str) -> Vec<String> {
    let separator = if separator == Separator::Slash { "/" } else { "." };
    let marks: Vec<char> = body.chars().collect();
    let mut ends = vec![String::new()];
    for start in 0..marks.len() {
        let rest: String = marks[start..].iter().filter(|c| **c != '*').collect();
        let double = separator.repeat(2);
        for rest in [rest.replace(&double, separator), rest] {
            let rest = rest.strip_suffix(separator).map(str::to_owned).into_iter().chain([rest]);
            for rest in rest.collect::<Vec<_>>() {
                ends.push(format!("{separator}{rest}"));
                ends.push(rest);
            }
        }
    }
    ends
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn many_bodies_match_as_each_alone(
        separator in any_separator(),
        bodies in prop::collection::vec(any_body(), 1..8),
        paths in prop::collection::vec(any_name(), 1..6),
        bytes_max in prop::sample::select(vec![0, 1_000, 1 << 20]),
    ) {
        let texts: Vec<&str> = bodies.iter().map(String::as_str).collect();
        let compiled = Bodies::new(separator, &texts).expect("small");
        let mut cache = Cache::with_limit(&compiled, bytes_max);
        let regexes: Vec<Regex> = bodies.iter().map(|body| regex(separator, body)).collect();
        for path in &paths {
            let text = as_text(path);
            let expected: Vec<u32> =
                (0..).zip(&regexes).filter(|(_, regex)| regex.is_match(&text)).map(|(id, _)| id).collect();
            prop_assert_eq!(matching(&compiled, &mut cache, path), expected, "{:?}", text);
        }
    }

    #[test]
    fn a_body_is_alive_as_long_as_something_can_match(
        separator in any_separator(),
        bodies in prop::collection::vec(any_body(), 1..6),
        path in any_name(),
    ) {
        // The first bytes of a character may become one; here a path ends after a character.
        prop_assume!(!path.ends_with(b"\xC2") && !path.ends_with(b"\xE2\x80"));
        let texts: Vec<&str> = bodies.iter().map(String::as_str).collect();
        let compiled = Bodies::new(separator, &texts).expect("small");
        let mut cache = compiled.cache();
        let start = compiled.start(&mut cache);
        let state = compiled.step(&mut cache, start, &path);
        let text = as_text(&path);
        let can_match = |body: &String| {
            let regex = regex(separator, body);
            ends_of(separator, body).iter().any(|end| regex.is_match(&format!("{text}{end}")))
        };
        let expected: Vec<u32> =
            (0..).zip(&bodies).filter(|(_, body)| can_match(body)).map(|(id, _)| id).collect();
        prop_assert_eq!(cache.ids(cache.alive(state)), &expected, "{:?}", text);
        prop_assert_eq!(cache.is_dead(state), expected.is_empty());
    }

    #[test]
    fn forgetting_changes_nothing_but_the_generation(
        bodies in prop::collection::vec(any_body(), 1..8),
        names in prop::collection::vec(any_name(), 1..8),
    ) {
        let texts: Vec<&str> = bodies.iter().map(String::as_str).collect();
        let compiled = Bodies::new(Separator::Slash, &texts).expect("small");
        let (mut small, mut large) = (Cache::with_limit(&compiled, 0), compiled.cache());
        let (mut one, mut other) = (compiled.start(&mut small), compiled.start(&mut large));
        for name in &names {
            let before = small.generation();
            one = compiled.step(&mut small, one, name);
            other = compiled.step(&mut large, other, name);
            prop_assert_eq!(small.ids(small.accepted(one)), large.ids(large.accepted(other)));
            prop_assert_eq!(small.ids(small.alive(one)), large.ids(large.alive(other)));
            prop_assert_eq!(small.is_dead(one), large.is_dead(other));
            let is_known = name.is_empty() || small.is_dead(one) || one == compiled.step(&mut small, one, b"");
            prop_assert!(is_known && small.generation() >= before);
        }
        prop_assert_eq!(large.generation(), 0);
    }
}

#[test]
fn a_full_cache_forgets() {
    let compiled = Bodies::new(Separator::Slash, &["*a*b"]).expect("small");
    let mut cache = Cache::with_limit(&compiled, 0);
    let start = compiled.start(&mut cache);
    let generation = cache.generation();
    let state = compiled.step(&mut cache, start, b"xab");
    assert!(cache.generation() > generation);
    assert_eq!(cache.ids(cache.accepted(state)), [0]);
}
