//! Words of questions, names and texts: splitting names into sub-words, stems, and words that say nothing.
//!
//! A stem is always a prefix of its word, so that a search for the beginnings of stems finds every word with
//! such a stem. Established stemmers (Porter's and its successors) replace endings, as in *retri* for *retry*,
//! which such a search would miss.

use std::ops::Range;

/// Words that are too common in questions to choose a file.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "actually",
    "after",
    "again",
    "all",
    "also",
    "an",
    "and",
    "any",
    "are",
    "as",
    "ask",
    "asked",
    "asks",
    "at",
    "be",
    "become",
    "becomes",
    "been",
    "before",
    "begun",
    "being",
    "but",
    "by",
    "can",
    "come",
    "comes",
    "could",
    "currently",
    "decide",
    "decided",
    "decides",
    "did",
    "do",
    "does",
    "doing",
    "done",
    "during",
    "each",
    "either",
    "ever",
    "exactly",
    "find",
    "for",
    "from",
    "gets",
    "give",
    "given",
    "gives",
    "goes",
    "happen",
    "happened",
    "happens",
    "has",
    "have",
    "having",
    "here",
    "how",
    "i",
    "if",
    "in",
    "inside",
    "instead",
    "into",
    "is",
    "it",
    "its",
    "just",
    "let",
    "like",
    "made",
    "make",
    "makes",
    "many",
    "me",
    "might",
    "more",
    "most",
    "much",
    "must",
    "my",
    "no",
    "not",
    "now",
    "of",
    "often",
    "on",
    "once",
    "only",
    "onto",
    "or",
    "other",
    "otherwise",
    "our",
    "out",
    "over",
    "own",
    "please",
    "rather",
    "really",
    "say",
    "says",
    "shall",
    "should",
    "show",
    "so",
    "some",
    "someone",
    "something",
    "somewhere",
    "still",
    "such",
    "take",
    "taken",
    "takes",
    "tell",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "this",
    "those",
    "through",
    "to",
    "too",
    "tries",
    "two",
    "up",
    "us",
    "used",
    "uses",
    "using",
    "very",
    "via",
    "want",
    "wanted",
    "wants",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "whose",
    "why",
    "will",
    "with",
    "within",
    "without",
    "work",
    "works",
    "would",
    "yet",
    "you",
    "your",
];

/// Endings that [`stem`] removes, the longest first, each with the minimum number of letters before it.
const ENDINGS: &[(&str, usize)] = &[
    ("izations", 3),
    ("izational", 3),
    ("ifications", 3),
    ("ization", 3),
    ("isation", 3),
    ("ification", 3),
    ("ations", 4),
    ("ities", 4),
    ("ation", 4),
    ("ators", 4),
    ("izing", 3),
    ("izers", 3),
    ("ments", 4),
    ("ances", 4),
    ("ences", 4),
    ("ively", 4),
    ("ables", 4),
    ("ating", 4),
    ("ering", 3),
    ("oring", 4),
    ("ency", 4),
    ("ancy", 4),
    ("ered", 3),
    ("ored", 4),
    ("ator", 4),
    ("ated", 4),
    ("ates", 4),
    ("izer", 3),
    ("ized", 3),
    ("izes", 3),
    ("ment", 4),
    ("ance", 4),
    ("ence", 4),
    ("ings", 3),
    ("ions", 4),
    ("ives", 4),
    ("able", 4),
    ("ible", 4),
    ("edly", 4),
    ("ally", 4),
    ("ity", 4),
    ("ent", 5),
    ("ant", 5),
    ("ing", 3),
    ("ion", 4),
    ("ive", 4),
    ("ate", 4),
    ("ize", 3),
    ("ers", 3),
    ("ors", 4),
    ("er", 3),
    ("or", 4),
    ("ed", 3),
    ("es", 4),
    ("al", 4),
    ("ly", 4),
    ("e", 3),
    ("y", 3),
];
/// Endings before which a last letter is doubled.
const DOUBLING: &[&str] = &["ed", "er", "ers", "ing", "ings"];
/// Words of this length or less are their own stems.
const SHORT: usize = 3;

