//! The terms of a question: the words that decide which files it is about, and the names among them.

use super::words::{is_stop_word, numbered_words, stem_len, sub_words};
use crate::pattern::{Case, PatternOptions, Syntax};
use std::ops::Range;

/// Minimum length of a word that is compared with several sub-words, or with several terms.
pub(super) const JOINED_MIN: usize = 5;

/// Maximum number of terms; further words of a long question do not count.
const TERMS_MAX: usize = 32;
/// Maximum number of names.
const NAMES_MAX: usize = 8;
/// Texts are searched for this many first letters of each stem, so that abbreviations match too: `addr` for
/// `address`.
const BEGINNING: usize = 4;
/// In a question of at most this many terms a word may be several sub-words of a text, of which the first is too
/// short to have a beginning: `isdir` for `is_dir`.
const TERMS_OF_JOINED: usize = 3;
/// The lengths of such first sub-words.
const FIRST_OF_JOINED: [usize; 2] = [2, 3];
/// Minimum length of an abbreviation.
const ABBREVIATION_MIN: usize = 3;

/// The weight of an occurrence: the word itself as a whole name; the word as a part of a name; another form of
/// the word; an abbreviation of it.
pub(super) const WHOLE: f32 = 1.0;
pub(super) const PART: f32 = 0.355;
pub(super) const FORM: f32 = 0.8;
pub(super) const ABBREVIATION: f32 = 0.285;
/// The weight of several sub-words that are the word together, and of such sub-words as a part of a name.
pub(super) const JOINED: f32 = 0.79;
pub(super) const JOINED_PART: f32 = 0.354;
/// The weight of a longer word that the term, a part of a name, may abbreviate.
pub(super) const LONGER: f32 = 0.29;

/// The similarity of names with the same parts, in any order and naming.
pub const SAME_PARTS: f32 = 0.97;

/// A word that counts, in all forms in which a question has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub(super) stem: String,
    /// The forms that the question has, in lower case.
    pub(super) words: Vec<String>,
    /// Whether a longer word may be meant: the term is a part of a name, where abbreviations are usual.
    pub(super) may_be_short: bool,
}

/// A name in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) text: String,
    /// Its letters and digits in lower case.
    pub(super) key: String,
    /// Its sub-words, as a set of terms.
    pub(super) terms: u32,
    pub(super) n_parts: u32,
    /// Its sub-words that are no terms, because they say little: `is`, single letters.
    pub(super) fillers: Vec<String>,
}

impl Name {
    /// Returns the similarity to `name`, which has `n_parts` sub-words and the terms `set`: 1 if they are equal,
    /// else the share of the sub-words that both have.
    pub(super) fn similarity(&self, name: &str, set: u32, n_parts: u32) -> f32 {
        if name == self.text {
            return 1.0;
        }
        let n_shared = (set & self.terms).count_ones();
        let n_all = n_parts + self.n_parts.max(1);
        let has_terms = n_shared > 0 && n_parts == self.n_parts && set & self.terms == self.terms;
        if has_terms && !self.fillers.is_empty() && self.has_fillers(name) {
            return SAME_PARTS;
        }
        (2.0 * n_shared as f32 / n_all as f32).min(SAME_PARTS)
    }

    fn has_fillers(&self, name: &str) -> bool {
        let parts = sub_words(name);
        self.fillers.iter().all(|filler| parts.contains(filler))
    }
}

/// The terms of a question.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    pub(super) terms: Vec<Term>,
    pub(super) names: Vec<Name>,
    /// Whether the question is one name and nothing else.
    pub(super) is_name: bool,
    /// Whether the question is a message of a program, whose words are near each other.
    pub(super) is_message: bool,
    /// Whether each pattern of a search is a term, rather than the words of a question.
    pub(super) are_patterns: bool,
    /// The stems of words that are no terms and say which kind of files the question is about.
    pub(super) asked: Vec<String>,
    /// The terms that name the part of the project that the question is about, as a set.
    pub(super) area: u32,
    /// The question as written, and whether it means any case.
    phrase: Option<(String, bool)>,
}

