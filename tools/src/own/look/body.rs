//! Rows inside the definition of a name. The answer to `DechunkedInput negative length` is a line some way below
//! `class DechunkedInput`, and not one of the lines that have the name.

use super::answer::Lookup;
use super::hits::Hit;
use super::place;
use super::question::Question;
use searchscope::Result;
use searchscope::toolkit::{Likeness, LineShares, Terms, likeness};
use std::cmp::Reverse;

/// A definition of at most this many lines below its first one is shown with them if none of them has another word of
/// the question.
const SHORT_LINES: usize = 6;
/// The number of columns of a tab.
const TAB: usize = 8;
/// Maximum number of lines of a definition that are read.
const LINES_MAX: u64 = 2_000;
/// Maximum number of rows inside a definition.
const ROWS_MAX: usize = 3;
/// Maximum number of definitions of one name in a file that are read.
const DEFINITIONS_MAX: usize = 4;
/// The weight of another name of the question in a line.
const NAME: f32 = 1.0;
/// The weight that a comment loses, compared with code.
const COMMENT: f32 = 0.2;
/// The weight of a number in a line, where the question asks for one.
pub(super) const NUMBER: f32 = 0.2;
/// The least share of a term in a line that has more than an abbreviation of it.
const WHOLE: f32 = 1.0;

impl Lookup<'_> {
    /// Returns the names of the question that lines of a file may define, each with the likeliest of these lines; a name
    /// is one of several parts. The innermost is first: `saveMapping` of `class Registry`.
    pub(super) fn defined_names<'q, 'h>(
        &self,
        question: &'q Question,
        lines: &[&'h Hit],
    ) -> Vec<(&'q str, Vec<&'h Hit>)> {
        if self.only.is_some() {
            return Vec::new();
        }
        let named = question.names_of_parts().filter_map(|name| {
            let rated = lines.iter().map(|hit| (likeness_of(&hit.text, name), *hit));
            let rated: Vec<(Likeness, &Hit)> =
                rated.filter(|(likeness, _)| *likeness != Likeness::None).collect();
            let best = rated.iter().map(|(likeness, _)| *likeness).max()?;
            let defining = rated.into_iter().filter(|(likeness, _)| *likeness == best);
            Some((name, defining.map(|(_, hit)| hit).take(DEFINITIONS_MAX).collect()))
        });
        let mut named: Vec<(&str, Vec<&Hit>)> = named.collect();
        let column = |defining: &[&Hit]| defining.first().map(|hit| indent(&hit.text));
        named.sort_by_key(|(_, defining)| Reverse(column(defining)));
        named
    }

    /// Returns the one of the first definitions of `name` that has the best lines inside, as an index, and these lines;
    /// `None` if none has a line with another term.
    pub(super) fn rows_inside(
        &self,
        (defining, name): (&[(&str, &Hit)], &str),
        question: &Question,
        words: (&Terms, &[f32]),
    ) -> Result<Option<(usize, Vec<Hit>)>> {
        let (mut best, mut best_rate) = (None, 0.0);
        for (at, (path, definition)) in defining.iter().take(DEFINITIONS_MAX).enumerate() {
            let body = self.body(path, definition.line)?;
            let (rate, rows) = best_inside(&body, name, question, words);
            if rate > best_rate {
                (best, best_rate) = (Some((at, rows)), rate);
            }
        }
        Ok(best)
    }

    /// Returns the lines inside a definition, if they are few.
    pub(super) fn short_definition(&self, (path, definition): (&str, &Hit)) -> Result<Vec<Hit>> {
        let mut body = self.body(path, definition.line)?;
        let is_short = body.len() <= SHORT_LINES;
        body.retain(|hit| is_short && hit.text.contains(char::is_alphanumeric));
        Ok(body)
    }

    /// Returns the lines of the definition that begins in line `first` of a file, without that line and blank ones: as
    /// far as they are indented more. If the time of the call is over, there are none: a part of a definition would
    /// pass for the whole.
    fn body(&self, path: &str, first: u64) -> Result<Vec<Hit>> {
        let wanted = (first, first..=first.saturating_add(LINES_MAX));
        let lines = place::lines_of(self.workspace, path, wanted, self.call)?;
        let is_over = self.call.time_left().is_some_and(|left| left.is_zero());
        let lines = lines.filter(|_| !is_over).map_or_else(Vec::new, |lines| lines.hits.lines);
        let mut lines = lines.into_iter().filter(|hit| !hit.text.trim().is_empty());
        let Some(definition) = lines.next() else { return Ok(Vec::new()) };
        let outer = indent(&definition.text);
        let mut body: Vec<Hit> = lines.take_while(|hit| continues(&hit.text, outer)).collect();
        // Comments and directives at the end may belong to the next definition.
        let is_inside = |hit: &Hit| indent(&hit.text) > outer || !is_aside(&hit.text);
        body.truncate(body.iter().rposition(is_inside).map_or(0, |last| last + 1));
        Ok(body)
    }
}

