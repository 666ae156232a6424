//! `read`: parts of files with line numbers, and outlines. Contract: the description and the schema
//! below.
//!
//! The reply is text in the frame of `tools/text`. It is bounded by `bytes_max`, and its last line
//! names the arguments that continue it, so nothing is cut in silence.

mod outline;
mod part;
mod source;

use crate::arguments::defaults;
use crate::arguments::forms::{self, OtherNames};
use crate::replies::outcome::Outcome;
use crate::replies::text::{heading, quoted};
use crate::tool::{Contract, ToolCall};
use part::Part;
use schemars::JsonSchema;
use searchscope::toolkit::{ErrorExt, excerpt::floor_char_boundary};
use searchscope::{Call, Error, ErrorKind, Result, Workspace};
use serde::{Deserialize, Serialize};
use source::{Rows, Source};
use std::ops::Range;
use std::time::Duration;

pub(crate) struct Read;

/// Advice for callers who look for lines of a file.
const LINES: &str = "'what' has the lines, as in \"src/a.rs:10-20\"";

const TIMEOUT: Duration = Duration::from_secs(10);
const BYTES_DEFAULT: usize = 16_000;
/// Room for remarks and the last line, without paths.
const FRAME_BYTES: usize = 200;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Args {
    /// "path", "path:10-40", "path:25" (the block around it), "path#name" or "#name" (a definition).
    #[schemars(length(min = 1, max = 50))]
    what: Vec<String>,
    /// The definitions of these files or directories instead of their lines.
    #[serde(default)]
    outline: bool,
    /// Size of the reply.
    #[serde(default = "defaults::count::<BYTES_DEFAULT>")]
    #[schemars(range(min = 500, max = 1_000_000))]
    bytes_max: usize,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Reply {
    /// The parts: headings, numbered lines, remarks and a last line in brackets.
    text: String,
    /// Whether text has every requested line.
    complete: bool,
    #[serde(skip)]
    outcome: Outcome,
}

/// A call, and the text of its reply so far.
struct Reading<'a> {
    workspace: &'a Workspace,
    call: &'a Call,
    text: String,
    bytes_max: usize,
    /// Arguments of the next call, which continues this one.
    rest: Vec<String>,
    /// Whether something is missing that no next call can return.
    is_partial: bool,
    /// Whether a file of an outline has definitions.
    has_definitions: bool,
}

impl Contract for Read {
    const NAME: &'static str = "read";
    const DESCRIPTION: &'static str = "Reads parts of files with line numbers: a file, a line \
        range, the block around a line, or the definition of a name; several per call. outline: \
        true returns the definitions of a file or directory as a tree. The last line says what is \
        missing and how to continue.";
    type Args = Args;
    type Reply = Reply;
    const OTHER_NAMES: &'static [OtherNames] = &[("what", forms::FILE)];
    const EXPECTED: &'static [(&'static str, &'static str)] =
        &[("limit", LINES), ("offset", LINES), ("lines", LINES)];
    const REPLIES_TEXT: bool = true;

    fn timeout(_args: &Args) -> Duration {
        TIMEOUT
    }

    fn outcome(reply: &Reply) -> Outcome {
        reply.outcome
    }

    fn run(workspace: &Workspace, args: Args, call: &ToolCall<'_>) -> Result<Reply> {
        let mut reading = Reading {
            workspace,
            call,
            text: String::new(),
            bytes_max: args.bytes_max,
            rest: Vec::new(),
            is_partial: false,
            has_definitions: false,
        };
        let n_parts = args.what.len();
        for (at, what) in args.what.iter().enumerate() {
            let done = if args.outline { reading.outline(what) } else { reading.part(what) };
            // One wrong name must not cost the caller the other parts.
            if let Err(error) = done {
                if n_parts == 1 || error.kind() == searchscope::ErrorKind::Cancelled {
                    return Err(error.with_param(format!("what[{at}]")));
                }
                reading.is_partial = true;
                reading.remark(&format!("{}: {}", quoted(what), error.message()));
            }
        }
        Ok(reading.reply(args.outline))
    }
}

