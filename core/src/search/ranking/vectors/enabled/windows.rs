//! The nearest window of a text to a question.

use super::sum::Sum;
use super::table::{self, STEM_MAX};
use crate::search::{is_stop_word, stem};

/// A window is two halves of this many lines, and the next one begins a half later.
const HALF_LINES: usize = 20;
/// Bytes of a line that count; the rest of it is data.
const LINE_BYTES_MAX: usize = 600;
/// A window with fewer sub-words has no subject.
const SUB_WORDS_MIN: usize = 6;
/// Length of the sub-words that count.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=WORD_MAX;
const WORD_MAX: usize = 24;
/// Sub-words whose rows a thread remembers: those of a file are mostly those of the file before.
const REMEMBERED: usize = 1024;

/// A sub-word in lower case, with zeros after it.
type Word = [u8; WORD_MAX];

/// Returns the cosine of `question` with the nearest window of `text`. `name` is added to each window.
pub(super) fn nearest(question: &Sum, name: &Sum, text: &[u8], rows: &mut Rows) -> f64 {
    let (mut before, mut half, mut n_before, mut n_half) = (Sum::default(), Sum::default(), 0, 0);
    let mut nearest: f64 = 0.0;
    let mut lines = text.split(|byte| *byte == b'\n').peekable();
    let mut n_lines = 0;
    while let Some(line) = lines.next() {
        for_each_sub_word(&line[..line.len().min(LINE_BYTES_MAX)], &mut |word| {
            if let Some(row) = rows.of(word) {
                half.add_row(row);
                n_half += 1;
            }
        });
        n_lines += 1;
        if n_lines < HALF_LINES && lines.peek().is_some() {
            continue;
        }
        if n_before + n_half >= SUB_WORDS_MIN {
            nearest = nearest.max(question.cosine(&Sum::of(&before, &half, name)));
        }
        std::mem::swap(&mut before, &mut half);
        half.clear();
        (n_before, n_half, n_lines) = (n_half, 0, 0);
    }
    nearest
}

/// Returns the sum of the name of a file, counted twice, and of its two nearest directories.
pub(super) fn of_path(path: &str, rows: &mut Rows) -> Sum {
    let mut sum = Sum::default();
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or_default();
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name);
    for part in [name, name].into_iter().chain(parts.take(2)) {
        for_each_sub_word(part.as_bytes(), &mut |word| {
            if let Some(row) = rows.of(word) {
                sum.add_row(row);
            }
        });
    }
    sum
}

/// The rows of sub-words, with a memory of those looked up last.
pub(super) struct Rows {
    /// A sub-word and its row, at a place that the sub-word decides.
    remembered: Box<[(Word, Option<u16>)]>,
}

impl Default for Rows {
    fn default() -> Rows {
        Rows { remembered: vec![([0; WORD_MAX], None); REMEMBERED].into() }
    }
}

impl Rows {
    fn of(&mut self, word: &Word) -> Option<&'static table::Row> {
        let place = &mut self.remembered[place_of(word)];
        if place.0 != *word {
            *place = (*word, look_up(word));
        }
        place.1.map(table::row_at)
    }
}

fn place_of(word: &Word) -> usize {
    let parts = word.as_chunks::<8>().0.iter();
    let hash = parts.fold(0u64, |hash, part| {
        (hash.rotate_left(5) ^ u64::from_le_bytes(*part)).wrapping_mul(0x517c_c1b7_2722_0a95)
    });
    (hash >> 32) as usize % REMEMBERED
}

fn look_up(word: &Word) -> Option<u16> {
    let len = word.iter().position(|byte| *byte == 0).unwrap_or(WORD_MAX);
    let word = std::str::from_utf8(&word[..len]).ok()?;
    let stem = stem(word);
    if is_stop_word(word) || stem.len() > STEM_MAX {
        None
    } else {
        table::index_of(stem.as_bytes())
    }
}

