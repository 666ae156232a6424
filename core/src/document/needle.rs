//! What is looked for: quickly ruled out for most documents, then found line by line.

use super::fold::{Places, Unfold, fold_into};
use crate::budget::{Budget, Stopped};
use crate::error::{Error, ErrorKind, Result};
use memchr::memmem;
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind};
use std::ops::Range;

/// The only character whose lower case is more than one: an i, and the dot above it.
const DOTTED_I: &str = "İ";
/// What the lower case of [`DOTTED_I`] holds.
const FOLDED_DOTTED_I: [char; 2] = ['i', '\u{307}'];

/// So much is looked through between two polls: a millisecond at worst.
const WINDOW_BYTES: usize = 1024 * 1024;
/// A character has no more bytes.
const MAX_LEN_UTF8: usize = 4;

/// A text to find in lines.
#[derive(Debug)]
pub(super) struct Needle {
    /// In lower case when case does not count.
    finder: memmem::Finder<'static>,
    /// Finds every place where the needle may be when case does not count, and a few more.
    any_case: Option<Regex>,
    /// Whether a [`DOTTED_I`] could be part of what is found.
    finds_dotted_i: bool,
    /// Whether undecodable bytes could be part of what is found.
    finds_replaced: bool,
    /// Lines are searched one by one: a needle with a line feed is in none. One without text is
    /// nowhere either.
    is_nowhere: bool,
    /// No place where the needle is has more bytes.
    bytes_max: usize,
}

impl Needle {
    pub(super) fn new(query: &str, case_sensitive: bool) -> Result<Needle> {
        let text = if case_sensitive { query.to_owned() } else { query.to_lowercase() };
        let any_case = if case_sensitive { None } else { Some(any_case(&text)?) };
        Ok(Needle {
            finds_dotted_i: !case_sensitive && text.contains(FOLDED_DOTTED_I),
            finds_replaced: text.contains('\u{FFFD}'),
            is_nowhere: text.is_empty() || text.contains('\n'),
            bytes_max: MAX_LEN_UTF8 * text.chars().count(),
            finder: memmem::Finder::new(text.as_bytes()).into_owned(),
            any_case,
        })
    }

    /// False when the needle is certainly not in the document of these bytes of UTF-8.
    pub(super) fn may_be_in(&self, bytes: &[u8], budget: &Budget) -> Result<bool, Stopped> {
        if self.is_nowhere {
            return Ok(false);
        }
        let is_seen = self.finds_replaced
            || self.finds_dotted_i && memmem::find(bytes, DOTTED_I.as_bytes()).is_some()
            || self.first_in(bytes, 0, budget)?.is_some();
        Ok(is_seen)
    }

    /// A place in the first needle, or in what looks like it, from `from` on.
    fn first_in(
        &self,
        bytes: &[u8],
        from: usize,
        budget: &Budget,
    ) -> Result<Option<usize>, Stopped> {
        let mut start = from;
        loop {
            let end = (start + WINDOW_BYTES + self.bytes_max).min(bytes.len());
            let found = match &self.any_case {
                None => self.finder.find(&bytes[start..end]).map(|at| start + at),
                Some(any_case) => {
                    // Where it ends is known without a way back to where it begins.
                    let found = any_case.search_half(&Input::new(bytes).range(start..end));
                    found.map(|end| end.offset().saturating_sub(1).max(start))
                }
            };
            if found.is_some() || end == bytes.len() {
                return Ok(found);
            }
            start += WINDOW_BYTES;
            budget.poll_clock()?;
        }
    }

    /// Prepares searching one document.
    pub(super) fn candidates<'a>(&'a self, text: &'a str) -> Candidates<'a> {
        let has_dotted_i = || memmem::find(text.as_bytes(), DOTTED_I.as_bytes()).is_some();
        let every_line = self.finds_dotted_i && has_dotted_i();
        Candidates { needle: self, text, every_line }
    }

    /// Finds the needle in one line, the first `max` times; matches do not overlap.
    pub(super) fn find_in_line(
        &self,
        line: &str,
        max: usize,
        folded: &mut String,
        budget: &Budget,
    ) -> Result<Vec<Range<usize>>, Stopped> {
        let len = self.finder.needle().len();
        if self.any_case.is_none() {
            let starts = self.finder.find_iter(line.as_bytes());
            return Ok(starts.take(max).map(|start| start..start + len).collect());
        }
        let places = fold_into(line, folded, budget)?;
        let starts = self.finder.find_iter(folded.as_bytes()).take(max);
        let found = starts.map(|start| start..start + len);
        if places == Places::Kept {
            return Ok(found.collect());
        }
        let mut unfold = Unfold::new(line, budget);
        found.map(|range| unfold.range(&range)).collect()
    }
}

