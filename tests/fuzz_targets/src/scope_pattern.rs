//! Scope patterns: printing reproduces the parsed pattern, and the automaton of bodies agrees with the
//! table of the language, evaluated wildcard by wildcard.

use super::bytes::Bytes;
use super::pattern_tree::{Tree, is_normal, is_true, leaf_text, values};
use searchscope::fuzzing::{PatternBodies, ScopePattern, parse_pattern as parse};
use std::collections::BTreeSet;

const TEXT_BYTES_MAX: usize = 2 * 1024;
const BODY_BYTES_MAX: usize = 24;
const PATH_BYTES_MAX: usize = 32;
const DEPTH_MAX: usize = 24;

/// The first byte selects the meaning of the others: a pattern as text, a tree to print and parse again,
/// or bodies with paths to match.
pub fn scope_pattern(data: &[u8]) {
    let mut bytes = Bytes::new(&data[..data.len().min(TEXT_BYTES_MAX)]);
    match bytes.below(3) {
        0 => text_round_trip(&String::from_utf8_lossy(bytes.rest())),
        1 => tree_round_trip(&mut bytes),
        _ => bodies_match(&mut bytes),
    }
}

fn text_round_trip(text: &str) {
    match parse(text) {
        Ok(set) => check_printed(&set),
        Err(error) => {
            let before = text.get(..error.span.start).expect("a span between characters");
            assert!(text.get(error.span.clone()).is_some(), "{text:?} {error:?}");
            assert_eq!(before.encode_utf16().count() + 1, error.position, "{text:?}");
            assert!(!error.message.is_empty(), "{text:?}");
        }
    }
}

fn check_printed(set: &ScopePattern) {
    let normal = &set.text;
    let again = parse(normal).expect("the printed text is a pattern");
    assert_eq!(again, *set, "{normal:?}");
    assert_eq!(values(set, &|_| false).len(), 1, "a pattern is one expression");
    assert!(is_normal(set), "an operator takes one of its kind: {normal:?}");
}

/// Builds a tree of leaves that the input draws.
fn tree(bytes: &mut Bytes<'_>, depth: usize) -> Tree {
    let kind = if depth == 0 || bytes.is_empty() { 0 } else { bytes.below(6) };
    let several =
        |bytes: &mut Bytes<'_>| (0..2 + bytes.below(3)).map(|_| tree(bytes, depth - 1)).collect();
    match kind {
        0..=2 => Tree::Leaf(leaf(bytes)),
        3 => Tree::Not(Box::new(tree(bytes, depth - 1))),
        4 => Tree::And(several(bytes)),
        _ => Tree::Or(several(bytes)),
    }
}

fn leaf(bytes: &mut Bytes<'_>) -> String {
    if bytes.below(4) == 0 {
        return format!("${}", ["a", "b1", "é", "$c"][bytes.below(4)]);
    }
    let prefix = bytes.pick(&["file", "ext", "", "src", "lib"]);
    let filter = ["", "", "m", "m*", "a b"][bytes.below(5)];
    let filter = (!filter.is_empty()).then_some(filter);
    let (pieces, first): (&[&str], _) = if matches!(prefix, "file" | "ext") {
        (&["a", "/", "*", ".", "-", "~", "#", "1", "é"], "x")
    } else {
        (&["a", ".", "*", "b"], "x")
    };
    let body = format!("{first}{}", bytes.text_of(pieces, 6));
    leaf_text(prefix, filter, &body)
}

fn tree_round_trip(bytes: &mut Bytes<'_>) {
    let trues = bytes.number();
    let tree = tree(bytes, DEPTH_MAX);
    let written = tree.written();
    let Ok(set) = parse(&written) else {
        // A tree with an invalid leaf must not parse.
        assert!(!is_pattern(&tree), "{written:?}");
        return;
    };
    check_printed(&set);
    let of = |leaf: &str| is_true(leaf, trues);
    assert_eq!(values(&set, &of), [tree.value(&of)], "{written:?}");
}

