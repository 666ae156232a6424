//! Parts of a question that a file has word for word.
//!
//! A program's message may be made of several texts of its source, and a question may repeat a comment. Four
//! words in a row that are the same say more than the same words apart.

use super::answer::Lookup;
use searchscope::toolkit::{RankedFile, Ranking, is_stop_word};
use searchscope::{Case, FileMatches, Line, PatternOptions, Result, Syntax};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Number of words in a row that count.
const WORDS: usize = 4;
/// The minimum number of them that say something.
const WORDS_THAT_SAY: usize = 2;
/// Maximum number of parts of a question that are searched.
const RUNS_MAX: usize = 24;
/// The number of first files of a ranking that are searched.
const FILES_MAX: usize = 60;

impl Lookup<'_> {
    /// Puts the files first that have the most words of `question` in a row, if they have enough. The order
    /// stays as it is if the time does not suffice.
    pub(super) fn runs_first(&mut self, question: &str, ranking: &mut Ranking) -> Result<()> {
        let runs = runs(question);
        if runs.is_empty() {
            return Ok(());
        }
        let first = &ranking.files[..ranking.files.len().min(FILES_MAX)];
        let paths = first.iter().map(|file| file.path.clone()).collect();
        let mut request = self.request(PatternOptions {
            patterns: runs.clone(),
            syntax: Syntax::Literal,
            case: Case::Insensitive,
            ..PatternOptions::default()
        })?;
        request.only = Some(super::ranked::sorted(paths));
        let mut n_runs: HashMap<String, usize> = HashMap::new();
        let sink = &mut |file: FileMatches| {
            let in_line = |line: &Line| {
                let text = String::from_utf8_lossy(&line.text).to_lowercase();
                runs.iter().filter(|run| text.contains(run.as_str())).count()
            };
            let most = file.lines.iter().map(in_line).max().unwrap_or_default();
            n_runs.insert(file.path.display().into_owned(), most);
            ControlFlow::Continue(())
        };
        let report = self.workspace.run_search_each(&request, self.call, sink)?;
        self.answer.note(&report);
        if report.stopped.is_some() {
            return Ok(());
        }
        let n_runs_of = |file: &RankedFile| n_runs.get(&*file.path.display()).copied();
        // Files with equally many keep their order.
        ranking.files.sort_by_cached_key(|file| Reverse(n_runs_of(file).unwrap_or_default()));
        Ok(())
    }
}

/// Returns the parts of a question that are searched, in lower case: words in a row without a value among them.
fn runs(question: &str) -> Vec<String> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let runs = words.windows(WORDS).filter_map(|run| {
        let text = run.join(" ");
        let text = text.trim_end_matches([',', '.', ':', ';', '?', '!']);
        let is_inner =
            |c: char| c.is_alphabetic() || matches!(c, ' ' | ',' | '-' | '_' | '\'' | '’' | '/');
        let is_quoted = text.starts_with('\'') || text.contains(" '") || text.contains("' ");
        let says = |word: &&&str| !is_stop_word(&word.trim_matches(',').to_lowercase());
        let n_that_say = run.iter().filter(says).count();
        let is_run = !is_quoted && n_that_say >= WORDS_THAT_SAY && text.chars().all(is_inner);
        is_run.then(|| text.to_lowercase())
    });
    runs.take(RUNS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_words_without_values_among_them() {
        for (question, expected) in [
            (
                "Unsupported scheme 'gopher': no handler available for that scheme",
                &[
                    "no handler available for",
                    "handler available for that",
                    "available for that scheme",
                ][..],
            ),
            ("Timeout, worker 7 gave up", &[]),
            ("what is it that the", &[]),
            ("it can't Read the header.", &["it can't read the", "can't read the header"]),
            ("too few", &[]),
        ] {
            assert_eq!(runs(question), expected, "{question}");
        }
    }
}
