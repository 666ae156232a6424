//! Changed files: the engine must list the same files as `git status` and `git diff`.

#![expect(clippy::disallowed_methods, reason = "tests may change the file system")]
#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]
#![expect(clippy::print_stderr, reason = "a skipped comparison must be seen")]
#![expect(clippy::disallowed_types, reason = "git is the oracle, and a process")]
#![cfg(unix)]

mod configuration;
mod edges;
mod layouts;
mod submodules;

use searchscope::{Call, Workspace, WorkspaceOptions};
use searchscope_tools::CallTools;
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Numbers that repeat in every run with the same seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n
    }
}

fn has_git() -> bool {
    let has = Command::new("git").arg("--version").output().is_ok();
    if !has {
        eprintln!("SKIPPED: the comparison with git: git is not installed");
    }
    has
}

/// Runs git without the settings of the user and of the machine.
fn git_bytes(dir: &Path, args: &[&str]) -> Vec<u8> {
    run_git(dir, args, Command::new("git"))
}

/// Runs git with this date for new commits.
fn git_at(dir: &Path, args: &[&str], date: &str) -> String {
    let mut command = Command::new("git");
    command.env("GIT_AUTHOR_DATE", date).env("GIT_COMMITTER_DATE", date);
    String::from_utf8(run_git(dir, args, command)).unwrap()
}

fn run_git(dir: &Path, args: &[&str], mut command: Command) -> Vec<u8> {
    let output = command
        .current_dir(dir)
        .args(["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"])
        .args(args)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_AUTHOR_NAME", "a")
        .env("GIT_AUTHOR_EMAIL", "a@example.org")
        .env("GIT_COMMITTER_NAME", "a")
        .env("GIT_COMMITTER_EMAIL", "a@example.org")
        .env("GIT_TERMINAL_PROMPT", "0")
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {args:?}: {error}");
    output.stdout
}

fn git(dir: &Path, args: &[&str]) -> String {
    String::from_utf8(git_bytes(dir, args)).unwrap()
}

fn write(root: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = fs::remove_file(&path);
    fs::write(path, text).unwrap();
}

/// Returns the files and links in git's listing.
fn present(root: &Path, listed: Vec<String>) -> BTreeSet<String> {
    let is_there = |path: &String| {
        fs::symlink_metadata(root.join(path)).is_ok_and(|meta| meta.is_file() || meta.is_symlink())
    };
    listed.into_iter().filter(is_there).collect()
}

fn listed(text: &str) -> Vec<String> {
    text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect()
}

/// Returns the listing of `git status`, without a refresh of git's index before it.
fn status(root: &Path) -> BTreeSet<String> {
    let args = [
        "--no-optional-locks",
        "status",
        "--porcelain",
        "-z",
        "--untracked-files=all",
        "--no-renames",
    ];
    let lines = listed(&git(root, &args));
    present(root, lines.into_iter().map(|line| line[3..].to_owned()).collect())
}

/// Returns the listing of `git diff` since the merge base, with the untracked files.
fn since(root: &Path, revision: &str) -> BTreeSet<String> {
    let base = git(root, &["merge-base", revision, "HEAD"]);
    let base = base.lines().next().unwrap();
    let args =
        ["--no-optional-locks", "diff", "--name-only", "--no-renames", "-z", base, "--", "."];
    let mut paths = listed(&git(root, &args));
    let others = ["ls-files", "--others", "--exclude-standard", "-z"];
    paths.extend(listed(&git(root, &others)));
    present(root, paths)
}

fn ours(root: &Path, revision: Option<&str>, options: &WorkspaceOptions) -> BTreeSet<String> {
    let workspace = options.open(root).unwrap();
    let changed = workspace.changed_files(revision, &Call::new()).unwrap();
    assert!(changed.is_complete(), "{:?}", changed.problems());
    changed.paths().iter().map(|path| path.display().into_owned()).collect()
}

