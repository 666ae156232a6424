//! JSON in remarks: `# key: value`, indented if it does not fit into one line.
//!
//! A short value is JSON in one line. A longer array has each item, and a longer object each field,
//! on its own line, indented by two columns. A string that cannot be mistaken for JSON is written
//! without quotation marks.

use super::frame::{escape_char, needs_escape};
use serde_json::{Map, Value};
use std::fmt::Write;
use std::io;

/// An array or object of at most this many bytes of JSON is written in one line.
const INLINE_BYTES_MAX: usize = 160;
/// Deeper values are written in one line, which bounds the recursion.
const DEPTH_MAX: usize = 12;

/// Writes a field as one remark or, if it is long, as several.
pub(super) fn remark(key: &str, value: &Value, out: &mut String) {
    field(&key_text(key), value, 0, out);
}

fn field(key: &str, value: &Value, depth: usize, out: &mut String) {
    let _ = write!(out, "# {:1$}{key}", "", 2 * depth);
    if depth >= DEPTH_MAX || is_short(value) {
        out.push(' ');
        scalar(value, out);
        out.push('\n');
        return;
    }
    out.push('\n');
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                field(&key_text(key), value, depth + 1, out);
            }
        }
        Value::Array(items) => {
            for item in items {
                field("-", item, depth + 1, out);
            }
        }
        _ => {}
    }
}

fn key_text(key: &str) -> String {
    let is_plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_plain { format!("{key}:") } else { format!("{}:", json(&key.into())) }
}

/// Writes fields in one line, as `key: value; key: value`.
pub(super) fn pairs(fields: &Map<String, Value>) -> String {
    let pairs = fields.iter().map(|(key, value)| match value {
        Value::String(text) if is_word(text) => format!("{key}: {text}"),
        value => format!("{key}: {}", json(value)),
    });
    pairs.collect::<Vec<_>>().join("; ")
}

/// Returns whether a text consists of letters, digits and a few signs, and is not a JSON literal.
pub(super) fn is_word(text: &str) -> bool {
    let is_word_char = |c: char| c.is_ascii_alphanumeric() || "_-.+/=:".contains(c);
    !text.is_empty() && text.chars().all(is_word_char) && !is_json(text)
}

/// Writes a value in one line: a string as it is if it cannot be mistaken for JSON, else as JSON.
fn scalar(value: &Value, out: &mut String) {
    match value {
        Value::String(text) if is_plain(text) => out.push_str(text),
        value => out.push_str(&json(value)),
    }
}

fn is_plain(text: &str) -> bool {
    text.trim() == text
        && !text.is_empty()
        && !text.starts_with(['"', '[', '{'])
        && !text.chars().any(needs_escape)
        && !is_json(text)
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok()
}

/// Returns a value as JSON and escapes every character that could leave its line or reorder what is
/// shown. Such characters are inside strings only.
pub(super) fn json(value: &Value) -> String {
    let text = value.to_string();
    if !text.chars().any(needs_escape) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if needs_escape(c) {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// Writes a reply that could not be parsed as one remark.
pub(super) fn raw_remark(text: &str, out: &mut String) {
    out.push_str("# reply: ");
    for c in text.chars() {
        if needs_escape(c) { escape_char(c, out) } else { out.push(c) }
    }
    out.push('\n');
}

fn is_short(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty() || fits(value),
        Value::Object(fields) => fields.is_empty() || fits(value),
        _ => true,
    }
}

/// Returns whether a value fits into one line; stops serializing at its end.
fn fits(value: &Value) -> bool {
    serde_json::to_writer(Room(INLINE_BYTES_MAX), value).is_ok()
}

/// A writer that fails once it is full.
struct Room(usize);

impl io::Write for Room {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::WriteZero)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn remarks(key: &str, value: &Value) -> String {
        let mut out = String::new();
        remark(key, value, &mut out);
        out
    }

    #[test]
    fn short_values_take_one_line_and_long_ones_are_indented() {
        assert_eq!(remarks("a", &json!("some text")), "# a: some text\n");
        assert_eq!(remarks("a", &json!({"b": [1, "x"]})), "# a: {\"b\":[1,\"x\"]}\n");
        let long = "x".repeat(INLINE_BYTES_MAX);
        assert_eq!(
            remarks("a", &json!([{"b": long}, 1])),
            format!("# a:\n#   -\n#     b: {long}\n#   - 1\n")
        );
    }

    #[test]
    fn strings_that_could_be_misread_are_quoted() {
        for (text, shown) in [
            ("12", "\"12\""),
            ("true", "\"true\""),
            ("", "\"\""),
            (" a", "\" a\""),
            ("[x", "\"[x\""),
            ("a\n[complete: true]", "\"a\\n[complete: true]\""),
            ("a\u{202e}b\u{2028}", "\"a\\u202eb\\u2028\""),
        ] {
            assert_eq!(remarks("k", &json!(text)), format!("# k: {shown}\n"));
        }
        assert_eq!(remarks("a: b\n", &json!(1)), "# \"a: b\\n\": 1\n");
    }

    #[test]
    fn deep_values_end_in_one_line() {
        let long = "x".repeat(INLINE_BYTES_MAX);
        let deep = (0..100).fold(json!(long), |inner, _| json!([inner]));
        assert_eq!(remarks("a", &deep).lines().count(), DEPTH_MAX + 1);
    }
}
