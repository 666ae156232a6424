//! One gitignore line, read as git reads it and written again for the glob compiler.
//!
//! The line becomes a list of [`Token`]s with git's meaning, and the tokens become globs in which
//! nothing is left to be interpreted: anchored or not is spelled out, braces and commas are
//! escaped, a class names each byte it holds and never `/`, and `**` occurs only as a whole
//! segment. A line that can match no path at all gives no glob. Compiling and matching are the
//! business of [`super`]; this file reads no file and keeps no state.

use super::{LetterCase, Problem};

/// Stars of one line, a run of them counted once. Each may keep the matcher busy at every byte of
/// a path; lines in use have one to four.
const LINE_STARS_MAX: usize = 32;

/// What a line says: the globs that have its verdict, and what they cost to match.
///
/// No globs: a blank line, a comment, or a pattern that matches nothing.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    /// Lines for `GitignoreBuilder::add_line`. More than one stand for "any of these".
    pub(super) globs: Vec<String>,
    /// The number of matcher states the globs may need, 0 when look-ups decide them.
    pub(super) states: usize,
    /// Whether the globs end in a literal extension after wildcards, as `a*.c` does.
    pub(super) has_extension: bool,
}

/// One step of a pattern, in git's meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Literal(char),
    /// `?`: one byte that is not `/`.
    AnyByte,
    /// `*`: any bytes but `/`.
    Star,
    Class(Class),
    /// `**/`: nothing, or anything up to and including a `/`.
    Deep,
    /// `**` at the end: anything.
    Tail,
}

/// A bracket expression; whatever it lists, it never matches `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Class {
    negated: bool,
    /// The listed ASCII bytes, by bit.
    ascii: u128,
    /// Listed characters beyond ASCII. Git matches single bytes, so each stands for all of its
    /// bytes; the glob compiler reads them in the same way.
    wide: String,
}

/// Why a line has no tokens.
enum Refused {
    /// Git accepts the line, and it matches nothing.
    MatchesNothing,
    /// Git might match something with it, and we cannot.
    Unsupported(Problem),
}

/// Rewrites one line, given without its line end.
///
/// The glob compiler makes a regex of its own for each glob that has an extension, which costs
/// some 10 kB and half a microsecond a path. `hide_extension` writes such globs so that they share
/// one regex with others.
pub(super) fn rewrite(
    line: &[u8],
    case: LetterCase,
    hide_extension: bool,
) -> Result<Rewritten, Problem> {
    if line.starts_with(b"#") {
        return Ok(Rewritten::default());
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

    let tokens = match tokenize(pattern, anchored) {
        Ok(tokens) => tokens,
        Err(Refused::MatchesNothing) => return Ok(Rewritten::default()),
        Err(Refused::Unsupported(problem)) => return Err(problem),
    };
    let star = |token: &&Token| matches!(token, Token::Star | Token::Deep | Token::Tail);
    if tokens.iter().filter(star).count() > LINE_STARS_MAX {
        return Err(Problem::TooManyStars);
    }
    let mut rewritten = Rewritten::default();
    for tokens in spell_out_deep(tokens) {
        if can_match(&tokens) {
            let states = states(&tokens, anchored, case);
            rewritten.states += states;
            let dot = extension_dot(&tokens).filter(|_| states > 0);
            rewritten.has_extension |= dot.is_some();
            let hidden = dot.filter(|_| hide_extension);
            rewritten.globs.push(print(&tokens, hidden, negated, anchored, dirs_only)?);
        }
    }
    Ok(rewritten)
}

/// Cuts unescaped spaces (and only spaces) off the end.
fn trim_trailing_spaces(line: &[u8]) -> &[u8] {
    let mut end = 0;
    let mut at = 0;
    while at < line.len() {
        match line[at] {
            b' ' => at += 1,
            // A lone backslash at the very end keeps what is before it.
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

fn tokenize(pattern: &str, anchored: bool) -> Result<Vec<Token>, Refused> {
    let bytes = pattern.as_bytes();
    // Git compares the text before the first wildcard by itself, and matches the rest as if it
    // were a pattern of its own: a `**` there counts as the beginning of a segment.
    let first_wild = bytes.iter().position(|byte| b"*?[\\".contains(byte)).unwrap_or(bytes.len());
    let mut tokens = Vec::with_capacity(bytes.len());
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
                    push(&mut tokens, Token::Star);
                } else if rest.is_empty() {
                    push(&mut tokens, Token::Tail);
                } else if rest[0] == b'/' {
                    push(&mut tokens, Token::Deep);
                    at += 1;
                } else {
                    // Before an escaped slash git does not try "nothing".
                    tokens.extend([Token::Star, Token::Literal('/'), Token::Deep]);
                    at += 2;
                }
            }
            b'?' => {
                tokens.push(Token::AnyByte);
                at += 1;
            }
            b'[' => {
                let (class, end) = Class::parse(pattern, at)?;
                push(&mut tokens, class.into_token()?);
                at = end;
            }
            byte => {
                let start = if byte == b'\\' { at + 1 } else { at };
                let literal = pattern[start..].chars().next().ok_or(Refused::MatchesNothing)?;
                tokens.push(Token::Literal(literal));
                at = start + literal.len_utf8();
            }
        }
    }
    Ok(tokens)
}

