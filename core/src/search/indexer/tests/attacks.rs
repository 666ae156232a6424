//! Scripts that change a tree in ways meant to deceive the index.
//!
//! Each line of a script is a shell command in the root, after which every question is asked; a line
//! that begins with `-` is one after which none is. `?` asks one question: a tool and its arguments.

use super::Remembering;
use serde_json::Value;
use std::process::Command;

fn check(name: &str, script: &str) {
    let tree = Remembering::new(&[]);
    let mut is_warm = false;
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let when = format!("{name}: {line}");
        if let Some(question) = line.strip_prefix('?') {
            let (tool, args) = question.trim().split_once(' ').expect("a tool and arguments");
            let args: Value = serde_json::from_str(args).expect("arguments");
            tree.assert_equal(tool, &args, &when);
            continue;
        }
        if line == "warm" {
            tree.workspace.warm(&crate::Call::new()).expect("built");
            is_warm = true;
            continue;
        }
        if line == "lose" {
            tree.index().lose_events();
            continue;
        }
        let command = line.strip_prefix('-');
        let status = Command::new("sh")
            .args(["-c", command.unwrap_or(line)])
            .current_dir(tree.dir.path())
            .status();
        assert!(status.expect("a shell").success(), "{when}");
        if is_warm && command.is_none() {
            tree.assert_all_equal(&when);
        }
    }
}

#[test]
fn dev() {
    let Ok(path) = std::env::var("ATTACKS") else { return };
    let all = std::fs::read_to_string(path).expect("scripts");
    let mut failed = 0;
    for script in all.split("== ").skip(1) {
        let (name, script) = script.split_once('\n').expect("a name");
        let result = std::panic::catch_unwind(|| check(name, script));
        println!("{} {name}", if result.is_ok() { "ok  " } else { "FAIL" });
        failed += usize::from(result.is_err());
    }
    assert_eq!(failed, 0);
}

/// Lets `n` threads change and search the tree at once, then asks everything when they are quiet.
#[test]
fn attack_of_many_threads() {
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    let secs = std::env::var("SECS").map_or(3, |secs| secs.parse().expect("a number"));
    for round in 0..secs * 2 {
        let tree = Remembering::new(&[("a/b/c/x.txt", "hay\n"), ("d/b/c/y.txt", "needle\n")]);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for n in 0..3_u64 {
                let (tree, stop) = (&tree, &stop);
                scope.spawn(move || {
                    let at = |path: &str| tree.dir.path().join(path);
                    let mut seed = round * 31 + n + 1;
                    while !stop.load(SeqCst) {
                        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                        let pick = (seed >> 33) as usize;
                        let dirs = ["a", "d", "a/b", "d/b", "a/b/c", "d/b/c"];
                        let (one, two) = (dirs[pick % 6], dirs[pick / 6 % 6]);
                        match pick / 36 % 8 {
                            0 | 1 => drop(std::fs::rename(at(one), at(two))),
                            2 => drop(std::fs::create_dir_all(at("a/b/c"))),
                            3 => drop(std::fs::create_dir_all(at("d/b/c"))),
                            4 => drop(std::fs::write(at(one).join(".gitignore"), ["x.txt", "y.txt", ""][pick / 300 % 3])),
                            5 => drop(std::fs::hard_link(at(one).join("x.txt"), at(two).join("y.txt"))),
                            6 => drop(std::fs::remove_file(at(one).join("y.txt"))),
                            _ => drop(std::fs::write(at(one).join("x.txt"), ["needle", "hay"][pick / 300 % 2])),
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
                            let _ = tree.workspace.warm(&crate::Call::new());
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
    tree.index().discard_events();
    std::fs::remove_dir_all(tree.at("t")).expect("removed");
    tree.index().discard_events();
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
                scope.spawn(|| tree.workspace.warm(&crate::Call::new()).expect("built"));
            }
        });
    }
    let status = tree.workspace.warm(&crate::Call::new()).expect("built");
    assert!(status.files <= 200, "{status:?}");
}
