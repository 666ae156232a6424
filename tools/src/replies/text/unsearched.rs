//! The part of a reply about files that were not searched.

use super::heading;
use searchscope::Report;

/// Number of warnings that are written out; a report has more.
const WARNINGS_SHOWN: usize = 2;

/// Returns clauses about entries that a search skipped or could not read; none if it searched
/// everything.
pub(crate) fn unsearched(report: &Report) -> Vec<String> {
    let mut clauses = Vec::new();
    let skipped = skipped(report);
    if !skipped.is_empty() {
        clauses.push(format!("not searched: {skipped}"));
    }
    if !report.complete || !report.warnings.is_empty() {
        let shown = report.warnings.iter().take(WARNINGS_SHOWN);
        let shown: Vec<String> =
            shown.map(|warning| format!("{} {}", heading(&warning.path), warning.reason)).collect();
        clauses.push(match shown.is_empty() {
            true => "incomplete".to_owned(),
            false => format!("incomplete: {}", shown.join(", ")),
        });
    }
    clauses
}

fn skipped(report: &Report) -> String {
    let skipped = &report.skipped;
    let counts = [
        (skipped.ignored, "ignored"),
        (skipped.hidden, "hidden"),
        (skipped.binary, "binary"),
        (skipped.too_large, "too large"),
        (skipped.symlink, "symlinks"),
        (skipped.unreadable, "unreadable"),
        (skipped.special, "special"),
        (skipped.too_deep, "too deep"),
        (skipped.denied, "denied"),
        (skipped.worktree, "worktrees"),
        (skipped.undecodable_name, "with undecodable names"),
    ];
    let shown = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
    shown.collect::<Vec<_>>().join(", ")
}
