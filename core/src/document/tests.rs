//! The walk over documents, its limits, and files that are not documents.

#![expect(clippy::disallowed_methods, reason = "tests make the trees that they search")]

use super::{DocumentLimits, DocumentOperation, DocumentReport, DocumentSearch};
use crate::clock::TurnedClock;
use crate::tests::tree;
use crate::{Call, Workspace, WorkspaceOptions};
use std::fs;
use std::path::Path;
use std::time::Duration;

const LIMITS: DocumentLimits = DocumentLimits { documents_max: 1_000, document_bytes_max: 1 << 20 };

fn query(query: &str) -> DocumentSearch {
    DocumentSearch {
        query: query.to_owned(),
        case_sensitive: false,
        path: "/".to_owned(),
        context_units: 10,
        matches_max: 500,
        matches_per_document_max: Some(10),
        limits: LIMITS,
        by_relevance: false,
    }
}

fn open(dir: &Path, options: &WorkspaceOptions) -> Workspace {
    options.open(dir).expect("a workspace")
}

fn found(workspace: &Workspace, search: &DocumentSearch) -> DocumentReport {
    workspace.search_documents(search, &Call::new()).expect("a report")
}

/// Returns each document of the report with its number of matches.
fn counts(report: &DocumentReport) -> Vec<(String, usize)> {
    let count = |document: &super::DocumentMatches| {
        (document.path.display().into_owned(), document.matches.len())
    };
    report.documents.iter().map(count).collect()
}

fn paths(report: &DocumentReport) -> Vec<String> {
    counts(report).into_iter().map(|(path, _)| path).collect()
}

#[test]
fn files_and_directories_come_mixed_by_name() {
    let files = ["a.md", "a/z.md", "a/b/c.md", "a-b.md", "a0.md", "Z.md", "ä.md", "a/x.md/y.md"];
    let dir = tree(&files.map(|path| (path, "word")));
    let report = found(&open(dir.path(), &Default::default()), &query("word"));
    assert_eq!(
        paths(&report),
        ["Z.md", "a/b/c.md", "a/x.md/y.md", "a/z.md", "a-b.md", "a.md", "a0.md", "ä.md"]
    );
}

#[test]
fn more_matches_come_first_and_equals_stay_in_order() {
    let dir = tree(&[("a.md", "x"), ("b.md", "x x x"), ("c.md", "x"), ("d.md", "x x x")]);
    let mut search = query("x");
    let workspace = open(dir.path(), &Default::default());
    let expected = [("b.md", 3), ("d.md", 3), ("a.md", 1), ("c.md", 1)];
    let expected = expected.map(|(path, count)| (path.to_owned(), count));
    assert_eq!(counts(&found(&workspace, &search)), expected);
    search.matches_per_document_max = Some(1);
    assert_eq!(paths(&found(&workspace, &search)), ["a.md", "b.md", "c.md", "d.md"]);
}

#[test]
fn entries_that_are_not_documents() {
    let names = ["a.md", "b.MD", "c.txt", ".d.md", ".e/f.md", "g/.h/i.md", "j.md.bak", "md"];
    let dir = tree(&names.map(|path| (path, "word")));
    fs::write(dir.path().join(".gitignore"), "a.md\n").expect("written");
    let report = found(&open(dir.path(), &Default::default()), &query("word"));
    assert_eq!(paths(&report), ["a.md"]);
}

#[test]
fn excludes_ignore_case_and_deny_does_not() {
    let names = ["a.md", "Drafts/b.md", "x/DRAFTS/c.md", "d/keep.md", "d/other.md", "e.md"];
    let dir = tree(&names.map(|path| (path, "word")));
    let lines = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect();
    let options = WorkspaceOptions {
        excludes: lines(&["drafts/", "d/*", "!d/KEEP.md"]),
        deny: lines(&["e.md", "A.md"]),
        ..WorkspaceOptions::default()
    };
    let workspace = open(dir.path(), &options);
    assert_eq!(paths(&found(&workspace, &query("word"))), ["a.md", "d/keep.md"]);
    let below = DocumentSearch { path: "/x/DRAFTS".into(), ..query("word") };
    assert_eq!(found(&workspace, &below).documents, []);
    for path in ["Drafts/b.md", "/d/other.md", "e.md"] {
        let error = workspace.read_document(path, &LIMITS, &Call::new()).unwrap_err();
        assert_eq!((error.code(), error.param()), ("not_found", Some("path")), "{path}");
    }
}