impl Terms {
    /// Reads the words of `question`. `names` are the names in it, as written; they are split into sub-words.
    /// `is_name` says that the question is one name.
    pub fn of_question(question: &str, names: &[String], is_name: bool) -> Terms {
        let mut all = Terms { is_name, ..Terms::default() };
        for part in question.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            let words = numbered_words(part);
            // A word in capitals or with signs is a name even if its letters are those of a common word.
            let is_plain = words.len() <= 1;
            if is_plain && !is_name && is_stop_word(&part.to_lowercase()) {
                continue;
            }
            all.add_words(&words, !is_plain);
        }
        if all.terms.is_empty() {
            let words: Vec<String> = sub_words(question);
            words.iter().take(TERMS_MAX).for_each(|word| all.add(word, false));
        }
        for name in names.iter().take(NAMES_MAX) {
            all.add_name(name);
        }
        all
    }

    /// Returns the patterns of a search as terms, one each.
    pub(crate) fn of_patterns(pattern: &PatternOptions) -> Terms {
        let is_name = pattern.patterns.len() == 1;
        let mut all = Terms { are_patterns: true, is_name, ..Terms::default() };
        for text in pattern.patterns.iter().take(TERMS_MAX) {
            let is_plain = pattern.syntax == Syntax::Literal || regex_syntax::escape(text) == *text;
            let word = if is_plain { text.to_lowercase() } else { String::new() };
            let at = all.terms.len();
            if is_plain && all.names.len() < NAMES_MAX {
                let key = folded(text);
                all.names.push(Name {
                    text: text.clone(),
                    key,
                    terms: 1 << at,
                    n_parts: 1,
                    fillers: Vec::new(),
                });
            }
            all.terms.push(Term { stem: word.clone(), words: vec![word], may_be_short: false });
        }
        all
    }

    /// Returns whether the question has no word that counts.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Returns whether the question is one name, not qualified by others.
    pub fn is_one_name(&self) -> bool {
        let [name] = self.names.as_slice() else { return false };
        self.is_name && name.terms.count_ones() as usize == self.terms.len()
    }

    /// Returns the number of words that occur nowhere, given the number of files with each term, and the number of
    /// all: a name is one word, which is there if one of its parts is.
    pub fn n_absent_words(&self, n_with: &[u64]) -> (usize, usize) {
        let absent =
            (0..self.terms.len()).filter(|&at| n_with[at] == 0).fold(0, |set, at| set | 1 << at);
        let (mut n_absent, mut n_all, mut in_names) = (0, 0, 0_u32);
        for name in self.names.iter().filter(|name| name.terms != 0) {
            n_all += 1;
            n_absent += usize::from(name.terms & !absent == 0);
            in_names |= name.terms;
        }
        let others = (0..self.terms.len()).filter(|at| in_names >> at & 1 == 0);
        for at in others {
            n_all += 1;
            n_absent += usize::from(absent >> at & 1 == 1);
        }
        (n_absent, n_all)
    }

    /// Returns the terms that the sub-words of `word` are, by index.
    pub fn parts_of(&self, word: &str) -> impl Iterator<Item = usize> {
        let words = numbered_words(word);
        let is_part = move |term: &Term| term.words.iter().any(|known| words.contains(known));
        self.terms.iter().enumerate().filter(move |(_, term)| is_part(term)).map(|(at, _)| at)
    }

    /// Returns the words as the question has them, in its order.
    pub fn shown(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(|term| term.words[0].as_str())
    }

    /// Sets whether the question is a message of a program.
    pub fn of_message(self, is_message: bool) -> Terms {
        Terms { is_message, ..self }
    }

    /// Adds words that only say which kind of files the question is about, such as `tests`.
    pub fn asking_for(self, words: &[String]) -> Terms {
        let stems = words.iter().map(|word| word.to_lowercase());
        let asked = stems.map(|word| word[..stem_len(&word)].to_owned()).collect();
        Terms { asked, ..self }
    }

    /// Sets the words of the question that name the part of the project that it is about, such as `io` in
    /// "io: close files". The score of files whose path has all of them is raised.
    pub fn in_area(self, area: &str) -> Terms {
        let area = self.parts_of(area).fold(0, |set, at| set | 1 << at);
        Terms { area, ..self }
    }

    /// Sets the text that marks a file as one that has the question as written.
    pub fn with_phrase(self, phrase: &str) -> Terms {
        let is_any_case = phrase.to_lowercase() == phrase;
        Terms { phrase: Some((phrase.to_owned(), is_any_case)), ..self }
    }

    /// Returns whether a line has the question as written, in smart case.
    pub(super) fn is_written_in(&self, line: &str) -> bool {
        let Some((phrase, is_any_case)) = &self.phrase else { return false };
        // Most lines are shorter than a question.
        if line.is_ascii() && line.len() < phrase.len() {
            return false;
        }
        match is_any_case {
            true => line.to_lowercase().contains(phrase.as_str()),
            false => line.contains(phrase.as_str()),
        }
    }

    /// Returns the search that finds every line with a term: the beginnings of all stems, in any case.
    pub fn pattern(&self) -> PatternOptions {
        PatternOptions {
            patterns: self.beginnings(),
            syntax: Syntax::Literal,
            case: Case::Insensitive,
            ..PatternOptions::default()
        }
    }

    /// Returns the beginnings of all stems, those that begin with another one left out.
    pub(super) fn beginnings(&self) -> Vec<String> {
        let mut beginnings: Vec<String> = Vec::new();
        let mut add = |beginning: String| {
            // A longer beginning matches wherever a shorter one does.
            if !beginnings.iter().any(|known| beginning.starts_with(known.as_str())) {
                beginnings.retain(|known| !known.starts_with(&beginning));
                beginnings.push(beginning);
            }
        };
        for term in &self.terms {
            // A text may separate the digit: `utf_8`.
            let letters = term.stem.trim_end_matches(|c: char| c.is_ascii_digit());
            let stem = if letters.len() > 1 { letters } else { &term.stem };
            add(stem.chars().take(BEGINNING).collect());
        }
        let may_be_joined = |term: &&Term| term.words[0].len() >= JOINED_MIN && !self.are_patterns;
        if self.terms.len() <= TERMS_OF_JOINED {
            for term in self.terms.iter().filter(may_be_joined) {
                let first = |n_letters| term.words[0].chars().take(n_letters).chain(['_']);
                FIRST_OF_JOINED.iter().for_each(|n_letters| add(first(*n_letters).collect()));
            }
        }
        beginnings
    }

    /// Returns all terms, as a set.
    pub(super) fn all(&self) -> u32 {
        (0..self.terms.len()).fold(0, |set, term| set | 1 << term)
    }

    /// Returns whether an occurrence of a term of `set` may begin with `beginning`, one of the beginnings of all.
    pub(super) fn may_begin_with(&self, set: u32, beginning: &str) -> bool {
        let joined = beginning.strip_suffix('_').unwrap_or(beginning);
        let begins =
            |term: &Term| term.stem.starts_with(beginning) || term.words[0].starts_with(joined);
        self.terms.iter().enumerate().any(|(at, term)| set >> at & 1 == 1 && begins(term))
    }

    /// Returns the terms in a name, as a set.
    pub(super) fn in_name(&self, name: &str) -> u32 {
        self.for_each_in(name, &mut String::new(), &mut |_, _| ()).0
    }

    /// Returns the number of letters of the terms in a set, and some for each of them.
    pub(super) fn length(&self, set: u32) -> usize {
        let terms = self.terms.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        terms.map(|(_, term)| 4 + term.stem.len()).sum()
    }

    fn add_words(&mut self, words: &[String], are_parts: bool) {
        let n_saying = words.iter().filter(|word| is_long(word) && !is_stop_word(word)).count();
        for word in words {
            let is_wanted = is_long(word) || words.len() == 1 && self.is_name;
            if is_wanted && !(are_parts && is_filler(word, n_saying)) {
                self.add(word, are_parts);
            }
        }
    }

    fn add(&mut self, word: &str, is_part: bool) {
        let stem = &word[..stem_len(word)];
        if let Some(term) = self.terms.iter_mut().find(|term| term.stem == stem) {
            if !term.words.iter().any(|known| known == word) {
                term.words.push(word.to_owned());
            }
        } else if self.terms.len() < TERMS_MAX {
            self.terms.push(Term {
                stem: stem.to_owned(),
                words: vec![word.to_owned()],
                may_be_short: is_part && word.len() >= ABBREVIATION_MIN,
            });
        }
    }

    fn add_name(&mut self, text: &str) {
        let words = numbered_words(text);
        let (mut terms, mut fillers) = (0, Vec::new());
        for word in &words {
            match self.terms.iter().position(|term| term.words.contains(word)) {
                Some(at) => terms |= 1 << at,
                None => fillers.push(word.clone()),
            }
        }
        let n_parts = u32::try_from(words.len()).unwrap_or(u32::MAX);
        let key = folded(text);
        if !self.names.iter().any(|name| name.text == text) {
            self.names.push(Name { text: text.to_owned(), key, terms, n_parts, fillers });
        }
    }

    /// Returns the term that `word`, a sub-word in lower case, is an occurrence of, and its weight. `is_whole`
    /// says that the word is a whole name.
    pub(super) fn occurrence(&self, word: &str, is_whole: bool) -> Option<(usize, f32)> {
        let first = *word.as_bytes().first()?;
        let mut best = None;
        for (at, term) in self.terms.iter().enumerate() {
            if term.stem.as_bytes().first() != Some(&first) {
                continue;
            }
            if term.words.iter().any(|known| known == word) {
                return Some((at, if is_whole { WHOLE } else { PART }));
            }
            if term.stem.len() <= word.len() {
                if word.starts_with(&term.stem) && stem_len(word) == term.stem.len() {
                    return Some((at, FORM));
                }
                if term.may_be_short && word.starts_with(&*term.words[0]) {
                    best = best.or(Some((at, LONGER)));
                }
            } else if word.len() >= ABBREVIATION_MIN && term.stem.starts_with(word) {
                best = best.or(Some((at, ABBREVIATION)));
            }
        }
        best
    }
}

