#![expect(clippy::disallowed_methods, reason = "tests make the trees that they search")]

use crate::clock::TurnedClock;
use crate::pattern::PatternOptions;
use crate::search::*;
use crate::tests::{NO_LIMITS, tree as tree_of};
use crate::{FileOptions, StopReason, WorkspaceOptions};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;
use tempfile::TempDir;

fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("made");
    fs::write(path, text).expect("written");
}

/// Creates a tree of files with the given numbers of hits, one every third line.
fn tree(files: &[(&str, usize)]) -> TempDir {
    let files: Vec<(&str, String)> =
        files.iter().map(|(path, hits)| (*path, text(*hits))).collect();
    tree_of(&files)
}

fn text(hits: usize) -> String {
    (0..hits * 3).map(|n| if n % 3 == 1 { "hit\n" } else { "other\n" }).collect()
}

fn open(dir: &Path, threads: usize) -> Workspace {
    let options = WorkspaceOptions { threads: Some(threads), ..WorkspaceOptions::default() };
    options.open(dir).expect("opened")
}

fn request() -> SearchRequest {
    let mut request = SearchRequest::new(PatternOptions::literal("hit"), NO_LIMITS);
    request.resumable = true;
    request
}

/// Returns the content of a page: each match with its file, its line and its number of context lines.
fn page(workspace: &Workspace, request: &SearchRequest) -> (Vec<String>, Report) {
    page_in_time(workspace, request, &Call::new())
}

fn page_in_time(
    workspace: &Workspace,
    request: &SearchRequest,
    call: &Call,
) -> (Vec<String>, Report) {
    let (files, report) = workspace.run_search(request, call).expect("searched");
    let mut given = Vec::new();
    for file in &files {
        let path = file.path.display();
        match request.mode {
            Mode::Content => {
                let matching = file.lines.iter().filter(|line| line.is_match);
                given.extend(matching.map(|line| format!("{path}:{}", line.number)));
            }
            Mode::Files => given.push(path.into_owned()),
            Mode::Count => given.extend((0..file.n_matches).map(|_| path.to_string())),
        }
    }
    (given, report)
}

/// Reads page after page; `between` may change the tree after each.
fn all_pages(
    workspace: &Workspace,
    request: &SearchRequest,
    between: &mut dyn FnMut(usize),
) -> (Vec<String>, Vec<Option<bool>>) {
    let mut request = request.clone();
    let (mut all, mut changed) = (Vec::new(), Vec::new());
    for n in 0..10_000 {
        let (given, report) = page(workspace, &request);
        all.extend(given);
        changed.push(report.tree_changed);
        let Some(cursor) = report.cursor else {
            return (all, changed);
        };
        assert_ne!(report.stopped, None);
        let text = cursor.to_string();
        request.cursor = Some(Cursor::from_str(&text).expect("its own token"));
        between(n);
    }
    panic!("paging does not end");
}

const FILES: &[(&str, usize)] = &[
    ("a-b/x", 2),
    ("a.c", 5),
    ("a/b/c", 1),
    ("a/b/d", 0),
    ("a/c", 3),
    ("a0", 1),
    ("b/.hidden", 4),
    ("b/big", 12),
    ("z", 2),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn pages_equal_the_whole(
        matches_max in 1u64..9, files_max in 1u64..4, bytes in 700usize..2000, which in 0..4,
        order in 0usize..4, mode in 0usize..3, context in 0usize..3, per_file in 1u64..20, threads in 1usize..3,
    ) {
        let dir = tree(FILES);
        for (n, (path, _)) in FILES.iter().enumerate() {
            let time = std::time::UNIX_EPOCH + Duration::from_secs(1_000_000 + (n as u64 * 7) % 4);
            fs::File::open(dir.path().join(path)).and_then(|file| file.set_modified(time)).expect("set");
        }
        let workspace = open(dir.path(), threads);
        let mut request = request();
        request.order = [Order::Path, Order::Mtime, Order::Size, Order::Relevance][order];
        request.mode = [Mode::Content, Mode::Files, Mode::Count][mode];
        (request.context_before, request.context_after) = (context, context);
        request.limits.matches_per_file_max = Some(per_file);
        let (whole, _) = page(&workspace, &request);
        match which {
            0 => request.limits.matches_max = Some(matches_max),
            1 => request.limits.files_max = Some(files_max),
            // Room for a match with its context: with less, a search ends before it, without a cursor.
            2 => request.limits.output_bytes_max = Some(bytes),
            _ => {
                request.limits.matches_max = Some(matches_max);
                request.limits.files_max = Some(files_max);
            }
        }
        let (given, changed) = all_pages(&workspace, &request, &mut |_| {});
        prop_assert_eq!(&given, &whole);
        prop_assert!(changed.iter().skip(1).all(|changed| *changed == Some(false)), "{changed:?}");
    }
}