#[test]
fn a_cut_is_reported_only_if_results_are_missing() {
    // Files; limits on matches, documents, and matches per document; matches found, and whether
    // cut.
    let two = &[("a.md", "x x"), ("b.md", "x x")][..];
    let last = &[("a.md", "x x"), ("b.txt", "")][..];
    let above = &[("a/b/c.md", "x x"), ("z", "")][..];
    let beside = &[("a.md", ""), ("b.md", "x")][..];
    for (files, matches, documents, each, total, truncated) in [
        (two, 4, 9, 9, 4, false),
        (two, 3, 9, 9, 3, true),
        (two, 2, 9, 9, 2, true),
        (two, 1, 9, 9, 1, true),
        (two, 4, 2, 9, 4, false),
        (two, 4, 1, 9, 2, true),
        (two, 9, 9, 1, 2, false),
        // The second document would have had more than its limit.
        (two, 2, 9, 1, 2, false),
        // Any later entry counts, of whatever kind.
        (last, 2, 9, 9, 2, true),
        (above, 2, 9, 9, 2, true),
        (above, 9, 1, 9, 2, true),
        (beside, 1, 9, 9, 1, false),
        (beside, 9, 1, 9, 0, true),
    ] {
        let dir = tree(files);
        let mut search = query("x");
        search.matches_max = matches;
        search.matches_per_document_max = Some(each);
        search.limits.documents_max = documents;
        let report = found(&open(dir.path(), &Default::default()), &search);
        let told = (report.total_matches, report.walk.truncated);
        assert_eq!(told, (total, truncated), "{files:?} {matches} {documents} {each}");
    }
}

#[test]
fn threads_do_not_change_the_reply() {
    let text = |n: usize| {
        let words = ["x", "xx y", "İx", "", "no\r\nx", "---\nname: N\n---\nX"];
        words[n % words.len()].repeat(n % 7).to_string() + "\nx\n"
    };
    let names: Vec<(String, String)> =
        (0..900).map(|n| (format!("{}/{}/{n}.md", n % 9, n % 4), text(n))).collect();
    let dir = tree(&names);
    let options = |threads| WorkspaceOptions { threads: Some(threads), ..Default::default() };
    let serial = open(dir.path(), &options(1));
    for (matches_max, documents_max) in [(500, 1_000), (100_000, 1_000), (100_000, 333), (1, 1)] {
        let mut search = query("x");
        search.matches_max = matches_max;
        search.limits.documents_max = documents_max;
        let expected = found(&serial, &search);
        for threads in [2, 8] {
            let workspace = open(dir.path(), &options(threads));
            for _ in 0..4 {
                assert_eq!(found(&workspace, &search), expected, "{threads} {matches_max}");
            }
        }
    }
}

#[test]
fn the_documents_root_may_be_inside_or_outside_and_deny_applies_there() {
    let dir = tree(&[
        ("root/docs/a.md", "word"),
        ("root/docs/secret/b.md", "word"),
        ("root/c.md", "word"),
        ("other/d.md", "word"),
        ("other/docs/secret/e.md", "word"),
    ]);
    let root = dir.path().join("root");
    let options = |docs: &str| WorkspaceOptions {
        docs_root: Some(docs.into()),
        deny: vec!["/docs/secret".into()],
        ..WorkspaceOptions::default()
    };
    for (docs, expected) in [("docs", "a.md"), ("../other", "d.md"), (".", "c.md docs/a.md")] {
        let workspace = open(&root, &options(docs));
        assert_eq!(paths(&found(&workspace, &query("word"))).join(" "), expected, "{docs}");
        if docs != "../other" {
            let path = if docs == "." { "docs/secret" } else { "secret" };
            let denied = DocumentSearch { path: path.into(), ..query("word") };
            let report = found(&workspace, &denied);
            assert_eq!(report.walk.warnings[0].reason, "denied by the workspace", "{docs}");
        }
        let up = DocumentSearch { path: "../root".into(), ..query("word") };
        let error = workspace.search_documents(&up, &Call::new()).unwrap_err();
        assert_eq!(error.code(), "access_denied", "{docs}");
    }
    for (docs, code) in [
        ("docs/secret", "access_denied"),
        ("nowhere", "invalid_param"),
        ("c.md", "invalid_param"),
        ("", "invalid_param"),
    ] {
        let error = options(docs).open(&root).unwrap_err();
        assert_eq!((error.code(), error.param()), (code, Some("docs_root")), "{docs}");
    }
}