/// Returns whether `word`, in lower case, says nothing about the place that a question is about.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Returns the length of the stem of `word`, which is in lower case: the word without its plural sign and one
/// further ending. Words with other characters than ASCII letters are their own stems.
pub(crate) fn stem_len(word: &str) -> usize {
    let bytes = word.as_bytes();
    if bytes.len() <= SHORT || !bytes.iter().all(u8::is_ascii_lowercase) {
        return word.len();
    }
    let changed_y = word.strip_suffix("ies").or_else(|| word.strip_suffix("ied"));
    if let Some(stem) = changed_y.filter(|stem| stem.len() >= SHORT) {
        let ending =
            ["enc", "anc"].iter().find(|ending| stem.len() >= 4 + 3 && stem.ends_with(**ending));
        return stem.len() - ending.map_or(0, |ending| ending.len());
    }
    let mut stem = word;
    if let Some(one) = stem.strip_suffix('s').filter(|one| !one.ends_with(['s', 'u', 'i'])) {
        stem = one;
    }
    let ending = ENDINGS
        .iter()
        .find(|(ending, before)| stem.len() >= ending.len() + before && stem.ends_with(ending))
        .map_or("", |(ending, _)| *ending);
    stem = &stem[..stem.len() - ending.len()];
    let [.., before, last] = stem.as_bytes() else { return stem.len() };
    // "running" has the stem "run", "calling" has "call".
    let is_doubled = before == last && !b"lsz".contains(last) && DOUBLING.contains(&ending);
    stem.len() - usize::from(is_doubled && stem.len() > SHORT)
}

/// Returns the stem of `word`, which is in lower case.
pub fn stem(word: &str) -> &str {
    &word[..stem_len(word)]
}

/// Calls `take` with the byte range of each sub-word of `text`: `parseHTMLBody_p2c` has `parse`, `HTML`, `Body` and
/// `p2c`, and `cURL` is one. `URLs` is `URL` and the sign of its plural, for which the `As` of `CSVAs` is taken too.
/// Everything but letters and digits separates. Digits are sub-words of their own where letters are beside them that
/// make one, as in `http2`; single letters and digits are one, as in `s3` and `i18n`.
pub(crate) fn for_each_sub_word(text: &str, take: &mut dyn FnMut(Range<usize>)) {
    let mut mixed = Mixed::default();
    let (mut before, mut is_after_capitals) = (Class::Other, false);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let class = Class::of(c);
        let next = chars.peek().map_or(Class::Other, |(_, next)| Class::of(*next));
        let begins = match (before, class) {
            (_, Class::Other) => false,
            (Class::Upper, Class::Upper) => {
                next == Class::Lower && !is_plural_sign(&text[at + c.len_utf8()..])
            }
            (Class::Upper, Class::Lower) => is_after_capitals && is_plural_sign(&text[at..]),
            (Class::Lower, Class::Upper) if is_capitalised(text, at) => false,
            (Class::Digit, Class::Lower) | (Class::Upper | Class::Lower, Class::Digit) => {
                mixed.divide(at);
                false
            }
            (before, class) => before != class,
        };
        if begins || class == Class::Other {
            mixed.end(at, take);
        }
        if begins {
            mixed = Mixed { start: Some(at), ..Mixed::default() };
        }
        is_after_capitals = before == Class::Upper && class == Class::Upper;
        let is_letter = matches!(class, Class::Upper | Class::Lower);
        mixed.has_word |= is_letter && matches!(before, Class::Upper | Class::Lower) && !begins;
        before = class;
    }
    mixed.end(text.len(), take);
}

/// Returns whether `text`, which follows capitals, begins with the sign of their plural, as in `URLs`.
fn is_plural_sign(text: &str) -> bool {
    let after = text.strip_prefix('s').map(|after| after.chars().next().map(Class::of));
    after.is_some_and(|after| after != Some(Class::Lower))
}

/// Returns whether the capital at `at` continues a name such as `cURL` and `iOS`, which is one word: a single letter,
/// and then capitals up to its end.
fn is_capitalised(text: &str, at: usize) -> bool {
    let is_outside = |class: Option<Class>| class.is_none_or(|class| class == Class::Other);
    let mut before = text[..at].chars().rev().map(Class::of);
    let is_first = before.next() == Some(Class::Lower) && is_outside(before.next());
    if !is_first {
        return false;
    }
    let mut after = text[at..].chars().map(Class::of).skip_while(|class| *class == Class::Upper);
    let n_capitals =
        text[at..].chars().take_while(|c| Class::of(*c) == Class::Upper).take(2).count();
    n_capitals == 2 && is_outside(after.next())
}

/// Letters and digits without a separator, that are one sub-word or several.
#[derive(Default)]
struct Mixed {
    start: Option<usize>,
    /// The places between letters and digits, of which the first ones count.
    divided: [usize; DIVISIONS_MAX],
    n_divided: usize,
    /// Whether two letters are beside each other.
    has_word: bool,
}