#[test]
fn a_consumer_may_take_a_part_of_a_file() {
    type End = fn(u64) -> Stop;
    let dir = tree(FILES);
    let workspace = open(dir.path(), 2);
    let (whole, _) = page(&workspace, &request());
    let ends: [(End, StopReason); 3] = [
        (|taken| Stop { taken, reason: StopReason::Limit }, StopReason::Limit),
        (Stop::full, StopReason::ByteBudget),
        (Stop::late, StopReason::Deadline),
    ];
    for (end, stopped) in ends {
        let (mut request, mut given) = (request(), Vec::new());
        for _ in 0..20 {
            let mut three = Vec::new();
            let report = workspace.run_search_each(&request, &Call::new(), &mut |file| {
                let left = 3 - three.len();
                let lines = file.lines.iter().take(left);
                three.extend(lines.map(|line| format!("{}:{}", file.path.display(), line.number)));
                if three.len() < 3 {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(end(left as u64))
                }
            });
            let report = report.expect("searched");
            assert_eq!(report.total, three.len() as u64);
            given.extend(three);
            match report.cursor {
                Some(cursor) => request.cursor = Some(cursor),
                None => break,
            }
            assert_eq!((report.stopped, report.complete), (Some(stopped), false));
        }
        assert_eq!(given, whole, "{stopped:?}");
    }
}

#[test]
fn context_of_the_first_match_of_a_page_is_whole() {
    let dir = tempfile::tempdir().expect("a directory");
    write(dir.path(), "f", "1\nhit 2\nhit 3\n4\n5\nhit 6\n7\n");
    let workspace = open(dir.path(), 1);
    let mut request = request();
    (request.context_before, request.context_after) = (2, 1);
    request.limits.matches_max = Some(1);
    let mut pages = Vec::new();
    loop {
        let (files, report) = workspace.run_search(&request, &Call::new()).expect("searched");
        let lines = files.iter().flat_map(|file| &file.lines);
        let show = |line: &Line| {
            let mark = if line.is_match { ":" } else { "-" };
            format!("{}{mark}{}", line.number, String::from_utf8_lossy(&line.text))
        };
        pages.push(lines.map(show).collect::<Vec<_>>());
        match report.cursor {
            Some(cursor) => request.cursor = Some(cursor),
            None => break,
        }
    }
    let expected = [
        vec!["1-1", "2:hit 2", "3-hit 3"],
        vec!["1-1", "2-hit 2", "3:hit 3", "4-4"],
        vec!["4-4", "5-5", "6:hit 6", "7-7"],
    ];
    assert_eq!(pages, expected);
}

#[test]
fn unchanged_files_are_returned_once_while_others_change() {
    for order in [Order::Path, Order::Mtime] {
        for seed in 0..12 {
            let names: Vec<String> =
                (0..40).map(|n| format!("{}/{n}", ["a", "b/c", "b", "d"][n % 4])).collect();
            let files: Vec<(&str, usize)> =
                names.iter().enumerate().map(|(n, name)| (name.as_str(), n % 5)).collect();
            let dir = tree(&files);
            let workspace = open(dir.path(), 2);
            let mut request = request();
            request.order = order;
            let (whole, _) = page(&workspace, &request);
            request.limits.matches_max = Some(7);
            let mut gone = BTreeSet::new();
            let (given, changed) = all_pages(&workspace, &request, &mut |n| {
                let name = &names[(n * 11 + seed * 3) % names.len()];
                if gone.insert(name.clone()) {
                    fs::remove_file(dir.path().join(name)).expect("removed");
                }
                let new = ["a/0new", "b/zz", "zz/new", "b/c/x"][(n + seed) % 4];
                write(dir.path(), &format!("{new}{n}"), &text(2));
            });
            let stays = |line: &&String| {
                line.split(':').next().is_some_and(|path| {
                    names.iter().any(|name| name == path) && !gone.contains(path)
                })
            };
            let given: Vec<&String> = given.iter().filter(stays).collect();
            let whole: Vec<&String> = whole.iter().filter(stays).collect();
            assert!(given == whole, "{order:?} {seed}: {} of {}", given.len(), whole.len());
            assert!(changed.contains(&Some(true)), "{order:?} {seed}: nothing noticed");
        }
    }
}

