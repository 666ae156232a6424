//! One gitignore line, read as git reads it.
//!
//! A line becomes a [`Pattern`] in which every wildcard has git's meaning; a line that cannot match
//! any path is dropped. Git decides with a recursive matcher whose meaning of `**` and `\` depends on
//! the text around them. Rewriting each line once into tokens that mean the same everywhere keeps
//! these special cases in this file, and lets the index match many lines in one pass. Translating
//! lines to a general glob syntax was rejected: git compares the literal prefix separately, and no
//! glob syntax can express the effect of that on a `**`.

use super::{LetterCase, Problem};
use crate::wildcard::limits::LINE_RUNS_MAX;
use crate::wildcard::token::{ByteSet, Pattern, Token, Tokens};

/// A line that may match something.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) pattern: Pattern,
    /// Whether the line starts with `!`.
    pub(super) negated: bool,
    /// Whether the pattern is compared with the path from the directory of the file, not with the base name.
    pub(super) anchored: bool,
    /// Whether the line matches only directories.
    pub(super) dirs_only: bool,
    /// The time that a comparison takes at worst, in relative units; 0 if a look-up decides.
    pub(super) cost: usize,
}

const DOT: Token = Token::Literal(b'.' as u16);

/// Reason why a line has no pattern.
enum Refused {
    /// Git accepts the line, but it matches nothing.
    MatchesNothing,
    /// The line is reported.
    Reported(Problem),
}

/// Reads one line, given without its line end; `None` for a blank line, a comment, and a pattern that matches
/// nothing.
pub(super) fn parse(line: &[u8], case: LetterCase) -> Result<Option<Line>, Problem> {
    if line.starts_with(b"#") {
        return Ok(None);
    }
    // Git keeps lines as C strings.
    let line = line.split(|&byte| byte == 0).next().unwrap_or_default();
    let line = std::str::from_utf8(trim_trailing_spaces(line)).map_err(|_| Problem::NotUtf8)?;

    let (negated, pattern) = match line.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (dirs_only, pattern) = match pattern.strip_suffix('/') {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    // Any other slash anchors the pattern, an escaped one and one inside a class included.
    let anchored = pattern.contains('/');
    let pattern = if anchored { pattern.strip_prefix('/').unwrap_or(pattern) } else { pattern };

    let pattern = match tokenize(pattern, anchored, case) {
        Ok(tokens) => tokens.into_pattern(),
        Err(Refused::MatchesNothing) => return Ok(None),
        Err(Refused::Reported(problem)) => return Err(problem),
    };
    let tokens = pattern.tokens();
    if tokens.iter().filter(|token| token.is_run()).count() > LINE_RUNS_MAX {
        return Err(Problem::TooManyStars);
    }
    let cost = cost(tokens, anchored);
    let line = Line { pattern, negated, anchored, dirs_only, cost };
    Ok(can_match(line.pattern.tokens()).then_some(line))
}

/// Trims unescaped spaces (and only spaces) at the end.
fn trim_trailing_spaces(line: &[u8]) -> &[u8] {
    let mut end = 0;
    let mut at = 0;
    while at < line.len() {
        match line[at] {
            b' ' => at += 1,
            // A lone backslash at the very end keeps the text before it.
            b'\\' => {
                at = (at + 2).min(line.len());
                end = at;
            }
            _ => {
                at += 1;
                end = at;
            }
        }
    }
    &line[..end]
}

fn tokenize(pattern: &str, anchored: bool, case: LetterCase) -> Result<Tokens, Refused> {
    let bytes = pattern.as_bytes();
    // Git compares the text before the first wildcard separately, and matches the rest as a pattern of its
    // own: a `**` there counts as the start of a segment.
    let first_wild = bytes.iter().position(|byte| b"*?[\\".contains(byte)).unwrap_or(bytes.len());
    let mut tokens = Tokens::new(case == LetterCase::Same);
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'*' => {
                let run = bytes[at..].iter().take_while(|&&byte| byte == b'*').count();
                let rest = &bytes[at + run..];
                let whole_segment = anchored
                    && run > 1
                    && (at == first_wild || bytes[at - 1] == b'/')
                    && (rest.is_empty() || rest[0] == b'/' || rest.starts_with(b"\\/"));
                at += run;
                if !whole_segment {
                    tokens.push_run(Token::Segment);
                } else if rest.is_empty() {
                    tokens.push_run(Token::Anything);
                } else if rest[0] == b'/' {
                    tokens.push_run(Token::Directories);
                    at += 1;
                } else {
                    // Before an escaped slash git does not let `**` match nothing.
                    tokens.list.extend([Token::Segment, Token::SLASH, Token::Directories]);
                    at += 2;
                }
            }
            b'?' => {
                tokens.list.push(Token::AnyByte);
                at += 1;
            }
            b'[' => at = parse_class(pattern, at, &mut tokens)?,
            byte => {
                let start = if byte == b'\\' { at + 1 } else { at };
                tokens.push_literal(*bytes.get(start).ok_or(Refused::MatchesNothing)?);
                at = start + 1;
            }
        }
    }
    Ok(tokens)
}