/// Maximum number of places at which letters and digits are divided.
const DIVISIONS_MAX: usize = 6;

impl Mixed {
    fn divide(&mut self, at: usize) {
        if let Some(place) = self.divided.get_mut(self.n_divided) {
            *place = at;
            self.n_divided += 1;
        }
    }

    /// Takes the sub-words up to `end`.
    fn end(&mut self, end: usize, take: &mut dyn FnMut(Range<usize>)) {
        let Some(mut start) = self.start.take() else { return };
        if self.has_word {
            for &at in &self.divided[..self.n_divided] {
                take(start..at);
                start = at;
            }
        }
        take(start..end);
    }
}

/// Returns the sub-words of `text` in lower case.
pub fn sub_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for_each_sub_word(text, &mut |range| words.push(text[range].to_lowercase()));
    words
}

/// Returns the sub-words of `text` in lower case, where a word and the digit after it are one: `http2` is not about
/// `http`.
pub(super) fn numbered_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut end_of_letters = None;
    for_each_sub_word(text, &mut |range| {
        let word = text[range.clone()].to_lowercase();
        let is_digit = word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_digit());
        match words.last_mut().filter(|_| is_digit && end_of_letters == Some(range.start)) {
            Some(last) => last.push_str(&word),
            None => {
                let is_word = word.chars().count() > 1 && word.chars().all(char::is_alphabetic);
                end_of_letters = is_word.then_some(range.end);
                words.push(word);
                return;
            }
        }
        end_of_letters = None;
    });
    words
}

/// The class of a character in a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    /// A lower-case letter, or one of a script without cases.
    Lower,
    Digit,
    Other,
}

impl Class {
    fn of(c: char) -> Class {
        match c {
            'a'..='z' => Class::Lower,
            'A'..='Z' => Class::Upper,
            _ if c.is_numeric() => Class::Digit,
            _ if c.is_uppercase() => Class::Upper,
            _ if c.is_alphabetic() => Class::Lower,
            _ => Class::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_table_of_stop_words_is_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn names_have_sub_words() {
        for (name, words) in [
            ("parseHTMLBody_v2", &["parse", "html", "body", "v2"][..]),
            ("lbP2cStrategy_s3", &["lb", "p2c", "strategy", "s3"]),
            ("i18nUtf8x2", &["i18n", "utf", "8", "x", "2"]),
            ("__init__", &["init"]),
            ("skip-default", &["skip", "default"]),
            ("größeMax", &["größe", "max"]),
            ("XMLHttp2Request", &["xml", "http", "2", "request"]),
            ("cURL", &["curl"]),
            ("JVMs", &["jvm", "s"]),
            ("setURLsOfIDs ABsc Is", &["set", "url", "s", "of", "id", "s", "a", "bsc", "is"]),
            ("use_iOS(gRPC)", &["use", "ios", "grpc"]),
            ("aURLToOpen isOK eB aÉ", &["a", "url", "to", "open", "is", "ok", "e", "b", "a", "é"]),
            ("", &[]),
        ] {
            assert_eq!(sub_words(name), words, "{name}");
        }
    }

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for words in [
            &["retry", "retries", "retried"][..],
            &["configuration", "configure", "configured", "configures"],
            &["format", "formats", "formatter", "formatting", "formatted"],
            &["validate", "validation", "validator", "validating"],
            &["authorize", "authorization", "authorized"],
            &["parse", "parser", "parsing", "parsed"],
            &["handle", "handler", "handling"],
            &["register", "registered", "registering"],
            &["depend", "dependency", "dependencies", "dependent"],
        ] {
            for word in words {
                assert_eq!(stem(word), stem(words[0]), "{word}");
            }
        }
        assert_ne!(stem("status"), stem("state"));
        assert_eq!(stem("class"), "class");
    }

    proptest! {
        #[test]
        fn every_letter_and_digit_is_in_one_sub_word(text in "\\PC{0,40}") {
            let mut joined = String::new();
            for_each_sub_word(&text, &mut |range| joined.push_str(&text[range]));
            let is_part = |c: &char| c.is_alphabetic() || c.is_numeric();
            let expected: String = text.chars().filter(is_part).collect();
            prop_assert_eq!(joined, expected);
        }

        #[test]
        fn a_stem_is_a_prefix(word in "[a-z]{0,20}") {
            prop_assert!(word.is_empty() || !stem(&word).is_empty());
        }
    }
}
