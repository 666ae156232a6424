//! The rows of `search`: matching lines and their context, in ripgrep's format.

use crate::failure::Result;
use crate::place::Place;
use crate::print::{DIM, MATCH, NUMBER, Out};
use searchscope::{Line, Span};
use searchscope_tools::SearchResult;

/// The text of a line that is longer than `-M` allows, as ripgrep prints it.
const OMITTED: &str = "[Omitted long matching line]";
const OMITTED_CONTEXT: &str = "[Omitted long context line]";

/// Parts of each row, as the flags choose them.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Clone, Debug)]
pub(crate) struct RowForm {
    /// Whether the path is printed once, above the lines of its file.
    pub(crate) has_heading: bool,
    pub(crate) has_path: bool,
    pub(crate) has_number: bool,
    pub(crate) has_column: bool,
    /// Whether a NUL follows each path.
    pub(crate) has_nul: bool,
    /// Whether context lines may be printed, and so lines between stretches of a file.
    pub(crate) has_context: bool,
    /// Whether a row is the text of one match.
    pub(crate) is_match_alone: bool,
    /// Whether each match has a row with its whole line.
    pub(crate) is_per_match: bool,
    pub(crate) is_trimmed: bool,
    /// The maximum size of a printed line with its line end, in bytes.
    pub(crate) columns_max: Option<u64>,
    /// Whether a row for an omitted line has the number of its matches, as in ripgrep where it needs them.
    pub(crate) counts_omitted: bool,
}

