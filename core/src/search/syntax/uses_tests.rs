//! Searches that label matches with their uses, or keep only some.

use crate::pattern::PatternOptions;
use crate::search::*;
use crate::syntax::UseKind as K;
use crate::tests::{NO_LIMITS, tree};
use crate::{IndexMode, WorkspaceOptions};
use tempfile::TempDir;

const RUST: &str = "use a::run;\n\
                    fn main() { run(1); }\n\
                    // run\n\
                    fn run(n: u8) { run(n); let run = \"run\"; }\n\
                    fn other() { map(run); x.run(2) }\n";
const PYTHON: &str = "class Job(run.Base):\n    def go(self):\n        return run(self.run)\n";

fn files() -> TempDir {
    tree(&[("a.rs", RUST), ("b.py", PYTHON), ("c.txt", "run\n"), ("d/e.rs", RUST)])
}

fn open(dir: &TempDir, threads: usize, index: IndexMode) -> Workspace {
    let options = WorkspaceOptions { threads: Some(threads), index, ..Default::default() };
    options.open(dir.path()).expect("opened")
}

fn request(kinds: &[K]) -> SearchRequest {
    let pattern = PatternOptions { word: true, ..PatternOptions::literal("run") };
    let mut request = SearchRequest::new(pattern, NO_LIMITS);
    (request.uses, request.resumable) = (Some(kinds.to_vec()), true);
    request
}

/// Returns each match as path, line and use.
fn found(files: &[FileMatches]) -> Vec<String> {
    let lines = files.iter().flat_map(|file| file.lines.iter().map(move |line| (file, line)));
    let matching = lines.filter(|(_, line)| line.is_match);
    matching
        .flat_map(|(file, line)| {
            let uses = line.uses.as_deref().unwrap_or_default();
            assert_eq!(uses.len(), line.spans.len());
            let path = file.path.display();
            uses.iter().map(move |kind| format!("{path}:{} {}", line.number, kind.code()))
        })
        .collect()
}

fn search(workspace: &Workspace, request: &SearchRequest) -> (Vec<String>, Report) {
    let (files, report) = workspace.run_search(request, &Call::new()).expect("searched");
    (found(&files), report)
}

#[test]
fn each_match_has_its_use() {
    let dir = files();
    let (found, report) = search(&open(&dir, 1, IndexMode::Off), &request(&[]));
    let in_rust = |path: &str| {
        ["1 import", "2 call", "3 comment", "4 definition", "4 call", "4 definition", "4 string"]
            .into_iter()
            .chain(["5 other", "5 call"])
            .map(|rest| format!("{path}:{rest}"))
            .collect::<Vec<_>>()
    };
    let python = ["b.py:1 other", "b.py:3 call", "b.py:3 other"].map(str::to_owned).to_vec();
    let text = vec!["c.txt:1 other".to_owned()];
    assert_eq!(found, [in_rust("a.rs"), python, text, in_rust("d/e.rs")].concat());
    assert!(report.complete && report.no_grammar.files == 1);
}

#[test]
fn only_the_kinds_of_the_request_count() {
    let dir = files();
    let workspace = open(&dir, 1, IndexMode::Off);
    let mut calls = request(&[K::Call]);
    let (found, report) = search(&workspace, &calls);
    let expected = ["a.rs:2", "a.rs:4", "a.rs:5", "b.py:3", "d/e.rs:2", "d/e.rs:4", "d/e.rs:5"];
    assert_eq!(found, expected.map(|place| format!("{place} call")));
    let all = search(&workspace, &request(&[])).1.total;
    assert_eq!((report.total, report.total + report.elsewhere), (7, all));
    for mode in [Mode::Count, Mode::Files] {
        calls.mode = mode;
        let (files, report) = workspace.run_search(&calls, &Call::new()).expect("searched");
        let counts: Vec<u64> = files.iter().map(|file| file.n_matches).collect();
        assert_eq!(counts, if mode == Mode::Count { [3, 1, 3] } else { [1, 1, 1] });
        assert!(report.complete);
    }
    let two = search(&workspace, &request(&[K::Import, K::Definition])).0;
    let lines: Vec<&str> = two.iter().filter_map(|line| line.strip_prefix("a.rs:")).collect();
    assert_eq!(lines, ["1 import", "4 definition", "4 definition"]);
}