fn compare(root: &Path, revision: Option<&str>, why: &str) {
    let options = WorkspaceOptions::default();
    assert_eq!(ours(root, None, &options), status(root), "status, {why}");
    if let Some(revision) = revision {
        assert_eq!(ours(root, Some(revision), &options), since(root, revision), "since, {why}");
    }
}

/// Makes a repository in a directory of its own.
fn repository(args: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("repo");
    fs::create_dir(&root).unwrap();
    git(&root, &[&["init", "--quiet"], args].concat());
    (dir, root)
}

fn commit(root: &Path, message: &str) {
    git(root, &["add", "--all"]);
    git(root, &["commit", "--quiet", "--allow-empty", "-m", message]);
}

const DIRS: [&str; 7] = ["", "a/", "a/b/", "a-b/", "c.d/", "build/", "deep/er/still/"];
const NAMES: [&str; 7] = ["one", "two.txt", "x.log", "three.rs", "a", "é ü", ".hidden"];

fn random_path(numbers: &mut Numbers) -> String {
    let dir = DIRS[numbers.below(DIRS.len())];
    let name = NAMES[numbers.below(NAMES.len())];
    // "a" is a directory at the top.
    let name = if dir.is_empty() && name == "a" { "aa" } else { name };
    format!("{dir}{name}")
}

fn text(numbers: &mut Numbers) -> String {
    let lines = numbers.below(60);
    (0..lines).map(|_| format!("line {}\n", numbers.below(20))).collect()
}

/// The number of kinds of edits; the first of them start no git.
const EDITS: usize = 16;
const EDITS_WITHOUT_GIT: usize = 11;

/// Makes one change of the first `kinds` kinds in a repository.
fn edit(root: &Path, numbers: &mut Numbers, kinds: usize) {
    let path = random_path(numbers);
    let full = root.join(&path);
    let is_file = fs::symlink_metadata(&full).is_ok_and(|meta| meta.is_file());
    match numbers.below(kinds) {
        0..=3 => write(root, &path, text(numbers)),
        4 if is_file => {
            // The same size, and perhaps the same second.
            let mut bytes = fs::read(&full).unwrap();
            if let Some(byte) = bytes.first_mut() {
                *byte ^= 1;
            }
            fs::write(&full, bytes).unwrap();
        }
        5 if is_file => fs::set_permissions(&full, fs::Permissions::from_mode(0o755)).unwrap(),
        6 if is_file => fs::set_permissions(&full, fs::Permissions::from_mode(0o644)).unwrap(),
        7 => {
            let _ = fs::remove_file(&full);
        }
        8 => {
            write(root, &path, "");
            fs::remove_file(&full).unwrap();
            symlink(["one", "nowhere", "a"][numbers.below(3)], &full).unwrap();
        }
        9 if is_file => {
            // Written again, with the same contents.
            let bytes = fs::read(&full).unwrap();
            write(root, &path, bytes);
        }
        10 => {
            let other = root.join(random_path(numbers));
            let _ = fs::create_dir_all(other.parent().unwrap());
            let _ = fs::rename(&full, other);
        }
        // Git refuses a path that matches nothing.
        11 if !git(root, &["ls-files", "--cached", "--others", "--", "a"]).is_empty() => {
            git(root, &["add", "--all", "--", "a"]);
        }
        12 => drop(git(root, &["add", "--all"])),
        13 if is_file => drop(git(root, &["add", "--force", "--", &path])),
        14 if is_file => drop(git(root, &["add", "--intent-to-add", "--force", "--", &path])),
        15 => drop(git(
            root,
            &["rm", "--cached", "--quiet", "--ignore-unmatch", "--force", "--", &path],
        )),
        _ => write(root, &path, text(numbers)),
    }
}

