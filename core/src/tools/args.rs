//! Arguments: from bytes to a type, with errors that name the parameter and what would be right.
//!
//! The checks follow the tool's own schema, so every tool refuses the same mistake in the same words.

use crate::error::{Error, ErrorKind, Result};
use serde::Deserialize;
use serde_json::{Map, Value};

/// A name that is at least this similar is worth suggesting.
const SIMILAR: f64 = 0.7;
/// More of a wrong value is not shown.
const SHOWN_CHARS_MAX: usize = 60;

/// Reads the bytes as one JSON value.
pub(super) fn parse(bytes: &[u8]) -> Result<Value> {
    serde_json::from_slice(bytes).map_err(|error| {
        Error::new(ErrorKind::InvalidParam, format!("arguments are not valid JSON: {error}"))
    })
}

/// Refuses arguments that are not named.
pub(super) fn refuse_other_than_object(args: &Value) -> Result<()> {
    if args.is_object() {
        return Ok(());
    }
    let message = format!("arguments must be a JSON object, got {}", kind(args));
    Err(Error::new(ErrorKind::InvalidParam, message))
}

/// Holds the arguments against the schema of their object; those that are `lenient` only by name.
pub(super) fn check(schema: &Value, args: &Value, lenient: &[&str]) -> Result<()> {
    refuse_other_than_object(args)?;
    let no_args = Map::new();
    let args = args.as_object().unwrap_or(&no_args);
    let none = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none);
    for name in args.keys() {
        if !properties.contains_key(name) {
            let known: Vec<&str> = properties.keys().map(String::as_str).collect();
            return Err(Error::invalid_param(name, unknown("parameter", name, &known)));
        }
    }
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    for name in required.filter(|name| !lenient.contains(name)) {
        if !args.contains_key(name) {
            return Err(Error::invalid_param(name, format!("missing required parameter '{name}'")));
        }
    }
    for (name, schema) in properties {
        if lenient.contains(&name.as_str()) {
            continue;
        }
        if let Some(value) = args.get(name) {
            check_value(name, schema, value)
                .map_err(|message| Error::invalid_param(name, message))?;
        }
    }
    Ok(())
}

/// Turns checked arguments into their type.
pub(super) fn decode<T: for<'a> Deserialize<'a>>(args: &Value) -> Result<T> {
    T::deserialize(args).map_err(|error| Error::new(ErrorKind::InvalidParam, error.to_string()))
}

/// The error for a value that is of another type than it should be.
pub(super) fn not_of_type(name: &str, wanted: &str, value: &Value) -> Error {
    Error::invalid_param(name, wrong_type(name, wanted, value))
}

fn wrong_type(name: &str, wanted: &str, value: &Value) -> String {
    format!("'{name}' must be {}, got {}", with_article(wanted), show(value))
}

/// Says that `name` is unknown, which one was probably meant, and which there are.
pub(super) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let nearest = known
        .iter()
        .map(|known| (strsim::jaro_winkler(known, name), known))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .max_by(|(a, _), (b, _)| a.total_cmp(b));
    let hint = nearest.map_or(String::new(), |(_, known)| format!("did you mean '{known}'? "));
    let name = shorten(name);
    format!("unknown {what} '{name}'; {hint}known: {}", known.join(", "))
}

/// Holds one value against its schema; the message names `name`, or the element in it.
fn check_value(name: &str, schema: &Value, value: &Value) -> Result<(), String> {
    // A choice between a type and `null`, which stands for "not given".
    if let Some([choice, other]) = schema["anyOf"].as_array().map(Vec::as_slice)
        && other["type"] == "null"
    {
        return if value.is_null() { Ok(()) } else { check_value(name, choice, value) };
    }
    if let Some(variants) = variants(schema) {
        if value.as_str().is_some_and(|value| variants.contains(&value)) {
            return Ok(());
        }
        return Err(format!(
            "'{name}' must be one of {}, got {}",
            variants.join(", "),
            show(value)
        ));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => return Ok(()),
    };
    if !types.iter().any(|wanted| is_of_type(wanted, value)) {
        // `null` stands for "not given" and need not be advertised.
        let wanted = types.iter().find(|wanted| **wanted != "null").copied().unwrap_or("null");
        return Err(wrong_type(name, wanted, value));
    }
    match value {
        Value::Number(number) => check_range(name, schema, number),
        Value::String(text) => {
            if schema["minLength"].as_u64() == Some(1) && text.is_empty() {
                return Err(format!("'{name}' must not be empty"));
            }
            Ok(())
        }
        Value::Array(items) => {
            if schema["minItems"].as_u64() == Some(1) && items.is_empty() {
                return Err(format!("'{name}' must not be empty"));
            }
            let mut items = items.iter().enumerate();
            items.try_for_each(|(n, item)| {
                check_value(&format!("{name}[{n}]"), &schema["items"], item)
            })
        }
        _ => Ok(()),
    }
}

fn check_range(name: &str, schema: &Value, number: &serde_json::Number) -> Result<(), String> {
    let value = number.as_f64().unwrap_or(f64::NAN);
    if let Some(min) = schema["minimum"].as_f64()
        && value < min
    {
        return Err(format!("'{name}' must be at least {min}, got {number}"));
    }
    if let Some(max) = schema["maximum"].as_f64()
        && value > max
    {
        return Err(format!("'{name}' must be at most {max}, got {number}"));
    }
    Ok(())
}

/// The values of an enum of strings.
fn variants(schema: &Value) -> Option<Vec<&str>> {
    if let Some(values) = schema["enum"].as_array() {
        return Some(values.iter().filter_map(Value::as_str).collect());
    }
    // With a description for each value, an enum becomes a choice of constants.
    let choices = schema["oneOf"].as_array()?;
    choices.iter().map(|choice| choice["const"].as_str()).collect()
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

fn with_article(wanted: &str) -> &'static str {
    match wanted {
        "string" => "a string",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        "array" => "an array",
        "object" => "an object",
        _ => "null",
    }
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

/// A wrong value, as the error shows it.
fn show(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the string {:?}", shorten(text)),
        Value::Array(_) | Value::Object(_) => kind(value).to_owned(),
    }
}

/// A text as errors show it, cut when it is long.
pub(super) fn shorten(text: &str) -> String {
    let mut chars = text.chars();
    let mut short: String = chars.by_ref().take(SHOWN_CHARS_MAX).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    short
}
