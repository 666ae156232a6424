//! Standard output: its form, its colors, and the characters that a terminal must not receive.

use crate::failure::Result;
use clap::ArgMatches;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use std::io::{BufWriter, IsTerminal, StdoutLock, Write};
use std::time::{Duration, Instant};

/// The maximum delay of results on their way to a pipe while the search finds more.
const FLUSH_EVERY: Duration = Duration::from_millis(20);
const BUFFER_BYTES: usize = 64 << 10;

pub(crate) const PATH: &str = "\x1b[35m";
pub(crate) const NUMBER: &str = "\x1b[32m";
pub(crate) const MATCH: &str = "\x1b[1;31m";
pub(crate) const NAME: &str = "\x1b[1m";
pub(crate) const DIM: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

/// Characters that a file URL need not escape.
const URL_SIGNS: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Form of the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// Whether the output is for a person: headings, and a last line.
    pub(crate) is_pretty: bool,
    pub(crate) has_colors: bool,
    /// Whether paths are links (OSC 8).
    has_links: bool,
    pub(crate) is_terminal: bool,
}

impl Form {
    pub(crate) fn of(matches: &ArgMatches) -> Form {
        let is_terminal = stdout_is_terminal();
        let is_pretty = is_terminal || matches.get_flag("pretty");
        let has_colors = match matches.get_one::<String>("color").map(String::as_str) {
            Some("always" | "ansi") => true,
            Some("never") => false,
            _ => is_pretty && (wants_colors() || matches.get_flag("pretty") && !no_color()),
        };
        Form { is_pretty, has_colors, has_links: is_terminal && has_colors, is_terminal }
    }

    /// Returns whether control characters are escaped, because a terminal may read them.
    fn escapes(self) -> bool {
        self.is_pretty || self.has_colors
    }
}

#[expect(clippy::disallowed_methods, reason = "a command writes to its standard output")]
pub(crate) fn stdout_is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Returns whether `NO_COLOR` is set and not empty, the convention of https://no-color.org.
#[expect(clippy::disallowed_methods, reason = "the environment decides about colors alone")]
fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

