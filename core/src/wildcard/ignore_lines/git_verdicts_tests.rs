//! Recorded verdicts of `git check-ignore`: ours are equal, and so are git's where it is installed. The
//! oracle of the fuzz target `gitignore` is compared with the same record.
//!
//! `SEARCHSCOPE_UPDATE=1` records them again.
#![expect(
    clippy::disallowed_methods,
    reason = "the record is a file, and how to renew it a variable"
)]

use super::differential::{Case, Random, ask_git, new_repo};
use super::{IgnoreLines, Verdict};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Number of recorded cases, each an ignore file with some paths.
const CASES: usize = 150;
const PATHS_PER_CASE: usize = 12;
const BATCH: usize = 20;
/// Some cases contain lines that cannot have git's verdicts; they are few.
const VERDICTS_MIN: usize = 1_000;

#[test]
fn the_record_holds() {
    if std::env::var_os("SEARCHSCOPE_UPDATE").is_some() {
        record();
    }
    let (mut n_verdicts, mut n_decided) = (0, 0);
    for (case, verdicts) in recorded() {
        let (lines, problems) = IgnoreLines::parse(&case.file, &mut || true);
        for ((path, is_dir), expected) in case.paths.iter().zip(verdicts) {
            let shown = || {
                let (file, path) =
                    (String::from_utf8_lossy(&case.file), String::from_utf8_lossy(path));
                format!("{file:?} on {path:?} (directory: {is_dir})")
            };
            if problems.is_empty() {
                let ours = lines.as_ref().map(|lines| lines.verdict_with_parents(path, *is_dir));
                assert_eq!(ours.unwrap_or(Verdict::None), expected, "{}", shown());
                n_verdicts += 1;
                n_decided += usize::from(expected != Verdict::None);
            }
        }
    }
    assert!(
        n_verdicts > VERDICTS_MIN && n_decided * 12 > n_verdicts,
        "{n_decided} of {n_verdicts}"
    );
}

#[test]
fn git_says_what_was_recorded() {
    let Some(repo) = new_repo() else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: recorded verdicts: git is not installed");
        return;
    };
    let (cases, verdicts): (Vec<Case>, Vec<Vec<Verdict>>) = recorded().into_iter().unzip();
    for (cases, expected) in cases.chunks(BATCH).zip(verdicts.chunks(BATCH)) {
        assert_eq!(ask_git(repo.path(), cases), expected);
    }
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/git_verdicts.jsonl")
}

/// One line of JSON per case: the ignore file, and its paths, each with whether it is a directory and git's
/// verdict.
fn recorded() -> Vec<(Case, Vec<Verdict>)> {
    let text = fs::read_to_string(file()).expect("the record is there");
    text.lines().map(|line| read(line).expect("a case in JSON")).collect()
}

fn read(line: &str) -> Option<(Case, Vec<Verdict>)> {
    let case: Value = serde_json::from_str(line).ok()?;
    let (mut paths, mut verdicts) = (Vec::new(), Vec::new());
    for path in case["paths"].as_array()? {
        paths.push((path[0].as_str()?.as_bytes().to_vec(), path[1].as_bool()?));
        verdicts.push(match path[2].as_str()? {
            "ignore" => Verdict::Ignore,
            "include" => Verdict::Include,
            "none" => Verdict::None,
            _ => return None,
        });
    }
    let file = case["file"].as_str()?.as_bytes().to_vec();
    Some((Case { file, paths }, verdicts))
}

fn record() {
    let repo = new_repo().expect("git is needed to record its verdicts");
    let mut random = Random(0x0916);
    let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
    let mut cases = Vec::new();
    while cases.len() < CASES {
        let mut case = random.case();
        case.paths.retain(|(path, _)| is_text(path));
        case.paths.truncate(PATHS_PER_CASE);
        // A removed directory may have been the parent of another path.
        if is_text(&case.file) && !case.paths.is_empty() {
            cases.push(case);
        }
    }
    let mut text = String::new();
    for batch in cases.chunks(BATCH) {
        for (case, verdicts) in batch.iter().zip(ask_git(repo.path(), batch)) {
            let paths: Vec<Value> = case
                .paths
                .iter()
                .zip(verdicts)
                .map(|((path, is_dir), verdict)| {
                    let verdict = match verdict {
                        Verdict::Ignore => "ignore",
                        Verdict::Include => "include",
                        Verdict::None => "none",
                    };
                    json!([String::from_utf8_lossy(path), is_dir, verdict])
                })
                .collect();
            let line = json!({ "file": String::from_utf8_lossy(&case.file), "paths": paths });
            text.push_str(&format!("{line}\n"));
        }
    }
    fs::write(file(), text).expect("written");
}
