//! The tokens that Groovy and Kotlin scripts have in common.
//!
//! Scripts are never run, so only literal values are known.

/// The maximum number of tokens of a script.
const TOKENS_MAX: usize = 200_000;

/// A token of a script. White space and comments are skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    /// The text between quotes.
    Text(String),
    /// Quoted text with parts that are computed when the script runs.
    Template(String),
    Sign(char),
    /// The end of a line.
    End,
}

impl Token {
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self, Token::Word(text) if text == word)
    }
}

/// Splits a script into tokens. An unclosed comment or triple-quoted string ends with the script.
pub(super) fn tokens(script: &str, is_kotlin: bool) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = script;
    while let Some(first) = rest.chars().next()
        && tokens.len() < TOKENS_MAX
    {
        if let Some(after) = rest.strip_prefix("//") {
            rest = after.find('\n').map_or("", |end| &after[end..]);
        } else if rest.starts_with("/*") {
            rest = after_comment(rest, is_kotlin);
        } else if let Some(quotes) = quotes(rest, is_kotlin) {
            let (token, after) = text(&rest[quotes.len()..], quotes);
            tokens.push(token);
            rest = after;
        } else if first == '\n' {
            tokens.push(Token::End);
            rest = &rest[1..];
        } else if first.is_whitespace() {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
        } else if is_in_word(first) {
            let end = rest.find(|c| !is_in_word(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            tokens.push(Token::Word(word.to_owned()));
            rest = after;
        } else {
            tokens.push(Token::Sign(first));
            rest = &rest[first.len_utf8()..];
        }
    }
    tokens
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Returns the script after the leading comment. Kotlin comments nest.
fn after_comment(script: &str, is_kotlin: bool) -> &str {
    let mut depth = 0_usize;
    let mut rest = script;
    while let Some(at) = memchr::memchr2(b'/', b'*', rest.as_bytes()) {
        let here = &rest[at..];
        if here.starts_with("/*") && (is_kotlin || depth == 0) {
            depth += 1;
            rest = &here[2..];
        } else if let Some(after) = here.strip_prefix("*/") {
            depth -= 1;
            rest = after;
            if depth == 0 {
                return rest;
            }
        } else {
            rest = &here[1..];
        }
    }
    ""
}

/// Returns the quotes at the start of a string.
fn quotes(rest: &str, is_kotlin: bool) -> Option<&'static str> {
    let known: &[&str] = if is_kotlin { &["\"\"\"", "\""] } else { &["\"\"\"", "'''", "\"", "'"] };
    known.iter().find(|quotes| rest.starts_with(**quotes)).copied()
}

/// Reads a string up to its closing quotes. Returns the token and the rest of the script.
fn text<'s>(script: &'s str, quotes: &str) -> (Token, &'s str) {
    let is_long = quotes.len() > 1;
    let has_templates = quotes.starts_with('"');
    let mut text = String::new();
    let mut is_template = false;
    let mut chars = script.char_indices();
    let mut end = script.len();
    while let Some((at, c)) = chars.next() {
        match c {
            _ if script[at..].starts_with(quotes) => {
                end = at + quotes.len();
                break;
            }
            '\\' => text.extend(chars.next().map(|(_, escaped)| escaped)),
            // Only triple-quoted strings span lines.
            '\n' if !is_long => {
                end = at;
                break;
            }
            '$' if has_templates => {
                is_template = true;
                text.push(c);
            }
            _ => text.push(c),
        }
    }
    let token = if is_template { Token::Template(text) } else { Token::Text(text) };
    (token, &script[end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Formats the tokens for comparison.
    fn shown(script: &str, is_kotlin: bool) -> String {
        let shown = |token: &Token| match token {
            Token::Word(word) => word.clone(),
            Token::Text(text) => format!("'{text}'"),
            Token::Template(text) => format!("\"{text}\""),
            Token::Sign(sign) => sign.to_string(),
            Token::End => ";".to_owned(),
        };
        tokens(script, is_kotlin).iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn scripts() {
        for (script, expected) in [
            ("include(':a', \":b\") // x 'y'\r\n", "include ( ':a' , ':b' ) ;"),
            ("a /* ' \n */ b /**/ c", "a b c"),
            ("x = \"a\\\"b\" + 'c\\'d'", "x = 'a\"b' + 'c'd'"),
            ("\"\"\"a\n\"b\"\"\" '''c''' ''", "'a\n\"b' 'c' ''"),
            ("\"$rootDir/x\" '$y' \"\\$z\"", "\"$rootDir/x\" '$y' '$z'"),
            ("'open\nnext", "'open' ; next"),
            ("a/b /* open", "a / b"),
            ("\"", "''"),
            ("äb_1.c", "äb_1 . c"),
        ] {
            assert_eq!(shown(script, false), expected, "{script}");
        }
        assert_eq!(shown("/* a /* b */ c */ d", true), "d");
        assert_eq!(shown("/* a /* b */ c */ d", false), "c * / d");
        assert_eq!(shown("'a' \"b\"", true), "' a ' 'b'");
        assert_eq!(tokens(&"/*".repeat(1 << 19), true), []);
        assert_eq!(tokens(&"(".repeat(1 << 20), true).len(), TOKENS_MAX);
    }

    proptest! {
        #[test]
        fn any_text_is_handled(text in "[a\"'/*\\\\$\n ä(]{0,60}", is_kotlin: bool) {
            prop_assert!(tokens(&text, is_kotlin).len() <= text.len());
        }
    }
}