#[expect(clippy::disallowed_methods, reason = "the environment decides about colors alone")]
fn wants_colors() -> bool {
    !no_color() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Buffered standard output, and the line under construction.
#[derive(Debug)]
pub(crate) struct Out {
    to: BufWriter<StdoutLock<'static>>,
    pub(crate) form: Form,
    flushed: Option<Instant>,
    line: Vec<u8>,
    /// The number of bytes that were written or held.
    pub(crate) n_bytes: u64,
    /// Whether a block has begun.
    has_blocks: bool,
    /// The blocks so far, if they are printed in the opposite order, and the line between two of them.
    held: Option<(Vec<Vec<u8>>, Vec<u8>)>,
}

impl Out {
    #[expect(clippy::disallowed_methods, reason = "a command writes to its standard output")]
    pub(crate) fn new(form: Form) -> Out {
        let to = BufWriter::with_capacity(BUFFER_BYTES, std::io::stdout().lock());
        Out { to, form, flushed: None, line: Vec::new(), n_bytes: 0, has_blocks: false, held: None }
    }

    /// Appends trusted text to the line, in a color.
    pub(crate) fn plain(&mut self, color: &str, text: &str) {
        self.colored(color, |line| line.extend(text.as_bytes()));
    }

    /// Appends text of a file to the line, in a color; "" for no color.
    pub(crate) fn text(&mut self, color: &str, text: &[u8]) {
        let escapes = self.form.escapes();
        self.colored(color, |line| match escapes {
            true => escape(&String::from_utf8_lossy(text), '\t', line),
            false => line.extend(text),
        });
    }

    /// Appends a path to the line, as a link if the terminal supports it.
    pub(crate) fn path(&mut self, shown: &[u8], absolute: impl FnOnce() -> Vec<u8>) {
        let (escapes, has_links) = (self.form.escapes(), self.form.has_links);
        self.colored(PATH, |line| {
            if has_links {
                let url = percent_encode(&absolute(), URL_SIGNS).to_string();
                line.extend(format!("\x1b]8;;file://{url}\x1b\\").as_bytes());
            }
            match escapes {
                true => escape(&String::from_utf8_lossy(shown), '\0', line),
                false => line.extend(shown),
            }
            if has_links {
                line.extend(b"\x1b]8;;\x1b\\");
            }
        });
    }

    fn colored(&mut self, color: &str, write: impl FnOnce(&mut Vec<u8>)) {
        if color.is_empty() || !self.form.has_colors {
            return write(&mut self.line);
        }
        self.line.extend(color.as_bytes());
        write(&mut self.line);
        self.line.extend(RESET.as_bytes());
    }

    /// Ends the line and writes it.
    pub(crate) fn end(&mut self) -> Result<()> {
        self.end_with(b"\n")
    }

    pub(crate) fn end_with(&mut self, end: &[u8]) -> Result<()> {
        self.line.extend(end);
        self.n_bytes += self.line.len() as u64;
        match self.held.as_mut().and_then(|(blocks, _)| blocks.last_mut()) {
            Some(block) => block.append(&mut self.line),
            None => self.to.write_all(&self.line)?,
        }
        self.line.clear();
        Ok(())
    }

    /// Begins the lines of a file, after `separator` if they are not the first.
    pub(crate) fn begin_block(&mut self, separator: &str) -> Result<()> {
        let mut between = Vec::new();
        std::mem::swap(&mut between, &mut self.line);
        self.plain(if separator.len() > 1 { DIM } else { "" }, separator.trim_end());
        self.line.extend(separator.get(separator.trim_end().len()..).unwrap_or_default().bytes());
        std::mem::swap(&mut between, &mut self.line);
        let is_first = !std::mem::replace(&mut self.has_blocks, true);
        if let Some((blocks, separator)) = &mut self.held {
            blocks.push(Vec::new());
            *separator = between;
        } else if !is_first {
            self.n_bytes += between.len() as u64;
            self.to.write_all(&between)?;
        }
        Ok(())
    }

    /// Keeps the blocks that follow in memory, until `release`.
    pub(crate) fn hold(&mut self) {
        self.held = Some((Vec::new(), Vec::new()));
    }

    /// Writes the held blocks, the last one first.
    pub(crate) fn release(&mut self) -> Result<()> {
        let Some((blocks, separator)) = self.held.take() else { return Ok(()) };
        let mut is_first = true;
        for block in blocks.iter().rev() {
            if !std::mem::replace(&mut is_first, false) {
                self.n_bytes += separator.len() as u64;
                self.to.write_all(&separator)?;
            }
            self.to.write_all(block)?;
        }
        Ok(())
    }

    /// Delivers buffered output: to a terminal at once, to a pipe at intervals.
    pub(crate) fn deliver(&mut self) -> Result<()> {
        if self.held.is_some() {
            return Ok(());
        }
        let is_due = self.form.is_terminal
            || self.flushed.is_none_or(|flushed| flushed.elapsed() >= FLUSH_EVERY);
        if is_due {
            self.flush()?;
            self.flushed = Some(Instant::now());
        }
        Ok(())
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        Ok(self.to.flush()?)
    }
}

/// Writes a message to standard error, with control characters escaped.
pub(crate) fn report(text: &str) {
    show(&format!("searchscope: {text}"));
}

/// Writes a text to standard error, with control characters escaped. Never fails: a closed standard
/// error is not a reason to exit.
#[expect(clippy::disallowed_methods, reason = "a command reports to its standard error")]
pub(crate) fn show(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", escaped(text, '\n'));
}

/// Escapes the characters that move a terminal's cursor, color it, or reorder the text around them, except
/// `kept`.
pub(crate) fn escaped(text: &str, kept: char) -> String {
    let mut out = Vec::with_capacity(text.len());
    escape(text, kept, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns JSON for output: indented and with unprintable characters escaped on a terminal, unchanged
/// otherwise.
pub(crate) fn printed_json(json: &[u8], is_terminal: bool) -> Vec<u8> {
    let indented = |json| serde_json::from_slice::<serde_json::Value>(json).ok();
    match indented(json).filter(|_| is_terminal) {
        None => json.to_vec(),
        Some(value) => {
            let mut out = String::new();
            for char in format!("{value:#}").chars() {
                // Outside strings, the only such character in JSON is the line feed.
                match char != '\n' && is_unprintable(char) {
                    true => out.push_str(&format!("\\u{:04x}", u32::from(char))),
                    false => out.push(char),
                }
            }
            out.into_bytes()
        }
    }
}

fn escape(text: &str, kept: char, out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(at) = rest.find(|char| char != kept && is_unprintable(char)) {
        let (before, from) = rest.split_at(at);
        out.extend(before.as_bytes());
        let mut chars = from.chars();
        match chars.next() {
            Some('\n') => out.extend(b"\\n"),
            Some('\t') => out.extend(b"\\t"),
            Some(char) => out.extend(char.escape_unicode().to_string().as_bytes()),
            None => {}
        }
        rest = chars.as_str();
    }
    out.extend(rest.as_bytes());
}

/// Returns whether a character could mislead a terminal or a reader: those of `node/printable.js`, and tab
/// and line feed, which that file leaves to its callers.
fn is_unprintable(char: char) -> bool {
    matches!(char,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_bidirectional_marks_are_escaped() {
        assert_eq!(escaped("a\u{1b}[31mb\u{202e}c\r\n", '\n'), "a\\u{1b}[31mb\\u{202e}c\\u{d}\n");
        assert_eq!(escaped("a\tb\nc", '\t'), "a\tb\\nc");
        assert_eq!(escaped("é 漢 \u{a0}", '\0'), "é 漢 \u{a0}");
        assert_eq!(escaped("\u{85}\u{9b}1m", '\0'), "\\u{85}\\u{9b}1m");
    }
}