/// Returns whether each leaf alone is a pattern.
fn is_pattern(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf(_) => parse(&tree.written()).is_ok(),
        Tree::Not(tree) => is_pattern(tree),
        Tree::And(trees) | Tree::Or(trees) => trees.iter().all(is_pattern),
    }
}

/// Bodies and paths, each up to a byte that never occurs in text.
fn bodies_match(bytes: &mut Bytes<'_>) {
    let separator = bytes.pick(&['/', '.']);
    let n_bodies = 1 + bytes.below(6);
    let bodies: Vec<String> = (0..n_bodies)
        .map(|_| {
            let body = bytes.until(0xFF);
            String::from_utf8_lossy(&body[..body.len().min(BODY_BYTES_MAX)]).into_owned()
        })
        .collect();
    let texts: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let mut compiled = PatternBodies::new(separator == '.', &texts).expect("far below the limits");
    while !bytes.is_empty() {
        let path = bytes.until(0xFF);
        let path = String::from_utf8_lossy(&path[..path.len().min(PATH_BYTES_MAX)]).into_owned();
        let expected: Vec<u32> = (0..)
            .zip(&bodies)
            .filter(|(_, body)| is_match(separator, body, &path))
            .map(|(id, _)| id)
            .collect();
        // Name by name, as a walk does. A body that matches the whole path must stay possible at every
        // prefix, so no state on the way may be dead.
        let states = compiled.states(path.split_inclusive(['/', '.']).map(str::as_bytes));
        for (alive, is_dead) in states.alive.iter().zip(states.is_dead) {
            assert!(expected.iter().all(|id| alive.contains(id)), "{texts:?} {path:?}");
            assert!(expected.is_empty() || !is_dead, "{texts:?} {path:?}");
        }
        assert_eq!(states.accepted, expected, "{texts:?} {path:?}");
    }
}

/// A part of a body.
#[derive(Clone, Copy)]
enum Part {
    /// `.*`
    Any,
    /// `[^S]*`
    Segment,
    /// `(.*S)?`
    Directories,
    Char(char),
}

/// Returns whether `body` matches all of `path`, by the table of
/// core/src/scope/language/reference.md#wildcards.
pub(super) fn is_match(separator: char, body: &str, path: &str) -> bool {
    let path: Vec<char> = path.chars().collect();
    let mut ends = BTreeSet::from([0]);
    for part in parts(separator, body) {
        ends = ends.iter().flat_map(|&from| ends_of(part, &path, from, separator)).collect();
    }
    ends.contains(&path.len())
}

fn parts(separator: char, body: &str) -> Vec<Part> {
    let chars: Vec<char> = body.chars().collect();
    let (mut parts, mut at) = (Vec::new(), 0);
    while let Some(&char) = chars.get(at) {
        let is_last = at + 1 == chars.len();
        let is_pair = chars.get(at + 1) == Some(&char);
        at += 1;
        match char {
            '*' if is_pair => {
                at += 1;
                parts.push(Part::Segment);
            }
            '*' => parts.push(if is_last { Part::Segment } else { Part::Any }),
            char if char == separator && is_pair => {
                at += 1;
                parts.extend([Part::Char(char), Part::Directories]);
            }
            char if char == separator && is_last => {}
            char => parts.push(Part::Char(char)),
        }
    }
    parts
}

/// Returns the positions where a part can end if it begins at `from`.
fn ends_of(part: Part, path: &[char], from: usize, separator: char) -> Vec<usize> {
    let is_line_end = |char| matches!(char, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let run = |holds: &dyn Fn(char) -> bool| {
        from + path[from..].iter().take_while(|char| holds(**char)).count()
    };
    match part {
        Part::Char(char) => {
            path[from..].starts_with(&[char]).then_some(from + 1).into_iter().collect()
        }
        Part::Any => (from..=run(&|char| !is_line_end(char))).collect(),
        Part::Segment => (from..=run(&|char| char != separator)).collect(),
        Part::Directories => {
            let behind =
                (from..run(&|char| !is_line_end(char))).filter(|&at| path[at] == separator);
            std::iter::once(from).chain(behind.map(|at| at + 1)).collect()
        }
    }
}