/// Pushes a token unless the one before it says the same already.
fn push(tokens: &mut Vec<Token>, token: Token) {
    match (tokens.last(), &token) {
        (Some(Token::Deep), Token::Deep) | (Some(Token::Star), Token::Star) => {}
        (Some(Token::Deep), Token::Tail) => {
            tokens.pop();
            tokens.push(Token::Tail);
        }
        _ => tokens.push(token),
    }
}

/// Replaces a `**` that follows plain text (`a**/b`) by patterns in which `**` is a segment.
///
/// At most the first wildcard of a pattern can be one, so two patterns are enough.
fn spell_out_deep(tokens: Vec<Token>) -> Vec<Vec<Token>> {
    let Some(at) = tokens.iter().position(|token| matches!(token, Token::Deep | Token::Tail))
    else {
        return vec![tokens];
    };
    if at == 0 || tokens[at - 1] == Token::Literal('/') {
        return vec![tokens];
    }
    let (before, after) = (&tokens[..at], &tokens[at + 1..]);
    let slash = Token::Literal('/');
    match tokens[at] {
        Token::Deep => vec![
            [before, after].concat(),
            [before, &[Token::Star, slash, Token::Deep], after].concat(),
        ],
        _ => {
            vec![
                [before, &[Token::Star]].concat(),
                [before, &[Token::Star, slash, Token::Tail]].concat(),
            ]
        }
    }
}

/// Whether a relative path without empty segments could match.
fn can_match(tokens: &[Token]) -> bool {
    let slash = Token::Literal('/');
    let ends = |token: Option<&Token>| token == Some(&slash);
    !tokens.is_empty()
        && !ends(tokens.first())
        && !ends(tokens.last())
        && tokens.last() != Some(&Token::Deep)
        && !tokens
            .windows(2)
            .any(|pair| pair[1] == slash && (pair[0] == slash || pair[0] == Token::Deep))
}

/// Returns how many states a matcher may have to keep for these tokens; 0 for what one look-up of the
/// path, its name, its extension or its last segments answers.
///
/// It must agree with the glob compiler, which looks nothing up without regard to letter case, no
/// class (which [`print`] writes for some characters), and no extension of an anchored glob.
fn states(tokens: &[Token], anchored: bool, case: LetterCase) -> usize {
    let literal =
        |token: &Token| matches!(token, Token::Literal(literal) if !needs_class(*literal));
    let extension = !anchored
        && tokens.len() > 1
        && tokens[0] == Token::Star
        && tokens[1] == Token::Literal('.')
        && tokens[2..].iter().all(|token| literal(token) && *token != Token::Literal('.'));
    let suffix = tokens.strip_prefix(&[Token::Deep]).unwrap_or(tokens);
    if case == LetterCase::Distinct && (extension || suffix.iter().all(literal)) {
        return 0;
    }
    // Loops stay alive while the path goes on, and classes branch: both cost more than a byte.
    tokens.iter().map(|token| if literal(token) { 1 } else { 4 }).sum()
}

/// Whether [`print`] writes the character as a class of one, there or at the end of a glob.
fn needs_class(literal: char) -> bool {
    literal == '\\' || literal != ' ' && (literal.is_ascii_whitespace() || literal == '\x0b')
}

