//! Fallbacks of a call when no line matches: other spellings and places, one after the other until
//! one finds something, with a remark that names it.
//!
//! The caller relies on every remark. Before a remark claims that a text is nowhere or misspelt,
//! the matches that a filter of the call hides are counted.

use super::answer::is_all_ignored;
use super::answer::{Lookup, Rows, everywhere};
use super::hits::{Hit, gather};
use super::names::Fit;
use super::query::{Query, is_name};
use super::question::{Question, Wanted};
use super::{Only, place, ranked, spelling};
use crate::StopReason;
use crate::error::{ErrorKind, Result};
use crate::pattern::{Case, PatternOptions, Syntax};
use crate::search::{RankedFile, Ranking, Report, Role, Terms};
use crate::syntax::Likeness;
use crate::tools::text::quoted;
use crate::walk::FileOptions;
use std::time::Duration;

/// In a larger tree no name is looked for that differs by letters: it would cost a search of its own.
const FILES_FOR_SPELLING: u64 = 20_000;
/// Minimum similarity of a name that is shown before names that differ by letters.
const SIMILAR: f32 = 0.75;
/// The share of the time of a call so far that a search of ignored files may take, and its minimum.
const IGNORED_SHARE: u32 = 3;
const IGNORED_MIN: Duration = Duration::from_millis(60);

