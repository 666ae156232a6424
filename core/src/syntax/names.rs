//! Queries for definitions by name; docs/contracts/scopes.md#searching-symbols.

use std::cmp::Ordering;

/// Characters that may separate the words of a name, besides a change to capitals.
const SEPARATORS: &str = "_$-.:#@~";
/// The maximum length of a lower-case query that is taken for initials.
const INITIALS_MAX: usize = 8;

/// A query for a name: a part of it, its initials, or the end of its qualified form.
#[derive(Clone, Debug)]
pub(crate) struct NameQuery {
    whole: Text,
    /// For `a::b::c`: `a` and `b`; `last` is `c`. Empty if the query is not qualified.
    qualifier: Vec<Text>,
    last: Text,
}

/// A text to compare names with.
#[derive(Clone, Debug)]
struct Text {
    text: String,
    folded: Vec<char>,
    /// The beginnings of successive words of a name; empty if the text is not such a query.
    humps: Vec<Vec<char>>,
}

/// The quality of a match, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    Exact,
    ExactFolded,
    Prefix,
    PrefixFolded,
    Humps,
    Part,
    PartFolded,
}

impl Rank {
    /// Returns a score that grows with the quality: 100 for the name itself.
    pub(crate) fn score(self) -> u32 {
        match self {
            Rank::Exact => 100,
            Rank::ExactFolded => 95,
            Rank::Prefix => 80,
            Rank::PrefixFolded => 75,
            Rank::Humps => 60,
            Rank::Part => 40,
            Rank::PartFolded => 35,
        }
    }
}

impl NameQuery {
    /// Parses a query, which must not be blank.
    pub(crate) fn new(query: &str) -> NameQuery {
        let query = query.trim();
        let words = query.split(['.', '#', '\\', ':']).filter(|word| !word.is_empty());
        let mut words: Vec<Text> = words.map(Text::new).collect();
        let whole = Text::new(query);
        let last = words.pop().unwrap_or_else(|| whole.clone());
        NameQuery { whole, qualifier: words, last }
    }

    /// Returns a text that every file with such a definition contains, ignoring case, unless
    /// [`NameQuery::humps_regex`] matches it instead.
    pub(crate) fn literal(&self) -> &str {
        // All parts of a qualified name occur, and the longest is the rarest.
        let words = self.qualifier.iter().chain([&self.last]);
        let longest = words.map(|word| word.text.as_str()).max_by(|one, other| {
            // The last of several longest.
            one.len().cmp(&other.len()).then(Ordering::Less)
        });
        longest.unwrap_or_default()
    }

    /// Returns a regex for files whose names match by initials; `None` if none can.
    pub(crate) fn humps_regex(&self) -> Option<String> {
        if self.last.humps.len() < 2 || self.literal() != self.last.text {
            return None;
        }
        let word = r"[\p{Alphabetic}\p{N}]";
        let mut regex = r"(?:^|[^\p{Alphabetic}\p{N}])".to_owned();
        for (at, hump) in self.last.humps.iter().enumerate() {
            let [first, rest @ ..] = hump.as_slice() else { continue };
            let escaped = |text: &str| regex_syntax::escape(text);
            let (small, large) = (escaped(&first.to_string()), escaped(&upper(*first).to_string()));
            let rest = escaped(&rest.iter().collect::<String>());
            regex += &match at {
                0 => format!("(?i:{small}{rest})"),
                _ => format!(
                    r"{word}*(?:[{separators}]+(?:{small}|{large})|{large})(?i:{rest})",
                    separators = regex_syntax::escape(SEPARATORS)
                ),
            };
        }
        Some(regex)
    }

    /// Returns the quality of a definition's match, if it matches. `qualified` returns its qualified name.
    pub(crate) fn rank(&self, name: &str, qualified: impl FnOnce() -> String) -> Option<Rank> {
        let name = Name::new(name);
        let whole = self.whole.rank(&name);
        if self.qualifier.is_empty() || whole.is_some() {
            return whole;
        }
        let rank = self.last.rank(&name)?;
        let qualified = qualified();
        let words = qualified.split(['.', '#', '\\', ':']).filter(|word| !word.is_empty());
        let words: Vec<Vec<char>> = words.map(fold).collect();
        // The name itself may contain separators.
        let n_own = name.text.split(['.', '#', '\\', ':']).filter(|word| !word.is_empty()).count();
        let above = words.get(..words.len().checked_sub(n_own)?)?;
        let from = above.len().checked_sub(self.qualifier.len())?;
        let fits =
            above[from..].iter().zip(&self.qualifier).all(|(word, asked)| *word == asked.folded);
        fits.then_some(rank)
    }
}