fn random_repository(seed: u64, init: &[&str], setup: &dyn Fn(&Path)) {
    let mut numbers = Numbers(seed);
    let (_dir, root) = repository(init);
    write(&root, ".gitignore", "*.log\nbuild/\n!/a/x.log\n");
    write(&root, "a/.gitignore", "two.*\n");
    write(&root, "a/one", "");
    write(&root, ".git/info/exclude", "excluded\n");
    setup(&root);
    for step in 0..4 {
        for _ in 0..8 {
            edit(&root, &mut numbers, EDITS);
        }
        commit(&root, &format!("step {step}"));
        match step {
            0 => drop(git(&root, &["branch", "old"])),
            1 if seed.is_multiple_of(3) => {
                git(&root, &["checkout", "--quiet", "-b", "side", "old"]);
                write(&root, "on-side", "x\n");
                commit(&root, "side");
                git(&root, &["checkout", "--quiet", "-"]);
            }
            2 if seed.is_multiple_of(2) => drop(git(&root, &["gc", "--quiet"])),
            _ => {}
        }
    }
    compare(&root, Some("old"), &format!("seed {seed}, clean"));
    for edits in 0..6 {
        for _ in 0..4 {
            edit(&root, &mut numbers, EDITS);
        }
        write(&root, "excluded", "x");
        let why = format!("seed {seed}, edits {edits}");
        compare(&root, Some("old"), &why);
        if seed.is_multiple_of(3) {
            compare(&root, Some("side"), &why);
        }
    }
}

#[test]
fn random_repositories_as_git_sees_them() {
    if !has_git() {
        return;
    }
    for seed in 0..6 {
        random_repository(seed, &[], &|_| {});
    }
}

#[test]
fn random_repositories_in_other_formats() {
    if !has_git() {
        return;
    }
    random_repository(100, &["--object-format=sha256"], &|_| {});
    random_repository(101, &[], &|root| drop(git(root, &["config", "index.version", "4"])));
    random_repository(102, &[], &|root| {
        git(root, &["config", "core.splitIndex", "true"]);
        git(root, &["config", "splitIndex.maxPercentChange", "100"]);
    });
    random_repository(103, &[], &|root| drop(git(root, &["config", "core.fileMode", "false"])));
    random_repository(104, &[], &|root| drop(git(root, &["config", "core.autocrlf", "input"])));
}

/// Returns the number of random cases of a long run: `few`, unless the variable of proptest sets another.
fn cases(few: usize) -> usize {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    wanted.unwrap_or(few)
}

#[test]
fn long_run_random_repositories() {
    if !has_git() {
        return;
    }
    for seed in (1_000_u64..).take(cases(15)) {
        let format: &[&str] =
            if seed.is_multiple_of(2) { &[] } else { &["--object-format=sha256"] };
        random_repository(seed, format, &|root| match seed % 5 {
            0 => drop(git(root, &["config", "index.version", "4"])),
            1 => drop(git(root, &["config", "core.splitIndex", "true"])),
            _ => {}
        });
    }
}

#[test]
fn conflicts_and_promises() {
    if !has_git() {
        return;
    }
    let (_dir, root) = repository(&[]);
    for name in ["a", "b", "c", "d"] {
        write(&root, name, "1\n");
    }
    commit(&root, "first");
    git(&root, &["checkout", "--quiet", "-b", "side"]);
    write(&root, "a", "2\n");
    commit(&root, "side");
    git(&root, &["checkout", "--quiet", "main"]);
    write(&root, "a", "3\n");
    commit(&root, "main");
    let merge = Command::new("git").current_dir(&root).args(["merge", "--quiet", "side"]).output();
    assert!(!merge.unwrap().status.success(), "it must conflict");
    compare(&root, Some("side"), "conflict");
    git(&root, &["update-index", "--assume-unchanged", "b"]);
    git(&root, &["update-index", "--skip-worktree", "c"]);
    for name in ["b", "c", "d"] {
        write(&root, name, "changed\n");
    }
    compare(&root, Some("side"), "promises");
}

