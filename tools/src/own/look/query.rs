//! The query of `look`, and the expressions that also find other spellings of it.

use crate::replies::text::quoted;
use searchscope::{Case, PatternOptions, Syntax};

/// A parsed query.
#[derive(Clone, Debug)]
pub(super) struct Query {
    /// The text to search for, without the slashes of a regex.
    pub(super) text: String,
    pub(super) is_regex: bool,
    /// The words between white space; empty for a regex.
    pub(super) words: Vec<String>,
}

/// Maximum number of words that are searched separately; further ones only count in the phrase.
const WORDS_MAX: usize = 12;
/// Maximum length of a name that is split into words.
const NAME_CHARS_MAX: usize = 80;
/// Maximum length of a text that remarks show whole.
const SHOWN_CHARS_MAX: usize = 120;
/// Separators between the parts of a qualified name.
const SEPARATORS: [char; 4] = ['.', ':', '#', '\\'];

impl Query {
    /// Parses `q`: `/…/` is a regex, anything else a literal text.
    pub(super) fn read(q: &str) -> Query {
        let inner = q.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        match inner.filter(|inner| !inner.is_empty()) {
            Some(regex) => Query { text: regex.to_owned(), is_regex: true, words: Vec::new() },
            None => Query::literal(q),
        }
    }

    /// Returns a literal text, whatever its characters.
    pub(super) fn literal(q: &str) -> Query {
        let text = q.trim();
        let text = if text.is_empty() { q } else { text };
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.dedup();
        words.truncate(WORDS_MAX);
        Query { text: text.to_owned(), is_regex: false, words }
    }

    /// Returns the text as remarks show it, in quotation marks.
    pub(super) fn shown(&self) -> String {
        quoted_short(&self.text)
    }

    /// Returns the last qualifier and the name of a qualified name.
    pub(super) fn qualified(&self) -> (&str, &str) {
        let mut parts = self.text.rsplit(SEPARATORS).filter(|part| !part.is_empty());
        let name = parts.next().unwrap_or_default();
        (parts.next().unwrap_or_default(), name)
    }

    /// Returns the text in any naming, or if it is not a name, in any case.
    pub(super) fn renamed(&self) -> Option<PatternOptions> {
        self.any_naming().or_else(|| self.any_case())
    }

    /// Returns whether the text is one name, as most languages write them: letters, digits and
    /// `_$-`.
    pub(super) fn is_name(&self) -> bool {
        !self.is_regex && is_name(&self.text)
    }

    /// Returns the one name that the text is or that a regex finds as a whole word: `\bload\b`.
    pub(super) fn name(&self) -> Option<&str> {
        let name = match self.is_regex {
            true => self.text.strip_prefix("\\b").and_then(|rest| rest.strip_suffix("\\b"))?,
            false => self.text.as_str(),
        };
        is_name(name).then_some(name)
    }

    /// Returns whether the text is a name qualified with others: `Workspace::open`, `Job.run`.
    pub(super) fn is_qualified(&self) -> bool {
        let parts: Vec<&str> =
            self.text.split(SEPARATORS).filter(|part| !part.is_empty()).collect();
        !self.is_regex && parts.len() > 1 && parts.iter().all(|part| is_name(part))
    }

    /// Returns the text itself, with smart case; across lines if it contains a line feed.
    pub(super) fn pattern(&self) -> PatternOptions {
        self.in_case(Case::Smart)
    }

    fn in_case(&self, case: Case) -> PatternOptions {
        let syntax = if self.is_regex { Syntax::Regex } else { Syntax::Literal };
        let multi_line = self.text.contains('\n') || self.is_regex && has_line_feed(&self.text);
        PatternOptions { multi_line, ..pattern(self.text.clone(), syntax, case) }
    }

    /// Returns the text in any case; `None` if smart case has already searched any case.
    fn any_case(&self) -> Option<PatternOptions> {
        let has_upper = self.text.chars().any(char::is_uppercase);
        has_upper.then(|| self.in_case(Case::Insensitive))
    }

