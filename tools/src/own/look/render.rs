//! Rendering of an answer as text, in the frame of `tools/text`.

use super::Reply;
use super::answer::{Answer, Rows};
use super::hits::{Hit, HitFile};
use super::order::ROWS_MAX;
use crate::replies::text::{Mark, Row, common_indent, heading, unsearched};
use searchscope::Report;
use searchscope::toolkit::excerpt::floor_char_boundary;
use std::borrow::Cow;
use std::fmt::Write;

/// Maximum number of directories with totals.
const DIRS_SHOWN: usize = 8;
/// All notes together take at most this fraction of a reply, and so do the totals by directory.
const NOTES_SHARE: usize = 4;

/// Returns the reply with the rows of `answer` from row `first`, from 1, as many as fit into
/// `bytes_max` bytes.
///
/// The text is never longer. To fit, it has fewer rows, down to one, which may be cut to the part
/// around its match. If that is not enough, it loses first the notes and totals by directory, then
/// the length of its remarks and the list of unsearched files. If not even the path of a row fits,
/// no row is shown, and the last line says so.
pub(super) fn reply(answer: &Answer, first: usize, bytes_max: usize) -> Reply {
    let n_ranked = match &answer.rows {
        Rows::None => 0,
        Rows::Lines { order, .. } => order.len(),
        Rows::Paths(paths) => paths.len(),
    };
    let is_whole = |report: &Report| report.complete && report.stopped.is_none();
    let is_exact = !answer.is_partial && answer.report.as_ref().is_some_and(is_whole);
    let view = View { answer, first, n_ranked, is_exact, bytes_max };
    let rows_max = answer.rows_per_page.unwrap_or(ROWS_MAX).min(ROWS_MAX);
    let n_there = n_ranked.saturating_sub(first - 1).min(rows_max);
    let (text, n_shown) = view.fitting(n_there);
    let page = view.page(n_shown);
    let is_part = answer.is_count || (n_shown as u64) < answer.n_rows();
    let is_complete = !answer.is_partial
        && is_exact
        && !answer.is_late
        && answer.report.as_ref().is_some_and(|report| report.complete);
    Reply {
        text,
        complete: is_complete && (answer.is_count || !is_part),
        total: answer.total,
        total_kind: if is_exact { "exact" } else { "at_least" },
        next_page: page.next(),
    }
}

/// Amount of detail around the rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    All,
    /// Without notes and totals by directory.
    Rows,
    /// As `Rows`, with short remarks, and without the files that were not searched.
    Least,
}

/// The parameters of a rendering, for trying several sizes.
struct View<'a> {
    answer: &'a Answer,
    first: usize,
    n_ranked: usize,
    is_exact: bool,
    bytes_max: usize,
}

impl View<'_> {
    fn page(&self, n_shown: usize) -> Page {
        let View { answer, first, n_ranked, .. } = *self;
        Page { first, n_shown, n_ranked, is_late: answer.is_late }
    }

    /// Returns the largest text that fits, and the number of its rows, at most `n_there`.
    fn fitting(&self, n_there: usize) -> (String, usize) {
        for detail in [Detail::All, Detail::Rows, Detail::Least] {
            let fits = |n_shown: usize| self.fits(n_shown, detail);
            if let Some(text) = fits(n_there) {
                return (text, n_there);
            }
            let (mut most, mut too_many) = (0, n_there);
            while most + 1 < too_many {
                let n_shown = usize::midpoint(most, too_many);
                match fits(n_shown) {
                    Some(_) => most = n_shown,
                    None => too_many = n_shown,
                }
            }
            if most > 0
                && let Some(text) = fits(most)
            {
                return (text, most);
            }
            let whole = self.text(1, detail, usize::MAX).len();
            if let Some(text) = self.with_one(whole, detail).filter(|_| n_there > 0) {
                return (text, 1);
            }
        }
        let mut text = self.text(0, Detail::Least, usize::MAX);
        if text.len() > self.bytes_max {
            // Only texts of the caller are left to cut, and every reply must end with a last line.
            text = "[nothing fits: raise bytes_max]\n".to_owned();
        }
        (text, 0)
    }

    fn fits(&self, n_shown: usize, detail: Detail) -> Option<String> {
        let text = self.text(n_shown, detail, usize::MAX);
        (text.len() <= self.bytes_max).then_some(text)
    }

    /// Returns the text with the first row cut to fit, if that leaves enough of it. With the whole
    /// row the text has `whole` bytes.
    fn with_one(&self, whole: usize, detail: Detail) -> Option<String> {
        let Rows::Lines { lines, order, .. } = &self.answer.rows else { return None };
        let hit = &lines[*order.get(self.first - 1)?];
        let mut row_bytes = hit.text.len();
        // Escapes make a row longer than its text, so the surplus is subtracted until the text
        // fits.
        let mut surplus = whole.saturating_sub(self.bytes_max);
        while row_bytes >= ROW_BYTES_MIN + surplus.max(1) {
            row_bytes -= surplus.max(1);
            let text = self.text(1, detail, row_bytes);
            if text.len() <= self.bytes_max {
                return Some(text);
            }
            surplus = text.len() - self.bytes_max;
        }
        None
    }

    /// Returns the text with `n_shown` rows, each cut to `row_bytes` of its text.
    fn text(&self, n_shown: usize, detail: Detail, row_bytes: usize) -> String {
        let View { answer, first, is_exact, bytes_max, .. } = *self;
        let mut text = String::new();
        let remark_bytes = match detail {
            Detail::Least => bytes_max / 4 / answer.remarks.len().max(1),
            _ => usize::MAX,
        };
        for remark in &answer.remarks {
            remark_line(&mut text, cut(remark, remark_bytes));
        }
        match &answer.rows {
            Rows::None => {}
            Rows::Lines { files, lines, order } => {
                let shown = order.get(first - 1..).unwrap_or_default();
                // Lines inside a definition stay below it.
                let definitions_first =
                    answer.definitions_first && answer.n_inside == 0 && !answer.is_ranking;
                let shown = (&shown[..n_shown], definitions_first);
                write_lines(&mut text, (files, lines), shown, row_bytes);
            }
            Rows::Paths(paths) => {
                let shown = paths.get(first - 1..).unwrap_or_default();
                for (path, n_lines) in &shown[..n_shown] {
                    text.push_str(&heading(path));
                    let _ = n_lines.map(|n| write!(text, "\tlines: {n}"));
                    text.push('\n');
                }
            }
        }
        let is_part = answer.is_count || (n_shown as u64) < answer.n_rows();
        if detail == Detail::All {
            let room = bytes_max / NOTES_SHARE / answer.notes.len().max(1);
            for note in &answer.notes {
                remark_line(&mut text, cut(note, room));
            }
            if is_part
                && answer.dirs.len() > 1
                && let Some(dirs) = directories(&answer.dirs, bytes_max / NOTES_SHARE)
            {
                remark_line(&mut text, format_args!("by directory: {dirs}"));
            }
        }
        last_line(&mut text, answer, self.page(n_shown), is_exact, detail);
        text
    }
}

