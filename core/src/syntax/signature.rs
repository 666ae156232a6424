//! The signature of a definition: its first line, up to its body.

use std::fmt::Write;

/// Maximum number of bytes that are read, and of characters that are returned.
const BYTES_MAX: usize = 600;
const CHARS_MAX: usize = 160;

/// Returns the line with the name at `name_start` up to the body of the definition, such as
/// `pub fn open(root: &Path) -> Result<Workspace>`. Parameters that continue on further lines are included, runs of
/// white space become one blank, and a long signature is cut and ends in `…`.
pub(crate) fn signature(text: &[u8], name_start: usize) -> String {
    let before = &text[..name_start.min(text.len())];
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    // The beginning of a minified line belongs to other definitions.
    let start = start.max(before.len().saturating_sub(CHARS_MAX / 2));
    let rest = &text[start..];
    let rest = &rest[..rest.len().min(BYTES_MAX)];
    let end = end_of(rest, before.len() - start);
    shortened(&String::from_utf8_lossy(&rest[..end]))
}

/// Returns the offset at which the signature ends: at a body after the name, or at the end of a line in which no
/// parameter list is open.
///
/// Only round and square brackets count: angle brackets may compare. A bracket in a literal may join lines that do
/// not belong together, at most [`BYTES_MAX`].
fn end_of(text: &[u8], name_at: usize) -> usize {
    let mut n_open = 0_usize;
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'(' | b'[' => n_open += 1,
            b')' | b']' => n_open = n_open.saturating_sub(1),
            b'\n' if n_open == 0 => return at,
            b'{' if n_open == 0 && at > name_at && !is_type(text, at) => return at,
            _ => {}
        }
    }
    text.len()
}

/// Returns whether the brace at `at` belongs to a type such as `interface{}` of Go.
fn is_type(text: &[u8], at: usize) -> bool {
    let is_attached = at > 0 && text[at - 1].is_ascii_alphabetic();
    is_attached && text.get(at + 1) == Some(&b'}')
}

/// Returns the text in one line, without what leads to the body, cut to the maximum length.
fn shortened(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let is_closing = word.starts_with([')', ']']);
        if is_closing && line.ends_with(',') {
            line.pop();
        }
        let is_inner = line.is_empty() || line.ends_with(['(', '[']) || is_closing;
        let _ = write!(line, "{}{word}", if is_inner { "" } else { " " });
    }
    let line = line.trim_end_matches(['{', ':', ',', ';', ' ']);
    let line = line.strip_suffix("=>").or_else(|| line.strip_suffix('=')).unwrap_or(line);
    let line = line.trim_end();
    match line.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the signature of the definition of `name`.
    fn of(text: &str, name: &str) -> String {
        signature(text.as_bytes(), text.find(name).expect(name))
    }

    #[test]
    fn a_signature_ends_before_the_body() {
        for (text, expected) in [
            ("x\n    pub fn name(&self) -> u8 {\n", "pub fn name(&self) -> u8"),
            ("def name(self):\n    pass\n", "def name(self)"),
            ("const name: u8 = 1;\n", "const name: u8 = 1"),
            ("export const name = (a) => {\n", "export const name = (a)"),
            ("class name extends Base { a = 1 }\n", "class name extends Base"),
            (
                "func name(a map[string]int) interface{} {\n",
                "func name(a map[string]int) interface{}",
            ),
            ("void name(struct { int a; } b)\n{\n", "void name(struct { int a; } b)"),
            ("struct name", "struct name"),
            ("pub struct name<T> where T: Copy {\r\n", "pub struct name<T> where T: Copy"),
        ] {
            assert_eq!(of(text, "name"), expected, "{text}");
        }
    }

    #[test]
    fn parameters_on_further_lines_belong_to_a_signature() {
        let text = "fn name(\n    root: &Path,\n    options: &[\n        u8\n    ],\n) -> Result<()> {\n    a()\n}\n";
        assert_eq!(of(text, "name"), "fn name(root: &Path, options: &[u8]) -> Result<()>");
        assert_eq!(of("name(\n", "name"), "name(");
    }

    #[test]
    fn a_signature_is_bounded_and_valid_text() {
        let long = of(&format!("fn name({})", "é: u8, ".repeat(500)), "name");
        assert_eq!(long.chars().count(), CHARS_MAX + 1);
        assert!(long.ends_with('…'), "{long}");
        let minified = format!("{}function name(a){{}}", "x();".repeat(10_000));
        assert!(of(&minified, "name").ends_with("function name(a)"));
        assert_eq!(signature(b"fn a\xff(", 3), "fn a\u{fffd}(");
        assert_eq!(signature(b"a", 9), "a");
        assert_eq!(signature(b"", 0), "");
    }
}
