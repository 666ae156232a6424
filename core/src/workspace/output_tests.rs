#![expect(clippy::disallowed_methods, reason = "tests make the directories that are written to")]

use super::{Workspace, WorkspaceOptions};
use crate::call::Call;
use crate::error::Result;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A root, and a directory for results beside it.
fn places() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let dir = tempfile::tempdir().expect("a directory");
    let real = dir.path().canonicalize().expect("real");
    let (root, out) = (real.join("root"), real.join("out"));
    for place in [&root, &out] {
        fs::create_dir(place).expect("made");
    }
    (dir, root, out)
}

fn open(root: &Path, output_dir: impl Into<PathBuf>) -> Result<Workspace> {
    let options =
        WorkspaceOptions { output_dir: Some(output_dir.into()), ..WorkspaceOptions::default() };
    options.open(root)
}

#[test]
fn results_are_written_into_the_output_directory() {
    let (_dir, root, out) = places();
    fs::create_dir(root.join("results")).expect("made");
    symlink(&out, root.join("link")).expect("linked");
    for (output_dir, expected) in [
        (out.clone(), out.clone()),
        ("results".into(), root.join("results")),
        ("./results/..".into(), root.clone()),
        ("../out".into(), out.clone()),
        ("link".into(), out.clone()),
    ] {
        let workspace = open(&root, &output_dir).expect("opened");
        let path =
            workspace.write_output("output_file", "reply", b"{}", &Call::new()).expect("written");
        assert_eq!(path, expected.join("reply.json"), "{output_dir:?}");
        assert_eq!(fs::read(&path).expect("read"), b"{}");
        fs::remove_file(path).expect("removed");
    }
}

#[test]
fn without_a_directory_nothing_is_written() {
    let (_dir, root, out) = places();
    let workspace = Workspace::open(&root).expect("opened");
    // With a bad name, too, the error first reports the missing option.
    for name in ["reply", "../reply"] {
        let error =
            workspace.write_output("output_file", name, b"{}", &Call::new()).expect_err("refused");
        assert_eq!((error.code(), error.param()), ("invalid_param", Some("output_file")));
        assert!(error.message().contains("option 'output_dir'"), "{error}");
    }
    let workspace = open(&root, &out).expect("opened");
    for name in ["../reply", "", "..", "a/b", "nul"] {
        let error =
            workspace.write_output("output_file", name, b"{}", &Call::new()).expect_err("refused");
        assert_eq!((error.code(), error.param()), ("invalid_param", Some("output_file")));
    }
    for place in [&root, &out] {
        assert_eq!(fs::read_dir(place).expect("listed").count(), 0);
    }
}

#[test]
fn the_output_directory_must_be_a_directory() {
    let (_dir, root, out) = places();
    fs::write(root.join("file"), "").expect("written");
    symlink("nothing", root.join("dangling")).expect("linked");
    for (path, demand) in [
        (PathBuf::from(""), "must be the path of a directory"),
        ("a\0b".into(), "must be the path of a directory"),
        ("missing".into(), "does not exist"),
        ("dangling".into(), "does not exist"),
        (out.join("missing/deeper"), "does not exist"),
        ("file".into(), "must be a directory"),
        ("file/below".into(), "must be a directory"),
    ] {
        let error = open(&root, &path).expect_err("refused");
        assert_eq!((error.code(), error.param()), ("invalid_param", Some("output_dir")));
        assert!(error.message().contains(demand), "{error}");
    }
}

#[test]
fn a_refusal_of_the_system_names_the_file_and_not_the_place() {
    let (_dir, root, out) = places();
    fs::create_dir(out.join("reply.json")).expect("made");
    let workspace = open(&root, &out).expect("opened");
    let error = workspace
        .write_output("output_file", "reply", b"{}", &Call::new())
        .expect_err("a directory");
    assert_eq!(
        (error.code(), error.param(), error.path()),
        ("io", Some("output_file"), Some("reply.json"))
    );
    assert!(error.message().starts_with("'reply.json' was not written: "), "{error}");
    assert!(!error.message().contains("out"), "{error}");
}

/// Like the root, the directory is identified by its handle and not by its name.
#[test]
#[cfg(unix)]
fn a_renamed_output_directory_is_still_used() {
    let (dir, root, out) = places();
    let workspace = open(&root, &out).expect("opened");
    let moved = dir.path().join("moved");
    fs::rename(&out, &moved).expect("renamed");
    symlink(&root, &out).expect("linked");
    workspace.write_output("output_file", "reply", b"{}", &Call::new()).expect("written");
    assert_eq!(fs::read(moved.join("reply.json")).expect("read"), b"{}");
    assert_eq!(fs::read_dir(&root).expect("listed").count(), 0);
}

#[test]
fn a_call_that_is_cancelled_while_it_writes_changes_nothing() {
    let (_dir, root, out) = places();
    let workspace = open(&root, &out).expect("opened");
    let call = Call::new();
    let (apart, own) = call.abandonable();
    own.cancel();
    let written = workspace.write_output("output_file", "report", b"{}", &apart);
    assert_eq!(written.expect_err("cancelled").code(), "cancelled");
    assert_eq!(fs::read_dir(&out).expect("listed").count(), 0);
    assert!(workspace.write_output("output_file", "report", b"{}", &call).is_ok());
}