#[test]
fn changes_before_the_cursor_are_reported_on_every_page() {
    type Change = fn(&Path);
    let changes: [(Change, bool); 6] = [
        (|_| {}, false),
        (|dir| write(dir, "a/b/new", "x"), true),
        (|dir| fs::remove_file(dir.join("a/b/d")).expect("removed"), true),
        (|dir| write(dir, "a.c", "other content"), true),
        (|dir| write(dir, "zz", "behind the cursor"), false),
        (|dir| write(dir, "b/.hidden2", "not in scope"), false),
    ];
    for (n, (change, expected)) in changes.into_iter().enumerate() {
        let dir = tree(FILES);
        let workspace = open(dir.path(), 2);
        let mut request = request();
        request.limits.matches_max = Some(10);
        let (_, first) = page(&workspace, &request);
        assert_eq!(first.tree_changed, None);
        change(dir.path());
        for _ in 0..2 {
            request.limits.matches_max = Some(2);
            request.cursor = request.cursor.or(first.cursor.clone());
            let (_, report) = page(&workspace, &request);
            assert_eq!(report.tree_changed, Some(expected), "change {n}");
            request.cursor = report.cursor;
        }
    }
}

#[test]
fn a_deadline_leaves_a_cursor_that_makes_progress() {
    let names: Vec<String> = (0..3_000).map(|n| format!("{}/{}", n % 50, n)).collect();
    let files: Vec<(&str, usize)> =
        names.iter().enumerate().map(|(n, name)| (name.as_str(), n % 2)).collect();
    let dir = tree(&files);
    let mut by_time = request();
    by_time.order = Order::Mtime;
    let mut named = request();
    named.paths = names[..900].to_vec();
    for (n, request) in [request(), by_time, named].into_iter().enumerate() {
        for threads in [1, 2] {
            let workspace = open(dir.path(), threads);
            let mut request = request.clone();
            let (whole, _) = page(&workspace, &request);
            let clock = TurnedClock::by(Duration::from_micros(1));
            let (mut given, mut n_cursors, mut micros) = (Vec::new(), 0, 200);
            loop {
                let (more, report) = clock.during(|| {
                    let call = Call::new().with_timeout(Duration::from_micros(micros));
                    page_in_time(&workspace, &request, &call)
                });
                given.extend(more);
                if report.stopped.is_none() {
                    break;
                }
                match report.cursor {
                    Some(cursor) => (request.cursor, n_cursors) = (Some(cursor), n_cursors + 1),
                    // There was no time for any progress.
                    None => micros += 200,
                }
            }
            assert_eq!(page(&workspace, &request).1.tree_changed, Some(false), "request {n}");
            let counts = (given.len(), whole.len());
            assert!(given == whole, "request {n}, {counts:?} after {n_cursors} cursors");
            assert!(n_cursors > 1, "request {n} never went on from a deadline");
        }
    }
}

#[test]
fn a_deadline_makes_progress_through_unwanted_entries() {
    let names: Vec<String> = (0..4_000).map(|n| format!("{}/{}", n % 200, n)).collect();
    let files: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 1)).collect();
    let dir = tree(&files);
    let workspace = open(dir.path(), 1);
    let files = FileOptions { globs: vec!["zzz*".to_owned()], ..FileOptions::default() };
    let mut request = FindRequest::new(files, None, None);
    request.resumable = true;
    let clock = TurnedClock::by(Duration::from_micros(1));
    let (mut n_pages, mut micros) = (0, 50);
    loop {
        let find = || {
            let call = Call::new().with_timeout(Duration::from_micros(micros));
            workspace.run_find(&request, &call)
        };
        let (_, report) = clock.during(find).expect("found");
        n_pages += 1;
        if report.stopped.is_none() {
            // There may have been no time to check.
            assert_ne!(report.tree_changed, Some(true));
            break;
        }
        match report.cursor {
            Some(cursor) => request.cursor = Some(cursor),
            None => micros += 50,
        }
        assert!(n_pages < 1_000, "it makes no progress");
    }
    assert!(n_pages > 2 && micros < 1_000, "{n_pages} pages, the last of {micros} readings");
}