/// Calls `take` with each sub-word of ASCII letters: the ones of [`crate::search::sub_words`], found among bytes,
/// because a reading of all characters would take most of the time of the step.
fn for_each_sub_word(text: &[u8], take: &mut impl FnMut(&Word)) {
    let mut at = 0;
    while at < text.len() {
        if !text[at].is_ascii_alphabetic() {
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        let is_upper = |at: usize| text.get(at).is_some_and(u8::is_ascii_uppercase);
        let is_lower = |at: usize| text.get(at).is_some_and(u8::is_ascii_lowercase);
        // In "HTMLBody" the last capital is the first letter of the next sub-word, in "URLs" it is none.
        while is_upper(start)
            && is_upper(at)
            && (!is_lower(at + 1) || is_plural_sign(&text[at + 1..]))
        {
            at += 1;
        }
        if at == start + 1 {
            while is_lower(at) {
                at += 1;
            }
        }
        if at == start + 1 && text[start].is_ascii_lowercase() {
            at += n_capitals_of_word(text, start);
        }
        let word = &text[start..at];
        // A letter of another script beside it makes it a part of another word.
        let is_ascii = text.get(at).is_none_or(u8::is_ascii)
            && start.checked_sub(1).is_none_or(|before| text[before].is_ascii());
        if LENGTHS.contains(&word.len()) && is_ascii {
            let mut lower = [0; WORD_MAX];
            lower[..word.len()].copy_from_slice(word);
            lower.make_ascii_lowercase();
            take(&lower);
        }
    }
}

/// Returns whether `text`, which follows capitals, begins with the sign of their plural.
fn is_plural_sign(text: &[u8]) -> bool {
    let is_lower = |byte: &u8| byte.is_ascii_lowercase() || !byte.is_ascii();
    text.first() == Some(&b's') && !text.get(1).is_some_and(is_lower)
}

/// Returns the number of capitals after the letter at `start` that are one word with it, as in `cURL`: those up to the
/// end of a name that begins with the letter.
fn n_capitals_of_word(text: &[u8], start: usize) -> usize {
    let is_outside = |byte: Option<&u8>| {
        byte.is_none_or(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric())
    };
    let rest = &text[start + 1..];
    let n_capitals = rest.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let is_first = is_outside(start.checked_sub(1).and_then(|before| text.get(before)));
    if is_first && n_capitals > 1 && is_outside(rest.get(n_capitals)) { n_capitals } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Terms, sub_words};
    use proptest::prelude::*;

    fn found(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        for_each_sub_word(text.as_bytes(), &mut |word| {
            let text = String::from_utf8_lossy(word);
            words.push(text.trim_end_matches('\0').to_owned());
        });
        words
    }

    fn cosine(question: &str, text: &str) -> f64 {
        let question = super::super::question(&Terms::of_question(question, &[], false));
        nearest(&question, &Sum::default(), text.as_bytes(), &mut Rows::default())
    }

    #[test]
    fn letters_of_other_scripts_are_in_no_sub_word() {
        assert_eq!(found("größe größeMax maxSize s3 x2y i18n"), ["max", "max", "size"]);
        assert_eq!(
            found("parseHTMLBody XMLHttp IO cURL iOS getURLs"),
            ["parse", "html", "body", "xml", "http", "io", "curl", "ios", "get", "url"]
        );
        assert_eq!(found(&"a".repeat(25)), Vec::<String>::new());
    }

    #[test]
    fn the_nearest_window_counts_wherever_it_is() {
        let other = "paint the colour of a widget\n".repeat(60);
        let right = "open the socket and send the request\n".repeat(10);
        let alone = cosine("network connection", &right);
        assert!(alone > cosine("network connection", &other));
        for text in
            [format!("{right}{other}"), format!("{other}{right}"), format!("{other}{right}{other}")]
        {
            assert!(cosine("network connection", &text) > cosine("network connection", &other));
        }
        let whole = format!("{}{right}{}", "\n".repeat(40), "\n".repeat(40));
        assert_eq!(cosine("network connection", &whole), alone);
    }

    #[test]
    fn texts_without_a_subject_have_no_cosine() {
        for text in ["", "\n\n", "request", "1 2 3 { } ;", "中文 中文"] {
            assert_eq!(cosine("network connection", text), 0.0, "{text}");
        }
        let long = format!("{}\n", " ".repeat(LINE_BYTES_MAX)).replace('\n', "send the request ");
        assert_eq!(cosine("network connection", &long.repeat(9)), 0.0);
    }

    proptest! {
        #[test]
        fn sub_words_of_letters_are_those_of_names(text in "([A-Za-z]{0,9}[_. -]){0,6}") {
            let mut expected = sub_words(&text);
            expected.retain(|word| LENGTHS.contains(&word.len()));
            prop_assert_eq!(found(&text), expected);
        }

        #[test]
        fn no_text_is_refused(text in proptest::collection::vec(any::<u8>(), 0..400)) {
            let mut rows = Rows::default();
            let question = super::super::question(&Terms::of_question("read the request", &[], false));
            let cosine = nearest(&question, &Sum::default(), &text, &mut rows);
            prop_assert!((0.0..=1.0 + 1e-9).contains(&cosine));
        }
    }
}
