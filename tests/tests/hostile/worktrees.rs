//! Git worktrees inside the root, made by git and by an attacker.

use crate::ask::{ask, texts};
use searchscope::Workspace;
use searchscope_tests::skip;
use searchscope_tests::tree::Tree;
use searchscope_tools::open_workspace;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

fn git(dir: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]);
    command.current_dir(dir).args(args).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output().expect("git is there");
    assert!(output.status.success(), "git {args:?}: {output:?}");
}

/// Opens workspaces of one tree, without an index and with one.
fn workspaces(tree: &Tree) -> [Workspace; 2] {
    ["off", "auto"].map(|index| {
        let options = json!({"index": index, "threads": 2}).to_string();
        let workspace = open_workspace(tree.root(), options.as_bytes()).expect("the tree is there");
        workspace.warm(&searchscope::Call::new()).expect("built");
        workspace
    })
}

/// Asserts the files that every workspace finds and the number of excluded worktrees, in equal replies
/// with and without an index.
fn expect(workspaces: &[Workspace], extra: &Value, files: &[&str], n_left_out: u64) {
    let mut args = json!({"patterns": ["hit"], "mode": "files"});
    for (key, value) in extra.as_object().expect("an object") {
        args[key] = value.clone();
    }
    let mut replies: Vec<Value> =
        workspaces.iter().map(|workspace| ask(workspace, "search", &args)).collect();
    for reply in &mut replies {
        reply["elapsed_us"] = Value::Null;
    }
    for reply in &replies {
        assert_eq!(reply, &replies[0], "{args}");
    }
    let paths = texts(&replies[0]["files"], "path");
    assert_eq!(paths, files, "{args}");
    assert_eq!(replies[0]["skipped"]["worktree"].as_u64().unwrap_or(0), n_left_out, "{args}");
}

/// Runs `work` on a thread that may read only what permissions allow, even if the process is root's.
fn without_privileges(work: impl FnOnce() + Send) {
    use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
    std::thread::scope(|scope| {
        let run = || {
            let mut sets = capabilities(None).expect("known");
            sets.effective.remove(CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH);
            set_capabilities(None, sets).expect("dropped");
            work();
        };
        scope.spawn(run).join().expect("the thread has ended well");
    });
}

/// Makes a tree with the worktree `trees/one`, whose `.git` has this content.
fn tree_with(git_file: impl AsRef<[u8]>) -> Tree {
    let tree = Tree::of(&[("code.txt", "hit\n"), ("trees/one/code.txt", "hit\n")]);
    tree.write(".git/worktrees/one/HEAD", "ref: refs/heads/one\n");
    tree.write("trees/one/.git", git_file);
    tree
}

/// Makes a repository with one commit at `dir`.
fn commit(dir: &Path) {
    for args in [["init", "-q"].as_slice(), &["add", "."], &["commit", "-q", "-m", "first"]] {
        git(dir, args);
    }
}

#[test]
fn worktrees_made_by_git_are_skipped() {
    if Command::new("git").arg("--version").output().is_err() {
        return skip("worktrees of git", "git is not installed");
    }
    let tree = Tree::of(&[("code.txt", "hit\n"), ("deep/more.txt", "hit\n")]);
    commit(tree.root());
    git(tree.root(), &["worktree", "add", "-q", "trees/one"]);
    git(tree.root(), &["worktree", "add", "-q", ".hidden/two"]);
    let all = workspaces(&tree);
    let own = ["code.txt", "deep/more.txt"];
    let copies = ["trees/one/code.txt", "trees/one/deep/more.txt"];
    let both: Vec<&str> = own.into_iter().chain(copies).collect();
    expect(&all, &json!({}), &own, 1);
    expect(&all, &json!({"hidden": true, "globs": ["*.txt"]}), &own, 2);
    expect(&all, &json!({"paths": ["trees/one"]}), &copies, 0);
    expect(&all, &json!({"paths": [".", "trees/one"]}), &both, 0);
    expect(&all, &json!({"paths": ["trees/one/deep"]}), &copies[1..], 0);
    let deep = [own[0], own[1], copies[1]];
    expect(&all, &json!({"paths": [".", "trees/one/deep"]}), &deep, 1);
    expect(&all, &json!({"paths": [".", "trees/one/deep/more.txt"]}), &deep, 1);
    expect(&all, &json!({"worktrees": true}), &both, 0);
    // The file is read again after a change that does not affect the listing.
    fs::write(tree.root().join("trees/one/.git"), "gitdir: ../../elsewhere\n").expect("written");
    expect(&all, &json!({}), &both, 0);
    fs::remove_file(tree.root().join("trees/one/.git")).expect("removed");
    expect(&all, &json!({}), &both, 0);
}

#[test]
fn a_repository_below_the_root_has_worktrees_too() {
    if Command::new("git").arg("--version").output().is_err() {
        return skip("worktrees of git", "git is not installed");
    }
    let tree = Tree::of(&[("repo/code.txt", "hit\n")]);
    let repo = tree.root().join("repo");
    commit(&repo);
    git(&repo, &["worktree", "add", "-q", "../side"]);
    expect(&workspaces(&tree), &json!({}), &["repo/code.txt"], 1);
    // Git wrote the real path of the repository.
    let link = tree.around().join("link");
    symlink(tree.root(), &link).expect("linked");
    let linked = [open_workspace(&link, b"{}").expect("opened")];
    expect(&linked, &json!({}), &["repo/code.txt"], 1);
}

