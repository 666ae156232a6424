//! Masks the parts of replies that differ from call to call, before replies are compared.
//!
//! Times become 0 and cursors a fixed word, only in the places where a reply has them. All other bytes
//! must be equal.

use serde_json::Value;

/// The fields that contain a duration.
const TIMES: &[&str] = &["elapsed_us", "fd_elapsed_ms", "rg_elapsed_ms", "time_ms"];
/// The word that replaces a cursor.
pub const CURSOR: &str = "<cursor>";
/// Start of the line of `Grep` with its duration.
const TOOK: &str = "(Sorted by mtime desc. Took ";

/// Masks a reply.
pub fn mask(mut value: Value) -> Value {
    mask_in(&mut value);
    value
}

/// Masks the bytes of a reply; bytes that are not JSON stay unchanged.
pub fn mask_bytes(bytes: &[u8]) -> Vec<u8> {
    match serde_json::from_slice::<Value>(bytes) {
        Ok(value) => mask(value).to_string().into_bytes(),
        Err(_) => bytes.to_vec(),
    }
}

fn mask_in(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match (name.as_str(), &mut *field) {
                    (name, Value::Number(_)) if TIMES.contains(&name) => *field = 0.into(),
                    ("cursor", Value::String(_)) => *field = CURSOR.into(),
                    // The arguments are returned unchanged.
                    ("params_input", _) => {}
                    ("text", Value::String(text)) => *text = mask_took(text),
                    _ => mask_in(field),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask_in),
        _ => {}
    }
}

/// Masks the time in the second line of `Grep`'s text with 0.
fn mask_took(text: &str) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let masked;
    if let Some(line) = lines.get_mut(1)
        && let Some(time) = line.strip_prefix(TOOK).and_then(|rest| rest.strip_suffix("ms)"))
        && time.bytes().all(|byte| byte.is_ascii_digit())
    {
        masked = format!("{TOOK}0ms)");
        *line = &masked;
    }
    lines.join("\n")
}

/// Returns whether `value` contains all of `part`: of an object its fields, of an array each item in its
/// place and no more.
pub fn holds(value: &Value, part: &Value) -> bool {
    match (value, part) {
        (Value::Object(value), Value::Object(part)) => {
            part.iter().all(|(name, part)| value.get(name).is_some_and(|value| holds(value, part)))
        }
        (Value::Array(value), Value::Array(part)) => {
            value.len() == part.len()
                && value.iter().zip(part).all(|(value, part)| holds(value, part))
        }
        (value, part) => value == part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_times_and_cursors_are_masked() {
        let reply = json!({
            "time_ms": 85, "text": "a\n(Sorted by mtime desc. Took 85ms)\nb", "cursor": "AAA",
            "matches": [{"text": "time_ms", "elapsed_us": 7}], "total": 5,
        });
        let expected = json!({
            "time_ms": 0, "text": "a\n(Sorted by mtime desc. Took 0ms)\nb", "cursor": CURSOR,
            "matches": [{"text": "time_ms", "elapsed_us": 0}], "total": 5,
        });
        assert_eq!(mask(reply.clone()), expected);
        assert_eq!(mask_bytes(reply.to_string().as_bytes()), expected.to_string().as_bytes());
        assert_eq!(mask_bytes(b"{"), b"{");
    }

    #[test]
    fn a_partial_reply_is_compared_field_by_field() {
        let value = json!({"a": 1, "b": [{"c": 2, "d": 3}]});
        assert!(holds(&value, &json!({"b": [{"c": 2}]})));
        assert!(!holds(&value, &json!({"b": []})) && !holds(&value, &json!({"e": null})));
        assert!(!holds(&value, &json!({"b": [{"c": 3}]})));
    }
}
