//! Files named like the query: as the answer, with it, or instead of one.

use super::answer::{Lookup, Rows, everywhere, is_all_ignored};
use super::hits::Hits;
use super::names::{self, Fit};
use super::{Only, place};
use crate::replies::text::heading;
use searchscope::{ErrorKind, FileOptions, Report, Result};

impl Lookup<'_> {
    /// Adds a note about files that are named like the text, besides the lines that contain it.
    pub(super) fn note_names(&mut self, hits: &Hits) -> Result<()> {
        const SHOWN: usize = 5;
        if self.query.is_regex
            || self.query.words.len() != 1
            || self.only.is_some()
            || hits.files.len() < 2
        {
            return Ok(());
        }
        let names = self.names(Fit::Pattern)?;
        if names.paths.is_empty() {
            return Ok(());
        }
        let more = names.n_paths.saturating_sub(SHOWN as u64);
        let shown: Vec<String> = names.paths.iter().take(SHOWN).map(|path| heading(path)).collect();
        let more =
            if more > 0 { format!(" and {more} more (only: \"names\")") } else { String::new() };
        self.answer.notes.push(format!("files named like it: {}{more}", shown.join(", ")));
        Ok(())
    }

    /// Answers with file names instead of lines.
    pub(super) fn only_names(&mut self) -> Result<()> {
        let mut names = match self.names(Fit::Slip) {
            Err(error) if error.kind() == ErrorKind::PatternSyntax && self.query.is_regex => {
                self.take_as_text();
                self.names(Fit::Slip)?
            }
            names => names?,
        };
        let shown = self.query.shown();
        if names.fit.is_none() && is_all_ignored(&names.report) {
            self.search_ignored();
            names = self.names(Fit::Slip)?;
        }
        let remark = match names.fit {
            Some(Fit::Exact | Fit::Contains | Fit::Pattern) => None,
            Some(Fit::Naming) => {
                Some(format!("no name contains {shown}; in other naming or order:"))
            }
            Some(Fit::Slip) => Some(format!("no name contains {shown}; a letter or two off:")),
            None => None,
        };
        self.answer.remarks.extend(remark);
        if names.fit.is_some() {
            self.show_names(names);
            return Ok(());
        }
        let report = names.report;
        let files = self.files.clone();
        self.files = everywhere(files.clone());
        let elsewhere = self.names(Fit::Naming)?;
        self.files = files;
        if elsewhere.fit.is_some() {
            self.answer
                .remarks
                .push(format!("only ignored or hidden files are named like {shown}:"));
            self.show_names(elsewhere);
            return Ok(());
        }
        let outside = self.names_outside()?;
        let how = if self.query.is_regex { "matches" } else { "is named like" };
        self.answer.remarks.push(match outside {
            0 => format!("no file {how} {shown}"),
            n => {
                let filters: Vec<&str> = self.filters.iter().map(String::as_str).collect();
                let filters = filters.join(", ");
                format!(
                    "no file {how} {shown} with {filters}; without, {n} of the tree {}",
                    if n == 1 { "does" } else { "do" }
                )
            }
        });
        self.answer.rows = Rows::Paths(Vec::new());
        self.answer.report = Some(report);
        Ok(())
    }

    /// Counts the files that only the filters of the call exclude.
    fn names_outside(&mut self) -> Result<u64> {
        if self.filters.is_empty() {
            return Ok(0);
        }
        let files = FileOptions { no_ignore: self.files.no_ignore, ..FileOptions::default() };
        let files = std::mem::replace(&mut self.files, files);
        let path = std::mem::replace(&mut self.path, ".".to_owned());
        let names = self.names(Fit::Naming);
        (self.files, self.path) = (files, path);
        Ok(names?.n_paths)
    }

    /// Returns the paths that fit at least as well as `worst`, hidden ones included; `None` where the call wants
    /// lines.
    pub(super) fn names_like(&mut self, worst: Fit) -> Result<Option<names::Names>> {
        if self.query.is_regex || self.only.is_some() {
            return Ok(None);
        }
        let files = self.files.clone();
        self.files = FileOptions { no_ignore: files.no_ignore, ..everywhere(files.clone()) };
        let names = self.names(worst);
        self.files = files;
        names.map(Some)
    }

    /// Answers with the ignored files that are named so, where the query has the form of a file's name. They are
    /// looked at for a share of the time that the call has taken. Returns whether there are any.
    pub(super) fn named_among_ignored(&mut self, report: &Report) -> Result<bool> {
        let text = &self.query.text;
        let has_form = text.contains(['.', '*', '?']) && !text.contains(char::is_whitespace);
        let has_form = has_form && !self.query.is_regex;
        if self.only.is_some() || report.skipped.ignored == 0 || !has_form {
            return Ok(false);
        }
        let files = everywhere(self.files.clone());
        let call = self.call.within(self.time_for_ignored());
        let place = (self.path.as_str(), files);
        let names = names::find(self.workspace, &self.query, Fit::Pattern, place, &call)?;
        if names.fit.is_none() {
            return Ok(false);
        }
        self.answer.note(&names.report);
        let shown = self.query.shown();
        self.answer.remarks.push(format!("only ignored or hidden files are named like {shown}:"));
        self.show_names(names);
        Ok(true)
    }

    /// Shows names under `remark` if they fit at least as well as `worst`, and takes them then.
    pub(super) fn named(
        &mut self,
        names: &mut Option<names::Names>,
        worst: Fit,
        remark: &str,
    ) -> bool {
        let is_fit = |names: &mut names::Names| names.fit.is_some_and(|fit| fit <= worst);
        let Some(names) = names.take_if(is_fit) else { return false };
        self.answer.remarks.push(format!("{remark}:"));
        self.show_names(names);
        true
    }

    /// Answers with the file whose path is exactly the query, hidden and ignored ones included.
    pub(super) fn found_called_file(&mut self, report: &Report) -> Result<bool> {
        let path = self.query.text.trim_start_matches("./");
        let has_form =
            path.contains(['.', '/']) && self.query.words.len() == 1 && !self.query.is_regex;
        if self.only.is_some_and(|only| only != Only::Files)
            || !has_form
            || !place::is_file(self.workspace, path)
        {
            return Ok(false);
        }
        self.answer.rows = Rows::Paths(vec![(path.to_owned(), None)]);
        (self.answer.total, self.answer.n_files) = (1, 1);
        self.answer.report = Some(report.clone());
        self.answer
            .remarks
            .push(format!("no line contains {}, but a file is named so:", self.query.shown()));
        Ok(true)
    }

    /// Returns the file whose path, or whose name among all names, is exactly the query; `None` if the query has
    /// no form of a file name, or several files are named so.
    pub(super) fn called_file(&mut self) -> Result<Option<String>> {
        let text = self.query.text.trim_start_matches("./").to_owned();
        let extension = text.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
        let has_extension =
            extension.is_some_and(|(_, end)| end.starts_with(|c: char| c.is_ascii_alphabetic()));
        if !(has_extension || text.contains('/')) {
            return Ok(None);
        }
        if place::is_file(self.workspace, &text) {
            return Ok(Some(text));
        }
        let names = self.names(Fit::Exact)?;
        let [path] = names.paths.as_slice() else { return Ok(None) };
        Ok(Some(path.clone()))
    }

    fn show_names(&mut self, names: names::Names) {
        self.answer.total = names.n_paths;
        self.answer.n_files = self.answer.total;
        self.answer.rows = Rows::Paths(names.paths.into_iter().map(|path| (path, None)).collect());
        self.answer.report = Some(names.report);
    }

    fn names(&mut self, worst: Fit) -> Result<names::Names> {
        let place = (self.path.as_str(), self.files.clone());
        let names = names::find(self.workspace, &self.query, worst, place, self.call)?;
        self.answer.note(&names.report);
        Ok(names)
    }
}
