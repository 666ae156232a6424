//! Words that no source may contain, and attributes that every crate must have.

use crate::source::{Source, read, sources};
use crate::{assert_none, collect};
use proc_macro2::{TokenStream, TokenTree};

const CODE: &[&str] = &["core", "tools", "ffi", "node", "cli", "tests", "bench", "fuzz"];

#[test]
fn no_code_is_silenced_ignored_or_unfinished() {
    let all: Vec<Source> = CODE.iter().flat_map(|part| sources(part)).collect();
    assert_none(&collect(&all, word_offences));
}

#[test]
fn silenced_ignored_and_unfinished_code_is_found() {
    let bad = [
        "#[allow(dead_code)] fn f() {}",
        "#![allow(missing_docs)]",
        "#[cfg_attr(test, allow(dead_code))] fn f() {}",
        "fn f() { todo!() }",
        "fn f() { g(|| unimplemented!(\"x\")) }",
        "mod tests { #[test] #[ignore] fn f() {} }",
        "#[test] #[ignore = \"slow\"] fn f() {}",
        "#[test] fn a_long_run_of_marks_is_cut() {}",
        "mod long_run {}",
    ];
    for text in bad {
        assert_eq!(word_offences(&Source::new("x.rs", text)).len(), 1, "{text}");
    }
    let good = [
        "#[expect(dead_code, reason = \"because\")] fn allow(ignore: u8) { allow(ignore) }",
        "#[test] fn long_run_races() { let long_run = 1; }",
        "// todo!() #[ignore]\nconst TEXT: &str = \"#[allow(x)]\";",
    ];
    for text in good {
        assert_none(&word_offences(&Source::new("x.rs", text)));
    }
}

#[test]
fn a_module_of_the_engine_is_in_the_file_of_its_name() {
    assert_none(&collect(&sources("core/src"), path_offences));
}

#[test]
fn a_module_in_another_file_is_found() {
    let of = |text: &str| path_offences(&Source::new("lib.rs", text)).len();
    assert_eq!(of("#[path = \"walk/rules.rs\"]\nmod rules;"), 1);
    assert_eq!(of("// #[path = \"x\"]\nmod path; fn f(path: &str) {}"), 0);
}

/// With `#[path]` a file could belong to another layer than its folder.
fn path_offences(source: &Source) -> Vec<String> {
    let is_path = |line: &&str| line.trim_start().starts_with("#[path");
    let offence = |line: &str| format!("{}: {}", source.path, line.trim());
    source.text.lines().filter(is_path).map(offence).collect()
}

#[test]
fn the_engine_is_safe_and_documented() {
    for crate_root in ["core/src/lib.rs", "tools/src/lib.rs"] {
        assert_none(&attribute_offences(&read(crate_root)));
    }
}

#[test]
fn a_missing_attribute_is_found() {
    let of = |text: &str| attribute_offences(&Source::new("lib.rs", text)).len();
    assert_eq!(of("#![forbid(unsafe_code)]\n#![deny(missing_docs)]"), 0);
    assert_eq!(of("#![deny(unsafe_code)]\n// #![deny(missing_docs)]"), 2);
}

fn word_offences(source: &Source) -> Vec<String> {
    let mut offences = Vec::new();
    read_words(source.tokens(), &mut |line, what| {
        offences.push(format!("{}:{line}: {what}", source.path));
    });
    offences
}

/// Part of the path of each test of the long run. The commands select tests by it, wherever it is in the path.
const LONG_RUN: &str = "long_run";

/// Returns whether a function or module takes tests out of `npm test` without the name of a long test.
fn is_long_by_accident(keyword: &TokenTree, name: &str) -> bool {
    let is = |word: &str| matches!(keyword, TokenTree::Ident(ident) if ident == word);
    let is_long_test = is("fn") && name.starts_with("long_run_");
    (is("fn") || is("mod")) && name.contains(LONG_RUN) && !is_long_test
}

fn read_words(tokens: TokenStream, report: &mut impl FnMut(usize, &str)) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let follows = |mark: char| matches!(tokens.get(at + 1), Some(TokenTree::Punct(next)) if next.as_char() == mark);
        match token {
            TokenTree::Ident(name)
                if (name == "todo" || name == "unimplemented") && follows('!') =>
            {
                report(name.span().start().line, "unfinished code");
            }
            TokenTree::Ident(name)
                if at > 0 && is_long_by_accident(&tokens[at - 1], &name.to_string()) =>
            {
                report(name.span().start().line, "tests of the long run begin with long_run_");
            }
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                let inner = usize::from(follows('!'));
                if let Some(TokenTree::Group(attribute)) = tokens.get(at + 1 + inner) {
                    read_attribute(attribute.stream(), report);
                }
            }
            TokenTree::Group(group) => read_words(group.stream(), report),
            _ => {}
        }
    }
}

fn read_attribute(tokens: TokenStream, report: &mut impl FnMut(usize, &str)) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_conditional =
        matches!(tokens.first(), Some(TokenTree::Ident(name)) if name == "cfg_attr");
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) if name == "ignore" && at == 0 => {
                report(name.span().start().line, "an ignored test");
            }
            TokenTree::Ident(name)
                if name == "allow" && matches!(tokens.get(at + 1), Some(TokenTree::Group(_))) =>
            {
                report(name.span().start().line, "allow: use expect, with a reason");
            }
            TokenTree::Group(group) if is_conditional => read_attribute(group.stream(), report),
            _ => {}
        }
    }
}

fn attribute_offences(source: &Source) -> Vec<String> {
    let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
    let wanted = ["#![forbid(unsafe_code)]", "#![deny(missing_docs)]"];
    let missing = wanted.into_iter().filter(|attribute| !lines.contains(attribute));
    missing.map(|attribute| format!("{}: no {attribute}", source.path)).collect()
}
