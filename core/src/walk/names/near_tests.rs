#![expect(clippy::disallowed_methods, reason = "tests make the trees that they look through")]

use super::near::{near, near_within};
use crate::tests::tree as tree_of;
use crate::workspace::RelPath;
use crate::{Workspace, WorkspaceOptions};
use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn tree(files: &[&str]) -> TempDir {
    tree_of(&files.iter().map(|path| (*path, "")).collect::<Vec<_>>())
}

fn open(dir: &TempDir, deny: &[&str]) -> Workspace {
    let deny = deny.iter().map(|line| (*line).to_owned()).collect();
    let options = WorkspaceOptions { deny, ..WorkspaceOptions::default() };
    options.open(dir.path()).expect("a workspace")
}

fn path(text: &str) -> RelPath {
    RelPath::from_components(text.split('/').map(str::as_bytes))
}

fn texts(paths: &[RelPath]) -> Vec<String> {
    paths.iter().map(|path| path.display().into_owned()).collect()
}

#[track_caller]
fn check(workspace: &Workspace, cases: &[(&str, &[&str])]) {
    for (missing, expected) in cases {
        let found = texts(&near(workspace, &path(missing)));
        assert_eq!(found, *expected, "{missing}");
        assert_eq!(texts(&near(workspace, &path(missing))), found, "{missing} again");
    }
}

const PROJECT: &[&str] = &[
    ".git/config",
    ".github/workflows/build.yml",
    "Cargo.toml",
    "README.md",
    "docs/guide/install.md",
    "lib/parser.rs",
    "src/main.rs",
    "src/utils/helper.ts",
    "src/utils/strings.ts",
    "src/widgets/Button.tsx",
    "tests/fixtures/data.json",
];

#[test]
fn misspelt_names_are_corrected_at_every_depth() {
    let dir = tree(PROJECT);
    check(
        &open(&dir, &[]),
        &[
            ("READMe.md", &["README.md"]),
            ("README.txt", &["README.md"]),
            ("Cargo.tml", &["Cargo.toml"]),
            ("scr/main.rs", &["src/main.rs"]),
            ("SRC/Main.rs", &["src/main.rs"]),
            ("src/man.rs", &["src/main.rs"]),
            ("src/main.rs:12", &["src/main.rs"]),
            ("src/utils/helpers.ts", &["src/utils/helper.ts"]),
            ("src/util/helper.ts", &["src/utils/helper.ts"]),
            ("scr/util/helpers.js", &["src/utils/helper.ts"]),
            ("test/fixture/dta.json", &["tests/fixtures/data.json"]),
            ("src/widgets/button.tsx", &["src/widgets/Button.tsx"]),
            ("doc", &["docs"]),
            (".gihub/workflows", &[".github/workflows"]),
            ("github", &[".github"]),
            // Never git's own directory.
            ("git", &[".github"]),
        ],
    );
}

#[test]
fn paths_elsewhere_are_found_by_their_end() {
    let dir = tree(PROJECT);
    check(
        &open(&dir, &[]),
        &[
            ("utils/helper.ts", &["src/utils/helper.ts"]),
            ("helper.ts", &["src/utils/helper.ts"]),
            ("home/me/project/src/main.rs", &["src/main.rs"]),
            ("project/README.md", &["README.md"]),
            ("src/parser.rs", &["lib/parser.rs"]),
            ("src/main.rs/helper.ts", &["src/utils/helper.ts"]),
            ("workflows/build.yml", &[]),
            ("x/.github/workflows/build.yml", &[".github/workflows/build.yml"]),
            ("x/.git/config", &[]),
        ],
    );
}

#[test]
fn no_similar_path_is_no_suggestion() {
    let dir = tree(PROJECT);
    let long = "n".repeat(300);
    let deep = vec!["a"; 10_000].join("/");
    let deep_enough = vec!["a"; 4_096].join("/");
    check(
        &open(&dir, &[]),
        &[
            ("qqq", &[]),
            ("src/qqq.rs", &[]),
            (".gitt/config", &[]),
            (&long, &[]),
            (&format!("src/{long}/main.rs"), &["src/main.rs"]),
            (&deep, &[]),
            (&deep_enough, &[]),
            // An existing path needs no suggestion.
            ("src/main.rs", &[]),
            ("src", &[]),
        ],
    );
    assert!(near(&open(&dir, &[]), &RelPath::root()).is_empty());
}

#[test]
fn the_best_come_first() {
    let dir = tree(&[
        "a/config.json",
        "a/configs.json",
        "a/Config.yaml",
        "a/config_old.json",
        "one/deep/index.ts",
        "three/index.ts",
        "two/index.ts",
        "two/find/index.ts",
        "app/api/user.ts",
        "apps/web/home.ts",
    ]);
    check(
        &open(&dir, &[]),
        &[
            // Case first, then the similarity of the names; no more than three.
            ("a/CONFIG.json", &["a/config.json", "a/configs.json", "a/config_old.json"]),
            // The longer shared end, the longer shared beginning, the shorter path.
            ("x/find/index.ts", &["two/find/index.ts", "three/index.ts", "two/index.ts"]),
            ("two/sub/index.ts", &["two/index.ts", "two/find/index.ts", "three/index.ts"]),
            // Among two similar directories, the one with the rest of the path.
            ("ap/web/home.ts", &["apps/web/home.ts"]),
            ("ap/api/user.ts", &["app/api/user.ts"]),
            // No directory has the rest: suggest the directory alone.
            ("ap/web/qqq", &["apps/web"]),
            ("ap/qqq/user.js", &["app"]),
        ],
    );
}

