//! Short expectations about replies of `find_and_grep`.

use crate::notation::expand_text;
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

/// A failed call: exactly `success`, `error`, `returncode` and `stage`, in this order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedFailure {
    /// The stage that failed: `input`, `fd` or `rg`.
    pub stage: String,
    /// The return code; anything but 0 by default.
    pub returncode: Option<i64>,
    /// Parts of the error text.
    pub says: Vec<String>,
}

impl ExpectedFailure {
    /// Describes how the reply `got` differs; `None` if it does not.
    pub fn difference(&self, got: &Value, root: &Path) -> Option<String> {
        let fields = got.as_object().map(|fields| fields.keys().map(String::as_str).collect());
        let fields: Vec<&str> = fields.unwrap_or_default();
        let text = got["error"].as_str().unwrap_or_default();
        let returncode = got["returncode"].as_i64().unwrap_or_default();
        let wrong = [
            fields != ["success", "error", "returncode", "stage"],
            got["success"] != false,
            got["stage"] != self.stage.as_str(),
            returncode == 0,
            self.returncode.is_some_and(|expected| returncode != expected),
            self.says.iter().any(|part| !text.contains(&expand_text(part, root))),
        ];
        wrong.contains(&true).then(|| format!("expected {self:?}\n     got {got}"))
    }
}

/// Describes how the results of the reply `got` differ from `expected`, one `path:line:column:content`
/// each. Paths are absolute in a reply and relative to the root here.
pub fn difference_in_hits(expected: &[String], got: &Value, root: &Path) -> Option<String> {
    let expected: Vec<String> = expected.iter().map(|hit| expand_text(hit, root)).collect();
    let results = got["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    let shown: Vec<String> = results.iter().map(|result| shown(result, root)).collect();
    let is_whole = got["success"] == true && got["count"] == expected.len();
    (!is_whole || shown != expected)
        .then(|| format!("expected {expected:#?}\n     got {shown:#?}\n      in {got}"))
}

fn shown(result: &Value, root: &Path) -> String {
    let file = result["file"].as_str().unwrap_or("no file");
    let root = expand_text("⟨root⟩", root);
    let below = Path::new(file)
        .strip_prefix(&root)
        .map_or("not below the root", |_| file[root.len()..].trim_start_matches('/'));
    let content = result["content"].as_str().unwrap_or("no content");
    format!("{below}:{}:{}:{content}", result["line_number"], result["column"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_failure_has_its_four_fields_and_no_other() {
        let root = Path::new("/r");
        let expected =
            ExpectedFailure { stage: "fd".into(), returncode: None, says: vec!["no x".into()] };
        let right = json!({"success": false, "error": "fd: no x", "returncode": 1, "stage": "fd"});
        assert_eq!(expected.difference(&right, root), None);
        for (field, value) in [
            ("success", json!(true)),
            ("error", json!("fd")),
            ("returncode", json!(0)),
            ("stage", json!("rg")),
            ("more", json!(1)),
        ] {
            let mut wrong = right.clone();
            wrong[field] = value;
            assert!(expected.difference(&wrong, root).is_some(), "{field}");
        }
    }

    #[test]
    fn hits_are_compared_one_by_one() {
        let (root, expected) = (Path::new("/r"), ["a b:1:2:x:y".to_owned()]);
        let reply = |count: u64, file: &str| {
            let result = json!({"file": file, "line_number": 1, "column": 2, "content": "x:y"});
            json!({"success": true, "count": count, "results": [result]})
        };
        assert_eq!(difference_in_hits(&expected, &reply(1, "/r/a b"), root), None);
        for wrong in [reply(2, "/r/a b"), reply(1, "a b"), reply(1, "/ra b"), reply(1, "/s/a b")] {
            assert!(difference_in_hits(&expected, &wrong, root).is_some(), "{wrong}");
        }
        assert!(difference_in_hits(&[], &reply(1, "/r/a b"), root).is_some());
    }
}
