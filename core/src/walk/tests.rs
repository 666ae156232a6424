#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests make the trees that they walk"
)]

use super::LEFT_OUT_MAX;
use crate::clock::TurnedClock;
use crate::tests::{NO_LIMITS, tree as tree_of};
use crate::workspace::RelPath;
use crate::{
    Call, FileOptions, FindRequest, Order, PatternOptions, Report, Result, SearchRequest,
    StopReason, WorkspaceOptions,
};
use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A tree in which every file contains the text that is searched.
fn tree(files: &[&str]) -> TempDir {
    tree_of(&files.iter().map(|path| (*path, "hit")).collect::<Vec<_>>())
}

fn request(paths: &[&str], follow: bool) -> SearchRequest {
    let mut request = SearchRequest::new(PatternOptions::literal("hit"), NO_LIMITS);
    request.paths = paths.iter().map(|path| (*path).to_owned()).collect();
    request.files.follow = follow;
    request
}

fn search(dir: &TempDir, deny: &[&str], request: &SearchRequest) -> Result<(Vec<String>, Report)> {
    search_in_time(dir, deny, request, &Call::new())
}

fn search_in_time(
    dir: &TempDir,
    deny: &[&str],
    request: &SearchRequest,
    call: &Call,
) -> Result<(Vec<String>, Report)> {
    let deny = deny.iter().map(|line| (*line).to_owned()).collect();
    let options = WorkspaceOptions { deny, threads: Some(2), ..WorkspaceOptions::default() };
    let workspace = options.open(dir.path())?;
    let (found, report) = workspace.run_search(request, call)?;
    let files = found.iter().map(|file| file.path.display().into_owned()).collect();
    Ok((files, report))
}

fn found(dir: &TempDir, deny: &[&str], paths: &[&str], follow: bool) -> Vec<String> {
    search(dir, deny, &request(paths, follow)).expect("searched").0
}

#[test]
fn denied_paths_are_not_reached_through_links() {
    let dir = tree(&["secret/k.pem", "open/f", "open/deep/k.pem", "open/deep/f"]);
    for (target, link) in [
        ("secret/k.pem", "a.txt"),
        ("secret", "pub"),
        ("a.txt", "chain"),
        ("secret/none", "dangling"),
        ("open", "lnk"),
        ("secret/../open/f", "through"),
    ] {
        symlink(target, dir.path().join(link)).expect("linked");
    }
    let deny = ["secret/", "/open/deep/k.pem"];
    for path in ["a.txt", "pub", "pub/k.pem", "chain", "dangling", "through", "lnk/deep/k.pem"] {
        let error = search(&dir, &deny, &request(&[path], false)).expect_err(path);
        assert_eq!(error.code(), "access_denied", "{path}");
        let expected = format!("path '{path}' is denied by the workspace");
        assert!(error.to_string().contains(&expected), "{error}");
    }
    let real = ["open/deep/f", "open/f"];
    assert_eq!(found(&dir, &deny, &["."], false), real);
    let (files, report) = search(&dir, &deny, &request(&["."], true)).expect("searched");
    assert_eq!(files, ["lnk/deep/f", "lnk/f", "open/deep/f", "open/f"]);
    assert_eq!((report.skipped.symlink, report.warnings.len()), (0, 0));
    assert_eq!(found(&dir, &deny, &["lnk"], false), ["lnk/deep/f", "lnk/f"]);
    let mut newest = request(&["lnk"], false);
    newest.order = Order::Mtime;
    assert_eq!(search(&dir, &deny, &newest).expect("searched").0.len(), 2);
    // Without `deny` the same links lead there.
    assert_eq!(found(&dir, &[], &["a.txt", "through"], false), ["a.txt", "through"]);
}

#[test]
fn names_before_the_slash_are_below_the_root_too() {
    let dir = tree(&["-d/f", "!x", "a", "a-b/f", ".h/f"]);
    let paths = [".", "-d", "!x", ".h", "a-b"];
    assert_eq!(found(&dir, &[], &paths, false), ["!x", "-d/f", ".h/f", "a", "a-b/f"]);
}

#[test]
fn every_named_path_is_found_whatever_the_order_of_the_names() {
    let names = [".a/f", ".a-b/f", ".a.c/f", ".a/.b/f", ".a0/f"];
    let dir = tree(&names);
    let paths = [".", ".a", ".a-b", ".a.c", ".a/.b", ".a0"];
    let expected = [".a-b/f", ".a.c/f", ".a/.b/f", ".a/f", ".a0/f"];
    assert_eq!(found(&dir, &[], &paths, false), expected);
}

