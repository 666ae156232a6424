//! Macros of C and C++ that hide the declaration around them: attributes, exports, and lines that expand to
//! something else.
//!
//! A grammar sees the text before the preprocessor. It takes the macro of `class API Job : Base { … }` for the
//! name of the class, and that of `BEGIN_NAMESPACE` on its own line for a type. Such macros are blanked before
//! the parse. Conventions select them: capitals or two leading underscores, and a place where no other word
//! can be.

use super::recover::{begins_word, closed, is_macro_like, word_end};
use crate::budget::Budget;
use crate::room;
use crate::syntax::Unparsed;
use std::ops::Range;

/// The maximum number of tokens in a statement; a longer one is data.
const TOKENS_MAX: usize = 256;

/// Words that begin a declaration; no type precedes them.
const SPECIFIERS: &[&[u8]] = &[
    b"template",
    b"static",
    b"class",
    b"struct",
    b"enum",
    b"union",
    b"virtual",
    b"inline",
    b"constexpr",
    b"extern",
    b"typedef",
    b"explicit",
    b"friend",
    b"namespace",
    b"using",
    b"void",
    b"int",
    b"bool",
    b"char",
    b"unsigned",
    b"long",
    b"short",
    b"float",
    b"double",
    b"auto",
    b"consteval",
    b"constinit",
    b"thread_local",
    b"mutable",
];
/// Words that say nothing about the type of what they declare.
const STORAGE: &[&[u8]] = &[
    b"static",
    b"inline",
    b"extern",
    b"virtual",
    b"explicit",
    b"friend",
    b"constexpr",
    b"typedef",
    b"mutable",
    b"const",
    b"volatile",
    b"__inline",
    b"__inline__",
    b"register",
];
/// Words that are never the name or type of a declaration.
const KEYWORDS: &[&[u8]] = &[
    b"const",
    b"volatile",
    b"restrict",
    b"__restrict",
    b"__restrict__",
    b"return",
    b"case",
    b"else",
    b"goto",
    b"new",
    b"delete",
    b"throw",
    b"sizeof",
    b"operator",
    b"noexcept",
    b"override",
    b"final",
    b"if",
    b"while",
    b"for",
    b"switch",
    b"do",
    b"and",
    b"or",
    b"not",
];
/// Attributes that the grammars know.
const KNOWN: &[&[u8]] = &[
    b"__attribute__",
    b"__attribute",
    b"__declspec",
    b"__asm",
    b"__asm__",
    b"__alignof",
    b"__alignof__",
    b"__typeof",
    b"__typeof__",
    b"__based",
    b"__extension__",
    b"__inline",
    b"__inline__",
    b"__volatile__",
    b"__cdecl",
    b"__stdcall",
    b"__fastcall",
    b"__thiscall",
    b"__vectorcall",
    b"__clrcall",
    b"__restrict",
    b"__restrict__",
    b"__unaligned",
];

/// Parts of a text to blank before it is parsed.
#[derive(Default)]
pub(super) struct Blanks {
    /// Macros that cannot be anything else.
    pub(super) certain: Vec<Range<usize>>,
    /// Macros that may be something else, to be blanked if that gives a better tree.
    pub(super) likely: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    /// Text in parentheses.
    Group,
    /// `[…]`, or the parameters of a template.
    Brackets,
    Sign(u8),
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    range: Range<usize>,
    /// Whether it is the first of its line.
    begins_line: bool,
}

/// Returns the macros in a text without comments and literals.
pub(super) fn blanks(code: &[u8], budget: &Budget) -> Result<Blanks, Unparsed> {
    let mut blanks = Blanks::default();
    let mut tokens: Vec<Token> = Vec::new();
    let (mut at, mut begins_line) = (0, true);
    while at < code.len() {
        budget.poll().map_err(|_| Unparsed::Stopped)?;
        let byte = code[at];
        if byte.is_ascii_whitespace() {
            begins_line |= byte == b'\n';
            at += 1;
            continue;
        }
        if matches!(byte, b'{' | b'}' | b';') {
            Statement { code, tokens: &tokens, end: byte, end_at: at }.read(&mut blanks)?;
            tokens.clear();
            at += 1;
            continue;
        }
        let (kind, end) = token(code, at, tokens.last());
        if tokens.len() < TOKENS_MAX {
            room::push(&mut tokens, Token { kind, range: at..end, begins_line })?;
        }
        begins_line = false;
        at = end;
    }
    Ok(blanks)
}