#[test]
fn pages_threads_order_and_index_do_not_change_the_uses() {
    let dir = files();
    for kinds in [&[][..], &[K::Call], &[K::Other, K::String, K::Comment]] {
        let whole = search(&open(&dir, 1, IndexMode::Off), &request(kinds)).0;
        for (threads, index) in [(1, IndexMode::Off), (4, IndexMode::Off), (4, IndexMode::Auto)] {
            let workspace = open(&dir, threads, index);
            if index == IndexMode::Auto {
                workspace.warm(&Call::new()).expect("indexed");
            }
            for _ in 0..2 {
                assert_eq!(search(&workspace, &request(kinds)).0, whole, "{threads} {index:?}");
            }
            for matches_max in 1..4 {
                let mut request = request(kinds);
                request.limits.matches_max = Some(matches_max);
                let mut paged = Vec::new();
                loop {
                    let (found, report) = search(&workspace, &request);
                    paged.extend(found);
                    request.cursor = report.cursor;
                    if request.cursor.is_none() {
                        break;
                    }
                }
                assert_eq!(paged, whole, "{threads} {index:?} {matches_max}");
            }
        }
        let mut ranked = request(kinds);
        ranked.order = Order::Relevance;
        let mut ranked = search(&open(&dir, 2, IndexMode::Off), &ranked).0;
        ranked.sort();
        let mut sorted = whole;
        sorted.sort();
        assert_eq!(ranked, sorted);
    }
}

#[test]
fn a_cursor_belongs_to_the_kinds_of_its_request() {
    let dir = files();
    let workspace = open(&dir, 1, IndexMode::Off);
    let mut first = request(&[K::Call]);
    first.limits.matches_max = Some(1);
    let cursor = search(&workspace, &first).1.cursor;
    let mut other = request(&[K::Import]);
    other.cursor = cursor;
    let error = workspace.run_search(&other, &Call::new()).expect_err("another request");
    assert_eq!(error.code(), "invalid_param");
}

#[test]
fn a_use_in_a_syntax_error_is_reported() {
    let text = "fn f() { run(); }\n@@ run run @@\n@@ run @@\n";
    let dir = tree(&[("a.rs", text)]);
    let workspace = open(&dir, 1, IndexMode::Off);
    let (found, report) = search(&workspace, &request(&[]));
    assert_eq!(found[0], "a.rs:1 call");
    assert!(found[1..].iter().all(|line| line.ends_with("other")), "{found:?}");
    assert!(!report.complete);
    let warning = report.warnings[0].reason.clone();
    assert!(warning.contains("syntax errors hide the uses of matches in lines 2, 3"), "{warning}");
}

#[test]
fn a_file_that_is_too_large_has_no_uses_and_is_reported() {
    let dir = tree(&[("a.rs", format!("fn f() {{ run(); }}\n{}", "\n".repeat(9 << 20)))]);
    let workspace = open(&dir, 1, IndexMode::Off);
    let (found, report) = search(&workspace, &request(&[]));
    assert_eq!(found, ["a.rs:1 other"]);
    assert!(report.complete && report.n_warnings == 1);
    let (found, report) = search(&workspace, &request(&[K::Call]));
    assert!(found.is_empty() && !report.complete);
}

#[test]
fn a_match_across_lines_has_the_use_of_its_first_known_name() {
    let dir = tree(&[("a.rs", "fn f() {\n    a::\n        run(1);\n}\n")]);
    let workspace = open(&dir, 1, IndexMode::Off);
    for (pattern, expected) in [(r"run\(1\);\n\}", "a.rs:3 call"), (r"a::\n *run", "a.rs:2 call")] {
        let mut request = request(&[]);
        request.pattern = PatternOptions { multi_line: true, ..PatternOptions::regex(pattern) };
        assert_eq!(search(&workspace, &request).0, [expected], "{pattern}");
    }
}
