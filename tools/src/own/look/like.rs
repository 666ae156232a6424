//! Places like a given one: where else in the tree something is done.
//!
//! The words of the definition around the place are the question. Files are ranked by the share of what these
//! words say, by their rarity, that the best window of each has; the score of whole files would prefer those that
//! are about the same topic and do something else. The file of the place itself is left out.

use super::answer::{Lookup, Rows, is_all_ignored};
use super::hits::{Hit, HitFile};
use super::question::Question;
use super::ranked::{FILES_PER_PAGE, Ranked, listed};
use super::subject::is_import;
use super::{Only, frame, place};
use crate::replies::text::heading;
use searchscope::toolkit::{ErrorExt, RankedFile, Ranking, Role, Terms, is_stop_word, sub_words};
use searchscope::{Error, ErrorKind, FileType, Result, Symbol};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Number of lines before and after the place that count at most, and at least.
const AROUND_MAX: u64 = 30;
const AROUND_MIN: u64 = 4;
/// Maximum number of words of the place that count.
const WORDS_MAX: usize = 28;
/// Further occurrences of a word, and further letters, say no more.
const OCCURRENCES_MAX: usize = 3;
const LETTERS_MAX: usize = 10;
/// A word in the name of the definition counts as this many occurrences.
const OCCURRENCES_OF_NAME: usize = 4;
/// Maximum number of places in a reply, on all pages.
const PLACES_MAX: usize = 20;
/// The least share of what the words say that a place has, and its least part of the share of the best place.
const SHARE_MIN: f64 = 0.15;
const SHARE_OF_BEST: f64 = 0.5;
/// The factor of a file in another part of the project than the place.
const OTHER_ROLE: f64 = 0.6;
/// A definition that begins more lines before a row is not shown in its stead.
const DEFINITION_LINES: u64 = 40;
/// Words of programming languages that are in any definition.
const KEYWORDS: &[&str] = &[
    "abstract",
    "async",
    "await",
    "bool",
    "boolean",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "def",
    "default",
    "elif",
    "else",
    "enum",
    "err",
    "export",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "fn",
    "func",
    "function",
    "impl",
    "import",
    "int",
    "interface",
    "internal",
    "let",
    "match",
    "mut",
    "new",
    "nil",
    "none",
    "null",
    "ok",
    "override",
    "package",
    "pass",
    "private",
    "protected",
    "pub",
    "public",
    "raise",
    "ref",
    "return",
    "self",
    "some",
    "static",
    "str",
    "string",
    "struct",
    "super",
    "switch",
    "throw",
    "throws",
    "trait",
    "true",
    "try",
    "type",
    "undefined",
    "val",
    "var",
    "vec",
    "virtual",
    "void",
    "while",
    "yield",
];

/// The lines whose words are searched.
struct Source {
    path: String,
    first: u64,
    last: u64,
    /// The definition around the place, such as `fn load`.
    label: Option<String>,
    /// Its words, the most telling first.
    words: Vec<String>,
}