/// Returns the token at `at` and its end.
fn token(code: &[u8], at: usize, last: Option<&Token>) -> (Kind, usize) {
    let byte = code[at];
    if begins_word(byte) {
        return (Kind::Word, word_end(code, at));
    }
    let is_template = last.is_some_and(|last| code[last.range.clone()] == *b"template");
    let kind = match byte {
        b'(' => Kind::Group,
        b'[' => Kind::Brackets,
        b'<' if is_template => Kind::Brackets,
        _ => return (Kind::Sign(byte), at + 1),
    };
    match closed(code, at) {
        // Code in parentheses is not an argument list of a macro.
        Some(end) if !code[at..end].contains(&b'{') => (kind, end),
        _ => (Kind::Sign(byte), at + 1),
    }
}

/// A statement up to its brace or semicolon.
struct Statement<'a> {
    code: &'a [u8],
    tokens: &'a [Token],
    end: u8,
    end_at: usize,
}

impl Statement<'_> {
    fn read(&self, blanks: &mut Blanks) -> Result<(), Unparsed> {
        let after_lead = self.lead(&mut blanks.likely)?;
        let module = self.module(after_lead);
        if let Some(module) = module {
            room::push(&mut blanks.likely, module)?;
            return Ok(());
        }
        if self.class_head(after_lead, &mut blanks.certain)? {
            return Ok(());
        }
        for at in after_lead.max(1)..self.tokens.len() {
            if let Some(range) = self.inside(after_lead, at) {
                room::push(&mut blanks.likely, range)?;
            }
        }
        Ok(())
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn word(&self, at: usize) -> Option<&[u8]> {
        let token = self.tokens.get(at).filter(|token| token.kind == Kind::Word)?;
        Some(&self.code[token.range.clone()])
    }

    fn is_macro(&self, at: usize) -> bool {
        self.word(at).is_some_and(|word| is_macro_like(word) && !KNOWN.contains(&word))
    }

    /// Returns the index after a macro and its arguments.
    fn after(&self, at: usize) -> usize {
        at + 1 + usize::from(self.kind(at + 1) == Some(Kind::Group))
    }

    fn range(&self, from: usize, to: usize) -> Range<usize> {
        self.tokens[from].range.start..self.tokens[to - 1].range.end
    }

    /// Blanks the macros that begin the statement; returns the index after them.
    fn lead(&self, found: &mut Vec<Range<usize>>) -> Result<usize, Unparsed> {
        let mut at = 0;
        while self.is_macro(at) && self.tokens[at].begins_line | (at > 0) {
            let next = self.after(at);
            let Some(token) = self.tokens.get(next) else {
                // `TEST(a, b) {` is a function, `CALL(x);` a call; `OBJECT }` a line of its own.
                if self.end == b'}' {
                    room::push(found, self.range(at, next))?;
                }
                break;
            };
            let word = self.word(next);
            let is_lone = token.begins_line && word.is_some();
            let is_specifier = word.is_some_and(|word| SPECIFIERS.contains(&word));
            if !is_lone && !is_specifier && !self.precedes_type(next) {
                break;
            }
            room::push(found, self.range(at, next))?;
            at = next;
        }
        Ok(at)
    }

    /// Returns whether a type and a name are at `from`, so that the macro before is not the type.
    fn precedes_type(&self, from: usize) -> bool {
        let mut n_words = 0;
        for at in from..self.tokens.len() {
            match self.tokens[at].kind {
                Kind::Word => n_words += usize::from(!self.is_macro(at)),
                Kind::Sign(b'*' | b'&') => {}
                _ => break,
            }
        }
        n_words > 1
    }

    /// Returns `export` before a declaration, or a whole statement about modules.
    fn module(&self, from: usize) -> Option<Range<usize>> {
        let first = self.word(from)?;
        let second = self.word(from + 1).unwrap_or_default();
        let whole = || self.tokens[from].range.start..self.end_at + 1;
        match first {
            b"export" if second == b"module" || second == b"import" => Some(whole()),
            b"export" if !second.is_empty() => Some(self.range(from, from + 1)),
            b"module" if self.end == b';' && self.tokens.len() - from < 8 => Some(whole()),
            b"import" if self.end == b';' && self.tokens.len() - from < 8 => Some(whole()),
            _ => None,
        }
    }

    /// Blanks the macros between the word of a type and its name; returns whether the statement is the head
    /// of a type with macros.
    fn class_head(&self, from: usize, found: &mut Vec<Range<usize>>) -> Result<bool, Unparsed> {
        const WORDS: [&[u8]; 4] = [b"class", b"struct", b"union", b"enum"];
        let head = (from..self.tokens.len().min(from + 8))
            .find(|at| self.word(*at).is_some_and(|word| WORDS.contains(&word)));
        let Some(head) = head.filter(|_| matches!(self.end, b'{' | b';')) else { return Ok(false) };
        let second = self.word(head + 1);
        let start = head + 1 + usize::from(matches!(second, Some(b"class" | b"struct")));
        let mut at = start;
        let mut name = None;
        while let Some(kind) = self.kind(at) {
            match kind {
                Kind::Word if self.word(at) == Some(b"final") => break,
                Kind::Word => name = Some(at),
                Kind::Group | Kind::Brackets => {}
                Kind::Sign(_) => break,
            }
            at += 1;
        }
        let is_head = match self.kind(at) {
            None => true,
            Some(Kind::Word) => self.end == b'{',
            Some(Kind::Sign(sign)) => self.end == b'{' && matches!(sign, b':' | b'<'),
            Some(_) => false,
        };
        let is_alias = self.end == b';' && self.word(from) == Some(b"typedef");
        let is_head = is_head && !is_alias;
        let Some(name) = name.filter(|name| is_head && *name > start && *name + 1 == at) else {
            return Ok(false);
        };
        let is_attribute = |at: usize| match self.tokens[at].kind {
            Kind::Word => self.is_macro(at) || self.kind(at + 1) == Some(Kind::Group),
            _ => true,
        };
        if !(start..name).all(is_attribute) {
            return Ok(false);
        }
        let mut at = start;
        while at < name {
            let next = self.after(at);
            if self.is_macro(at) {
                room::push(found, self.range(at, next))?;
            }
            at = next;
        }
        Ok(true)
    }

    /// Returns the macro at `at`, if it is inside a declaration.
    fn inside(&self, from: usize, at: usize) -> Option<Range<usize>> {
        let word = self.word(at).filter(|word| !KEYWORDS.contains(word))?;
        let next = self.after(at);
        let range = self.range(at, next);
        let before = self.kind(at - 1)?;
        let word_before = self.word(at - 1);
        if word_before.is_some_and(|word| KEYWORDS[5..].contains(&word) && word != b"override") {
            return None;
        }
        let is_pointer = matches!(before, Kind::Sign(b'*' | b'&'));
        let is_next_word = self.word(next).is_some_and(|word| !KEYWORDS.contains(&word));
        let is_nullness = word.to_ascii_lowercase().windows(4).any(|part| part == b"null");
        if is_pointer && is_next_word && next == at + 1 && (is_nullness || self.is_macro(at)) {
            return Some(range);
        }
        if !self.is_macro(at) {
            return None;
        }
        let has_arguments = next > at + 1;
        // `static void FORMAT(1, 2) f(…)`, `T * CALL f(…)`.
        let is_type = |at| self.word(at).is_some_and(|word| !STORAGE.contains(&word));
        let is_type_before = is_pointer
            || before == Kind::Sign(b'>')
            || word_before.is_some() && (from..at).any(is_type);
        if is_type_before && is_next_word && self.kind(next + 1) == Some(Kind::Group) {
            return Some(range);
        }
        // `void f() LOCKS(mutex) {`.
        let follows_parameters = before == Kind::Group
            || matches!(word_before, Some(b"const" | b"override" | b"final" | b"noexcept"))
                && self.tokens[..at].iter().any(|token| token.kind == Kind::Group);
        let is_end = match self.kind(next) {
            None => true,
            Some(Kind::Sign(sign)) => matches!(sign, b'=' | b':' | b',' | b'-'),
            Some(Kind::Word) => self.is_macro(next),
            _ => false,
        };
        let is_call = self.kind(0) == Some(Kind::Word) && self.kind(1) == Some(Kind::Group);
        if follows_parameters && is_end && (!is_call || self.end == b'{') {
            return Some(range);
        }
        // `int x GUARDED_BY(mutex);`, and a value of an enumeration.
        let is_member = word_before.is_some()
            && has_arguments
            && match self.kind(next) {
                None => self.end == b';' && at > 1 || self.end == b'}',
                Some(Kind::Sign(b'=')) => at > 1,
                Some(Kind::Sign(b',')) => true,
                _ => false,
            };
        is_member.then_some(range)
    }
}

/// Returns a text with blanks in place of `ranges`; line ends remain.
pub(super) fn blanked(text: &[u8], ranges: &[Range<usize>]) -> Result<Vec<u8>, Unparsed> {
    let mut text = room::copy(text)?;
    for range in ranges {
        for byte in &mut text[range.clone()] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    Ok(text)
}