#[cfg(unix)]
#[test]
fn only_a_link_at_the_start_is_followed_and_never_out() {
    use std::os::unix::fs::symlink;
    let dir = tree(&[("docs/a/b.md", "word"), ("out/c.md", "word")]);
    let docs = dir.path().join("docs");
    symlink("a", docs.join("inside")).expect("linked");
    symlink("a/b.md", docs.join("l.md")).expect("linked");
    symlink("../out", docs.join("outside")).expect("linked");
    symlink("round", docs.join("round")).expect("linked");
    let workspace = open(&docs, &Default::default());
    assert_eq!(paths(&found(&workspace, &query("word"))), ["a/b.md"]);
    let below = |path: &str| DocumentSearch { path: path.into(), ..query("word") };
    assert_eq!(paths(&found(&workspace, &below("/inside"))), ["inside/b.md"]);
    let error = workspace.search_documents(&below("outside"), &Call::new()).unwrap_err();
    assert_eq!(error.code(), "access_denied");
    let report = found(&workspace, &below("round"));
    assert_eq!(report.documents, []);
    assert_eq!(report.walk.warnings.len(), 1);
    let inside = workspace.read_document("inside/b.md", &LIMITS, &Call::new());
    assert_eq!(inside.expect("the path that the search gave").content, "word");
    for (path, code) in [("l.md", "not_found"), ("outside/c.md", "access_denied")] {
        let error = workspace.read_document(path, &LIMITS, &Call::new()).unwrap_err();
        assert_eq!(error.code(), code, "{path}");
    }
}

#[test]
fn skipped_entries_are_reported() {
    let dir = tree(&[("a.md", "word"), ("b.md", &"word ".repeat(100)), ("c.md", "word")]);
    let workspace = open(dir.path(), &Default::default());
    for (path, reason) in [("nowhere", "not found"), ("a.md", "is not of the expected kind")] {
        let report = found(&workspace, &DocumentSearch { path: path.into(), ..query("word") });
        assert!(report.documents.is_empty() && !report.walk.truncated, "{path}");
        let told = &report.walk.warnings[0];
        assert_eq!(
            (told.path.as_str(), told.operation, &*told.reason),
            (path, DocumentOperation::List, reason)
        );
    }
    let mut search = query("word");
    search.limits.document_bytes_max = 300;
    let report = found(&workspace, &search);
    assert_eq!(paths(&report), ["a.md", "c.md"]);
    assert_eq!(
        (report.walk.warnings[0].path.as_str(), report.walk.warnings[0].operation),
        ("b.md", DocumentOperation::Read)
    );
    let error = workspace.read_document("b.md", &search.limits, &Call::new()).unwrap_err();
    assert_eq!(error.code(), "result_too_large");
}

#[test]
fn a_deadline_ends_the_walk_and_a_cancelled_token_is_an_error() {
    let dir = tree(&[("a.md", "word")]);
    let workspace = open(dir.path(), &Default::default());
    let search = query("word");
    let late = Call::new().with_timeout(Duration::ZERO);
    let report = workspace.search_documents(&search, &late).expect("a report");
    assert!(report.documents.is_empty() && report.walk.timed_out && report.walk.truncated);
    let list = workspace.list_documents("/", &LIMITS, &late).expect("a list");
    assert!(list.walk.timed_out && list.walk.truncated);
    assert_eq!(workspace.read_document("a.md", &LIMITS, &late).unwrap_err().code(), "timeout");
    let call = Call::new();
    call.cancel_token().cancel();
    assert_eq!(workspace.search_documents(&search, &call).unwrap_err().code(), "cancelled");
    assert_eq!(workspace.list_documents("/", &LIMITS, &call).unwrap_err().code(), "cancelled");
    assert_eq!(workspace.read_document("a.md", &LIMITS, &call).unwrap_err().code(), "cancelled");
}

