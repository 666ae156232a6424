//! The end of the output: the last line, warnings and skipped files.

use crate::failure::Result;
use crate::place::Place;
use crate::print::{DIM, Out, report};
use serde_json::Value;

/// The reasons for skipping as replies name them, their words, and the flag that changes each.
const SKIPPED: &[(&str, &str, &str)] = &[
    ("hidden", "hidden", "--hidden"),
    ("ignored", "ignored", "--no-ignore"),
    ("binary", "binary", ""),
    ("too_large", "too large", ""),
    ("symlink", "links not followed", "--follow"),
    ("unreadable", "unreadable", ""),
    ("undecodable_name", "with names that are not text", ""),
    ("special", "devices and pipes", ""),
    ("too_deep", "too deep", ""),
    ("denied", "denied", ""),
    ("worktree", "worktrees of git", "--worktrees"),
];

/// The singular and plural of a verb's results.
pub(crate) type Noun = (&'static str, &'static str);

pub(crate) const LINES: Noun = ("line", "lines");
pub(crate) const FILES: Noun = ("file", "files");

/// Ends the output of `search` and `find`: reports warnings and, on a terminal, prints the last line.
pub(crate) fn finish(
    out: &mut Out,
    place: &Place,
    summary: &Value,
    noun: Noun,
    n_files: u64,
) -> Result<()> {
    out.release()?;
    out.flush()?;
    let total = number(summary, "total");
    let is_complete = summary["complete"] == true;
    warn(summary, place, out.form.is_pretty || total == 0);
    // The limit per file was reached, and no cursor leads to the rest.
    let is_as_wanted = summary["stopped"] == "limit" && summary["cursor"].is_null();
    if out.form.is_pretty {
        if total > 0 && noun == LINES {
            out.end()?;
        }
        let line = last_line(summary, total, noun, n_files);
        out.plain(DIM, &line);
        out.end()?;
        for reason in strings(&summary["why_nothing"]).skip(1) {
            out.text(DIM, reason.as_bytes());
            out.end()?;
        }
        out.flush()?;
    } else if !is_complete && !is_as_wanted {
        report(&format!("not complete: {}", incomplete(summary)));
    }
    Ok(())
}

/// Reports unreadable files, files without a grammar, and, for a person or an empty result, remarks on the
/// scope.
pub(crate) fn warn(summary: &Value, place: &Place, has_remarks: bool) {
    let warnings = summary["warnings"].as_array().map_or(&[][..], Vec::as_slice);
    for warning in warnings {
        let text = |name: &str| warning[name].as_str().unwrap_or_default();
        let shown = place.shown(text("path").as_bytes());
        report(&format!("{}: {}", String::from_utf8_lossy(&shown), text("reason")));
    }
    let n_more = number(summary, "n_warnings").saturating_sub(warnings.len() as u64);
    if n_more > 0 {
        report(&format!("{n_more} further warnings"));
    }
    for diagnostic in strings(&summary["scope"]["diagnostics"]).filter(|_| has_remarks) {
        report(diagnostic);
    }
    if let Some(files) = summary["no_grammar"]["files"].as_u64() {
        let first: Vec<&str> = strings(&summary["no_grammar"]["first"]).collect();
        let and = if files > first.len() as u64 { ", ..." } else { "" };
        report(&format!("no grammar for {}: {}{and}", counted(files, FILES), first.join(", ")));
    }
}

fn last_line(summary: &Value, total: u64, noun: Noun, n_files: u64) -> String {
    let mut line = match (total, noun) {
        (0, _) => "nothing found".to_owned(),
        (_, LINES) => format!("{} in {}", counted(total, noun), counted(n_files, FILES)),
        _ => counted(total, noun),
    };
    if summary["complete"] == true {
        let searched = number(summary, "searched_files");
        let what = if searched > 0 { counted(searched, FILES) } else { "everything".to_owned() };
        let millis = number(summary, "elapsed_us") / 1000;
        line.push_str(&format!("; complete: {what} searched in {millis} ms"));
    } else {
        line.push_str(&format!("; not complete: {}", incomplete(summary)));
    }
    let skipped = SKIPPED.iter().filter_map(|(field, words, flag)| {
        let n = number(&summary["skipped"], field);
        let flag = if flag.is_empty() { String::new() } else { format!(" ({flag})") };
        (n > 0).then(|| format!("{n} {words}{flag}"))
    });
    let skipped: Vec<String> = skipped.collect();
    if !skipped.is_empty() {
        line.push_str(&format!("; skipped: {}", skipped.join(", ")));
    }
    line
}

/// Returns why a search is incomplete, and how to get the rest.
fn incomplete(summary: &Value) -> String {
    let why = match summary["stopped"].as_str() {
        Some("limit") => "stopped at the limit",
        Some("deadline") => "stopped by --timeout",
        Some("byte_budget") => "stopped at the size of a reply",
        _ => "not everything could be read",
    };
    match summary["cursor"].as_str() {
        Some(cursor) => format!("{why}; for more add --cursor {cursor}"),
        None => why.to_owned(),
    }
}

/// Returns "1 file" or "2 files".
pub(crate) fn counted(n: u64, (one, several): Noun) -> String {
    format!("{n} {}", if n == 1 { one } else { several })
}

pub(crate) fn number(value: &Value, name: &str) -> u64 {
    value[name].as_u64().unwrap_or(0)
}

pub(crate) fn strings(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}
