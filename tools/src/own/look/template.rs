//! Texts of a source from which a program builds its messages: `"Cannot index %s with %s"`.
//!
//! A text fits a message if all of its parts between the places for values stand in the message, in their order.
//! Then its words say more than as many words of another line, and the other words of the message are values.

use super::runs::words_of;
use searchscope::toolkit::{excerpt::floor_char_boundary, is_stop_word};
use std::iter::Peekable;
use std::str::Chars;

/// Minimum number of words and letters of a text that fits; one of the words says something.
const WORDS_MIN: usize = 2;
const LETTERS_MIN: usize = 8;
/// Maximum numbers of characters of a message, of bytes of a line, and of texts of a line that are compared.
const MESSAGE_MAX: usize = 800;
const LINE_MAX: usize = 1_000;
const TEXTS_MAX: usize = 32;
/// Maximum number of characters of the expression in a place for a value.
const EXPRESSION_MAX: usize = 80;
/// Signs between two texts that are one in the message.
const JOINING: &[&str] = &["+", " . ", "<<", "..", "||", "&"];

/// How much of a message a text has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fit {
    pub(super) n_letters: usize,
    pub(super) n_words: usize,
}

/// Returns how much of `message` the best of the texts of `line` has; nothing if none fits. The message is in the
/// form of [`plain`].
pub(super) fn fit(message: &str, line: &str) -> Fit {
    let groups = groups_of_texts(line);
    let joined = groups.iter().map(|group| fit_of(message, group.iter().flatten()));
    let alone = groups.iter().filter(|group| group.len() > 1).flatten();
    joined.chain(alone.map(|text| fit_of(message, text.iter()))).max().unwrap_or_default()
}

/// Returns the beginning of a text in lower case, with one space for all white space in a row.
pub(super) fn plain(text: &str) -> String {
    let text: String = text.chars().take(MESSAGE_MAX).collect();
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

fn fit_of<'a>(message: &str, parts: impl Iterator<Item = &'a String>) -> Fit {
    let (mut fit, mut at, mut says) = (Fit::default(), 0, false);
    for part in parts {
        let Some(found) = message[at..].find(part.as_str()) else { return Fit::default() };
        at += found + part.len();
        // A URL is one word.
        let is_url = |token: &&str| token.contains("://");
        for word in part.split(' ').filter(|token| !is_url(token)).flat_map(words_of) {
            fit.n_words += 1;
            fit.n_letters += word.chars().count();
            says |= !is_stop_word(&word);
        }
    }
    let is_enough = says && fit.n_words >= WORDS_MIN && fit.n_letters >= LETTERS_MIN;
    if is_enough { fit } else { Fit::default() }
}

/// A text, as its parts between the places for values.
type Text = Vec<String>;

/// Returns the texts in quotation marks of a line, those together that are joined.
fn groups_of_texts(line: &str) -> Vec<Vec<Text>> {
    let mut groups: Vec<Vec<Text>> = Vec::new();
    let mut between = String::new();
    let end = floor_char_boundary(line, LINE_MAX);
    let mut chars = line[..end].chars().peekable();
    let mut n_texts = 0;
    while let Some(c) = chars.next()
        && n_texts < TEXTS_MAX
    {
        if !opens(c, &between) {
            between.push(c);
            continue;
        }
        n_texts += 1;
        let text = parts_of_text(c, &mut chars);
        let is_joined =
            between.trim().is_empty() || JOINING.iter().any(|sign| between.contains(sign));
        match groups.last_mut().filter(|_| is_joined) {
            Some(group) => group.push(text),
            None => groups.push(vec![text]),
        }
        between.clear();
    }
    groups
}

/// Returns whether a sign after the code `before` opens a text. An apostrophe in a word opens none, but one after a
/// single letter does, as in `f'…'`.
fn opens(sign: char, before: &str) -> bool {
    let mut before = before.chars().rev();
    match sign {
        '"' | '`' => true,
        '\'' => {
            let is_in_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            !is_in_word(before.next()) || !is_in_word(before.next())
        }
        _ => false,
    }
}

