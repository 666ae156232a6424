//! References from comments to the documents of the repository: the file exists and has the heading.

use crate::source::{Source, read, sources};
use crate::{assert_none, collect};
use searchscope_tests::repository;

/// Crates whose comments cite documents.
const CODE: &[&str] = &["core", "tools", "memory", "ffi", "node", "cli", "tests", "bench", "fuzz"];

/// Names of documents outside the repository, which a reader cannot follow.
const UNKNOWN: &[&str] = &[concat!("scope-", "language.md"), concat!("style", ".md")];

#[test]
fn references_to_documents_resolve() {
    let all: Vec<Source> = CODE.iter().flat_map(|part| sources(part)).collect();
    let n_references: usize = all.iter().map(|source| references(&source.text).len()).sum();
    assert!(n_references > 30, "the references are not found");
    assert_none(&collect(&all, |source| offences(source, &document)));
}

#[test]
fn a_dangling_reference_is_found() {
    let open = |path: &str| {
        let text =
            "# Rules\n\n## Lines and columns\n\n```sh\n# Comment\n```\n\n## `find` & `C++`\n";
        (path == "docs/a.md").then(|| text.to_owned())
    };
    let of = |text: &str| offences(&Source::new("x.rs", text), &open).len();
    assert_eq!(of("//! Contract: docs/a.md."), 0);
    assert_eq!(of("/// docs/a.md#lines-and-columns: why\n// docs/a.md#find--c"), 0);
    assert_eq!(of("// docs/b.md"), 1);
    assert_eq!(of("// docs/a.md#lines"), 1);
    assert_eq!(of("// docs/a.md#comment"), 1);
    assert_eq!(of(concat!("// contracts", ".md section 3")), 1);
    assert_eq!(of(concat!("// style", ".md")), 1);
    assert_eq!(of("const PATH: &str = \"docs/b.md\";"), 0);
}

/// Reads a document of the repository by its path from the top.
fn document(path: &str) -> Option<String> {
    repository().join(path).is_file().then(|| read(path).text)
}

fn offences(source: &Source, open: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let offence = |(line, reference): (usize, String)| {
        let problem = match reference.split_once('#') {
            _ if !reference.contains('/') => "say docs/…, from the top of the repository",
            Some((path, anchor)) => match open(path) {
                Some(text) if anchors(&text).any(|found| found == anchor) => return None,
                Some(_) => "the document has no such heading",
                None => "there is no such document",
            },
            None if open(&reference).is_some() => return None,
            None => "there is no such document",
        };
        Some(format!("{}:{line}: {reference}: {problem}", source.path))
    };
    references(&source.text).into_iter().filter_map(offence).collect()
}

/// Returns the references in the comments of a text, each with its line: paths of documents, perhaps
/// with an anchor, and names of documents outside the repository.
fn references(text: &str) -> Vec<(usize, String)> {
    let mut references = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
        let is_separator = |c: char| !(c.is_ascii_alphanumeric() || "/._-#".contains(c));
        for word in comment.split(is_separator) {
            let word = word.trim_end_matches(['.', '#']);
            let (path, _) = word.split_once('#').unwrap_or((word, ""));
            let is_cited = path.starts_with("docs/") || path.starts_with("core/src/");
            let is_unknown = path == concat!("contracts", ".md") || UNKNOWN.contains(&path);
            if path.ends_with(".md") && (is_cited || is_unknown) {
                references.push((n + 1, word.to_owned()));
            }
        }
    }
    references
}

/// Returns the anchors of a document's headings, as GitHub generates them.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    let mut is_code = false;
    let headings = text.lines().filter(move |line| {
        is_code ^= line.starts_with("```");
        !is_code && line.starts_with('#')
    });
    headings.map(|line| {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}
