//! Decoding arguments, with errors that name the parameter and the expected value.
//!
//! The checks follow the tool's own schema, so every tool refuses the same mistake in the same words.

pub(crate) mod changed;
pub(crate) mod choices;
pub(crate) mod defaults;
pub(crate) mod files;
pub(crate) mod forms;
pub(crate) mod json;
pub(crate) mod json_type;
pub(crate) mod limits;
pub(crate) mod listed;
pub(crate) mod schema;
pub(crate) mod scope;
pub(crate) mod uses;
pub(crate) mod values;

use crate::arguments::json_type::JsonType;
use searchscope::toolkit::{
    ErrorExt, suggest::SIMILAR, suggest::question, suggest::shorten, suggest::similar,
    suggest::suggestion, suggest::suggestion_of,
};
use searchscope::{Error, ErrorKind, Result};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Minimum similarity of a suggested value. Values are short and few, so they must resemble each
/// other closely.
const VALUE_SIMILAR: f64 = 0.8;
/// Up to this many values, an error lists them without a suggestion.
const VALUES_FEW: usize = 3;
/// The longest text that an error repeats inside a suggested object.
const WRAPPED_BYTES_MAX: usize = 100;

/// Refuses arguments that are not a JSON object.
pub(crate) fn refuse_other_than_object(args: &Value) -> Result<()> {
    if args.is_object() {
        return Ok(());
    }
    let message = format!("arguments must be a JSON object, got {}", kind(args));
    Err(Error::new(ErrorKind::InvalidParam, message))
}

/// Compares the arguments with the type of their object; those in `lenient` only by name.
///
/// It enters objects and lists as deep as `expected` does, however deep the arguments are.
pub(crate) fn check(expected: &JsonType, args: &Value, lenient: &[&str]) -> Result<()> {
    refuse_other_than_object(args)?;
    let no_args = Map::new();
    check_fields("", expected, args.as_object().unwrap_or(&no_args), lenient)
}

/// Removes optional parameters whose value is `null`: clients with strict schemas send it for everything that
/// they do not set.
pub(crate) fn without_nulls(expected: &JsonType, mut args: Value) -> Value {
    if let Some(fields) = args.as_object_mut() {
        let is_optional =
            |name: &String| expected.field(name).is_some() && !expected.required.contains(name);
        fields.retain(|name, value| !value.is_null() || !is_optional(name));
    }
    args
}

/// Converts checked arguments to their type.
pub(crate) fn decode<T: for<'a> Deserialize<'a>>(args: &Value) -> Result<T> {
    T::deserialize(args).map_err(|error| Error::new(ErrorKind::InvalidParam, error.to_string()))
}

/// Returns the error for a value of the wrong type.
pub(crate) fn not_of_type(name: &str, wanted: &str, value: &Value) -> Error {
    Error::invalid_param(name, wrong_type(&with_articles(&[wanted]), value))
}

fn wrong_type(wanted: &str, value: &Value) -> String {
    format!("must be {wanted}, got {}", show(value))
}

/// Returns a message that `name` is unknown, with the most similar known name and a list of all.
pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    unknown_at(what, "", name, known)
}

/// Like [`unknown`] for a name in the value at `place`. The name is a text of the caller, shortened, so no error
/// replaces it by the name of a parameter.
fn unknown_at(what: &str, place: &str, name: &str, known: &[&str]) -> String {
    let name = shorten(name);
    let nearest = similar(&name, known, SIMILAR).first().map(|&n| known[n]);
    let hint = question(nearest.as_slice());
    format!("unknown {what} '{}'; {hint}known: {}", inside(place, &name), known.join(", "))
}