#[test]
fn a_followed_link_to_a_worktree_is_skipped() {
    let tree = tree_with("gitdir: ../../.git/worktrees/one\n");
    fs::create_dir_all(tree.root().join("a/b/c")).expect("made");
    symlink("../../../trees/one", tree.root().join("a/b/c/link")).expect("linked");
    symlink("../../../trees", tree.root().join("a/b/c/all")).expect("linked");
    let all = workspaces(&tree);
    expect(&all, &json!({}), &["code.txt"], 1);
    expect(&all, &json!({"follow": true}), &["code.txt"], 3);
    expect(&all, &json!({"paths": ["a/b/c/all"]}), &[], 1);
    expect(&all, &json!({"paths": ["a/b/c/link"]}), &["a/b/c/link/code.txt"], 0);
}

#[test]
fn a_git_file_without_a_worktree_hides_nothing() {
    let ours = b"gitdir: ../../.git/worktrees/one\n".as_slice();
    let both = ["code.txt", "trees/one/code.txt"];
    let long = [b"gitdir: ../../.git/worktrees/".as_slice(), &[b'x'; 300]].concat();
    let cases: [(&[u8], u64); 15] = [
        (ours, 1),
        (b"gitdir: ../../.git/worktrees/one\r\n", 1),
        (b"gitdir: ../.././.git//worktrees/./one/\n", 1),
        (b"", 0),
        (b"gitdir:\n", 0),
        (b"gitdir:../../.git/worktrees/one\n", 0),
        (&long, 0),
        (b"gitdir: \0\xff\xfe", 0),
        (b"gitdir: ../../.git/worktrees/one\nmore\n", 0),
        (b"gitdir: ../../.git/worktrees/gone\n", 0),
        (b"gitdir: ../../.git/worktrees/..\n", 0),
        (b"gitdir: ../../../../.git/worktrees/one\n", 0),
        (b"gitdir: ../../.git/modules/one\n", 0),
        (b"gitdir: .git/worktrees/one\n", 0),
        (&[ours, &[b'x'; 1 << 20]].concat(), 0),
    ];
    for (text, n_left_out) in cases {
        let files = if n_left_out > 0 { &both[..1] } else { &both };
        let tree = tree_with(text);
        expect(&workspaces(&tree), &json!({}), files, n_left_out);
    }
}

#[test]
fn a_git_file_is_opened_only_if_it_is_a_file() {
    let tree = tree_with("gitdir: ../../.git/worktrees/one\n");
    let git_file = tree.root().join("trees/one/.git");
    fs::rename(&git_file, tree.root().join("trees/file")).expect("moved");
    symlink("../file", &git_file).expect("linked");
    let both = ["code.txt", "trees/one/code.txt"];
    expect(&workspaces(&tree), &json!({}), &both, 0);
    expect(&workspaces(&tree), &json!({"follow": true}), &both, 0);
    fs::remove_file(&git_file).expect("removed");
    assert!(Command::new("mkfifo").arg(&git_file).status().expect("run").success());
    expect(&workspaces(&tree), &json!({}), &both, 0);
}

#[test]
fn an_unreadable_git_file_is_reported() {
    let tree = tree_with("gitdir: ../../.git/worktrees/one\n");
    let git_file = tree.root().join("trees/one/.git");
    let forbid = |path: &Path| {
        fs::set_permissions(path, fs::Permissions::from_mode(0o000)).expect("changed");
    };
    let allow = |path: &Path| {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("changed");
    };
    let search = |options: &str, args: Value| {
        let mut reply = Value::Null;
        // One thread, because the others of the pool have their own privileges.
        without_privileges(|| {
            let workspace = open_workspace(tree.root(), options.as_bytes()).expect("opened");
            reply = ask(&workspace, "search", &args);
        });
        reply
    };
    let args = json!({"patterns": ["hit"], "mode": "files"});
    let options = r#"{"threads": 1}"#;
    let expect_gap = |reply: &Value, path: &str| {
        assert_eq!(texts(&reply["files"], "path"), ["code.txt", "trees/one/code.txt"], "{reply}");
        assert_eq!(reply["skipped"]["unreadable"], 1, "{reply}");
        assert_eq!(reply["skipped"]["worktree"], Value::Null, "{reply}");
        assert_eq!(reply["complete"], false, "{reply}");
        assert_eq!(reply["warnings"][0]["path"], path, "{reply}");
        let reason = reply["warnings"][0]["reason"].as_str().expect("a reason");
        assert!(reason.contains("may be a git worktree"), "{reply}");
    };
    forbid(&git_file);
    expect_gap(&search(options, args.clone()), "trees/one/.git");
    expect_gap(&search(r#"{"threads": 1, "deny": ["trees/one/.git"]}"#, args.clone()), "trees/one");
    // Nothing is missing if worktrees are searched anyway.
    let mut with_worktrees = args.clone();
    with_worktrees["worktrees"] = json!(true);
    assert_eq!(search(options, with_worktrees)["skipped"]["unreadable"], 0);
    allow(&git_file);
    assert_eq!(search(options, args.clone())["skipped"]["worktree"], 1);
    // The same if the directory that it names cannot be found.
    let git_dirs = tree.root().join(".git/worktrees");
    forbid(&git_dirs);
    let reply = search(options, args);
    allow(&git_dirs);
    expect_gap(&reply, "trees/one/.git");
}
