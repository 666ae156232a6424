//! The verb `search`.

use crate::command::{is_given, last_of, operand_paths, operand_text, texts};
use crate::failure::{Failure, Result};
use crate::finish::{FILES, LINES, counted, finish, number, warn};
use crate::globs::ignoring_case;
use crate::inverted::{EVERY_LINE, Inverted, Prints};
use crate::patterns::{is_regex, joined, literal, whole_lines, whole_words};
use crate::place::Place;
use crate::print::{Out, report};
use crate::progress::Progress;
use crate::rows::{RowForm, Rows};
use crate::stats::Stats;
use crate::types::{name_pattern, type_list};
use crate::verbs::{Run, missing, parsed};
use searchscope::Call;
use searchscope_tools::{Outcome, SearchResult, search_each_with_spans};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::ops::ControlFlow;

/// The maximum length of a line that a tool returns whole to a pipe. On a terminal the tool's default
/// applies, which is a part around the match.
pub(crate) const LINE_BYTES_MAX: u64 = 8 << 20;

/// The number of matches of a line that rows are colored by, and of those that are printed or counted. The
/// latter bounds the memory for one line.
const SPANS_COLORED: usize = 100;
const SPANS_PRINTED: usize = 1 << 20;

/// Arguments of the tool `search` that `find` takes too.
const OF_FILES: &[&str] = &[
    "paths",
    "globs",
    "name_pattern",
    "glob",
    "changed",
    "changed_within",
    "changed_before",
    "depth",
    "hidden",
    "no_ignore",
    "worktrees",
    "follow",
    "normalize",
    "scope",
    "order",
    "deadline_ms",
    "cursor",
];

