//! `--changed` in a repository of git.

use crate::support::{command, run, tree};
use std::path::Path;

fn git(dir: &Path, args: &[&str]) {
    let settings = ["-c", "user.name=tester", "-c", "user.email=tester@localhost"];
    let output = command("git", dir, &[&settings, args].concat()).output().expect("git is needed");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A repository with the branch `main`, a commit after it that edits `second`, an edit of `edited`
/// that is not committed, and a new file.
fn repository() -> tempfile::TempDir {
    let dir = tree(&[
        ("edited", "hit\n"),
        ("second", "hit\n"),
        ("same.rs", "fn hit() {}\n"),
        ("sub/same", "hit\n"),
    ]);
    let top = dir.path();
    git(top, &["init", "-q", "-b", "main"]);
    git(top, &["add", "."]);
    git(top, &["commit", "-qm", "first"]);
    git(top, &["checkout", "-qb", "topic"]);
    std::fs::write(top.join("second"), "hit and more\n").expect("a file");
    git(top, &["commit", "-qam", "second"]);
    std::fs::write(top.join("edited"), "hit once more\n").expect("a file");
    std::fs::write(top.join("sub/new.rs"), "fn hit_new() {}\n").expect("a file");
    dir
}

#[test]
fn changed_keeps_to_what_differs_from_head_or_from_the_merge_base() {
    let dir = repository();
    let stdout = |args: &[&str]| run(dir.path(), args).1;
    assert_eq!(stdout(&["f", "--changed"]), "edited\nsub/new.rs\n");
    assert_eq!(stdout(&["f", "--changed=HEAD"]), "edited\nsub/new.rs\n");
    assert_eq!(stdout(&["f", "--changed=main"]), "edited\nsecond\nsub/new.rs\n");
    assert_eq!(stdout(&["f", "--changed=HEAD~1", "sec"]), "second\n");
    assert_eq!(stdout(&["s", "-l", "hit", "--changed"]), "edited\nsub/new.rs\n");
    assert_eq!(stdout(&["s", "-l", "--changed=main", "hit"]), "edited\nsecond\nsub/new.rs\n");
    assert_eq!(stdout(&["s", "-l", "--changed", "hit", "sub"]), "sub/new.rs\n");
    assert_eq!(
        stdout(&["s", "--changed", "hit", "--compact", "sub"]).lines().next(),
        Some("sub/new.rs")
    );
    assert_eq!(run(&dir.path().join("sub"), &["f", "--changed"]).1, "new.rs\n");
    assert_eq!(stdout(&["sym", "hit", "--scope", "changed"]), "sub/new.rs:1:fn hit_new\n");
}

#[test]
fn changed_takes_no_word_after_it_and_the_last_one_counts() {
    let dir = repository();
    // "main" is the pattern.
    assert_eq!(run(dir.path(), &["f", "--changed", "main"]).0, 1);
    assert_eq!(run(dir.path(), &["f", "--changed", "--changed=main"]).1.lines().count(), 3);
    assert_eq!(run(dir.path(), &["f", "--changed=main", "--changed"]).1.lines().count(), 2);
}

#[test]
fn an_unknown_revision_is_an_error_with_those_that_exist() {
    let dir = repository();
    let (status, stdout, stderr) = run(dir.path(), &["s", "hit", "--changed=topc"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.starts_with("searchscope: '--changed': unknown revision 'topc'"), "{stderr}");
    assert!(stderr.contains("topic"), "{stderr}");
}

#[test]
fn a_linked_worktree_needs_the_option() {
    let dir = repository();
    let other = tempfile::tempdir().unwrap();
    let place = other.path().join("linked");
    git(dir.path(), &["worktree", "add", "-q", place.to_str().unwrap(), "main"]);
    std::fs::write(place.join("edited"), "hit in the worktree\n").unwrap();
    let (status, _, stderr) = run(&place, &["f", "--changed"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("hint: --git-dir-outside-root opens one"), "{stderr}");
    let found = run(&place, &["f", "--changed", "--git-dir-outside-root"]);
    assert_eq!(found, (0, "edited\n".to_owned(), String::new()));
}
