//! Checks the oracle of the target `gitignore` against recorded verdicts of `git check-ignore`.

use super::gitignore::Naive;
use serde_json::Value;
use std::fs;
use std::path::Path;

#[test]
fn the_oracle_has_the_recorded_verdicts() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/git_verdicts.jsonl");
    let text = fs::read_to_string(path).expect("the record is there");
    let mut n_verdicts = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("a case in JSON");
        let file = case["file"].as_str().expect("an ignore file");
        let naive = Naive::new(file.as_bytes(), &[]);
        for entry in case["paths"].as_array().expect("paths") {
            let path = entry[0].as_str().expect("a path");
            let is_dir = entry[1].as_bool().expect("whether it is a directory");
            let expected = match entry[2].as_str() {
                Some("ignore") => Some(true),
                Some("include") => Some(false),
                Some("none") => None,
                verdict => panic!("{verdict:?} is not a verdict"),
            };
            assert_eq!(naive.is_ignored(path.as_bytes(), is_dir), expected, "{file:?} on {path:?}");
            n_verdicts += 1;
        }
    }
    assert!(n_verdicts > 1_000, "{n_verdicts} verdicts");
}
