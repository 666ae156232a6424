//! Diagnostics of the tools that search in scopes, as sentences.

use crate::replies::report::all_ignored;
use searchscope::{NoGrammar, Report};

/// Returns the sentences for the caller: the diagnostics of the scope, the files that were not
/// searched or not whole, and whether the reply was cut.
pub(crate) fn diagnostics(
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
    if all_ignored(report).is_some() {
        let reason = "ignore files leave out every file of the scope; another scope, such as All Places, \
                    includes ignored files";
        diagnostics.push(reason.to_owned());
    }
    let n_more = report.n_warnings.saturating_sub(report.warnings.len() as u64);
    if n_more > 0 {
        diagnostics.push(format!("{n_more} more like these"));
    }
    diagnostics.extend(cut);
    diagnostics
}

/// Returns the sentence about files without a grammar, which are files `of` something, or `None`
/// without such files.
pub(crate) fn without_grammar(files: &NoGrammar, of: &str) -> Option<String> {
    let first = files.first.join(", ");
    let more = files.files.saturating_sub(files.first.len() as u64);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    match files.files {
        0 => None,
        1 => Some(format!("there is no grammar for the language of 1 file {of}: {first}")),
        n => {
            Some(format!("there is no grammar for the languages of {n} files {of}: {first}{more}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_skipped_files_are_reported() {
        let mut report = searchscope::testing::report(None);
        let cut = || Some("cut".to_owned());
        assert_eq!(diagnostics(vec!["first".into()], &report, cut()), ["first", "cut"]);
        report.skipped.binary = 2;
        report.warnings = vec![searchscope::testing::warning("a", "unreadable")];
        report.n_warnings = 3;
        let expected = [
            "2 files of the scope were not searched: binary",
            "a: unreadable",
            "2 more like these",
        ];
        assert_eq!(diagnostics(Vec::new(), &report, None), expected);
    }

    #[test]
    fn files_without_grammar_are_named() {
        let mut files = NoGrammar::default();
        assert_eq!(without_grammar(&files, "with matches"), None);
        files.files = 1;
        files.first = vec!["a.md".into()];
        let reason = without_grammar(&files, "with matches").expect("a reason");
        assert_eq!(reason, "there is no grammar for the language of 1 file with matches: a.md");
        files.files = 9;
        files.first.push("b.txt".into());
        let reason = without_grammar(&files, "with matches").expect("a reason");
        assert!(
            reason.ends_with("languages of 9 files with matches: a.md, b.txt and 7 more"),
            "{reason}"
        );
    }
}