#[test]
fn denied_paths_are_never_named() {
    let dir = tree(&["secret/plans.txt", "open/plan.pem", "open/plan.txt", "open/deep/keys/k.txt"]);
    symlink("../secret/plans.txt", dir.path().join("open/plans.md")).expect("linked");
    symlink("secret", dir.path().join("secrets")).expect("linked");
    symlink("open", dir.path().join("lnk")).expect("linked");
    let deny = ["secret/", "*.pem", "/open/deep/keys"];
    check(
        &open(&dir, &deny),
        &[
            ("secrt/plans.txt", &[]),
            ("secrt", &[]),
            ("plans.txt", &[]),
            ("open/plan.pm", &["open/plan.txt"]),
            ("open/plans.mdd", &["open/plan.txt"]),
            ("secrets/plans.tx", &[]),
            ("secret/plan.txt", &[]),
            ("open/deep/key/k.txt", &[]),
            ("lnk/deep/key/k.txt", &[]),
            ("lnk/deep/keys/k.tx", &[]),
            ("lnk/plan.tx", &["lnk/plan.txt"]),
            ("keys/k.txt", &[]),
            ("k.txt", &[]),
            ("deep/keys", &[]),
        ],
    );
    // Without `deny` they are suggested.
    let all = open(&dir, &[]);
    check(
        &all,
        &[
            ("secrt/plans.txt", &["secret/plans.txt", "secrets/plans.txt"]),
            ("keys/k.txt", &["open/deep/keys/k.txt"]),
        ],
    );
}

#[test]
fn links_are_followed_inside_the_root_and_never_out() {
    let outside = tree(&["hidden/canary.txt"]);
    let dir = tree(&["real/inner/file.txt"]);
    symlink(outside.path(), dir.path().join("out")).expect("linked");
    symlink(outside.path().join("hidden/canary.txt"), dir.path().join("canary.txt"))
        .expect("linked");
    symlink("real", dir.path().join("link")).expect("linked");
    symlink("..", dir.path().join("real/up")).expect("linked");
    symlink("circle", dir.path().join("circle")).expect("linked");
    check(
        &open(&dir, &[]),
        &[
            ("out/hiden/canary.txt", &[]),
            ("ut/hidden", &[]),
            ("outt", &[]),
            ("hidden/canary.txt", &[]),
            ("canary.tx", &[]),
            ("circl", &[]),
            ("circle/file", &[]),
            ("link/iner/file.txt", &["link/inner/file.txt"]),
            ("lnk/inner", &["link/inner"]),
            ("file.txt", &["real/inner/file.txt"]),
        ],
    );
}

#[test]
fn the_number_of_compared_entries_is_bounded() {
    let files: Vec<String> = (0..200).map(|n| format!("dir{}/file{n:03}.txt", n / 100)).collect();
    let dir = tree(&files.iter().map(String::as_str).collect::<Vec<_>>());
    let workspace = open(&dir, &[]);
    let found = |missing: &str, max| texts(&near_within(&workspace, &path(missing), max));
    // Two entries in the root, a hundred in each directory.
    assert_eq!(found("file007.txt", 102), ["dir0/file007.txt"]);
    assert!(found("file107.txt", 201).is_empty());
    assert_eq!(found("file107.txt", 202), ["dir1/file107.txt"]);
    // A directory that is too large is skipped entirely: the system decides which entries come first.
    assert!(found("dir0/fil007.txt", 99).is_empty());
    assert_eq!(found("dir0/fil007.txt", 100)[0], "dir0/file007.txt");
    assert!(found("file007.txt", 0).is_empty());
}

#[test]
fn names_that_differ_in_case_cost_no_comparison() {
    let (_dir, workspace) = long_names();
    // Comparing case costs nothing, so the name is found although it comes last.
    let found = near(&workspace, &path(&"ZZ".repeat(125)));
    assert_eq!(texts(&found), ["zz".repeat(125)]);
}

#[test]
fn long_run_comparing_is_bounded() {
    let (_dir, workspace) = long_names();
    let started = Instant::now();
    near(&workspace, &path(&"ba".repeat(127)));
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}

/// Names of the maximum length, and more of them than may be compared.
fn long_names() -> (tempfile::TempDir, Workspace) {
    let dir = tempfile::tempdir().expect("a directory");
    for n in 0..3_000 {
        let name = format!("{n:04}{}", "ab".repeat(125));
        fs::write(dir.path().join(name), "").expect("written");
    }
    fs::write(dir.path().join("zz".repeat(125)), "").expect("written");
    let workspace = open(&dir, &[]);
    (dir, workspace)
}