/// Returns whether a relative path without empty segments could match. A line that cannot match is dropped,
/// because it would be compared with every name otherwise.
fn can_match(tokens: &[Token]) -> bool {
    // A run of directories after plain text may be empty, and so may one at the start.
    let is_glued = |at: &usize| {
        let before = at.checked_sub(1).map(|before| tokens[before]);
        tokens[*at] == Token::Directories && before.is_some_and(|before| before != Token::SLASH)
    };
    let plain: Vec<Token>;
    let tokens = match (0..tokens.len()).find(is_glued) {
        Some(at) => {
            plain = [&tokens[..at], &tokens[at + 1..]].concat();
            &plain
        }
        None => tokens,
    };
    let slash = Some(&Token::SLASH);
    !tokens.is_empty()
        && tokens.first() != slash
        && tokens.last() != slash
        && tokens.last() != Some(&Token::Directories)
        && !tokens.windows(2).any(|pair| {
            pair[1] == Token::SLASH && matches!(pair[0], Token::SLASH | Token::Directories)
        })
}

/// Returns the cost of a comparison: 0 for a literal, which is looked up, and for an extension.
fn cost(tokens: &[Token], anchored: bool) -> usize {
    let is_literal = |token: &Token| matches!(token, Token::Literal(_));
    let is_extension = !anchored
        && tokens.len() > 1
        && tokens[..2] == [Token::Segment, DOT]
        && tokens[2..].iter().all(|token| is_literal(token) && *token != DOT);
    let suffix = tokens.strip_prefix(&[Token::Directories]).unwrap_or(tokens);
    if is_extension || suffix.iter().all(is_literal) {
        return 0;
    }
    // Letters in either case count as one, as literals do.
    let cost = |token: &Token| match token {
        Token::Literal(_) | Token::Letter(_) => 1,
        _ => 4,
    };
    tokens.iter().map(cost).sum()
}

/// Reads the class whose `[` is at `open` and pushes it; returns the position after its `]`.
fn parse_class(pattern: &str, open: usize, tokens: &mut Tokens) -> Result<usize, Refused> {
    let bytes = pattern.as_bytes();
    // An unclosed class, or an unknown name in one, makes a pattern that matches nothing.
    let byte_at = |at: usize| bytes.get(at).copied().ok_or(Refused::MatchesNothing);
    let negated = matches!(byte_at(open + 1)?, b'!' | b'^');
    let start = open + 1 + usize::from(negated);
    let mut listed = ByteSet::default();
    let mut at = start;
    let mut range_start = None;
    let mut next_close = 0;
    loop {
        // Only a `]` that is not the first member closes the class.
        let byte = byte_at(at)?;
        if byte == b']' && at > start {
            break;
        }
        match (byte, range_start) {
            (b'\\', _) => {
                at += 1;
                let escaped = byte_at(at)?;
                listed.insert(escaped);
                range_start = Some(escaped);
            }
            (b'-', Some(first)) if byte_at(at + 1)? != b']' => {
                at += 1;
                if byte_at(at)? == b'\\' {
                    at += 1;
                }
                listed.insert_range(first, byte_at(at)?);
                range_start = None;
            }
            (b'[', _) if byte_at(at + 1)? == b':' => {
                let name_at = at + 2;
                // A later `[:` continues this search, so all of them together take linear time.
                while next_close < name_at || byte_at(next_close)? != b']' {
                    next_close += 1;
                }
                match bytes[name_at..next_close].split_last() {
                    Some((b':', name)) => {
                        insert_named(&mut listed, name)?;
                        range_start = None;
                        at = next_close;
                    }
                    _ => {
                        listed.insert(b'[');
                        range_start = Some(b'[');
                    }
                }
            }
            _ => {
                listed.insert(byte);
                range_start = Some(byte);
            }
        }
        at += 1;
    }
    // Git matches bytes: it reads a range from or to a non-ASCII character as one between two of its bytes.
    // The author did not mean that, so the line is reported.
    let mut whole = ByteSet::default();
    pattern[start..at].bytes().for_each(|byte| whole.insert(byte));
    if listed.beyond_ascii() != whole.beyond_ascii() {
        return Err(Refused::Reported(Problem::Unsupported));
    }
    if tokens.push_class(listed, negated, true) { Ok(at + 1) } else { Err(Refused::MatchesNothing) }
}

