use crate::{Order, StopReason, Workspace};
use std::ops::ControlFlow;
use std::time::Duration;

fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
    let dir = crate::tests::tree(files);
    let workspace = Workspace::open(dir.path()).expect("opened");
    (dir, workspace)
}

#[test]
fn a_stream_has_only_the_limits_that_were_set() {
    let lines = "x\n".repeat(10_001);
    let (_dir, workspace) = workspace(&[("a", &lines), ("b", "x\n")]);
    let search = workspace.search("x");
    assert_eq!(search.run().expect("searched").iter().count(), 10_000);
    let count = |search: &crate::Search<'_>| {
        let mut n = 0;
        let report = search.for_each(|_| {
            n += 1;
            ControlFlow::Continue(())
        });
        (n, report.expect("searched").stopped)
    };
    assert_eq!(count(&search), (10_002, None));
    assert_eq!(count(&search.clone().limit(10_000)), (10_000, Some(StopReason::Limit)));
    let found = workspace.find().limit(1).run().expect("found");
    assert_eq!((found.files.len(), found.report.stopped), (1, Some(StopReason::Limit)));
}

#[test]
fn a_closure_that_stops_ends_after_its_match() {
    let (_dir, workspace) = workspace(&[("a", "x1\nx2\nx3\n"), ("b", "x4\n")]);
    let mut seen = Vec::new();
    let search = workspace.search("x").resumable(true);
    let report = search.for_each(|hit| {
        seen.push(hit.text().into_owned());
        if seen.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let cursor = report.expect("searched").cursor.expect("there is more");
    let rest = workspace.search("x").after(cursor).run().expect("searched");
    let rest: Vec<String> = rest.iter().map(|hit| hit.text().into_owned()).collect();
    assert_eq!((seen, rest), (vec!["x1".into(), "x2".into()], vec!["x3".into(), "x4".into()]));
}

#[test]
fn the_time_of_a_builder_begins_at_its_start() {
    let (_dir, workspace) = workspace(&[("a", "x\n")]);
    let late = workspace.search("x").timeout(Duration::ZERO).run().expect("a report");
    assert_eq!(late.report.stopped, Some(StopReason::Deadline));
    let search = workspace.search("x").timeout(Duration::from_millis(200));
    std::thread::sleep(Duration::from_millis(210));
    assert_eq!(search.run().expect("searched").report.stopped, None);
    let cancel = crate::CancelToken::new();
    let find = workspace.find().cancel(&cancel);
    cancel.cancel();
    assert_eq!(find.run().expect_err("cancelled").code(), "cancelled");
}

#[test]
fn paths_and_globs_choose_files() {
    let files = [("a/b.rs", "x"), ("a/c.txt", "x"), ("d/e.rs", "X"), (".f.rs", "x"), ("g", "x.")];
    let (_dir, workspace) = workspace(&files);
    let paths = |search: crate::Search<'_>| -> Vec<String> {
        let found = search.run().expect("searched");
        found.files.iter().map(|file| file.path.to_string()).collect()
    };
    let x = || workspace.search("x");
    assert_eq!(paths(x().path("a").path("d").glob("*.rs").ignore_case(true)), ["a/b.rs", "d/e.rs"]);
    assert_eq!(paths(x().glob("*.rs").hidden(true)), [".f.rs", "a/b.rs"]);
    assert_eq!(paths(workspace.search("x.").literal(true)), ["g"]);
    let found = workspace.find().name("^[ce]").order(Order::Path).run().expect("found");
    let names: Vec<String> = found.into_iter().map(|file| file.path.to_string()).collect();
    assert_eq!(names, ["a/c.txt", "d/e.rs"]);
}

#[cfg(feature = "symbols")]
#[test]
fn syntax_needs_no_handle() {
    let (_dir, workspace) = workspace(&[("a.rs", "// x\nfn f() { x }\n")]);
    let found =
        workspace.search("x").within(crate::SearchContext::ExceptComments).enclosing(true).run();
    let found = found.expect("searched");
    let around: Vec<_> = found.iter().map(|hit| hit.line.enclosing.as_deref()).collect();
    assert_eq!(around, [Some("fn f")]);
}