/// Returns the likelihood that a line defines `name`.
fn likeness_of(line: &str, name: &str) -> Likeness {
    let likeness_at = |at: usize| likeness(&line[..at], &line[at + name.len()..]);
    words_in(line, name).map(likeness_at).max().unwrap_or(Likeness::None)
}

/// Returns the lines of a definition of `name` that have most of the other terms, in their order, and the rate of the
/// best of them.
fn best_inside(
    body: &[Hit],
    name: &str,
    question: &Question,
    (terms, weights): (&Terms, &[f32]),
) -> (f32, Vec<Hit>) {
    let name_terms: Vec<usize> = terms.parts_of(name).collect();
    let mut rated: Vec<(f32, &Hit)> = Vec::new();
    for hit in body {
        let LineShares { mut shares, has_name, .. } = terms.shares(&hit.text);
        name_terms.iter().for_each(|&term| shares[term] = 0.0);
        if !shares.iter().any(|share| *share >= WHOLE) {
            continue;
        }
        let by_words: f32 = shares.iter().zip(weights).map(|(share, weight)| share * weight).sum();
        let by_name = if has_name && !has_word(&hit.text, name) { NAME } else { 0.0 };
        let by_form = if is_comment(&hit.text) { -COMMENT } else { 0.0 };
        rated.push((by_words + by_name + by_form + question.number_rate(&hit.text), hit));
    }
    rated.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.line.cmp(&other.1.line)));
    rated.truncate(ROWS_MAX);
    let best = rated.first().map_or(0.0, |(rate, _)| *rate);
    let at_term = |hit: &Hit| Hit { match_at: first_term_in(&hit.text, terms), ..hit.clone() };
    let mut rows: Vec<Hit> = rated.into_iter().map(|(_, hit)| at_term(hit)).collect();
    rows.sort_by_key(|hit| hit.line);
    (best, rows)
}

/// Returns the place of the first word of the question in a line, which a long row is cut around.
fn first_term_in(line: &str, terms: &Terms) -> usize {
    let lower = line.to_ascii_lowercase();
    terms.shown().filter_map(|word| lower.find(word)).min().unwrap_or_default()
}

/// Returns the number of columns before the text of a line.
fn indent(line: &str) -> usize {
    let before = line.chars().take_while(|c| c.is_whitespace());
    before.fold(0, |column, c| if c == '\t' { column / TAB * TAB + TAB } else { column + 1 })
}

/// Returns whether a line belongs to a definition whose first line is indented by `outer`: it is indented more, it
/// continues the head of the definition or one of its parts, as `where`, `}: Props) {` and `rescue` do, or it is a label,
/// a comment or a directive, which may be at the beginning of any line.
fn continues(line: &str, outer: usize) -> bool {
    const WORDS: &[&str] = &["AS", "BEGIN", "begin", "catch", "else", "ensure", "rescue", "where"];
    let text = line.trim();
    if indent(line) > outer || is_aside(text) || is_label(text) {
        return true;
    }
    let first = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_of_head = text.starts_with([')', '{', ']', '>', ',', ':'])
        || text.starts_with('}') && text.ends_with('{')
        || WORDS.contains(&first);
    indent(line) == outer && is_of_head
}

/// Returns whether a line is a label of C or C++, such as `fail:` and `public slots:`.
fn is_label(text: &str) -> bool {
    const SECTIONS: &[&str] = &["private slots", "protected slots", "public slots"];
    // Words before a colon that begin a statement of Python, as `class Job:` does, which has two words.
    const STATEMENTS: &[&str] = &["else", "except", "finally", "try"];
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_word = |label: &str| !label.is_empty() && label.chars().all(is_part);
    text.strip_suffix(':').is_some_and(|label| {
        SECTIONS.contains(&label) || is_word(label) && !STATEMENTS.contains(&label)
    })
}

/// Returns whether a line is a comment or a directive.
fn is_aside(line: &str) -> bool {
    is_comment(line) || line.trim_start().starts_with('#')
}

/// Returns whether a line is a comment in most languages.
pub(super) fn is_comment(line: &str) -> bool {
    let text = line.trim_start();
    ["//", "/*", "*", "# ", "--", "\"\"\""].iter().any(|sign| text.starts_with(sign))
}

/// Returns the places of a name in a text where it is not a part of another name.
fn words_in<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let places = text.match_indices(name).map(|(at, _)| at);
    places.filter(move |&at| {
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

pub(super) fn has_word(text: &str, name: &str) -> bool {
    words_in(text, name).next().is_some()
}

/// Returns whether a line has a number that is no part of a name.
pub(super) fn has_number(line: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(|c: char| c.is_ascii_digit()).any(|(at, _)| !line[..at].ends_with(is_part))
}