#[test]
fn sparse_checkouts() {
    if !has_git() {
        return;
    }
    let (_dir, root) = repository(&[]);
    for path in ["top", "in/a", "in/sub/b", "out/c", "out/deep/d", "other/e"] {
        write(&root, path, "1\n");
    }
    commit(&root, "first");
    git(&root, &["branch", "old"]);
    write(&root, "out/c", "2\n");
    commit(&root, "second");
    git(&root, &["sparse-checkout", "set", "--cone", "--sparse-index", "in"]);
    write(&root, "in/a", "changed\n");
    compare(&root, Some("old"), "sparse index");
    write(&root, "out/c", "present all the same\n");
    write(&root, "other/new", "new\n");
    compare(&root, Some("old"), "files outside of the cone");
}

#[test]
fn line_ends_attributes_and_links() {
    if !has_git() {
        return;
    }
    let (_dir, root) = repository(&[]);
    let attributes = "*.txt text\n*.auto text=auto\n*.bin binary\n*.id ident\n*.u16 working-tree-encoding=UTF-16LE eol=lf\n";
    write(&root, ".gitattributes", attributes);
    for name in ["a.txt", "a.auto", "a.bin", "sub/b.txt", "plain"] {
        write(&root, name, "one\ntwo\n");
    }
    write(&root, "x.id", "$Id$\n");
    write(&root, "x.u16", b"h\0i\0\n\0");
    commit(&root, "first");
    git(&root, &["branch", "old"]);
    for name in ["a.txt", "a.auto", "a.bin", "sub/b.txt", "plain"] {
        write(&root, name, "one\r\ntwo\r\n");
    }
    write(&root, "x.u16", b"h\0o\0\n\0");
    compare(&root, Some("old"), "line ends");
    for name in ["a.txt", "a.auto", "a.bin", "sub/b.txt", "plain"] {
        write(&root, name, "one\ntwo\n");
    }
    write(&root, "x.id", "$Id$\n");
    write(&root, "x.u16", b"h\0i\0\n\0");
    compare(&root, Some("old"), "written again");
}

#[test]
fn worktrees_submodules_and_nested_repositories() {
    if !has_git() {
        return;
    }
    let (dir, root) = repository(&[]);
    write(&root, "a", "1\n");
    write(&root, "sub/b", "1\n");
    commit(&root, "first");
    git(&root, &["branch", "old"]);
    write(&root, "a", "2\n");
    commit(&root, "second");
    let worktree = dir.path().join("tree");
    git(&root, &["worktree", "add", "--quiet", worktree.to_str().unwrap(), "old"]);
    write(&worktree, "a", "changed\n");
    write(&worktree, "sub/new", "new\n");
    // Its git directory is elsewhere.
    let error = Workspace::open(&worktree).unwrap();
    let error = error.changed_files(None, &Call::new()).unwrap_err();
    assert!(error.message().contains("git_dir_outside_root"), "{error}");
    let outside = WorkspaceOptions { git_dir_outside_root: true, ..Default::default() };
    assert_eq!(ours(&worktree, None, &outside), status(&worktree));
    assert_eq!(ours(&worktree, Some("main"), &outside), since(&worktree, "main"));
    // A root inside a repository.
    write(&root, "sub/.gitignore", "*.tmp\n");
    write(&root, ".gitignore", "*.log\n");
    for name in ["sub/b", "sub/in/c", "sub/d.tmp", "sub/e.log"] {
        write(&root, name, "new\n");
    }
    let below =
        status(&root).into_iter().filter_map(|path| Some(path.strip_prefix("sub/")?.to_owned()));
    let below: BTreeSet<String> = below.collect();
    assert_eq!(ours(&root.join("sub"), None, &outside), below);
    let inside = Workspace::open(root.join("sub")).unwrap();
    let error = inside.changed_files(None, &Call::new()).unwrap_err();
    assert_eq!(error.code(), "not_found", "{error}");
    // Submodules and other repositories are responsible for themselves.
    let (_other_dir, other) = repository(&[]);
    write(&other, "file", "1\n");
    write(&other, "same", "1\n");
    commit(&other, "first");
    git(&root, &["submodule", "--quiet", "add", other.to_str().unwrap(), "module"]);
    commit(&root, "with a submodule");
    write(&root, "module/file", "2\n");
    git(&root, &["clone", "--quiet", other.to_str().unwrap(), "nested"]);
    write(&root, "nested/new", "new\n");
    write(&root, "a", "3\n");
    let expected: BTreeSet<String> =
        ["a", "module/file", "nested/new"].iter().map(|path| (*path).to_owned()).collect();
    assert_eq!(ours(&root, None, &WorkspaceOptions::default()), expected);
}