/// The place of the dot, when the tokens end in an extension.
fn extension_dot(tokens: &[Token]) -> Option<usize> {
    let at = tokens.iter().rposition(|token| {
        matches!(token, Token::Literal('.' | '/')) || !matches!(token, Token::Literal(_))
    })?;
    (tokens[at] == Token::Literal('.')).then_some(at)
}

/// Writes tokens as a line that `GitignoreBuilder::add_line` cannot misread.
fn print(
    tokens: &[Token],
    hidden_dot: Option<usize>,
    negated: bool,
    anchored: bool,
    dirs_only: bool,
) -> Result<String, Problem> {
    let mut glob = String::from(if negated { "!" } else { "" });
    glob.push_str(if anchored { "/" } else { "**/" });
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Literal('\\') => glob.push_str("[\\]"),
            Token::Literal(_) if hidden_dot == Some(at) => glob.push_str("[.]"),
            Token::Literal(literal) => {
                if "*?[]{},".contains(*literal) {
                    glob.push('\\');
                }
                glob.push(*literal);
            }
            Token::AnyByte => glob.push('?'),
            Token::Star => glob.push('*'),
            Token::Class(class) => class.print(&mut glob),
            Token::Deep => glob.push_str("**/"),
            Token::Tail if at == 0 => glob.push_str("**/*"),
            Token::Tail => glob.push_str("**"),
        }
    }
    if dirs_only {
        glob.push('/');
    } else if let Some(last) = glob.pop() {
        // White space at the end would be trimmed.
        match last {
            ' ' => glob.push_str("\\ "),
            last if needs_class(last) => {
                glob.extend(['[', last, ']']);
            }
            last if last.is_whitespace() => return Err(Problem::Unsupported),
            last => glob.push(last),
        }
    }
    Ok(glob)
}

