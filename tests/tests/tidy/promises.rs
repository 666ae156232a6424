//! SECURITY.md: every promise names the tests that verify it, and these tests exist.

use crate::assert_none;
use crate::source::{Source, read};
use searchscope_tests::repository;

#[test]
fn every_promise_names_existing_tests() {
    let text = read("SECURITY.md").text;
    assert!(promises(&text).len() >= 8, "the promises are not found");
    assert_none(&offences(&text, &|path| repository().join(path).is_file().then(|| read(path))));
}

#[test]
fn a_promise_without_a_test_is_found() {
    const FILE: &str = "#[test]\n/// Why.\n#[cfg(unix)]\nfn held() {}\n\nfn helper() {}\n";
    let there = |path: &str| (path == "a.rs").then(|| Source::new(path, FILE));
    let of =
        |promise: &str| offences(&format!("### 1. A promise\n\n{promise}\n\n## End\n"), &there);
    assert_none(&of("Text.\n\n- `a.rs`: `held`,\n  `held`"));
    assert_none(&of("- `a.rs`"));
    for bad in [
        "Text.",
        "- `a.rs`: `not_there`",
        "- `a.rs`: `helper`",
        "- `b.rs`: `held`",
        "- `a.rs`: `held`,\n  `gone`",
    ] {
        assert_eq!(of(bad).len(), 1, "{bad}");
    }
}

/// Returns the headline of each promise, and the text below it.
fn promises(text: &str) -> Vec<(&str, &str)> {
    let sections = text.split("\n### ").skip(1);
    let section = sections.map(|section| section.split("\n## ").next().unwrap_or_default());
    section.filter_map(|section| section.split_once('\n')).collect()
}

/// Returns the defects of the promises; `open` returns a file of the repository.
fn offences(text: &str, open: &dyn Fn(&str) -> Option<Source>) -> Vec<String> {
    let mut offences = Vec::new();
    for (promise, below) in promises(&format!("\n{text}")) {
        let mut n_tests = 0;
        for item in below.split("\n- ").skip(usize::from(!below.starts_with("- "))) {
            // Code spans; an item ends with its paragraph.
            let item = item.split("\n\n").next().unwrap_or_default();
            let mut words = item.trim_start_matches("- ").split('`').skip(1).step_by(2);
            let mut file = None;
            for word in words.by_ref() {
                if word.contains('/') || word.ends_with(".rs") {
                    n_tests += 1;
                    file = open(word);
                    if file.is_none() {
                        offences.push(format!("{promise}: there is no {word}"));
                        break;
                    }
                } else if !file.as_ref().is_some_and(|file| is_test_in(word, file)) {
                    offences.push(format!("{promise}: there is no test {word}"));
                }
            }
        }
        if n_tests == 0 {
            offences.push(format!("{promise}: no test checks it"));
        }
    }
    offences
}

/// Returns whether a file has a test of this name: a plain function would never run.
fn is_test_in(name: &str, file: &Source) -> bool {
    if file.path.ends_with(".mjs") {
        return file.text.contains(&format!("test('{name}'"));
    }
    let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
    let head = format!("fn {name}(");
    let is_head = |line: &&str| line.strip_prefix("pub(crate) ").unwrap_or(line).starts_with(&head);
    (0..lines.len()).filter(|&at| is_head(&lines[at])).any(|at| {
        // Attributes and comments may be between the two.
        let above = lines[..at].iter().rev();
        let mut above = above.take_while(|line| line.starts_with("#[") || line.starts_with("//"));
        above.any(|line| *line == "#[test]")
    })
}