impl Lookup<'_> {
    /// Tries other readings of a query without white space until one finds something. `report` is that of the
    /// empty search.
    pub(super) fn otherwise(&mut self, report: &Report) -> Result<()> {
        self.warn_of_part();
        if self.found_called_file(report)? || self.found_place()? || self.found_pattern()? {
            return Ok(());
        }
        let written = self.query.clone();
        let shown = format!("{}{}", written.shown(), self.with_filters());
        let remark = format!("no line contains {shown}; in other case or naming:");
        if written.is_regex || self.query.text.contains('\n') {
            return match self.found_renamed(&remark)? || self.found_everywhere(&shown, report)? {
                true => Ok(()),
                false => self.nothing(&["any case"]),
            };
        }
        let question = Question::read(&written.text);
        if let Some(subject) = question.subject().filter(|subject| *subject != written.text)
            && self.found_subject(&question, subject)?
        {
            return Ok(());
        }
        let terms = match question.content.is_empty() {
            true => Terms::of_question(&written.text, &[], true),
            false => name_terms(&question),
        };
        if terms.len() == 0 {
            let tried = self.found_everywhere(&shown, report)?;
            return if tried { Ok(()) } else { self.nothing(&["any case"]) };
        }
        let ranking = self.ranking(&terms)?;
        let n_terms = terms.len();
        let among = |file: &RankedFile| file.n_in_line as usize >= n_terms || file.similar > 0.96;
        self.is_renamed = true;
        let renamed = self.found_among(&ranking, among, (written.renamed(), Some(&remark)));
        self.is_renamed = false;
        if renamed?
            || self.named(Fit::Pattern, &format!("no line contains {shown}, but names do"))?
            || self.found_everywhere(&shown, report)?
        {
            return Ok(());
        }
        let is_similar = ranking.files.iter().any(|file| file.similar >= SIMILAR);
        let is_small = report.searched_files <= FILES_FOR_SPELLING;
        if !is_similar && is_small && self.found_near(&written.shown())? {
            return Ok(());
        }
        if (n_terms > 1 || is_similar) && self.show_ranking(&terms, ranking)? {
            return Ok(());
        }
        let shown = written.shown();
        if self.named(Fit::Naming, &format!("no line contains {shown}; names like it"))?
            || is_small
                && self.named(Fit::Slip, &format!("no line contains {shown}; names like it"))?
        {
            return Ok(());
        }
        match is_small {
            true => self.nothing(&[
                "other case, naming and order",
                "names of files",
                "similar spelling",
            ]),
            false => self.nothing(&["other case, naming and order", "names of files"]),
        }
    }

    /// Answers a query of several words: as written, as a name with words around it, as places, or by the
    /// relevance of files.
    pub(super) fn answer_words(&mut self) -> Result<()> {
        let written = self.query.clone();
        let question = Question::read(&written.text);
        let has_place = self.only.is_none() && !place::places(&written.text).is_empty();
        if (has_place || written.as_pattern().is_some())
            && (self.found(written.pattern(), None)?
                || self.found_place()?
                || self.found_pattern()?)
        {
            return Ok(());
        }
        if let Some(subject) = question.subject()
            && self.found_subject(&question, subject)?
        {
            return Ok(());
        }
        let names: Vec<String> = match question.subject() {
            Some(subject) => vec![subject.to_owned()],
            None => question.names.clone(),
        };
        let terms = match question.content.is_empty() {
            true => Terms::of_question(&written.text, &names, false),
            false => Terms::of_question(&question.text, &names, false),
        };
        let terms = terms.with_phrase(&written.text);
        if terms.len() == 0 {
            let hits = self.search(written.pattern())?;
            return if hits.n_lines > 0 { self.show(hits) } else { self.otherwise(&hits.report) };
        }
        let ranking = self.ranking(&terms)?;
        if is_all_ignored(&ranking.report) && !self.files.no_ignore {
            self.search_ignored();
            return self.answer_words();
        }
        self.warn_of_part();
        if self.found_as_written(&terms, &ranking)? {
            return Ok(());
        }
        if self.counted_outside(&ranking.report)?
            || self.found_corrected_words(&question, &terms, &ranking)?
        {
            return Ok(());
        }
        let report = ranking.report.clone();
        if self.show_ranking(&terms, ranking)? {
            return Ok(());
        }
        let shown = format!("{}{}", written.shown(), self.with_filters());
        if !self.found_everywhere(&shown, &report)? {
            self.answer.report = Some(report);
            self.nothing(&["line breaks", "each word"])?;
        }
        Ok(())
    }

    /// Shows the lines of a ranking that have the question as written, across line breaks or as one name.
    fn found_as_written(&mut self, terms: &Terms, ranking: &Ranking) -> Result<bool> {
        let written = self.query.clone();
        let n_terms = terms.len();
        let has_phrase = |file: &RankedFile| file.may_have_phrase;
        if self.found_among(ranking, has_phrase, (Some(written.pattern()), None))? {
            let is_short =
                written.words.len() <= WORDS_OF_TOPIC && self.answer.n_files <= FILES_OF_MENTION;
            if self.only.is_none() && (is_short || is_aside(&self.answer.rows)) {
                self.add_ranked(terms, ranking)?;
            }
            return Ok(true);
        }
        let shown = format!("{}{}", written.shown(), self.with_filters());
        let remark = format!("no line contains {shown}; in other case or naming:");
        let in_line = |file: &RankedFile| file.n_in_line as usize >= n_terms;
        if self.found_among(ranking, in_line, (written.renamed(), Some(&remark)))? {
            return Ok(true);
        }
        let remark = format!("no single line contains {shown}; across line breaks:");
        let has_all = |file: &RankedFile| file.n_terms >= n_terms;
        self.found_among(ranking, has_all, (written.across_lines(), Some(&remark)))
    }

    /// Adds the best files of a ranking below the rows of the answer.
    fn add_ranked(&mut self, terms: &Terms, ranking: &Ranking) -> Result<()> {
        let Rows::Lines { files, lines, order } = &mut self.answer.rows else { return Ok(()) };
        let others = ranking.files.iter().filter(|ranked| {
            let path = ranked.path.display();
            !files.iter().any(|file| file.path == *path)
        });
        let others: Vec<RankedFile> = others.take(ranked::FILES_PER_PAGE).cloned().collect();
        if others.is_empty() {
            return Ok(());
        }
        let n_own = files.len();
        let (mut files, mut lines, mut order) =
            (std::mem::take(files), std::mem::take(lines), std::mem::take(order));
        order.truncate(ROWS_BEFORE_RANKED);
        let (more, rows) = self.lines_of(terms, &others)?;
        for hit in rows {
            order.push(lines.len());
            lines.push(Hit { file: hit.file + n_own, ..hit });
        }
        files.extend(more);
        self.answer.remarks.push("as written; then the best files for its words".to_owned());
        self.answer.is_ranking = true;
        self.answer.n_files = ranking.n_files;
        self.answer.total = self.answer.total.max(ranking.n_files);
        self.answer.rows = Rows::Lines { files, lines, order };
        Ok(())
    }

    /// Searches for the name that a question is about, and shows its rows in the order that the question asks
    /// for. Lines that contain the question as written come first and alone.
    fn found_subject(&mut self, question: &Question, subject: &str) -> Result<bool> {
        let named = Query::literal(subject);
        let written = std::mem::replace(&mut self.query, named);
        let found = self.show_subject(question, &written);
        if !matches!(found, Ok(true)) {
            self.query = written;
            self.wanted = None;
        }
        found
    }

    fn show_subject(&mut self, question: &Question, written: &Query) -> Result<bool> {
        let has_form = !question.names.is_empty() || written.words.len() == 1;
        let mut hits = self.search(self.query.pattern())?;
        if self.query.is_qualified() {
            hits = self.with_qualified(hits)?;
        }
        let may_define =
            |hit: &Hit| hit.is_definition || hit.likeness == Likeness::Strong && hit.is_word;
        let is_defined = hits.lines.iter().any(may_define);
        let asks_for_name = matches!(question.wanted, Some(Wanted::Definitions | Wanted::Uses));
        let is_name = match has_form {
            true => question.is_subject_alone() || is_defined || hits.files.len() <= FILES_OF_NAME,
            false => asks_for_name && is_defined,
        };
        if hits.n_lines == 0 || !is_name {
            return Ok(false);
        }
        let is_any_case = written.text.to_lowercase() == written.text;
        let has_written = |hit: &Hit| {
            hit.part_of.is_some() && written.words.len() > 1
                || is_any_case && hit.text.to_lowercase().contains(&written.text)
                || hit.text.contains(&written.text)
        };
        if hits.lines.iter().any(has_written) {
            let named = std::mem::replace(&mut self.query, written.clone());
            if self.found(written.pattern(), None)? {
                return Ok(true);
            }
            self.query = named;
        }
        self.answer.note(&hits.report);
        self.wanted = question.wanted;
        let first = match question.wanted {
            Some(Wanted::Definitions) => ", definitions first",
            Some(Wanted::Uses) => ", uses first",
            Some(Wanted::Tests) => ", tests first",
            Some(Wanted::Settings) => ", settings first",
            Some(Wanted::Docs) => ", documentation first",
            None => "",
        };
        self.answer.remarks.push(format!("not as written; {}{first}:", self.query.shown()));
        self.answer.rows_per_page = Some(ROWS_OF_SUBJECT);
        self.show(hits)?;
        Ok(true)
    }

    fn warn_of_part(&mut self) {
        if self.answer.is_partial {
            let remark = "the search was incomplete; the results below may mislead";
            self.answer.remarks.push(remark.to_owned());
        }
    }

    /// Says that nothing was found, and which attempts were made besides the text as written.
    fn nothing(&mut self, tried: &[&str]) -> Result<()> {
        let mut tried: Vec<String> = tried.iter().map(|&attempt| attempt.to_owned()).collect();
        tried.extend(self.searched_outside.map(str::to_owned));
        if !self.filters.is_empty() {
            tried.push(format!("everything without {}", self.filters.join(", ")));
        }
        let shown = self.query.shown();
        self.answer
            .remarks
            .push(format!("nothing found for {shown}; tried also: {}", tried.join(", ")));
        Ok(())
    }

    /// Searches for the text as a regex, if it has the signs of one and compiles.
    fn found_pattern(&mut self) -> Result<bool> {
        let Some(pattern) = self.query.as_pattern() else { return Ok(false) };
        let written = std::mem::replace(&mut self.query, pattern);
        let remark = format!("no line contains the text; as the regex /{}/:", self.query.text);
        let found = self.found(self.query.pattern(), Some(&remark))?;
        if !found {
            self.query = written;
        }
        Ok(found)
    }

    /// Searches what the filters of the call and ignore rules exclude.
    fn found_everywhere(&mut self, shown: &str, report: &Report) -> Result<bool> {
        Ok(self.counted_outside(report)? || self.found_elsewhere(shown, report)?)
    }

    /// Returns the filters of the call as a remark names them; empty without filters.
    fn with_filters(&self) -> String {
        match self.filters.is_empty() {
            true => String::new(),
            false => format!(" with {}", self.filters.join(", ")),
        }
    }

    /// Searches for `pattern` and shows its lines under `remark`, if there are any.
    pub(super) fn found(&mut self, pattern: PatternOptions, remark: Option<&str>) -> Result<bool> {
        let hits = match self.search(pattern) {
            // A text whose expression is too large has no other spellings worth the time.
            Err(error) if error.kind() == ErrorKind::PatternSyntax => return Ok(false),
            hits => hits?,
        };
        self.answer.note(&hits.report);
        if hits.n_lines == 0 {
            return Ok(false);
        }
        self.answer.remarks.extend(remark.map(str::to_owned));
        self.show(hits)?;
        Ok(true)
    }

    /// Searches for the query in any case, and as a name in any naming.
    fn found_renamed(&mut self, remark: &str) -> Result<bool> {
        let Some(pattern) = self.query.renamed() else { return Ok(false) };
        self.is_renamed = true;
        let found = self.found(pattern, Some(remark));
        self.is_renamed = false;
        found
    }

    /// Shows the lines around the places that the query names.
    fn found_place(&mut self) -> Result<bool> {
        if self.only.is_some() || self.query.is_regex {
            return Ok(false);
        }
        let places = place::places(&self.query.text);
        if places.is_empty() {
            return Ok(false);
        }
        let Some(hits) = place::lines_around(self.workspace, &places, self.call)? else {
            return Ok(false);
        };
        let remark = match places.as_slice() {
            [place] => {
                format!("{}:{} is a place; the lines around it:", quoted(&place.path), place.line)
            }
            _ => "the lines around the places in it:".to_owned(),
        };
        self.answer.remarks.push(remark);
        self.answer.total = hits.n_lines;
        self.answer.n_files = hits.files.len() as u64;
        let order = (0..hits.lines.len()).collect();
        self.answer.report = Some(hits.report);
        self.answer.rows = Rows::Lines { files: hits.files, lines: hits.lines, order };
        Ok(true)
    }

    /// Searches ignored and hidden files too: hidden ones whole, ignored ones for a share of the time that the
    /// call has taken.
    fn found_elsewhere(&mut self, shown: &str, report: &Report) -> Result<bool> {
        let (hidden, ignored) = (report.skipped.hidden > 0, report.skipped.ignored > 0);
        if !(hidden || ignored) {
            return Ok(false);
        }
        let started = self.started.elapsed();
        let pattern = self.query.pattern();
        let mut request = self.request(pattern)?;
        request.files = match ignored {
            true => everywhere(request.files),
            false => {
                FileOptions { no_ignore: request.files.no_ignore, ..everywhere(request.files) }
            }
        };
        let call = match ignored {
            true => self.call.within((started / IGNORED_SHARE).max(IGNORED_MIN)),
            false => self.call.clone(),
        };
        let role = self.only.and_then(Only::role);
        let hits = match gather(self.workspace, &mut request, role, &call) {
            Err(error) if error.kind() == ErrorKind::PatternSyntax => return Ok(false),
            hits => hits?,
        };
        self.searched_outside = match hits.report.stopped.is_some() {
            true => Some("a part of the ignored and hidden files"),
            false => Some("ignored and hidden files"),
        };
        if hits.n_lines == 0 {
            return Ok(false);
        }
        self.answer.remarks.push(format!("only ignored or hidden files contain {shown}:"));
        self.show(hits)?;
        Ok(true)
    }

    /// Counts the lines that only the filters of the call exclude, and adds a remark.
    fn counted_outside(&mut self, report: &Report) -> Result<bool> {
        if self.filters.is_empty() {
            return Ok(false);
        }
        let chooses_files =
            |filter: &&String| filter.starts_with("files:") || filter.starts_with("since:");
        let of_files: Vec<&str> =
            self.filters.iter().filter(chooses_files).map(String::as_str).collect();
        if report.searched_files == 0 && report.filtered_files > 0 && !of_files.is_empty() {
            self.answer.remarks.push(format!("no file matches {}", of_files.join(", ")));
        }
        let shown = self.query.shown();
        if self.is_outside(&shown, self.query.pattern(), "")? {
            return Ok(true);
        }
        match self.query.renamed() {
            Some(pattern) => self.is_outside(&shown, pattern, ", in other case or naming"),
            None => Ok(false),
        }
    }

    /// Counts the lines with `pattern` without the filters of the call, and adds a remark if there
    /// are any.
    fn is_outside(&mut self, shown: &str, pattern: PatternOptions, how: &str) -> Result<bool> {
        let files = FileOptions { no_ignore: self.files.no_ignore, ..FileOptions::default() };
        let files = std::mem::replace(&mut self.files, files);
        let path = std::mem::replace(&mut self.path, ".".to_owned());
        let only = self.only.take();
        let hits = self.search(pattern);
        (self.files, self.path, self.only) = (files, path, only);
        let hits = match hits {
            Err(error) if error.kind() == ErrorKind::PatternSyntax => return Ok(false),
            hits => hits?,
        };
        self.answer.note(&hits.report);
        if hits.n_lines == 0 {
            return Ok(false);
        }
        let at_least = if hits.report.stopped.is_none() { "" } else { "at least " };
        let (them, do_) = match (self.filters.len(), hits.n_lines) {
            (1, 1) => ("it", "does"),
            (1, _) => ("it", "do"),
            (_, 1) => ("them", "does"),
            _ => ("them", "do"),
        };
        let n = counted(hits.n_lines, "line");
        let n_files = counted(hits.files.len() as u64, "file");
        let with = self.with_filters();
        let remark = format!(
            "no line contains {shown}{with}; without {them} {at_least}{n} in {n_files} {do_}{how}"
        );
        self.answer.remarks.push(remark);
        Ok(true)
    }

    /// Searches for the phrase with its missing names replaced by the nearest ones. Words of a sentence are not
    /// replaced: a rare word is more often right than misspelt.
    fn found_corrected_words(
        &mut self,
        question: &Question,
        terms: &Terms,
        ranking: &Ranking,
    ) -> Result<bool> {
        let is_short = self.query.words.len() <= WORDS_FOR_SPELLING;
        if !is_short || ranking.report.searched_files > FILES_FOR_SPELLING || self.only.is_some() {
            return Ok(false);
        }
        let mut replaced = Vec::new();
        let is_missing = |word: &str| terms.parts_of(word).any(|term| ranking.n_with[term] == 0);
        let may_be_misspelt =
            |word: &&String| is_name(word) && !word.contains(char::is_numeric) && is_missing(word);
        for name in question.content.iter().filter(may_be_misspelt) {
            if self.occurs(name)? {
                continue;
            }
            if let Some(right) = self.right_word(name)? {
                replaced.push((name.clone(), right));
            }
        }
        Ok(!replaced.is_empty() && self.found_corrected(&replaced)?)
    }

    /// Returns whether a line contains the word in any case.
    fn occurs(&self, word: &str) -> Result<bool> {
        let mut request = self
            .request(PatternOptions { case: Case::Insensitive, ..PatternOptions::literal(word) })?;
        request.limits.matches_max = 1;
        let mut occurs = false;
        self.workspace.run_search_each(
            &request,
            self.call,
            &mut |_: crate::search::FileMatches| {
                occurs = true;
                false
            },
        )?;
        Ok(occurs)
    }

    /// Returns the nearest name to a word that occurs nowhere, and adds a remark about the
    /// replacement.
    fn right_word(&mut self, word: &str) -> Result<Option<String>> {
        let (case, syntax) = (Case::Insensitive, Syntax::Literal);
        let pattern = PatternOptions { case, syntax, ..PatternOptions::literal(word) };
        let wrong = quoted(word);
        if !self.filters.is_empty() && self.is_outside(&wrong, pattern, "")? {
            return Ok(None);
        }
        let request = self.request(self.query.pattern())?;
        let (near, report) = spelling::near(self.workspace, word, &request, self.call)?;
        self.answer.is_late |=
            report.is_some_and(|report| report.stopped == Some(StopReason::Deadline));
        let Some(near) = near.into_iter().next() else { return Ok(None) };
        let remark = format!("{wrong} occurs nowhere; looked for {}", quoted(&near.name));
        self.answer.remarks.push(remark);
        Ok(Some(near.name))
    }

    /// Searches for the phrase with words replaced.
    fn found_corrected(&mut self, replaced: &[(String, String)]) -> Result<bool> {
        let right = |word: &str| {
            let pair = replaced.iter().find(|(wrong, _)| wrong == word);
            pair.map_or(word, |(_, right)| right).to_owned()
        };
        let words: Vec<String> = self.query.text.split_whitespace().map(right).collect();
        let corrected = Query::literal(&words.join(" "));
        let written = std::mem::replace(&mut self.query, corrected);
        let remark = format!("no line contains {}; in other case or naming:", self.query.shown());
        let found = self.found(self.query.pattern(), None)? || self.found_renamed(&remark)?;
        if !found {
            self.query = written;
        }
        Ok(found)
    }

    /// Searches for a name that differs by one or two letters.
    fn found_near(&mut self, shown: &str) -> Result<bool> {
        if !self.query.is_name() {
            return Ok(false);
        }
        let request = self.request(self.query.pattern())?;
        let (near, report) = spelling::near(self.workspace, &self.query.text, &request, self.call)?;
        self.answer.is_late |=
            report.is_some_and(|report| report.stopped == Some(StopReason::Deadline));
        let Some(best) = near.first() else { return Ok(false) };
        let letters = if best.edits == 1 { "1 letter" } else { "2 letters" };
        let others: Vec<String> =
            near.iter().skip(1).take(4).map(|near| quoted(&near.name)).collect();
        let others =
            if others.is_empty() { String::new() } else { format!(" (or {})", others.join(", ")) };
        let remark =
            format!("nothing contains {shown}; {letters} off: {}{others}:", quoted(&best.name));
        self.query = Query::literal(&best.name);
        let pattern = PatternOptions { case: Case::Sensitive, ..self.query.pattern() };
        self.found(pattern, Some(&remark))
    }
}

fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// Maximum number of rows on a page about a name with words around it.
const ROWS_OF_SUBJECT: usize = 16;
/// A name in at most this many files is what a question with another word is about.
const FILES_OF_NAME: usize = 10;
/// A question of at most this many words, which at most this many files have as written, may be a topic that
/// they only mention.
const WORDS_OF_TOPIC: usize = 5;
const FILES_OF_MENTION: u64 = 3;
/// Maximum number of rows as written before those of a ranking.
const ROWS_BEFORE_RANKED: usize = 6;
/// A longer question is not corrected.
const WORDS_FOR_SPELLING: usize = 3;

/// Returns the terms of a question without white space. The last part of a key, a route or a qualified name is
/// the name that it is about.
fn name_terms(question: &Question) -> Terms {
    let text = question.text.trim();
    let parts = text.split(['.', '/', ':', '#', '=', '\\', ',']);
    let parts: Vec<&str> = parts.filter(|part| part.chars().any(char::is_alphabetic)).collect();
    let names: Vec<String> = match parts.as_slice() {
        [.., last] if parts.len() == 1 || crate::search::sub_words(last).len() > 1 => {
            vec![last.trim_matches('-').to_owned()]
        }
        _ => Vec::new(),
    };
    Terms::of_question(text, &names, !names.is_empty())
}

/// Returns whether the rows are few and none is in production code.
fn is_aside(rows: &Rows) -> bool {
    let Rows::Lines { files, .. } = rows else { return false };
    files.iter().all(|file| file.role != Role::Production)
}
