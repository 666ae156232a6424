//! Scripts that change a tree in ways meant to deceive the index.
//!
//! Each line of a script is a shell command run in the root, after which all questions are asked; a line that
//! begins with `-` asks none. `?` asks one question: a tool and its arguments; `warm` builds the index and
//! `lose` loses events. `$OUT` is a directory outside the root.

use super::{Remembering, reply};
use searchscope::testing;
use searchscope::{Call, IndexMode};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

fn check(script: &str) {
    let tree = Remembering::new(&[]);
    let outside = tempfile::tempdir().expect("a directory");
    let mut is_warm = false;
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let when = format!("after {line}");
        if let Some(question) = line.strip_prefix('?') {
            let (tool, args) = question.trim().split_once(' ').expect("a tool and arguments");
            let args: Value = serde_json::from_str(args).expect("arguments");
            tree.assert_equal(tool, &args, &when);
            continue;
        }
        if line == "warm" {
            tree.workspace.warm(&Call::new()).expect("built");
            is_warm = true;
            continue;
        }
        if line == "lose" {
            testing::lose_events(&tree.workspace);
            continue;
        }
        let command = line.strip_prefix('-');
        let status = Command::new("sh")
            .args(["-c", command.unwrap_or(line)])
            .env("OUT", outside.path())
            .current_dir(tree.dir.path())
            .status();
        assert!(status.expect("a shell").success(), "{when}");
        if is_warm && command.is_none() {
            tree.assert_all_equal(&when);
        }
    }
}

#[test]
fn attack_where_a_start_below_an_ignored_directory_may_be_replaced() {
    check(
        r#"
        -mkdir -p ignored/a/b; echo needle > ignored/a/b/f; echo ignored > .gitignore; mkdir .git; echo hay > x
        warm
        -true
        ? search {"patterns":["needle"],"paths":["ignored/a/b"]}
        ? find {"paths":["ignored/a/b"]}
        -mv ignored/a ignored/z; mkdir -p ignored/a/b; echo hay > ignored/a/b/g; echo needle > ignored/a/b/h
        ? search {"patterns":["needle"],"paths":["ignored/a/b"]}
        ? find {"paths":["ignored/a/b"]}
"#,
    );
}

#[test]
fn attack_where_a_linked_ignore_file_changes_under_its_other_name() {
    check(
        r#"
        -mkdir -p .git d e; echo needle > e/x.txt; echo needle > e/y.txt; echo x.txt > e/.gitignore; ln e/.gitignore d/rules
        warm
        true
        echo y.txt >> d/rules
        echo y.txt > d/rules
"#,
    );
}

#[test]
fn attack_where_an_ignore_file_is_linked_later() {
    check(
        r#"
        -mkdir -p .git d e; echo needle > e/x.txt; echo needle > e/y.txt; echo x.txt > e/.gitignore
        warm
        true
        ln e/.gitignore d/rules
        echo y.txt >> d/rules
        echo y.txt > d/rules
        rm d/rules
"#,
    );
}

#[test]
fn attack_where_a_linked_exclude_file_changes_under_its_other_name() {
    check(
        r#"
        -mkdir -p .git/info d e; echo needle > e/x.txt; echo needle > e/y.txt; echo x.txt > .git/info/exclude; ln .git/info/exclude d/rules
        warm
        true
        echo y.txt >> d/rules
"#,
    );
}

#[test]
fn attack_where_a_file_changes_under_its_other_name() {
    check(
        r#"
        -mkdir -p d e; echo hay > e/x.txt; ln e/x.txt d/y.txt
        warm
        true
        echo needle >> d/y.txt
        rm e/x.txt
        echo needle >> d/y.txt
"#,
    );
}

#[test]
fn attack_where_links_in_a_new_directory_that_is_moved() {
    check(
        r#"
        -mkdir -p d e; echo hay > e/x.txt
        warm
        -mkdir n; mkdir n/m
        ? find {"paths":["e"]}
        ln e/x.txt n/m/l
        echo needle >> n/m/l
        mv n o
        echo needle >> o/m/l
        rm -r o
"#,
    );
}

