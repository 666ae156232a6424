//! Random edits in worktrees and sparse checkouts, in each format of objects and indexes.

use super::{
    EDITS, EDITS_WITHOUT_GIT, Numbers, commit, compare, edit, git, has_git, ours, repository,
    since, status, write,
};
use searchscope::WorkspaceOptions;
use std::collections::BTreeSet;
use std::path::Path;

/// A format of objects, and the setting of an index.
type Format = (&'static [&'static str], Option<(&'static str, &'static str)>);

const FORMATS: [Format; 4] = [
    (&[], None),
    (&["--object-format=sha256"], None),
    (&[], Some(("core.splitIndex", "true"))),
    (&["--object-format=sha256"], Some(("index.version", "4"))),
];

/// Makes a repository with some commits and the branch `old`.
fn with_commits(
    (init, setting): Format,
    numbers: &mut Numbers,
) -> (tempfile::TempDir, std::path::PathBuf) {
    let (dir, root) = repository(init);
    if let Some((key, value)) = setting {
        git(&root, &["config", key, value]);
        git(&root, &["config", "splitIndex.maxPercentChange", "100"]);
    }
    write(&root, ".gitignore", "*.log\nbuild/\n!/a/x.log\n");
    for step in 0..3 {
        for _ in 0..8 {
            edit(&root, numbers, EDITS);
        }
        commit(&root, "some");
        if step == 1 {
            git(&root, &["branch", "old"]);
        }
    }
    (dir, root)
}

fn prefixed(prefix: &str, root: &Path) -> BTreeSet<String> {
    status(root).into_iter().map(|path| format!("{prefix}/{path}")).collect()
}

#[test]
fn random_worktrees_as_git_sees_them() {
    if !has_git() {
        return;
    }
    let outside = WorkspaceOptions { git_dir_outside_root: true, ..Default::default() };
    for (seed, format) in (200..).zip(FORMATS) {
        let mut numbers = Numbers(seed);
        let (dir, root) = with_commits(format, &mut numbers);
        let tree = dir.path().join("tree");
        git(&root, &["worktree", "add", "--quiet", "-b", "side", tree.to_str().unwrap()]);
        for n in 0..12 {
            edit([&root, &tree][n % 2], &mut numbers, EDITS);
            let why = format!("seed {seed}, edit {n}");
            assert_eq!(ours(&tree, None, &outside), status(&tree), "{why}");
            assert_eq!(ours(&tree, Some("old"), &outside), since(&tree, "old"), "since, {why}");
            // In a root with both no git directory is outside.
            let mut both = prefixed("repo", &root);
            both.extend(prefixed("tree", &tree));
            assert_eq!(ours(dir.path(), None, &WorkspaceOptions::default()), both, "both, {why}");
        }
    }
}

#[test]
fn random_sparse_indexes_as_git_sees_them() {
    if !has_git() {
        return;
    }
    for (seed, format) in (300..).zip(FORMATS) {
        let mut numbers = Numbers(seed);
        let (_dir, root) = with_commits(format, &mut numbers);
        write(&root, "deep/er/tracked", "1\n");
        commit(&root, "a directory outside of the cone");
        git(&root, &["sparse-checkout", "set", "--cone", "--sparse-index", "a"]);
        let is_sparse = git(&root, &["ls-files", "--sparse", "--stage"]).contains("040000 ");
        let is_split = format.1.is_some_and(|(key, _)| key == "core.splitIndex");
        assert!(is_sparse || is_split, "git makes no index that is sparse and split");
        for n in 0..12 {
            edit(&root, &mut numbers, EDITS_WITHOUT_GIT);
            compare(&root, Some("old"), &format!("seed {seed}, edit {n}"));
        }
    }
}
