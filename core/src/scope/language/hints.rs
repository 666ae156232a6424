//! Hints about the intended meaning of a text that is not a pattern.
//!
//! A hint is one or two sentences, written for readers who know other pattern languages.

use super::ast::Prefix;
use super::lex::{Lexer, Token, TokenKind};
use super::parse::{PatternErrorKind, position};

/// A syntax error and its surroundings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mistake<'a> {
    pub text: &'a str,
    pub kind: &'a PatternErrorKind,
    /// The unexpected token.
    pub token: Token,
    /// The token before it; `End` at the start.
    pub before: TokenKind,
    /// The subject of the leaf that ends at the token, if one does.
    pub leaf: Option<Prefix>,
    /// The position of the innermost open parenthesis, in bytes.
    pub unclosed: Option<usize>,
}

/// The minimum similarity at which a word is taken for a misspelt prefix.
const SIMILARITY_MIN: f64 = 0.75;

/// Words written in place of a prefix, and their replacements. Misspellings are not listed here.
const MEANT: &[(&str, &str)] = &[
    ("class", "a class name without a prefix"),
    ("classpath", "lib:"),
    ("dependency", "lib:"),
    ("dir", "file:NAME//*"),
    ("directory", "file:NAME//*"),
    ("folder", "file:NAME//*"),
    ("glob", "file:"),
    ("group", "file[group:NAME]:*/"),
    ("jar", "ext:"),
    ("library", "lib:"),
    ("main", "src:"),
    ("mod", "file[NAME]:*/"),
    ("module", "file[NAME]:*/"),
    ("name", "file:"),
    ("package", "a class pattern without a prefix, such as com.acme..*"),
    ("path", "file:"),
    ("pattern", "file:"),
    ("scope", "$NAME"),
    ("source", "src:"),
    ("sources", "src:"),
];

/// Returns a suggestion, if the intention can be guessed.
pub(super) fn hint(mistake: &Mistake<'_>) -> Option<String> {
    match mistake.kind {
        PatternErrorKind::TooLong => {
            return Some("Split it into several scopes, or join atoms in a program.".into());
        }
        PatternErrorKind::TooDeep => {
            return Some("Leave out parentheses that change nothing, and every `!!`.".into());
        }
        PatternErrorKind::UnknownScopeType => return Some(about_prefix(mistake)),
        _ => {}
    }
    if mistake.text.trim().is_empty() {
        return Some("The pattern is empty. `file:*/` is every file of the project.".into());
    }
    if let Some(word) = operator_word(mistake) {
        let operator = match word.to_ascii_lowercase().as_str() {
            "and" => "&&",
            "or" => "||",
            _ => "!",
        };
        return Some(format!(
            "`{word}` is not an operator: write `{operator}`, without blanks around it."
        ));
    }
    about_token(mistake)
}

fn about_token(mistake: &Mistake<'_>) -> Option<String> {
    let token = &mistake.text[mistake.token.span()];
    let hint = match mistake.token.kind {
        TokenKind::End => return about_end(mistake),
        TokenKind::Blank => return Some(about_blank(mistake)),
        TokenKind::Bad => return about_bad_character(token),
        TokenKind::Or | TokenKind::And => {
            format!("`{token}` needs a pattern on its left.")
        }
        TokenKind::Not => "Before `!` there must be `&&`, `||` or `(`.".to_owned(),
        TokenKind::LeftParen => {
            "A path cannot contain a parenthesis: write `*` in its place. Between two patterns \
             write `||` or `&&`."
                .to_owned()
        }
        TokenKind::RightParen if *mistake.kind == PatternErrorKind::PatternExpected => {
            "A pattern must precede `)`.".to_owned()
        }
        TokenKind::RightParen => "No `(` is open here.".to_owned(),
        TokenKind::LeftBracket => {
            "Brackets contain a module filter, between the prefix and the colon: \
             `file[module]:src//*`. Character classes are not supported."
                .to_owned()
        }
        TokenKind::RightBracket => "No `[` is open here.".to_owned(),
        _ if mistake.before == TokenKind::RightBracket && is_empty_filter(mistake) => {
            "The brackets are empty: name a module, or leave them out.".to_owned()
        }
        TokenKind::Colon if mistake.leaf.is_none() => {
            "A reference has no colon: `$NAME` alone.".to_owned()
        }
        TokenKind::Colon => {
            "The one colon of a pattern follows its prefix. Join patterns with `||` or `&&`."
                .to_owned()
        }
        _ => about_misplaced(mistake, token),
    };
    Some(hint)
}

/// Explains a token that is valid in a path, but not here.
fn about_misplaced(mistake: &Mistake<'_>, token: &str) -> String {
    match mistake.leaf {
        Some(_) => format!(
            "Without a path prefix this is the name of a class, which consists of words, `.` and \
             `*`, without `{token}`. For a path write `file:` before it."
        ),
        None if mistake.before == TokenKind::Identifier => format!(
            "A reference is one word of letters, digits, `_` and `$`: a scope with `{token}` in its \
             name cannot be referred to."
        ),
        None => "Write `||` or `&&` between two patterns.".to_owned(),
    }
}

fn about_end(mistake: &Mistake<'_>) -> Option<String> {
    let hint = match (mistake.before, mistake.unclosed) {
        (TokenKind::Or, _) => "`||` needs a pattern on its right.".to_owned(),
        (TokenKind::And, _) => "`&&` needs a pattern on its right.".to_owned(),
        (TokenKind::Not, _) => "`!` must precede a pattern.".to_owned(),
        (TokenKind::LeftParen, _) => "A pattern must follow `(`.".to_owned(),
        _ if is_filter_open(mistake) => "The `]` of the module filter is missing.".to_owned(),
        _ if is_empty_filter(mistake) => {
            "The brackets are empty: name a module, or leave them out.".to_owned()
        }
        (TokenKind::Colon | TokenKind::RightBracket, _) => match mistake.leaf {
            Some(prefix) if prefix.is_path() => {
                "A path pattern must follow. `*/` is every file.".to_owned()
            }
            _ => "A class pattern must follow. `*` is every class.".to_owned(),
        },
        (_, Some(start)) => {
            let position = position(mistake.text, start);
            format!("The `(` at position {position} is not closed.")
        }
        _ => return None,
    };
    Some(hint)
}

