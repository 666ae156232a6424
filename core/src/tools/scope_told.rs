//! What the tools that search in scopes tell in sentences.

use crate::search::Report;

/// What the caller should know: what resolving told, what the files were that were not searched or
/// not whole, and whether the reply was cut.
pub(super) fn diagnostics(
    resolved: Vec<String>,
    report: &Report,
    cut: Option<String>,
) -> Vec<String> {
    let mut diagnostics = resolved;
    let mut say = |n: u64, what: &str| {
        if n > 0 {
            let (noun, verb) = if n == 1 { ("file", "was") } else { ("files", "were") };
            diagnostics.push(format!("{n} {noun} of the scope {verb} not searched: {what}"));
        }
    };
    say(report.skipped.binary, "binary");
    say(report.skipped.too_large, "too large");
    let shown = report.warnings.iter();
    diagnostics.extend(shown.map(|warning| format!("{}: {}", warning.path, warning.reason)));
    let n_more = report.n_warnings.saturating_sub(report.warnings.len() as u64);
    if n_more > 0 {
        diagnostics.push(format!("{n_more} more like these"));
    }
    diagnostics.extend(cut);
    diagnostics
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StopReason, Warning};

    #[test]
    fn everything_that_was_passed_over_is_told() {
        let started = std::time::Instant::now();
        let mut report = Report::new(StopReason::None, 0, Default::default(), started);
        let cut = || Some("cut".to_owned());
        assert_eq!(diagnostics(vec!["first".into()], &report, cut()), ["first", "cut"]);
        report.skipped.binary = 2;
        report.warnings = vec![Warning { path: "a".into(), reason: "unreadable".into() }];
        report.n_warnings = 3;
        let expected = [
            "2 files of the scope were not searched: binary",
            "a: unreadable",
            "2 more like these",
        ];
        assert_eq!(diagnostics(Vec::new(), &report, None), expected);
    }
}
