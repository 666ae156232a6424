//! Conversion of arguments with other names and shapes to the form of the contract.
//!
//! Agents know a concept by its names in other tools (`query` for `patterns`, `path` for `paths`),
//! pass a string for a list of strings or for a number, and the empty string for none of some
//! values. All are accepted where they are unambiguous: a tool lists the other names of its parameters, and a parameter of its own takes precedence over
//! another name for a different one. A parameter under two names is refused, because one of the
//! values would be dropped in silence. The conversion precedes the checks, so these and the tool
//! see one form.

use crate::arguments::json::{self, Fault};
use crate::arguments::json_type::JsonType;
use searchscope::toolkit::ErrorExt;
use searchscope::{Error, ErrorKind, Result};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Names of the text to search for.
pub(crate) const TEXT: &[&str] = &["query", "q", "pattern", "patterns"];
/// Names of the directory or file to search.
pub(crate) const PLACE: &[&str] = &["path", "paths", "in", "directory", "dir"];
/// Names of the files to read.
pub(crate) const FILE: &[&str] = &["path", "paths", "file", "files"];
/// Names of the globs that choose files.
pub(crate) const GLOBS: &[&str] = &["globs", "glob", "files", "file_pattern", "include"];

/// Names of the maximum number of results.
pub(crate) const LIMIT: &[&str] = &["limit", "max_results", "max_count", "head_limit"];
/// Names of the time that a call may take, in milliseconds.
pub(crate) const TIME: &[&str] = &["timeout_ms"];
/// Names of the case of letters, with the value that `true` means.
pub(crate) const CASE: &[&str] = &["ignore_case", "case_insensitive", "case_sensitive"];
/// The parameter that limits files, where a tool has another one for matches.
const FILES_MAX: &str = "files_max";

/// Advice of tools whose scope determines the place.
pub(crate) const NO_PLACE: &[(&str, &str)] = &[("path", BY_SCOPE), ("paths", BY_SCOPE)];
const BY_SCOPE: &str = "'scope' selects the files to search, as in \"directory:src\"";

/// Advice of tools that limit the size of their replies.
pub(crate) const BY_SIZE: &str = "'bytes_max' limits the reply, and 'page' continues it";

/// A parameter, and the other names that callers use for it.
pub(crate) type OtherNames = (&'static str, &'static [&'static str]);

/// The names and shapes that a tool accepts besides those of its contract.
#[derive(Debug)]
pub(crate) struct Rules {
    pub names: &'static [OtherNames],
    /// Names that may mean something else, with advice for the caller.
    pub advice: &'static [(&'static str, &'static str)],
    /// Whole numbers that may be written as text.
    pub numbers: &'static [&'static str],
    /// Parameters whose values only the tool checks.
    pub as_given: &'static [&'static str],
}

/// Returns the parameter for which `name` is another name, unless it is a parameter itself. Of several it is the
/// first, or the one for files if the call is `about_files`.
pub(crate) fn parameter_of(
    expected: &JsonType,
    names: &[OtherNames],
    name: &str,
    about_files: bool,
) -> Option<&'static str> {
    if expected.field(name).is_some() {
        return None;
    }
    let mut params = names.iter().filter(|(_, others)| others.contains(&name));
    let first = params.next().map(|(param, _)| *param);
    let of_files = params.map(|(param, _)| *param).find(|param| *param == FILES_MAX);
    of_files.filter(|_| about_files).or(first)
}

/// Returns the arguments with the names and shapes of the contract.
///
/// # Errors
///
/// `invalid_param` for a parameter under two names, and for a string instead of an object that
/// cannot be parsed as one.
pub(crate) fn in_contract_form(expected: &JsonType, rules: &Rules, args: Value) -> Result<Value> {
    let Value::Object(fields) = args else { return Ok(args) };
    let mut read = Map::new();
    let mut written: BTreeMap<String, String> = BTreeMap::new();
    let about_files = fields.get("mode").is_some_and(|mode| mode == "files");
    for (name, value) in fields {
        let param = parameter_of(expected, rules.names, &name, about_files);
        let param = param.unwrap_or(&name).to_owned();
        let value = of_choice(&param, &name, value);
        if let Some(first) = written.get(&param) {
            return Err(given_twice(&param, first, &name, rules.advice));
        }
        let is_judged = rules.as_given.contains(&param.as_str());
        if !is_judged && value == "" && is_left_open(expected, &param) {
            continue;
        }
        let value = match expected.field(&param) {
            Some(_) if rules.numbers.contains(&param.as_str()) => as_number(value),
            Some(expected) if !is_judged => shaped(expected, &param, value)?,
            _ => value,
        };
        read.insert(param.clone(), value);
        written.insert(param, name);
    }
    Ok(Value::Object(read))
}

