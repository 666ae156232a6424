//! Submodules are compared with the commits that the repositories around them record.

use super::{
    EDITS, Numbers, cases, commit, edit, git, has_git, listed, ours, present, repository, status,
    write,
};
use searchscope::{Call, Workspace, WorkspaceOptions};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the commit that a tree or the index records for the submodule at `path`.
fn recorded(listing: &str, path: &str) -> Option<String> {
    let line = listing.split('\0').find(|line| {
        line.starts_with("160000 ") && line.split_once('\t').is_some_and(|(_, name)| name == path)
    })?;
    line.split([' ', '\t']).find(|word| word.len() >= 40).map(str::to_owned)
}

/// Returns the topmost repositories below `dir`, relative to `root`.
fn repositories_below(root: &Path, dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        if !entry.file_type().unwrap().is_dir() || entry.file_name() == ".git" {
            continue;
        }
        match entry.path().join(".git").exists() {
            true => found.push(entry.path().strip_prefix(root).unwrap().to_owned()),
            false => found.extend(repositories_below(root, &entry.path())),
        }
    }
    found
}

/// Returns the files that differ from a commit by git's own listings, submodules included. Without a commit
/// every file is new. With `since` only the contents in the worktree count, as in `git diff`.
fn differing(root: &Path, commit: Option<&str>, since: bool) -> BTreeSet<String> {
    let list = |args: &[&str]| listed(&git(root, &[&["--no-optional-locks"], args].concat()));
    let diff = ["diff", "--name-only", "--no-renames", "-z"];
    let mut paths = match commit {
        None => list(&["ls-files", "-z"]),
        Some(commit) if since => list(&[&diff[..], &[commit]].concat()),
        Some(commit) => list(&[&diff[..], &["--cached", commit]].concat()),
    };
    if !since {
        paths.extend(list(&diff));
    }
    paths.extend(list(&["ls-files", "--others", "--exclude-standard", "-z"]));
    let mut all = present(root, paths);
    let index = git(root, &["ls-files", "--stage", "-z"]);
    let tree = commit.map(|commit| git(root, &["ls-tree", "-r", "-z", commit]));
    for at in repositories_below(root, root) {
        let (at, inside) = (at.to_str().unwrap(), root.join(&at));
        let in_tree = tree.as_deref().and_then(|tree| recorded(tree, at));
        let files = match (in_tree, recorded(&index, at)) {
            (Some(commit), _) => differing(&inside, Some(&commit), since),
            (None, Some(_)) => differing(&inside, None, since),
            (None, None) => differing(&inside, Some("HEAD"), false),
        };
        all.extend(files.into_iter().map(|file| format!("{at}/{file}")));
    }
    all
}

fn compare(root: &Path, why: &str) {
    let options = WorkspaceOptions::default();
    assert_eq!(ours(root, None, &options), differing(root, Some("HEAD"), false), "{why}");
    let base = git(root, &["merge-base", "old", "HEAD"]);
    let expected = differing(root, Some(base.trim()), true);
    assert_eq!(ours(root, Some("old"), &options), expected, "since, {why}");
}

fn add_submodule(root: &Path, origin: &Path, at: &str) {
    git(root, &["submodule", "--quiet", "add", origin.to_str().unwrap(), at]);
}

/// Makes a repository with the submodule `module`, which has three commits and the submodule `inner`.
fn nested(init: &[&str], numbers: &mut Numbers) -> (Vec<tempfile::TempDir>, PathBuf) {
    let (inner_dir, inner) = repository(init);
    let (origin_dir, origin) = repository(init);
    let (dir, root) = repository(init);
    for at in [&inner, &origin, &root] {
        for n in 0..3 {
            write(at, ".gitignore", "*.log\n");
            for _ in 0..5 {
                edit(at, numbers, EDITS);
            }
            write(at, "number", n.to_string());
            commit(at, "some");
        }
    }
    add_submodule(&origin, &inner, "inner");
    commit(&origin, "with a submodule");
    git(&root, &["branch", "old"]);
    add_submodule(&root, &origin, "module");
    git(&root, &["submodule", "--quiet", "update", "--init", "--recursive"]);
    (vec![inner_dir, origin_dir, dir], root)
}

