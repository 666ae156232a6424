//! The lines that do not match: `-v`.
//!
//! The engine searches for lines that match. Its second pattern here matches every line, so that all lines
//! arrive in order, and those with a match of the first are left out. Its context is that of all lines, so
//! this file makes that of the printed ones.

use crate::failure::Result;
use crate::rows::Rows;
use crate::search::LINE_BYTES_MAX;
use searchscope::Line;
use searchscope_tools::SearchResult;
use std::collections::VecDeque;

/// Matches at the beginning of every line.
pub(crate) const EVERY_LINE: &str = "(?m:^)";

/// Results of a search for lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prints {
    Lines,
    /// The paths of files.
    Files,
    /// The number of lines of each file.
    Counts,
    /// The number of matches of each file.
    MatchCounts,
    Nothing,
}

/// Passes the lines without a match to rows.
#[derive(Debug)]
pub(crate) struct Inverted {
    pub(crate) prints: Prints,
    /// The number of lines to print before and after each one.
    pub(crate) context: (usize, usize),
    /// The maximum number of lines of each file.
    pub(crate) per_file_max: u64,
    /// The number of lines that do not match.
    pub(crate) n_lines: u64,
    /// The number of lines that were left out because the engine does not search them as a whole.
    pub(crate) n_unknown: u64,
    path: Vec<u8>,
    n_in_file: u64,
    before: VecDeque<Line>,
    n_after_left: usize,
}

impl Inverted {
    pub(crate) fn new(prints: Prints, context: (usize, usize), per_file_max: u64) -> Inverted {
        Inverted {
            prints,
            context,
            per_file_max,
            n_lines: 0,
            n_unknown: 0,
            path: Vec::new(),
            n_in_file: 0,
            before: VecDeque::new(),
            n_after_left: 0,
        }
    }

    /// Takes a line that matches one of the two patterns. Returns whether the search continues.
    pub(crate) fn take(&mut self, rows: &mut Rows<'_>, result: &SearchResult<'_>) -> Result<bool> {
        let Some(line) = result.line else { return Ok(true) };
        let path = result.path.as_bytes();
        if self.path != path {
            self.end_file(rows)?;
            self.path = path.to_vec();
        }
        let is_match = line.spans.iter().any(|span| span.pattern == 0);
        // The engine searches such a line in parts, and a match in a later one is not among the spans.
        if !is_match && line.line_len as u64 > LINE_BYTES_MAX {
            self.n_unknown += 1;
            return Ok(true);
        }
        let mut plain = line.clone();
        plain.spans.clear();
        if is_match || self.n_in_file >= self.per_file_max {
            self.as_context(rows, plain);
            return Ok(true);
        }
        self.n_lines += 1;
        self.n_in_file += 1;
        match self.prints {
            Prints::Lines => {
                let before = std::mem::take(&mut self.before);
                rows.line(path, &plain, &Vec::from(before), &[])?;
                self.n_after_left = self.context.1;
            }
            Prints::Files if self.n_in_file == 1 => rows.whole_file(path, None)?,
            Prints::Files | Prints::Counts | Prints::MatchCounts => {}
            Prints::Nothing => return Ok(false),
        }
        Ok(true)
    }

    fn as_context(&mut self, rows: &mut Rows<'_>, line: Line) {
        if self.prints != Prints::Lines {
            return;
        }
        if self.n_after_left > 0 {
            self.n_after_left -= 1;
            rows.add_after(line);
        } else if self.context.0 > 0 {
            if self.before.len() == self.context.0 {
                self.before.pop_front();
            }
            self.before.push_back(line);
        }
    }

    /// Ends the lines of a file.
    pub(crate) fn end_file(&mut self, rows: &mut Rows<'_>) -> Result<()> {
        let is_count = matches!(self.prints, Prints::Counts | Prints::MatchCounts);
        if is_count && self.n_in_file > 0 {
            rows.whole_file(&self.path, Some(self.n_in_file))?;
        }
        self.n_in_file = 0;
        self.n_after_left = 0;
        self.before.clear();
        Ok(())
    }
}