impl Run<'_> {
    pub(crate) fn search(mut self) -> Result<Outcome> {
        if self.matches.get_flag("type-list") {
            return self.type_list();
        }
        let (patterns, paths) = self.patterns_and_paths()?;
        let place = self.place(&paths)?;
        self.args.insert("paths".to_owned(), place.paths.clone().into());
        self.set_file_args()?;
        let is_reversed = self.set_order()?;
        if self.matches.get_flag("files") {
            return self.searched_files(&place, is_reversed);
        }
        let prints = self.prints();
        if prints == Prints::Nothing && self.matches.get_flag("stats") {
            return Err(Failure::new(
                "--stats prints numbers and -q nothing; leave out one of them",
            ));
        }
        let is_inverted = self.matches.get_flag("invert-match");
        self.set_patterns(patterns, is_inverted)?;
        if let Some(form) = self.reply_form()?.filter(|_| prints != Prints::Nothing) {
            self.refuse_with_reply(prints, is_reversed)?;
            return self.print_reply(&place, "search", form);
        }
        if is_inverted || prints == Prints::MatchCounts {
            self.refuse_paging(if is_inverted { "-v" } else { "--count-matches" })?;
        }
        let mut out = self.out();
        if is_reversed {
            out.hold();
        }
        let outcome = if is_inverted {
            self.inverted(&place, &mut out, prints)?
        } else {
            self.matching(&place, &mut out, prints)?
        };
        out.flush()?;
        Ok(outcome)
    }

    /// Prints the types of `-t`.
    fn type_list(&self) -> Result<Outcome> {
        let mut out = self.out();
        for line in type_list() {
            out.plain("", &line);
            out.end()?;
        }
        out.flush()?;
        Ok(Outcome::Found)
    }

    /// Returns the patterns, and the operands that are paths.
    fn patterns_and_paths(&self) -> Result<(Vec<String>, Vec<&OsStr>)> {
        let mut patterns: Vec<String> = texts(self.matches, "regexp").map(str::to_owned).collect();
        let mut paths = operand_paths(self.matches, "PATH")?;
        if patterns.is_empty() && !self.matches.get_flag("files") {
            let pattern = operand_text(self.matches, "PATTERN")?;
            patterns.push(pattern.ok_or_else(|| missing("PATTERN", self.verb))?.to_owned());
        } else {
            paths.splice(0..0, operand_paths(self.matches, "PATTERN")?);
        }
        Ok((patterns, paths))
    }

    /// Sets the arguments that select files and that no flag sets alone.
    fn set_file_args(&mut self) -> Result<()> {
        let types: Vec<&str> = texts(self.matches, "type").collect();
        if !types.is_empty() {
            self.args.insert("name_pattern".to_owned(), name_pattern(&types)?.into());
            self.args.insert("glob".to_owned(), true.into());
        }
        let mut globs: Vec<String> = texts(self.matches, "glob").map(str::to_owned).collect();
        globs.extend(texts(self.matches, "iglob").map(ignoring_case));
        if !globs.is_empty() {
            self.args.insert("globs".to_owned(), globs.into());
        }
        for (param, least) in [("no_ignore", 1), ("hidden", 2)] {
            if self.matches.get_count("unrestricted") >= least {
                self.args.insert(param.to_owned(), true.into());
            }
        }
        Ok(())
    }

    /// Turns the orders that the tool does not have into those that it has. Returns whether the files are
    /// printed in the opposite order.
    fn set_order(&mut self) -> Result<bool> {
        let order = match self.args.get("order").and_then(Value::as_str) {
            Some("oldest") => "mtime",
            Some("path_descending") => "path",
            _ => return Ok(false),
        };
        self.args.insert("order".to_owned(), order.into());
        self.refuse_paging("--sort modified and --sortr path")?;
        Ok(true)
    }

    fn prints(&self) -> Prints {
        let is_alone = self.matches.get_flag("only-matching");
        if self.matches.get_flag("quiet") {
            return Prints::Nothing;
        }
        match self.args.get("mode").and_then(Value::as_str) {
            Some("files") => Prints::Files,
            Some("count") if is_alone => Prints::MatchCounts,
            Some("count") => Prints::Counts,
            Some(_) => Prints::MatchCounts,
            None => Prints::Lines,
        }
    }

    /// Sets the patterns and the mode for the flags that the tool does not have.
    fn set_patterns(&mut self, mut patterns: Vec<String>, is_inverted: bool) -> Result<()> {
        let is_whole_line = self.matches.get_flag("line-regexp");
        let prints = self.prints();
        let lists_matches = self.lists_matches() || prints == Prints::MatchCounts;
        let is_rewritten = is_whole_line || is_inverted || lists_matches && patterns.len() > 1;
        if is_rewritten && patterns.iter().any(String::is_empty) {
            return Err(Failure::new("PATTERN: a pattern must not be empty"));
        }
        if is_rewritten && self.args.remove("literal").is_some() {
            patterns = patterns.iter().map(|pattern| literal(pattern)).collect();
        }
        if is_whole_line {
            self.args.remove("word");
            patterns = whole_lines(patterns);
        }
        if is_inverted {
            self.refuse_with_inverted()?;
            if self.args.remove("word").is_some() {
                patterns = whole_words(patterns);
            }
        }
        if is_inverted || lists_matches {
            patterns = joined(patterns);
        }
        if is_inverted && patterns.iter().all(|pattern| is_regex(pattern)) {
            patterns.push(EVERY_LINE.to_owned());
        }
        match prints {
            Prints::Nothing => {
                self.args.insert("mode".to_owned(), "files".into());
                self.args.insert("matches_max".to_owned(), 1.into());
            }
            Prints::MatchCounts => {
                self.args.remove("mode");
            }
            _ => {}
        }
        self.args.insert("patterns".to_owned(), patterns.into());
        Ok(())
    }

    /// Returns whether each match is printed or counted.
    fn lists_matches(&self) -> bool {
        is_given(self.matches, &["only-matching", "vimgrep", "stats", "max-columns"])
    }

    fn refuse_with_inverted(&self) -> Result<()> {
        let order = self.args.get("order").and_then(Value::as_str);
        let refused = [
            ("multiline", "-U"),
            ("search_context", "--in"),
            ("enclosing", "--enclosing"),
            ("uses", "--uses"),
        ];
        let name = refused.iter().find(|(param, _)| self.args.contains_key(*param));
        let name = name
            .map(|(_, name)| *name)
            .or((order == Some("relevance")).then_some("--sort relevance"));
        match name {
            Some(name) => Err(Failure::new(format!(
                "{name} is about lines that match, and -v prints the others; leave out one of them"
            ))),
            None => Ok(()),
        }
    }

    /// Refuses flags that a reply of the tool cannot show.
    fn refuse_with_reply(&self, prints: Prints, is_reversed: bool) -> Result<()> {
        let name = if self.matches.get_flag("invert-match") {
            "-v"
        } else if prints == Prints::MatchCounts {
            "--count-matches"
        } else if is_reversed {
            "--sort modified and --sortr path"
        } else {
            return Ok(());
        };
        Err(Failure::new(format!(
            "a reply of the tool cannot have {name}; leave out --json and --compact"
        )))
    }

    /// Refuses a limit or cursor of all lines where the order or number of the printed ones differs.
    fn refuse_paging(&self, name: &str) -> Result<()> {
        for (param, flag) in [("matches_max", "--limit"), ("cursor", "--cursor")] {
            let is_quiet = self.matches.get_flag("quiet");
            if self.args.contains_key(param) && !is_quiet {
                return Err(Failure::new(format!(
                    "{flag} cannot be used with {name}; type | head -n NUM, or -m NUM for each file"
                )));
            }
        }
        Ok(())
    }

    /// Prints the lines that match.
    fn matching(&self, place: &Place, out: &mut Out, prints: Prints) -> Result<Outcome> {
        let mut stats = Stats::of(prints);
        let mut counted = (Vec::new(), 0);
        let is_silent = prints == Prints::Nothing;
        let (form, is_pretty) = (self.row_form(out), out.form.is_pretty);
        let mut rows = Rows::new(out, place, form);
        let (mut summary, outcome) = self.each(place, is_pretty, &mut |result| {
            stats.take(result);
            match prints {
                Prints::Nothing => Ok(true),
                Prints::MatchCounts => count(&mut counted, &mut rows, result),
                _ => rows.result(result).map(|()| true),
            }
        })?;
        rows.finish()?;
        if counted.1 > 0 {
            rows.whole_file(&counted.0, Some(counted.1))?;
        }
        if is_silent {
            if outcome != Outcome::Found {
                warn(&summary, place, true);
            }
            return Ok(outcome);
        }
        let n_files = rows.n_files;
        if prints == Prints::MatchCounts {
            summary["total"] = n_files.into();
        }
        self.end(place, out, prints, &summary, n_files, &stats)?;
        Ok(outcome)
    }

    /// Prints the lines that do not match.
    fn inverted(&mut self, place: &Place, out: &mut Out, prints: Prints) -> Result<Outcome> {
        let (form, is_pretty) = (self.row_form(out), out.form.is_pretty);
        let number = |name: &str| self.args.get(name).and_then(Value::as_u64);
        let lines = |n: Option<u64>| usize::try_from(n.unwrap_or(0)).unwrap_or(usize::MAX);
        // The tool receives these too and refuses numbers that are too large. It adds no context itself, because
        // every line matches.
        let (before, after) = (lines(number("context_before")), lines(number("context_after")));
        // It does not receive this one, which would count all lines, unless it is 0, which it refuses.
        let per_file_max = number("matches_per_file_max").unwrap_or(u64::MAX);
        if per_file_max > 0 {
            self.args.remove("matches_per_file_max");
        }
        for param in ["mode", "matches_max"] {
            self.args.remove(param);
        }
        let mut inverted = Inverted::new(prints, (before, after), per_file_max);
        let mut rows = Rows::new(out, place, form);
        let (mut summary, _) =
            self.each(place, is_pretty, &mut |result| inverted.take(&mut rows, result))?;
        inverted.end_file(&mut rows)?;
        rows.finish()?;
        let n_files = rows.n_files;
        if inverted.n_unknown > 0 {
            let n = counted(inverted.n_unknown, LINES);
            report(&format!("left out by -v: {n} over 8 MiB, which are searched in parts"));
        }
        let is_complete = summary["complete"] == true && inverted.n_unknown == 0;
        let outcome = match (inverted.n_lines, is_complete) {
            (0, true) => Outcome::Nothing,
            (0, false) => Outcome::Unknown,
            _ => Outcome::Found,
        };
        if prints == Prints::Nothing {
            if outcome != Outcome::Found {
                warn(&summary, place, true);
            }
            return Ok(outcome);
        }
        let total = if prints == Prints::Lines { inverted.n_lines } else { n_files };
        summary["total"] = total.into();
        let stats = Stats { matches: Some(0), lines: Some(inverted.n_lines) };
        self.end(place, out, prints, &summary, n_files, &stats)?;
        Ok(outcome)
    }

    /// Runs the search, and returns its report and outcome.
    fn each(
        &self,
        place: &Place,
        is_pretty: bool,
        take: &mut dyn FnMut(&SearchResult<'_>) -> Result<bool>,
    ) -> Result<(Value, Outcome)> {
        let lists_matches = self.lists_matches();
        let mut args = self.args.clone();
        let prints_whole = is_given(self.matches, &["only-matching", "vimgrep", "max-columns"]);
        if !is_pretty || prints_whole {
            args.insert("line_bytes_max".to_owned(), LINE_BYTES_MAX.into());
        }
        let counts = self.matches.get_flag("count-matches") || self.matches.get_flag("count");
        let spans_max = if lists_matches || counts { SPANS_PRINTED } else { SPANS_COLORED };
        let workspace = self.open(place)?;
        let args = serde_json::to_vec(&args).unwrap_or_default();
        let mut written = Ok(true);
        let call = Call::new();
        let mut progress = Progress::show(self.verb.name, call.cancel_token());
        let summary = search_each_with_spans(&workspace, &args, &call, spans_max, &mut |result| {
            progress.before_row();
            written = take(result);
            match written {
                Ok(true) => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        });
        drop(progress);
        written?;
        parsed(&summary.map_err(|error| self.failure(error))?)
    }

    /// Prints what follows the results.
    fn end(
        &self,
        place: &Place,
        out: &mut Out,
        prints: Prints,
        summary: &Value,
        n_files: u64,
        stats: &Stats,
    ) -> Result<()> {
        let noun = if prints == Prints::Lines { LINES } else { FILES };
        finish(out, place, summary, noun, n_files)?;
        let n_binary = number(&summary["skipped"], "binary");
        if self.matches.get_count("unrestricted") > 2 && n_binary > 0 {
            let n = counted(n_binary, ("binary file is", "binary files are"));
            report(&format!("{n} not searched; -uuu is the same as -uu"));
        }
        if self.matches.get_flag("stats") {
            stats.print(out, summary, n_files)?;
        }
        Ok(())
    }

    /// Prints the files that would be searched.
    fn searched_files(mut self, place: &Place, is_reversed: bool) -> Result<Outcome> {
        if let Some(limit) = self.args.remove("matches_max") {
            self.args.insert("files_max".to_owned(), limit);
        }
        let kept = |name: &String| OF_FILES.contains(&name.as_str()) || name == "files_max";
        self.args.retain(|name, _| kept(name));
        if self.matches.get_flag("quiet") {
            self.args.insert("files_max".to_owned(), json!(1));
            return self.any_file(place);
        }
        let end: &[u8] = if self.matches.get_flag("null") { b"\0" } else { b"\n" };
        self.found_files(place, end, is_reversed)
    }

    /// Returns the parts of rows that the flags choose.
    fn row_form(&self, out: &Out) -> RowForm {
        let matches = self.matches;
        let is_vimgrep = matches.get_flag("vimgrep");
        let is = |on: &'static str, off: &'static str, usual: bool| {
            last_of(matches, &[on, off]).map_or(usual, |last| last == on)
        };
        let is_inverted = matches.get_flag("invert-match");
        let has_column = is("column", "no-column", is_vimgrep);
        let has_context = ["context_before", "context_after"]
            .iter()
            .any(|name| self.args.get(*name).and_then(Value::as_u64).is_some_and(|n| n > 0));
        let columns_max = matches.get_one::<u64>("max-columns").copied().filter(|max| *max > 0);
        RowForm {
            has_heading: !is_vimgrep && is("heading", "no-heading", out.form.is_pretty),
            has_path: is("with-filename", "no-filename", true),
            has_number: is("line-number", "no-line-number", true),
            has_column,
            has_nul: matches.get_flag("null"),
            has_context,
            is_match_alone: matches.get_flag("only-matching") && !is_inverted,
            is_per_match: is_vimgrep,
            is_trimmed: matches.get_flag("trim"),
            columns_max,
            counts_omitted: has_column
                || is_vimgrep
                || out.form.has_colors
                || matches.get_flag("stats"),
        }
    }
}

/// Adds the matches of a line to those of its file, and prints the number of the file before it.
fn count(
    counted: &mut (Vec<u8>, u64),
    rows: &mut Rows<'_>,
    result: &SearchResult<'_>,
) -> Result<bool> {
    let path = result.path.as_bytes();
    if counted.0 != path {
        if counted.1 > 0 {
            rows.whole_file(&counted.0, Some(counted.1))?;
        }
        *counted = (path.to_vec(), 0);
    }
    counted.1 += result.line.map_or(0, |line| line.spans.len() as u64);
    Ok(true)
}