/// Inserts the members of `[:name:]` as git defines them: ASCII in every locale, and without vertical tab and
/// form feed in `space`.
fn insert_named(set: &mut ByteSet, name: &[u8]) -> Result<(), Refused> {
    let holds: fn(&u8) -> bool = match name {
        b"alnum" => u8::is_ascii_alphanumeric,
        b"alpha" => u8::is_ascii_alphabetic,
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"cntrl" => u8::is_ascii_control,
        b"digit" => u8::is_ascii_digit,
        b"graph" => u8::is_ascii_graphic,
        b"lower" => u8::is_ascii_lowercase,
        b"print" => |byte| byte.is_ascii_graphic() || *byte == b' ',
        b"punct" => u8::is_ascii_punctuation,
        b"space" => |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
        b"upper" => u8::is_ascii_uppercase,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return Err(Refused::MatchesNothing),
    };
    (0..128).filter(holds).for_each(|byte| set.insert(byte));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the tokens of a line in glob notation, with `<` and `>` around separate tokens.
    fn written(line: &Line) -> String {
        let sign = if line.negated { "!" } else { "" };
        let anchor = if line.anchored { "/" } else { "" };
        let end = if line.dirs_only { "/" } else { "" };
        let token = |token: &Token| match token {
            Token::Anything => "<**>".to_owned(),
            Token::Segment => "<*>".to_owned(),
            Token::Directories => "<**/>".to_owned(),
            Token::AnyByte => "<?>".to_owned(),
            Token::Letter(letter) => format!("<{}>", char::from(*letter)),
            Token::Class(class) => format!("<{class}>"),
            Token::Literal(symbol) => {
                u8::try_from(*symbol).expect("a byte").escape_ascii().to_string()
            }
        };
        let tokens: String = line.pattern.tokens().iter().map(token).collect();
        [sign, anchor, &tokens, end].concat()
    }

    fn read(line: &str, case: LetterCase) -> Option<Line> {
        parse(line.as_bytes(), case).expect("a line that is not reported")
    }

    #[test]
    fn tokens_of_lines() {
        let cases = [
            ("", None),
            ("# a", None),
            ("a", Some("a")),
            ("!/a/b/", Some("!/a/b/")),
            ("!a/", Some("!a/")),
            ("a[/]b", None),
            ("{a,b}", Some("{a,b}")),
            ("a***b", Some("a<*>b")),
            ("a/**/b", Some("/a/<**/>b")),
            ("a**/b", Some("/a<**/>b")),
            ("/a**", Some("/a<**>")),
            ("/**", Some("/<**>")),
            ("**\\/a", Some("/<*>/<**/>a")),
            ("a**//", Some("/a<**/>/")),
            ("a/**//", None),
            ("[a]", Some("a")),
            ("[^]b-a-]", Some("<0>")),
            ("[ab][a-b]?", Some("<0><1><?>")),
            ("a\\ ", Some("a ")),
            ("a\\\\/", Some("a\\\\/")),
            ("é", Some("\\xc3\\xa9")),
        ];
        for (line, expected) in cases {
            let tokens = read(line, LetterCase::Distinct).as_ref().map(written);
            assert_eq!(tokens.as_deref(), expected, "{line:?}");
        }
        let folded = read("Ab1[cd]É", LetterCase::Same).expect("a line");
        assert_eq!(written(&folded), "<a><b>1<0>\\xc3\\x89");
        assert_eq!(folded.pattern.classes[0].iter().collect::<Vec<u8>>(), b"CDcd");
    }

    #[test]
    fn only_lookups_are_free() {
        for line in ["abc", "/a/b", "**/a/b", "*.c", "a b", "a\\ ", "é", "{a}", "a\\\\", "a\t"] {
            assert_eq!(read(line, LetterCase::Distinct).expect(line).cost, 0, "{line:?}");
            let has_letter = line.contains(|char: char| char.is_ascii_alphabetic());
            let folded = read(line, LetterCase::Same).expect(line);
            assert_eq!(folded.cost > 0, has_letter, "{line:?}");
        }
        for line in ["/*.c", "a*", "[ab]", "a?"] {
            assert!(read(line, LetterCase::Distinct).expect(line).cost > 0, "{line:?}");
        }
    }
}
