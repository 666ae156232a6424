//! The signature of a definition: its first line, up to its body.
//!
//! A tree has the body of a function, but not that of every definition, and an outline in the cache has no tree.
//! The lexer of the recovery therefore reads the line again without its comments and literals, whose brackets
//! would mislead, and the brackets of the rest say where the line continues and where the body begins.

use super::forms;
use super::lexis::{Lexed, lex};
use crate::budget::Budget;
use crate::syntax::{Outline, RegionKind, Symbol, SymbolGroup};
use std::ops::Range;

/// Maximum number of bytes that are read, and of characters that are returned.
const BYTES_MAX: usize = 1_200;
const CHARS_MAX: usize = 160;
/// Maximum length of a line before the name, of which the end is shown, and the length of that end.
const BEFORE_MAX: usize = 120;
const BEFORE_SHOWN: usize = 60;
/// Maximum distance of a result type, or of the parameters of a template, on the lines above the name.
const ABOVE_MAX: usize = 200;

/// Returns the line that defines a symbol up to its body, such as `pub fn open(root: &Path) -> Result<Workspace>`.
/// `text` is the one that the outline was read from. Parameters that continue on further lines are included,
/// comments are not, white space becomes one blank, and `…` is in place of what is cut.
pub(super) fn signature(
    outline: &Outline,
    symbol: &Symbol,
    text: &[u8],
    budget: &Budget,
) -> String {
    let name = symbol.name_start().min(text.len());
    let offset = |byte: u64| usize::try_from(byte).unwrap_or(usize::MAX).min(text.len());
    let range = offset(symbol.range().start)..offset(symbol.range().end);
    let start = start_of(text, &range, name, outline.language());
    let limit = range.end.max(name).min(name.saturating_add(BYTES_MAX));
    let part = &text[start..limit];
    let lexed = forms::of(outline.language())
        .and_then(|forms| lex(part, &forms.lexis, budget).ok())
        .unwrap_or_else(|| Lexed { code: part.to_vec(), regions: Vec::new() });
    let scan =
        Scan { code: &lexed.code, language: outline.language(), group: symbol.kind().group() };
    let end = scan.end(name - start);
    let (first, is_late) = first_shown(part, name - start);
    let mut shown = Vec::new();
    let mut at = first;
    for region in lexed.regions.iter().filter(|region| region.kind == RegionKind::Comment) {
        let comment = region.start.clamp(at, end.max(at))..region.end.clamp(at, end.max(at));
        shown.extend_from_slice(&part[at..comment.start]);
        at = comment.end;
    }
    shown.extend_from_slice(&part[at.min(end)..end]);
    let is_cut = end == part.len() && limit < range.end;
    let begin = if is_late { "…" } else { "" };
    shortened(&String::from_utf8_lossy(&shown), begin, is_cut)
}

/// Returns the start of the line with the name, or of the definition if another one precedes it there.
fn start_of(text: &[u8], range: &Range<usize>, name: usize, language: &str) -> usize {
    let line = memchr::memrchr(b'\n', &text[..name]).map_or(0, |at| at + 1);
    let is_above = range.start < line && line - range.start <= ABOVE_MAX;
    if is_above && ["C", "C++"].contains(&language) {
        return range.start;
    }
    let own = range.start.clamp(line, name);
    let is_shared = text[line..own].iter().any(|byte| b"{};".contains(byte));
    let start = if is_shared { own } else { line };
    if name - start <= BYTES_MAX { start } else { name }
}

/// Returns the offset of the first byte that is shown before the name, and whether the text begins before it.
fn first_shown(part: &[u8], name: usize) -> (usize, bool) {
    if name <= BEFORE_MAX {
        return (0, false);
    }
    let near = name - BEFORE_SHOWN;
    let is_inside = |at: usize| (0x80..0xc0).contains(&part[at]);
    ((near..name).find(|&at| !is_inside(at)).unwrap_or(name), true)
}

/// A definition without comments and literals.
struct Scan<'a> {
    code: &'a [u8],
    language: &'a str,
    group: SymbolGroup,
}

impl Scan<'_> {
    /// Returns the offset at which the signature ends: at the body after the name, or at the end of a line in
    /// which no bracket is open. Brackets before the name are open around the definition.
    fn end(&self, name: usize) -> usize {
        let has_body = matches!(self.group, SymbolGroup::Function | SymbolGroup::Type);
        let ends_at_colon = has_body && ["Python", "C++"].contains(&self.language);
        // In TypeScript an object type may be among type arguments.
        let has_angles = ["TypeScript", "TSX"].contains(&self.language);
        let (mut n_open, mut n_angles, mut last) = (0_usize, 0_usize, b' ');
        let mut has_parameters = false;
        for (at, &byte) in self.code.iter().enumerate().skip(name) {
            let is_outer = n_open + n_angles == 0;
            let is_single_colon =
                byte == b':' && last != b':' && self.code.get(at + 1) != Some(&b':');
            match byte {
                b'\n' | b';' if is_outer => return at,
                // In C++ the bases of a class follow a colon too.
                b':' if is_outer
                    && ends_at_colon
                    && is_single_colon
                    && (self.language == "Python" || has_parameters) =>
                {
                    return at;
                }
                b'{' if self.is_body(at, last, is_outer) => return at,
                b'(' | b'[' | b'{' => n_open += 1,
                b')' | b']' | b'}' => n_open = n_open.saturating_sub(1),
                b'<' if has_angles && self.is_attached(at) => n_angles += 1,
                b'>' if n_angles > 0 && !b"=-".contains(&last) => n_angles -= 1,
                _ => {}
            }
            has_parameters |= byte == b')' && n_open == 0;
            if !byte.is_ascii_whitespace() {
                last = byte;
            }
        }
        self.code.len()
    }

    fn is_attached(&self, at: usize) -> bool {
        at > 0 && (self.code[at - 1].is_ascii_alphanumeric() || self.code[at - 1] == b'_')
    }

    /// Returns whether the brace at `at`, after the byte `last`, begins a body rather than a type.
    fn is_body(&self, at: usize, last: u8, is_outer: bool) -> bool {
        let before = self.code[..at].trim_ascii_end();
        if !is_outer {
            // The function in a call, such as `const save = debounce((a) => {`.
            return self.group == SymbolGroup::Value && before.ends_with(b"=>");
        }
        let is_go_type = self.language == "Go"
            && self.group != SymbolGroup::Type
            && (before.ends_with(b"interface") || before.ends_with(b"struct"));
        !(is_go_type || b"<:,|&".contains(&last))
    }
}

/// Returns the text in one line after `begin`, without what leads to the body, cut to the maximum length.
fn shortened(text: &str, begin: &str, is_cut: bool) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let is_closing = word.starts_with([')', ']']);
        if is_closing && line.ends_with(',') {
            line.pop();
        }
        if !(line.is_empty() || line.ends_with(['(', '[']) || is_closing) {
            line.push(' ');
        }
        line.push_str(word);
    }
    let whole = line.trim_end_matches(['{', ':', ',', ';', ' ']);
    let whole = whole.strip_suffix("=>").or_else(|| whole.strip_suffix('=')).unwrap_or(whole);
    let whole = whole.trim_end();
    let cut = whole.char_indices().nth(CHARS_MAX).map(|(end, _)| end);
    let end = if cut.is_some() || is_cut { "…" } else { "" };
    format!("{begin}{}{end}", &whole[..cut.unwrap_or(whole.len())])
}
