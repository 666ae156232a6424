//! A question about a part of the tree: "who calls echo in term.py", "Context in the client package".

use super::Only;
use super::answer::Lookup;
use super::hits::{Hit, Hits};
use super::phrase::terms_of;
use super::query::{Query, is_name, quoted_short};
use super::question::Question;
use super::ranked::Ranked;
use super::subject::{ROWS_OF_SUBJECT, first_of};
use super::token::asks;
use super::wanted::Wanted;
use searchscope::Result;
use searchscope::toolkit::{Likeness, is_file_extension};

/// Words before a part of the tree, sorted.
const PREPOSITIONS: &[&str] = &["from", "in", "inside", "of", "under", "within"];
/// Words before a part that has no extension and no slash.
const PREPOSITIONS_OF_WORD: &[&str] = &["in", "inside", "under", "within"];
/// Words between a preposition and the part.
const ARTICLES: &[&str] = &["our", "the", "this"];
/// Words of a statement, such as a message, which names no part: "variable u is already defined in query".
const OF_STATEMENTS: &[&str] =
    &["are", "cannot", "could", "has", "is", "must", "not", "was", "were"];
/// Kinds of parts, before or after the name of one.
const KINDS: &[&str] =
    &["crate", "dir", "directory", "file", "folder", "module", "package", "subdirectory"];

/// Maximum length of the path of a part: globs have a limit.
const PART_MAX: usize = 256;

/// A question taken apart.
#[derive(Debug, PartialEq, Eq)]
struct Inside<'q> {
    /// The question without the part.
    rest: String,
    part: &'q str,
    /// Whether the part has the form of a path, rather than that of a word.
    is_path: bool,
}

/// What a search of the part has found.
#[expect(clippy::large_enum_variant, reason = "a call has one value of it")]
enum Found {
    /// Lines with the name that the question is about.
    Lines(String, Hits),
    Files(Ranked),
}

impl Lookup<'_> {
    /// Answers a question about a part of the tree from that part, if the tree has it and it has the name or the
    /// words; of the words of a question about a path half suffice. Lines that contain the question as written come
    /// first and alone.
    pub(super) fn found_inside(&mut self) -> Result<bool> {
        let written = self.query.clone();
        let Some(inside) = Inside::read(&written.text) else { return Ok(false) };
        let question = Question::read(&inside.rest);
        // A message names a file that its program reads. Globs of the caller and of the part would be alternatives.
        let has_globs = self.files.globs.iter().any(|glob| !glob.starts_with('!'));
        if question.is_message || question.content.is_empty() || has_globs {
            return Ok(false);
        }
        // The tests of a file are elsewhere.
        if question.wanted == Some(Wanted::Tests) {
            let name = question.subject().filter(|_| !question.names.is_empty());
            return name.map_or(Ok(false), |name| self.found_subject(&question, name));
        }
        let files = self.files.clone();
        self.files.globs.extend(inside.globs());
        self.files.hidden |= inside.part.split('/').any(|part| part.starts_with('.'));
        let found = self.found_in_part(&inside, &question);
        self.files = files;
        let Some(found) = found? else { return Ok(false) };
        if self.found(written.pattern(), None)? {
            return Ok(true);
        }
        match found {
            Found::Lines(name, hits) => {
                self.answer.note(&hits.report);
                self.query = Query::literal(&name);
                self.wanted = question.wanted;
                let (part, first) = (quoted_short(inside.part), first_of(question.wanted));
                let remark = format!("lines with {} in {part}{first}:", self.query.shown());
                self.answer.remarks.push(remark);
                self.answer.rows_per_page = Some(ROWS_OF_SUBJECT);
                self.sets_apart = question.wanted == Some(Wanted::Definitions);
                self.show(hits)?;
                self.sets_apart = false;
                Ok(true)
            }
            Found::Files(ranked) => {
                let part = quoted_short(inside.part);
                self.answer.remarks.push(format!("read as a question about {part} alone"));
                self.part = Some(inside.part.to_owned());
                let is_shown = self.show_ranking(&ranked)?;
                self.part = None;
                if !is_shown {
                    self.answer.remarks.pop();
                }
                Ok(is_shown)
            }
        }
    }

    /// Searches the part, which `files` selects: for the name that the question is about, or for its words.
    fn found_in_part(&mut self, inside: &Inside<'_>, question: &Question) -> Result<Option<Found>> {
        if let Some(subject) = question.subject() {
            let hits = self.search(Query::literal(subject).pattern())?;
            let is_sought = |hit: &Hit| {
                let may_define = hit.is_definition || hit.likeness == Likeness::Strong;
                hit.is_word && (may_define || self.only != Some(Only::Definitions))
            };
            if hits.lines.iter().any(is_sought) {
                return Ok(Some(Found::Lines(subject.to_owned(), hits)));
            }
            if hits.report.searched_files == 0 {
                return Ok(None);
            }
        }
        let terms = terms_of(question, &inside.rest);
        let ranked = self.ranked(question.clone(), terms)?;
        let n_missing = ranked.ranking.n_missing();
        let has_enough = n_missing == 0 || inside.is_path && n_missing * 2 <= ranked.terms.len();
        let is_found = !ranked.ranking.files.is_empty() && has_enough;
        Ok(is_found.then_some(Found::Files(ranked)))
    }
}