#[test]
fn a_file_that_several_named_paths_lead_to_is_found_once() {
    let dir = tree(&["real/x/f", "real/y/f", "real/z.txt", "m", "z"]);
    for (target, link) in [("real", "lnk"), ("real/x", "to_x"), ("m", "to_m"), (".", "circle")] {
        symlink(target, dir.path().join(link)).expect("linked");
    }
    let all = ["m", "real/x/f", "real/y/f", "real/z.txt", "z"];
    for start in ["lnk/x", "lnk/x/f", "circle", "circle/real/x", "to_m"] {
        assert_eq!(found(&dir, &[], &[".", start], false), all, "{start}");
    }
    for (paths, expected) in [
        // A single link keeps the path that the caller used.
        (&["lnk/x"][..], &["lnk/x/f"][..]),
        (&["lnk/x", "lnk/y"], &["lnk/x/f", "lnk/y/f"]),
        (&["to_x", "m"], &["m", "to_x/f"]),
        // Two links to one place are merged into that place.
        (&["to_x", "lnk/x"], &["real/x/f"]),
        (&["lnk", "to_x"], &["real/x/f", "real/y/f", "real/z.txt"]),
        (&["lnk/x", "real"], &["real/x/f", "real/y/f", "real/z.txt"]),
        (&["lnk", "real/y"], &["real/x/f", "real/y/f", "real/z.txt"]),
        (&["to_m", "circle/m", "lnk/y"], &["lnk/y/f", "m"]),
    ] {
        assert_eq!(found(&dir, &[], paths, false), expected, "{paths:?}");
    }
}

#[test]
fn globs_keep_their_base_where_links_overlap() {
    let dir = tree(&["real/a.txt", "real/sub/a.txt"]);
    symlink("real", dir.path().join("lnk")).expect("linked");
    let mut request = request(&["lnk", "real/sub"], false);
    request.files.globs = vec!["/a.txt".to_owned()];
    let base = |path: &[&str]| RelPath::from_components(path.iter().map(|name| name.as_bytes()));
    request.files.glob_bases = vec![base(&["lnk"]), base(&["real", "sub"])];
    let (files, _) = search(&dir, &[], &request).expect("searched");
    assert_eq!(files, ["real/a.txt", "real/sub/a.txt"]);
}

#[test]
fn a_fifo_in_place_of_an_ignore_file_is_not_opened() {
    let dir = tree(&["f", "d/f"]);
    let fifo = dir.path().join(".gitignore");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo runs").success());
    let (released, waits) = std::sync::mpsc::channel();
    let writer = std::thread::spawn(move || {
        let opened = fs::OpenOptions::new().write(true).open(fifo);
        released.send(()).expect("a listener exists");
        drop(opened);
    });
    std::thread::sleep(Duration::from_millis(50));
    for paths in [["."], ["d"]] {
        let (_, report) = search(&dir, &[], &request(&paths, false)).expect("searched");
        assert_eq!(report.warnings[0].path, ".gitignore");
    }
    assert!(waits.recv_timeout(Duration::from_millis(50)).is_err(), "the writer was released");
    drop(fs::File::open(dir.path().join(".gitignore")).expect("opened"));
    writer.join().expect("ended");
}

