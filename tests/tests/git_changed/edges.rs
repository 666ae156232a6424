//! Histories with equal or wrong dates, ignored worktrees, unusual attributes, and damaged repositories.

use super::{Numbers, commit, compare, git, has_git, ours, repository, since, status, write};
use searchscope::{Call, Workspace, WorkspaceOptions};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the date of a commit by its number.
type Dates<'a> = &'a dyn Fn(&mut Numbers, usize) -> usize;

/// Makes a random history with one file for each commit. Returns its commits.
fn history(numbers: &mut Numbers, date: Dates<'_>) -> (tempfile::TempDir, PathBuf, Vec<String>) {
    const N: usize = 12;
    let (dir, root) = repository(&[]);
    let mut commits: Vec<String> = Vec::new();
    let mut files: Vec<BTreeSet<usize>> = Vec::new();
    for n in 0..N {
        let n_parents = if n == 0 { 0 } else { 1 + numbers.below(2) };
        let mut parents: Vec<usize> = (0..n_parents).map(|_| numbers.below(n.max(1))).collect();
        parents.dedup();
        let mut own: BTreeSet<usize> = parents.iter().flat_map(|at| files[*at].clone()).collect();
        own.insert(n);
        fs::remove_file(root.join(".git/index")).unwrap_or_default();
        for file in &own {
            write(&root, &format!("f{file}"), format!("{file}\n"));
            git(&root, &["add", &format!("f{file}")]);
        }
        let tree = git(&root, &["write-tree"]);
        let when = format!("@{} +0000", 1_700_000_000 + date(numbers, n));
        let mut args = vec!["commit-tree".to_owned(), tree.trim().to_owned()];
        for at in &parents {
            args.extend(["-p".to_owned(), commits[*at].clone()]);
        }
        args.extend(["-m".to_owned(), format!("c{n}")]);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let made = super::git_at(&root, &args, &when);
        commits.push(made.trim().to_owned());
        files.push(own);
    }
    (dir, root, commits)
}