    /// Returns the same words in any naming: `parse_body` for `parseBody`, and the other way round.
    fn any_naming(&self) -> Option<PatternOptions> {
        if self.is_regex || self.text.chars().count() > NAME_CHARS_MAX {
            return None;
        }
        let words = words_of(&self.text);
        let regex = match words.as_slice() {
            [] => return None,
            // The word boundaries of a name in one case are unknown, so a separator is allowed
            // between all letters.
            [word] if is_name(word) && word.len() >= 5 => word
                .chars()
                .map(|c| regex_syntax::escape(&c.to_string()))
                .collect::<Vec<_>>()
                .join("[_-]?"),
            [_] => return None,
            words => words
                .iter()
                .map(|word| regex_syntax::escape(word))
                .collect::<Vec<_>>()
                .join(r"(?:[ _.\-]|::|->)?"),
        };
        Some(pattern(regex, Syntax::Regex, Case::Insensitive))
    }

    /// Returns the phrase with white space or a line break between any two words, also inside
    /// comments or concatenated string literals.
    pub(super) fn across_lines(&self) -> Option<PatternOptions> {
        if self.words.len() < 2 {
            return None;
        }
        let words: Vec<String> = self.words.iter().map(|word| regex_syntax::escape(word)).collect();
        let options = pattern(words.join(GAP), Syntax::Regex, Case::Insensitive);
        Some(PatternOptions { multi_line: true, ..options })
    }

    /// Returns the text as a regex, if it has signs that a name or a path does not have, and compiles.
    pub(super) fn as_pattern(&self) -> Option<Query> {
        // A message lists values so.
        let text = self.text.replace("\"|\"", "").replace("'|'", "").replace("`|`", "");
        let has_signs = ["|", ".*", ".+", "\\b", "\\w", "\\s", "\\d", "[^", "(?", "^", "$", "+("]
            .iter()
            .any(|sign| text.contains(sign))
            || self.text.contains('[') && self.text.contains("]+")
            || self.text.contains('[') && self.text.contains("]*");
        if self.is_regex || !has_signs {
            return None;
        }
        // Alternatives as `grep` without `-E` has them.
        let text = self.text.replace("\\|", "|");
        let query = Query { text, is_regex: true, words: Vec::new() };
        if regex_syntax::parse(&query.text).is_ok() { Some(query) } else { query.repaired() }
    }

    /// Returns a regex with its lone brackets escaped, if it then compiles.
    pub(super) fn repaired(&self) -> Option<Query> {
        let escaped = |open: char, close: char| {
            let n_open =
                self.text.matches(open).count() - self.text.matches(&format!("\\{open}")).count();
            let n_close =
                self.text.matches(close).count() - self.text.matches(&format!("\\{close}")).count();
            let mut text = String::new();
            let mut before = ' ';
            for c in self.text.chars() {
                let is_lone = n_open != n_close && (c == open || c == close) && before != '\\';
                text.extend(is_lone.then_some('\\'));
                text.push(c);
                before = c;
            }
            text
        };
        [('(', ')'), ('[', ']'), ('{', '}')]
            .into_iter()
            .map(|(open, close)| escaped(open, close))
            .find(|text| *text != self.text && regex_syntax::parse(text).is_ok())
            .map(|text| Query { text, is_regex: true, words: Vec::new() })
    }
}

/// White space, or a line break with its surroundings in source code: indentation, the sign of a
/// comment on the next line, comment lines without text, or the end and the beginning of a string
/// literal, which may have a prefix (`f"`, `r'`, `L"`).
const GAP: &str = concat!(
    r"(?:[ \t]+|",
    r#"[ \t]*["']?[ \t]*(?:[+\\.][ \t]*)?\r?\n[ \t]*"#,
    r"(?:(?://[/!]?<?|/?\*+|#+|--|;+|%+|>+|\|)[ \t]*\r?\n[ \t]*){0,2}",
    r"(?:(?://[/!]?<?|/?\*+<?|#+|--|;+|%+|>+|\|)[ \t]*)?",
    r#"(?:[+.][ \t]*)?(?:(?:[bcfrBFLRU]{1,2}|u8?)?["'])?)"#,
);

/// Returns whether a regex contains a line feed: `\n`, not preceded by an escaped backslash.
fn has_line_feed(regex: &str) -> bool {
    let mut chars = regex.chars();
    while let Some(c) = chars.next() {
        if c == '\\' && chars.next() == Some('n') {
            return true;
        }
    }
    false
}

fn pattern(text: String, syntax: Syntax, case: Case) -> PatternOptions {
    PatternOptions { patterns: vec![text], syntax, case, ..PatternOptions::default() }
}

