//! A plain lexer: comments and string literals without a grammar.
//!
//! It serves the texts that a parser misreads. A grammar loses its place at an unknown construct, and with it
//! the ends of the comments and literals that follow; this lexer knows no constructs and cannot lose it. It
//! reads each byte once, keeps its place in a stack of bounded depth, and treats a literal that is not closed
//! as closed at the end of its line.

use crate::budget::Budget;
use crate::room;
use crate::syntax::{Region, RegionKind, Unparsed};

/// The comments and literals of a language.
pub(super) struct Lexis {
    pub(super) line_comments: &'static [&'static str],
    /// The start and end of a block comment.
    pub(super) block_comment: Option<(&'static str, &'static str)>,
    /// Whether block comments nest.
    pub(super) nests: bool,
    /// The literals; of two with a common start, the longer one is first.
    pub(super) quotes: &'static [Quote],
    /// Whether `/` may begin a regular expression.
    pub(super) has_regexes: bool,
    /// Whether lines that begin with `#` are directives.
    pub(super) has_directives: bool,
    /// Whether these rules are all rules, so that they may replace a tree where it has an error.
    pub(super) is_whole: bool,
}

/// A kind of string literal.
#[derive(PartialEq, Eq)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: Close,
    pub(super) escape: Escape,
    pub(super) spans_lines: bool,
    /// The start of interpolated code, which ends at the matching brace.
    pub(super) code: Option<&'static str>,
}

/// The end of a string literal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Close {
    Is(&'static str),
    /// `)delimiter"`, with the delimiter of the start: `R"delimiter(`.
    Raw,
    /// `"` and as many `#` as precede the start.
    Hashes,
    /// A character, or an escape, and the quote. Any other start is not a literal: it may be a lifetime.
    Character,
}

/// The way to write the closing quote inside a literal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    None,
    Backslash,
    /// The quote twice.
    Doubled,
}

/// A text without its comments and literals.
pub(super) struct Lexed {
    /// The text with blanks in place of comments, literals and directives; each byte keeps its position, and
    /// line ends remain. A quote takes the place of the first byte of a literal.
    pub(super) code: Vec<u8>,
    /// The comments and literals.
    pub(super) regions: Vec<Region>,
}

/// The maximum nesting of literals in interpolated code.
const DEPTH_MAX: usize = 64;
/// The maximum length of a character literal, and of the delimiter of a raw one.
const CHARACTER_BYTES_MAX: usize = 14;
const DELIMITER_BYTES_MAX: usize = 16;
/// The maximum length of a regular expression.
const REGEX_BYTES_MAX: usize = 1_000;

/// A literal that is open around the current position.
struct Open {
    quote: &'static Quote,
    start: usize,
    /// The end of a raw literal.
    close: Vec<u8>,
    /// The start of the interpolated code, and its open braces; `None` in the literal's own text.
    code: Option<(usize, usize)>,
}

struct Lexer<'a> {
    text: &'a [u8],
    lexis: &'static Lexis,
    at: usize,
    open: Vec<Open>,
    lexed: Lexed,
    has_memory: bool,
    /// Whether only blanks precede `at` in its line.
    is_line_start: bool,
    /// The last byte of code that is not blank.
    last: u8,
    /// The number of open braces.
    n_open: i64,
    conditions: Vec<Condition>,
    /// The number of `#if` beyond the maximum.
    n_beyond: usize,
}

/// An `#if` up to its `#endif`.
struct Condition {
    /// The number of open braces before it.
    n_open: i64,
    /// The number of braces that its first branch leaves open, once that branch has ended.
    first: Option<i64>,
}

