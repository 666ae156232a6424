#![expect(clippy::disallowed_methods, reason = "tests make the trees that they search")]

use crate::pattern::PatternOptions;
use crate::search::*;
use crate::tests::{NO_LIMITS, tree};
use crate::{Syntax, WorkspaceOptions};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

fn open(dir: &Path, threads: usize) -> Workspace {
    let options = WorkspaceOptions { threads: Some(threads), ..WorkspaceOptions::default() };
    options.open(dir).expect("opened")
}

fn request(patterns: &[&str]) -> SearchRequest {
    let patterns = patterns.iter().map(|&text| text.to_owned()).collect();
    let options = PatternOptions { patterns, syntax: Syntax::Literal, ..Default::default() };
    let mut request = SearchRequest::new(options, NO_LIMITS);
    request.order = Order::Relevance;
    request.resumable = true;
    request
}

fn order_of(workspace: &Workspace, request: &SearchRequest) -> (Vec<String>, Report) {
    let (files, report) = workspace.run_search(request, &Call::new()).expect("searched");
    (files.iter().map(|file| file.path.display().into_owned()).collect(), report)
}

#[test]
fn each_property_of_a_file_raises_it() {
    // The better file has the path that comes later.
    for (better, worse) in [
        (("z/both.rs", "parse(); other();\n"), ("a/one.rs", "parse(); parse();\n")),
        (("z/defines.rs", "fn parse() {}\n"), ("a/calls.rs", "x = parse();\n")),
        (("z/code.rs", "parse();\n"), ("a/tests/test.rs", "parse();\n")),
        (("z/code.rs", "parse();\n"), ("a/docs/text.md", "parse();\n")),
        (("z/code.rs", "parse();\n"), ("a/vendor/code.rs", "parse();\n")),
        (("z/parse.rs", "a = parse();\n"), ("a/thing.rs", "a = parse();\n")),
        (("z/word.rs", "a = parse();\n"), ("a/part.rs", "a = reparsed();\n")),
        (("z/type.rs", "struct parse {\n"), ("a/value.rs", "let parse = 1;\n")),
    ] {
        let dir = tree(&[better, worse]);
        let (order, report) = order_of(&open(dir.path(), 2), &request(&["parse", "other"]));
        assert_eq!(order, [better.0, worse.0]);
        assert!(report.complete);
        assert_eq!(report.searched_files, 2);
    }
}

#[test]
fn a_rare_pattern_weighs_more_than_a_frequent_one() {
    let common: Vec<(String, &str)> =
        (0..20).map(|n| (format!("c{n:02}.txt"), "a b = common\n")).collect();
    let mut files: Vec<(&str, &str)> =
        common.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    files.push(("z.txt", "a b = rare\n"));
    let dir = tree(&files);
    let (order, _) = order_of(&open(dir.path(), 1), &request(&["common", "rare"]));
    assert_eq!(order[0], "z.txt");
}

#[test]
fn a_change_anywhere_is_reported_because_it_may_move_every_file() {
    let dir = tree(&[("a.rs", "x = hit;\n"), ("b.rs", "fn hit() {}\n"), ("c.rs", "x = hit;\n")]);
    let workspace = open(dir.path(), 1);
    let mut request = request(&["hit"]);
    request.limits.files_max = Some(1);
    let (first, report) = order_of(&workspace, &request);
    assert_eq!(first, ["b.rs"]);
    request.cursor = report.cursor;
    let (second, report) = order_of(&workspace, &request);
    assert_eq!((second, report.tree_changed), (vec!["a.rs".to_owned()], Some(false)));
    std::fs::write(dir.path().join("d.rs"), "struct hit;\n").expect("written");
    let (_, report) = order_of(&workspace, &request);
    assert_eq!(report.tree_changed, Some(true));
    request.cursor = report.cursor;
    assert!(request.cursor.is_some());
    assert_eq!(order_of(&workspace, &request).1.tree_changed, Some(true), "it stays reported");
}

#[test]
fn a_find_has_no_relevance() {
    let dir = tree(&[("a", "")]);
    let mut request = FindRequest::new(Default::default(), Some(10), Some(1 << 20));
    request.order = Order::Relevance;
    let error = open(dir.path(), 1).run_find(&request, &Call::new()).expect_err("refused");
    assert_eq!((error.code(), error.param()), ("invalid_param", Some("order")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn the_same_matches_come_in_another_order_whatever_the_threads(
        files in proptest::collection::btree_map(
            "(src|tests|vendor|docs)/[ab]{1,3}\\.(rs|md|c)",
            "((fn |struct |    |x = |// )(hit|hits|miss|other)(\\(\\);|\\(int a\\)| \\{)\n){0,9}",
            1..12,
        ),
        threads in 2usize..4, context in 0usize..2,
    ) {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let dir = tree(&files);
        let mut request = request(&["hit", "other"]);
        (request.context_before, request.context_after) = (context, context);
        let (one, many) = (open(dir.path(), 1), open(dir.path(), threads));
        let search = |workspace: &Workspace, request: &SearchRequest| {
            workspace.run_search(request, &Call::new()).expect("searched")
        };
        let (ranked, report) = search(&one, &request);
        let (again, _) = search(&many, &request);
        let shown = |files: &[FileMatches]| files.iter().map(|file| format!("{file:?}")).collect::<Vec<_>>();
        prop_assert_eq!(shown(&ranked), shown(&again));
        request.order = Order::Path;
        let (by_path, of_path) = search(&one, &request);
        let set = |files: &[FileMatches]| shown(files).into_iter().collect::<BTreeSet<_>>();
        prop_assert_eq!(set(&ranked), set(&by_path));
        prop_assert_eq!(report.skipped, of_path.skipped);
        prop_assert_eq!(
            (report.total, report.searched_files, report.filtered_files, report.complete, report.n_warnings),
            (of_path.total, of_path.searched_files, of_path.filtered_files, of_path.complete, of_path.n_warnings)
        );
    }
}