#[test]
fn borrowed_objects_outside_are_not_read() {
    if !has_git() {
        return;
    }
    let (dir, root) = repository(&[]);
    write(&root, "a", "1\n");
    commit(&root, "first");
    let clone = dir.path().join("clone");
    git(&root, &["clone", "--quiet", "--shared", ".", clone.to_str().unwrap()]);
    write(&clone, "a", "2\n");
    write(&clone, "b", "new\n");
    let workspace = Workspace::open(&clone).unwrap();
    let error = workspace.changed_files(None, &Call::new()).unwrap_err();
    assert_eq!(error.code(), "unsupported");
    assert!(error.message().contains("alternates"), "{error}");
    let outside = WorkspaceOptions { git_dir_outside_root: true, ..Default::default() };
    assert_eq!(ours(&clone, None, &outside), status(&clone));
    // In a root that contains both, nothing is outside.
    assert_eq!(ours(dir.path(), None, &WorkspaceOptions::default()).len(), 2);
}

#[test]
fn denied_files_are_not_in_the_set() {
    if !has_git() {
        return;
    }
    let (_dir, root) = edited();
    let changed = |deny: &str| {
        let options = WorkspaceOptions { deny: vec![deny.to_owned()], ..Default::default() };
        options.open(&root).unwrap().changed_files(None, &Call::new())
    };
    let paths: Vec<_> = changed("src/").unwrap().paths().iter().map(ToString::to_string).collect();
    assert_eq!(paths, [".hidden.rs", "edited.rs", "staged.rs"]);
    for deny in [".git/", "/.git/index", "HEAD", "/.git/objects/"] {
        let error = changed(deny).unwrap_err();
        assert_eq!(error.code(), "unsupported", "{deny}: {error}");
    }
    let paths: Vec<_> =
        changed(".gitignore").unwrap().paths().iter().map(ToString::to_string).collect();
    assert!(!paths.contains(&"a.log".to_owned()), "its rules count: {paths:?}");
}

#[test]
fn many_repositories_below_a_plain_root() {
    if !has_git() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for name in ["one", "in/two"] {
        let root = dir.path().join(name);
        fs::create_dir_all(&root).unwrap();
        git(&root, &["init", "--quiet"]);
        write(&root, "old", "1\n");
        commit(&root, "first");
        write(&root, "new", "1\n");
    }
    write(dir.path(), "loose", "in no repository\n");
    let expected = ["in/two/new", "one/new"].iter().map(|path| (*path).to_owned());
    let options = WorkspaceOptions::default();
    assert_eq!(ours(dir.path(), None, &options), expected.collect());
}

