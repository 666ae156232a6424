//! The matches of `scope_search_text`, as its contract defines them.

use crate::replies::JsonList;
use schemars::JsonSchema;
use searchscope::toolkit::{file_url, to_text};
use searchscope::{Call, FileMatches, Line, Span, Stop, Workspace};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::ops::ControlFlow;
use std::ops::Range;

/// Number of characters of the line shown on each side of a match.
const AROUND_CHARS: usize = 200;
/// Their maximum size in bytes, plus one character that is cut.
const AROUND_BYTES: usize = 4 * (AROUND_CHARS + 1);
/// Encloses the match in the text of its line.
const MARK: &str = "||";
/// Length of the hash of an occurrence.
const ID_DIGITS: usize = 16;

/// A match.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TextOccurrence")]
#[serde(rename_all = "camelCase")]
pub(crate) struct Occurrence<'a> {
    /// A hash of the URL, the position, the mode and the query: stable while the match keeps its
    /// position.
    occurrence_id: String,
    /// The file as a file:// URL.
    file_url: &'a str,
    /// The file, relative to the root, with "/" between names.
    file_path: &'a str,
    /// The number of the line in which the match starts, from 1.
    line_number: u64,
    /// Start of the match, in bytes of the file's text from 0, without a byte order mark; if the
    /// file is decoded by its mark, of its text as UTF-8.
    start_offset: u64,
    /// End of the match, without a final line end.
    end_offset: u64,
    /// The line, with "||" around the match, and at most 200 characters on each side.
    line_text: String,
    /// The text of the match.
    matched_text: String,
}

/// The query, which the hash of an occurrence includes.
pub(crate) struct Query<'a> {
    pub(crate) text: &'a str,
    pub(crate) mode: &'static str,
}

/// Collects matches until the reply is full.
pub(crate) struct Occurrences<'a> {
    workspace: &'a Workspace,
    query: Query<'a>,
    occurrences_max: usize,
    call: &'a Call,
    pub(crate) results: JsonList,
    /// Whether the reply had no room for a match.
    pub(crate) is_full: bool,
    /// Whether there was one match more than the caller wants.
    is_over: bool,
    /// Number of matches after the part of an overlong line that is kept in memory.
    n_out_of_sight: u64,
    /// Number of matches whose line is shown in part.
    n_in_part: u64,
}

/// A file whose matches are being collected.
struct InFile<'a> {
    url: String,
    path: &'a str,
}

impl<'a> Occurrences<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        query: Query<'a>,
        occurrences_max: usize,
        bytes_max: usize,
        call: &'a Call,
    ) -> Occurrences<'a> {
        Occurrences {
            workspace,
            query,
            occurrences_max,
            call,
            results: JsonList::new(bytes_max),
            is_full: false,
            is_over: false,
            n_out_of_sight: 0,
            n_in_part: 0,
        }
    }

    /// Returns whether there are matches that the results lack.
    pub(crate) fn has_more(&self) -> bool {
        self.is_over || self.is_full || self.n_out_of_sight > 0
    }

    /// Returns why matches are missing, if nothing else in the reply says so.
    pub(crate) fn cut(&self) -> Option<String> {
        let n = self.results.len();
        let full = || {
            format!(
                "the reply has no room for more than these {n} matches: narrow 'query' or 'scope'"
            )
        };
        let long = || {
            let n = self.n_out_of_sight;
            format!("{n} more matches in lines over 8 MiB are omitted")
        };
        let out_of_sight = (self.n_out_of_sight > 0).then(long);
        self.is_full.then(full).or(out_of_sight)
    }

    /// Returns the diagnostic about lines that are shown in part.
    pub(crate) fn in_part(&self) -> Option<String> {
        let lines = match self.n_in_part {
            0 => return None,
            1 => "the line of 1 match is".to_owned(),
            n => format!("the lines of {n} matches are"),
        };
        Some(format!("{lines} longer than the {AROUND_CHARS} characters shown on each side"))
    }

    /// Takes the matches of a line; `taken` is the number of matches before it in its file.
    fn take_line(&mut self, file: &InFile<'_>, line: &Line, taken: u64) -> ControlFlow<Stop> {
        // Line numbers are counted from match to match, because a block may be long and have many
        // matches.
        let (mut number, mut counted) = (line.number, 0);
        for (n, span) in line.spans.iter().enumerate() {
            if self.call.is_over() {
                return ControlFlow::Break(Stop::late(taken));
            }
            if self.results.len() == self.occurrences_max {
                self.is_over = true;
                return ControlFlow::Break(Stop::full(taken));
            }
            let Some((start, end)) = in_text(line, span) else {
                self.n_out_of_sight += 1;
                continue;
            };
            number += memchr::memchr_iter(b'\n', &line.text[counted..start]).count() as u64;
            counted = start;
            let sides = [before(&line.text[..start]), after(&line.text[end..])];
            let is_part = sides.iter().any(|side| side.is_cut);
            let occurrence = self.occurrence(file, line, n, (number, start, end), sides);
            if !self.results.push(&occurrence) {
                self.is_full = true;
                return ControlFlow::Break(Stop::full(taken));
            }
            self.n_in_part += u64::from(is_part);
        }
        ControlFlow::Continue(())
    }

    /// Returns match `n` of a line, which is at `start..end` of the line's text.
    fn occurrence<'f>(
        &self,
        file: &'f InFile<'_>,
        line: &Line,
        n: usize,
        (line_number, start, end): (u64, usize, usize),
        [before, after]: [Side; 2],
    ) -> Occurrence<'f> {
        let Range { start: start_offset, end: end_offset } = offsets(line, n);
        let matched_text = to_text(&line.text[start..end]).into_owned();
        Occurrence {
            occurrence_id: self.id(&file.url, start_offset, end_offset),
            file_url: &file.url,
            file_path: file.path,
            line_number,
            start_offset,
            end_offset,
            line_text: format!("{}{MARK}{matched_text}{MARK}{}", before.text, after.text),
            matched_text,
        }
    }

    fn id(&self, url: &str, start: u64, end: u64) -> String {
        let Query { text, mode } = self.query;
        let hash = Sha256::digest(format!("{url}|{start}|{end}|{mode}|{text}"));
        let digits = hash.iter().map(|byte| format!("{byte:02x}"));
        digits.take(ID_DIGITS / 2).collect()
    }
}