/// Returns whether a word has more than one letter: single letters and digits are in every file.
fn is_long(word: &str) -> bool {
    word.chars().nth(1).is_some()
}

/// Returns whether a sub-word of a name says nothing beside `n_saying` words that do: it is a stop word, in a name
/// with fewer than two other words only one of two letters.
fn is_filler(word: &str, n_saying: usize) -> bool {
    is_stop_word(word) && (word.len() <= 2 || n_saying >= 2)
}

/// Returns the letters and digits of a text, in lower case.
pub(super) fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the range of the name around the byte at `at`: letters, digits, underscores, and hyphens between
/// them.
pub(super) fn name_around(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let is_hyphen = |at: usize| {
        bytes[at] == b'-'
            && at > 0
            && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
            && bytes[at - 1].is_ascii_alphanumeric()
    };
    let (mut start, mut end) = (at, at);
    while start > 0 && (is_part(bytes[start - 1]) || is_hyphen(start - 1)) {
        start -= 1;
    }
    while end < bytes.len() && (is_part(bytes[end]) || is_hyphen(end)) {
        end += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(question: &str) -> Vec<String> {
        let terms = Terms::of_question(question, &[], false);
        terms.shown().map(str::to_owned).collect()
    }

    #[test]
    fn words_that_say_nothing_are_no_terms() {
        assert_eq!(
            words("How are request retries and backoff handled?"),
            ["request", "retries", "backoff", "handled"]
        );
        assert_eq!(words("to be or not to be"), ["to", "be", "or", "not"]);
        assert_eq!(words("http2 of arg_1 in utf8Decode"), ["http2", "arg", "utf8", "decode"]);
        assert_eq!(words("HTTP_RETRY of parseBody"), ["http", "retry", "parse", "body"]);
        // In a name with two words that say something, the others only tell it from similar names.
        assert_eq!(
            words("run_before_commit file_does_not_exist"),
            ["run", "commit", "file", "exist"]
        );
        assert_eq!(words("wait_for_all is_not_empty"), ["wait", "for", "all", "not", "empty"]);
    }

    #[test]
    fn words_that_say_nothing_tell_names_apart() {
        let name = "runBeforeCommit".to_owned();
        let terms = Terms::of_question(&name, std::slice::from_ref(&name), true);
        let similarity = |name: &str| {
            let n_parts = u32::try_from(sub_words(name).len()).expect("few");
            terms.names[0].similarity(name, terms.in_name(name), n_parts)
        };
        assert_eq!(similarity("run_before_commit"), SAME_PARTS);
        assert!(similarity("run_after_commit") < SAME_PARTS);
    }

    #[test]
    fn occurrences_weigh_by_their_form() {
        let terms = Terms::of_question("request network splitNetAddr", &[], false);
        for (word, expected) in [
            ("request", Some(WHOLE)),
            ("requests", Some(FORM)),
            ("req", Some(ABBREVIATION)),
            ("address", Some(LONGER)),
            ("re", None),
            ("question", None),
        ] {
            let weight = terms.occurrence(word, true).map(|(_, weight)| weight);
            assert_eq!(weight, expected, "{word}");
        }
    }

    #[test]
    fn a_search_needs_the_beginnings_of_stems() {
        let terms = Terms::of_question("configure configFile io", &[], false);
        assert_eq!(terms.pattern().patterns, ["conf", "fil", "io"]);
    }

    #[test]
    fn names_have_hyphens_between_letters_only() {
        for (text, at, name) in [
            ("--skip-comma=1", 3, "skip-comma"),
            ("a - b", 0, "a"),
            ("x->name", 3, "name"),
            ("größe = 1", 0, "größe"),
        ] {
            assert_eq!(&text[name_around(text, at)], name);
        }
    }
}