#[test]
fn unsupported_repositories_are_reported() {
    if !has_git() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let changed = |root: &Path, since: Option<&str>| {
        let workspace = Workspace::open(root).unwrap();
        workspace.changed_files(since, &Call::new())
    };
    let error = changed(dir.path(), None).unwrap_err();
    assert_eq!(error.code(), "not_found");
    assert!(error.message().contains("git repository"), "{error}");
    let (_dir, root) = repository(&[]);
    write(&root, "a", "1\n");
    assert_eq!(changed(&root, None).unwrap().paths().len(), 1, "before the first commit");
    commit(&root, "first");
    git(&root, &["branch", "feature/one"]);
    git(&root, &["tag", "-m", "x", "v1.0"]);
    git(&root, &["pack-refs", "--all"]);
    for (since, code, message) in [
        ("mian", "invalid_param", "did you mean 'main'"),
        ("feature/on", "invalid_param", "did you mean 'feature/one'"),
        ("HEAD~3", "invalid_param", "no such parent"),
        ("main@{1}", "invalid_param", "use a branch"),
        ("../x", "invalid_param", "use a branch"),
    ] {
        let error = changed(&root, Some(since)).unwrap_err();
        assert_eq!((error.code(), error.param()), (code, Some("since")), "{since}: {error}");
        assert!(error.message().contains(message), "{since}: {error}");
    }
    let id = git(&root, &["rev-parse", "HEAD"]);
    for since in
        ["v1.0", "HEAD", "@", "refs/heads/main", "heads/main", id.trim(), &id[..7], "v1.0^0"]
    {
        assert!(changed(&root, Some(since)).unwrap().paths().is_empty(), "{since}");
    }
    git(&root, &["checkout", "--quiet", "--orphan", "lonely"]);
    git(&root, &["commit", "--quiet", "-m", "other"]);
    let error = changed(&root, Some("main")).unwrap_err();
    assert!(error.message().contains("no ancestor in common"), "{error}");
    for (key, value) in [("extensions.refStorage", "reftable"), ("extensions.unheard", "1")] {
        git(&root, &["config", "core.repositoryFormatVersion", "1"]);
        let config = fs::read_to_string(root.join(".git/config")).unwrap();
        let (section, name) = key.split_once('.').unwrap();
        fs::write(root.join(".git/config"), format!("{config}[{section}]\n{name} = {value}\n"))
            .unwrap();
        let error = changed(&root, None).unwrap_err();
        assert_eq!(error.code(), "unsupported", "{key}");
        fs::write(root.join(".git/config"), config).unwrap();
    }
}

/// Calls a tool and returns its reply.
fn call(root: &Path, tool: &str, args: &str) -> serde_json::Value {
    let workspace = Workspace::open(root).unwrap();
    let reply = workspace.call(tool, args.as_bytes(), &Call::new());
    serde_json::from_slice(&reply.unwrap()).unwrap()
}

fn paths(reply: &serde_json::Value) -> Vec<&str> {
    let files = reply["files"].as_array().unwrap();
    files.iter().map(|file| file["path"].as_str().unwrap()).collect()
}

/// Makes a repository with two commits and changes of each kind.
fn edited() -> (tempfile::TempDir, PathBuf) {
    let (dir, root) = repository(&[]);
    write(&root, ".gitignore", "*.log\n");
    for name in ["same.rs", "staged.rs", "edited.rs", "src/committed.rs", "gone.rs", ".hidden.rs"] {
        write(&root, name, "// TODO one\n");
    }
    commit(&root, "first");
    git(&root, &["branch", "old"]);
    write(&root, "src/committed.rs", "// TODO two\n");
    commit(&root, "second");
    write(&root, "staged.rs", "// TODO two\n");
    git(&root, &["add", "staged.rs"]);
    write(&root, "edited.rs", "// TODO two\n");
    write(&root, ".hidden.rs", "// TODO two\n");
    write(&root, "src/new.rs", "// TODO new\n");
    write(&root, "a.log", "TODO\n");
    fs::remove_file(root.join("gone.rs")).unwrap();
    (dir, root)
}