#[test]
fn a_deadline_leaves_a_prefix() {
    let text = "x ".repeat(200_000);
    let names: Vec<String> = (0..300).map(|n| format!("{n:03}.md")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), &*text)).collect();
    let dir = tree(&files);
    let mut search = query("x x x x");
    search.matches_max = usize::MAX;
    search.matches_per_document_max = None;
    let clock = TurnedClock::by(Duration::from_millis(1));
    let workspace = open(dir.path(), &Default::default());
    let report = clock.during(|| {
        let call = Call::new().with_timeout(Duration::from_millis(150));
        workspace.search_documents(&search, &call).expect("a report")
    });
    assert!(report.walk.timed_out && report.walk.truncated);
    assert_eq!(paths(&report), names[..report.documents.len()]);
    assert!(report.documents.len() < names.len());
}

#[test]
fn empty_queries_and_zero_limits_find_nothing() {
    let dir = tree(&[("a.md", "abc\ndef")]);
    let workspace = open(dir.path(), &Default::default());
    for case_sensitive in [false, true] {
        let report = found(&workspace, &DocumentSearch { case_sensitive, ..query("") });
        assert_eq!((report.documents.len(), report.total_matches), (0, 0));
    }
    let report = found(&workspace, &DocumentSearch { matches_max: 0, ..query("abc") });
    assert_eq!((report.documents.len(), report.walk.truncated), (0, true));
}

#[test]
fn a_documents_root_around_a_root_with_denied_paths_is_refused() {
    let dir = tree(&[("root/secret/a.md", "word")]);
    let root = dir.path().join("root");
    let mut options = WorkspaceOptions { docs_root: Some("..".into()), ..Default::default() };
    assert_eq!(paths(&found(&open(&root, &options), &query("word"))), ["root/secret/a.md"]);
    options.deny = vec!["/secret".into()];
    let error = options.open(&root).unwrap_err();
    assert_eq!((error.code(), error.param()), ("invalid_param", Some("docs_root")));
}

#[test]
fn huge_front_matter_is_not_kept() {
    let long = format!("---\nname: {0}\ndescription: {0}\n---\nword\n", "n".repeat(20_000));
    let without_end = format!("---\ndescription: x\n{}", "\n".repeat(200_000));
    let dir = tree(&[("a.md", long), ("b.md", without_end)]);
    let workspace = open(dir.path(), &Default::default());
    let list = workspace.list_documents("/", &LIMITS, &Call::new()).expect("a list");
    let lens = |entry: &super::DocumentEntry| (entry.name.len(), entry.description.len());
    assert_eq!(list.documents.iter().map(lens).collect::<Vec<_>>(), [(4_096, 4_096)]);
    assert_eq!(found(&workspace, &query("word")).documents[0].name.len(), 4_096);
}

/// Sigmas without spaces, front matter without end, invalid UTF-8, letters of every size.
fn huge_documents() -> [Vec<u8>; 4] {
    let lines = format!("---\n{}", "\n".repeat(8_000_000));
    let letters = "ÄΩ Öx".repeat(1_000_000);
    ["Σ".repeat(4_000_000).into(), lines.into(), letters.into(), vec![0xFF; 8_000_000]]
}

fn query_of_huge_documents() -> DocumentSearch {
    let mut search = query("öxäσy\u{FFFD}");
    search.limits.document_bytes_max = 1 << 30;
    search
}

#[test]
fn a_deadline_passes_inside_a_huge_document() {
    for text in huge_documents() {
        let dir = tree(&[("a.md", &text)]);
        let workspace = open(dir.path(), &Default::default());
        let search = query_of_huge_documents();
        let clock = TurnedClock::by(Duration::from_millis(1));
        let report = clock.during(|| {
            let call = Call::new().with_timeout(Duration::from_millis(8));
            workspace.search_documents(&search, &call).expect("a report")
        });
        let (start, readings) = (&text[..4], clock.readings());
        assert!(report.walk.timed_out, "{start:?}: {readings} readings");
        assert!((9..18).contains(&readings), "{start:?}: {readings} readings");
    }
}

#[test]
fn long_run_huge_documents_do_not_delay_cancelling() {
    for text in huge_documents() {
        let dir = tree(&[("a.md", text)]);
        let workspace = open(dir.path(), &Default::default());
        let search = query_of_huge_documents();
        let call = Call::new();
        let canceller = call.cancel_token().clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            canceller.cancel();
            std::time::Instant::now()
        });
        let result = workspace.search_documents(&search, &call);
        let late = thread.join().expect("joined").elapsed();
        // Either the search was done before, or it noticed the cancellation soon.
        assert!(result.is_ok() || late < Duration::from_millis(1_500), "{late:?}");
    }
}