/// Splits a text into code, comments and literals.
pub(super) fn lex(text: &[u8], lexis: &'static Lexis, budget: &Budget) -> Result<Lexed, Unparsed> {
    let lexed = Lexed { code: room::copy(text)?, regions: Vec::new() };
    let mut lexer = Lexer {
        text,
        lexis,
        at: 0,
        open: Vec::new(),
        lexed,
        has_memory: true,
        is_line_start: true,
        last: b';',
        n_open: 0,
        conditions: Vec::new(),
        n_beyond: 0,
    };
    while lexer.at < text.len() {
        budget.poll().map_err(|_| Unparsed::Stopped)?;
        match lexer.open.last() {
            Some(open) if open.code.is_none() => lexer.literal(),
            _ => lexer.code(),
        }
    }
    while !lexer.open.is_empty() {
        lexer.close(text.len());
    }
    if lexer.has_memory { Ok(lexer.lexed) } else { Err(Unparsed::NoMemory) }
}

impl Lexer<'_> {
    fn starts_with(&self, start: &str) -> bool {
        self.text[self.at..].starts_with(start.as_bytes())
    }

    fn push(&mut self, start: usize, end: usize, kind: RegionKind) {
        let region = Region { start, end, kind };
        self.has_memory &= room::push(&mut self.lexed.regions, region).is_ok();
    }

    fn blank(&mut self, start: usize, end: usize) {
        for byte in &mut self.lexed.code[start..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }

    fn line_end(&self, from: usize) -> usize {
        memchr::memchr(b'\n', &self.text[from..]).map_or(self.text.len(), |len| from + len)
    }

    /// Reads one step of code.
    fn code(&mut self) {
        let at = self.at;
        let byte = self.text[at];
        if byte == b'\n' {
            self.is_line_start = true;
            self.at += 1;
            return;
        }
        if byte.is_ascii_whitespace() {
            self.at += 1;
            return;
        }
        let is_line_start = std::mem::replace(&mut self.is_line_start, false);
        if self.comment() || self.quote() {
            return;
        }
        if byte == b'#' && is_line_start && self.lexis.has_directives {
            self.directive();
            return;
        }
        if byte == b'/' && self.lexis.has_regexes && self.regex() {
            return;
        }
        if let Some((_, braces)) = self.open.last_mut().and_then(|open| open.code.as_mut()) {
            match byte {
                b'{' => *braces += 1,
                b'}' if *braces == 0 => {
                    self.end_code();
                    return;
                }
                b'}' => *braces -= 1,
                _ => {}
            }
        } else {
            self.brace(byte);
        }
        self.last = byte;
        self.at += 1;
    }

    /// Reads a comment, if one begins here.
    fn comment(&mut self) -> bool {
        let (start, lexis) = (self.at, self.lexis);
        let end = if lexis.line_comments.iter().any(|sign| self.starts_with(sign)) {
            self.line_end(start)
        } else if let Some((open, close)) =
            lexis.block_comment.filter(|(open, _)| self.starts_with(open))
        {
            self.block_end(start, open, close)
        } else {
            return false;
        };
        self.push(start, end, RegionKind::Comment);
        self.blank(start, end);
        self.at = end;
        true
    }

    fn block_end(&self, start: usize, open: &str, close: &str) -> usize {
        let mut at = start + open.len();
        let mut depth = 1_usize;
        while let Some(found) =
            memchr::memchr2(open.as_bytes()[0], close.as_bytes()[0], &self.text[at..])
        {
            at += found;
            if self.text[at..].starts_with(close.as_bytes()) {
                at += close.len();
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            } else if self.lexis.nests && self.text[at..].starts_with(open.as_bytes()) {
                at += open.len();
                depth += 1;
            } else {
                at += 1;
            }
        }
        self.text.len()
    }

    /// Begins a literal, if one does here.
    fn quote(&mut self) -> bool {
        let start = self.at;
        let Some(quote) = self.lexis.quotes.iter().find(|quote| self.starts_with(quote.open))
        else {
            return false;
        };
        if !self.may_begin(quote) {
            return false;
        }
        let mut text_start = start + quote.open.len();
        let mut close = Vec::new();
        match quote.close {
            Close::Is(_) => {}
            Close::Raw => {
                let rest = &self.text[text_start..];
                let rest = &rest[..rest.len().min(DELIMITER_BYTES_MAX + 1)];
                let Some(len) = memchr::memchr(b'(', rest) else { return false };
                close.push(b')');
                close.extend_from_slice(&rest[..len]);
                close.push(b'"');
                text_start += len + 1;
            }
            Close::Hashes => {
                let rest = &self.text[text_start..];
                let n = rest.iter().take(DELIMITER_BYTES_MAX).take_while(|&&byte| byte == b'#');
                let n = n.count();
                if rest.get(n) != Some(&b'"') {
                    return false;
                }
                close.push(b'"');
                close.resize(n + 1, b'#');
                text_start += n + 1;
            }
            Close::Character => {
                let Some(end) = character_end(self.text, text_start) else { return false };
                self.string(start, end);
                self.at = end;
                return true;
            }
        }
        if self.open.len() < DEPTH_MAX {
            self.open.push(Open { quote, start, close, code: None });
        }
        self.at = text_start;
        true
    }

    /// Returns whether a quote at this place begins a literal. After a letter it is an apostrophe in the text
    /// of an element, or separates digits, unless the letters are a prefix.
    fn may_begin(&self, quote: &Quote) -> bool {
        let first = quote.open.as_bytes()[0];
        let before = self.text[..self.at].iter().rev().take(3);
        let word: Vec<u8> = before
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .copied()
            .collect();
        if first.is_ascii_alphabetic() || first == b'`' {
            return word.is_empty() || first == b'`';
        }
        const PREFIXES: &[u8] = b"LUubBrRfFcC8";
        word.len() < 3 && word.iter().all(|byte| PREFIXES.contains(byte))
    }

    /// Reads one step of a literal.
    fn literal(&mut self) {
        let Some(open) = self.open.last() else { return };
        let quote = open.quote;
        let rest = &self.text[self.at..];
        let close = match quote.close {
            Close::Is(close) => close.as_bytes(),
            _ => &open.close,
        };
        let escapes = quote.escape == Escape::Backslash;
        if rest.starts_with(close) {
            let len = close.len();
            if quote.escape == Escape::Doubled && rest[len..].starts_with(close) {
                self.at += 2 * len;
                return;
            }
            // A literal in three quotes may end with a fourth.
            let is_long = len == 3 && rest.get(3) == Some(&rest[0]);
            self.at += if is_long { 1 } else { len };
            if !is_long {
                self.close(self.at);
            }
        } else if rest[0] == b'\n' && !quote.spans_lines {
            self.close(self.at);
        } else if escapes && rest[0] == b'\\' {
            self.at = (self.at + 2).min(self.text.len());
        } else if let Some(code) =
            quote.code.filter(|code| rest.starts_with(code.as_bytes())).map(str::len)
        {
            self.at += code;
            let at = self.at;
            if let Some(open) = self.open.last_mut() {
                open.code = Some((at - code, 0));
            }
        } else {
            let len = rest[1..].iter().position(|byte| {
                matches!(byte, b'\n' | b'\\' | b'$' | b'{' | b'#') || *byte == close[0]
            });
            self.at += len.map_or(rest.len(), |len| len + 1);
        }
    }

    /// Ends the interpolated code at the current brace.
    fn end_code(&mut self) {
        let end = self.at + 1;
        if let Some((start, _)) = self.open.last_mut().and_then(|open| open.code.take()) {
            self.push(start, end, RegionKind::Code);
        }
        self.at = end;
    }

    /// Ends the innermost literal.
    fn close(&mut self, end: usize) {
        if let Some(open) = self.open.pop() {
            if let Some((start, _)) = open.code {
                self.push(start, end, RegionKind::Code);
            }
            self.string(open.start, end);
        }
    }

    fn string(&mut self, start: usize, end: usize) {
        self.push(start, end, RegionKind::String);
        self.blank(start, end);
        self.lexed.code[start] = b'"';
        self.last = b'"';
    }

    /// Counts a brace. If the branches of a condition open or close blocks, only the first branch counts.
    fn brace(&mut self, byte: u8) {
        let change = match byte {
            b'{' => 1,
            b'}' => -1,
            _ => return,
        };
        let repeats = self.conditions.iter().any(|one| one.first.is_some_and(|first| first != 0));
        if repeats {
            self.lexed.code[self.at] = b' ';
        } else {
            self.n_open += change;
        }
    }

    /// Follows the branches of conditions.
    fn branch(&mut self, directive: &[u8]) {
        let word = directive.get(1..).unwrap_or_default().trim_ascii_start();
        if word.starts_with(b"if") {
            if self.conditions.len() < DEPTH_MAX {
                self.conditions.push(Condition { n_open: self.n_open, first: None });
            } else {
                self.n_beyond += 1;
            }
        } else if word.starts_with(b"el") && self.n_beyond == 0 {
            if let Some(condition) = self.conditions.last_mut().filter(|one| one.first.is_none()) {
                condition.first = Some(self.n_open - condition.n_open);
            }
        } else if word.starts_with(b"endif") {
            if self.n_beyond > 0 {
                self.n_beyond -= 1;
            } else {
                self.conditions.pop();
            }
        }
    }

    /// Blanks a directive, except the comments and literals in it, which are read as elsewhere.
    fn directive(&mut self) {
        let start = self.at;
        let mut end = self.line_end(start);
        while self.text[..end].strip_suffix(b"\r").unwrap_or(&self.text[..end]).ends_with(b"\\")
            && end < self.text.len()
        {
            end = self.line_end(end + 1);
        }
        let text = self.text;
        self.branch(&text[start..end]);
        while self.at < end {
            if !self.comment() && !self.directive_literal(end) {
                self.blank(self.at, self.at + 1);
                self.at += 1;
            }
        }
        self.is_line_start = true;
    }

    /// Reads a literal of a directive, which ends with it.
    fn directive_literal(&mut self, end: usize) -> bool {
        let (start, depth) = (self.at, self.open.len());
        if !self.quote() {
            return false;
        }
        while self.open.len() > depth && self.at < end {
            match self.open.last() {
                Some(open) if open.code.is_none() => self.literal(),
                _ => self.code(),
            }
        }
        while self.open.len() > depth {
            self.close(self.at);
        }
        self.blank(start, self.at);
        true
    }

    /// Skips a regular expression, if one begins here: where a value is expected.
    fn regex(&mut self) -> bool {
        if !matches!(
            self.last,
            b'(' | b',' | b'=' | b':' | b'[' | b'!' | b'&' | b'|' | b'?' | b'{' | b'}' | b';'
        ) {
            return false;
        }
        let (start, mut at, mut in_set) = (self.at, self.at + 1, false);
        while let Some(&byte) = self.text.get(at).filter(|_| at < start + REGEX_BYTES_MAX) {
            match byte {
                b'\n' => break,
                b'\\' => at += 1,
                b'[' => in_set = true,
                b']' => in_set = false,
                b'/' if !in_set => {
                    self.blank(start, at + 1);
                    self.at = at + 1;
                    self.last = b'"';
                    return true;
                }
                _ => {}
            }
            at += 1;
        }
        false
    }
}

/// Returns the offset after a character literal whose text begins at `from`.
fn character_end(text: &[u8], from: usize) -> Option<usize> {
    let rest = &text[from..text.len().min(from + CHARACTER_BYTES_MAX)];
    let is_escape = rest.first() == Some(&b'\\');
    let skipped = if is_escape { 2 } else { 1 };
    let end = skipped + memchr::memchr(b'\'', rest.get(skipped..)?)?;
    let inner = rest.get(..end)?;
    let is_one = is_escape || str::from_utf8(inner).is_ok_and(|inner| inner.chars().count() == 1);
    (is_one && !inner.contains(&b'\n')).then_some(from + end + 1)
}
