//! Front matter: name and description of a document, between two lines of hyphens at its start.

use crate::excerpt::floor_char_boundary;
use std::borrow::Cow;

/// The parsed front matter.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FrontMatter<'a> {
    pub name: Option<Cow<'a, str>>,
    pub description: Option<Cow<'a, str>>,
    /// Start of the text after the front matter, in bytes.
    pub text_start: usize,
}

/// Maximum size of front matter. A document that begins with a line of hyphens need not have any,
/// and must not be searched to its end for the second line.
pub(super) const BYTES_MAX: usize = 64 * 1024;
/// Maximum size of a name or description; a longer one is cut.
const VALUE_BYTES_MAX: usize = 4 * 1024;

/// Reads the front matter of a document without byte order mark. Without a second line of at least
/// `hyphens_min` hyphens the document has no front matter.
pub(super) fn parse(document: &str, hyphens_min: usize) -> FrontMatter<'_> {
    let is_fence = |line: &str| is_fence(line, hyphens_min);
    let none = FrontMatter::default();
    let Some((first, mut rest)) = next_line(document) else {
        return none;
    };
    if !is_fence(first) || rest.is_empty() {
        return none;
    }
    let mut found = FrontMatter::default();
    while let Some((line, after)) = next_line(rest)
        && document.len() - rest.len() + line.len() <= BYTES_MAX
    {
        if is_fence(line) {
            found.text_start = document.len() - after.len();
            return found;
        }
        if let Some((key, value)) = entry(line) {
            let value = match block_of(value, after) {
                Some(block) => Cow::Owned(cut(&block).to_owned()),
                None => Cow::Borrowed(cut(value)),
            };
            let value = Some(value).filter(|value| !value.is_empty());
            if key.eq_ignore_ascii_case("name") {
                found.name = value;
            } else if key.eq_ignore_ascii_case("description") {
                found.description = value;
            }
        }
        rest = after;
    }
    none
}

/// Splits off the first line, without its line end.
fn next_line(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    let end = memchr::memchr(b'\n', text.as_bytes());
    let (line, after) = end.map_or((text, ""), |end| (&text[..end], &text[end + 1..]));
    Some((line.strip_suffix('\r').unwrap_or(line), after))
}

fn cut(value: &str) -> &str {
    &value[..floor_char_boundary(value, VALUE_BYTES_MAX)]
}

fn is_fence(line: &str, hyphens_min: usize) -> bool {
    let line = line.trim_end();
    line.len() >= hyphens_min && line.bytes().all(|byte| byte == b'-')
}

/// Returns the block of indented lines in `after` that YAML's `>` and `|` stand for; `>` folds its lines into one.
fn block_of(value: &str, after: &str) -> Option<String> {
    let is_literal = value.starts_with('|');
    let sign = value.strip_prefix(['>', '|'])?;
    if !sign.chars().all(|c| c.is_ascii_digit() || c == '+' || c == '-') {
        return None;
    }
    let mut block = String::new();
    let mut rest = after;
    let is_inside = |line: &str| line.is_empty() || line.starts_with([' ', '\t']);
    while let Some((line, after)) = next_line(rest).filter(|(line, _)| is_inside(line)) {
        let line = line.trim();
        let gap = if is_literal || line.is_empty() { "\n" } else { " " };
        let is_begun = !block.is_empty() && !block.ends_with('\n');
        block.push_str(if is_literal || is_begun { gap } else { "" });
        block.push_str(line);
        if block.len() > VALUE_BYTES_MAX {
            break;
        }
        rest = after;
    }
    Some(block.trim().to_owned())
}

/// Returns key and value of a line; indented lines belong to another key.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    if key.starts_with(char::is_whitespace) {
        return None;
    }
    Some((key.trim_end(), unquoted(value.trim())))
}

fn unquoted(value: &str) -> &str {
    let without = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    without('"').or_else(|| without('\'')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_descriptions() {
        for (document, name, description, text) in [
            ("---\nname: A b\n---\ntext", Some("A b"), None, "text"),
            ("---\r\nNAME: 'A'\r\nDescription: \"x: y\"\r\n---\r\nt", Some("A"), Some("x: y"), "t"),
            ("-----\nname:A\n---\n", Some("A"), None, ""),
            ("---\n---\ntext", None, None, "text"),
            ("---\nname: A\n---", Some("A"), None, ""),
            ("---\nname: A\n---\r", Some("A"), None, ""),
            ("---\nname: \"\"\nname: ''\n---\n", None, None, ""),
            ("---\nname: A\nname: B\n---\n", Some("B"), None, ""),
            ("---\nname : \"A\nauthor:\n  name: C\n---\n", Some("\"A"), None, ""),
            ("---\nname: \"\n---\n", Some("\""), None, ""),
            ("--- \nname: A\n---\t\ntext", Some("A"), None, "text"),
            ("---\nname: |\n  A\n  b\nx: y\n---\n", Some("A\nb"), None, ""),
            ("---\ndescription: >-\n  A\n  b\n\n  c\n---\n", None, Some("A b\nc"), ""),
            ("---\ndescription: >\nname: A\n---\n", Some("A"), None, ""),
            ("---\nname: > A\n---\n", Some("> A"), None, ""),
            ("---\nname: A\n--\n-- -\n---x\n----\n\n\ntext", Some("A"), None, "\n\ntext"),
        ] {
            let found = parse(document, 3);
            let found_values = (found.name.as_deref(), found.description.as_deref());
            assert_eq!(found_values, (name, description), "{document:?}");
            assert_eq!(&document[found.text_start..], text, "{document:?}");
        }
    }

    #[test]
    fn shorter_lines_of_hyphens_are_text() {
        for (document, name) in [
            ("---\nname: A\n---\ntext", None),
            ("----\nname: A\n---\ntext\n", None),
            ("----\nname: A\n---\n-----\ntext", Some("A")),
        ] {
            assert_eq!(parse(document, 4).name.as_deref(), name, "{document:?}");
        }
    }

    #[test]
    fn texts_without_front_matter() {
        for document in
            ["", "---", "---\n", "--\nname: A\n--\n", "text\n---\nname: A\n---\n", "---\nname: A\n"]
        {
            assert_eq!(parse(document, 3), FrontMatter::default(), "{document:?}");
        }
        for document in ["\n---\nname: A\n---\n", " ---\nname: A\n---\n"] {
            assert_eq!(parse(document, 3), FrontMatter::default(), "{document:?}");
        }
    }

    #[test]
    fn the_search_for_its_end_is_bounded() {
        let document = |filler: usize| format!("---\nname: A\n{}\n---\ntext", "x".repeat(filler));
        let most = BYTES_MAX - "---\nname: A\n\n---".len();
        assert_eq!(parse(&document(most), 3).name.as_deref(), Some("A"));
        assert_eq!(parse(&document(most + 1), 3), FrontMatter::default());
        let long = format!("---\nname: {}\n---\n", "é".repeat(3_000));
        assert_eq!(parse(&long, 3).name.map(|name| name.len()), Some(VALUE_BYTES_MAX));
    }
}
