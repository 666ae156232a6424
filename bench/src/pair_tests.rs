//! Rows with fake programs on both sides: a wrong engine gets no time.

use crate::definitions::{Corpus, Definition, Engine, Plan, Program, Setting};
use crate::pair::{Kept, Outcome, Verdict, measure};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Answers every request with `$1` and reports a time of `$2` nanoseconds.
const FAKE: &str = r#"
while IFS= read -r line; do
    file=$(printf '%s' "$line" | cut -f2)
    if [ -n "$file" ]; then printf '%s' "$1" > "$file.0"; fi
    printf '{"wall_ns":%s,"cpu_ns":%s,"peak_kib":2048}\n' "$2" "$2"
done"#;

const CASE: &str = "
title = 'x'
corpus = 'x'
case = [{ name = 'x', tool = 'search_in_files', count = 1, peers = [{ engine = 'fake', goal = 'x' }] }]";

const OURS: &str = r#"{"matches":[{"file_path":"a","line_number":1,"line_content":"x"}]}"#;

fn fake(answer: &str, took_ns: u64) -> Program {
    let words = ["sh", "-c", FAKE, "fake", answer, &took_ns.to_string()];
    Program { command: words.map(str::to_owned).to_vec(), version: String::new() }
}

fn outcome(theirs: Program, counts: bool, change: impl FnOnce(&mut Setting)) -> Outcome {
    let definition: Definition = toml::from_str(CASE).expect("the case is right");
    let engine = Engine { resident: "fake".to_owned(), command: Vec::new(), version: Vec::new() };
    let plan = Plan {
        definitions: Vec::new(),
        goals: Vec::new(),
        engines: BTreeMap::from([("fake".to_owned(), engine)]),
    };
    let directory = tempfile::tempdir().expect("a directory can be made");
    let mut setting = Setting {
        cache: directory.path().to_owned(),
        date: String::new(),
        cpu: String::new(),
        runs: 3,
        quick: false,
        names: Vec::new(),
        corpora: BTreeMap::new(),
        residents: BTreeMap::from([
            ("rust".to_owned(), fake(OURS, 10)),
            ("fake".to_owned(), theirs),
        ]),
        programs: BTreeMap::new(),
    };
    change(&mut setting);
    let corpus = Corpus { root: Some(PathBuf::from("/")), version: String::new() };
    let case = &definition.case[0];
    measure(&plan, &setting, case, &corpus, counts, &case.peers[0], &mut Kept::default())
}

#[test]
fn equal_answers_are_measured() {
    let Outcome::Measured(measured) = outcome(fake("a:1:x\n", 40), true, |_| {}) else {
        panic!("they are equal");
    };
    assert_eq!((measured.n_results, measured.wall_ratio), (1, 0.25));
    assert_eq!((measured.cpu_ratio, measured.ours.peak_mib), (0.25, 2.0));
    let goal = |must, goal| crate::definitions::Goal {
        name: "x".into(),
        must,
        goal,
        of: Default::default(),
    };
    assert_eq!(goal(0.5, 0.25).judge(&measured), Verdict::Goal);
    assert_eq!(goal(0.25, 0.2).judge(&measured), Verdict::Must);
    assert_eq!(goal(0.125, 0.1).judge(&measured), Verdict::Missed(0.125));
}

#[test]
fn a_wrong_engine_gets_no_time() {
    for wrong in ["a:1:y\n", "a:1:x\nb:1:x\n", ""] {
        let outcome = outcome(fake(wrong, 40), true, |_| {});
        assert!(matches!(&outcome, Outcome::Wrong(why) if why.contains("differ")), "{outcome:?}");
    }
}

#[test]
fn equally_wrong_replies_are_found_by_the_count() {
    let nothing = |setting: &mut Setting| {
        setting.residents.insert("rust".to_owned(), fake(r#"{"matches":[]}"#, 10));
    };
    assert!(matches!(outcome(fake("", 40), true, nothing), Outcome::Wrong(_)));
    assert!(matches!(outcome(fake("", 40), false, nothing), Outcome::Measured(_)));
}

#[test]
fn a_missing_engine_is_reported() {
    let missing = Program { command: Vec::new(), version: "not installed".to_owned() };
    let outcome = outcome(missing, true, |_| {});
    assert!(matches!(&outcome, Outcome::Missing(why) if why == "not installed"), "{outcome:?}");
}

#[test]
fn a_program_that_ends_gets_no_time() {
    let words = ["sh", "-c", "exit 1"].map(str::to_owned).to_vec();
    let outcome = outcome(Program { command: words, version: String::new() }, true, |_| {});
    assert!(matches!(outcome, Outcome::Wrong(_)), "{outcome:?}");
}