/// Minimum size of a row that is cut; a shorter one says nothing.
const ROW_BYTES_MIN: usize = 16;

fn remark_line(text: &mut String, remark: impl std::fmt::Display) {
    let _ = writeln!(text, "# {remark}");
}

/// Returns the beginning of a text, at most `bytes_max` bytes.
fn cut(text: &str, bytes_max: usize) -> Cow<'_, str> {
    if text.len() <= bytes_max {
        return Cow::Borrowed(text);
    }
    let end = floor_char_boundary(text, bytes_max.saturating_sub(3));
    Cow::Owned(format!("{}…", &text[..end]))
}

/// Writes rows by file, in the order of each file's first row, and within a file by line, if `definitions_first`
/// after its definitions.
///
/// At most `row_bytes` of the text of each row are written.
fn write_lines(
    text: &mut String,
    (files, lines): (&[HitFile], &[Hit]),
    (shown, definitions_first): (&[usize], bool),
    row_bytes: usize,
) {
    let mut by_file: Vec<(usize, Vec<&Hit>)> = Vec::new();
    for &at in shown {
        let hit = &lines[at];
        match by_file.iter_mut().find(|(file, _)| *file == hit.file) {
            Some((_, hits)) => hits.push(hit),
            None => by_file.push((hit.file, vec![hit])),
        }
    }
    for (file, mut hits) in by_file {
        hits.sort_by_key(|hit| (definitions_first && !hit.is_definition, hit.line));
        let _ = writeln!(text, "{}", heading(&files[file].path));
        let whole = hits.iter().filter(|hit| hit.part_of.is_none());
        let indent = common_indent(whole.flat_map(|hit| hit.text.lines()));
        for hit in hits.into_iter().filter(|hit| hit.line > 0) {
            match hit.text.len() > row_bytes {
                true => write_window(text, hit, row_bytes),
                false => write_hit(text, hit, indent),
            }
        }
    }
}

/// Writes a match; one across lines takes several rows.
fn write_hit(text: &mut String, hit: &Hit, indent: usize) {
    let mark = if hit.is_definition { Mark::Definition } else { Mark::Match };
    if hit.part_of.is_some() {
        return Row { mark, line: hit.line, part_of: hit.part_of, text: &hit.text }.write(text, 0);
    }
    for (line, part) in (hit.line..).zip(hit.text.split('\n')) {
        let part = part.strip_suffix('\r').unwrap_or(part);
        Row { mark, line, part_of: None, text: part }.write(text, indent);
    }
}

/// Writes the part of a match that begins shortly before it. A match across lines is reduced to its
/// first line.
fn write_window(text: &mut String, hit: &Hit, row_bytes: usize) {
    let mark = if hit.is_definition { Mark::Definition } else { Mark::Match };
    let line_end = hit.text.find('\n').unwrap_or(hit.text.len());
    let line = hit.text[..line_end].trim_end_matches('\r');
    let (offset, whole_len) = hit.part_of.unwrap_or((0, hit.text.len()));
    // A quarter of the room goes to the text before the match.
    let latest = line.len().saturating_sub(row_bytes);
    let start = floor_char_boundary(line, hit.match_at.saturating_sub(row_bytes / 4).min(latest));
    let end = floor_char_boundary(line, start.saturating_add(row_bytes).min(line.len()));
    let part_of = Some((offset + start, whole_len)).filter(|_| end - start < whole_len);
    Row { mark, line: hit.line, part_of, text: &line[start..end] }.write(text, 0);
}