#[test]
fn a_cursor_belongs_to_its_request() {
    let dir = tree(FILES);
    let workspace = open(dir.path(), 1);
    let mut first = request();
    first.limits.matches_max = Some(3);
    let cursor = page(&workspace, &first).1.cursor;
    assert!(cursor.is_some());
    let with = |change: &dyn Fn(&mut SearchRequest)| {
        let mut request = first.clone();
        request.cursor = cursor.clone();
        change(&mut request);
        workspace.run_search(&request, &Call::new()).map(|(files, _)| files.len())
    };
    assert!(with(&|request| request.limits.matches_max = Some(9)).is_ok());
    let others: [&dyn Fn(&mut SearchRequest); 6] = [
        &|request| request.pattern.patterns = vec!["other".into()],
        &|request| request.pattern.case = crate::Case::Insensitive,
        &|request| request.paths = vec!["a".into()],
        &|request| request.files.hidden = true,
        &|request| request.mode = Mode::Count,
        &|request| request.order = Order::Mtime,
    ];
    for (n, change) in others.into_iter().enumerate() {
        let error = with(change).expect_err("another request");
        assert_eq!((error.code(), error.param()), ("invalid_param", Some("cursor")), "{n}");
    }
}

#[test]
fn finds_have_pages_too() {
    let dir = tree(FILES);
    let workspace = open(dir.path(), 2);
    for order in [Order::Path, Order::Mtime, Order::Size] {
        let mut request = FindRequest::new(FileOptions::default(), None, None);
        (request.order, request.resumable) = (order, true);
        let find =
            |request: &FindRequest| workspace.run_find(request, &Call::new()).expect("found");
        let (whole, _) = find(&request);
        request.files_max = Some(2);
        let mut given = Vec::new();
        loop {
            let (files, report) = find(&request);
            given.extend(files);
            let is_first = request.cursor.is_none();
            assert_eq!(report.tree_changed, if is_first { None } else { Some(false) });
            match report.cursor {
                Some(cursor) => request.cursor = Some(cursor),
                None => break,
            }
        }
        assert_eq!(given, whole, "{order:?}");
        // New, newest and largest: before the cursor in every order.
        write(dir.path(), "a/0", &text(100));
        let (_, report) = find(&request);
        assert_eq!(report.tree_changed, Some(true), "{order:?}");
        fs::remove_file(dir.path().join("a/0")).expect("removed");
    }
}

#[test]
fn the_times_that_bound_the_first_page_bound_all() {
    let dir = tree(FILES);
    let workspace = open(dir.path(), 2);
    let find = |request: &FindRequest| workspace.run_find(request, &Call::new()).expect("found");
    let mut request = FindRequest::new(FileOptions::default(), None, None);
    request.resumable = true;
    request.files.attributes.modified_after_ns = Some(1);
    let (whole, _) = find(&request);
    assert!(whole.len() > 2);
    request.files_max = Some(2);
    let (mut given, first) = find(&request);
    // Durations are relative to now, which is later on each page; this one excludes everything.
    request.files.attributes.modified_after_ns = Some(i128::MAX);
    assert!(find(&request).0.is_empty());
    (request.cursor, request.files_max) = (first.cursor, None);
    given.extend(find(&request).0);
    assert_eq!(given, whole);
}

/// A filter of a host that selects names by their first letter.
struct Named(u8, Option<u64>);

impl crate::PathFilter for Named {
    fn matches(&self, place: &crate::Place<'_>) -> bool {
        place.path().file_name().first() == Some(&self.0)
    }

    fn visit(&self, _dir: &crate::Place<'_>) -> bool {
        true
    }

    fn identity(&self) -> Option<u64> {
        self.1
    }
}

#[test]
fn a_cursor_is_valid_only_for_a_filter_with_its_identity() {
    let dir = tree(&[("a1", 3), ("a2", 3), ("b1", 3)]);
    let workspace = open(dir.path(), 1);
    let with = |letter, identity, cursor| {
        let mut request = request();
        request.limits.matches_max = Some(2);
        request.files.path_filter = Some(std::sync::Arc::new(Named(letter, identity)) as _);
        request.cursor = cursor;
        workspace.run_search(&request, &Call::new()).map(|(_, report)| report)
    };
    let first = with(b'a', Some(1), None).expect("searched").cursor;
    assert!(first.is_some());
    assert!(with(b'a', Some(1), first.clone()).is_ok());
    for other in [Some(2), None] {
        let error = with(b'b', other, first.clone()).expect_err("another filter");
        assert_eq!(error.param(), Some("cursor"));
    }
    // The cursor of such a filter could not be distinguished from that of another one.
    assert!(with(b'a', None, None).expect("searched").cursor.is_none());
}
