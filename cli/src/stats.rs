//! The numbers that `--stats` prints.

use crate::failure::Result;
use crate::finish::number;
use crate::inverted::Prints;
use crate::print::Out;
use searchscope_tools::SearchResult;
use serde_json::Value;

/// Numbers of a search; `None` where it does not count them.
#[derive(Debug)]
pub(crate) struct Stats {
    pub(crate) matches: Option<u64>,
    pub(crate) lines: Option<u64>,
}

impl Stats {
    /// Returns the numbers before a search, which counts only what it prints.
    pub(crate) fn of(prints: Prints) -> Stats {
        let has_lines = prints != Prints::Files;
        let has_matches = has_lines && prints != Prints::Counts;
        Stats { matches: has_matches.then_some(0), lines: has_lines.then_some(0) }
    }

    /// Counts a result that was printed.
    pub(crate) fn take(&mut self, result: &SearchResult<'_>) {
        if let Some(line) = result.line {
            *self.matches.get_or_insert(0) += line.spans.len() as u64;
            *self.lines.get_or_insert(0) += line.last_number - line.number + 1;
        } else if let Some(n_lines) = result.n_matches {
            *self.lines.get_or_insert(0) += n_lines;
        }
    }

    /// Prints the numbers, one a line, in ripgrep's words and order.
    pub(crate) fn print(&self, out: &mut Out, summary: &Value, n_files: u64) -> Result<()> {
        let n_bytes = out.n_bytes;
        let seconds = std::time::Duration::from_micros(number(summary, "elapsed_us"));
        let numbers = [
            (self.matches, "matches"),
            (self.lines, "matched lines"),
            (Some(n_files), "files contained matches"),
            (Some(number(summary, "searched_files")), "files searched"),
            (Some(n_bytes), "bytes printed"),
        ];
        out.end()?;
        for (number, words) in numbers {
            if let Some(number) = number {
                out.plain("", &format!("{number} {words}"));
                out.end()?;
            }
        }
        out.plain("", &format!("{:.6} seconds total", seconds.as_secs_f64()));
        out.end()?;
        out.flush()
    }
}