/// Reads a text up to `end` or the end of the line, and returns its parts between the places for values.
fn parts_of_text(end: char, chars: &mut Peekable<Chars<'_>>) -> Text {
    let mut parts = vec![String::new()];
    while let Some(c) = chars.next() {
        if c == end {
            break;
        }
        let is_value = match c {
            '\\' => match chars.next() {
                Some('(') if skip_to(')', chars) => true,
                escaped => {
                    let is_white = matches!(escaped, Some('n' | 't' | 'r') | None);
                    push(&mut parts, if is_white { ' ' } else { escaped.unwrap_or(' ') });
                    continue;
                }
            },
            '%' | '}' if chars.peek() == Some(&c) => chars.next().is_none(),
            '%' => skip_directive(chars),
            '{' => skip_braces(chars),
            '$' | '#' if chars.peek() == Some(&'{') => {
                chars.next().is_some() && skip_to('}', chars)
            }
            '$' => skip_name(chars),
            _ => false,
        };
        match is_value {
            true => parts.push(String::new()),
            false => push(&mut parts, c),
        }
    }
    let last = parts.len() - 1;
    parts[0] = parts[0].trim_start().to_owned();
    parts[last] = parts[last].trim_end().to_owned();
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// Adds a character to the last part, in the form of [`plain`].
fn push(parts: &mut [String], c: char) {
    let Some(part) = parts.last_mut() else { return };
    match c.is_whitespace() {
        true if part.ends_with(' ') => {}
        true => part.push(' '),
        false => part.extend(c.to_lowercase()),
    }
}

/// Skips the directive after a `%`: `s`, `-10.2f`, `(name)s`, `{name}`, `<name>s`. Returns whether there is one.
fn skip_directive(chars: &mut Peekable<Chars<'_>>) -> bool {
    let mut ahead = chars.clone();
    let mut n_read = 0;
    while let Some(c) = ahead.next() {
        n_read += 1;
        let is_end = match c {
            '(' | '<' => {
                let close = if c == '(' { ')' } else { '>' };
                if !skip_to(close, &mut ahead) {
                    return false;
                }
                continue;
            }
            '{' => skip_to('}', &mut ahead),
            'h' | 'l' | 'L' | 'j' | 'z' | 't'
                if ahead.peek().is_some_and(char::is_ascii_alphabetic) =>
            {
                continue;
            }
            _ if c.is_ascii_alphabetic() || c == '@' => true,
            '-' | '+' | '#' | '.' | '*' | '0'..='9' => continue,
            _ => false,
        };
        if is_end {
            *chars = ahead;
        }
        return is_end && n_read <= EXPRESSION_MAX;
    }
    false
}

/// Skips `…}` or `{…}}` after a brace. Returns whether it is closed near. Between two braces stands a value or, where
/// they are an escaped one, a text that a value may stand for as well.
fn skip_braces(chars: &mut Peekable<Chars<'_>>) -> bool {
    let is_double = chars.next_if_eq(&'{').is_some();
    let is_closed = skip_to('}', chars);
    if is_closed && is_double {
        chars.next_if_eq(&'}');
    }
    is_closed
}

/// Skips up to `end`, if it is near; parentheses and braces in between are skipped with what is in them. Returns
/// whether it is.
fn skip_to(end: char, chars: &mut Peekable<Chars<'_>>) -> bool {
    let open = if end == ')' { '(' } else { '{' };
    let mut ahead = chars.clone();
    let mut depth = 0;
    for c in ahead.by_ref().take(EXPRESSION_MAX) {
        match c {
            _ if c == end && depth == 0 => {
                *chars = ahead;
                return true;
            }
            _ if c == end => depth -= 1,
            _ if c == open => depth += 1,
            _ => {}
        }
    }
    false
}

/// Skips a name after a `$`. Returns whether there is one.
fn skip_name(chars: &mut Peekable<Chars<'_>>) -> bool {
    let is_name = chars.peek().is_some_and(|c| c.is_alphabetic() || *c == '_');
    while is_name && chars.peek().is_some_and(|c| c.is_alphanumeric() || *c == '_') {
        chars.next();
    }
    is_name
}
