//! The engine compared with programs too simple to be wrong, on random trees and random queries.

#![expect(
    clippy::disallowed_methods,
    reason = "the oracle walks with std::fs, which ours must not"
)]

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use regex::bytes::Regex;
use searchscope::Call;
use searchscope_tests::tree::Tree;
use searchscope_tools::CallTools;
use searchscope_tools::open_workspace;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

// The oracle.

/// Returns every regular file below `directory`, except hidden ones, by its path from the root.
fn walk(directory: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(directory).expect("the tree is readable") {
        let entry = entry.expect("the tree is readable");
        let path = format!("{prefix}{}", entry.file_name().to_str().expect("names are ASCII"));
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{path}/"), files);
        } else {
            files.insert(path, std::fs::read(entry.path()).expect("the tree is readable"));
        }
    }
}

/// Splits a file into lines, each as a regex sees it and as it is shown. A carriage return before the
/// line feed is seen but not shown.
fn lines(content: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let lines = content.split_inclusive(|&byte| byte == b'\n');
    lines.map(|line| match line.strip_suffix(b"\n") {
        Some(seen) => (seen, seen.strip_suffix(b"\r").unwrap_or(seen)),
        None => (line, line),
    })
}

fn search(root: &Path, is_match: impl Fn(&[u8]) -> bool, exclude: &str) -> Value {
    let mut files = BTreeMap::new();
    walk(root, "", &mut files);
    files.retain(|_, content| !content.contains(&0));
    let mut matches = Vec::new();
    for (path, content) in &files {
        let lines = lines(content).enumerate();
        for (n, (_, shown)) in lines.filter(|(_, (seen, _))| is_match(seen)) {
            let text = String::from_utf8_lossy(shown);
            if exclude.is_empty() || !text.contains(exclude) {
                matches
                    .push(json!({ "file_path": path, "line_number": n + 1, "line_content": text }));
            }
        }
    }
    let (total, searched) = (matches.len(), files.len());
    json!({ "matches": matches, "total_matches": total, "files_searched": searched, "timed_out": false })
}

fn contains(line: &[u8], literal: &[u8]) -> bool {
    line.windows(literal.len()).any(|window| window == literal)
}

/// Returns whether a glob without alternatives matches all of `path`.
fn glob(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => path.is_empty(),
        [b'*', b'*', b'/', rest @ ..] => {
            let after_slash = (1..=path.len()).filter(|&at| path[at - 1] == b'/');
            std::iter::once(0).chain(after_slash).any(|at| glob(rest, &path[at..]))
        }
        b"**" => !path.is_empty(),
        [b'*', rest @ ..] => {
            let segment = path.iter().position(|&byte| byte == b'/').unwrap_or(path.len());
            (0..=segment).any(|at| glob(rest, &path[at..]))
        }
        [b'?', rest @ ..] => {
            path.first().is_some_and(|&byte| byte != b'/') && glob(rest, &path[1..])
        }
        [b'[', rest @ ..] => {
            let end = rest.iter().position(|&byte| byte == b']').expect("classes are closed");
            let (is_negated, class) = match &rest[..end] {
                [b'!', class @ ..] => (true, class),
                class => (false, class),
            };
            let is_in = |byte: u8| match class {
                [from, b'-', to] => (*from..=*to).contains(&byte),
                letters => letters.contains(&byte),
            };
            path.first().is_some_and(|&byte| byte != b'/' && is_in(byte) != is_negated)
                && glob(&rest[end + 1..], &path[1..])
        }
        [byte, rest @ ..] => path.first() == Some(byte) && glob(rest, &path[1..]),
    }
}

fn find(root: &Path, alternatives: &[String]) -> Value {
    let mut files = BTreeMap::new();
    walk(root, "", &mut files);
    let is_match = |path: &&String| {
        let name = path.rsplit('/').next().unwrap_or_default();
        alternatives.iter().any(|pattern| {
            let subject = if pattern.contains('/') { path.as_str() } else { name };
            glob(pattern.as_bytes(), subject.as_bytes())
        })
    };
    let files: Vec<&String> = files.keys().filter(is_match).collect();
    json!({ "files": files, "total_found": files.len() })
}

// Random trees and calls.

type RandomTree = BTreeMap<String, Vec<u8>>;

/// Pieces of text: words, marks, every kind of line end, bytes that are not text.
const PIECES: &[&[u8]] = &[
    b"a",
    b"b",
    b"ab",
    b"foo",
    b"Foo",
    b" ",
    b"(",
    b"\n",
    b"\n",
    b"\n",
    b"\r\n",
    b"\r\n",
    b"\xc3\xa4",
    b"\xff",
    b"\xe2\x82",
    b"\xf0\x9f\x98\x80",
    b"foo(ab)",
    b"a\tb",
    b"[x]",
    b"\r",
];

fn content() -> impl Strategy<Value = Vec<u8>> {
    let text = || vec(select(PIECES.to_vec()), 0..40).prop_map(|pieces| pieces.concat());
    let long = text().prop_map(|text| [text.repeat(2_000).as_slice(), b"\nfoo\n"].concat());
    let marked = text().prop_map(|text| [b"\xef\xbb\xbf".as_slice(), &text].concat());
    let binary = text().prop_map(|text| [text.as_slice(), b"\0"].concat());
    prop_oneof![20 => text(), 1 => long, 2 => marked, 1 => binary]
}