impl Reading<'_> {
    fn part(&mut self, what: &str) -> Result<()> {
        for part in part::resolve(self, what)? {
            self.write_part(&part)?;
        }
        Ok(())
    }

    /// Writes the lines of a part, as many as fit.
    fn write_part(&mut self, part: &Part) -> Result<()> {
        let source = source::open(self, &part.path)?;
        let n_lines = source.n_lines();
        let (first, last) = part.range.unwrap_or((1, n_lines.max(1)));
        if first > n_lines.max(1) {
            let message = format!("{} has {n_lines} lines, so no line {first}", quoted(&part.path));
            return Err(Error::new(ErrorKind::InvalidParam, message).with_param("what"));
        }
        if let Some(window) = &part.window {
            return self.write_window(&part.path, &source, first, window.clone());
        }
        let last = last.min(n_lines);
        let rows = self.write_lines(&part.path, &source, first, last);
        let end = rows.end;
        if first > 1 || last < n_lines || end < last {
            let shown =
                if end < first { "no line".to_owned() } else { format!("lines {first}-{end}") };
            self.remark(&format!("{shown} of {n_lines}{}", part.note));
        } else if !part.note.is_empty() {
            self.remark(part.note.trim_start_matches("; "));
        }
        if let Some(remark) = source.remark() {
            self.remark(&remark);
        }
        self.remark_cut(&part.path, &source, &rows.cut);
        if end < last {
            self.rest.push(format!("{}:{}-{last}", part.path, end + 1));
        }
        Ok(())
    }

    /// Writes lines below the heading of their file.
    fn write_lines(&mut self, path: &str, source: &Source, first: u64, last: u64) -> Rows {
        let before = self.text.len();
        let rows = source.rows(first, last, self.room(path), before == 0);
        if rows.end >= first || before == 0 {
            self.text.push_str(&heading(path));
            self.text.push('\n');
            self.text.push_str(&rows.text);
        }
        rows
    }

    /// Returns the bytes available for rows of `path`, less its heading, remarks and the last line.
    fn room(&self, path: &str) -> usize {
        self.bytes_max.saturating_sub(self.text.len() + 3 * path.len() + FRAME_BYTES)
    }

    /// Adds a remark about lines that are cut, and how to read the rest of the first of them.
    fn remark_cut(&mut self, path: &str, source: &Source, cut: &[(u64, usize)]) {
        let Some(&(line, at)) = cut.first() else { return };
        self.is_partial = true;
        let len = source.line(line).len();
        let others = match cut.len() {
            1 => String::new(),
            2 => ", and 1 other line is cut".to_owned(),
            n => format!(", and {} other lines are cut", n - 1),
        };
        let rest = quoted(&format!("{path}:{line}[{at}-{len}]"));
        self.remark(&format!(
            "line {line} is cut at {at} of {len} bytes, the rest is {rest}{others}"
        ));
    }

    /// Writes the bytes `window` of line `number`, as many as fit.
    fn write_window(
        &mut self,
        path: &str,
        source: &Source,
        number: u64,
        window: Range<usize>,
    ) -> Result<()> {
        let len = source.line(number).len();
        if window.start >= len {
            let message = format!("line {number} of {} has {len} bytes", quoted(path));
            return Err(Error::new(ErrorKind::InvalidParam, message).with_param("what"));
        }
        let wanted = window.end.min(len);
        let (row, end) = source.row_part(number, window.start..wanted, self.room(path));
        self.text.push_str(&heading(path));
        self.text.push('\n');
        self.text.push_str(&row);
        if end < floor_char_boundary(source.line(number), wanted) {
            self.rest.push(format!("{path}:{number}[{end}-{wanted}]"));
        }
        Ok(())
    }

    fn remark(&mut self, remark: &str) {
        self.text.push_str("# ");
        self.text.push_str(remark);
        self.text.push('\n');
    }

    fn reply(mut self, is_outline: bool) -> Reply {
        let complete = self.rest.is_empty() && !self.is_partial;
        let last = match self.rest.as_slice() {
            [] if complete => "[complete]".to_owned(),
            [] => "[incomplete: see the remarks]".to_owned(),
            rest => {
                let rest: Vec<String> = rest.iter().map(|what| quoted(what)).collect();
                format!("[cut at {} bytes; next: what: [{}]]", self.bytes_max, rest.join(", "))
            }
        };
        self.text.push_str(&last);
        self.text.push('\n');
        let outcome = match is_outline {
            true => Outcome::of_search(self.has_definitions, complete),
            false => Outcome::Found,
        };
        Reply { text: self.text, complete, outcome }
    }
}

#[cfg(all(test, feature = "symbols"))]
mod tests;