#[test]
fn attack_where_a_directory_changes_outside() {
    check(
        r#"
        -mkdir -p d/e; echo hay > d/e/x.txt; echo hay > d/y
        warm
        -mv d $OUT/d; echo needle > $OUT/d/e/x.txt; ln $OUT/d/y $OUT/l; mv $OUT/d d
        true
        echo needle >> $OUT/l
        mv d/e $OUT/e
        echo needle >> $OUT/e/x.txt
        mv $OUT/e d/f
        echo needle7 > d/f/x.txt
"#,
    );
}

#[test]
fn attack_where_names_change_their_kind() {
    check(
        r#"
        -mkdir -p a b; echo needle > a/x; echo needle > b/x;
        warm
        rm a/x; mkdir a/x; echo needle > a/x/x
        rm -r a/x; ln -s ../b/x a/x
        rm a/x; mkfifo a/x
        rm a/x; ln -s ../b a/x
        rm a/x; echo needle > a/x
        mv a c; ln -s b a
        rm a; mv c a
        mv b c; ln -s a b
        rm b; mv c b; echo needle2 >> b/x
"#,
    );
}

#[test]
fn attack_where_repositories_change_their_kind() {
    check(
        r#"
        -mkdir -p .git/info d/.git/info; echo x > .git/info/exclude; echo needle > x; echo needle > d/x; echo needle > d/y; echo y > .gitignore
        warm
        mv .git .g
        mv .g .git
        rm -r d/.git
        mkdir d/.git
        mkdir d/.git/info
        echo y > d/.git/info/exclude
        mv d/.git/info d/.git/i
        mv d/.git/i d/.git/info
        echo x >> d/.git/info/exclude
        rm -r d/.git; echo 'gitdir: ../.git' > d/.git
        rm d/.git; ln -s ../.git d/.git
        rm .gitignore; mkdir .gitignore
        rmdir .gitignore; ln -s d/y .gitignore
        rm .gitignore; echo x > .gitignore; rm d/.git
        mv .git d/.git
        echo y > d/.git/info/exclude
        mv d/.git .git
        echo x > .git/info/exclude
        mv .git/info .git/i; mkdir .git/info; echo y > .git/info/exclude
        rm .git/info/exclude; mkdir .git/info/exclude
        rmdir .git/info/exclude; ln -s ../../x .git/info/exclude
        rm .git/info/exclude; mkfifo .git/info/exclude
        rm .git/info/exclude; cp .gitignore .git/info/exclude
        rm -r .git/info; touch .git/info
        rm -r .git/info; ln -s ../d .git/info
"#,
    );
}

#[test]
fn attack_where_rules_change_above_directories_that_do_not() {
    check(
        r#"
        -mkdir -p .git a/b/c; echo needle > a/b/c/x; echo needle > a/b/c/y; echo x > .gitignore
        warm
        true
        echo y > .gitignore
        lose
        true
        echo x > .gitignore
        echo x > .gitignore
        lose
        true
        echo '!x' > a/.gitignore
        echo y > a/b/.ignore
        rm a/.gitignore
        lose
        mv a/b/.ignore a/.ignore
        rm -r .git
        mkdir .git
        touch new
        echo z > a/b/c/z
        echo z > .gitignore
        rm .gitignore
"#,
    );
}

#[test]
fn attack_where_ignored_directories_come_back() {
    check(
        r#"
        -mkdir -p .git d/e f; echo needle > d/x; echo needle > d/e/y; echo d > .gitignore; echo hay > f/x
        warm
        true
        ? search {"patterns":["needle"],"paths":["d/e"]}
        echo > .gitignore
        echo needle > d/e/z
        echo d > .gitignore
        -echo needle > d/e/w; ln f/x d/l
        ? search {"patterns":["needle"],"paths":["d/e"]}
        echo > .gitignore
        echo needle >> d/l
"#,
    );
}

#[test]
fn attack_where_times_are_set() {
    check(
        r#"
        -mkdir a; echo hay > a/x; touch -d '2020-01-01' a/x a
        warm
        -echo nee > a/x; touch -d '2020-01-01' a/x a
        true
        -echo needle > $OUT/y; touch -d '2020-01-01' $OUT/y; cp -p $OUT/y a/x; touch -d 2020-01-01 a
        true
        -echo needl > a/z; touch -d '2037-01-01' a/z a
        true
        lose
        -echo needle > a/z; touch -d '2037-01-01' a/z a
        true
        lose
        -echo n > a/z; touch -d '2037-01-01' a/z a
        true
        touch -d '1960-01-01' a/z
        lose
        echo needle > a/z; touch -d '1960-01-01' a/z
"#,
    );
}