/// Converts the ways to choose a case of letters or an order that other tools have, and a switch for all uses.
fn of_choice(param: &str, name: &str, value: Value) -> Value {
    match (param, &value) {
        ("case", Value::Bool(is_set)) if CASE.contains(&name) => {
            let is_sensitive = *is_set == (name == "case_sensitive");
            Value::from(if is_sensitive { "sensitive" } else { "insensitive" })
        }
        ("uses", Value::Bool(true)) => Value::from(vec!["any"]),
        ("uses", Value::Bool(false)) => Value::Null,
        ("order", Value::String(order)) if order == "newest" || order == "modified" => {
            Value::from("mtime")
        }
        _ => value,
    }
}

/// Returns whether the empty text says that the caller chooses none of the values of an optional parameter.
fn is_left_open(expected: &JsonType, param: &str) -> bool {
    let is_optional = !expected.required.iter().any(|name| name == param);
    is_optional && expected.field(param).is_some_and(JsonType::is_choice)
}

/// Returns the error for a parameter under the names `a` and `b`.
fn given_twice(param: &str, a: &str, b: &str, advice: &[(&str, &str)]) -> Error {
    let (first, other) = if b == param { (b, a) } else { (a, b) };
    let advice = advice.iter().find(|(about, _)| *about == other);
    let advice = advice.map_or(String::new(), |(_, advice)| format!("; {advice}"));
    let before = format!("'{first}' and ");
    let after = format!(" both mean '{param}' here; give '{param}' alone{advice}");
    Error::around_param(ErrorKind::InvalidParam, other, before, after)
}

/// Converts text with a whole number.
fn as_number(value: Value) -> Value {
    let number = value.as_str().and_then(|text| text.trim().parse::<u64>().ok());
    number.map_or(value, Value::from)
}

/// Converts one value to the expected type if its own type is unambiguous.
fn shaped(expected: &JsonType, param: &str, value: Value) -> Result<Value> {
    match value {
        Value::String(text) if expected.takes("object") && text.trim_start().starts_with('{') => {
            object_of(param, &text)
        }
        Value::String(text) if !expected.takes("string") && expected.takes_texts() => {
            Ok(Value::Array(vec![Value::String(text)]))
        }
        Value::Array(mut items) if items.len() == 1 && items[0].is_string() => {
            let wants_text = expected.takes("string") && !expected.takes("array");
            Ok(if wants_text { items.remove(0) } else { Value::Array(items) })
        }
        value => Ok(value),
    }
}