impl Lookup<'_> {
    /// Answers with the definitions and windows of other files that are most like the one at `like`.
    ///
    /// # Errors
    ///
    /// `invalid_param` for a text that is no place, and for a line that the file does not have; `not_found` and
    /// `access_denied` for its file.
    pub(super) fn answer_like(&mut self, like: &str) -> Result<()> {
        if self.only == Some(Only::Names) {
            let predicate = "must not be \"names\" with 'like': names have no lines";
            return Err(Error::invalid_param("only", predicate));
        }
        let source = self.source(like)?;
        let terms = Terms::of_question(&source.words.join(" "), &[], false);
        let mut ranked = self.ranked_by_words(Question::default(), terms)?;
        if is_all_ignored(&ranked.ranking.report) && !self.files.no_ignore {
            self.search_ignored();
            ranked = self.ranked_by_words(ranked.question, ranked.terms)?;
        }
        self.warn_of_part();
        ranked.ranking.files.retain(|file| *file.path.display() != *source.path);
        let best = nearest(&ranked.ranking, &source, self.only.and_then(Only::role));
        let at = format!("{}:{}-{}", heading(&source.path), source.first, source.last);
        let of = source.label.as_ref().map_or_else(String::new, |label| format!(" ({label})"));
        if best.is_empty() {
            self.answer.remarks.push(format!("nothing is like {at}{of} in other files"));
            self.answer.report = Some(ranked.ranking.report);
            return Ok(());
        }
        let words: Vec<&str> = ranked.terms.shown().collect();
        let remark = format!("like {at}{of}, by its words {}:", listed(&words));
        self.answer.remarks.push(remark);
        self.show_like(&ranked, &best)?;
        self.answer.report = Some(ranked.ranking.report);
        Ok(())
    }

    /// Shows one row of each file, in the form that `only` requests.
    fn show_like(&mut self, ranked: &Ranked, best: &[RankedFile]) -> Result<()> {
        (self.answer.total, self.answer.n_files) = (best.len() as u64, best.len() as u64);
        self.answer.is_ranking = true;
        let paths = || best.iter().map(|file| (file.path.display().into_owned(), None));
        match self.only {
            Some(Only::Count) => {
                self.answer.is_count = true;
                self.answer.rows = Rows::Paths(Vec::new());
                return Ok(());
            }
            Some(Only::Files) => {
                self.answer.rows = Rows::Paths(paths().collect());
                return Ok(());
            }
            _ => {}
        }
        let (files, mut lines) = self.lines_of(ranked, best, (best.len(), 1))?;
        for hit in &mut lines {
            self.show_definition(&files, hit)?;
        }
        if self.only == Some(Only::Definitions) {
            lines.retain(|hit| hit.is_definition);
            (self.answer.total, self.answer.n_files) = (lines.len() as u64, lines.len() as u64);
        }
        self.answer.rows_per_page = Some(FILES_PER_PAGE);
        let order = (0..lines.len()).collect();
        self.answer.rows = Rows::Lines { files, lines, order };
        Ok(())
    }

    /// Replaces a row by the first line of the definition around it, if that is near.
    fn show_definition(&self, files: &[HitFile], hit: &mut Hit) -> Result<()> {
        let path = &files[hit.file].path;
        let Some(lines) =
            place::lines_of(self.workspace, path, (hit.line, hit.line..=hit.line), self.call)?
        else {
            return Ok(());
        };
        let Some((symbol, _)) = self.enclosing(path, lines.inner_offset())? else { return Ok(()) };
        let line = symbol.line();
        if line > hit.line || hit.line - line > DEFINITION_LINES {
            return Ok(());
        }
        let defined = place::lines_of(self.workspace, path, (line, line..=line), self.call)?;
        if let Some(own) = defined.and_then(|lines| lines.hits.lines.into_iter().next()) {
            *hit = Hit { file: hit.file, is_definition: true, ..own };
        }
        Ok(())
    }

    /// Returns the innermost definition around a byte of a file, and its label; `None` without a grammar.
    fn enclosing(&self, path: &str, at: u64) -> Result<Option<(Symbol, String)>> {
        Ok(frame::outline(self.workspace, path, self.call)?.and_then(|outline| {
            let symbol = outline.enclosing(at, at + 1)?;
            Some((symbol.clone(), outline.label(symbol)))
        }))
    }

    /// Reads the definition around the place that a caller names, or the lines around it.
    fn source(&self, like: &str) -> Result<Source> {
        let invalid = |predicate: String| Error::invalid_param("like", predicate);
        let unlike =
            |message: String| Error::new(ErrorKind::InvalidParam, message).with_param("like");
        let places = place::places(like.trim());
        let [place] = places.as_slice() else {
            return Err(invalid("must be a place with a line, such as \"src/a.rs:40\"".to_owned()));
        };
        let named = |error: Error| error.with_param("like");
        let resolved = self.workspace.resolve(&place.path).map_err(named)?;
        let path = resolved.display().into_owned();
        if self.workspace.details(&resolved).map_err(named)?.file_type != FileType::File {
            return Err(invalid(format!("must be a line of a file, and '{path}' is not a file")));
        }
        let end = place.end.unwrap_or(place.line);
        let wanted =
            place.line.saturating_sub(AROUND_MAX)..=place.line.saturating_add(AROUND_MAX).max(end);
        let lines = place::lines_of(self.workspace, &path, (place.line, wanted), self.call)?;
        let Some(lines) = lines else {
            return Err(unlike(format!("'{path}' has no line {} that can be read", place.line)));
        };
        let around = match place.end {
            Some(_) => None,
            None => self.enclosing(&path, lines.inner_offset())?,
        };
        let range = match (&around, place.end) {
            (_, Some(end)) => place.line..=end,
            (Some((symbol, _)), _) => lines.numbers_in(symbol.range()),
            _ => place.line..=place.line,
        };
        let (mut first, mut last) = (*range.start(), *range.end());
        if place.end.is_none() && last - first < AROUND_MIN {
            (first, last) = (first.saturating_sub(AROUND_MIN).max(1), last + AROUND_MIN);
        }
        let own = lines.hits.lines.iter().filter(|hit| (first..=last).contains(&hit.line));
        let own: Vec<&Hit> = own.collect();
        last = own.last().map_or(last, |hit| hit.line);
        let name = around.as_ref().map_or("", |(symbol, _)| symbol.name());
        let words = words(name, own.iter().map(|hit| hit.text.as_str()));
        if words.is_empty() {
            return Err(unlike(format!("'{path}' has no word near line {}", place.line)));
        }
        Ok(Source { path, first, last, label: around.map(|(_, label)| label), words })
    }
}

