//! The terms in a name: its sub-words one by one, several of them that the question writes as one word, and one
//! that the question writes as several.

use super::terms::{
    ABBREVIATION, JOINED, JOINED_MIN, JOINED_PART, LONGER, PART, Terms, name_around,
};
use super::words::for_each_sub_word;
use crate::syntax::is_name_char;

/// Maximum number of terms that one sub-word has.
const COMPOSED_MAX: usize = 6;

/// The terms and names of a question in a line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LineShares {
    /// The share with which it has each term, between 0 and 1; abbreviations count half.
    pub shares: Vec<f32>,
    /// The similarity of its most similar name to a name of the question, between 0 and 1.
    pub similar: f32,
    /// Whether it has a name of the question as written, one of several parts.
    pub has_name: bool,
}

impl Terms {
    /// Calls `visit` with each term in `name` and its weight, in order; `word` is memory to work in. Returns the
    /// terms as a set, and the number of parts of the name: sub-words that are one word of the question count as
    /// one part.
    pub(super) fn for_each_in(
        &self,
        name: &str,
        word: &mut String,
        visit: &mut dyn FnMut(usize, f32),
    ) -> (u32, u32) {
        let (mut set, mut n_parts, mut end) = (0u32, 0u32, 0);
        for_each_sub_word(name, &mut |part| {
            if part.start < end {
                return;
            }
            n_parts += 1;
            let is_whole = part.len() == name.len();
            lower_into(word, &name[part.clone()]);
            if let Some((term, len)) = self.joined(word, &name[part.start..]) {
                end = part.start + len;
                set |= 1 << term;
                return visit(term, if len == name.len() { JOINED } else { JOINED_PART });
            }
            let found = self.occurrence(word, is_whole);
            if let Some((term, weight)) = found.filter(|(_, weight)| *weight > LONGER) {
                set |= 1 << term;
                return visit(term, weight);
            }
            if let Some((terms, n_terms)) = self.composing(word) {
                n_parts -= 1;
                for term in &terms[..n_terms] {
                    n_parts += 1;
                    set |= 1 << term;
                    visit(*term, PART);
                }
            } else if let Some((term, weight)) = found {
                set |= 1 << term;
                visit(term, weight);
            }
        });
        (set, n_parts)
    }

    /// Returns the terms and names that a line has.
    pub fn shares(&self, text: &str) -> LineShares {
        let mut shares = vec![0.0f32; self.len()];
        let (mut similar, mut word) = (0.0f32, String::new());
        let mut has_name = false;
        let mut at = 0;
        while let Some(start) = text[at..].find(is_name_char) {
            let range = name_around(text, at + start);
            // Characters outside ASCII that are no letters are in no name.
            at = range
                .end
                .max(at + start + text[at + start..].chars().next().map_or(1, char::len_utf8));
            let name = &text[range];
            let (set, n_parts) = self.for_each_in(name, &mut word, &mut |term, weight| {
                let is_short = weight == ABBREVIATION || weight == LONGER;
                let share = if is_short { 0.5 } else { 1.0 };
                shares[term] = shares[term].max(share);
            });
            for wanted in &self.names {
                similar = similar.max(wanted.similarity(name, set, n_parts));
                has_name |= wanted.n_parts > 1 && name == wanted.text;
            }
        }
        LineShares { shares, similar, has_name }
    }

    /// Returns the term that the first sub-words of `rest` are together, and their length in it: `maybescale` in
    /// `maybe_scale(`. The first sub-word is `first`, in lower case.
    fn joined(&self, first: &str, rest: &str) -> Option<(usize, usize)> {
        if first.len() < 2 || first.len() == rest.len() {
            return None;
        }
        let may_be = |word: &str| {
            let has_number = word.ends_with(|c: char| c.is_ascii_digit());
            (word.len() >= JOINED_MIN || has_number) && word.len() > first.len()
        };
        self.terms.iter().enumerate().find_map(|(at, term)| {
            let mut words = term.words.iter().filter(|word| may_be(word));
            let len =
                words.find_map(|word| word.starts_with(first).then(|| joined_len(word, rest))?);
            Some((at, len?))
        })
    }