/// Parses an object that the caller wrote as a string.
fn object_of(param: &str, text: &str) -> Result<Value> {
    json::read(text.as_bytes(), &|_| None).map_err(|fault| {
        let why = match fault {
            Fault::Syntax(error) => format!("not valid JSON: {error}"),
            Fault::Refused(error) => error.message().to_owned(),
        };
        Error::invalid_param(param, format!("begins like a JSON object: {why}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn expected() -> JsonType {
        let text = json!({"type": "string"});
        JsonType::of(&json!({"properties": {
            "patterns": {"type": "array", "items": text},
            "kinds": {"type": ["array", "null"], "items": {"oneOf": [{"type": "string", "const": "A"}]}},
            "numbers": {"type": "array", "items": {"type": "integer"}},
            "path": {"type": ["string", "null"]},
            "as_given": {"type": "string"},
            "glob": {"type": "boolean"},
            "case": {"enum": ["smart", "sensitive", "insensitive"]},
            "order": {"enum": ["path", "mtime"]},
            "mode": {"enum": ["lines", "files"]},
            "matches_max": {"type": "integer"},
            "files_max": {"type": "integer"},
            "page": {"type": ["integer", "null"]},
            "only": {"anyOf": [{"enum": ["names", "files"]}, {"type": "null"}]},
            "scope": {"anyOf": [{"anyOf": [text, {"type": "object"}]}, {"type": "null"}]},
        }}))
    }

    const RULES: Rules = Rules {
        names: &[
            ("patterns", TEXT),
            ("path", PLACE),
            ("globs", GLOBS),
            ("case", CASE),
            ("matches_max", LIMIT),
            ("files_max", LIMIT),
        ],
        advice: &[("pattern", "'names' are others")],
        numbers: &["page"],
        as_given: &["as_given"],
    };

    fn read(args: Value) -> Result<Value> {
        in_contract_form(&expected(), &RULES, args)
    }

    #[test]
    fn other_names_and_shapes_are_normalized() {
        for (args, expected) in [
            (json!({"query": "a"}), json!({"patterns": ["a"]})),
            (json!({"q": ["a", "b"]}), json!({"patterns": ["a", "b"]})),
            (json!({"pattern": "a", "dir": "b"}), json!({"patterns": ["a"], "path": "b"})),
            (json!({"paths": ["b"]}), json!({"path": "b"})),
            (json!({"kinds": "A"}), json!({"kinds": ["A"]})),
            (json!({"ignore_case": true}), json!({"case": "insensitive"})),
            (json!({"case_insensitive": false}), json!({"case": "sensitive"})),
            (json!({"case_sensitive": true}), json!({"case": "sensitive"})),
            (json!({"ignore_case": "yes"}), json!({"case": "yes"})),
            (json!({"order": "newest"}), json!({"order": "mtime"})),
            (json!({"limit": 3}), json!({"matches_max": 3})),
            (json!({"limit": 3, "mode": "files"}), json!({"files_max": 3, "mode": "files"})),
            (json!({"scope": ["tests"]}), json!({"scope": "tests"})),
            (json!({"scope": "{\"atoms\": []}"}), json!({"scope": {"atoms": []}})),
            // The checks follow the conversion and judge all of these.
            (json!({"paths": ["b", "c"]}), json!({"path": ["b", "c"]})),
            (json!({"paths": []}), json!({"path": []})),
            (json!({"paths": [1]}), json!({"path": [1]})),
            (json!({"numbers": "1"}), json!({"numbers": "1"})),
            (json!({"glob": "*.rs"}), json!({"glob": "*.rs"})),
            (json!({"page": "2"}), json!({"page": 2})),
            (json!({"page": "two"}), json!({"page": "two"})),
            (json!({"only": ""}), json!({})),
            (json!({"only": "all"}), json!({"only": "all"})),
            (json!({"path": ""}), json!({"path": ""})),
            (json!({"glob": ["*.rs"]}), json!({"glob": ["*.rs"]})),
            (json!({"other": ["a"]}), json!({"other": ["a"]})),
            (json!({"as_given": ["a"]}), json!({"as_given": ["a"]})),
            (json!({"path": "{a}"}), json!({"path": "{a}"})),
            (json!(["a"]), json!(["a"])),
        ] {
            assert_eq!(read(args.clone()).unwrap_or_else(|e| panic!("{args}: {e}")), expected);
        }
    }

    #[test]
    fn two_names_of_one_parameter_are_refused() {
        for (args, param, message) in [
            (
                json!({"patterns": ["a"], "query": "b"}),
                "query",
                "'patterns' and 'query' both mean 'patterns' here; give 'patterns' alone",
            ),
            (
                json!({"q": "a", "query": "a"}),
                "query",
                "'q' and 'query' both mean 'patterns' here; give 'patterns' alone",
            ),
            (
                json!({"pattern": "b", "patterns": ["a"]}),
                "pattern",
                "'patterns' and 'pattern' both mean 'patterns' here; give 'patterns' alone; 'names' \
                 are others",
            ),
        ] {
            let error = read(args).expect_err(message);
            assert_eq!((error.message(), error.param()), (message, Some(param)));
        }
    }

    #[test]
    fn an_object_as_text_is_read_once_and_within_bounds() {
        let error = |text: String| read(json!({ "scope": text })).expect_err("no object");
        assert!(error("{\"a\": 1, \"a\": 2}".to_owned()).message().contains("duplicate key"));
        let deep = error(format!("{{\"a\": {}", "[".repeat(200_000)));
        assert_eq!(deep.param(), Some("scope"));
        assert!(deep.message().starts_with("'scope' begins like a JSON object: "), "{deep}");
    }
}