/// Makes one change in the repository or in one of its submodules.
fn change(root: &Path, numbers: &mut Numbers) {
    let at = [root, &root.join("module"), &root.join("module/inner")][numbers.below(3)].to_owned();
    if !at.join(".git").exists() {
        return;
    }
    match numbers.below(8) {
        0 => commit(&at, "more"),
        1 if at != root => {
            let commits = git(&at, &["log", "--all", "--format=%H"]);
            let commits: Vec<&str> = commits.lines().collect();
            let chosen = commits[numbers.below(commits.len())];
            git(&at, &["checkout", "--quiet", "--force", "--detach", chosen]);
        }
        2 => drop(git(root, &["add", "module"])),
        _ => edit(&at, numbers, EDITS),
    }
}

fn random_submodules(seed: u64, init: &[&str]) {
    let mut numbers = Numbers(seed);
    let (_dirs, root) = nested(init, &mut numbers);
    compare(&root, &format!("seed {seed}, a staged submodule"));
    commit(&root, "with a submodule");
    if seed.is_multiple_of(2) {
        git(&root, &["branch", "--force", "old"]);
    }
    for n in 0..20 {
        change(&root, &mut numbers);
        compare(&root, &format!("seed {seed}, change {n}"));
    }
}

#[test]
fn random_submodules_as_git_sees_them() {
    if !has_git() {
        return;
    }
    for seed in 0..2 {
        random_submodules(seed, &[]);
    }
    random_submodules(2, &["--object-format=sha256"]);
}

#[test]
fn long_run_random_submodules() {
    if !has_git() {
        return;
    }
    for seed in (10..).take(cases(8)) {
        let format: &[&str] = if seed % 3 == 0 { &["--object-format=sha256"] } else { &[] };
        random_submodules(seed, format);
    }
}

#[test]
fn a_submodule_at_another_commit_is_a_change() {
    if !has_git() {
        return;
    }
    let (_origin_dir, origin) = repository(&[]);
    write(&origin, "same", "1\n");
    write(&origin, "file", "1\n");
    commit(&origin, "first");
    let first = git(&origin, &["rev-parse", "HEAD"]);
    write(&origin, "file", "2\n");
    write(&origin, "new", "2\n");
    commit(&origin, "second");
    let (_dir, root) = repository(&[]);
    write(&root, "a", "1\n");
    add_submodule(&root, &origin, "module");
    commit(&root, "first");
    let changed = || {
        let workspace = Workspace::open(&root).unwrap();
        let changed = workspace.changed_files(None, &Call::new()).unwrap();
        let paths: Vec<_> = changed.paths().iter().map(ToString::to_string).collect();
        (paths, changed.problems().to_vec(), changed.is_complete())
    };
    assert_eq!(changed(), (vec![], vec![], true));
    let module = root.join("module");
    git(&module, &["checkout", "--quiet", "--detach", first.trim()]);
    // Its own status is clean, and that of the repository around it is not.
    assert!(status(&module).is_empty());
    assert_eq!(git(&root, &["status", "--porcelain"]), " M module\n");
    let (paths, problems, is_complete) = changed();
    assert_eq!(paths, ["module/file"], "the removed file 'new' cannot be searched");
    assert!(problems[0].contains("the submodule 'module' is not at the commit"), "{problems:?}");
    assert!(is_complete);
    // A staged commit is a change like a staged file.
    git(&root, &["add", "module"]);
    assert_eq!(changed().0, ["module/file"]);
    commit(&root, "second");
    assert_eq!(changed(), (vec![], vec![], true));
    // A recorded commit that the submodule does not have.
    let id = "1234567890".repeat(4);
    git(&root, &["update-index", "--cacheinfo", &format!("160000,{id},module")]);
    git(&root, &["commit", "--quiet", "-m", "third"]);
    write(&root, "a", "2\n");
    let (paths, problems, is_complete) = changed();
    assert_eq!((paths, is_complete), (vec!["a".to_owned()], false));
    let problem = problems.last().unwrap();
    assert!(
        problem.contains("'module' is left out: the commit that is recorded for it"),
        "{problem}"
    );
}
