//! The query: rules out most documents quickly, then finds its matches line by line.

use super::fold::{Places, Unfold, fold_into};
use crate::budget::{Budget, Stopped};
use crate::error::{Error, ErrorKind, Result};
use crate::index::Plan;
use memchr::memmem;
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind};
use regex_syntax::ParserBuilder;
use std::ops::Range;

/// The only character whose lower case is several characters: an i, and the dot above it.
const DOTTED_I: &str = "İ";
/// The lower case of [`DOTTED_I`].
const FOLDED_DOTTED_I: [char; 2] = ['i', '\u{307}'];

/// Bytes searched between two polls: a millisecond at worst.
const WINDOW_BYTES: usize = 1024 * 1024;
/// Maximum size of a character.
const MAX_LEN_UTF8: usize = 4;

/// A text to find in lines.
///
/// Lower-casing every document would be slow, so without case a regex with case folding rules out
/// documents and lines first. It may find too much, such as `ſ` for `s`, but never too little, except
/// for `İ` and undecodable bytes, which are checked separately. The lower-cased line decides.
#[derive(Debug)]
pub(super) struct Needle {
    /// In lower case when case does not count.
    finder: memmem::Finder<'static>,
    /// Without case: finds every place where the needle may be, and a few more.
    any_case: Option<Regex>,
    /// Whether a [`DOTTED_I`] could be part of a match.
    finds_dotted_i: bool,
    /// Whether undecodable bytes could be part of a match.
    finds_replaced: bool,
    /// Whether no line can contain the needle: it is empty, or contains a line feed.
    is_nowhere: bool,
    /// Maximum size of a match in bytes.
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

    /// Returns the trigrams that every line with the needle contains; `None` if they are unknown.
    pub(super) fn plan(&self) -> Option<Plan> {
        let text = str::from_utf8(self.finder.needle()).ok()?;
        // Undecodable bytes are replaced only when a document is read. In documents with a dotted I every line
        // is lower-cased, also letters that are too new for the case folding of the plan.
        let is_newer = self.finds_dotted_i && !text.is_ascii();
        if self.is_nowhere || self.finds_replaced || is_newer {
            return None;
        }
        let expression = match self.any_case {
            None => regex_syntax::escape(text),
            Some(_) => any_case_with_dotted_i(text),
        };
        let mut parser = ParserBuilder::new().case_insensitive(self.any_case.is_some()).build();
        let plan = Plan::of(&parser.parse(&expression).ok()?);
        (!plan.is_all()).then_some(plan)
    }

    /// Returns false if the document with these bytes of UTF-8 certainly lacks the needle.
    pub(super) fn may_be_in(&self, bytes: &[u8], budget: &Budget) -> Result<bool, Stopped> {
        if self.is_nowhere {
            return Ok(false);
        }
        let is_seen = self.finds_replaced
            || self.finds_dotted_i && memmem::find(bytes, DOTTED_I.as_bytes()).is_some()
            || self.first_in(bytes, 0, budget)?.is_some();
        Ok(is_seen)
    }

    /// Returns a position in the first match at or after `from`, or in a false one.
    ///
    /// Searches in windows to be interruptible. Windows overlap by the longest match, so none is
    /// cut in both.
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
                    // The end suffices: finding the start takes a second pass backwards.
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

/// Positions in a document where the needle may be.
pub(super) struct Candidates<'a> {
    needle: &'a Needle,
    text: &'a str,
    /// Whether every line is a candidate, because the prefilter would miss some.
    every_line: bool,
}

impl Candidates<'_> {
    /// Returns a position in the first candidate at or after `from`; a match is in that line or
    /// later.
    pub(super) fn next(&self, from: usize, budget: &Budget) -> Result<Option<usize>, Stopped> {
        if self.every_line {
            return Ok((from < self.text.len()).then_some(from));
        }
        self.needle.first_in(self.text.as_bytes(), from, budget)
    }
}

/// Returns the regex for a lower-cased text, to be matched in any case, in which each `i` and each dot that
/// a [`DOTTED_I`] may have brought may also be one.
fn any_case_with_dotted_i(text: &str) -> String {
    let [i, dot] = FOLDED_DOTTED_I;
    let mut expression = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_first = expression.is_empty();
        if c == i && rest.next_if_eq(&dot).is_some() {
            expression.push_str("(?:i\u{307}|İ)");
        } else if c == i && rest.peek().is_none() {
            expression.push_str("(?:i|İ)");
        } else if c == dot && is_first {
            expression.push_str("(?:\u{307}|İ)");
        } else {
            regex_syntax::escape_into(c.encode_utf8(&mut [0; MAX_LEN_UTF8]), &mut expression);
        }
    }
    expression
}

/// Compiles a regex for the text in any case. Simple case folding finds more than lower-casing
/// does, except for the `İ`.
fn any_case(text: &str) -> Result<Regex> {
    // Engines that are slow to build do not pay off for a literal text.
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
    fn any_case_matches_like_lower_case() {
        for (query, line, expected) in [
            ("Word", "word WORD wörd", &["word", "WORD"][..]),
            ("aa", "aaaaa", &["aa", "aa"]),
            ("i", "İI", &["İ", "I"]),
            ("\u{307}x", "İx", &["İx"]),
            ("İ", "i\u{307} İ i", &["i\u{307}", "İ"]),
            ("k", "\u{212A}elvin", &["\u{212A}"]),
            // Case folding would find these; lower-casing does not.
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

    /// The prefilter finds every character by its lower case.
    #[test]
    fn the_prefilter_misses_no_match() {
        let mut missed = Vec::new();
        for c in ('\0'..=char::MAX).filter(|c| c.to_lowercase().ne([*c])) {
            let folded: String = c.to_lowercase().collect();
            let needle = Needle::new(&folded, false).expect("a needle");
            if !may_be_in(&needle, &c.to_string()) {
                missed.push(c);
            }
        }
        // Only letters of a Unicode version that the regexes do not know yet may be missed.
        assert!(missed.iter().all(|&c| regex_knows_nothing_of(c)), "{missed:?}");
    }

    fn regex_knows_nothing_of(c: char) -> bool {
        let regex = Regex::new(r"\p{Alphabetic}").expect("a regex");
        !regex.is_match(c.to_string().as_str())
    }

    #[test]
    fn a_line_feed_is_not_part_of_a_line() {
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
