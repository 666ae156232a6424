//! Questions of several words: as written, as a name with words around it, as places or a pattern, in another
//! naming, across line breaks, or by the relevance of files.

use super::answer::{Lookup, Rows, is_all_ignored};
use super::fallback::FILES_FOR_SPELLING;
use super::hits::{Hit, Hits};
use super::query::{Query, is_name};
use super::question::Question;
use super::ranked::Ranked;
use super::spelling::Near;
use super::wanted::Wanted;
use super::{place, ranked, record, spelling};
use crate::replies::text::quoted;
use searchscope::toolkit::{RankedFile, Role, Terms};
use searchscope::{Case, ErrorKind, FileMatches, PatternOptions, Result, Stop, StopReason, Syntax};
use std::ops::ControlFlow;

/// A question of at most this many words, which at most this many files have as written, may be a topic that
/// they only mention.
const WORDS_OF_TOPIC: usize = 5;
const FILES_OF_MENTION: u64 = 3;
/// Maximum number of rows as written before those of a ranking.
const ROWS_BEFORE_RANKED: usize = 6;
/// A longer question is not corrected; in one of more than three words only long words are.
const WORDS_FOR_SPELLING: usize = 5;
const WORDS_OF_NAME: usize = 3;
const LETTERS_OF_LONG: usize = 6;
/// Maximum number of words that are compared with the names of the tree.
const CORRECTED_MAX: usize = 3;