fn tree() -> impl Strategy<Value = RandomTree> {
    // Directories and files draw from different names, so that no file blocks a directory.
    let directory = select(vec!["", "", "d/", "d/d/", "d-/", "d./", "e/", "e/d/d/", ".h/"]);
    let name = select(vec!["a", "ab", "abc", "b", "a.b", "a-b", "A", "b.a", "a b", ".a", "c"]);
    btree_map(
        (directory, name).prop_map(|(directory, name)| format!("{directory}{name}")),
        content(),
        0..12,
    )
}

fn literal() -> impl Strategy<Value = String> {
    select(vec![
        "a", "b", "ab", "foo", "Foo", " ", "(", "ä", "😀", "foo(", "]", "b)", "a\tb", "oF", "aa",
        ".",
    ])
    .prop_map(str::to_owned)
}

fn regex() -> impl Strategy<Value = String> {
    let atom = select(vec![
        "a", "b", "foo", ".", "[ab]", "[^a]", "ä", r"\(", r"\w", r"\s", "(a|b)", "^", "$", r"\b",
        "",
    ]);
    let piece = (atom, select(vec!["", "", "", "+", "*", "?", "{2}"]));
    let piece = piece.prop_map(|(atom, times)| match atom {
        "^" | "$" | r"\b" | "" => atom.to_owned(),
        atom => format!("(?:{atom}){times}"),
    });
    let branch = vec(piece, 1..4).prop_map(|pieces| pieces.concat());
    let flags = select(vec!["", "(?i)"]);
    let regex =
        (flags, vec(branch, 1..3)).prop_map(|(flags, any)| flags.to_owned() + &any.join("|"));
    regex.prop_filter("an empty query is refused", |regex| !regex.is_empty())
}

fn glob_text() -> impl Strategy<Value = String> {
    let piece = select(vec!["a", "b", "d", "*", "?", "[ab]", "[!a]", "[a-c]", ".", "-"]);
    let segment = vec(piece, 1..4).prop_filter("two stars are not two single ones", |pieces| {
        !pieces.windows(2).any(|pair| pair == ["*", "*"])
    });
    let segment = segment.prop_map(|pieces| pieces.concat());
    let directory = prop_oneof![2 => segment.clone(), 1 => Just("**".to_owned())];
    (vec(directory, 0..3), segment).prop_map(|(mut path, name)| {
        path.dedup();
        path.push(name);
        path.join("/")
    })
}

// The comparison.

fn build(files: &RandomTree) -> Tree {
    let tree = Tree::empty();
    for (path, content) in files {
        tree.write(path, content);
    }
    tree
}

fn call(tree: &Tree, tool: &str, args: &Value) -> Value {
    let workspace = open_workspace(tree.root(), br#"{"threads": 2}"#).expect("the tree is there");
    let reply = workspace.call(tool, args.to_string().as_bytes(), &Call::new());
    let reply = reply.unwrap_or_else(|error| panic!("{tool} {args}: {error:?}"));
    serde_json::from_slice(&reply).expect("a reply is JSON")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn literal_search(files in tree(), query in literal(), exclude in prop_oneof![Just(String::new()), literal()]) {
        let tree = build(&files);
        let args = json!({ "query": query, "exclude_query": exclude });
        let expected = search(tree.root(), |line| contains(line, query.as_bytes()), &exclude);
        prop_assert_eq!(call(&tree, "search_in_files", &args), expected);
    }

    #[test]
    fn regex_search(files in tree(), query in regex()) {
        let tree = build(&files);
        let args = json!({ "query": query, "use_regex": true });
        let regex = Regex::new(&query).expect("the pieces are regexes");
        let expected = search(tree.root(), |line| regex.is_match(line), "");
        prop_assert_eq!(call(&tree, "search_in_files", &args), expected);
    }

    #[test]
    fn file_globs(files in tree(), alternatives in vec(glob_text(), 1..3)) {
        let tree = build(&files);
        let paths = alternatives.iter().any(|pattern| pattern.contains('/'));
        // A slash in one alternative would anchor the others too.
        let alternatives = if paths { &alternatives[..1] } else { &alternatives[..] };
        let pattern = match alternatives {
            [one] => one.clone(),
            several => format!("{{{}}}", several.join(",")),
        };
        let expected = find(tree.root(), alternatives);
        prop_assert_eq!(call(&tree, "find_files_by_name", &json!({ "name_pattern": pattern })), expected);
    }
}

#[test]
fn the_oracle_finds_wrong_replies() {
    let tree = Tree::of(&[("d/a.b", "foo\r\nbar"), ("a-b", "\u{feff}foo\n\nfoo"), (".h", "foo")]);
    let reply = search(tree.root(), |line| contains(line, b"foo"), "");
    let lines: Vec<_> = reply["matches"]
        .as_array()
        .expect("an array")
        .iter()
        .map(|hit| &hit["line_content"])
        .collect();
    assert_eq!(lines, ["foo", "foo", "foo"]);
    assert_eq!(reply["files_searched"], 2);
    let found = |pattern: &str| find(tree.root(), &[pattern.to_owned()])["files"].clone();
    assert_eq!(found("*b"), json!(["a-b", "d/a.b"]));
    assert_eq!(found("**/?.b"), json!(["d/a.b"]));
    assert_eq!(found("*/[!b]*"), json!(["d/a.b"]));
    assert_eq!(found("d*b"), json!([]));
}
