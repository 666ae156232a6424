//! JavaScript's treatment of values, for the contract that originated there.

use serde_json::Value;

/// Trims like `String.prototype.trim`.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Returns whether JavaScript counts a character as white space or a line terminator.
fn is_space(c: char) -> bool {
    c.is_whitespace() && c != '\u{85}' || c == '\u{FEFF}'
}

/// Returns the number of UTF-16 units of a text: its `length`.
pub(crate) fn length(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Parses like `parseInt(value)`; returns `None` instead of NaN.
pub(crate) fn parse_int(value: &Value) -> Option<f64> {
    let mut value = value;
    // JavaScript converts an array to its elements with commas between them, so the first decides.
    while let Value::Array(items) = value {
        value = items.first()?;
    }
    match value {
        Value::String(text) => parse_int_of_text(text),
        Value::Number(number) => {
            let number = number.as_f64()?;
            let is_plain = number == 0.0 || (1e-6..1e21).contains(&number.abs());
            // JavaScript writes other numbers with an exponent, which ends the digits.
            if is_plain { Some(number.trunc()) } else { parse_int_of_text(&format!("{number:e}")) }
        }
        _ => None,
    }
}

fn parse_int_of_text(text: &str) -> Option<f64> {
    let text = text.trim_start_matches(is_space);
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (radix, digits) = hexadecimal.map_or((10, digits), |digits| (16, digits));
    let mut number = None;
    for digit in digits.chars().map_while(|c| c.to_digit(radix)) {
        number = Some(number.unwrap_or(0.0) * f64::from(radix) + f64::from(digit));
    }
    number.map(|number| sign * number)
}

/// Returns the default for a falsy or unreadable number, else the number within its bounds.
pub(crate) fn clamped(value: Option<&Value>, default: usize, min: usize, max: usize) -> usize {
    match value.and_then(parse_int) {
        None | Some(0.0) => default,
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it saturates, and out-of-range values exceed the bounds as well"
        )]
        Some(number) => (number as usize).clamp(min, max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers() {
        for (value, expected) in [
            (json!(25), Some(25.0)),
            (json!(-25.9), Some(-25.0)),
            (json!(0.5), Some(0.0)),
            (json!(1.5e21), Some(1.0)),
            (json!(9e-7), Some(9.0)),
            (json!("25px"), Some(25.0)),
            (json!(" \u{FEFF}+7"), Some(7.0)),
            (json!("0x1F"), Some(31.0)),
            (json!("-0x1f"), Some(-31.0)),
            (json!("1e3"), Some(1.0)),
            (json!("0x"), None),
            (json!(""), None),
            (json!("px"), None),
            (json!([30, 40]), Some(30.0)),
            (json!([["30"]]), Some(30.0)),
            (json!([]), None),
            (json!([null, 5]), None),
            (json!(true), None),
            (json!(null), None),
            (json!({}), None),
        ] {
            assert_eq!(parse_int(&value), expected, "{value}");
        }
    }

    #[test]
    fn bounds() {
        for (value, expected) in [
            (json!(5), 10),
            (json!(0), 50),
            (json!("x"), 50),
            (json!(-3), 10),
            (json!(1e20), 500),
            (json!("99999999999999999999999999"), 500),
            (json!(77.7), 77),
        ] {
            assert_eq!(clamped(Some(&value), 50, 10, 500), expected, "{value}");
        }
        assert_eq!(clamped(None, 50, 10, 500), 50);
    }

    #[test]
    fn texts() {
        assert_eq!(trim("\u{FEFF}\u{A0} a b\u{2028}\t"), "a b");
        assert_eq!(trim("\u{85}a"), "\u{85}a");
        assert_eq!((length("a한😀"), length("")), (4, 0));
    }
}