fn about_blank(mistake: &Mistake<'_>) -> String {
    let is_reference = mistake.before == TokenKind::Identifier && mistake.leaf.is_none();
    let mut next = Lexer::new(&mistake.text[mistake.token.end..]);
    if is_reference && matches!(next.kind(), TokenKind::Identifier | TokenKind::Integer) {
        return "A reference is one word: a scope with blanks in its name cannot be referred to."
            .into();
    }
    let is_after_pattern = matches!(mistake.kind, PatternErrorKind::UnexpectedToken(_));
    if is_after_pattern && next.kind() != TokenKind::End {
        next.advance();
        if matches!(next.kind(), TokenKind::Colon | TokenKind::LeftBracket) {
            return "Join patterns with `||` or `&&`, without blanks around them.".into();
        }
    }
    "Blanks are part of a path and nothing elsewhere: write none around `||`, `&&`, `!`, \
     parentheses and whole patterns."
        .into()
}

fn about_bad_character(token: &str) -> Option<String> {
    let hint = match token.chars().next()? {
        '|' => "One `|` is not an operator: write `||`.".to_owned(),
        '&' => "One `&` is not an operator: write `&&`.".to_owned(),
        ',' | ';' => format!("`{token}` is not an operator: write `||`. Inside a path write `*`."),
        '?' => "`?` is not a wildcard: `*` matches any run of characters.".to_owned(),
        '{' | '}' => {
            "Braces do not form alternatives: write several patterns joined with `||`.".to_owned()
        }
        '"' | '\'' | '`' => "Patterns are not quoted: leave the quotes out.".to_owned(),
        '\\' => "Directories are separated by `/`, and nothing is escaped.".to_owned(),
        '^' | '<' | '>' | '=' => format!(
            "`{token}` is not an operator; the operators are `||`, `&&`, `!`. Inside a path write \
             `*`."
        ),
        c if c.is_control() || c.is_whitespace() => {
            format!("A pattern cannot contain U+{:04X}: write `*` in its place.", u32::from(c))
        }
        _ => format!("A pattern cannot contain `{token}`: write `*` in its place."),
    };
    Some(hint)
}

fn about_prefix(mistake: &Mistake<'_>) -> String {
    let word = &mistake.text[mistake.token.span()];
    if word == Prefix::ProjectPath.text() {
        return "`projectPath` takes no module filter: write `projectPath:`.".into();
    }
    let names: Vec<_> = Prefix::ALL.iter().map(|prefix| format!("`{}:`", prefix.text())).collect();
    let known = format!("The prefixes are {}.", names.join(", "));
    match meant_prefix(word) {
        Some(meant) => format!("Perhaps `{meant}`? {known}"),
        None => known,
    }
}

fn meant_prefix(word: &str) -> Option<String> {
    // No prefix is similar to a longer word, and comparing is slow.
    if word.len() > 24 {
        return None;
    }
    let word = word.to_lowercase();
    if let Some((_, meant)) = MEANT.iter().find(|(known, _)| *known == word) {
        return Some((*meant).to_owned());
    }
    let similarity = |prefix: &Prefix| strsim::jaro_winkler(&word, &prefix.text().to_lowercase());
    let nearest =
        Prefix::ALL.iter().max_by(|one, other| similarity(one).total_cmp(&similarity(other)))?;
    (similarity(nearest) >= SIMILARITY_MIN).then(|| format!("{}:", nearest.text()))
}

/// Returns the word `and`, `or` or `not` between blanks around the error, up to the next operators.
fn operator_word<'a>(mistake: &Mistake<'a>) -> Option<&'a str> {
    let operators = ["||", "&&", "(", ")"];
    let (before, after) = mistake.text.split_at(mistake.token.start);
    let ends =
        operators.iter().filter_map(|operator| Some(before.rfind(operator)? + operator.len()));
    let starts = operators.iter().filter_map(|operator| after.find(operator));
    let start = ends.max().unwrap_or(0);
    let end = mistake.token.start + starts.min().unwrap_or(after.len());
    let stretch = &mistake.text[start..end];
    let words: Vec<&str> = stretch.split_whitespace().collect();
    let is = |word: &&str, operators: &[&str]| {
        operators.iter().any(|operator| word.eq_ignore_ascii_case(operator))
    };
    if words.len() > 1 && is(&words[0], &["not"]) {
        return Some(words[0]);
    }
    let is_outer_left = |at: usize| at == 0 && !stretch.starts_with(char::is_whitespace);
    let is_outer_right =
        |at: usize| at + 1 == words.len() && !stretch.ends_with(char::is_whitespace);
    let mut inner = words.iter().enumerate();
    inner
        .find(|(at, word)| {
            is(word, &["and", "or", "not"]) && !is_outer_left(*at) && !is_outer_right(*at)
        })
        .map(|(_, word)| *word)
}

fn is_filter_open(mistake: &Mistake<'_>) -> bool {
    let before = &mistake.text[..mistake.token.start];
    mistake.leaf.is_some() && before.rfind('[') > before.rfind(']')
}

fn is_empty_filter(mistake: &Mistake<'_>) -> bool {
    mistake.text[..mistake.token.start].ends_with("[]")
}