/// Returns the totals of the first directories in at most `bytes_max` bytes, and of the others
/// together; `None` if not even one fits.
fn directories(dirs: &[(String, u64)], bytes_max: usize) -> Option<String> {
    let shown = (1..=DIRS_SHOWN).rev().map(|n_shown| first_directories(dirs, n_shown));
    shown.into_iter().find(|text| text.len() <= bytes_max)
}

fn first_directories(dirs: &[(String, u64)], n_shown: usize) -> String {
    let shown = dirs.iter().take(n_shown);
    let mut shown: Vec<String> = shown
        .map(|(dir, n)| {
            format!("{} {n}", if dir.is_empty() { "./".to_owned() } else { heading(dir) })
        })
        .collect();
    if dirs.len() > n_shown {
        let rest: u64 = dirs[n_shown..].iter().map(|(_, n)| n).sum();
        shown.push(format!("{} others {rest}", dirs.len() - n_shown));
    }
    shown.join(", ")
}

/// The rows of a reply among the ranked ones.
#[derive(Clone, Copy)]
struct Page {
    /// From 1.
    first: usize,
    n_shown: usize,
    n_ranked: usize,
    /// Another call may get further and rank its rows differently.
    is_late: bool,
}

impl Page {
    fn last(self) -> usize {
        self.first - 1 + self.n_shown
    }

    /// Returns the first row of the next page, if there is one.
    fn next(self) -> Option<usize> {
        let has_next = self.n_shown > 0 && self.last() < self.n_ranked && !self.is_late;
        has_next.then_some(self.last() + 1)
    }

    /// Appends the range of rows out of the total, described by `what`, and how to get others.
    fn describe(self, what: &str, answer: &Answer, parts: &mut Vec<String>) {
        let Page { first, n_shown, n_ranked, .. } = self;
        if n_shown == 0 && first <= n_ranked {
            parts.push(format!("row {first} of {what} does not fit: raise bytes_max"));
            return;
        }
        if n_shown == 0 && n_ranked > 0 {
            parts.push(format!(
                "no row {first}: the last is {n_ranked} of {what}; page 1 has the first"
            ));
            return;
        }
        parts.push(format!("rows {first}-{} of {what}", self.last()));
        parts.extend(self.next().map(|page| format!("next: page {page}")));
        // Not all rows are ranked; pages do not lead to the others.
        if (n_ranked as u64) < answer.n_rows() {
            let of_each = answer.per_file_max.map(|n| format!(", {n} of each file at most"));
            let of_each = of_each.unwrap_or_default();
            parts.push(format!(
                "pages reach {n_ranked} of them{of_each}: narrow q, in or files for the others"
            ));
        }
    }
}

/// Writes the total, the files that were not searched, and how to continue.
fn last_line(text: &mut String, answer: &Answer, page: Page, is_exact: bool, detail: Detail) {
    let total = answer.total;
    let at_least = if is_exact { "" } else { "at least " };
    let noun = |n: u64, one: &str, many: &str| {
        if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
    };
    let what = match answer.rows {
        Rows::Paths(_) => noun(total, "file", "files"),
        _ => {
            let inside = match answer.n_inside {
                0 => String::new(),
                n => format!(" and {n} inside a definition"),
            };
            let lines = noun(total, "line", "lines");
            format!("{lines} in {}{inside}", noun(answer.n_files, "file", "files"))
        }
    };
    let mut parts = Vec::new();
    if answer.is_ranking && page.n_shown > 0 {
        // The best files are a choice, whatever their number.
        parts.push(format!("rows {}-{}, by relevance", page.first, page.last()));
        parts.extend(page.next().map(|next| format!("next: page {next}")));
    } else if answer.is_count || page.n_shown as u64 == answer.n_rows() && page.first == 1 {
        let all = if is_exact && total > 0 && !answer.is_count { "all " } else { at_least };
        match answer.n_case_sensitive {
            Some(n) => parts.push(format!("{all}{what} in any case; {n} as written")),
            None => parts.push(format!("{all}{what}")),
        }
    } else {
        page.describe(&format!("{at_least}{what}"), answer, &mut parts);
    }
    if let Some(report) = &answer.report {
        parts.push(format!(
            "searched {}",
            noun(report.searched_files.max(answer.n_files), "file", "files")
        ));
        if detail < Detail::Least {
            parts.extend(unsearched(report));
        } else if !report.complete {
            parts.push("incomplete".to_owned());
        }
    }
    if answer.is_partial && answer.report.as_ref().is_none_or(|report| report.complete) {
        parts.push("incomplete: not everything could be searched".to_owned());
    }
    if answer.is_late {
        parts.push("the time ran out: narrow q, in or files".to_owned());
    }
    let _ = writeln!(text, "[{}]", parts.join("; "));
}