/// Returns the words of a definition and its name, the most telling first: long and frequent ones.
fn words<'a>(name: &str, lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found: HashMap<String, usize> = HashMap::new();
    let says = |word: &String| {
        word.chars().nth(2).is_some()
            && word.chars().any(char::is_alphabetic)
            && !is_stop_word(word)
            && KEYWORDS.binary_search(&word.as_str()).is_err()
    };
    for word in sub_words(name).into_iter().filter(says) {
        *found.entry(word).or_default() += OCCURRENCES_OF_NAME;
    }
    for line in lines.filter(|line| !is_import(line.trim_start())) {
        for word in sub_words(line).into_iter().filter(says) {
            *found.entry(word).or_default() += 1;
        }
    }
    let mut words: Vec<(usize, String)> = found
        .into_iter()
        .map(|(word, n)| {
            let most = if n >= OCCURRENCES_OF_NAME { OCCURRENCES_OF_NAME } else { OCCURRENCES_MAX };
            ((2 + n.min(most)) * word.chars().count().min(LETTERS_MAX), word)
        })
        .collect();
    words.sort_by(|one, other| (Reverse(one.0), &one.1).cmp(&(Reverse(other.0), &other.1)));
    words.into_iter().take(WORDS_MAX).map(|(_, word)| word).collect()
}

/// Returns the files of a ranking whose best windows have most of what the words of `source` say.
fn nearest(ranking: &Ranking, source: &Source, only: Option<Role>) -> Vec<RankedFile> {
    let own_role = Role::of(&source.path);
    let mut near: Vec<(f64, &RankedFile)> = Vec::new();
    for file in ranking.files.iter().filter(|file| file.in_window.count_ones() > 1) {
        let share = ranking.share_of(file.in_window);
        // In a small part of a tree its words are not rare.
        let has_many = file.in_window.count_ones() as usize * 4 >= ranking.rarities.len();
        if share < SHARE_MIN && !has_many {
            continue;
        }
        let is_own = only.is_some() || Role::of(&file.path.display()) == own_role;
        near.push((share * if is_own { 1.0 } else { OTHER_ROLE }, file));
    }
    // Files of equal shares keep the order of the ranking.
    near.sort_by(|one, other| other.0.total_cmp(&one.0));
    let least = near.first().map_or(0.0, |best| best.0 * SHARE_OF_BEST);
    near.retain(|(share, _)| *share >= least);
    near.into_iter().take(PLACES_MAX).map(|(_, file)| file.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_keywords_is_sorted() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn the_words_of_a_name_and_long_ones_come_first() {
        let lines = [
            "use std::backoff;",
            "pub fn retry_all(n: u32) {",
            "    backoff.sleep(n);",
            "    backoff.next()",
        ];
        assert_eq!(
            words("retry_all", lines.into_iter()),
            ["retry", "backoff", "sleep", "next", "u32"]
        );
        assert_eq!(words("", ["} } 12 if", "return x"].into_iter()), Vec::<String>::new());
    }
}