#[test]
fn ignore_files_above_many_starts_are_read_once() {
    let names: Vec<String> = (0..1_001).map(|n| format!("a/b/d{n:04}/f")).collect();
    let dir = tree(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let hostile: String = (0..2_000).map(|n| format!("*{n}*x?[a-z]\n")).collect();
    fs::write(dir.path().join("a/.gitignore"), hostile + "bad[\u{430}-\u{44f}]\n")
        .expect("written");
    let paths: Vec<&str> = names.iter().map(|name| name.trim_end_matches("/f")).collect();
    let (files, report) = search(&dir, &[], &request(&paths[1..], false)).expect("searched");
    assert_eq!((files.len(), report.n_warnings), (1_000, 1));
    let error = search(&dir, &[], &request(&paths, false)).expect_err("too many");
    assert_eq!((error.code(), error.param()), ("invalid_param", Some("paths")));
    let late = Call::new().with_timeout(Duration::ZERO);
    let searched = search_in_time(&dir, &[], &request(&paths[1..], false), &late);
    let (files, report) = searched.expect("searched");
    assert_eq!((files.len(), report.stopped), (0, Some(StopReason::Deadline)));
}

/// 400 names, and patterns that are slow on each.
fn costly_verdicts() -> (TempDir, SearchRequest) {
    let names: Vec<String> = (0..400).map(|n| format!("{}{n}", "a".repeat(240))).collect();
    let dir = tree(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let mut request = request(&["."], false);
    request.files.globs = (0..128).map(|n| format!("{}b{n}", "*a".repeat(31))).collect();
    (dir, request)
}

#[test]
fn the_clock_is_read_between_costly_verdicts() {
    let (dir, request) = costly_verdicts();
    let clock = TurnedClock::by(Duration::from_millis(2));
    let searched = clock.during(|| {
        let call = Call::new().with_timeout(Duration::from_millis(50));
        search_in_time(&dir, &[], &request, &call)
    });
    let (_, report) = searched.expect("searched");
    assert_eq!(report.stopped, Some(StopReason::Deadline), "{clock:?}");
}

#[test]
fn long_run_a_deadline_is_kept_between_costly_verdicts() {
    let (dir, request) = costly_verdicts();
    let started = Instant::now();
    let call = Call::new().with_timeout(Duration::from_millis(50));
    let (_, report) = search_in_time(&dir, &[], &request, &call).expect("searched");
    // Far above an unoptimised build's time for one verdict, far below that for all.
    let elapsed = started.elapsed();
    assert!(report.stopped.is_none() || elapsed < Duration::from_secs(2), "{elapsed:?}");
}

#[test]
fn the_list_of_a_walk_follows_links_only_if_the_walk_does() {
    let dir = tree(&["d/f", "other"]);
    symlink("d", dir.path().join("lnk")).expect("linked");
    let mut request = request(&["lnk"], false);
    request.order = Order::Mtime;
    assert_eq!(search(&dir, &[], &request).expect("searched").0, ["lnk/f"]);
    let options = WorkspaceOptions::default();
    let workspace = options.open(dir.path()).expect("a workspace");
    let link = workspace.resolve("lnk/f").expect("inside");
    for follow in [false, true] {
        let candidate = super::Candidate::path_from_root(workspace.fs(), &link, follow);
        assert_eq!((candidate.open().is_ok(), candidate.stat().is_ok()), (follow, follow));
    }
}

#[test]
fn denied_paths_leave_no_trace() {
    let dir = tree(&["pub/a.txt", "only/k.pem", "mixed/k.pem", "mixed/b.txt", "none/x/k.pem"]);
    std::fs::write(dir.path().join("pub/.gitignore"), "*.log\n").expect("written");
    std::fs::write(dir.path().join("pub/c.log"), "needle\n").expect("written");
    std::fs::create_dir(dir.path().join("empty")).expect("made");
    let options = WorkspaceOptions {
        deny: vec!["*.pem".into(), "/pub/.gitignore".into()],
        ..WorkspaceOptions::default()
    };
    let workspace = options.open(dir.path()).expect("opened");
    // A directory counts as empty with and without denied entries.
    let empty = |paths: &[&str]| {
        let mut files = FileOptions::default();
        files.attributes.types.directories = true;
        files.attributes.types.empty_only = true;
        let mut request = FindRequest::new(files, None, None);
        request.paths = paths.iter().map(|path| (*path).to_owned()).collect();
        let (files, _) = workspace.run_find(&request, &Call::new()).expect("found");
        files.iter().map(|file| file.path.display().into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(empty(&["empty", "only", "mixed", "none"]), ["none/x"]);
    assert_eq!(empty(&["."]), ["empty", "none/x", "only"]);
    // The rules of a denied ignore file apply; a warning about it does not name it.
    let files = found(&dir, &["/pub/.gitignore"], &["pub"], false);
    assert_eq!(files, ["pub/a.txt"]);
    std::fs::remove_file(dir.path().join("pub/.gitignore")).expect("removed");
    symlink("a.txt", dir.path().join("pub/.gitignore")).expect("linked");
    let (_, report) =
        search(&dir, &["/pub/.gitignore"], &request(&["pub"], false)).expect("searched");
    let warned: Vec<&str> = report.warnings.iter().map(|warning| &*warning.path).collect();
    assert_eq!(warned, ["pub"]);
}

#[test]
fn the_first_entries_that_rules_leave_out_are_named() {
    let dir = tree(&[".env", "a/.cache/x", "a/.git/config", "a/f", "b/out/x", "b/f", "x.log", "z"]);
    fs::write(dir.path().join(".ignore"), "*.log\nout/\n").expect("written");
    symlink("a", dir.path().join(".link")).expect("linked");
    let mut request = request(&["."], false);
    let (_, report) = search(&dir, &["/z"], &request).expect("searched");
    assert_eq!(report.left_out, [], "nobody wanted the names");
    request.files.names_left_out = true;
    let (_, report) = search(&dir, &["/z"], &request).expect("searched");
    let left_out: Vec<_> = report.left_out.iter().map(RelPath::display).collect();
    assert_eq!(left_out, [".env", ".ignore", "x.log", "a/.cache", "a/.git", "b/out"]);
    assert_eq!((report.skipped.ignored, report.skipped.hidden), (2, 5));

    let names: Vec<String> = (0..LEFT_OUT_MAX + 5).map(|n| format!("{}/.f{n}", n % 7)).collect();
    let dir = tree(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let (_, report) = search(&dir, &[], &request).expect("searched");
    assert_eq!(report.left_out.len(), LEFT_OUT_MAX);
    assert!(report.left_out.is_sorted());
    assert_eq!(report.skipped.hidden, LEFT_OUT_MAX as u64 + 5);
}
