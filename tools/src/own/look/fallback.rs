//! Fallbacks of a call when no line matches: other spellings and places, one after the other until
//! one finds something, with a remark that names it.
//!
//! The caller relies on every remark. Before a remark claims that a text is nowhere or misspelt,
//! the matches that a filter of the call hides are counted.

use super::answer::{Lookup, Rows, everywhere};
use super::hits::gather;
use super::left_out::{self, LeftOut};
use super::names::{Fit, Names};
use super::query::{Query, folded};
use super::question::Question;
use super::ranked::{FILES_PER_PAGE, Ranked};
use super::spelling::Near;
use super::{Only, place, record, spelling};
use crate::replies::text::quoted;
use searchscope::toolkit::{LEFT_OUT_MAX, RankedFile, SAME_PARTS, Terms, both, sub_words};
use searchscope::{Case, ErrorKind, FileOptions, PatternOptions, Report, Result, StopReason};
use std::sync::Arc;
use std::time::Duration;

/// In a larger tree no name is looked for that differs by letters: it would cost a search of its own.
pub(super) const FILES_FOR_SPELLING: u64 = 5_000;
/// The number of names that are shown where none is as written.
const NEAR_SHOWN: usize = 5;
/// Minimum similarity of a name that is shown where no name differs by letters only.
pub(super) const SIMILAR: f32 = 0.65;
/// The share of the time of a call so far that a search of ignored files may take, and its minimum.
const IGNORED_SHARE: u32 = 4;
const IGNORED_MIN: Duration = Duration::from_millis(100);

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
        if !written.is_regex && record::text_of(&written.text).is_some() {
            return self.answer_words();
        }
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
        if terms.is_empty() {
            let tried = self.found_everywhere(&shown, report)?;
            return if tried { Ok(()) } else { self.nothing(&["any case"]) };
        }
        let ranked = self.ranked(question, terms)?;
        let similar = ranked.ranking.files.iter().map(|file| file.similar).fold(0.0, f32::max);
        if self.found_in_naming(&ranked, (similar, &remark))? || self.found_key(&written.text)? {
            return Ok(());
        }
        let is_small = report.searched_files <= FILES_FOR_SPELLING;
        let worst = if is_small { Fit::Slip } else { Fit::Naming };
        let mut names = self.names_like(worst)?;
        let remark = format!("no line contains {shown}, but names do");
        let are_hidden = are_hidden(names.as_ref(), report);
        if are_hidden && self.found_everywhere(&shown, report)?
            || self.named(&mut names, Fit::Pattern, &remark)
            || !are_hidden && self.found_everywhere(&shown, report)?
        {
            return Ok(());
        }
        let edits_max = if similar < SAME_PARTS { 2 } else { 1 };
        if is_small && self.found_near(&written.shown(), edits_max)?
            || similar < SAME_PARTS && self.found_near_parts(&ranked, similar)?
        {
            return Ok(());
        }
        let remark = format!("no line contains {}; names like it", written.shown());
        if is_named_as_file(&written.text) && self.named(&mut names, worst, &remark) {
            return Ok(());
        }
        self.find_absent_name(&ranked, similar < SIMILAR)?;
        if is_worth(&ranked, similar) && self.show_ranking(&ranked)? {
            return Ok(());
        }
        if self.named(&mut names, worst, &remark) {
            return Ok(());
        }
        let mut tried = vec!["other case, naming and order"];
        tried.extend(names.is_some().then_some("names of files"));
        tried.extend((is_small && written.is_name()).then_some("similar spelling"));
        self.nothing(&tried)
    }

    /// Searches for a name in any naming, in the files of a ranking that may have it.
    fn found_in_naming(&mut self, ranked: &Ranked, (similar, remark): (f32, &str)) -> Result<bool> {
        let n_terms = ranked.terms.len();
        let among =
            |file: &RankedFile| file.n_in_line as usize >= n_terms || file.similar >= SAME_PARTS;
        let renamed = self.query.renamed();
        self.is_renamed = true;
        let found = self.found_among(&ranked.ranking, among, (renamed, Some(remark)));
        self.is_renamed = false;
        let found = found?;
        if found && is_worth(ranked, similar) {
            self.add_ranked_to_aside(ranked)?;
        }
        Ok(found)
    }

    pub(super) fn warn_of_part(&mut self) {
        if self.answer.is_partial {
            let remark = "the search was incomplete; the results below may mislead";
            self.answer.remarks.push(remark.to_owned());
        }
    }

    /// Says that nothing was found, and which attempts were made besides the text as written.
    pub(super) fn nothing(&mut self, tried: &[&str]) -> Result<()> {
        let mut tried: Vec<String> = tried.iter().map(|&attempt| attempt.to_owned()).collect();
        tried.extend(self.searched_outside.map(str::to_owned));
        if !self.filters.is_empty() {
            tried.push(format!("everything without {}", self.filters.join(", ")));
        }
        let shown = self.query.shown();
        self.answer
            .remarks
            .push(format!("nothing found for {shown}; tried also: {}", tried.join(", ")));
        self.propose()
    }

    /// Searches for the text as a regex, if it has the signs of one and compiles.
    pub(super) fn found_pattern(&mut self) -> Result<bool> {
        let Some(pattern) = self.query.as_pattern() else { return Ok(false) };
        let written = std::mem::replace(&mut self.query, pattern);
        let remark = format!("no line contains the text; as the regex /{}/:", self.query.text);
        let found = self.found(self.query.pattern(), Some(&remark))?;
        if !found {
            self.query = written;
        }
        Ok(found)
    }

    /// Searches what the filters of the call and ignore rules exclude, also by its names.
    pub(super) fn found_everywhere(&mut self, shown: &str, report: &Report) -> Result<bool> {
        Ok(self.counted_outside(report)?
            || self.found_elsewhere(shown, report)?
            || self.named_among_ignored(report)?)
    }

    /// Returns the filters of the call as a remark names them; empty without filters.
    pub(super) fn with_filters(&self) -> String {
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
    pub(super) fn found_renamed(&mut self, remark: &str) -> Result<bool> {
        let Some(pattern) = self.query.renamed() else { return Ok(false) };
        self.is_renamed = true;
        let found = self.found(pattern, Some(remark));
        self.is_renamed = false;
        found
    }

    /// Shows the lines around the places that the query names.
    pub(super) fn found_place(&mut self) -> Result<bool> {
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
        let remark = place::remark(&places, &hits);
        self.answer.remarks.push(remark);
        self.answer.total = hits.n_lines;
        self.answer.n_files = hits.files.len() as u64;
        let order = (0..hits.lines.len()).collect();
        self.answer.report = Some(hits.report);
        self.answer.rows = Rows::Lines { files: hits.files, lines: hits.lines, order };
        Ok(true)
    }

    /// Returns the time for ignored files: a share of the time that the call has taken.
    pub(super) fn time_for_ignored(&self) -> Duration {
        (self.started.elapsed() / IGNORED_SHARE).max(IGNORED_MIN)
    }

    /// Searches what ignore rules and hidden names left out of the search with `report`: hidden entries whole, and
    /// ignored ones for a share of the time that the call has taken. What was searched is not read again.
    fn found_elsewhere(&mut self, shown: &str, report: &Report) -> Result<bool> {
        let Some(left_out) = LeftOut::of(report) else { return Ok(false) };
        let has_ignored = report.skipped.ignored > 0;
        let mut request = self.request(self.query.pattern())?;
        request.files = FileOptions {
            no_ignore: request.files.no_ignore || has_ignored,
            path_filter: Some(both(request.files.path_filter.clone(), Arc::new(left_out))),
            ..everywhere(request.files)
        };
        let call = match has_ignored {
            true => self.call.within(self.time_for_ignored()),
            false => self.call.clone(),
        };
        let role = self.only.and_then(Only::role);
        let mut hits = match gather(self.workspace, &mut request, role, &call) {
            Err(error) if error.kind() == ErrorKind::PatternSyntax => return Ok(false),
            hits => hits?,
        };
        // A question about settings has left out the hidden directories of tools.
        let are_all = hits.report.stopped.is_none()
            && report.left_out.len() < LEFT_OUT_MAX
            && !self.files.hidden;
        self.searched_outside = match are_all {
            true => Some("ignored and hidden files"),
            false => Some("a part of the ignored and hidden files"),
        };
        if hits.n_lines == 0 {
            return Ok(false);
        }
        hits.report = left_out::joined(report, hits.report);
        self.answer.remarks.push(format!("only ignored or hidden files contain {shown}:"));
        self.show(hits)?;
        Ok(true)
    }

    /// Counts the lines that only the filters of the call exclude, and adds a remark.
    pub(super) fn counted_outside(&mut self, report: &Report) -> Result<bool> {
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
    pub(super) fn is_outside(
        &mut self,
        shown: &str,
        pattern: PatternOptions,
        how: &str,
    ) -> Result<bool> {
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

    /// Searches for a name that differs by at most `edits_max` letters.
    fn found_near(&mut self, shown: &str, edits_max: usize) -> Result<bool> {
        if !self.query.is_name() {
            return Ok(false);
        }
        let request = self.request(self.query.pattern())?;
        let (near, report) = spelling::near(self.workspace, &self.query.text, &request, self.call)?;
        self.answer.is_late |=
            report.is_some_and(|report| report.stopped == Some(StopReason::Deadline));
        // Whole names first; of names that only contain one like it, two edits are too many.
        let key = folded(&self.query.text);
        let n_letters = key.chars().count();
        let is_whole =
            |near: &Near| folded(&near.name).chars().count().abs_diff(n_letters) <= near.edits;
        let (mut whole, parts): (Vec<Near>, Vec<Near>) = near.into_iter().partition(is_whole);
        let is_part = whole.is_empty();
        // One word has no slip that two parts of another name would make.
        let is_word = sub_words(&self.query.text).len() == 1;
        let has_part = |near: &Near| {
            sub_words(&near.name).iter().any(|part| strsim::osa_distance(part, &key) == 1)
        };
        let is_alike = |near: &Near| near.edits == 1 && (!is_word || has_part(near));
        whole.extend(parts.into_iter().filter(|near| is_part && is_alike(near)));
        whole.retain(|near| near.edits <= edits_max);
        let near = whole;
        let Some(best) = near.first() else { return Ok(false) };
        let letters = match (is_part, best.edits) {
            (true, _) => "with a part 1 letter off",
            (false, 1) => "1 letter off",
            (false, _) => "2 letters off",
        };
        let shown_names: Vec<&Near> = near.iter().take(NEAR_SHOWN).collect();
        let others: Vec<String> =
            shown_names.iter().skip(1).map(|near| quoted(&near.name)).collect();
        let others =
            if others.is_empty() { String::new() } else { format!(" (or {})", others.join(", ")) };
        let remark =
            format!("nothing contains {shown}; {letters}: {}{others}:", quoted(&best.name));
        self.query = Query::literal(&best.name);
        // All that the remark names, because the totals are said to be of them.
        let patterns = shown_names.iter().map(|near| near.name.clone()).collect();
        let case = Case::Sensitive;
        let pattern = PatternOptions { patterns, case, word: true, ..self.query.pattern() };
        self.found(pattern, Some(&remark))
    }
}

/// Returns whether all names are those of hidden files, whose lines say more; those of ignored files would not.
fn are_hidden(names: Option<&Names>, report: &Report) -> bool {
    report.skipped.ignored == 0 && names.is_some_and(Names::are_hidden)
}

fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// Returns the terms of a question without white space. The last part of a key, a route or a qualified name is
/// the name that it is about.
fn name_terms(question: &Question) -> Terms {
    let text = question.text.trim();
    let parts = text.split(['.', '/', ':', '#', '=', '\\', ',']);
    let parts: Vec<&str> = parts.filter(|part| part.chars().any(char::is_alphabetic)).collect();
    let names: Vec<String> = match parts.as_slice() {
        [.., last] if parts.len() == 1 || sub_words(last).len() > 1 => {
            vec![last.trim_matches('-').to_owned()]
        }
        _ => Vec::new(),
    };
    Terms::of_question(text, &names, !names.is_empty())
}

/// Returns whether a text ends with an extension, as the name of a file.
fn is_named_as_file(text: &str) -> bool {
    let extension = text.rsplit_once('.').map_or("", |(_, extension)| extension);
    (1..=4).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Returns whether a ranking for one word is worth showing. A name of which a part is nowhere is absent, unless a
/// similar name or a line has most of its parts; a key or a route may have its parts apart.
pub(super) fn is_worth(ranked: &Ranked, similar: f32) -> bool {
    let Ranked { terms, ranking, .. } = ranked;
    let n_terms = terms.len();
    if !terms.is_one_name() {
        return n_terms > 1;
    }
    let n_in_line = ranking.n_in_line(FILES_PER_PAGE);
    ranking.n_missing() == 0
        || n_terms > 2 && similar >= SIMILAR
        || n_in_line > 1 && n_in_line * 2 > n_terms
}