impl Occurrences<'_> {
    /// Takes the matches of a file as far as there is room and time for them.
    pub(crate) fn take_file(&mut self, file: &FileMatches) -> ControlFlow<Stop> {
        let path = file.path.display();
        let in_file = InFile { url: file_url(self.workspace, &file.path), path: &path };
        for (taken, line) in file.lines.iter().enumerate() {
            let flow = self.take_line(&in_file, line, taken as u64);
            if flow != ControlFlow::Continue(()) {
                return flow;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns the bytes of match `n` of a line in the file.
fn offsets(line: &Line, n: usize) -> Range<u64> {
    // Where the text was decoded from a declared encoding, the spans are those of its UTF-8 form.
    let in_file = line.file_spans.as_ref().and_then(|spans| spans.get(n));
    in_file.cloned().unwrap_or_else(|| {
        let span = &line.spans[n];
        line.offset + span.start as u64..line.offset + span.end as u64
    })
}

/// Returns the position of a match in the kept part of its line, or `None` outside of it.
fn in_text(line: &Line, span: &Span) -> Option<(usize, usize)> {
    let start = span.start.checked_sub(line.text_start)?;
    let end = span.end.checked_sub(line.text_start)?;
    (start <= end && end <= line.text.len()).then_some((start, end))
}

/// The text of a line on one side of a match.
struct Side {
    text: String,
    /// Whether the line has more on this side.
    is_cut: bool,
}

/// Returns the part of the last line before a match.
fn before(text: &[u8]) -> Side {
    let text = &text[text.len().saturating_sub(AROUND_BYTES)..];
    let line = memchr::memrchr(b'\n', text).map_or(text, |line_end| &text[line_end + 1..]);
    let line = to_text(line);
    let n_chars = line.chars().count();
    let text = line.chars().skip(n_chars.saturating_sub(AROUND_CHARS)).collect();
    Side { text, is_cut: n_chars > AROUND_CHARS }
}

/// Returns the part of the line after a match.
fn after(text: &[u8]) -> Side {
    let text = &text[..text.len().min(AROUND_BYTES)];
    let line = match memchr::memchr(b'\n', text) {
        Some(line_end) => text[..line_end].strip_suffix(b"\r").unwrap_or(&text[..line_end]),
        None => text,
    };
    let line = to_text(line);
    let mut chars = line.chars();
    let text = chars.by_ref().take(AROUND_CHARS).collect();
    Side { text, is_cut: chars.next().is_some() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    fn line(text: &str, spans: &[(usize, usize)]) -> Line {
        let span = |&(start, end): &(usize, usize)| Span { start, end, pattern: 0 };
        searchscope::testing::line(text, spans.iter().map(span).collect())
    }

    fn taken(line: &Line, occurrences_max: usize, bytes_max: usize) -> (Vec<Value>, bool) {
        let dir = tempfile::tempdir().expect("a directory");
        let workspace = Workspace::open(dir.path()).expect("opened");
        let query = Query { text: "x", mode: "PLAIN" };
        let call = Call::new();
        let mut all = Occurrences::new(&workspace, query, occurrences_max, bytes_max, &call);
        let file = InFile { url: "file:///r/a".into(), path: "a" };
        let _ = all.take_line(&file, line, 0);
        let json = serde_json::to_value(&all.results).expect("JSON");
        (json.as_array().cloned().unwrap_or_default(), all.has_more())
    }

    #[test]
    fn an_occurrence_has_its_place_its_line_and_a_hash() {
        let (all, has_more) = taken(&line("a x é x", &[(2, 3), (7, 8)]), 9, 9_999);
        assert!(!has_more && all.len() == 2);
        assert_eq!(all[0]["lineText"], "a ||x|| é x");
        assert_eq!(all[1]["lineText"], "a x é ||x||");
        assert_eq!((&all[1]["startOffset"], &all[1]["endOffset"]), (&107.into(), &108.into()));
        assert_eq!((&all[1]["lineNumber"], &all[1]["matchedText"]), (&7.into(), &"x".into()));
        // Expected digits: printf 'file:///r/a|107|108|PLAIN|x' | sha256sum
        assert_eq!(all[1]["occurrenceId"], "11199025b8cd8b76");
    }

    #[test]
    fn cut_lines_are_counted() {
        let dir = tempfile::tempdir().expect("a directory");
        let workspace = Workspace::open(dir.path()).expect("opened");
        let query = Query { text: "x", mode: "PLAIN" };
        let call = Call::new();
        let mut all = Occurrences::new(&workspace, query, 9, 99_999, &call);
        let file = InFile { url: "file:///r/a".into(), path: "a" };
        let _ = all.take_line(&file, &line(&format!("{0}x{0}", "é".repeat(200)), &[(400, 401)]), 0);
        assert_eq!(all.in_part(), None);
        for text in [format!("{}x", "a".repeat(201)), format!("{}x\nb", "é".repeat(900))] {
            let at = text.find('x').expect("it is there");
            let _ = all.take_line(&file, &line(&text, &[(at, at + 1)]), 0);
        }
        let _ = all.take_line(&file, &line(&format!("x{}", "a".repeat(201)), &[(0, 1)]), 0);
        let expected =
            "the lines of 3 matches are longer than the 200 characters shown on each side";
        assert_eq!(all.in_part().as_deref(), Some(expected));
    }

    #[test]
    fn limits_report_further_matches() {
        let two = line("x x", &[(0, 1), (2, 3)]);
        assert_eq!((taken(&two, 1, 9_999).0.len(), taken(&two, 1, 9_999).1), (1, true));
        assert_eq!((taken(&two, 2, 9_999).0.len(), taken(&two, 2, 9_999).1), (2, false));
        assert_eq!((taken(&two, 2, 200).0.len(), taken(&two, 2, 200).1), (1, true));
    }

    #[test]
    fn a_match_beyond_the_line_buffer_is_reported() {
        let mut part = line("abcx", &[(13, 14), (40, 41)]);
        (part.text_start, part.line_len) = (10, 100);
        let (all, has_more) = taken(&part, 9, 9_999);
        assert_eq!((all.len(), has_more), (1, true));
        assert_eq!(
            (&all[0]["startOffset"], &all[0]["lineText"]),
            (&113.into(), &"abc||x||".into())
        );
    }

    #[test]
    fn in_a_block_each_match_has_its_own_line() {
        let block = line("one\r\ntwo x\r\nthree x", &[(9, 10), (18, 19)]);
        let (all, _) = taken(&block, 9, 9_999);
        assert_eq!((&all[0]["lineNumber"], &all[0]["lineText"]), (&8.into(), &"two ||x||".into()));
        assert_eq!(
            (&all[1]["lineNumber"], &all[1]["lineText"]),
            (&9.into(), &"three ||x||".into())
        );
    }

    #[test]
    fn two_hundred_characters_on_each_side_are_shown() {
        let text = format!("{}x{}", "é".repeat(300), "😀".repeat(300));
        let (all, _) = taken(&line(&text, &[(600, 601)]), 9, 9_999);
        let expected = format!("{}||x||{}", "é".repeat(200), "😀".repeat(200));
        assert_eq!(all[0]["lineText"], expected);
    }
}
