//! Scope patterns: from text to [`PackageSet`].
//!
//! `||` binds weakest, then `&&`, then `!`. The parser keeps its own stack, so deep nesting cannot exhaust
//! the thread's. Like an IDE it stops at the first error and reports it with the same message and position,
//! and adds a hint about the likely intention.

use super::ast::{Builder, Leaf, Op, Operands, PackageSet, Prefix};
use super::hints::{Mistake, hint};
use super::lex::{Lexer, Token, TokenKind};
use crate::excerpt::floor_char_boundary;
use std::fmt;
use std::ops::Range;

/// The maximum length of a pattern, in bytes. Handwritten patterns stay below a kilobyte; generated lists of
/// files are the long ones.
pub(crate) const TEXT_BYTES_MAX: usize = 64 * 1024;

/// The maximum nesting of parentheses and `!`.
pub(crate) const NESTING_MAX: u32 = 1_000;

/// The maximum length of a token in a message, in characters.
const TOKEN_CHARS_MAX: usize = 200;

/// A syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    pub kind: PatternErrorKind,
    /// The position of the error, counted in UTF-16 units from 1.
    pub position: usize,
    /// The byte range of the unexpected token; empty at the end of the text.
    pub span: Range<usize>,
    /// A suggestion in words.
    pub hint: Option<String>,
}

/// The kind of a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PatternErrorKind {
    /// This text appears where the pattern should end or an operator should follow.
    UnexpectedToken(String),
    PatternExpected,
    ParenExpected,
    UnknownScopeType,
    TooLong,
    TooDeep,
}

impl PatternError {
    /// Returns the error message with the position.
    pub(crate) fn message(&self) -> String {
        format!("{} at position {}", self.kind, self.position)
    }
}

impl fmt::Display for PatternErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternErrorKind::UnexpectedToken(text) => write!(f, "Unexpected '{text}'"),
            PatternErrorKind::PatternExpected => f.write_str("Package pattern expected"),
            PatternErrorKind::ParenExpected => f.write_str("')' expected"),
            PatternErrorKind::UnknownScopeType => f.write_str("Unknown scope type"),
            PatternErrorKind::TooLong => {
                write!(f, "Pattern longer than {TEXT_BYTES_MAX} bytes")
            }
            PatternErrorKind::TooDeep => {
                write!(f, "Parentheses and '!' nested deeper than {NESTING_MAX}")
            }
        }
    }
}

/// Parses a pattern.
pub(crate) fn parse(text: &str) -> Result<PackageSet, PatternError> {
    if text.len() > TEXT_BYTES_MAX {
        let start = floor_char_boundary(text, TEXT_BYTES_MAX);
        let token = Token { kind: TokenKind::Bad, start, end: text.len() };
        return Err(error(text, PatternErrorKind::TooLong, token, None));
    }
    let mut parser = Parser::new(text);
    match parser.run() {
        Ok(()) => Ok(parser.builder.finish()),
        Err(kind) => {
            let token = parser.lexer.token();
            let mistake = parser.mistake(&kind);
            let hint = hint(&mistake);
            Err(error(text, kind, token, hint))
        }
    }
}

/// Returns the position of a byte, counted in UTF-16 units from 1.
pub(super) fn position(text: &str, byte: usize) -> usize {
    text[..byte].encode_utf16().count() + 1
}

fn error(text: &str, kind: PatternErrorKind, token: Token, hint: Option<String>) -> PatternError {
    PatternError { kind, position: position(text, token.start), span: token.span(), hint }
}

struct Parser<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    builder: Builder,
    /// The whole pattern and the open parentheses.
    open: Vec<Open>,
    /// The number of open parentheses and pending `!`.
    depth: u32,
    /// The maximum number of colons that the normal form adds to the text.
    n_colons_added: usize,
    /// The token before the current one.
    before: TokenKind,
    /// The subject of the last leaf, if no operator has followed it.
    leaf: Option<Prefix>,
}