/// The places in a document where the needle may be.
pub(super) struct Candidates<'a> {
    needle: &'a Needle,
    text: &'a str,
    /// The quick look would miss some.
    every_line: bool,
}

impl Candidates<'_> {
    /// A place in the first candidate from `from` on; the needle is in the line of that place or
    /// behind it.
    pub(super) fn next(&self, from: usize, budget: &Budget) -> Result<Option<usize>, Stopped> {
        if self.every_line {
            return Ok((from < self.text.len()).then_some(from));
        }
        self.needle.first_in(self.text.as_bytes(), from, budget)
    }
}

/// A regex for the text in any case. Simple case folding finds more than lower-casing does, but
/// for the `İ`.
fn any_case(text: &str) -> Result<Regex> {
    // Engines that take long to build do not pay off for a text.
    let config = Regex::config()
        .match_kind(MatchKind::LeftmostFirst)
        .utf8_empty(false)
        .dfa(false)
        .onepass(false);
    Regex::builder()
        .configure(config)
        .syntax(syntax::Config::new().case_insensitive(true).utf8(false))
        .build(&regex_syntax::escape(text))
        .map_err(|error| {
            Error::new(ErrorKind::InvalidParam, format!("'query' is too long: {error}"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    fn found<'a>(needle: &Needle, line: &'a str) -> Vec<&'a str> {
        let budget = Budget::of(&Call::new());
        let ranges = needle.find_in_line(line, 100, &mut String::new(), &budget);
        ranges.expect("not stopped").into_iter().map(|range| &line[range]).collect()
    }

    fn may_be_in(needle: &Needle, text: &str) -> bool {
        let budget = Budget::of(&Call::new());
        needle.may_be_in(text.as_bytes(), &budget).expect("not stopped")
    }

    #[test]
    fn any_case_is_that_of_the_lower_case() {
        for (query, line, expected) in [
            ("Word", "word WORD wörd", &["word", "WORD"][..]),
            ("aa", "aaaaa", &["aa", "aa"]),
            ("i", "İI", &["İ", "I"]),
            ("\u{307}x", "İx", &["İx"]),
            ("İ", "i\u{307} İ i", &["i\u{307}", "İ"]),
            ("k", "\u{212A}elvin", &["\u{212A}"]),
            // Folding would find these; lower-casing does not.
            ("s", "ſ", &[]),
            ("σ", "ς", &[]),
            ("ΟΔΟΣ", "ΟΔΟΣ ΟΔΟΣΗ", &["ΟΔΟΣ"]),
        ] {
            let needle = Needle::new(query, false).expect(query);
            assert_eq!(found(&needle, line), expected, "{query:?} in {line:?}");
            assert!(expected.is_empty() || may_be_in(&needle, line), "{query:?}");
        }
        let needle = Needle::new("Word", true).expect("a needle");
        assert_eq!(found(&needle, "word Word"), ["Word"]);
    }

    /// Every character is found by the quick look for its lower case.
    #[test]
    fn the_quick_look_misses_nothing() {
        let mut missed = Vec::new();
        for c in ('\0'..=char::MAX).filter(|c| c.to_lowercase().ne([*c])) {
            let folded: String = c.to_lowercase().collect();
            let needle = Needle::new(&folded, false).expect("a needle");
            if !may_be_in(&needle, &c.to_string()) {
                missed.push(c);
            }
        }
        // Letters of a version of Unicode that the regexes do not know yet would stand here.
        assert!(missed.iter().all(|&c| regex_knows_nothing_of(c)), "{missed:?}");
    }

    fn regex_knows_nothing_of(c: char) -> bool {
        let regex = Regex::new(r"\p{Alphabetic}").expect("a regex");
        !regex.is_match(c.to_string().as_str())
    }

    #[test]
    fn a_line_feed_is_in_no_line() {
        let needle = Needle::new("a\nb", false).expect("a needle");
        assert!(!may_be_in(&needle, "a\nb"));
        assert!(!may_be_in(&Needle::new("", false).expect("a needle"), "a"));
    }

    #[test]
    fn a_needle_across_two_windows_is_found() {
        let budget = Budget::of(&Call::new());
        for case_sensitive in [false, true] {
            let needle = Needle::new("née", case_sensitive).expect("a needle");
            for at in WINDOW_BYTES - 5..WINDOW_BYTES + 2 {
                let text = format!("{}née{}", "x".repeat(at), "x".repeat(2 * WINDOW_BYTES));
                let found = needle.candidates(&text).next(3, &budget).expect("not stopped");
                let found = found.expect("it is there");
                assert!((at..at + "née".len()).contains(&found), "{at}: {found}");
            }
        }
    }
}