impl Lookup<'_> {
    /// Answers a query of several words: as written, as a name with words around it, as places, or by the
    /// relevance of files.
    pub(super) fn answer_words(&mut self) -> Result<()> {
        if self.found_frame()? || self.took_message()? {
            return Ok(());
        }
        let written = self.query.clone();
        let question = Question::read(&written.text);
        let has_place = self.only.is_none() && !place::places(&written.text).is_empty();
        if question.wanted == Some(Wanted::Settings) {
            self.search_hidden();
        }
        if (has_place || written.as_pattern().is_some())
            && self.found_place_or_pattern(question.is_message)?
        {
            return Ok(());
        }
        if !has_place && (self.found_inside()? || self.found_route()?) {
            return Ok(());
        }
        let is_message = question.is_message || self.is_message;
        // A place that the tree does not have says nothing; what is around it may.
        let question =
            if has_place { Question::read(&place::without(&written.text)) } else { question };
        if self.found_option(&question)? {
            return Ok(());
        }
        if let Some(subject) = question.subject()
            && (self.found_subject(&question, subject)? || self.found_key(subject)?)
        {
            return Ok(());
        }
        if has_place && question.content.is_empty() {
            return self.nothing(&["the place"]);
        }
        let terms = terms_of(&question, &written.text).of_message(is_message);
        if terms.is_empty() {
            let hits = self.search(written.pattern())?;
            return if hits.n_lines > 0 { self.show(hits) } else { self.otherwise(&hits.report) };
        }
        if terms.ask_for_settings() {
            self.search_hidden();
        }
        let mut ranked = self.ranked(question, terms)?;
        if !ranked.question.is_change {
            self.runs_first((&written.text, is_message), &mut ranked)?;
        }
        let is_other = is_message || ranked.question.is_change || !ranked.message_at.is_empty();
        if !is_other {
            self.headings_first(&written.text, &mut ranked)?;
        }
        if is_all_ignored(&ranked.ranking.report) && !self.files.no_ignore {
            self.search_ignored();
            return self.answer_words();
        }
        self.warn_of_part();
        self.answer_ranked(ranked)
    }

    /// Searches for the text as written, as a place or as a pattern; a message that only tests or documents have as
    /// written is not found so, because another file builds it.
    fn found_place_or_pattern(&mut self, is_message: bool) -> Result<bool> {
        let hits = match self.search(self.query.pattern()) {
            // Too large an expression for a text that has other readings.
            Err(error) if error.kind() == ErrorKind::PatternSyntax => None,
            hits => Some(hits?).filter(|hits| hits.n_lines > 0),
        };
        let is_quoted = |hits: &Hits| {
            let has_code = hits.files.iter().any(|file| file.role == Role::Production);
            is_message && self.only.is_none() && !has_code
        };
        if let Some(hits) = hits.filter(|hits| !is_quoted(hits)) {
            self.answer.note(&hits.report);
            self.show(hits)?;
            return Ok(true);
        }
        Ok(self.found_place()? || self.found_pattern()?)
    }

    /// Answers a question by a ranking: with lines that have it as written or in another form, with hidden files,
    /// with its words corrected, or with the best files.
    fn answer_ranked(&mut self, mut ranked: Ranked) -> Result<()> {
        if self.found_as_written(&ranked)?
            || self.found_renamed_subject(&ranked)?
            || self.counted_outside(&ranked.ranking.report)?
        {
            return Ok(());
        }
        let mut hidden = self.ranked_hidden(&mut ranked)?;
        let files = &ranked.ranking.files;
        let n_most = files.iter().map(|file| file.n_terms).max().unwrap_or_default();
        if self.found_hidden(&mut hidden, (n_most, "the most"))?
            || self.found_corrected_words(&ranked)?
        {
            return Ok(());
        }
        self.find_absent_names(&ranked)?;
        if self.show_ranking(&ranked)? || self.found_hidden(&mut hidden, (1, "some"))? {
            return Ok(());
        }
        let shown = format!("{}{}", self.query.shown(), self.with_filters());
        let report = ranked.ranking.report;
        if !self.found_everywhere(&shown, &report)? {
            self.answer.report = Some(report);
            self.nothing(&["line breaks", "files with most of its words"])?;
        }
        Ok(())
    }

    /// Answers a record of a log, a trace or several lines by the text in them, unless a line has the whole as
    /// written. Returns whether the answer is complete; if it is not, the query is the text.
    fn took_message(&mut self) -> Result<bool> {
        let Some(text) = record::text_of(&self.query.text) else { return Ok(false) };
        if !self.query.text.contains('\n')
            && (self.found(self.query.pattern(), None)? || self.found_place()?)
        {
            return Ok(true);
        }
        let (text, what) = match text {
            record::Text::Message(text) => {
                self.is_message = true;
                (text, "the message")
            }
            record::Text::OneLine(text) => (text, "one line:"),
        };
        self.query = Query::literal(&text);
        self.answer.remarks.push(format!("read as {what} {}", self.query.shown()));
        Ok(false)
    }

    /// Shows the lines of a ranking that have the question as written, across line breaks or as one name.
    fn found_as_written(&mut self, ranked: &Ranked) -> Result<bool> {
        let Ranked { terms, ranking, .. } = ranked;
        let written = self.query.clone();
        let n_terms = terms.len();
        let has_phrase = |file: &RankedFile| file.may_have_phrase;
        if self.found_among(ranking, has_phrase, (Some(written.pattern()), None))? {
            let is_short =
                written.words.len() <= WORDS_OF_TOPIC && self.answer.n_files <= FILES_OF_MENTION;
            if self.only.is_none() && (is_short || is_aside(&self.answer.rows)) {
                self.add_ranked(ranked, "as written; then")?;
            }
            return Ok(true);
        }
        let shown = format!("{}{}", written.shown(), self.with_filters());
        let remark = format!("no line contains {shown}; in other case or naming:");
        let in_line = |file: &RankedFile| file.n_in_line as usize >= n_terms;
        if self.found_among(ranking, in_line, (written.renamed(), Some(&remark)))? {
            let is_spelled = ranking.files.first().is_some_and(|file| file.is_spelled);
            if self.only.is_none() && is_spelled {
                self.add_ranked(ranked, "then")?;
            }
            return Ok(true);
        }
        let remark = format!("no single line contains {shown}; across line breaks:");
        let has_all = |file: &RankedFile| file.n_terms >= n_terms;
        self.found_among(ranking, has_all, (written.across_lines(), Some(&remark)))
    }

    /// Adds the best files of a ranking below the rows of the answer, or above those of change logs, which say
    /// what happened to the code and not where it is. The remark that says so begins with `beginning`.
    pub(super) fn add_ranked(&mut self, ranked: &Ranked, beginning: &str) -> Result<()> {
        let Rows::Lines { files, lines, order } = &mut self.answer.rows else { return Ok(()) };
        let is_log = files.iter().all(|file| is_change_log(&file.path));
        let others = ranked.ranking.files.iter().filter(|other| {
            let path = other.path.display();
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
        let extent = (ranked::FILES_WITH_ROWS, ranked::DETAILED_ROWS);
        let (more, rows) = self.lines_of(ranked, &others, extent)?;
        let n_lines = lines.len();
        lines.extend(rows.into_iter().map(|hit| Hit { file: hit.file + n_own, ..hit }));
        let added = n_lines..lines.len();
        match is_log {
            true => drop(order.splice(..0, added)),
            false => order.extend(added),
        }
        files.extend(more);
        self.answer.remarks.push(match is_log {
            true => "the best files for its words; only a change log has it as written".to_owned(),
            false => format!("{beginning} the best files for its words"),
        });
        self.answer.is_ranking = true;
        let n_files = ranked.ranking.n_files;
        self.answer.n_files = n_files;
        self.answer.total = self.answer.total.max(n_files);
        self.answer.rows = Rows::Lines { files, lines, order };
        Ok(())
    }

    /// Adds the best files of a ranking where only tests or documents have the name: code with a similar one may be
    /// meant.
    pub(super) fn add_ranked_to_aside(&mut self, ranked: &Ranked) -> Result<()> {
        match self.only.is_none() && is_aside(&self.answer.rows) {
            true => self.add_ranked(ranked, "then"),
            false => Ok(()),
        }
    }

    /// Searches for the phrase with its missing names replaced by the nearest ones. Words of a sentence are replaced
    /// only by their other spelling: a rare word is more often right than misspelt.
    fn found_corrected_words(&mut self, ranked: &Ranked) -> Result<bool> {
        let Ranked { question, terms, ranking, .. } = ranked;
        if ranking.report.searched_files > FILES_FOR_SPELLING || self.only.is_some() {
            return Ok(false);
        }
        let is_short = self.query.words.len() <= WORDS_FOR_SPELLING;
        let mut replaced = Vec::new();
        let is_missing = |word: &str| terms.parts_of(word).any(|term| ranking.n_with[term] == 0);
        let n_letters_min =
            if self.query.words.len() <= WORDS_OF_NAME { 0 } else { LETTERS_OF_LONG };
        let may_be_misspelt = |word: &&String| {
            let is_word = is_name(word) && !word.contains(char::is_numeric);
            is_word && word.len() >= n_letters_min && is_missing(word)
        };
        let has_two = |word: &&String| is_short || spelling::across_the_atlantic(word).is_some();
        let wrong = question.content.iter().filter(|word| may_be_misspelt(word) && has_two(word));
        for name in wrong.take(CORRECTED_MAX) {
            let case = Case::Insensitive;
            if self.may_occur(PatternOptions { case, ..PatternOptions::literal(name) })? {
                continue;
            }
            let spelt_otherwise = self.spelt_otherwise(name)?;
            let right = match is_short && spelt_otherwise.is_none() {
                true => self.right_word(name)?,
                false => spelt_otherwise,
            };
            replaced.extend(right.map(|right| (name.clone(), right)));
        }
        Ok(!replaced.is_empty() && self.found_corrected(&replaced)?)
    }

    /// Returns whether a line matches; also if the search was not complete, so that no claim rests on it.
    pub(super) fn may_occur(&mut self, pattern: PatternOptions) -> Result<bool> {
        let mut request = self.request(pattern)?;
        request.limits.matches_max = Some(1);
        let mut occurs = false;
        let first = &mut |_: FileMatches| {
            occurs = true;
            ControlFlow::Break(Stop::HERE)
        };
        let report = self.workspace.run_search_each(&request, self.call, first)?;
        if occurs {
            return Ok(true);
        }
        self.answer.note(&report);
        Ok(!report.complete)
    }

    /// Returns a word in the spelling of the other side of the Atlantic if the tree has it so, and adds a remark.
    fn spelt_otherwise(&mut self, word: &str) -> Result<Option<String>> {
        let Some(other) = spelling::across_the_atlantic(word) else { return Ok(None) };
        let case = Case::Insensitive;
        let occurs = self.may_occur(PatternOptions { case, ..PatternOptions::literal(&other) })?;
        if occurs {
            self.remark_replaced(word, &other);
        }
        Ok(Some(other).filter(|_| occurs))
    }

    fn remark_replaced(&mut self, wrong: &str, right: &str) {
        let remark = format!("{} occurs nowhere; looked for {}", quoted(wrong), quoted(right));
        self.answer.remarks.push(remark);
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
        // A word of a language that is nowhere is more often right than two letters off.
        let is_plain = word.chars().all(char::is_lowercase);
        let is_near = |near: &Near| near.edits == 1 || !is_plain;
        let Some(near) = near.into_iter().next().filter(is_near) else { return Ok(None) };
        self.remark_replaced(word, &near.name);
        Ok(Some(near.name))
    }

    /// Answers the question with words replaced, as if it had been asked so.
    fn found_corrected(&mut self, replaced: &[(String, String)]) -> Result<bool> {
        let is_sign = |c: char| !c.is_alphanumeric();
        let right = |word: &str| {
            let pair = replaced.iter().find(|(wrong, _)| wrong == word.trim_matches(is_sign));
            pair.map_or(word.to_owned(), |(wrong, right)| word.replace(wrong, right))
        };
        let words: Vec<String> = self.query.text.split_whitespace().map(right).collect();
        let corrected = words.join(" ");
        let question = Question::read(&corrected);
        let terms = terms_of(&question, &corrected);
        let written = std::mem::replace(&mut self.query, Query::literal(&corrected));
        if let Some(subject) = question.subject()
            && self.found_subject(&question, subject)?
        {
            return Ok(true);
        }
        let ranked = self.ranked(question, terms)?;
        let found = self.found_as_written(&ranked)?
            || self.found_renamed_subject(&ranked)?
            || self.show_ranking(&ranked)?;
        if !found {
            self.query = written;
        }
        Ok(found)
    }
}

/// Returns the terms of a question that was asked as `written`.
pub(super) fn terms_of(question: &Question, written: &str) -> Terms {
    let names: Vec<String> = match question.subject() {
        Some(subject) => vec![subject.to_owned()],
        None => question.names.clone(),
    };
    let text = if question.content.is_empty() { written } else { &question.text };
    let terms = Terms::of_question(text, &names, false);
    terms.asking_for(&question.choosing).in_area(&question.area).with_phrase(written)
}

/// Returns whether a file lists the changes of a project.
pub(super) fn is_change_log(path: &str) -> bool {
    const NAMES: &[&str] =
        &["change", "changelog", "changes", "history", "news", "releases", "whatsnew"];
    const DIRS: &[&str] = &[
        ".changeset",
        "changelog",
        "changelogs",
        "newsfragments",
        "release-notes",
        "release_notes",
    ];
    let lower = path.to_lowercase();
    let mut parts = lower.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let stem = name.split(['.', '-', '_']).next().unwrap_or_default();
    NAMES.contains(&stem)
        || name.starts_with("release") && name.contains("note")
        || parts.any(|dir| DIRS.contains(&dir))
}

/// Returns whether the rows are few and none is in production code.
fn is_aside(rows: &Rows) -> bool {
    let Rows::Lines { files, .. } = rows else { return false };
    files.iter().all(|file| file.role != Role::Production)
}