/// Returns the place of the field `name` in the value at `place`; at the top, the parameter.
fn inside(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

/// Returns the error for the value at `place`. For an item of a list the parameter is the list.
fn at(place: &str, predicate: &str) -> Error {
    let (param, item) = match place.rfind('[') {
        Some(item) if place.ends_with(']') => place.split_at(item),
        _ => (place, ""),
    };
    Error::invalid_param(param, predicate).with_item(item)
}

/// Returns the error for the parameter `name` if `expected` lacks it.
pub(crate) fn unknown_parameter(expected: &JsonType, name: &str) -> Option<Error> {
    if !expected.is_closed || expected.field(name).is_some() {
        return None;
    }
    let message = unknown_at("parameter", "", name, &expected.field_names());
    Some(Error::new(ErrorKind::InvalidParam, message).with_param(name))
}

/// Compares the fields of the object at `place` with its type.
fn check_fields(
    place: &str,
    expected: &JsonType,
    fields: &Map<String, Value>,
    lenient: &[&str],
) -> Result<()> {
    let what = if place.is_empty() { "parameter" } else { "field" };
    let is_unknown = |name: &&String| expected.is_closed && expected.field(name).is_none();
    if let Some(name) = fields.keys().find(is_unknown) {
        let message = unknown_at(what, place, name, &expected.field_names());
        return Err(Error::new(ErrorKind::InvalidParam, message).with_param(inside(place, name)));
    }
    let required = expected.required.iter().map(String::as_str);
    for name in required.filter(|name| !lenient.contains(name)) {
        if !fields.contains_key(name) {
            let before = format!("missing required {what} ");
            let name = inside(place, name);
            return Err(Error::around_param(ErrorKind::InvalidParam, name, before, ""));
        }
    }
    for (name, expected) in &expected.fields {
        if lenient.contains(&name.as_str()) {
            continue;
        }
        if let Some(value) = fields.get(name) {
            check_value(&inside(place, name), expected, value)?;
        }
    }
    Ok(())
}

/// Compares the value at `place` with its type.
fn check_value(place: &str, expected: &JsonType, value: &Value) -> Result<()> {
    if !expected.choices.is_empty() {
        return check_choice(place, &expected.choices, value);
    }
    if let Some(variants) = &expected.variants {
        let variants: Vec<&str> = variants.iter().map(String::as_str).collect();
        return check_variant(place, &variants, value);
    }
    if expected.types.is_empty() {
        return Ok(());
    }
    if !is_of_types(expected, value) {
        return Err(at(place, &wrong_type(&with_articles(&types(expected)), value)));
    }
    match value {
        Value::Number(number) => {
            check_range(expected, number).map_err(|predicate| at(place, &predicate))
        }
        Value::String(text) if expected.refuses_empty && text.is_empty() => {
            Err(at(place, "must not be empty"))
        }
        Value::Array(items) => check_items(place, expected, items),
        Value::Object(fields) => check_fields(place, expected, fields, &[]),
        _ => Ok(()),
    }
}

/// Compares a value with the choice of the same type; `null` means "not given".
fn check_choice(place: &str, choices: &[JsonType], value: &Value) -> Result<()> {
    let is_null = |choice: &JsonType| choice.types == ["null"];
    let mut given = choices.iter().filter(|choice| !is_null(choice));
    let n_given = given.clone().count();
    if value.is_null() && n_given < choices.len() {
        return Ok(());
    }
    let only = if n_given == 1 { given.clone().next() } else { None };
    match only.or_else(|| given.clone().find(|choice| is_of_types(choice, value))) {
        Some(choice) => check_value(place, choice, value),
        None => {
            let wanted: Vec<&str> = given.clone().flat_map(types).collect();
            let mut predicate = wrong_type(&with_articles(&wanted), value);
            predicate.push_str(&suggestion_of(
                given.find_map(|choice| wrapped(choice, value)).as_slice(),
            ));
            Err(at(place, &predicate))
        }
    }
}

/// Returns the object that was meant by a bare `value`: one with the value as its only required field.
fn wrapped(choice: &JsonType, value: &Value) -> Option<String> {
    let [name] = &choice.required[..] else { return None };
    let (_, of_field) = choice.fields.iter().find(|(field, _)| field == name)?;
    let is_short = value.as_str().is_some_and(|text| text.len() <= WRAPPED_BYTES_MAX);
    (is_short && is_of_types(of_field, value)).then(|| format!("{{{name:?}: {value}}}"))
}

fn check_variant(place: &str, variants: &[&str], value: &Value) -> Result<()> {
    let text = value.as_str();
    if text.is_some_and(|text| variants.contains(&text)) {
        return Ok(());
    }
    let shown = text.map(shorten).unwrap_or_default();
    let near = similar(&shown, variants, VALUE_SIMILAR);
    let nearest = near.first().filter(|_| variants.len() > VALUES_FEW).map(|&n| variants[n]);
    let hint = suggestion(nearest.as_slice());
    let others = (0..variants.len()).filter(|n| !near.contains(n));
    let known: Vec<&str> = near.iter().copied().chain(others).map(|n| variants[n]).collect();
    let known = known.join(", ");
    Err(at(place, &format!("must be one of {known}, got {}{hint}", show(value))))
}

fn check_items(place: &str, expected: &JsonType, items: &[Value]) -> Result<()> {
    if expected.refuses_empty && items.is_empty() {
        return Err(at(place, "must not be empty"));
    }
    if let Some(max) = expected.items_max
        && items.len() as u64 > max
    {
        return Err(at(place, &format!("may have at most {max} items, got {}", items.len())));
    }
    let Some(of_item) = &expected.item else { return Ok(()) };
    let mut items = items.iter().enumerate();
    items.try_for_each(|(n, item)| check_value(&format!("{place}[{n}]"), of_item, item))
}

fn types(expected: &JsonType) -> Vec<&str> {
    expected.types.iter().map(String::as_str).collect()
}

fn is_of_types(expected: &JsonType, value: &Value) -> bool {
    expected.types.iter().any(|wanted| is_of_type(wanted, value))
}

fn check_range(expected: &JsonType, number: &serde_json::Number) -> Result<(), String> {
    let value = number.as_f64().unwrap_or(f64::NAN);
    if let Some(min) = expected.min
        && value < min
    {
        return Err(format!("must be at least {min}, got {number}"));
    }
    if let Some(max) = expected.max
        && value > max
    {
        return Err(format!("must be at most {max}, got {number}"));
    }
    Ok(())
}

fn is_of_type(wanted: &str, value: &Value) -> bool {
    match wanted {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

/// Returns the types in words. `null` means "not given" and need not be mentioned.
fn with_articles(types: &[&str]) -> String {
    let article = |wanted: &&str| match *wanted {
        "string" => "a string",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        "array" => "an array",
        "object" => "an object",
        _ => "null",
    };
    let shown: Vec<&str> = types.iter().filter(|name| **name != "null").map(article).collect();
    if shown.is_empty() { "null".to_owned() } else { shown.join(" or ") }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Returns a wrong value as errors show it.
pub(crate) fn show(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the string {:?}", shorten(text)),
        Value::Array(_) | Value::Object(_) => kind(value).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn expected() -> JsonType {
        let kinds = ["PATTERN", "MODULE", "FILES", "DIRECTORY"];
        let kind = json!({"oneOf": kinds.map(|kind| json!({"type": "string", "const": kind}))});
        let atom = json!({
            "type": "object",
            "properties": {
                "kind": kind,
                "urls": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
                "deep": {"type": "boolean"},
            },
            "required": ["kind"],
            "additionalProperties": false,
        });
        let program = json!({
            "type": "object",
            "properties": {"atoms": {"type": "array", "items": atom}},
            "required": ["atoms"],
            "additionalProperties": false,
        });
        let since = json!({
            "type": "object",
            "properties": {"since": {"type": "string"}},
            "required": ["since"],
        });
        JsonType::of(&json!({
            "type": "object",
            "properties": {
                "scope": {"anyOf": [{"type": "string"}, program, {"type": "null"}]},
                "changed": {"anyOf": [{"type": "boolean"}, since]},
            },
            "additionalProperties": false,
        }))
    }

    #[test]
    fn mistakes_inside_are_named_by_their_place() {
        let atoms = |atom: Value| json!({"scope": {"atoms": [{"kind": "FILES"}, atom]}});
        for (args, param, message) in [
            (
                json!({"scope": {"atom": []}}),
                "scope.atom",
                "unknown field 'scope.atom'; did you mean 'atoms'? known: atoms",
            ),
            (json!({"scope": {}}), "scope.atoms", "missing required field 'scope.atoms'"),
            (
                atoms(json!({})),
                "scope.atoms[1].kind",
                "missing required field 'scope.atoms[1].kind'",
            ),
            (
                atoms(json!({"kind": "pattern"})),
                "scope.atoms[1].kind",
                "'scope.atoms[1].kind' must be one of PATTERN, MODULE, FILES, DIRECTORY, got the \
                 string \"pattern\"; did you mean 'PATTERN'?",
            ),
            (
                atoms(json!({"kind": "FILE"})),
                "scope.atoms[1].kind",
                "'scope.atoms[1].kind' must be one of FILES, PATTERN, MODULE, DIRECTORY, got the \
                 string \"FILE\"; did you mean 'FILES'?",
            ),
            (
                atoms(json!({"kind": 5})),
                "scope.atoms[1].kind",
                "'scope.atoms[1].kind' must be one of PATTERN, MODULE, FILES, DIRECTORY, got the \
                 number 5",
            ),
            (
                atoms(json!({"kind": "FILES", "urls": ["a", 7]})),
                "scope.atoms[1].urls",
                "'scope.atoms[1].urls[1]' must be a string, got the number 7",
            ),
            (
                atoms(json!({"kind": "FILES", "urls": ["a", "b", "c"]})),
                "scope.atoms[1].urls",
                "'scope.atoms[1].urls' may have at most 2 items, got 3",
            ),
            (
                atoms(json!({"kind": "FILES", "deep": null})),
                "scope.atoms[1].deep",
                "'scope.atoms[1].deep' must be true or false, got null",
            ),
            (
                atoms(json!("x")),
                "scope.atoms",
                "'scope.atoms[1]' must be an object, got the string \"x\"",
            ),
            (
                json!({"scope": 5}),
                "scope",
                "'scope' must be a string or an object, got the number 5",
            ),
            (json!({"scope": []}), "scope", "'scope' must be a string or an object, got an array"),
        ] {
            let error = check(&expected(), &args, &[]).expect_err(message);
            assert_eq!((error.message(), error.param()), (message, Some(param)));
        }
    }

    #[test]
    fn a_bare_value_of_an_object_is_shown_in_it() {
        for (args, param, message) in [
            (
                json!({"changed": "main"}),
                "changed",
                "'changed' must be true or false or an object, got the string \"main\"; did you mean \
                 {\"since\": \"main\"}?",
            ),
            (
                json!({"changed": 5}),
                "changed",
                "'changed' must be true or false or an object, got the number 5",
            ),
        ] {
            let error = check(&expected(), &args, &[]).expect_err(message);
            assert_eq!((error.message(), error.param()), (message, Some(param)));
        }
    }

    #[test]
    fn null_for_an_optional_parameter_is_absent() {
        let expected = JsonType::of(&json!({
            "type": "object", "required": ["query"], "additionalProperties": false,
            "properties": {"query": {"type": "string"}, "path": {"type": "string"}},
        }));
        let read = |args| without_nulls(&expected, args);
        assert_eq!(read(json!({"query": "a", "path": null})), json!({"query": "a"}));
        assert_eq!(
            read(json!({"query": null, "other": null})),
            json!({"query": null, "other": null})
        );
    }

    #[test]
    fn either_choice_is_accepted_and_null_is_absent() {
        for args in [
            json!({"scope": "text"}),
            json!({"scope": {"atoms": [{"kind": "FILES", "urls": ["a"], "deep": true}]}}),
            json!({"scope": null}),
            json!({}),
        ] {
            check(&expected(), &args, &[]).unwrap_or_else(|error| panic!("{args}: {error}"));
        }
    }

    #[test]
    fn similar_values_come_nearest_first_in_any_case() {
        let known = ["AND", "OR", "PUSH_ATOM", "NOT", "PUSH"];
        assert_eq!(similar("push", &known, VALUE_SIMILAR), [4, 2]);
        assert!(similar("xyz", &known, VALUE_SIMILAR).is_empty());
    }
}
