//! Line endings, and the text of lines.

/// Returns the text of a line: without its `\n` or `\r\n`.
pub(crate) fn text_of(line: &[u8]) -> &[u8] {
    match line.strip_suffix(b"\n") {
        Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
        None => line,
    }
}

/// Converts bytes for people and for JSON: U+FFFD replaces anything that is not UTF-8.
pub fn to_text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_not_text() {
        for (line, expected) in [
            ("a\n", "a"),
            ("a\r\n", "a"),
            ("a", "a"),
            ("a\r", "a\r"),
            ("\n", ""),
            ("a\n\n", "a\n"),
            ("a\rb\n", "a\rb"),
        ] {
            assert_eq!(text_of(line.as_bytes()), expected.as_bytes(), "{line:?}");
        }
    }
}