/// A name to compare queries with.
struct Name<'a> {
    text: &'a str,
    folded: Vec<char>,
}

impl<'a> Name<'a> {
    fn new(text: &'a str) -> Name<'a> {
        Name { text, folded: fold(text) }
    }

    /// Returns the starts of the name's words: after separators, and at capitals that follow lower-case
    /// letters or digits or precede lower-case letters.
    fn words(&self) -> Vec<usize> {
        let chars: Vec<char> = self.text.chars().collect();
        let begins = |at: usize| {
            let this = chars[at];
            let Some(before) = at.checked_sub(1).map(|at| chars[at]) else {
                return this.is_alphanumeric();
            };
            let is_small = |char: char| char.is_alphanumeric() && !char.is_uppercase();
            let after_is_small = chars.get(at + 1).is_some_and(|&after| is_small(after));
            let is_camel = this.is_uppercase() && (is_small(before) || after_is_small);
            this.is_alphanumeric() && (SEPARATORS.contains(before) || is_camel)
        };
        (0..chars.len()).filter(|&at| begins(at)).collect()
    }
}

impl Text {
    fn new(text: &str) -> Text {
        Text { text: text.to_owned(), folded: fold(text), humps: humps(text) }
    }

    fn rank(&self, name: &Name<'_>) -> Option<Rank> {
        if name.folded == self.folded {
            return Some(if name.text == self.text { Rank::Exact } else { Rank::ExactFolded });
        }
        if name.folded.starts_with(&self.folded) {
            let is_same = name.text.starts_with(&self.text);
            return Some(if is_same { Rank::Prefix } else { Rank::PrefixFolded });
        }
        if self.fits_humps(name) {
            return Some(Rank::Humps);
        }
        if name.text.contains(&self.text) {
            return Some(Rank::Part);
        }
        let has_part =
            name.folded.windows(self.folded.len().max(1)).any(|part| part == self.folded);
        has_part.then_some(Rank::PartFolded)
    }