impl Class {
    /// Reads the class whose `[` is at `open`; also gives the place after its `]`.
    fn parse(pattern: &str, open: usize) -> Result<(Class, usize), Refused> {
        let bytes = pattern.as_bytes();
        // An unclosed class, like a wrong name in one, makes a pattern that matches nothing.
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
                    // Looked for once, however many `[:` come before it.
                    while next_close < name_at || byte_at(next_close)? != b']' {
                        next_close += 1;
                    }
                    match bytes[name_at..next_close].split_last() {
                        Some((b':', name)) => {
                            listed.insert_named(name)?;
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
        let wide: String = pattern[start..at].chars().filter(|c| !c.is_ascii()).collect();
        let mut expressible = ByteSet::default();
        wide.bytes().for_each(|byte| expressible.insert(byte));
        if expressible.wide != listed.wide {
            return Err(Refused::Unsupported(Problem::Unsupported));
        }
        Ok((Class { negated, ascii: listed.ascii, wide }, at + 1))
    }

    /// The class as a token, in its simplest form: faster, and the form that has no corner cases.
    fn into_token(mut self) -> Result<Token, Refused> {
        let slash = 1 << b'/';
        if self.negated {
            self.ascii |= slash;
            return Ok(Token::Class(self));
        }
        self.ascii &= !slash;
        match (self.ascii.count_ones(), self.wide.is_empty()) {
            (0, true) => Err(Refused::MatchesNothing),
            (1, true) => {
                let byte = (0..128u8).find(|&byte| self.ascii >> byte & 1 == 1);
                Ok(byte.map_or(Token::AnyByte, |byte| Token::Literal(char::from(byte))))
            }
            // A class cannot begin with either of the two.
            (2, true) if self.ascii == (1 << b'!' | 1 << b'^') => {
                Err(Refused::Unsupported(Problem::Unsupported))
            }
            _ => Ok(Token::Class(self)),
        }
    }

    /// Writes the class so that no member can be taken for syntax: `]` first, `-` last (or first
    /// of all, where `^` or `!` would be).
    fn print(&self, glob: &mut String) {
        let has = |byte: u8| byte < 128 && self.ascii >> byte & 1 == 1;
        let plain = |byte: u8| has(byte) && !b"]^!-".contains(&byte);
        let mut members = String::new();
        let mut byte = 0;
        while byte < 128 {
            if plain(byte) {
                let first = byte;
                while plain(byte + 1) {
                    byte += 1;
                }
                members.push(char::from(first));
                if byte > first {
                    members.extend(['-', char::from(byte)]);
                }
            }
            byte += 1;
        }
        members.push_str(&self.wide);
        let dash_first = members.is_empty() && !has(b']');

        glob.push_str(if self.negated { "[^" } else { "[" });
        let only = |byte: u8, wanted: bool| (wanted && has(byte)).then_some(char::from(byte));
        glob.extend(only(b']', true));
        glob.extend(only(b'-', dash_first));
        glob.push_str(&members);
        glob.extend(only(b'^', true));
        glob.extend(only(b'!', true));
        glob.extend(only(b'-', !dash_first));
        glob.push(']');
    }
}

/// A set of bytes.
#[derive(Default)]
struct ByteSet {
    ascii: u128,
    wide: u128,
}

impl ByteSet {
    fn insert(&mut self, byte: u8) {
        match byte.checked_sub(128) {
            None => self.ascii |= 1 << byte,
            Some(bit) => self.wide |= 1 << bit,
        }
    }

    fn insert_range(&mut self, first: u8, last: u8) {
        (first..=last).for_each(|byte| self.insert(byte));
    }

    /// Inserts the members of `[:name:]` as git has them: ASCII whatever the locale, and without
    /// vertical tab and form feed in `space`.
    fn insert_named(&mut self, name: &[u8]) -> Result<(), Refused> {
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
        (0..128).filter(holds).for_each(|byte| self.insert(byte));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            ("# a", &[]),
            ("a", &["**/a"]),
            ("!/a/b/", &["!/a/b/"]),
            ("!a/", &["!**/a/"]),
            ("a[/]b", &[]),
            ("{a,b}", &["**/\\{a\\,b\\}"]),
            ("a***b", &["**/a*b"]),
            ("a/**/b", &["/a/**/b"]),
            ("a**/b", &["/ab", "/a*/**/b"]),
            ("/a**", &["/a*", "/a*/**"]),
            ("/**", &["/**/*"]),
            ("**\\/a", &["/*/**/a"]),
            ("[a]", &["**/a"]),
            ("[^]b-a-]", &["**/[^]/b-]"]),
            ("[!-]", &["**/[^/-]"]),
            ("[\\!-%^]", &["**/[\"-%^!]"]),
            ("[-^]", &["**/[-^]"]),
            ("a\\ ", &["**/a\\ "]),
            ("a\t", &["**/a[\t]"]),
            ("a\t/", &["**/a\t/"]),
            ("a\\\\/", &["**/a[\\]/"]),
        ];
        for (line, globs) in cases {
            let rewritten = rewrite(line.as_bytes(), LetterCase::Distinct, false);
            assert_eq!(rewritten.expect("a good line").globs, *globs, "{line:?}");
        }
    }

    #[test]
    fn only_globs_that_are_looked_up_have_no_states() {
        let states = |line: &str, case| rewrite(line.as_bytes(), case, false).expect(line).states;
        for line in ["abc", "/a/b", "**/a/b", "*.c", "a b", "a\\ ", "é", "{a}"] {
            assert_eq!(states(line, LetterCase::Distinct), 0, "{line:?}");
            assert!(states(line, LetterCase::Same) > 0, "{line:?}");
        }
        for line in ["a\\\\", "*.c\\\\", "a\t", "/*.c", "a*", "[ab]", "a?"] {
            assert!(states(line, LetterCase::Distinct) > 0, "{line:?}");
        }
    }

    #[test]
    fn extensions_are_hidden_on_request() {
        let cases = [
            ("*.c", "**/*.c", false),
            ("a*.c", "**/a*[.]c", true),
            ("a*.b.c", "**/a*.b[.]c", true),
            ("/a*/b", "/a*/b", false),
            ("a.c", "**/a.c", false),
        ];
        for (line, glob, has_extension) in cases {
            let rewritten =
                rewrite(line.as_bytes(), LetterCase::Distinct, true).expect("a good line");
            assert_eq!(rewritten.globs, [glob]);
            assert_eq!(rewritten.has_extension, has_extension, "{line:?}");
        }
    }
}