/// Returns a text of the caller in quotation marks, shortened if it is long.
pub(super) fn quoted_short(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS_MAX) {
        Some((end, _)) => format!("{}…", quoted(&text[..end])),
        None => quoted(text),
    }
}

/// Returns whether `text` is a name as most languages write them.
pub(super) fn is_name(text: &str) -> bool {
    // JavaScript marks private members with `#`.
    let text = text.strip_prefix('#').unwrap_or(text);
    // Ruby's methods may end so.
    let text = text.strip_suffix(['!', '?']).unwrap_or(text);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
    text.chars().any(char::is_alphanumeric) && text.chars().all(is_part)
}

/// Returns the words of a name or phrase, in any naming: `parseHTMLBody` has `parse`, `HTML` and
/// `Body`.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let chars: Vec<char> = text.chars().collect();
    let mut word = String::new();
    for (at, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
            continue;
        }
        let before = at.checked_sub(1).map(|at| chars[at]);
        let after = chars.get(at + 1);
        let begins = c.is_uppercase()
            && (before.is_some_and(|before| !before.is_uppercase())
                || after.is_some_and(|after| after.is_lowercase()));
        if begins && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.push(c);
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// Returns the letters of a name in lower case, without separators.
pub(super) fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(pattern: Option<PatternOptions>, text: &str) -> bool {
        let pattern = pattern.expect("there is one");
        let regex = format!("(?i:{})", pattern.patterns[0]);
        regex_automata::meta::Regex::new(&regex).expect("it compiles").is_match(text)
    }

    #[test]
    fn names_have_words_in_any_naming() {
        for (name, words) in [
            ("parseHTMLBody", &["parse", "HTML", "Body"][..]),
            ("RegExpRouter", &["Reg", "Exp", "Router"]),
            ("send_from_directory", &["send", "from", "directory"]),
            ("HTTPServer", &["HTTP", "Server"]),
            ("utf8Decode", &["utf8", "Decode"]),
            ("MAX_SIZE", &["MAX", "SIZE"]),
            ("--", &[]),
        ] {
            assert_eq!(words_of(name), words, "{name}");
        }
    }

    #[test]
    fn another_naming_is_found_in_both_directions() {
        for (query, text) in [
            ("parse_body", "parseBody"),
            ("parseBody", "parse_body"),
            ("parseBody", "PARSE-BODY"),
            ("RegExpRouter", "regexp_router"),
            ("regexpRouter", "RegExpRouter"),
            ("sendfromdirectory", "send_from_directory"),
            ("sendFromDirectory", "send_from_directory"),
            ("Workspace.open", "Workspace::open"),
        ] {
            assert!(finds(Query::read(query).any_naming(), text), "{query}: {text}");
        }
    }

    #[test]
    fn a_phrase_is_found_across_line_breaks() {
        let query = Query::read("the whole request is refused");
        for text in [
            "the whole\nrequest is refused",
            "/// the whole request\n    /// is refused",
            " * the whole request is\r\n * refused",
            "\"the whole request \" +\n    \"is refused\"",
            "'the whole request '\n 'is refused'",
            "\"the whole request \\\n   is refused\"",
            "f\"the whole request \"\n    f\"is refused\"",
            "r'the whole request '\n r'is refused'",
            "L\"the whole request \"\n L\"is refused\"",
            "int a; ///< the whole request\n       ///< is refused",
            " * the whole request\n *\n * is refused",
        ] {
            assert!(finds(query.across_lines(), text), "{text}");
        }
        assert!(!finds(query.across_lines(), "the whole\n\nthing: request is refused"));
    }

    #[test]
    fn a_line_feed_in_the_text_makes_it_multi_line() {
        for (q, is_multi_line) in [
            (r"/alpha.*\n.*beta/", true),
            ("alpha\nbeta", true),
            (r"/alpha\\nu/", false),
            (r"alpha\nbeta", false),
            ("/alpha/", false),
        ] {
            assert_eq!(Query::read(q).pattern().multi_line, is_multi_line, "{q}");
        }
    }

    #[test]
    fn slashes_make_a_regex() {
        assert!(Query::read("/a.c/").is_regex);
        assert!(!Query::read("/").is_regex && !Query::read("//").is_regex);
        assert_eq!(Query::read(" a  b ").words, ["a", "b"]);
        assert!(Query::read("kmalloc").is_name() && !Query::read("a b").is_name());
        assert!(Query::read("Job.run").is_qualified() && !Query::read("a.").is_qualified());
    }
}
