//! The tokens of a scope pattern.
//!
//! Blanks are tokens too, and any character that no rule matches is a bad token. Every text therefore has
//! tokens, and joining them restores it.

use std::ops::Range;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Identifier,
    Integer,
    Blank,
    Or,
    And,
    Not,
    Minus,
    Tilde,
    Sharp,
    Dot,
    Colon,
    Star,
    Slash,
    LeftBracket,
    RightBracket,
    LeftParen,
    RightParen,
    /// One character that is invalid in every pattern.
    Bad,
    /// The end of the text, repeated for ever.
    End,
}

/// A token and its byte range in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Reads a text token by token.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    token: Token,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer at the first token.
    pub(in crate::scope) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, token: token_at(text, 0) }
    }

    /// Returns the current token.
    pub(super) fn token(&self) -> Token {
        self.token
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.token.kind
    }

    /// Returns the text of the current token.
    pub(super) fn token_text(&self) -> &'a str {
        &self.text[self.token.span()]
    }

    /// Returns the text after the current token.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.token.end..]
    }

    /// Moves to the next token.
    pub(super) fn advance(&mut self) {
        self.token = token_at(self.text, self.token.end);
    }
}

/// Returns the longest token that begins at `start`.
fn token_at(text: &str, start: usize) -> Token {
    let rest = &text[start..];
    let Some(first) = rest.chars().next() else {
        return Token { kind: TokenKind::End, start, end: start };
    };
    let run = |holds: fn(char) -> bool| rest.find(|c| !holds(c)).unwrap_or(rest.len());
    let (kind, length) = match first {
        ' ' | '\n' | '\r' | '\t' | '\x0C' => (TokenKind::Blank, run(is_blank)),
        '0'..='9' => (TokenKind::Integer, run(|c| c.is_ascii_digit())),
        '|' if rest.starts_with("||") => (TokenKind::Or, 2),
        '&' if rest.starts_with("&&") => (TokenKind::And, 2),
        '!' => (TokenKind::Not, 1),
        '-' => (TokenKind::Minus, 1),
        '~' => (TokenKind::Tilde, 1),
        '#' => (TokenKind::Sharp, 1),
        '.' => (TokenKind::Dot, 1),
        ':' => (TokenKind::Colon, 1),
        '*' => (TokenKind::Star, 1),
        '/' => (TokenKind::Slash, 1),
        '[' => (TokenKind::LeftBracket, 1),
        ']' => (TokenKind::RightBracket, 1),
        '(' => (TokenKind::LeftParen, 1),
        ')' => (TokenKind::RightParen, 1),
        c if starts_identifier(c) => (TokenKind::Identifier, run(continues_identifier)),
        c => (TokenKind::Bad, c.len_utf8()),
    };
    Token { kind, start, end: start + length }
}

/// Returns whether patterns treat `c` as a blank; they do not for a no-break space.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\n' | '\r' | '\t' | '\x0C')
}

/// Matches letters, letter numbers, currency signs (also `$`) and connectors (`_`).
pub(super) fn starts_identifier(c: char) -> bool {
    use GeneralCategory::{
        ConnectorPunctuation, CurrencySymbol, LetterNumber, LowercaseLetter, ModifierLetter,
        OtherLetter, TitlecaseLetter, UppercaseLetter,
    };
    if c.is_ascii() {
        return c.is_ascii_alphabetic() || matches!(c, '$' | '_');
    }
    matches!(
        c.general_category(),
        UppercaseLetter
            | LowercaseLetter
            | TitlecaseLetter
            | ModifierLetter
            | OtherLetter
            | LetterNumber
            | CurrencySymbol
            | ConnectorPunctuation
    )
}

/// Matches starting characters, digits, combining marks and invisible format characters.
pub(super) fn continues_identifier(c: char) -> bool {
    use GeneralCategory::{DecimalNumber, Format, NonspacingMark, SpacingMark};
    if c.is_ascii() {
        return starts_identifier(c) || c.is_ascii_digit() || is_ignorable_control(c);
    }
    starts_identifier(c)
        || is_ignorable_control(c)
        || matches!(c.general_category(), DecimalNumber | SpacingMark | NonspacingMark | Format)
}

/// Matches the control characters that Java allows in identifiers: those that are not white space.
fn is_ignorable_control(c: char) -> bool {
    matches!(c, '\0'..='\x08' | '\x0E'..='\x1B' | '\x7F'..='\u{9F}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(text: &str) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        while lexer.kind() != TokenKind::End {
            tokens.push((lexer.kind(), lexer.token_text()));
            lexer.advance();
        }
        tokens
    }

    /// Section 1.1 of the facts: the token table, row by row.
    #[test]
    fn the_token_table() {
        use TokenKind::*;
        for (text, kind) in [
            ("a", Identifier),
            ("Zażółć_gęślą9", Identifier),
            ("日本", Identifier),
            ("Ⅷ", Identifier), // a letter number
            ("€uro", Identifier),
            ("‿x", Identifier), // a connector
            ("$", Identifier),
            ("$Tests", Identifier),
            ("$1a", Identifier),
            ("$$x", Identifier),
            ("a\u{301}", Identifier), // a combining mark
            ("a\u{200D}b", Identifier),
            ("a\0b\u{7F}\u{85}", Identifier),
            ("a٣", Identifier), // a digit that is not ASCII, inside
            ("𝒳", Identifier),
            ("0123456789", Integer),
            (" \n\r\t\u{C}", Blank),
            ("||", Or),
            ("&&", And),
            ("!", Not),
            ("-", Minus),
            ("~", Tilde),
            ("#", Sharp),
            (".", Dot),
            (":", Colon),
            ("*", Star),
            ("/", Slash),
            ("[", LeftBracket),
            ("]", RightBracket),
            ("(", LeftParen),
            (")", RightParen),
            ("|", Bad),
            ("&", Bad),
            ("\u{A0}", Bad), // not a blank
            ("٣", Bad),      // neither a start nor an integer
            ("\u{301}", Bad),
            ("\0", Bad),
            ("\u{B}", Bad),
            ("😀", Bad),
        ] {
            assert_eq!(tokens(text), [(kind, text)], "{text:?}");
        }
        for bad in "+@,=%?;'\"\\{}<>^`".chars() {
            let text = bad.to_string();
            assert_eq!(tokens(&text), [(Bad, text.as_str())]);
        }
    }

    #[test]
    fn the_longest_token_comes_first() {
        use TokenKind::*;
        assert_eq!(tokens("1st"), [(Integer, "1"), (Identifier, "st")]);
        assert_eq!(tokens("a1 2"), [(Identifier, "a1"), (Blank, " "), (Integer, "2")]);
        assert_eq!(tokens("|||"), [(Or, "||"), (Bad, "|")]);
        assert_eq!(tokens("&&&&"), [(And, "&&"), (And, "&&")]);
        assert_eq!(tokens("a-b"), [(Identifier, "a"), (Minus, "-"), (Identifier, "b")]);
        assert_eq!(tokens("a$b"), [(Identifier, "a$b")]);
        assert_eq!(tokens("**"), [(Star, "*"), (Star, "*")]);
        assert_eq!(tokens("++"), [(Bad, "+"), (Bad, "+")]);
    }

    proptest! {
        #[test]
        fn tokens_joined_are_the_text(text in "(?s).{0,40}") {
            let joined: String = tokens(&text).into_iter().map(|(_, text)| text).collect();
            prop_assert_eq!(joined, text);
        }
    }
}
