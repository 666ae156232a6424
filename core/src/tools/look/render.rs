//! An answer as text, in the frame of `tools/text`.

use super::Reply;
use super::answer::{Answer, Rows};
use super::hits::{Hit, HitFile};
use super::order::ROWS_MAX;
use crate::tools::text::{Mark, Row, common_indent, heading, unsearched};
use std::fmt::Write;

/// Directories whose totals are told.
const DIRS_SHOWN: usize = 8;
/// What a heading, a remark or the last line may take beside the rows.
const ROW_OVERHEAD: usize = 12;

/// Returns the reply that shows the rows of `answer` from row `first`, from 1, as many as fit.
pub(super) fn reply(answer: &Answer, first: usize, bytes_max: usize) -> Reply {
    let mut text = String::new();
    for remark in &answer.remarks {
        remark_line(&mut text, remark);
    }
    let room = bytes_max.saturating_sub(text.len());
    let (n_ranked, n_shown) = match &answer.rows {
        Rows::None => (0, 0),
        Rows::Lines { files, lines, order } => {
            let shown = page(order, first);
            let n_fitting = fitting(
                shown.iter().map(|&at| line_bytes(&files[lines[at].file], &lines[at])),
                room,
            );
            write_lines(&mut text, files, lines, &shown[..n_fitting]);
            (order.len(), n_fitting)
        }
        Rows::Paths(paths) => {
            let shown = page(paths, first);
            let n_fitting = fitting(shown.iter().map(|(path, _)| path.len() + ROW_OVERHEAD), room);
            for (path, n_lines) in &shown[..n_fitting] {
                text.push_str(&heading(path));
                let _ = n_lines.map(|n| write!(text, "\tlines: {n}"));
                text.push('\n');
            }
            (paths.len(), n_fitting)
        }
    };
    for note in &answer.notes {
        remark_line(&mut text, note);
    }
    let end = first - 1 + n_shown;
    let next_page = (n_shown > 0 && end < n_ranked).then_some(end + 1);
    let is_part = answer.is_count || (n_shown as u64) < answer.total;
    if is_part && answer.dirs.len() > 1 {
        remark_line(&mut text, &format!("by directory: {}", directories(&answer.dirs)));
    }
    let is_exact = answer.report.as_ref().is_some_and(|report| report.stopped.is_none());
    let is_complete = !answer.is_partial
        && is_exact
        && !answer.is_late
        && answer.report.as_ref().is_some_and(|report| report.complete);
    last_line(&mut text, answer, (first, n_shown), next_page, is_exact);
    Reply {
        text,
        complete: is_complete && (answer.is_count || !is_part),
        total: answer.total,
        total_kind: if is_exact { "exact" } else { "at_least" },
        next_page,
    }
}

fn remark_line(text: &mut String, remark: &str) {
    let _ = writeln!(text, "# {remark}");
}

fn page<T>(rows: &[T], first: usize) -> &[T] {
    let rows = rows.get(first - 1..).unwrap_or_default();
    &rows[..rows.len().min(ROWS_MAX)]
}

/// How many of the rows with these sizes fit; always one.
fn fitting(sizes: impl Iterator<Item = usize>, room: usize) -> usize {
    let mut used = 0;
    let fits = |(at, size): &(usize, usize)| {
        used += size;
        *at == 0 || used <= room
    };
    sizes.enumerate().take_while(fits).count()
}

fn line_bytes(file: &HitFile, hit: &Hit) -> usize {
    file.path.len() + hit.text.len() + ROW_OVERHEAD
}

/// Writes rows by file, in the order in which the files come first, each file's by line.
fn write_lines(text: &mut String, files: &[HitFile], lines: &[Hit], shown: &[usize]) {
    let mut by_file: Vec<(usize, Vec<&Hit>)> = Vec::new();
    for &at in shown {
        let hit = &lines[at];
        match by_file.iter_mut().find(|(file, _)| *file == hit.file) {
            Some((_, hits)) => hits.push(hit),
            None => by_file.push((hit.file, vec![hit])),
        }
    }
    for (file, mut hits) in by_file {
        hits.sort_by_key(|hit| hit.line);
        let _ = writeln!(text, "{}", heading(&files[file].path));
        let whole = hits.iter().filter(|hit| hit.part_of.is_none());
        let indent = common_indent(whole.flat_map(|hit| hit.text.lines()));
        for hit in hits {
            write_hit(text, hit, indent);
        }
    }
}

/// Writes a match; one across lines as a row for each of them.
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

fn directories(dirs: &[(String, u64)]) -> String {
    let shown = dirs.iter().take(DIRS_SHOWN);
    let mut shown: Vec<String> = shown
        .map(|(dir, n)| {
            format!("{} {n}", if dir.is_empty() { "./".to_owned() } else { heading(dir) })
        })
        .collect();
    if dirs.len() > DIRS_SHOWN {
        let rest: u64 = dirs[DIRS_SHOWN..].iter().map(|(_, n)| n).sum();
        shown.push(format!("{} others {rest}", dirs.len() - DIRS_SHOWN));
    }
    shown.join(", ")
}

/// Writes what the reply is a part of, what was not searched, and how to continue.
fn last_line(
    text: &mut String,
    answer: &Answer,
    (first, n_shown): (usize, usize),
    next_page: Option<usize>,
    is_exact: bool,
) {
    let total = answer.total;
    let at_least = if is_exact { "" } else { "at least " };
    let noun = |n: u64, one: &str, many: &str| {
        if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
    };
    let what = match answer.rows {
        Rows::Paths(_) => noun(total, "file", "files"),
        _ => {
            format!("{} in {}", noun(total, "line", "lines"), noun(answer.n_files, "file", "files"))
        }
    };
    let mut parts = Vec::new();
    if answer.is_count || n_shown as u64 == total && first == 1 {
        let all = if is_exact && total > 0 && !answer.is_count { "all " } else { at_least };
        match answer.n_as_written {
            Some(n) => parts.push(format!("{all}{what} in any case; {n} as written")),
            None => parts.push(format!("{all}{what}")),
        }
    } else {
        let last = first - 1 + n_shown;
        parts.push(format!("rows {first}-{last} of {at_least}{what}"));
        match next_page {
            Some(page) => parts.push(format!("next: page {page}")),
            None => parts.push("narrow q, in or files for the others".to_owned()),
        }
    }
    if let Some(report) = &answer.report {
        parts.push(format!(
            "searched {}",
            noun(report.searched_files.max(answer.n_files), "file", "files")
        ));
        parts.extend(unsearched(report));
    }
    if answer.is_partial && answer.report.as_ref().is_none_or(|report| report.complete) {
        parts.push("incomplete: not everything could be searched".to_owned());
    }
    if answer.is_late {
        parts.push("the time ran out: narrow q, in or files".to_owned());
    }
    let _ = writeln!(text, "[{}]", parts.join("; "));
}
