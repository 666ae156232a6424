//! Fallbacks of a call when no line matches: other spellings and places, one after the other until
//! one finds something, with a remark that names it.
//!
//! The caller relies on every remark. Before a remark claims that a text is nowhere or misspelt,
//! the matches that a filter of the call hides are counted.

use super::answer::{Lookup, Rows, everywhere};
use super::hits::Hits;
use super::names::Fit;
use super::query::Query;
use super::words::Ranked;
use super::{Only, order, place, spelling, words};
use crate::StopReason;
use crate::error::{ErrorKind, Result};
use crate::pattern::{Case, PatternOptions, Syntax};
use crate::search::Report;
use crate::tools::text::quoted;
use crate::walk::FileOptions;

impl Lookup<'_> {
    /// Tries other spellings and places until one finds something. `report` is that of the empty
    /// search.
    pub(super) fn otherwise(&mut self, report: &Report) -> Result<()> {
        if self.answer.is_partial {
            let remark = "the search was incomplete; the results below may mislead";
            self.answer.remarks.push(remark.to_owned());
        }
        if self.found_place()? {
            return Ok(());
        }
        let shown = format!("{}{}", self.query.shown(), self.with_filters());
        let remark = format!("no line contains {shown}; in other case or naming:");
        if self.found_renamed(&remark)?
            || self.named(Fit::Pattern, &format!("no line contains {shown}, but names do"))?
        {
            return Ok(());
        }
        let remark = format!("no single line contains {shown}; across line breaks:");
        if let Some(pattern) = self.query.across_lines()
            && self.found(pattern, Some(&remark))?
        {
            return Ok(());
        }
        if self.found_elsewhere(&shown)? || self.counted_outside(report)? {
            return Ok(());
        }
        let shown = self.query.shown();
        if self.found_words()? || self.found_near(&shown)? {
            return Ok(());
        }
        if self.named(Fit::Slip, &format!("no line contains {shown}; names like it"))? {
            return Ok(());
        }
        let tried =
            "other case and naming, line breaks, ignored and hidden files, similar spelling";
        let without = match self.filters.is_empty() {
            true => String::new(),
            false => format!(", everything without {}", self.filters.join(", ")),
        };
        self.answer
            .remarks
            .push(format!("nothing found for {shown}; tried also: {tried}{without}"));
        Ok(())
    }

    /// Returns the filters of the call as a remark names them; empty without filters.
    fn with_filters(&self) -> String {
        match self.filters.is_empty() {
            true => String::new(),
            false => format!(" with {}", self.filters.join(", ")),
        }
    }

    /// Searches for `pattern` and shows its lines under `remark`, if there are any.
    fn found(&mut self, pattern: PatternOptions, remark: Option<&str>) -> Result<bool> {
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

    /// Shows the lines around the place that the query names as `path:line`.
    fn found_place(&mut self) -> Result<bool> {
        if self.only.is_some() {
            return Ok(false);
        }
        let Some((path, line)) = place::split(&self.query) else { return Ok(false) };
        let Some(hits) = place::lines_around(self.workspace, path, line, self.call)? else {
            return Ok(false);
        };
        let remark = format!("{} is a place; the lines around it:", self.query.shown());
        self.answer.remarks.push(remark);
        self.answer.total = hits.n_lines;
        self.answer.n_files = 1;
        let order = (0..hits.lines.len()).collect();
        self.answer.report = Some(hits.report);
        self.answer.rows = Rows::Lines { files: hits.files, lines: hits.lines, order };
        Ok(true)
    }

    /// Searches ignored and hidden files too.
    fn found_elsewhere(&mut self, shown: &str) -> Result<bool> {
        let files = self.files.clone();
        self.files = everywhere(files.clone());
        let remark = format!("only ignored or hidden files contain {shown}:");
        let found = self.found(self.query.pattern(), Some(&remark));
        self.files = files;
        found
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

    /// Searches for each word of a phrase. A word that occurs nowhere is replaced by the nearest
    /// one, and then the corrected phrase is tried first.
    fn found_words(&mut self) -> Result<bool> {
        let Some(pattern) = self.query.each_word() else { return Ok(false) };
        let mut words = pattern.patterns.clone();
        let mut hits = self.search(pattern.clone())?;
        let missing: Vec<usize> = (0..words.len())
            .filter(|&word| hits.files.iter().all(|file| file.n_by_pattern[word] == 0))
            .collect();
        let mut replaced = Vec::new();
        for &word in missing.iter().take(3) {
            if let Some(right) = self.right_word(&words[word])? {
                replaced.push((std::mem::replace(&mut words[word], right.clone()), right));
            }
        }
        if !replaced.is_empty() {
            if self.found_corrected(&replaced)? {
                return Ok(true);
            }
            hits = self.search(PatternOptions { patterns: words.clone(), ..pattern })?;
        }
        self.answer.note(&hits.report);
        let ranked = words::rank(&hits, &words);
        // Half of the words or fewer are too weak a match.
        if ranked.rows.is_empty() || ranked.n_words_best * 2 <= words.len() {
            return Ok(false);
        }
        self.show_words(hits, &ranked, words.len());
        Ok(true)
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

    /// Shows the places where most words are close together, in the form that `only` requests.
    fn show_words(&mut self, hits: Hits, ranked: &Ranked, n_words: usize) {
        let n = ranked.n_files_best;
        let files = if n == 1 { "1 file has" } else { &format!("{n} files have") };
        let which = match ranked.n_words_best == n_words {
            true => format!("all {n_words} words"),
            false => format!("{} of the {n_words} words, none has all", ranked.n_words_best),
        };
        let order = order::spread(&ranked.rows, |row| hits.lines[row].file);
        let answer = &mut self.answer;
        answer.n_files = n as u64;
        answer.report = Some(hits.report);
        let (kind, end) = match self.only {
            Some(Only::Definitions) => ("definition", ""),
            Some(Only::Count) => ("line", ""),
            _ => ("line", ", nearest together first:"),
        };
        answer.remarks.push(format!("no {kind} contains the phrase; {files} {which}{end}"));
        match self.only {
            Some(Only::Definitions) => answer.n_files = 0,
            // The rows are a selection, so only the number of files is meaningful.
            Some(Only::Count) => {
                answer.is_count = true;
                answer.total = n as u64;
                answer.rows = Rows::Paths(Vec::new());
            }
            Some(Only::Files) => {
                let mut seen = std::collections::BTreeSet::new();
                let of_rows = ranked.rows.iter().map(|&row| hits.lines[row].file);
                let of_rows = of_rows.filter(|file| seen.insert(*file));
                let paths = of_rows.map(|file| &hits.files[file]);
                let paths: Vec<(String, Option<u64>)> =
                    paths.map(|file| (file.path.clone(), Some(file.n_lines))).collect();
                answer.total = paths.len() as u64;
                answer.rows = Rows::Paths(paths);
            }
            _ => {
                answer.total = ranked.rows.len() as u64;
                answer.rows = Rows::Lines { files: hits.files, lines: hits.lines, order };
            }
        }
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
