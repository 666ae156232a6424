//! Macros of C that the parser has lost: a mistake, mostly another macro, may hide what follows it.

use crate::syntax::{Part, SymbolKind};
use std::collections::HashSet;
use tree_sitter::Tree;

/// Looking one up in the tree takes a while where there are many; so many are not lost by accident.
const LOST_MAX: usize = 4_096;

/// Adds what `#define` defines in lines that no part of `parts` has its name in.
pub(super) fn add_lost_macros(parts: &mut Vec<Part>, tree: &Tree, text: &[u8]) {
    if !tree.root_node().has_error() {
        return;
    }
    let known: HashSet<usize> = parts.iter().map(|part| part.name_start).collect();
    let lost = Macros { text, at: 0, line: 0 }.filter(|part| !known.contains(&part.name_start));
    let lost: Vec<Part> = lost
        .take(LOST_MAX)
        .filter(|part| {
            let start = part.range.start;
            let node = tree.root_node().descendant_for_byte_range(start, start + 1);
            node.is_none_or(|node| node.kind() != "comment" && !node.kind().contains("string"))
        })
        .collect();
    parts.extend(lost);
}

/// What the lines of a text with `#define` define, in comments and literals too.
struct Macros<'a> {
    text: &'a [u8],
    at: usize,
    /// The lines before `at`.
    line: usize,
}

impl Iterator for Macros<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        while self.at < self.text.len() {
            let start = self.at;
            let rest = &self.text[start..];
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.at += end + 1;
            self.line += 1;
            let Some((name, name_at)) = defined(&rest[..end]) else { continue };
            let (name_start, line) = (start + name_at, self.line);
            let mut end = start + end;
            while self.text[..end].ends_with(b"\\") && self.at < self.text.len() {
                let rest = &self.text[self.at..];
                end = self.at + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                self.at = end + 1;
                self.line += 1;
            }
            return Some(Part {
                kind: SymbolKind::Macro,
                range: start..end,
                name: name.into(),
                name_start,
                line,
                column: name_at + 1,
                scope: None,
            });
        }
        None
    }
}

/// The name that a line defines, and where it begins there.
fn defined(line: &[u8]) -> Option<(&str, usize)> {
    let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"define")?;
    let name = rest.trim_ascii_start();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let len = name.iter().take_while(|byte| is_word(byte)).count();
    let is_name = len > 0 && name.len() < rest.len() && !name[0].is_ascii_digit();
    let name_at = line.len() - name.len();
    is_name.then(|| Some((str::from_utf8(&name[..len]).ok()?, name_at)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_define() {
        let text = "#define A\n  # define B_2(x) \\\n#define inside\n\
            #defined C\n#define 3\n#define\n x #define D\n#\tdefine\tE 1\\";
        let found = Macros { text: text.as_bytes(), at: 0, line: 0 };
        let found: Vec<String> = found
            .map(|part| {
                assert_eq!(&text[part.name_start..][..part.name.len()], &*part.name);
                format!("{} {}:{} {}", part.name, part.line, part.column, &text[part.range])
            })
            .collect();
        assert_eq!(
            found,
            [
                "A 1:9 #define A",
                "B_2 2:12   # define B_2(x) \\\n#define inside",
                "E 8:10 #\tdefine\tE 1\\"
            ]
        );
    }
}
