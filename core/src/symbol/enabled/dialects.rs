//! Constructs of newer or neighbouring languages that a grammar does not know, to be blanked before the parse.

use super::macros::Blanks;
use super::recover::{after_blanks, closed, is_word, word_end};
use crate::budget::Budget;
use crate::room;
use crate::syntax::Unparsed;
use std::ops::Range;

/// The maximum number of blocks of extensions that are open at once.
const DEPTH_MAX: usize = 64;

/// Returns the blocks `extension(Type name) { … }` of C# 14, without their contents, and the signs of
/// conditional assignments, `a?.b = c`. The members of such a block are members of the class around it.
pub(super) fn csharp_blanks(code: &[u8], budget: &Budget) -> Result<Blanks, Unparsed> {
    let mut blanks = Blanks::default();
    // The depth at which each block of extensions ends.
    let mut open: Vec<usize> = Vec::new();
    let (mut at, mut depth) = (0, 0_usize);
    while at < code.len() {
        budget.poll().map_err(|_| Unparsed::Stopped)?;
        match code[at] {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if open.last() == Some(&depth) {
                    open.pop();
                    room::push(&mut blanks.likely, at..at + 1)?;
                }
            }
            b'?' if code.get(at + 1) == Some(&b'.')
                && !code.get(at + 2).is_some_and(u8::is_ascii_digit) =>
            {
                room::push(&mut blanks.likely, at..at + 1)?;
            }
            byte if is_word(byte) => {
                let end = word_end(code, at);
                let head = (code[at..end] == *b"extension").then(|| extension_head(code, end));
                if let Some(body) = head.flatten().filter(|_| open.len() < DEPTH_MAX) {
                    room::push(&mut blanks.likely, at..body + 1)?;
                    open.push(depth);
                    depth += 1;
                    at = body + 1;
                    continue;
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    Ok(blanks)
}

/// Returns the offset of the brace after `extension` with its parameters.
fn extension_head(code: &[u8], at: usize) -> Option<usize> {
    let mut at = after_blanks(code, at);
    if code.get(at) == Some(&b'<') {
        at = after_blanks(code, closed(code, at)?);
    }
    at = closed(code, at).filter(|_| code[at] == b'(')?;
    // Constraints may follow.
    let rest = &code[at..code.len().min(at + 1_000)];
    let body = at + rest.iter().position(|byte| matches!(byte, b'{' | b';' | b'}'))?;
    (code[body] == b'{').then_some(body)
}

/// Returns the signs of Flow that TypeScript lacks: the bars of exact objects, the question mark of a maybe
/// type, the sign of a variance, `opaque`, and the dots of an inexact object.
pub(super) fn flow_blanks(code: &[u8], budget: &Budget) -> Result<Blanks, Unparsed> {
    let mut blanks = Blanks::default();
    let (mut at, mut last) = (0, b';');
    while at < code.len() {
        budget.poll().map_err(|_| Unparsed::Stopped)?;
        let byte = code[at];
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let next = code.get(at + 1).copied().unwrap_or_default();
        let mut end = at + 1;
        let is_blank = match byte {
            b'|' => last == b'{' || next == b'}',
            b'?' => matches!(last, b':' | b'<' | b',' | b'|' | b'>' | b'(' | b'=') && next != b'.',
            b'+' | b'-' => {
                let name = word_end(code, at + 1);
                let is_member = matches!(last, b'{' | b',' | b';' | b'|' | b'}' | b'<');
                is_member && name > at + 1 && matches!(code.get(name), Some(b':' | b'?' | b','))
            }
            b'.' if next == b'.' && code.get(at + 2) == Some(&b'.') => {
                end = at + 3;
                let after = after_blanks(&code[..code.len().min(at + 200)], end);
                matches!(code.get(after), Some(b'}' | b'|'))
            }
            byte if is_word(byte) => {
                end = word_end(code, at);
                let is_opaque = code[at..end] == *b"opaque";
                if let Some(bound) = is_opaque.then(|| opaque_bound(code, end)).flatten() {
                    room::push(&mut blanks.likely, at..end)?;
                    end = bound.start;
                    if !bound.is_empty() {
                        room::push(&mut blanks.likely, bound.clone())?;
                        end = bound.end;
                    }
                }
                false
            }
            _ => false,
        };
        if is_blank {
            room::push(&mut blanks.likely, at..end)?;
        }
        last = code[end - 1];
        at = end;
    }
    Ok(blanks)
}

/// Returns the bound of an opaque type, from its colon to its value: empty without a bound, `None` if no type
/// follows `opaque`.
fn opaque_bound(code: &[u8], at: usize) -> Option<Range<usize>> {
    let code = &code[..code.len().min(at + 1_000)];
    let word = after_blanks(code, at);
    let end = word_end(code, word);
    if code[word..end] != *b"type" {
        return None;
    }
    let mut at = word_end(code, after_blanks(code, end));
    at = closed(code, at).filter(|_| code[at] == b'<').unwrap_or(at);
    let colon = after_blanks(code, at);
    if code.get(colon) != Some(&b':') {
        return Some(at..at);
    }
    let len = code[colon..].iter().position(|byte| matches!(byte, b'=' | b';'))?;
    Some(colon..colon + len)
}

#[cfg(test)]
mod tests {
    use super::extension_head;

    #[test]
    fn an_extension_has_parameters_and_a_body() {
        for (code, has_body) in [
            ("(string text) {", true),
            (" <T>(List<T> items) where T : class {", true),
            ("<T (List<T> items {", false),
            ("<T> items {", false),
            ("(string text);", false),
        ] {
            let expected = has_body.then(|| code.len() - 1);
            assert_eq!(extension_head(code.as_bytes(), 0), expected, "{code}");
        }
    }
}
