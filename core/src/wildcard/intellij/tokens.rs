//! Reads one body into tokens.

use crate::wildcard::token::{Symbol, Token};

/// The separator between the parts of a path or name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Separator {
    /// The separator of paths.
    Slash,
    /// The separator of class names.
    Dot,
}

impl Separator {
    pub(super) const fn symbol(self) -> Symbol {
        match self {
            Separator::Slash => b'/' as Symbol,
            Separator::Dot => b'.' as Symbol,
        }
    }
}

const NEXT_LINE: Symbol = 256;
const LINE_SEPARATOR: Symbol = 257;
const PARAGRAPH_SEPARATOR: Symbol = 258;
/// The number of symbols.
pub(super) const N_SYMBOLS: usize = 259;

/// Reads a body.
///
/// A star and a separator are each held back until the next symbol is known: two stars stay within a segment
/// and one crosses segments, but one at the end does not; two separators match any directories, and one at
/// the end matches nothing.
pub(super) fn tokenize(separator: Separator, body: &str) -> Vec<Token> {
    const STAR: Symbol = b'*' as Symbol;
    let separator = separator.symbol();
    let mut tokens = Vec::with_capacity(body.len());
    let (mut has_star, mut has_separator) = (false, false);
    for symbol in symbols(body.as_bytes()) {
        if has_separator && symbol != separator {
            tokens.push(Token::Literal(separator));
            has_separator = false;
        }
        if has_star && symbol != STAR {
            tokens.push(Token::Anything);
            has_star = false;
        }
        if symbol == STAR {
            if has_star {
                push_segment(&mut tokens);
            }
            has_star = !has_star;
        } else if symbol == separator {
            if has_separator {
                tokens.extend([Token::Literal(separator), Token::Directories]);
            }
            has_separator = !has_separator;
        } else {
            tokens.push(Token::Literal(symbol));
        }
    }
    if has_star {
        push_segment(&mut tokens);
    }
    tokens
}

/// Pushes a segment run; two in a row match no more than one.
fn push_segment(tokens: &mut Vec<Token>) {
    if tokens.last() != Some(&Token::Segment) {
        tokens.push(Token::Segment);
    }
}

/// Reads bytes as symbols. Bytes that are not UTF-8 are ordinary symbols.
pub(super) fn symbols(bytes: &[u8]) -> impl Iterator<Item = Symbol> + '_ {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (symbol, length) = match *rest {
            [] => return None,
            [0xC2, 0x85, ..] => (NEXT_LINE, 2),
            [0xE2, 0x80, 0xA8, ..] => (LINE_SEPARATOR, 3),
            [0xE2, 0x80, 0xA9, ..] => (PARAGRAPH_SEPARATOR, 3),
            [byte, ..] => (Symbol::from(byte), 1),
        };
        rest = &rest[length..];
        Some(symbol)
    })
}

/// Returns whether `.` does not match the symbol.
pub(super) const fn is_line_end(symbol: Symbol) -> bool {
    const NEWLINE: Symbol = b'\n' as Symbol;
    const RETURN: Symbol = b'\r' as Symbol;
    matches!(symbol, NEWLINE | RETURN | NEXT_LINE | LINE_SEPARATOR | PARAGRAPH_SEPARATOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the tokens in the notation of the facts.
    fn regex(separator: Separator, body: &str) -> String {
        let (class, text) = match separator {
            Separator::Slash => ("[^/]*", "/"),
            Separator::Dot => ("[^.]*", "\\."),
        };
        let text = |token: Token| match token {
            Token::Anything => ".*".to_owned(),
            Token::Segment => class.to_owned(),
            Token::Directories => format!("(.*{text})?"),
            Token::Literal(symbol) => match u8::try_from(symbol).map(char::from) {
                Ok('.') => "\\.".to_owned(),
                Ok(c) => c.to_string(),
                Err(_) => format!("U{symbol}"),
            },
            token => panic!("a body has no {token:?}"),
        };
        tokenize(separator, body).into_iter().map(text).collect()
    }

    /// Section 1.6 of the facts: its examples, and each row of the table.
    #[test]
    fn section_1_6_regexes() {
        for (body, expected) in [
            ("*.js", ".*\\.js"),
            ("**.js", "[^/]*\\.js"),
            ("src/*", "src/[^/]*"),
            ("src/**", "src/[^/]*"),
            ("src//*", "src/(.*/)?[^/]*"),
            ("src/*.js", "src/.*\\.js"),
            ("a/*/b", "a/.*/b"),
            ("*/", ".*"),
            ("*//*", ".*/(.*/)?[^/]*"),
            ("a/", "a"),
            ("/src/*", "/src/[^/]*"),
            // A third star starts again, and so does a third separator.
            ("***a", "[^/]*.*a"),
            ("***", "[^/]*"),
            ("****", "[^/]*"),
            ("*****a", "[^/]*.*a"),
            ("a///b", "a/(.*/)?/b"),
            ("a///", "a/(.*/)?"),
            ("a////b", "a/(.*/)?/(.*/)?b"),
            ("a//", "a/(.*/)?"),
            ("/", ""),
            ("//", "/(.*/)?"),
            ("*", "[^/]*"),
            ("**", "[^/]*"),
            ("", ""),
            ("a*/*b", "a.*/.*b"),
            ("a b-c~d#e1", "a b-c~d#e1"),
            // A literal character, by our ruling.
            ("Foo$Bar.java", "Foo$Bar\\.java"),
            ("a\u{85}b", "aU256b"),
        ] {
            assert_eq!(regex(Separator::Slash, body), expected, "{body}");
        }
        for (body, expected) in [
            ("com.foo.*", "com\\.foo\\.[^.]*"),
            ("com.foo..*", "com\\.foo\\.(.*\\.)?[^.]*"),
            ("*..*", ".*\\.(.*\\.)?[^.]*"),
            ("*.Foo", ".*\\.Foo"),
            ("**Test", "[^.]*Test"),
            ("com.", "com"),
            ("A$B", "A$B"),
        ] {
            assert_eq!(regex(Separator::Dot, body), expected, "{body}");
        }
    }

    #[test]
    fn only_whole_line_ends_are_symbols_of_their_own() {
        let read = |bytes: &[u8]| symbols(bytes).collect::<Vec<_>>();
        assert_eq!(
            read("\u{85}\u{2028}\u{2029}".as_bytes()),
            [NEXT_LINE, LINE_SEPARATOR, PARAGRAPH_SEPARATOR]
        );
        assert_eq!(read(b"\xC2\xE2\x80\xA7\xE2\x80"), [0xC2, 0xE2, 0x80, 0xA7, 0xE2, 0x80]);
        assert_eq!(read(b"\xC2\xC2\x85"), [0xC2, NEXT_LINE]);
        let line_ends = (0..).take(N_SYMBOLS).filter(|symbol| is_line_end(*symbol));
        assert_eq!(line_ends.count(), 5);
    }
}
