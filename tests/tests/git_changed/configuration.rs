//! Bare repositories with worktrees, files that a repository's own configuration names, and shallow clones.

use super::{commit, compare, git, has_git, ours, repository, status, write};
use searchscope::{Call, Workspace, WorkspaceOptions};
use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::Path;

fn set(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

/// Returns the changed files and the problems.
fn changed(root: &Path) -> (BTreeSet<String>, Vec<String>) {
    let workspace = Workspace::open(root).unwrap();
    let changed = workspace.changed_files(None, &Call::new()).unwrap();
    assert!(changed.is_complete(), "{:?}", changed.problems());
    let paths = changed.paths().iter().map(|path| path.display().into_owned());
    (paths.collect(), changed.problems().to_vec())
}

fn refused(root: &Path, since: Option<&str>) -> String {
    let workspace = Workspace::open(root).unwrap();
    workspace.changed_files(since, &Call::new()).unwrap_err().to_string()
}

#[test]
fn worktrees_of_a_bare_repository_are_compared() {
    if !has_git() {
        return;
    }
    let (dir, root) = repository(&[]);
    write(&root, "a", "1\n");
    commit(&root, "first");
    let base = dir.path();
    git(base, &["clone", "--quiet", "--bare", "repo", "b"]);
    git(&base.join("b"), &["worktree", "add", "--quiet", "-b", "w", "../wt"]);
    write(&base.join("wt"), "a", "2\n");
    write(&base.join("wt"), "new", "2\n");
    let outside = WorkspaceOptions { git_dir_outside_root: true, ..Default::default() };
    let expected = set(&["a", "new"]);
    assert_eq!(ours(&base.join("wt"), None, &outside), expected);
    assert_eq!(status(&base.join("wt")), expected);
    assert_eq!(changed(base).0, set(&["wt/a", "wt/new"]));

    // A directory of worktrees beside the repository, to which the file `.git` leads.
    let project = base.join("project");
    std::fs::create_dir(&project).unwrap();
    git(&project, &["clone", "--quiet", "--bare", "../repo", ".bare"]);
    write(&project, ".git", "gitdir: ./.bare\n");
    assert!(refused(&project, None).contains("it is bare and has no worktree in the root"));
    git(&project, &["worktree", "add", "--quiet", "-b", "one", "one"]);
    git(&project, &["worktree", "add", "--quiet", "-b", "two", ".hidden/two"]);
    write(&project, "one/a", "2\n");
    write(&project, ".hidden/two/new", "2\n");
    write(&project, "notes", "of nobody\n");
    assert_eq!(changed(&project).0, set(&[".hidden/two/new", "one/a"]));
    let reply =
        super::call(&project, "search", r#"{"patterns": ["2"], "changed": true, "mode": "files"}"#);
    assert_eq!(super::paths(&reply), ["one/a"]);
    // Such a project inside another root.
    assert_eq!(
        changed(base).0,
        set(&["project/.hidden/two/new", "project/one/a", "wt/a", "wt/new"])
    );
}

#[test]
fn files_that_the_configuration_names_are_read_in_the_root() {
    if !has_git() {
        return;
    }
    let (_dir, root) = repository(&[]);
    write(&root, "kept", "1\n");
    write(&root, "text.txt", "1\n2\n");
    write(&root, "ignored.log", "1\n");
    write(&root, "tmp.log", "1\n");
    write(&root, "ci/excludes", "*.log\n*.tmp\n");
    write(&root, "ci/attributes", "*.txt text eol=lf\n");
    git(&root, &["add", "kept", "text.txt", "ci"]);
    git(&root, &["commit", "--quiet", "-m", "first"]);
    git(&root, &["config", "core.excludesFile", "ci/excludes"]);
    compare(&root, None, "excludes");
    assert_eq!(changed(&root).0, set(&[]));
    // `info/exclude` and `.gitignore` are stronger.
    write(&root, ".git/info/exclude", "!tmp.log\n");
    compare(&root, None, "a stronger rule");
    assert_eq!(changed(&root).0, set(&["tmp.log"]));
    write(&root, ".gitignore", "/tmp.log\n");
    compare(&root, None, "the strongest rule");
    // Attributes decide what is compared, where the time of a file does not.
    git(&root, &["config", "core.attributesFile", "ci/attributes"]);
    write(&root, "text.txt", "1\r\n2\r\n");
    git(&root, &["add", "text.txt"]);
    write(&root, "text.txt", "1\r\n2\r\n");
    compare(&root, None, "attributes");
    assert!(!changed(&root).0.contains("text.txt"));
    git(&root, &["config", "--unset", "core.attributesFile"]);
    compare(&root, None, "no attributes");
    assert!(changed(&root).0.contains("text.txt"));
    git(&root, &["config", "core.attributesFile", "ci/attributes"]);
    write(&root, ".gitattributes", "*.txt -text\n");
    compare(&root, None, "stronger attributes");
    assert!(changed(&root).0.contains("text.txt"));
}

#[test]
fn files_that_the_configuration_includes_are_read_in_the_root() {
    if !has_git() {
        return;
    }
    let (_dir, root) = repository(&["--initial-branch=feature/x"]);
    write(&root, "a", "1\n");
    write(&root, "b.log", "1\n");
    git(&root, &["add", "a"]);
    git(&root, &["commit", "--quiet", "-m", "first"]);
    write(&root, "ci/excludes", "*.log\n");
    write(&root, "ci/config", "[core]\n\texcludesFile = ci/excludes\n");
    write(&root, "ci/other", "[include]\n\tpath = config\n");
    let with_git_dir = format!("gitdir:{}/", root.canonicalize().unwrap().display());
    let conditions = [
        ("include.path", true),
        ("includeIf.onbranch:feature/.path", true),
        ("includeIf.onbranch:feature/*.path", true),
        ("includeIf.onbranch:feature.path", false),
        ("includeIf.onbranch:*.path", false),
        ("includeIf.onbranch:**/x.path", true),
        ("includeIf.gitdir:repo/.path", true),
        ("includeIf.gitdir:REPO/.path", false),
        ("includeIf.gitdir/i:REPO/.path", true),
        ("includeIf.gitdir:repo/.git.path", true),
        ("includeIf.gitdir:rep/.path", false),
        ("includeIf.gitdir:./.path", false),
        ("includeIf.unknown:x.path", false),
        (&format!("includeIf.{with_git_dir}.path"), true),
    ];
    for (condition, holds) in conditions {
        for file in ["../ci/config", "../ci/other"] {
            git(&root, &["config", condition, file]);
            compare(&root, None, condition);
            assert_eq!(!changed(&root).0.contains("b.log"), holds, "{condition}");
            git(&root, &["config", "--unset", condition]);
        }
    }
    // The later value counts, also across files.
    git(&root, &["config", "include.path", "../ci/config"]);
    git(&root, &["config", "core.excludesFile", "nothing"]);
    compare(&root, None, "a value after an inclusion");
    git(&root, &["config", "--unset", "core.excludesFile"]);
    git(&root, &["config", "include.path", "missing"]);
    compare(&root, None, "a file that does not exist");
}

#[test]
fn files_that_the_configuration_names_elsewhere_are_reported() {
    if !has_git() {
        return;
    }
    let (dir, root) = repository(&[]);
    write(&root, "a", "1\n");
    commit(&root, "first");
    write(&root, "b.log", "1\n");
    write(dir.path(), "excludes", "*.log\n");
    let outside = dir.path().join("excludes").display().to_string();
    let cases = [
        ("core.excludesFile", "~/ignore", "files that only it ignores count as changed"),
        ("core.excludesFile", "../excludes", "outside the root"),
        ("core.excludesFile", &outside, "outside the root"),
        ("core.attributesFile", "~me/attributes", "files that it converts may count as changed"),
        ("include.path", "../../config", "its settings may change which files git lists"),
        ("includeIf.onbranch:**.path", "%(prefix)/config", "'includeIf.*.path = %(prefix)/config'"),
        ("includeIf.gitdir:~/x.path", "other", "names the home directory"),
        ("includeIf.hasconfig:remote.*.url:x.path", "other", "is not evaluated"),
    ];
    for (name, value, problem) in cases {
        git(&root, &["config", name, value]);
        let (paths, problems) = changed(&root);
        assert_eq!(paths, set(&["b.log"]), "{name}");
        let is_told = problems.len() == 1 && problems[0].contains(problem);
        assert!(is_told, "{name} = {value}: {problems:?}");
        git(&root, &["config", "--unset", name]);
    }
    // A list of ignored files that is a link is not followed.
    symlink("a", root.join("link")).unwrap();
    git(&root, &["config", "core.excludesFile", "link"]);
    let problems = changed(&root).1;
    assert!(problems[0].contains("is a symlink and is not read"), "{problems:?}");
    git(&root, &["config", "--unset", "core.excludesFile"]);
    // Files that include each other end.
    write(&root, ".git/one", "[include]\n\tpath = two\n\tpath = two\n");
    write(&root, ".git/two", "[include]\n\tpath = one\n\tpath = one\n");
    git(&root, &["config", "include.path", "one"]);
    assert!(refused(&root, None).contains("includes files more than 10 deep"));
}

#[test]
fn ten_included_files_may_be_nested() {
    if !has_git() {
        return;
    }
    let (_dir, root) = repository(&[]);
    write(&root, "a", "1\n");
    commit(&root, "first");
    write(&root, "b.log", "1\n");
    write(&root, "ignored", "*.log\n");
    for at in 1..10 {
        write(&root, &format!(".git/{at}"), format!("[include]\n\tpath = {}\n", at + 1));
    }
    write(&root, ".git/10", "[core]\n\texcludesFile = ignored\n");
    git(&root, &["config", "include.path", "1"]);
    compare(&root, None, "ten files");
    assert!(!changed(&root).0.contains("b.log"));
    write(&root, ".git/10", "[include]\n\tpath = 11\n");
    compare(&root, None, "an eleventh file that does not exist");
    write(&root, ".git/11", "");
    assert!(refused(&root, None).contains("more than 10 deep"));
}

#[test]
fn configured_files_at_the_end_of_a_link_out_of_the_root_are_reported() {
    if !has_git() {
        return;
    }
    let (dir, root) = repository(&[]);
    write(&root, "a", "1\n");
    commit(&root, "first");
    write(dir.path(), "elsewhere/config", "[core]\n\texcludesFile = a\n");
    symlink("../elsewhere", root.join("out")).unwrap();
    symlink("../../elsewhere/config", root.join(".git/linked")).unwrap();
    write(&root, ".git/info/exclude", "out\n");
    write(&root, "b.log", "1\n");
    let cases = [
        ("core.excludesFile", "out/config"),
        ("core.attributesFile", "out/config"),
        ("include.path", "linked"),
        ("include.path", "../out/config"),
    ];
    for (name, value) in cases {
        git(&root, &["config", name, value]);
        let (paths, problems) = changed(&root);
        assert_eq!(paths, set(&["b.log"]), "{name}");
        let is_reported = problems.len() == 1 && problems[0].contains("is not read");
        assert!(is_reported, "{name} = {value}: {problems:?}");
        git(&root, &["config", "--unset", name]);
    }
}

/// A host that allows git directories outside the root does not allow the configuration to name any file.
#[test]
fn configured_files_are_in_the_root_or_in_the_repository_also_with_the_option() {
    if !has_git() {
        return;
    }
    let (dir, main) = repository(&[]);
    write(&main, "sub/a", "1\n");
    commit(&main, "first");
    write(&main, "sub/b.log", "1\n");
    write(&main, "ignored", "*.log\n");
    write(&main, ".git/ignored", "*.log\n");
    write(dir.path(), "ignored", "*.log\n");
    git(&main, &["worktree", "add", "--quiet", "../tree"]);
    let tree = dir.path().join("tree");
    write(&tree, "b.log", "1\n");
    let options = WorkspaceOptions { git_dir_outside_root: true, ..Default::default() };
    let outside = dir.path().join("ignored").display().to_string();
    let in_git_dir = main.join(".git/ignored").display().to_string();
    let missing = dir.path().join("missing/file").display().to_string();
    for (value, is_read) in [
        (in_git_dir.as_str(), true),
        ("ignored", false),
        (&outside, false),
        ("../ignored", false),
        (&missing, false),
    ] {
        git(&main, &["config", "core.excludesFile", value]);
        let workspace = options.open(&tree).unwrap();
        let files = workspace.changed_files(None, &Call::new()).unwrap();
        assert_eq!(!ours(&tree, None, &options).contains("b.log"), is_read, "{value}");
        let is_reported = files.problems().iter().any(|it| it.contains("is outside the root"));
        assert_eq!(is_reported, !is_read && value != "ignored", "{value}: {:?}", files.problems());
    }
    // A link out of the repository.
    symlink("../../ignored", main.join(".git/linked")).unwrap();
    let linked = main.join(".git/linked").display().to_string();
    git(&main, &["config", "core.excludesFile", &linked]);
    let workspace = options.open(&tree).unwrap();
    let problems = workspace.changed_files(None, &Call::new()).unwrap().problems().to_vec();
    assert!(problems.iter().any(|it| it.contains("is a symlink and is not read")), "{problems:?}");
    // The top of the repository is above the root.
    git(&main, &["config", "core.excludesFile", "ignored"]);
    assert!(ours(&main.join("sub"), None, &options).is_empty());
}

#[test]
fn a_shallow_clone_says_where_it_ends() {
    if !has_git() {
        return;
    }
    let (dir, root) = repository(&[]);
    for text in ["1\n", "2\n", "3\n"] {
        write(&root, "a", text);
        commit(&root, "next");
    }
    git(&root, &["branch", "other", "HEAD~2"]);
    let url = format!("file://{}", root.display());
    git(dir.path(), &["clone", "--quiet", "--depth=1", "--no-single-branch", &url, "shallow"]);
    let shallow = dir.path().join("shallow");
    write(&shallow, "a", "4\n");
    compare(&shallow, None, "a shallow clone");
    let message = refused(&shallow, Some("HEAD~1"));
    assert!(message.contains("where this shallow clone ends: 'git fetch --deepen=N'"), "{message}");
    let message = refused(&shallow, Some("origin/other"));
    assert!(message.contains("in this shallow clone: 'git fetch --unshallow'"), "{message}");
}
