//! The rows of `search`: matching lines and their context, in ripgrep's format.

use crate::failure::Result;
use crate::place::Place;
use crate::print::{DIM, MATCH, NUMBER, Out};
use searchscope::tools::SearchResult;
use searchscope::{Line, Span};

/// Prints results one by one, without repeating headings and context lines.
#[derive(Debug)]
pub(crate) struct Rows<'a> {
    out: &'a mut Out,
    place: &'a Place,
    has_context: bool,
    /// The file of the last result: its path in the root, and its path as shown.
    file: Option<(Vec<u8>, Vec<u8>)>,
    /// The last printed line of the file.
    last_number: u64,
    /// Lines after the last match, which may be part of the next result.
    after: Vec<Line>,
    pub(crate) n_files: u64,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(out: &'a mut Out, place: &'a Place, has_context: bool) -> Rows<'a> {
        let (file, after) = (None, Vec::new());
        Rows { out, place, has_context, file, last_number: 0, after, n_files: 0 }
    }

    /// Prints one result.
    pub(crate) fn result(&mut self, result: &SearchResult<'_>) -> Result<()> {
        let path = result.path.as_bytes();
        let Some(line) = result.line else {
            self.n_files += 1;
            self.whole_file(path, result.n_matches)?;
            return self.out.deliver();
        };
        let first = result.before.first().map_or(line.number, |line| line.number);
        if self.file.as_ref().is_none_or(|(file, _)| file != path) {
            self.after_of_last(u64::MAX)?;
            self.begin_file(path)?;
        } else {
            self.after_of_last(line.number)?;
        }
        let is_apart = self.last_number > 0 && first > self.last_number + 1;
        if self.has_context && is_apart {
            self.separator()?;
        }
        for line in &*result.before {
            self.context(line)?;
        }
        self.matching(line)?;
        self.after = result.after.to_vec();
        self.out.deliver()
    }

    /// Prints the context that follows the last result.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.after_of_last(u64::MAX)
    }

    fn whole_file(&mut self, path: &[u8], n_matches: Option<u64>) -> Result<()> {
        let shown = self.place.shown(path);
        self.out.path(&shown, || self.place.absolute(path));
        if let Some(n_matches) = n_matches {
            self.out.plain("", &format!(":{n_matches}"));
        }
        self.out.end()
    }

    fn begin_file(&mut self, path: &[u8]) -> Result<()> {
        let is_first = self.file.is_none();
        let shown = self.place.shown(path);
        self.n_files += 1;
        if self.out.form.is_pretty {
            if !is_first {
                self.out.end()?;
            }
            self.out.path(&shown, || self.place.absolute(path));
            self.out.end()?;
        } else if self.has_context && !is_first {
            self.separator()?;
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
        self.begin_row(line.number, "-");
        self.out.text("", &line.text);
        self.out.end()
    }

    /// Prints a matching line; a match over several lines takes one row per line.
    fn matching(&mut self, line: &Line) -> Result<()> {
        let mut start = 0;
        for (number, text) in (line.number..).zip(line.text.split(|byte| *byte == b'\n')) {
            self.begin_row(number, ":");
            if start == 0 && line.text_start > 0 && self.out.form.is_pretty {
                self.out.plain(DIM, "…");
            }
            self.highlighted(text, line.text_start + start, &line.spans);
            start += text.len() + 1;
            let is_last = start > line.text.len();
            if is_last && line.is_truncated() && self.out.form.is_pretty {
                self.out.plain(DIM, "…");
            }
            if let Some(enclosing) = line.enclosing.as_deref().filter(|_| is_last) {
                self.out.plain("", "  ");
                self.out.text(DIM, format!("[{enclosing}]").as_bytes());
            }
            self.out.end()?;
            self.last_number = number.max(self.last_number);
        }
        self.last_number = line.last_number.max(self.last_number);
        Ok(())
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

    fn begin_row(&mut self, number: u64, sign: &str) {
        if !self.out.form.is_pretty {
            let (path, shown) = self.file.as_ref().map_or((&[][..], &[][..]), |(p, s)| (p, s));
            self.out.path(shown, || self.place.absolute(path));
            self.out.plain("", sign);
        }
        self.out.plain(NUMBER, &number.to_string());
        self.out.plain("", sign);
    }
}