    fn fits_humps(&self, name: &Name<'_>) -> bool {
        if self.humps.len() < 2 {
            return false;
        }
        let words = name.words();
        // Only separators may precede the first word.
        words.len() >= self.humps.len()
            && self.humps.iter().enumerate().all(|(at, hump)| {
                let until = words.get(at + 1).copied().unwrap_or(name.folded.len());
                name.folded[words[at]..until].starts_with(hump)
            })
    }
}

/// Splits `query` into the beginnings of a name's words: at separators, at capitals, or into single letters
/// if it has no capital after the first character.
fn humps(query: &str) -> Vec<Vec<char>> {
    let is_word = |word: &&str| !word.is_empty() && word.chars().all(char::is_alphanumeric);
    let words: Vec<&str> = query.trim_start_matches('_').split(['_', '-']).collect();
    if words.len() > 1 {
        // `send_from_directory` also matches `sendFromDirectory`.
        let all = words.iter().all(is_word);
        return if all { words.into_iter().map(fold).collect() } else { Vec::new() };
    }
    if !query.chars().all(char::is_alphanumeric) {
        return Vec::new();
    }
    let has_capital = query.chars().skip(1).any(char::is_uppercase);
    if !has_capital {
        let letters = fold(query);
        let are_letters = letters.iter().all(|one| one.is_alphabetic());
        let are_initials = are_letters && letters.len() <= INITIALS_MAX;
        return if are_initials {
            letters.iter().map(|&one| vec![one]).collect()
        } else {
            Vec::new()
        };
    }
    let mut humps: Vec<Vec<char>> = Vec::new();
    for char in query.chars() {
        match humps.last_mut() {
            Some(hump) if !char.is_uppercase() => hump.push(folded(char)),
            _ => humps.push(vec![folded(char)]),
        }
    }
    humps
}

fn fold(text: &str) -> Vec<char> {
    text.chars().map(folded).collect()
}

/// Returns the lower-case letter, if it is a single character.
fn folded(char: char) -> char {
    let mut small = char.to_lowercase();
    match (small.next(), small.next()) {
        (Some(small), None) => small,
        _ => char,
    }
}

fn upper(char: char) -> char {
    let mut large = char.to_uppercase();
    match (large.next(), large.next()) {
        (Some(large), None) => large,
        _ => char,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rank(query: &str, name: &str) -> Option<Rank> {
        NameQuery::new(query).rank(name, || name.to_owned())
    }

    #[test]
    fn a_name_fits_as_a_whole_from_its_start_by_its_words_or_in_part() {
        let all = [
            ("open", "open", Some(Rank::Exact)),
            ("open", "Open", Some(Rank::ExactFolded)),
            ("open", "open_file", Some(Rank::Prefix)),
            ("open", "OpenFile", Some(Rank::PrefixFolded)),
            ("open", "reopen", Some(Rank::Part)),
            ("open", "ReOpen", Some(Rank::PartFolded)),
            ("rp", "RelPath", Some(Rank::Humps)),
            ("rp", "rel_path", Some(Rank::Humps)),
            ("rp", "__rel__path", Some(Rank::Humps)),
            ("RP", "RelPathBuf", Some(Rank::Humps)),
            ("RelPa", "rel_path", Some(Rank::Humps)),
            ("relPa", "RelPath", Some(Rank::PrefixFolded)),
            ("NPE", "NullPointerException", Some(Rank::Humps)),
            ("NPExc", "NullPointerException", Some(Rank::Humps)),
            ("NE", "NullPointerException", None),
            ("hs", "HTTPServer", Some(Rank::Humps)),
            ("mvl", "MAX_VALUE_LEN", Some(Rank::Humps)),
            ("ave", "MAX_VALUE_EDGE", None),
            ("u8a", "U8Array", Some(Rank::PrefixFolded)),
            ("send_from_directory", "sendFromDirectory", Some(Rank::Humps)),
            ("send-from", "SendFromDirectory", Some(Rank::Humps)),
            ("_rel_path", "RelPath", Some(Rank::Humps)),
            ("rel_path", "rel_path_buf", Some(Rank::Prefix)),
            ("rel_pb", "RelPathBuf", None),
            ("rel__path", "RelPath", None),
            ("open", "close", None),
            ("über", "Über", Some(Rank::ExactFolded)),
        ];
        for (query, name, expected) in all {
            assert_eq!(rank(query, name), expected, "{query} {name}");
        }
    }

    #[test]
    fn a_qualified_query_matches_the_enclosing_names() {
        let rank = |query: &str, qualified: &str| {
            let name = qualified.rsplit(['.', ':']).next().unwrap_or_default();
            NameQuery::new(query).rank(name, || qualified.to_owned())
        };
        assert_eq!(rank("Workspace::open", "app::Workspace::open"), Some(Rank::Exact));
        assert_eq!(rank("workspace.op", "Workspace::open"), Some(Rank::Prefix));
        assert_eq!(rank("app::open", "app::Workspace::open"), None);
        assert_eq!(rank("a::app::open", "app::open"), None);
        assert_eq!(NameQuery::new("ns::f").rank("ns::f", || "ns::f".into()), Some(Rank::Exact));
        assert_eq!(NameQuery::new("Workspace::open").literal(), "Workspace");
        assert_eq!(NameQuery::new("a::b").literal(), "b");
        assert_eq!(NameQuery::new("::").literal(), "::");
    }

    #[test]
    fn queries_other_than_initials_need_no_regex() {
        for query in ["rel__path", "x", "e100", "everything", "a::bc", "Open"] {
            let regex = NameQuery::new(query).humps_regex();
            assert_eq!(regex.is_some(), query == "a::bc" || query == "Open", "{query}");
        }
    }

    proptest! {
        #[test]
        fn fitting_names_are_found_in_the_text(query in "[a-cA-C0_]{1,4}", name in "[a-cA-C0_]{1,10}") {
            let asked = NameQuery::new(&query);
            if asked.rank(&name, || name.clone()).is_some() {
                let text = format!("fn {name}(");
                let literal = regex_lite(&format!("(?i){}", regex_syntax::escape(asked.literal())));
                let humps = asked.humps_regex().map(|humps| regex_lite(&humps));
                let found = literal.is_match(&text) || humps.is_some_and(|humps| humps.is_match(&text));
                prop_assert!(found, "{query} {name} {:?}", asked.humps_regex());
            }
        }
    }

    fn regex_lite(regex: &str) -> regex_automata::meta::Regex {
        regex_automata::meta::Regex::new(regex).expect(regex)
    }
}
