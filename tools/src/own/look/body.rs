//! Rows inside the definition of a name. What a question says besides the name is there, not in the lines that have the
//! name: `DechunkedInput negative length` is about a line some way below `class DechunkedInput`.

use super::answer::Lookup;
use super::hits::{Hit, hit};
use super::question::Question;
use searchscope::toolkit::{Likeness, LineShares, Terms};
use searchscope::{FileMatches, PatternOptions, RelPath, Result, Stop};
use std::ops::ControlFlow;

/// A definition of at most this many lines is shown whole if none of them has another word of the question.
const SHORT_LINES: usize = 6;
/// Maximum number of lines of a definition that are looked at.
const LINES_MAX: u64 = 20_000;
/// Maximum number of definitions of one name in a file that are looked at, and of rows inside one.
const DEFINITIONS_MAX: usize = 4;
const ROWS_MAX: usize = 3;
/// What another name of the question counts in a line, a definition, a comment less than code, and a number that the
/// question asks for.
const NAME: f32 = 1.0;
const DEFINITION: f32 = 0.3;
const COMMENT: f32 = 0.2;
pub(super) const NUMBER: f32 = 0.2;
/// The least share of a term in a line that has it, and not only an abbreviation.
const WHOLE: f32 = 1.0;

impl Lookup<'_> {
    /// Returns the first name of the question that lines of a file may define, and the likeliest of these lines; a name
    /// is one of several parts.
    pub(super) fn defined_name<'q, 'h>(
        &self,
        question: &'q Question,
        lines: &[&'h Hit],
    ) -> Option<(&'q str, Vec<&'h Hit>)> {
        let mut named = question.names_of_parts().filter_map(|name| {
            let of_name = lines.iter().filter(|hit| hit.may_define() && has_word(&hit.text, name));
            let best = of_name.clone().map(|hit| hit.likeness).max()?;
            let defining = of_name.filter(|hit| hit.likeness == best).take(DEFINITIONS_MAX);
            Some((name, defining.copied().collect()))
        });
        named.next().filter(|_| self.only.is_none())
    }

    /// Returns the definition of `name` that has the best lines inside, and these, in the order of the file; nothing if
    /// no line inside has another term.
    pub(super) fn definition_and_rows_inside(
        &self,
        (path, name, defining): (&RelPath, &str, &[&Hit]),
        question: &Question,
        words: (&Terms, &[f32]),
    ) -> Result<Vec<Hit>> {
        let mut best: (f32, Vec<Hit>) = (0.0, Vec::new());
        for definition in defining {
            let body = self.body(path, definition.line)?;
            let (rate, mut rows) = best_inside(&body, name, question, words);
            if rate > best.0 {
                rows.insert(0, (*definition).clone());
                best = (rate, rows);
            }
        }
        Ok(best.1)
    }

    /// Returns the lines inside the definition of `name` in line `first` of a file that have most of the other terms; if
    /// none has one, the whole of a short definition.
    pub(super) fn rows_inside(
        &self,
        (path, name, first): (&RelPath, &str, u64),
        question: &Question,
        words: (&Terms, &[f32]),
    ) -> Result<Vec<Hit>> {
        let mut body = self.body(path, first)?;
        let (_, rows) = best_inside(&body, name, question, words);
        if rows.is_empty() && body.len() <= SHORT_LINES {
            body.retain(|hit| hit.text.contains(char::is_alphanumeric));
            return Ok(body);
        }
        Ok(rows)
    }

    /// Returns the lines of the definition that begins in line `first` of a file, without that line: as far as they
    /// are indented more, which holds in every language whose code people lay out.
    fn body(&self, path: &RelPath, first: u64) -> Result<Vec<Hit>> {
        let mut request = self.request(PatternOptions::regex(r"^\s*\S"))?;
        request.only = Some(vec![path.clone()]);
        request.in_parts = true;
        request.limits.matches_max = Some(first + LINES_MAX);
        let (mut body, mut defining) = (Vec::new(), None);
        let each = &mut |file: FileMatches| {
            for line in file.lines.iter().filter(|line| line.is_match && line.number >= first) {
                let hit = hit(line, 0);
                let Some(outer) = defining else {
                    defining = Some(indent(&hit.text));
                    continue;
                };
                if !goes_on(&hit.text, outer) {
                    return ControlFlow::Break(Stop::HERE);
                }
                body.push(hit);
            }
            ControlFlow::Continue(())
        };
        self.workspace.run_search_each(&request, self.call, each)?;
        Ok(body)
    }
}

/// Returns the lines of a definition of `name` that have most of the other terms, in their order, and the rate of the
/// best of them.
fn best_inside(
    body: &[Hit],
    name: &str,
    question: &Question,
    (terms, weights): (&Terms, &[f32]),
) -> (f32, Vec<Hit>) {
    let of_name: Vec<usize> = terms.parts_of(name).collect();
    let mut rated: Vec<(f32, &Hit)> = Vec::new();
    for hit in body {
        let LineShares { mut shares, has_name, .. } = terms.shares(&hit.text);
        of_name.iter().for_each(|&term| shares[term] = 0.0);
        if !shares.iter().any(|share| *share >= WHOLE) {
            continue;
        }
        let by_words: f32 = shares.iter().zip(weights).map(|(share, weight)| share * weight).sum();
        let by_name = if has_name && !has_word(&hit.text, name) { NAME } else { 0.0 };
        let by_form = match hit.likeness {
            Likeness::Strong => DEFINITION,
            _ if is_comment(&hit.text) => -COMMENT,
            _ => 0.0,
        };
        rated.push((by_words + by_name + by_form + question.number_rate(&hit.text), hit));
    }
    rated.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.line.cmp(&other.1.line)));
    rated.truncate(ROWS_MAX);
    let best = rated.first().map_or(0.0, |(rate, _)| *rate);
    let mut rows: Vec<Hit> = rated.into_iter().map(|(_, hit)| hit.clone()).collect();
    rows.sort_by_key(|hit| hit.line);
    (best, rows)
}

/// Returns the number of characters before the text of a line.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns whether a line belongs to a definition whose first line is indented by `outer`: it is indented more, or goes
/// on with the head of the definition, or is a label of C++.
fn goes_on(line: &str, outer: usize) -> bool {
    const LABELS: &[&str] = &["public:", "private:", "protected:"];
    let text = line.trim();
    indent(line) > outer
        || indent(line) == outer && (text.starts_with([')', '{', ']']) || LABELS.contains(&text))
}

/// Returns whether a line is a comment in most languages.
fn is_comment(line: &str) -> bool {
    let text = line.trim_start();
    ["//", "/*", "*", "# ", "--", "\"\"\""].iter().any(|sign| text.starts_with(sign))
}

/// Returns whether a text has a name, and not only as a part of another.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

/// Returns whether a line has a number that is no part of a name.
pub(super) fn has_number(line: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(|c: char| c.is_ascii_digit()).any(|(at, _)| !line[..at].ends_with(is_part))
}
