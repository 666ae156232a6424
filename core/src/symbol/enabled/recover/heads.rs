//! The names after the words that begin a definition.

use super::{after_blanks, begins_word, is_macro_like, word_end};
use crate::syntax::SymbolKind;
use std::ops::Range;

/// The maximum length of a head up to its name, so that each is read in bounded time.
const HEAD_BYTES_MAX: usize = 2_000;
/// The maximum number of words and brackets in it.
const STEPS_MAX: usize = 24;

/// The name of a definition.
pub(super) struct Name {
    pub(super) kind: SymbolKind,
    pub(super) name: Range<usize>,
    pub(super) scope: Option<Range<usize>>,
    /// The offset at which reading continues.
    pub(super) end: usize,
}

/// Returns the name after a word that ends at `at`; `None` if it names nothing.
pub(super) fn name(
    language: &str,
    word: &[u8],
    kind: SymbolKind,
    code: &[u8],
    at: usize,
) -> Option<Name> {
    let code = &code[..code.len().min(at + HEAD_BYTES_MAX)];
    let start = after_blanks(code, at);
    match language {
        "Kotlin" if matches!(word, b"fun" | b"val" | b"var") => kotlin(kind, code, start),
        "Go" => go(word, kind, code, start),
        "C" | "C++" => c_type(word, kind, code, start),
        _ => {
            let start =
                if code.get(start) == Some(&b'*') { after_blanks(code, start + 1) } else { start };
            let name = identifier(code, start)?;
            let end = name.end;
            Some(Name { kind, name, scope: None, end })
        }
    }
}

/// Returns the identifier at an offset, without the quotes or the sign around it.
fn identifier(code: &[u8], at: usize) -> Option<Range<usize>> {
    match *code.get(at)? {
        b'`' => {
            let rest = &code[at + 1..];
            let len = memchr::memchr2(b'`', b'\n', rest).filter(|len| rest[*len] == b'`')?;
            (len > 0).then_some(at + 1..at + 1 + len)
        }
        b'@' => identifier(code, at + 1).filter(|_| code.get(at + 1) != Some(&b'@')),
        byte if begins_word(byte) => Some(at..word_end(code, at)),
        _ => None,
    }
}

/// Returns the offset after an identifier with its closing quote.
fn identifier_end(code: &[u8], name: &Range<usize>) -> usize {
    if code.get(name.end) == Some(&b'`') { name.end + 1 } else { name.end }
}

/// Returns the offset after the bracket that closes the one at `at`.
pub(in crate::symbol::enabled) fn closed(code: &[u8], at: usize) -> Option<usize> {
    let (open, close) = match code.get(at)? {
        b'(' => (b'(', b')'),
        b'[' => (b'[', b']'),
        b'<' => (b'<', b'>'),
        _ => return None,
    };
    let mut depth = 0_usize;
    for (n, byte) in code[at..].iter().take(HEAD_BYTES_MAX).enumerate() {
        if *byte == open {
            depth += 1;
        } else if *byte == close && !(close == b'>' && n > 0 && code[at + n - 1] == b'-') {
            depth -= 1;
            if depth == 0 {
                return Some(at + n + 1);
            }
        } else if matches!(byte, b'{' | b'}' | b';') && open == b'<' {
            return None;
        }
    }
    None
}

/// Returns the name of a function or property of Kotlin, after type parameters and a receiver.
fn kotlin(kind: SymbolKind, code: &[u8], start: usize) -> Option<Name> {
    let mut at = start;
    let (mut last, mut scope) = (None, None);
    for _ in 0..STEPS_MAX {
        at = after_blanks(code, at);
        match *code.get(at)? {
            b'<' => at = closed(code, at)?,
            b'(' if last.is_none() => at = closed(code, at)?,
            b'?' => at += 1,
            b'.' => {
                scope = last.take().or(scope);
                at += 1;
            }
            b'@' => at = word_end(code, at + 1),
            _ if last.is_some() => break,
            _ => {
                let name = identifier(code, at)?;
                at = identifier_end(code, &name);
                last = Some(name);
            }
        }
        let is_over =
            matches!(code.get(after_blanks(code, at)), Some(b'(' | b':' | b'=' | b';') | None);
        if last.is_some() && is_over {
            break;
        }
    }
    let name = last?;
    let is_function = kind == SymbolKind::Function;
    if is_function && code.get(after_blanks(code, at)) != Some(&b'(') {
        return None;
    }
    Some(Name { kind, name, scope, end: at })
}

fn go(word: &[u8], kind: SymbolKind, code: &[u8], start: usize) -> Option<Name> {
    let (mut at, mut scope) = (start, None);
    if word == b"func" && code.get(at) == Some(&b'(') {
        let end = closed(code, at)?;
        let receiver = &code[at..end];
        let last = receiver.iter().rposition(|byte| begins_word(*byte))?;
        let first = receiver[..last].iter().rposition(|byte| !super::is_word(*byte))? + 1;
        scope = Some(at + first..at + last + 1);
        at = after_blanks(code, end);
    }
    let name = identifier(code, at)?;
    let after = after_blanks(code, name.end);
    let next = code.get(after..word_end(code, after)).unwrap_or_default();
    let kind = match next {
        b"struct" => SymbolKind::Struct,
        b"interface" => SymbolKind::Interface,
        _ => kind,
    };
    let end = name.end;
    Some(Name { kind, name, scope, end })
}

/// Returns the name of a type or namespace of C or C++, after macros and attributes.
fn c_type(word: &[u8], kind: SymbolKind, code: &[u8], start: usize) -> Option<Name> {
    let mut at = start;
    let (mut path, mut name): (Option<usize>, Option<Range<usize>>) = (None, None);
    for _ in 0..STEPS_MAX {
        at = after_blanks(code, at);
        let Some(&byte) = code.get(at) else { break };
        if byte == b'[' && code.get(at + 1) == Some(&b'[') {
            at = closed(code, at)?;
            continue;
        }
        if byte == b'(' {
            // The arguments of a macro or of `alignas`.
            name.take()?;
            at = closed(code, at)?;
            continue;
        }
        if byte == b':' && code.get(at + 1) == Some(&b':') && name.is_some() {
            at += 2;
            let inner = identifier(code, after_blanks(code, at))?;
            at = inner.end;
            name = Some(inner);
            continue;
        }
        if !begins_word(byte) {
            break;
        }
        let next = at..word_end(code, at);
        let text = &code[next.clone()];
        let is_second = word == b"enum" && matches!(text, b"class" | b"struct");
        if is_second && name.is_none() {
            at = next.end;
            continue;
        }
        if matches!(text, b"final" | b"sealed" | b"abstract") && name.is_some() {
            break;
        }
        // Of two words, one is a macro, or the second is a variable.
        if name.as_ref().is_some_and(|name| !is_macro_like(&code[name.clone()])) {
            if is_macro_like(text) {
                break;
            }
            return None;
        }
        at = next.end;
        path = Some(next.start);
        name = Some(next);
    }
    let name = name?;
    let scope = path.filter(|path| *path < name.start).map(|path| path..name.start);
    let arguments = after_blanks(code, name.end);
    let arguments = closed(code, arguments).filter(|_| code[arguments] == b'<');
    let end = arguments.unwrap_or(name.end);
    Some(Name { kind, name, scope, end })
}