/// Prints results one by one, without repeating headings and context lines.
#[derive(Debug)]
pub(crate) struct Rows<'a> {
    out: &'a mut Out,
    place: &'a Place,
    form: RowForm,
    /// The file of the last result: its path in the root, and its path as shown.
    file: Option<(Vec<u8>, Vec<u8>)>,
    /// The last printed line of the file.
    last_number: u64,
    /// Lines after the last match, which may be part of the next result.
    after: Vec<Line>,
    pub(crate) n_files: u64,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(out: &'a mut Out, place: &'a Place, form: RowForm) -> Rows<'a> {
        Rows { out, place, form, file: None, last_number: 0, after: Vec::new(), n_files: 0 }
    }

    /// Prints one result.
    pub(crate) fn result(&mut self, result: &SearchResult<'_>) -> Result<()> {
        let path = result.path.as_bytes();
        match result.line {
            Some(line) => self.line(path, line, &result.before, &result.after),
            None => self.whole_file(path, result.n_matches),
        }
    }

    /// Prints a matching line of a file with its context.
    pub(crate) fn line(
        &mut self,
        path: &[u8],
        line: &Line,
        before: &[Line],
        after: &[Line],
    ) -> Result<()> {
        let first = before.first().map_or(line.number, |line| line.number);
        if self.file.as_ref().is_none_or(|(file, _)| file != path) {
            self.after_of_last(u64::MAX)?;
            self.begin_file(path)?;
        } else {
            self.after_of_last(line.number)?;
        }
        let is_apart = self.last_number > 0 && first > self.last_number + 1;
        if self.form.has_context && is_apart {
            self.separator()?;
        }
        for line in before {
            self.context(line)?;
        }
        if self.form.is_match_alone || self.form.is_per_match {
            self.matches(line)?;
        } else {
            self.matching(line)?;
        }
        self.last_number = line.last_number.max(self.last_number);
        self.after = after.to_vec();
        self.out.deliver()
    }

    /// Adds a line to the context after the last result.
    pub(crate) fn add_after(&mut self, line: Line) {
        self.after.push(line);
    }

    /// Prints the context that follows the last result.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.after_of_last(u64::MAX)
    }

    /// Prints a file that matches, with a number if there is one.
    pub(crate) fn whole_file(&mut self, path: &[u8], n_matches: Option<u64>) -> Result<()> {
        self.n_files += 1;
        self.out.begin_block("")?;
        // ripgrep prints the path without a number in any case.
        let has_path = self.form.has_path || n_matches.is_none();
        if has_path {
            let shown = self.place.shown(path);
            self.out.path(&shown, || self.place.absolute(path));
        }
        let sign = match (has_path, n_matches) {
            (true, _) if self.form.has_nul => "\0",
            (true, Some(_)) => ":",
            _ => "",
        };
        self.out.plain("", sign);
        match n_matches {
            Some(n_matches) => self.out.plain("", &n_matches.to_string()),
            None if self.form.has_nul => {
                self.out.end_with(b"")?;
                return self.out.deliver();
            }
            None => {}
        }
        self.out.end()?;
        self.out.deliver()
    }

    fn begin_file(&mut self, path: &[u8]) -> Result<()> {
        let shown = self.place.shown(path);
        self.n_files += 1;
        self.out.begin_block(match (self.form.has_heading, self.form.has_context) {
            (true, _) => "\n",
            (false, true) => "--\n",
            (false, false) => "",
        })?;
        if self.form.has_heading && self.form.has_path {
            self.out.path(&shown, || self.place.absolute(path));
            self.out.end_with(if self.form.has_nul { b"\0" } else { b"\n" })?;
        }
        self.file = Some((path.to_vec(), shown));
        self.last_number = 0;
        Ok(())
    }

    fn separator(&mut self) -> Result<()> {
        self.out.plain(DIM, "--");
        self.out.end()
    }

    /// Prints the lines after the last match that precede line `end`.
    fn after_of_last(&mut self, end: u64) -> Result<()> {
        for line in std::mem::take(&mut self.after).iter().filter(|line| line.number < end) {
            self.context(line)?;
        }
        Ok(())
    }

    fn context(&mut self, line: &Line) -> Result<()> {
        if line.number <= self.last_number {
            return Ok(());
        }
        self.last_number = line.number;
        self.begin_row(line.number, None, "-");
        if self.is_omitted(line.line_len) {
            self.out.plain("", OMITTED_CONTEXT);
        } else {
            let start = self.trimmed(&line.text);
            self.out.text("", &line.text[start..]);
        }
        self.out.end()
    }

    /// Prints a matching line; a match over several lines takes one row per line.
    fn matching(&mut self, line: &Line) -> Result<()> {
        let column = line.spans.first().map(|span| span.start);
        let mut start = 0;
        for (number, text) in (line.number..).zip(line.text.split(|byte| *byte == b'\n')) {
            self.begin_row(number, column, ":");
            let is_last = start + text.len() >= line.text.len();
            self.row_text(line, text, start, is_last);
            start += text.len() + 1;
            self.end_row(line, is_last)?;
        }
        Ok(())
    }

    /// Prints a row for each match of a line.
    fn matches(&mut self, line: &Line) -> Result<()> {
        if line.spans.is_empty() {
            // A line that was found because it has no match.
            return self.matching(line);
        }
        for span in &line.spans {
            let from = span.start.saturating_sub(line.text_start).min(line.text.len());
            let to = span.end.saturating_sub(line.text_start).clamp(from, line.text.len());
            let n_before = line.text[..from].iter().filter(|byte| **byte == b'\n').count() as u64;
            let number = line.number + n_before;
            let begin = line.text[..from].iter().rposition(|byte| *byte == b'\n');
            let begin = begin.map_or(0, |at| at + 1);
            if self.form.is_match_alone {
                for (number, text) in
                    (number..).zip(line.text[from..to].split(|byte| *byte == b'\n'))
                {
                    self.begin_row(number, Some(span.start), ":");
                    self.match_alone(text);
                    self.out.end()?;
                }
                continue;
            }
            let end = line.text[begin..].iter().position(|byte| *byte == b'\n');
            let end = end.map_or(line.text.len(), |len| begin + len);
            self.begin_row(number, Some(line.text_start + from - begin), ":");
            self.row_text(line, &line.text[begin..end], begin, true);
            self.end_row(line, true)?;
        }
        Ok(())
    }

    fn match_alone(&mut self, text: &[u8]) {
        if self.form.columns_max.is_some_and(|max| text.len() as u64 > max) {
            self.out.plain("", OMITTED);
        } else {
            let start = self.trimmed(text);
            self.out.text(MATCH, &text[start..]);
        }
    }

    /// Appends the text of a row, which begins at byte `start` of the line's text.
    fn row_text(&mut self, line: &Line, text: &[u8], start: usize, is_last: bool) {
        let len = if line.is_truncated() { line.line_len } else { text.len() };
        if self.is_omitted(len) {
            return match self.form.counts_omitted && !line.spans.is_empty() {
                true => {
                    let n = line.spans.len();
                    self.out.plain("", &format!("[Omitted long line with {n} matches]"));
                }
                false => self.out.plain("", OMITTED),
            };
        }
        if start == 0 && line.text_start > 0 && self.out.form.is_pretty {
            self.out.plain(DIM, "…");
        }
        let trimmed = self.trimmed(text);
        self.highlighted(&text[trimmed..], line.text_start + start + trimmed, &line.spans);
        if is_last && line.is_truncated() && self.out.form.is_pretty {
            self.out.plain(DIM, "…");
        }
    }

    fn end_row(&mut self, line: &Line, is_last: bool) -> Result<()> {
        if let Some(uses) = line.uses.as_deref().filter(|_| is_last) {
            let mut words: Vec<&str> = uses.iter().map(|kind| kind.code()).collect();
            words.dedup();
            self.out.plain("", "  ");
            self.out.text(DIM, format!("({})", words.join(", ")).as_bytes());
        }
        if let Some(enclosing) = line.enclosing.as_deref().filter(|_| is_last) {
            self.out.plain("", "  ");
            self.out.text(DIM, format!("[{enclosing}]").as_bytes());
        }
        self.out.end()
    }

    /// Returns whether a line of this length without its line end is too long to be printed.
    fn is_omitted(&self, len: usize) -> bool {
        self.form.columns_max.is_some_and(|max| len as u64 + 1 > max)
    }

    /// Returns the place at which the printed part of a text begins.
    fn trimmed(&self, text: &[u8]) -> usize {
        match self.form.is_trimmed {
            true => text.iter().take_while(|byte| byte.is_ascii_whitespace()).count(),
            false => 0,
        }
    }

    /// Appends a row that begins at byte `start` of the line, with the line's spans in color.
    fn highlighted(&mut self, text: &[u8], start: usize, spans: &[Span]) {
        let mut done = 0;
        for span in spans {
            // Spans may overlap, because several patterns may match in one line.
            let from = span.start.saturating_sub(start).clamp(done, text.len());
            let to = span.end.saturating_sub(start).clamp(from, text.len());
            self.out.text("", &text[done..from]);
            if to > from {
                self.out.text(MATCH, &text[from..to]);
            }
            done = to;
        }
        self.out.text("", &text[done..]);
    }

    /// Appends the path, the number and the column (from 0) of a row.
    fn begin_row(&mut self, number: u64, column: Option<usize>, sign: &str) {
        if self.form.has_path && !self.form.has_heading {
            let (path, shown) = self.file.as_ref().map_or((&[][..], &[][..]), |(p, s)| (p, s));
            self.out.path(shown, || self.place.absolute(path));
            self.out.plain("", if self.form.has_nul { "\0" } else { sign });
        }
        if self.form.has_number {
            self.out.plain(NUMBER, &number.to_string());
            self.out.plain("", sign);
        }
        if let Some(column) = column.filter(|_| self.form.has_column) {
            self.out.plain("", &format!("{}{sign}", column + 1));
        }
    }
}