/// Lets threads change and search the tree concurrently, and asks all questions when they are done.
#[test]
fn attack_of_many_threads() {
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    for round in 0..4 {
        let tree = Remembering::new(&[("a/b/c/x.txt", "hay\n"), ("d/b/c/y.txt", "needle\n")]);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for n in 0..3_u64 {
                let (tree, stop) = (&tree, &stop);
                scope.spawn(move || {
                    let at = |path: &str| tree.dir.path().join(path);
                    let mut seed = round * 31 + n + 1;
                    while !stop.load(SeqCst) {
                        seed = seed
                            .wrapping_mul(6364136223846793005)
                            .wrapping_add(1442695040888963407);
                        let pick = (seed >> 33) as usize;
                        let dirs = ["a", "d", "a/b", "d/b", "a/b/c", "d/b/c"];
                        let (one, two) = (dirs[pick % 6], dirs[pick / 6 % 6]);
                        match pick / 36 % 8 {
                            0 | 1 => drop(std::fs::rename(at(one), at(two))),
                            2 => drop(std::fs::create_dir_all(at("a/b/c"))),
                            3 => drop(std::fs::create_dir_all(at("d/b/c"))),
                            4 => drop(std::fs::write(
                                at(one).join(".gitignore"),
                                ["x.txt", "y.txt", ""][pick / 300 % 3],
                            )),
                            5 => drop(std::fs::hard_link(
                                at(one).join("x.txt"),
                                at(two).join("y.txt"),
                            )),
                            6 => drop(std::fs::remove_file(at(one).join("y.txt"))),
                            _ => drop(std::fs::write(
                                at(one).join("x.txt"),
                                ["needle", "hay"][pick / 300 % 2],
                            )),
                        }
                        std::thread::sleep(std::time::Duration::from_micros(seed >> 54));
                    }
                });
                scope.spawn(move || {
                    while !stop.load(SeqCst) {
                        for (tool, args) in super::questions() {
                            super::reply(&tree.workspace, tool, &args);
                        }
                        if n == 2 {
                            let _ = tree.workspace.warm(&Call::new());
                        }
                    }
                });
            }
            std::thread::sleep(std::time::Duration::from_millis(500));
            stop.store(true, SeqCst);
        });
        tree.assert_all_equal(&format!("quiet {round}"));
    }
}