/// A union that is being parsed.
#[derive(Default)]
struct Open {
    /// The position of its parenthesis, in bytes; zero for the whole pattern.
    start: usize,
    /// The number of `!` before the next operand.
    n_nots: u32,
    and: Operands,
    or: Operands,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        Parser {
            text,
            lexer: Lexer::new(text),
            builder: Builder::default(),
            open: vec![Open::default()],
            depth: 0,
            n_colons_added: 0,
            before: TokenKind::End,
            leaf: None,
        }
    }

    fn mistake(&self, kind: &'a PatternErrorKind) -> Mistake<'a> {
        let unclosed =
            if self.open.len() > 1 { self.open.last().map(|open| open.start) } else { None };
        let (text, token) = (self.text, self.lexer.token());
        Mistake { text, kind, token, before: self.before, leaf: self.leaf, unclosed }
    }

    fn run(&mut self) -> Result<(), PatternErrorKind> {
        loop {
            self.operand()?;
            if !self.after_operand()? {
                return Ok(());
            }
        }
    }

    fn advance(&mut self) {
        self.before = self.lexer.kind();
        self.lexer.advance();
    }

    /// Reads up to the end of a leaf or reference, including the `!` and `(` before it.
    fn operand(&mut self) -> Result<(), PatternErrorKind> {
        loop {
            self.leaf = None;
            match self.lexer.kind() {
                TokenKind::Not => {
                    self.nest()?;
                    if let Some(open) = self.open.last_mut() {
                        open.n_nots += 1;
                    }
                }
                TokenKind::LeftParen => {
                    self.nest()?;
                    let start = self.lexer.token().start;
                    self.open.push(Open { start, ..Open::default() });
                }
                TokenKind::Identifier => {
                    let Some(name) = self.lexer.token_text().strip_prefix('$') else {
                        return self.read_leaf();
                    };
                    self.builder.push(Op::Ref(name.to_owned()));
                    self.advance();
                    return Ok(());
                }
                _ => return self.read_leaf(),
            }
            self.advance();
        }
    }

    fn nest(&mut self) -> Result<(), PatternErrorKind> {
        if self.depth == NESTING_MAX {
            return Err(PatternErrorKind::TooDeep);
        }
        self.depth += 1;
        Ok(())
    }

    /// Closes the operators and parentheses that end after an operand. Returns whether another operand
    /// follows.
    fn after_operand(&mut self) -> Result<bool, PatternErrorKind> {
        loop {
            let is_whole = self.open.len() == 1;
            let Some(open) = self.open.last_mut() else { return Ok(false) };
            for _ in 0..std::mem::take(&mut open.n_nots) {
                self.builder.not();
                self.depth -= 1;
            }
            self.builder.operand_of_and(&mut open.and);
            let kind = self.lexer.kind();
            if kind == TokenKind::And {
                self.advance();
                return Ok(true);
            }
            self.builder.and(&mut open.and);
            self.builder.operand_of_or(&mut open.or);
            if kind == TokenKind::Or {
                self.advance();
                return Ok(true);
            }
            self.builder.or(&mut open.or);
            match (is_whole, kind) {
                (true, TokenKind::End) => return self.check_length().map(|()| false),
                (true, _) => {
                    let text: String =
                        self.lexer.token_text().chars().take(TOKEN_CHARS_MAX).collect();
                    return Err(PatternErrorKind::UnexpectedToken(text));
                }
                (false, TokenKind::RightParen) => {
                    self.open.pop();
                    self.depth -= 1;
                    self.leaf = None;
                    self.advance();
                }
                (false, _) => return Err(PatternErrorKind::ParenExpected),
            }
        }
    }

    /// Checks that the normal form is short enough to be a valid pattern itself.
    fn check_length(&self) -> Result<(), PatternErrorKind> {
        let is_short = self.text.len() + self.n_colons_added <= TEXT_BYTES_MAX;
        if is_short { Ok(()) } else { Err(PatternErrorKind::TooLong) }
    }

    fn read_leaf(&mut self) -> Result<(), PatternErrorKind> {
        let prefix = self.read_prefix()?;
        self.leaf = Some(prefix);
        let filter = self.read_filter()?;
        if self.lexer.kind() == TokenKind::Colon {
            self.advance();
        } else {
            self.n_colons_added += usize::from(filter.is_some());
        }
        let body = if prefix.is_path() { self.read_path() } else { self.read_class() };
        if body.is_empty() {
            return Err(PatternErrorKind::PatternExpected);
        }
        self.builder.push(Op::Leaf(Leaf { prefix, filter, body }));
        Ok(())
    }

    /// Reads a prefix: a word directly followed by a colon or a bracket.
    fn read_prefix(&mut self) -> Result<Prefix, PatternErrorKind> {
        let next = self.lexer.rest().chars().next();
        if self.lexer.kind() != TokenKind::Identifier || !matches!(next, Some(':' | '[')) {
            return Ok(Prefix::None);
        }
        let word = self.lexer.token_text();
        let fits = |prefix: &Prefix| {
            prefix.text() == word && (*prefix != Prefix::ProjectPath || next == Some(':'))
        };
        let prefix = Prefix::ALL.into_iter().find(fits);
        let prefix = prefix.ok_or(PatternErrorKind::UnknownScopeType)?;
        self.advance();
        Ok(prefix)
    }

    /// Reads the filter in brackets, in which every token is literal text.
    fn read_filter(&mut self) -> Result<Option<String>, PatternErrorKind> {
        if self.lexer.kind() != TokenKind::LeftBracket {
            return Ok(None);
        }
        self.advance();
        let start = self.lexer.token().start;
        while !matches!(self.lexer.kind(), TokenKind::RightBracket | TokenKind::End) {
            self.advance();
        }
        let filter = &self.text[start..self.lexer.token().start];
        self.advance();
        if filter.is_empty() {
            return Err(PatternErrorKind::PatternExpected);
        }
        Ok(Some(filter.to_owned()))
    }

    fn read_path(&mut self) -> String {
        let mut body = String::new();
        loop {
            match self.lexer.kind() {
                TokenKind::Blank => body.push(' '),
                TokenKind::Slash
                | TokenKind::Star
                | TokenKind::Dot
                | TokenKind::Minus
                | TokenKind::Tilde
                | TokenKind::Sharp
                | TokenKind::Identifier
                | TokenKind::Integer => body.push_str(self.lexer.token_text()),
                _ => return body,
            }
            self.advance();
        }
    }

    fn read_class(&mut self) -> String {
        let mut body = String::new();
        while matches!(self.lexer.kind(), TokenKind::Dot | TokenKind::Star | TokenKind::Identifier)
        {
            body.push_str(self.lexer.token_text());
            self.advance();
        }
        body
    }
}