impl<'q> Inside<'q> {
    /// Returns the part of the tree that a question names after a preposition, and the rest of the question. A part
    /// without the form of a path is at the end.
    fn read(q: &'q str) -> Option<Inside<'q>> {
        let tokens: Vec<&str> = q.split_whitespace().collect();
        let lower = |at: usize| tokens.get(at).map(|token| token.to_lowercase());
        let is_statement =
            !asks(&tokens) && tokens.iter().any(|token| OF_STATEMENTS.contains(token));
        let is_one_of = |at: usize, words: &[&str]| {
            lower(at).is_some_and(|token| words.contains(&token.trim_end_matches(is_sign)))
        };
        (0..tokens.len()).find_map(|at| {
            if !is_one_of(at, PREPOSITIONS) {
                return None;
            }
            let start = at + 1 + usize::from(is_one_of(at + 1, ARTICLES));
            let has_kind = start + 1 < tokens.len() && is_one_of(start, KINDS);
            let start = start + usize::from(has_kind);
            let part = tokens.get(start)?.trim_start_matches(['`', '"', '\'', '(']);
            let part = part.trim_end_matches(is_sign).trim_end_matches('/');
            let end = start + 1 + usize::from(is_one_of(start + 1, KINDS));
            if part.len() > PART_MAX || is_one_of(start, KINDS) {
                return None;
            }
            let is_path = is_path(part);
            let is_word = is_name(part) && end == tokens.len() && at > 0 && !is_statement;
            if !(is_path || is_word && is_one_of(at, PREPOSITIONS_OF_WORD)) {
                return None;
            }
            let rest = [&tokens[..at], &tokens[end..]].concat().join(" ");
            Some(Inside { rest, part, is_path })
        })
    }

    /// Returns the globs of the files of the part: those of this name, and all below a directory of this name; of a
    /// part without an extension also the files that have one.
    fn globs(&self) -> Vec<String> {
        let part = globset::escape(self.part.trim_start_matches("./"));
        let mut globs = vec![format!("**/{part}"), format!("**/{part}/**")];
        if !has_extension(self.part) {
            globs.push(format!("**/{part}.*"));
        }
        globs
    }
}

/// Returns whether a character is punctuation around a path.
fn is_sign(c: char) -> bool {
    matches!(c, '`' | '"' | '\'' | '(' | ')' | ',' | ';' | ':' | '?' | '!' | '.')
}

/// Returns whether a token has the form of a path relative to the root: it has directories or an extension.
fn is_path(token: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_-./@+[]".contains(c);
    let has_form = token.contains('/') || has_extension(token);
    let is_inside = !token.starts_with('/') && !token.split('/').any(|part| part == "..");
    has_form && is_inside && token.chars().all(is_part)
}

fn has_extension(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty() && is_file_extension(&extension.to_lowercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_follows_a_preposition() {
        for (q, rest, part) in [
            ("who calls echo in term.py?", "who calls echo", "term.py"),
            ("Context class of the `src/core.py` file", "Context class", "src/core.py"),
            ("in lib/a.js where is load", "where is load", "lib/a.js"),
            ("where is load defined in the client package", "where is load defined", "client"),
            ("load in src/", "load", "src"),
            ("load in the file term.py", "load", "term.py"),
            ("load in ./src.", "load", "./src"),
            ("steps in .github/workflows", "steps", ".github/workflows"),
        ] {
            let read = Inside::read(q).map(|inside| (inside.rest, inside.part));
            assert_eq!(read, Some((rest.to_owned(), part)), "{q}");
        }
        for q in [
            "the client in which load is",
            "in",
            "load of client",
            "in client",
            "load in /etc/app.conf",
            "load in http://a.example/b.js",
            "value in (a, b)",
            "in the",
            "where is load defined in this file",
            "load in ../term.py",
            "variable `u` is already defined in query",
        ] {
            assert_eq!(Inside::read(q), None, "{q}");
        }
    }

    #[test]
    fn a_part_has_files_and_directories() {
        let globs = |part| Inside { rest: String::new(), part, is_path: true }.globs();
        assert_eq!(globs("a.py"), ["**/a.py", "**/a.py/**"]);
        assert_eq!(
            globs("./src/[id]"),
            ["**/src/[[]id[]]", "**/src/[[]id[]]/**", "**/src/[[]id[]].*"]
        );
    }
}