#[test]
fn attack_of_directories_that_vanish_unseen() {
    let files: Vec<(String, String)> =
        (0..50).map(|n| (format!("t/{n}/x.txt"), format!("text {n}\n"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let tree = Remembering::new(&files);
    let watch = |tree: &Remembering| tree.workspace.index_status().directories;
    assert_eq!(watch(&tree), 52);
    testing::discard_events(&tree.workspace);
    std::fs::remove_dir_all(tree.at("t")).expect("removed");
    testing::discard_events(&tree.workspace);
    tree.assert_all_equal("after a loss");
    assert_eq!(watch(&tree), 1);
    assert_eq!(tree.workspace.index_status().files, 0);
}

#[test]
fn attack_of_two_builders() {
    let files: Vec<(String, String)> =
        (0..200).map(|n| (format!("t/{n}.txt"), format!("text {n}\n"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let tree = Remembering::new(&files);
    for _ in 0..5 {
        for n in 0..200 {
            std::fs::write(tree.at(&format!("t/{n}.txt")), "other").expect("written");
        }
        tree.assert_all_equal("after the writes");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| tree.workspace.warm(&Call::new()).expect("built"));
            }
        });
    }
    let status = tree.workspace.warm(&Call::new()).expect("built");
    assert!(status.files <= 200, "{status:?}");
}

/// Returns the number of entries of a directory of this process in proc.
fn count(of: &str) -> usize {
    std::fs::read_dir(format!("/proc/self/{of}")).expect("proc").count()
}

#[test]
fn attack_of_workspaces_that_are_closed_early() {
    let files: Vec<(String, String)> =
        (0..300).map(|n| (format!("t/{n}/x.txt"), format!("text {n}\n"))).collect();
    let dir = tempfile::tempdir().expect("a directory");
    for (path, text) in &files {
        super::write(&dir.path().join(path), text.as_bytes());
    }
    let root = dir.path().to_str().expect("text");
    let handles_of_root = || {
        let all = std::fs::read_dir("/proc/self/fd").expect("proc");
        let links = all.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
        links.filter(|link| link.starts_with(root)).count()
    };
    for n in 0..60 {
        let workspace = super::open(dir.path(), IndexMode::Auto);
        for _ in 0..1 + n % 4 {
            super::reply(&workspace, "search", &serde_json::json!({"patterns": ["text 7"]}));
        }
        if n % 5 == 0 {
            let clone = workspace.clone();
            let warmed = std::thread::spawn(move || clone.warm(&Call::new()).map(drop));
            drop(workspace);
            warmed.join().expect("joined").expect("built");
        }
    }
    let end = std::time::Instant::now() + std::time::Duration::from_secs(5);
    while handles_of_root() > 0 && std::time::Instant::now() < end {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(handles_of_root(), 0, "{} handles, {} threads", count("fd"), count("task"));
}

#[test]
fn attack_of_files_that_change_while_they_are_indexed() {
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    let files: Vec<(String, String)> =
        (0..100).map(|n| (format!("t/{n}.txt"), format!("text {n}\n"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let tree = Remembering::new(&files);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in (0..100).cycle().take_while(|_| !stop.load(SeqCst)) {
                std::fs::write(tree.at(&format!("t/{n}.txt")), "other").expect("written");
            }
        });
        scope.spawn(|| {
            while !stop.load(SeqCst) {
                super::reply(&tree.workspace, "find", &serde_json::json!({}));
            }
        });
        for _ in 0..100 {
            tree.workspace.warm(&Call::new()).expect("built");
        }
        stop.store(true, SeqCst);
    });
    let status = tree.workspace.warm(&Call::new()).expect("built");
    // A compaction drops forgotten texts, and a segment is dropped with its last text.
    assert!(status.files <= 100, "{status:?}");
    tree.assert_all_equal("when quiet");
}

#[test]
fn attack_where_a_link_is_in_a_directory_that_no_call_has_entered() {
    check(
        r#"
        - mkdir a; echo needle > a/one; echo other > a/two; sleep 0.2
        warm
        - mkdir new
        ? search {"patterns": ["other"], "paths": ["a"]}
        - ln a/one new/link; echo needle2 >> new/link
        ? search {"patterns": ["needle2"], "paths": ["a"]}
        - mkdir -p new/deep/er
        ? search {"patterns": ["other"], "paths": ["a"]}
        ? find {"paths": ["new"], "depth": 1}
        - ln a/one new/deep/er/link; echo needle3 >> new/deep/er/link; rm new/deep/er/link
        ? search {"patterns": ["needle3"], "paths": ["a"]}
        echo needle4 >> new/link
        "#,
    );
}

/// The kernel lowers the link count of a file before it removes the name: a check at that moment must not take
/// the name for a file of its own.
#[test]
fn attack_of_links_that_vanish_while_they_are_checked() {
    write_through_links_that_vanish(60);
}

#[test]
fn long_run_attack_of_links_that_vanish_while_they_are_checked() {
    write_through_links_that_vanish(1_000);
}

fn write_through_links_that_vanish(n_rounds: usize) {
    let tree = Remembering::new(&[("a/file.txt", "0")]);
    let (file, link) = (tree.at("a/file.txt"), tree.at("link"));
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(SeqCst) {
                testing::take_events(&tree.workspace);
            }
        });
        for round in 0..n_rounds {
            fs::hard_link(&file, &link).expect("linked");
            fs::write(&link, "x".repeat(round % 90 + 2)).expect("written");
            fs::remove_file(&link).expect("removed");
            let args = json!({"globs": ["file.txt"], "details": true});
            let found = reply(&tree.workspace, "find", &args);
            let size = fs::metadata(&file).expect("there").len();
            if !found.contains(&format!("\"size\":{size},")) {
                is_over.store(true, SeqCst);
                panic!("round {round}: {found} instead of {size}");
            }
            tree.workspace.warm(&Call::new()).expect("built");
        }
        is_over.store(true, SeqCst);
    });
}