#[test]
fn tools_take_changed() {
    if !has_git() {
        return;
    }
    let (_dir, root) = edited();
    let found = call(&root, "find", r#"{"changed": true}"#);
    assert_eq!(paths(&found), ["edited.rs", "src/new.rs", "staged.rs"]);
    assert_eq!(found["complete"], true);
    assert_eq!(found["changed"]["files"], 4, "with the hidden one: {found}");
    let found = call(&root, "find", r#"{"changed": true, "hidden": true, "paths": ["."]}"#);
    assert_eq!(paths(&found), [".hidden.rs", "edited.rs", "src/new.rs", "staged.rs"]);
    let found = call(&root, "find", r#"{"changed": {"since": "old"}}"#);
    assert_eq!(paths(&found), ["edited.rs", "src/committed.rs", "src/new.rs", "staged.rs"]);
    let found = call(&root, "find", r#"{"changed": false}"#);
    assert_eq!(paths(&found).len(), 5);
    let found = call(
        &root,
        "search",
        r#"{"patterns": ["TODO"], "mode": "files", "changed": true, "globs": ["src/**"]}"#,
    );
    assert_eq!(paths(&found), ["src/new.rs"]);
    let found = call(&root, "search", r#"{"patterns": ["one"], "changed": true}"#);
    let why = found["why_nothing"].to_string();
    assert!(why.contains("4 files have changed since HEAD"), "{why}");
    let text = call(&root, "look", r#"{"q": "TODO", "since": "changed"}"#)["text"].to_string();
    assert!(text.contains("edited.rs") && !text.contains("same.rs"), "{text}");
    let workspace = Workspace::open(&root).unwrap();
    for (args, code, param) in [
        (r#"{"changed": {"since": "odl"}}"#, "invalid_param", "changed.since"),
        (r#"{"changed": {"since": ""}}"#, "invalid_param", "changed.since"),
        (r#"{"changed": "main"}"#, "invalid_param", "changed"),
        (r#"{"changed": {"sinse": "old"}}"#, "invalid_param", "changed"),
    ] {
        let error = workspace.call("find", args.as_bytes(), &Call::new()).unwrap_err();
        assert_eq!(error.code(), code, "{args}: {error}");
        assert!(error.param().unwrap().starts_with(param), "{args}: {error}");
    }
}

#[test]
fn pages_and_builders_keep_to_changed_files() {
    if !has_git() {
        return;
    }
    let (_dir, root) = edited();
    let first = call(&root, "find", r#"{"changed": true, "files_max": 1}"#);
    let cursor = first["cursor"].as_str().unwrap();
    // A file that changes between pages changes the set, not the request.
    write(&root, "then.rs", "// TODO three\n");
    let rest = call(&root, "find", &format!(r#"{{"changed": true, "cursor": "{cursor}"}}"#));
    assert_eq!(paths(&rest), ["src/new.rs", "staged.rs", "then.rs"]);
    let workspace = Workspace::open(&root).unwrap();
    let changed = workspace.changed_files(Some("old"), &Call::new()).unwrap();
    let sources = workspace.scope("file:src//*").unwrap();
    for found in [
        workspace.find().changed_files(&changed).scope(&sources).run().unwrap(),
        workspace.find().scope(&sources).changed_files(&changed).run().unwrap(),
        workspace.find().scope(&sources).changed_since("old").run().unwrap(),
        workspace.find().changed().changed_since("old").scope(&sources).run().unwrap(),
    ] {
        let paths: Vec<_> = found.files.iter().map(|file| file.path.display()).collect();
        assert_eq!(paths, ["src/committed.rs", "src/new.rs"]);
    }
}

#[test]
fn builders_compute_the_set_when_they_run() {
    if !has_git() {
        return;
    }
    let (_dir, root) = edited();
    let workspace = Workspace::open(&root).unwrap();
    let find = workspace.find().changed();
    let search = workspace.search("TODO").changed();
    let names = |found: &searchscope::FindResults| -> Vec<String> {
        found.files.iter().map(|file| file.path.to_string()).collect()
    };
    assert_eq!(names(&find.run().unwrap()), ["edited.rs", "src/new.rs", "staged.rs"]);
    assert_eq!(search.run().unwrap().iter().count(), 3);
    write(&root, "then.rs", "// TODO three\n");
    assert_eq!(names(&find.run().unwrap()).last().unwrap(), "then.rs");
    let mut found = Vec::new();
    let report = search.for_each(|hit| {
        found.push(hit.path.to_string());
        ControlFlow::Continue(())
    });
    assert_eq!(found, ["edited.rs", "src/new.rs", "staged.rs", "then.rs"]);
    assert!(report.unwrap().complete);
    let (files, _) =
        workspace.run_find(&find.clone().into_request().unwrap(), &Call::new()).unwrap();
    assert_eq!(files.len(), 4);
    let error = workspace.symbols("x").changed_since("odl").run().unwrap_err();
    assert_eq!((error.code(), error.param()), ("invalid_param", Some("since")), "{error}");
    assert!(workspace.find().changed_since("odl").into_request().is_err());
    // A gap of the set is one of the report.
    write(&root, "broken/.git", "gitdir: ../nowhere\n");
    let report = find.for_each(|_| ControlFlow::Continue(())).unwrap();
    assert!(!report.complete);
    assert!(
        report.warnings[0].reason.contains("the repository 'broken' is left out"),
        "{report:?}"
    );
    assert_eq!(report.n_warnings, 1);
}

#[test]
fn scopes_have_changed_files_as_an_atom() {
    if !has_git() {
        return;
    }
    let (_dir, root) = edited();
    let find = |scope: &str| call(&root, "find", &format!(r#"{{"scope": {scope}}}"#));
    let head = [".hidden.rs", "edited.rs", "src/new.rs", "staged.rs"];
    assert_eq!(paths(&find(r#""changed""#)), head);
    assert_eq!(paths(&find(r#""git:changed""#)), head);
    let since = find(r#""git:changed:old""#);
    assert_eq!(paths(&since)[2], "src/committed.rs");
    assert_eq!(since["scope"]["displayName"], "Changed since old");
    let atoms = r#""atoms": [{"atomId": "c", "kind": "GIT_CHANGED", "since": "old"},
        {"atomId": "s", "kind": "DIRECTORY", "directoryUrl": "src"}]"#;
    let tokens = |op: &str| {
        format!(
            r#""tokens": [{{"op": "PUSH_ATOM", "atomId": "c"}}, {{"op": "PUSH_ATOM", "atomId": "s"}}, {op}]"#
        )
    };
    let both = find(&format!("{{{atoms}, {}}}", tokens(r#"{"op": "AND"}"#)));
    assert_eq!(paths(&both), ["src/committed.rs", "src/new.rs"]);
    let not = find(&format!("{{{atoms}, {}}}", tokens(r#"{"op": "NOT"}, {"op": "AND"}"#)));
    assert_eq!(paths(&not), [".hidden.rs", "edited.rs", "staged.rs"]);
    // Two revisions in one scope are two sets.
    let between = r#"{"atoms": [{"atomId": "c", "kind": "GIT_CHANGED", "since": "old"},
        {"atomId": "s", "kind": "GIT_CHANGED"}], "#;
    let between = find(&format!("{between}{}}}", tokens(r#"{"op": "NOT"}, {"op": "AND"}"#)));
    assert_eq!(paths(&between), ["src/committed.rs"]);
    let catalog = call(&root, "scope_list_catalog", r#"{"kinds": ["GIT_CHANGED"]}"#);
    assert_eq!(catalog["items"][0]["scopeRefId"], "git:changed", "{catalog}");
    let workspace = Workspace::open(&root).unwrap();
    for (scope, param) in [
        (r#""git:changed:odl""#, "scope"),
        (r#""git:changedx""#, "scope"),
        (
            r#"{"atoms": [{"atomId": "c", "kind": "GIT_CHANGED", "since": "odl"}],
            "tokens": [{"op": "PUSH_ATOM", "atomId": "c"}]}"#,
            "scope.atoms[0].since",
        ),
    ] {
        let args = format!(r#"{{"scope": {scope}}}"#);
        let error = workspace.call("find", args.as_bytes(), &Call::new()).unwrap_err();
        assert_eq!((error.code(), error.param()), ("invalid_param", Some(param)), "{error}");
    }
}
