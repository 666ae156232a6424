//! Plain English in comments and pages: phrases that a review found everywhere stay rare.
//!
//! A phrase may be right now and then, so its frequency is bounded instead of its use.

use crate::source::{Source, files, read};
use regex::Regex;

/// Uses of one phrase per 1,000 words; before the rewrite they were 1 to 11.
const PER_1000_WORDS_MAX: f64 = 0.3;

/// Phrases by name, each with the replacement that plain English has for it.
const PHRASES: &[(&str, &str, &str)] = &[
    (
        "a clause beginning with \"What\"",
        "name the thing",
        r"(?:^|[.:;!?] )What(?:ever)? |, what |\bof what ",
    ),
    ("\"behind\" in time or order", "after", r"\bbehind\b"),
    ("\"stands\" or \"lies\"", "is", r"\b(?:stands?|stood|lies)\b"),
    ("\"told\" or \"tells\"", "reports", r"\b(?:told|tells?)\b"),
    ("\"so many\" or \"so much\"", "the number of", r"\bso (?:many|much)\b"),
    ("\"is none\"", "is absent", r"\b(?:is|are) none\b"),
    ("a sentence beginning with \"Of\"", "name the subject", r"(?:^|[.:;!?] )Of "),
];

/// Terms of the field that contain a phrase.
const ALLOWED: &[&str] = &["look-behind", "stand-alone"];

#[test]
fn comments_and_pages_are_plain_english() {
    let prose: Vec<Paragraph> = [
        "", "bench", "cli", "core", "docs", "examples", "ffi", "fuzz", "go", "include", "memory",
        "node", "scripts", "server", "tests", "tools",
    ]
    .into_iter()
    .flat_map(sources_in)
    .flat_map(|source| paragraphs(&source))
    .collect();
    let n_words: usize = prose.iter().map(|paragraph| n_words(&paragraph.text)).sum();
    assert!(n_words > 100_000, "only {n_words} words were read");
    let offences = offences(&prose, n_words);
    crate::assert_none(&offences);
}

#[test]
fn a_frequent_phrase_is_found() {
    let bad = [
        "/// What a search has found.",
        "//! The rest comes behind it.",
        "// Here stands the reason.",
        "/// The caller is told why.",
        "// There are so many of them.",
        "/// Its parent is none.",
        "// It is read. Of the rest nothing is known.",
    ];
    for (text, (name, ..)) in bad.into_iter().zip(PHRASES) {
        let prose = paragraphs(&Source::new("x.rs", text));
        let found = offences(&prose, 10);
        assert!(found.len() == 2 && found[0].contains(name), "{text}: {found:?}");
        assert_eq!(offences(&prose, 10_000), Vec::<String>::new(), "{text}");
    }
    let good = [
        ("x.rs", "/// A look-behind of `what stands behind`.\nlet x = \"// so many\";"),
        ("x.md", "Text.\n\n```sh\necho so many are told\n```\n"),
        ("x.toml", "name = \"so many\"\n"),
    ];
    for (path, text) in good {
        assert_eq!(
            offences(&paragraphs(&Source::new(path, text)), 10),
            Vec::<String>::new(),
            "{text}"
        );
    }
}

/// Adjacent lines of comment or prose, joined, without code in backticks.
struct Paragraph {
    path: String,
    line: usize,
    text: String,
}

fn n_words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Returns each phrase that is too frequent, followed by its uses.
fn offences(prose: &[Paragraph], n_words: usize) -> Vec<String> {
    let mut all = Vec::new();
    for (name, instead, pattern) in PHRASES {
        let pattern = Regex::new(pattern).expect("a pattern");
        let uses = prose.iter().flat_map(|Paragraph { path, line, text }| {
            pattern.find_iter(text).map(move |found| {
                let before = text[..found.start()].char_indices().rev().nth(20);
                let after = text[found.end()..].char_indices().nth(30);
                let start = before.map_or(0, |(at, _)| at);
                let end = after.map_or(text.len(), |(at, _)| found.end() + at);
                format!("  {path}:{line}: {}", &text[start..end])
            })
        });
        let uses: Vec<String> = uses.collect();
        let rate = 1_000.0 * uses.len() as f64 / n_words as f64;
        if rate >= PER_1000_WORDS_MAX {
            all.push(format!("{name}: {rate:.2} in 1,000 words; write \"{instead}\""));
            all.extend(uses);
        }
    }
    all
}

/// Reads the sources and pages in a directory of the repository; those of the top alone for "".
fn sources_in(directory: &str) -> Vec<Source> {
    const ENDS: &[&str] = &["rs", "md", "js", "mjs", "ts", "mts", "c", "h", "hpp", "go", "toml"];
    let is_prose = |path: &String| {
        let end = path.rsplit('.').next().unwrap_or_default();
        let is_here = !directory.is_empty() || !path.contains('/');
        is_here && ENDS.contains(&end) && !path.contains("/corpus/")
    };
    files(directory).into_iter().filter(is_prose).map(|path| read(&path)).collect()
}

fn paragraphs(source: &Source) -> Vec<Paragraph> {
    let mut all: Vec<Paragraph> = Vec::new();
    let (mut is_code, mut in_block, mut is_open) = (false, false, false);
    for (n, line) in source.text.lines().enumerate() {
        let prose = prose_of(&source.path, line.trim(), &mut in_block);
        let is_fence = prose.is_some_and(|prose| prose.starts_with("```"));
        is_code = is_code && (prose.is_some() || source.path.ends_with(".md"));
        is_code ^= is_fence;
        let prose = prose.filter(|prose| !prose.is_empty() && !is_code && !is_fence);
        match (prose, all.last_mut().filter(|_| is_open)) {
            (Some(prose), Some(paragraph)) => {
                paragraph.text.push(' ');
                paragraph.text.push_str(prose);
            }
            (Some(prose), None) => {
                all.push(Paragraph {
                    path: source.path.clone(),
                    line: n + 1,
                    text: prose.to_owned(),
                });
            }
            (None, _) => {}
        }
        is_open = prose.is_some();
    }
    for paragraph in &mut all {
        paragraph.text = plain(&paragraph.text);
    }
    all
}

/// Returns the prose of a line, if it is one of a comment or page.
fn prose_of<'l>(path: &str, line: &'l str, in_block: &mut bool) -> Option<&'l str> {
    if path.ends_with(".md") {
        return Some(line);
    }
    if path.ends_with(".toml") {
        return line.strip_prefix('#').map(str::trim);
    }
    if *in_block || line.starts_with("/*") {
        *in_block = !line.contains("*/");
        let line = line.trim_start_matches("/*").trim_start_matches('*');
        return Some(line.split("*/").next().unwrap_or_default().trim());
    }
    let comment = line.strip_prefix("//")?;
    Some(comment.trim_start_matches(['/', '!']).trim())
}

/// Returns a text without code in backticks and without the allowed terms.
fn plain(text: &str) -> String {
    let outside = text.split('`').step_by(2).collect::<Vec<_>>().join("X");
    ALLOWED.iter().fold(outside, |text, term| text.replace(term, "X"))
}
