//! Lines of bytes: where they end, and their text.

/// The text of a line: without its `\n` or `\r\n`.
pub(crate) fn text_of(line: &[u8]) -> &[u8] {
    match line.strip_suffix(b"\n") {
        Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
        None => line,
    }
}

/// Text for people and for JSON: bytes that are not UTF-8 become U+FFFD.
pub(crate) fn to_text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_no_text() {
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
