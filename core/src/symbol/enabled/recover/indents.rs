//! Definitions that contain others by indentation.

use super::{Basis, Found, Recovered, after_blanks, heads, word_end};
use crate::budget::Budget;
use crate::symbol::enabled::forms::Forms;
use crate::syntax::{SymbolKind, Unparsed};

/// The maximum nesting.
const DEPTH_MAX: usize = 64;

/// Reads the definitions of a text line by line.
pub(super) fn read(
    code: &[u8],
    forms: &'static Forms,
    budget: &Budget,
) -> Result<Recovered, Unparsed> {
    let mut recovered = Recovered { is_balanced: true, ..Recovered::default() };
    // The indentation and index of each open definition.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let (mut start, mut last_end) = (0, 0);
    while start < code.len() {
        budget.poll().map_err(|_| Unparsed::Stopped)?;
        let end = memchr::memchr(b'\n', &code[start..]).map_or(code.len(), |len| start + len);
        let line = &code[start..end];
        let first = start + line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let (line_start, indent) = (start, first - start);
        start = end + 1;
        if first == end {
            continue;
        }
        let closes = code[first..end].starts_with(b"end");
        while let Some(&(outer, at)) = open.last().filter(|(outer, _)| *outer >= indent) {
            let owns_end = closes && outer == indent;
            recovered.found[at].range.end = if owns_end { first + 3 } else { last_end };
            open.pop();
        }
        last_end = line_start + code[line_start..end].trim_ascii_end().len();
        let Some((kind, word, word_at)) = head(&code[..end], first, forms) else { continue };
        let Some(mut name) = heads::name("", word, kind, &code[..end], word_at + word.len()) else {
            continue;
        };
        if code[name.name.clone()] == *b"self" && code.get(name.end) == Some(&b'.') {
            let Some(inner) = heads::name("", word, kind, &code[..end], name.end + 1) else {
                continue;
            };
            name = inner;
        }
        let found = Found {
            kind,
            range: first..last_end,
            name: name.name,
            scope: None,
            head_end: end,
            basis: Basis::Word,
            parent: open.last().map(|(_, at)| *at),
            has_body: true,
            is_dropped: false,
        };
        if let Some(at) = recovered.push(found)?.filter(|_| open.len() < DEPTH_MAX) {
            open.push((indent, at));
        }
    }
    for (_, at) in open {
        recovered.found[at].range.end = last_end;
    }
    Ok(recovered)
}

/// Returns the word that begins a definition in a line, and its offset.
fn head<'a>(
    line: &'a [u8],
    first: usize,
    forms: &'static Forms,
) -> Option<(SymbolKind, &'a [u8], usize)> {
    let mut at = first;
    for _ in 0..4 {
        let end = word_end(line, at);
        let word = &line[at..end];
        let is_apart = line.get(end).is_some_and(u8::is_ascii_whitespace);
        if let Some(kind) = forms.kind_after(word) {
            return is_apart.then_some((kind, word, at));
        }
        if !forms.modifiers.iter().any(|modifier| modifier.as_bytes() == word) {
            return None;
        }
        at = after_blanks(line, end);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::head;
    use crate::symbol::enabled::forms;
    use crate::syntax::SymbolKind;

    #[test]
    fn a_definition_begins_with_its_word_after_modifiers() {
        let forms = forms::of("Python").expect("forms");
        for (line, expected) in [
            ("def f", Some((SymbolKind::Function, "def", 0))),
            ("async  def f", Some((SymbolKind::Function, "def", 7))),
            ("class A", Some((SymbolKind::Class, "class", 0))),
            ("def(f)", None),
            ("default f", None),
            ("x def f", None),
            ("def", None),
        ] {
            let found = head(line.as_bytes(), 0, forms);
            let expected = expected.map(|(kind, word, at)| (kind, word.as_bytes(), at));
            assert_eq!(found, expected, "{line}");
        }
    }
}
