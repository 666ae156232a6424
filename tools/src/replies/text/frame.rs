//! The frame of replies as text: headings, rows and the last line, which no file's content can
//! imitate.
//!
//! Every line of a text has exactly one kind, which its first bytes identify:
//!
//! | first bytes | kind |
//! | --- | --- |
//! | `>`, ` ` or `-`, digits | a row: a definition, a matching line, a context line |
//! | `[` | the last line: totals, completeness and the next step |
//! | `# ` | a remark of the engine |
//! | anything else | the heading of a file: its path, and after a tab its properties |
//!
//! With `uses`, those of its matches follow the number of a row: ` 12 call: run();`. Content follows the colon, on
//! the same line, with control characters escaped. A path that could be mistaken for another kind of line is
//! written as a JSON string. A line of a file that looks like a heading, a total or an instruction thus stays
//! visibly content.

use std::fmt::Write;

/// The kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A line with a definition of the query.
    Definition,
    /// A matching line, or a line of a file that was read.
    Match,
    /// A line near a matching line.
    Context,
}

impl Mark {
    const fn sign(self) -> char {
        match self {
            Mark::Definition => '>',
            Mark::Match => ' ',
            Mark::Context => '-',
        }
    }
}

/// A line of a file in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    pub(crate) mark: Mark,
    /// The number of the line, from 1.
    pub(crate) line: u64,
    /// Start of the text in its line, in bytes from 0, and the length of the line: only if the text
    /// is a part of the line.
    pub(crate) part_of: Option<(usize, usize)>,
    pub(crate) text: &'a str,
}

impl Row<'_> {
    /// Writes the row without the first `indent` bytes of its text: `  12: text`, or
    /// `  12[400-700/9000]: text` for a part of a line.
    pub(crate) fn write(&self, out: &mut String, indent: usize) {
        self.write_with("", out, indent);
    }

    /// Writes the row with a remark of the engine beside its number: `  12 call: text`. After the colon, a file
    /// could have written it.
    pub(super) fn write_with(&self, remark: &str, out: &mut String, indent: usize) {
        let _ = write!(out, "{}{}", self.mark.sign(), self.line);
        if let Some((start, line_len)) = self.part_of {
            let _ = write!(out, "[{start}-{}/{line_len}]", start + self.text.len());
        }
        if !remark.is_empty() {
            let _ = write!(out, " {remark}");
        }
        out.push_str(": ");
        escape_into(self.text.get(indent..).unwrap_or_default(), out);
        out.push('\n');
    }
}

/// Returns the number of bytes of white space that all `texts` begin with; blank lines do not
/// count.
pub(crate) fn common_indent<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    let mut common: Option<&str> = None;
    for text in texts.filter(|text| !text.trim().is_empty()) {
        let len = text.len() - text.trim_start_matches([' ', '\t']).len();
        let own = &text[..len];
        common = Some(match common {
            None => own,
            Some(common) => {
                let same = common.bytes().zip(own.bytes()).take_while(|(one, other)| one == other);
                &own[..same.count()]
            }
        });
    }
    common.map_or(0, str::len)
}

/// Returns a path as the heading of its rows.
pub(crate) fn heading(path: &str) -> String {
    let is_plain = !path.is_empty()
        && !path.starts_with([' ', '>', '-', '[', '#', '"'])
        && !path.chars().any(needs_escape);
    if is_plain { path.to_owned() } else { quoted(path) }
}

/// Returns a text in quotation marks, in one line, for use inside remarks.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if needs_escape(c) => escape_char(c, &mut out),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Writes `text` and escapes control characters and characters that reorder text, so that it stays
/// in its line and is displayed as it is. Tabs stay.
fn escape_into(text: &str, out: &mut String) {
    for c in text.chars() {
        if c == '\t' || !needs_escape(c) { out.push(c) } else { escape_char(c, out) }
    }
}

pub(super) fn escape_char(c: char, out: &mut String) {
    let _ = match c {
        '\t' => out.write_str("\\t"),
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        c => write!(out, "\\u{{{:x}}}", u32::from(c)),
    };
}

/// Returns whether a character would break the line, move the cursor of a terminal or reorder the
/// display.
pub(super) fn needs_escape(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(mark: Mark, line: u64, part_of: Option<(usize, usize)>, text: &str) -> String {
        let mut out = String::new();
        Row { mark, line, part_of, text }.write(&mut out, 0);
        out
    }

    #[test]
    fn a_row_shows_its_kind_number_and_part() {
        assert_eq!(row(Mark::Definition, 3, None, "fn f() {"), ">3: fn f() {\n");
        assert_eq!(row(Mark::Context, 4, None, "}"), "-4: }\n");
        assert_eq!(row(Mark::Match, 1, Some((40, 9000)), "abc"), " 1[40-43/9000]: abc\n");
    }

    #[test]
    fn content_cannot_leave_its_row() {
        let shown = row(Mark::Match, 1, None, "a\u{1b}[31m\r\u{202e}b\u{2028}c");
        assert_eq!(shown, " 1: a\\u{1b}[31m\\r\\u{202e}b\\u{2028}c\n");
        assert_eq!(row(Mark::Match, 1, None, "\tx"), " 1: \tx\n");
    }

    #[test]
    fn a_path_that_looks_like_another_line_is_quoted() {
        assert_eq!(heading("src/a b.rs"), "src/a b.rs");
        for (path, shown) in [
            ("[all 3 rows]", "\"[all 3 rows]\""),
            (" 12: x", "\" 12: x\""),
            (">1: x", "\">1: x\""),
            ("# note", "\"# note\""),
            ("a\nb", "\"a\\nb\""),
            ("\"q\"", "\"\\\"q\\\"\""),
            ("", "\"\""),
        ] {
            assert_eq!(heading(path), shown);
        }
    }

    #[test]
    fn the_common_indentation_is_that_of_all_lines_with_text() {
        let common = |texts: &[&str]| common_indent(texts.iter().copied());
        assert_eq!(common(&["    a", "  b", "", "   "]), 2);
        assert_eq!(common(&["\ta", "  b"]), 0);
        assert_eq!(common(&[]), 0);
    }
}