    /// Returns the two or more terms of which `word` is made, in order, and their number: `time` and `zone` of
    /// `timezone`.
    fn composing(&self, word: &str) -> Option<([usize; COMPOSED_MAX], usize)> {
        let (mut found, mut n_found, mut rest) = ([0; COMPOSED_MAX], 0, word);
        if word.len() < JOINED_MIN || self.terms.len() < 2 {
            return None;
        }
        while !rest.is_empty() {
            let len_at_start = |words: &[String]| {
                let words = words.iter().filter(|word| word.len() > 1 && rest.starts_with(*word));
                words.map(String::len).max()
            };
            let terms = self.terms.iter().enumerate();
            let fitting = terms.filter_map(|(at, term)| Some((len_at_start(&term.words)?, at)));
            let (len, term) = fitting.max_by_key(|(len, _)| *len)?;
            *found.get_mut(n_found)? = term;
            n_found += 1;
            rest = &rest[len..];
        }
        (n_found > 1).then_some((found, n_found))
    }
}

/// Returns the length of the beginning of `rest` whose letters are `word`, if it ends where a sub-word does.
fn joined_len(word: &str, rest: &str) -> Option<usize> {
    let mut letters = word.chars();
    let mut wanted = letters.next();
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if matches!(c, '_' | '-') {
            continue;
        }
        if !c.to_lowercase().eq(wanted) {
            return None;
        }
        wanted = letters.next();
        if wanted.is_none() {
            let next = chars.peek().map(|(_, next)| *next);
            let is_end = next.is_none_or(|next| !next.is_alphanumeric() || next.is_uppercase());
            return is_end.then_some(at + c.len_utf8());
        }
    }
    None
}

/// Replaces `word` by `text` in lower case.
fn lower_into(word: &mut String, text: &str) {
    word.clear();
    match text.is_ascii() {
        true => {
            word.push_str(text);
            word.make_ascii_lowercase();
        }
        false => word.extend(text.chars().flat_map(char::to_lowercase)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(question: &str, name: &str) -> (Vec<(String, f32)>, u32) {
        let terms = Terms::of_question(question, &[], false);
        let shown: Vec<&str> = terms.shown().collect();
        let mut found = Vec::new();
        let (_, n_parts) = terms.for_each_in(name, &mut String::new(), &mut |term, weight| {
            found.push((shown[term].to_owned(), weight));
        });
        (found, n_parts)
    }

    #[test]
    fn sub_words_may_be_one_word_of_the_question() {
        for (name, weight, n_parts) in [
            ("maybe_scale", JOINED, 1),
            ("_maybe_scale", JOINED_PART, 1),
            ("maybeScale", JOINED, 1),
            ("MaybeScaleUp", JOINED_PART, 2),
            ("max_maybe_scale", JOINED_PART, 2),
            ("maybe_scaled", ABBREVIATION, 2),
            ("maybe", ABBREVIATION, 1),
        ] {
            assert_eq!(
                found("maybescale", name),
                (vec![("maybescale".to_owned(), weight)], n_parts)
            );
        }
        assert_eq!(found("isdir", "is_dir").0, [("isdir".to_owned(), JOINED)]);
        assert_eq!(found("größenwahn", "größen_wahn").0, [("größenwahn".to_owned(), JOINED)]);
        assert_eq!(found("isdir", "is_dirty").0, []);
        assert_eq!(found("http2 proxies", "HTTP2").0, [("http2".to_owned(), JOINED)]);
        assert_eq!(found("utf8", "utf8Decode").0, [("utf8".to_owned(), JOINED_PART)]);
        assert_eq!(found("http2", "http").0, [("http2".to_owned(), ABBREVIATION)]);
        assert_eq!(found("http2", "http1").0, [("http2".to_owned(), ABBREVIATION)]);
    }

    #[test]
    fn a_sub_word_may_be_several_words_of_the_question() {
        let both = vec![("time".to_owned(), PART), ("zone".to_owned(), PART)];
        for (name, n_parts) in [("timezone", 2), ("set_timezone", 3), ("TimezoneName", 3)] {
            assert_eq!(found("time zone", name), (both.clone(), n_parts), "{name}");
        }
        assert_eq!(found("time zone", "timezones").0, []);
    }
}