#[test]
fn merge_bases_do_not_depend_on_dates() {
    if !has_git() {
        return;
    }
    let dates: [Dates<'_>; 3] = [&|_, _| 0, &|numbers, _| numbers.below(5), &|_, n| 100 - n];
    let mut n_compared = 0;
    for seed in 0..9 {
        let mut numbers = Numbers(seed + 41);
        let date = dates[usize::try_from(seed).unwrap() % dates.len()];
        let (_dir, root, commits) = history(&mut numbers, date);
        for _ in 0..6 {
            let (head, other) =
                (&commits[numbers.below(commits.len())], &commits[numbers.below(commits.len())]);
            git(&root, &["reset", "--quiet", "--hard", head]);
            let bases = git(&root, &["merge-base", "--all", other, head]);
            // With several, git chooses by the order in which it found them.
            if bases.lines().count() == 1 {
                let why = format!("seed {seed}, {other} and {head}");
                let options = WorkspaceOptions::default();
                assert_eq!(ours(&root, Some(other), &options), since(&root, other), "{why}");
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 30, "{n_compared}");
}

#[test]
fn ignored_worktrees_are_in_the_set() {
    if !has_git() {
        return;
    }
    let (_dir, root) = repository(&[]);
    write(&root, ".gitignore", ".worktrees/\n");
    write(&root, "a", "1\n");
    commit(&root, "first");
    git(&root, &["worktree", "add", "--quiet", ".worktrees/feat"]);
    git(&root, &["worktree", "add", "--quiet", "beside"]);
    for tree in [".worktrees/feat", "beside"] {
        write(&root, &format!("{tree}/a"), "2\n");
        write(&root, &format!("{tree}/new"), "2\n");
    }
    let expected = [".worktrees/feat/a", ".worktrees/feat/new", "beside/a", "beside/new"];
    let expected: BTreeSet<String> = expected.iter().map(|path| (*path).to_owned()).collect();
    assert_eq!(ours(&root, None, &WorkspaceOptions::default()), expected);
    let args =
        r#"{"patterns": ["2"], "changed": true, "mode": "files", "paths": [".worktrees/feat"]}"#;
    let reply = super::call(&root, "search", args);
    assert_eq!(super::paths(&reply), [".worktrees/feat/a", ".worktrees/feat/new"]);
    // One that cannot be read does not hide the others.
    let unreadable = "x".repeat(70_000);
    write(&root, ".git/worktrees/bad/gitdir", unreadable);
    let workspace = Workspace::open(&root).unwrap();
    let changed = workspace.changed_files(None, &Call::new()).unwrap();
    assert_eq!((changed.paths().len(), changed.is_complete()), (4, false));
    assert!(changed.problems()[0].starts_with("the worktree 'bad' is left out"), "{changed:?}");
    fs::remove_dir_all(root.join(".git/worktrees/bad")).unwrap();
    // A worktree whose directory is gone, or that `deny` hides, is not read.
    fs::remove_dir_all(root.join("beside")).unwrap();
    let options = WorkspaceOptions { deny: vec!["/.worktrees/".to_owned()], ..Default::default() };
    assert_eq!(ours(&root, None, &options), BTreeSet::new());
}

#[test]
fn the_empty_tree_need_not_be_stored() {
    if !has_git() {
        return;
    }
    for (format, empty) in [
        ("sha1", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"),
        ("sha256", "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"),
    ] {
        let (_dir, root) = repository(&[&format!("--object-format={format}")]);
        let id = git(&root, &["commit-tree", "-m", "empty", empty]);
        git(&root, &["update-ref", "refs/heads/main", id.trim()]);
        write(&root, "a", "1\n");
        compare(&root, Some("main"), format);
    }
}

#[test]
fn denied_names_that_are_no_part_of_the_repository_do_not_matter() {
    if !has_git() {
        return;
    }
    let (_dir, root) = repository(&[]);
    write(&root, "a", "1\n");
    commit(&root, "first");
    git(&root, &["checkout", "--quiet", "-b", "feature/kubeconfig"]);
    write(&root, "a", "2\n");
    write(&root, ".ssh/id_rsa", "secret\n");
    write(&root, "p/hidden", "secret\n");
    let options =
        WorkspaceOptions { deny_secrets: true, deny: vec!["p/*".to_owned()], ..Default::default() };
    let expected: BTreeSet<String> = ["a".to_owned()].into();
    assert_eq!(ours(&root, None, &options), expected);
    assert_eq!(ours(&root, Some("feature/kubeconfig"), &options), expected);
}

#[test]
fn attributes_are_read_as_git_reads_them() {
    if !has_git() {
        return;
    }
    let long = format!("*.txt text {}\n", "x".repeat(2_048 - "*.txt text ".len()));
    let short = format!("*.txt text {}\n", "x".repeat(2_047 - "*.txt text ".len()));
    for attributes in [
        "*.txt text=true\n",
        "*.txt text=lf\n",
        "*.txt text=input\n",
        "*.txt text=auto eol=lf\n",
        "*.txt text # a comment\n",
        "*.txt text -9bad\u{e9}\n",
        "*.txt -text crlf\n",
        "*.txt text -crlf\n",
        "*.txt crlf=input\n",
        "*.txt -crlf eol=lf\n",
        "\u{feff}*.txt text\n",
        "*.txt -text=yes\n",
        &long,
        &short,
    ] {
        let (_dir, root) = repository(&[]);
        write(&root, "x.txt", "a\r\nb\n");
        write(&root, ".gitattributes", "*.txt -text\n");
        commit(&root, "first");
        // Another time and another inode, so that the contents count.
        write(&root, "x.txt", "a\r\nb\n");
        write(&root, ".gitattributes", attributes);
        compare(&root, None, attributes);
    }
}

#[test]
fn a_damaged_repository_is_refused() {
    if !has_git() {
        return;
    }
    let changed = |root: &Path| {
        let workspace = Workspace::open(root).unwrap();
        workspace.changed_files(None, &Call::new())
    };
    let (_dir, root) = repository(&[]);
    write(&root, "a", "1\n");
    commit(&root, "first");
    let head = fs::read(root.join(".git/HEAD")).unwrap();
    for damaged in [&b""[..], b"\0\0\0\0", b"garbage\n"] {
        fs::write(root.join(".git/HEAD"), damaged).unwrap();
        let error = changed(&root).unwrap_err();
        assert_eq!(error.code(), "unsupported", "{damaged:?}: {error}");
    }
    fs::write(root.join(".git/HEAD"), head).unwrap();
    fs::remove_file(root.join(".git/index")).unwrap();
    fs::create_dir(root.join(".git/index")).unwrap();
    assert_eq!(changed(&root).unwrap_err().code(), "unsupported");
    fs::remove_dir(root.join(".git/index")).unwrap();
    git(&root, &["reset", "--quiet"]);
    assert_eq!(ours(&root, None, &WorkspaceOptions::default()), status(&root));
    let workspace = Workspace::open(&root).unwrap();
    let long = "r".repeat(300);
    let error = workspace.changed_files(Some(&long), &Call::new()).unwrap_err();
    assert_eq!((error.code(), error.param()), ("invalid_param", Some("since")), "{error}");
}
