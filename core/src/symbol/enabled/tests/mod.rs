//! The results of the queries, language by language.

mod awkward_cpp;
mod awkward_kotlin;
mod awkward_others;
mod awkward_uses;
mod bash;
mod c;
mod cpp;
mod csharp;
mod go;
mod hostile;
mod java;
mod javascript;
mod kotlin;
mod php;
mod python;
mod ruby;
mod rust;
mod signature;
mod typescript;
mod uses;

use super::TreeSitter;
use super::language;
use crate::budget::Budget;
use crate::call::Call;
use crate::syntax::{Outline, RegionKind, SymbolKind, Syntax, SyntaxParts, SyntaxReader};

#[test]
fn the_words_of_each_language_are_in_the_table_of_kinds() {
    for grammar in language::all() {
        for kind in SymbolKind::ALL {
            let word = grammar.words.of(*kind);
            let named = SymbolKind::from_word(word).unwrap_or_else(|| panic!("{word} is missing"));
            assert_eq!(named.group(), kind.group(), "{}: {word}", grammar.name);
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test reads a page of the documents")]
fn the_table_of_kinds_is_where_users_read() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/syntax.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    for kind in SymbolKind::ALL {
        let start = format!("| `{}` | ", kind.group().code());
        let row = page.lines().find(|line| line.starts_with(&start)).expect("a row of its group");
        for word in kind.words() {
            assert!(row.contains(&format!("`{word}`")), "{kind:?}: {word}");
        }
    }
}

#[test]
#[cfg(feature = "symbols")]
#[expect(clippy::disallowed_methods, reason = "a test reads a page of the documents")]
fn the_languages_are_listed_where_users_read() {
    let names: Vec<&str> = language::all().iter().map(|grammar| grammar.name).collect();
    let (last, others) = names.split_last().expect("several");
    let list = format!("{} and {last}", others.join(", "));
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/syntax.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    assert!(page.split_whitespace().collect::<Vec<_>>().join(" ").contains(&list), "{list}");
}

/// Returns the definitions and regions of a text.
fn read(language: &str, text: &str) -> Syntax {
    let grammar = language::named(language).expect(language);
    let budget = Budget::of(&Call::new());
    let wanted = SyntaxParts { regions: true, outline: true, uses: true };
    let read = TreeSitter::default().read(grammar.name, text.as_bytes(), wanted, None, &budget);
    read.expect("parsed")
}

/// Returns the definitions of a text as lines: `kind qualified_name line`.
fn outline(language: &str, text: &str) -> Vec<String> {
    let outline = read(language, text).outline.expect("requested");
    let line = |symbol| {
        let name = Outline::qualified_name(&outline, symbol);
        format!("{:?} {name} {}", symbol.kind(), symbol.line())
    };
    outline.symbols().iter().map(line).collect()
}

/// Compares the definitions of a text with `expected`, one per line.
fn assert_outline(language: &str, text: &str, expected: &str) {
    let expected: Vec<&str> =
        expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(outline(language, text), expected);
}

/// Checks that a text has these definitions among others.
fn assert_defined(language: &str, text: &str, expected: &[&str]) {
    let found = outline(language, text);
    for definition in expected {
        assert!(found.iter().any(|line| line == definition), "{definition}: {found:?}");
    }
}

/// Checks the innermost definition around the first occurrence of each piece of a text. A line of `expected` is a
/// piece, ` -> `, and the label of its definition, or `-` outside all definitions.
fn assert_enclosing(language: &str, text: &str, expected: &str) {
    let outline = read(language, text).outline.expect("requested");
    for line in expected.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (piece, label) = line.split_once(" -> ").expect("a piece and a label");
        let start = text.find(piece).unwrap_or_else(|| panic!("{piece:?} is not in the text"));
        let found = outline.enclosing(start as u64, (start + piece.len()) as u64);
        let found = found.map_or("-".to_owned(), |symbol| outline.label(symbol));
        assert_eq!(found, label, "{piece:?} of {language}");
    }
}

/// Checks the regions of a source: `com` must be in a comment, `str` in a string literal, and `kod` in code.
fn assert_regions(language: &str, text: &str) {
    let regions = read(language, text).regions.expect("requested");
    let mut n_words = 0;
    for word in ["com", "str", "kod"] {
        for (start, _) in text.match_indices(word) {
            n_words += 1;
            let expected = match word {
                "com" => Some(RegionKind::Comment),
                "str" => Some(RegionKind::String),
                _ => None,
            };
            let found = regions.kind_at(start, start + word.len());
            let found = found.filter(|kind| *kind != RegionKind::Code);
            assert_eq!(found, expected, "{word:?} at {start} of {language}: {text}");
        }
    }
    assert!(n_words > 0, "nothing was asked");
}

#[test]
fn every_grammar_fits_the_library_and_its_queries() {
    for grammar in language::all() {
        let known = [grammar.tags().marks.len(), grammar.regions_query().marks.len()];
        assert!(known.iter().all(|&marks| marks > 0), "{}", grammar.name);
        let empty = read(grammar.name, "");
        assert_eq!(empty.outline.map(|outline| outline.symbols().len()), Some(0));
    }
}

#[test]
fn files_have_the_language_of_their_name_or_their_first_line() {
    let all = [
        ("a.rs", "", Some("Rust")),
        ("a.RS", "", Some("Rust")),
        ("a.c", "", Some("C")),
        ("a.C", "", Some("C++")),
        ("a.h", "int f(void);", Some("C")),
        ("a.h", "// x\nnamespace a {}", Some("C++")),
        ("a.d.ts", "", Some("TypeScript")),
        ("a.tsx", "", Some("TSX")),
        ("Rakefile", "", Some("Ruby")),
        (".bashrc", "", Some("Bash")),
        ("run", "#!/usr/bin/env -S python3.11 -u\n", Some("Python")),
        ("run", "#!/bin/sh", Some("Bash")),
        ("run", "#! /usr/bin/env FOO=1 node\n", Some("JavaScript")),
        ("run", "#!/usr/bin/perl\n", None),
        ("run", "echo", None),
        ("a.md", "#!/bin/sh\n", None),
        (".rs", "", None),
        ("rs", "", None),
    ];
    for (name, text, expected) in all {
        let found = language::of(name.as_bytes(), text.as_bytes()).map(|grammar| grammar.name);
        assert_eq!(found, expected, "{name} {text}");
    }
}
