//! C macros: definitions that the parser loses, because an error (mostly another macro) can hide the text
//! after it; and uses that hide the declaration around them.

use crate::syntax::{Part, SymbolKind};
use std::collections::HashSet;
use std::ops::Range;
use tree_sitter::Tree;

/// The maximum number of lost macros. Each is looked up in the tree, and more are not an accident.
const LOST_MAX: usize = 4_096;

/// Adds macros from `#define` lines whose names are not in `parts`.
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

const DECLARATION_BYTES_MAX: usize = 2_000;

/// Compiler keywords that look like attributes. The grammar knows them.
const COMPILER_WORDS: &[&[u8]] = &[
    b"__alignof",
    b"__alignof__",
    b"__asm",
    b"__asm__",
    b"__attribute",
    b"__attribute__",
    b"__declspec",
    b"__typeof",
    b"__typeof__",
];

/// Returns the text with blanks in place of attribute macros, such as `__alloc_size(1)` in
/// `static __alloc_size(1) void *kmalloc(size_t size)`.
///
/// The grammar takes such a macro for the declared function. By the convention of kernels and C libraries,
/// only names with two leading underscores are attributes, and only in lines that begin a declaration at the
/// left margin: inside functions the same form is a call.
pub(super) fn without_attributes(text: &[u8]) -> Vec<u8> {
    let mut mended = text.to_vec();
    let mut line_start = 0;
    while line_start < text.len() {
        let rest = &text[line_start..];
        let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        // Declarations are not longer, and each name scans the text after it.
        if len <= DECLARATION_BYTES_MAX && (rest[0].is_ascii_alphabetic() || rest[0] == b'_') {
            for range in attributes(&rest[..len]) {
                mended[line_start + range.start..line_start + range.end].fill(b' ');
            }
        }
        line_start += len + 1;
    }
    mended
}

/// Returns the ranges of attributes in a line: those with arguments before the type, and all after the
/// parameters.
fn attributes(line: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(start) = memchr::memmem::find(&line[at..], b"__").map(|start| at + start) {
        let name_end = start + word_len(&line[start..]);
        at = name_end;
        let is_whole = start == 0 || !is_word(line[start - 1]);
        if !is_whole || COMPILER_WORDS.contains(&&line[start..name_end]) {
            continue;
        }
        let arguments = arguments_end(line, name_end);
        let end = arguments.unwrap_or(name_end);
        let before = line[..start].trim_ascii_end();
        let follows_attribute = found.last().is_some_and(|last| last.end >= before.len());
        let is_attribute = match behind_attributes(&line[end..]) {
            Some(byte) if is_word(byte) || byte == b'*' => {
                let follows_word = before.last().is_none_or(|&byte| is_word(byte) || byte == b'*');
                arguments.is_some() && (follows_word || follows_attribute)
            }
            Some(b';' | b'{') | None => before.ends_with(b")") || follows_attribute,
            _ => false,
        };
        if is_attribute {
            found.push(start..end);
            at = end;
        }
    }
    found
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn word_len(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_word(byte)).count()
}

/// Returns the first byte after all possible attributes.
fn behind_attributes(mut line: &[u8]) -> Option<u8> {
    loop {
        line = line.trim_ascii_start();
        if !line.starts_with(b"__") {
            return line.first().copied();
        }
        let name_end = word_len(line);
        line = &line[arguments_end(line, name_end).unwrap_or(name_end)..];
    }
}

/// Returns the end of the parenthesized arguments at `at`, if they exist and end in the line.
fn arguments_end(line: &[u8], at: usize) -> Option<usize> {
    let blanks = line[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let open = at + blanks;
    if line.get(open) != Some(&b'(') {
        return None;
    }
    let mut depth = 0_usize;
    for (n, byte) in line[open..].iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(open + n + 1);
        }
    }
    None
}

/// The macros that a text's `#define` lines define, including those in comments and literals.
struct Macros<'a> {
    text: &'a [u8],
    at: usize,
    /// The number of lines before `at`.
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
                is_recovered: false,
            });
        }
        None
    }
}

/// Returns the name that a line defines and its offset.
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
    fn only_attributes_are_blanked() {
        for (line, expected) in [
            (
                "static __always_inline __alloc_size(1) void *kmalloc(size_t size)",
                "static __always_inline                 void *kmalloc(size_t size)",
            ),
            ("__printf(1, 2) int say(char *s, ...)", "               int say(char *s, ...)"),
            (
                "void *__kmalloc(size_t n) __assume_alignment __alloc_size(f(1));",
                "void *__kmalloc(size_t n)                                      ;",
            ),
            (
                "void *__kmalloc(size_t n) __alloc_size(f(1)) __pure;",
                "void *__kmalloc(size_t n)                          ;",
            ),
            ("int f(void) __section(x)", "int f(void)             "),
            ("    __call(1) x;", "    __call(1) x;"),
            ("int __f(int a)", "int __f(int a)"),
            ("int __f(int a);", "int __f(int a);"),
            ("int __f(int a) {", "int __f(int a) {"),
            ("__typeof__(x) y;", "__typeof__(x) y;"),
            ("#define __a(x) y", "#define __a(x) y"),
            ("int my__a(1) x;", "int my__a(1) x;"),
            ("int a = __b(1) + c;", "int a = __b(1) + c;"),
            ("static __open(1", "static __open(1"),
        ] {
            let text = format!("x\n{line}\ny");
            let mended = without_attributes(text.as_bytes());
            assert_eq!(String::from_utf8_lossy(&mended), format!("x\n{expected}\ny"));
        }
    }

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
