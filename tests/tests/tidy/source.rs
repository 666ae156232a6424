//! Rust sources as tokens: the paths that they name, outside and inside test modules.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use searchscope_tests::repository;
use std::fs;
use std::path::Path;

/// Names that never belong to the repository, at any depth.
const FOREIGN: &[&str] =
    &["target", "node_modules", ".git", "corpus-artifacts", "grown", "artifacts"];

/// One Rust file.
pub(crate) struct Source {
    /// Path from the top of the repository, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A path that code names, such as `std::fs::read`, with the line that names it.
pub(crate) struct Named {
    pub(crate) line: usize,
    pub(crate) segments: Vec<String>,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Source {
        Source { path: path.to_owned(), text: text.to_owned() }
    }

    pub(crate) fn tokens(&self) -> TokenStream {
        self.text.parse().unwrap_or_else(|error| panic!("{}: {error}", self.path))
    }

    /// Returns the paths of one or more segments in the file; without those of its test modules unless
    /// `with_tests`.
    pub(crate) fn names(&self, with_tests: bool) -> Vec<Named> {
        let mut names = Vec::new();
        if with_tests || !self.is_test() {
            read_names(self.tokens(), with_tests, &mut names);
        }
        names
    }

    /// Returns whether the whole file is a test module, by its name or its folder.
    pub(crate) fn is_test(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        self.path.split('/').any(|part| part == "tests")
            || name == "tests.rs"
            || name.ends_with("_tests.rs")
            || name.ends_with("differential.rs")
    }
}

/// Reads every Rust file below a directory of the repository.
pub(crate) fn sources(directory: &str) -> Vec<Source> {
    let is_rust = |path: &String| path.ends_with(".rs");
    files(directory).into_iter().filter(is_rust).map(|path| read(&path)).collect()
}

/// Reads a file of the repository; invalid UTF-8 is replaced.
pub(crate) fn read(path: &str) -> Source {
    let bytes = fs::read(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Source::new(path, &String::from_utf8_lossy(&bytes))
}

/// Returns every file below a directory of the repository, sorted, by its path from the top.
pub(crate) fn files(directory: &str) -> Vec<String> {
    let mut paths = Vec::new();
    list(&repository().join(directory), directory, &mut paths);
    paths.sort();
    paths
}

fn list(directory: &Path, prefix: &str, paths: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries {
        let entry = entry.expect("the repository is readable");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
        let kind = entry.file_type().expect("the repository is readable");
        if kind.is_dir() && !FOREIGN.contains(&name.as_str()) {
            list(&entry.path(), &path, paths);
        } else if kind.is_file() && !is_built(&path) {
            paths.push(path);
        }
    }
}

/// Returns whether the file is a build result in the tree, which git ignores.
fn is_built(path: &str) -> bool {
    let is_command = matches!(path, "node/searchscope" | "node/searchscope.exe");
    is_command || path.ends_with(".node") || path.ends_with(".tgz")
}

fn read_names(tokens: TokenStream, with_tests: bool, names: &mut Vec<Named>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Punct(mark)
                if mark.as_char() == '#' && !with_tests && is_cfg_test(&tokens, at) =>
            {
                at = after_item(&tokens, at + 2);
                continue;
            }
            TokenTree::Group(group) => read_names(group.stream(), with_tests, names),
            TokenTree::Ident(_) => {
                at = read_path(&tokens, at, &[], names);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
}

/// Reads the path that begins at `at` and returns its end; `a::{b, c::d}` is two paths.
fn read_path(
    tokens: &[TokenTree],
    mut at: usize,
    before: &[String],
    names: &mut Vec<Named>,
) -> usize {
    let line = tokens[at].span().start().line;
    let mut segments = before.to_vec();
    while let Some(TokenTree::Ident(name)) = tokens.get(at) {
        segments.push(name.to_string());
        at += 1;
        if !(is_mark(tokens, at, ':') && is_mark(tokens, at + 1, ':')) {
            break;
        }
        at += 2;
        if let Some(TokenTree::Group(group)) = tokens.get(at)
            && group.delimiter() == Delimiter::Brace
        {
            read_group(group.stream(), &segments, names);
            return at + 1;
        }
    }
    names.push(Named { line, segments });
    at
}

fn read_group(tokens: TokenStream, before: &[String], names: &mut Vec<Named>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            // The name after `as` is a definition, not a use.
            TokenTree::Ident(name) if name == "as" => at += 2,
            TokenTree::Ident(_) => at = read_path(&tokens, at, before, names),
            _ => at += 1,
        }
    }
}

fn is_mark(tokens: &[TokenTree], at: usize, mark: char) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Punct(found)) if found.as_char() == mark)
}

fn is_cfg_test(tokens: &[TokenTree], at: usize) -> bool {
    let Some(TokenTree::Group(group)) = tokens.get(at + 1) else { return false };
    let attribute: String = group.stream().to_string().split_whitespace().collect();
    attribute == "cfg(test)" || attribute.starts_with("cfg(all(test,")
}

/// Returns the end of the item that begins at `at`: after its block or its semicolon.
fn after_item(tokens: &[TokenTree], at: usize) -> usize {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(mark) => mark.as_char() == ';',
        _ => false,
    };
    tokens[at..].iter().position(is_end).map_or(tokens.len(), |length| at + length + 1)
}

#[test]
fn names_are_read_from_groups_and_macros_and_not_from_tests() {
    let text = "
        use crate::{a, b::{c, d as e}};
        fn f() { println!(\"{}\", std::fs::read(x)); }
        #[cfg(test)] mod tests { use std::env::var; }
        #[cfg(test)] use std::env::args;
        fn g() -> crate::h {}
    ";
    let paths = |with_tests| {
        let names = Source::new("x.rs", text).names(with_tests);
        let long = names.into_iter().filter(|name| name.segments.len() > 1);
        long.map(|name| name.segments.join("::")).collect::<Vec<_>>()
    };
    let outside = ["crate::a", "crate::b::c", "crate::b::d", "std::fs::read", "crate::h"];
    assert_eq!(paths(false), outside);
    assert!(paths(true).contains(&"std::env::var".to_owned()));
    assert!(paths(true).contains(&"std::env::args".to_owned()));
}
