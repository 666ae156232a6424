//! Headings of documents that are the topic of a question: "how do migration prefixes work" and
//! `## Migration prefixes`.

use super::Only;
use super::answer::Lookup;
use super::hits::Hit;
use super::phrase::is_change_log;
use super::place;
use super::ranked::{DETAILED_ROWS, Ranked, sorted};
use searchscope::toolkit::Role;
use searchscope::{Case, FileMatches, PatternOptions, Result, StopReason};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, RangeInclusive};

/// The number of words of a topic: one alone is a name, and more are a sentence.
const WORDS: RangeInclusive<usize> = 2..=6;
/// Maximum number of documents with a heading that come first; a heading of more is one of any document.
const FILES_MAX: usize = 3;
/// The number of first documents of a ranking that are searched.
const SEARCHED_MAX: usize = 100;
/// The number of lines after a heading among which its first rows are.
const LINES_AFTER: u64 = 6;

/// Words before a topic, the longest first.
const BEGINNINGS: &[&[&str]] = &[
    &["i", "want", "to", "know", "more", "about"],
    &["i", "want", "to", "know", "more", "on"],
    &["how", "can", "i"],
    &["how", "do", "i"],
    &["how", "do", "you"],
    &["tell", "me", "about"],
    &["how", "are"],
    &["how", "do"],
    &["how", "does"],
    &["how", "is"],
    &["how", "to"],
    &["what", "are"],
    &["what", "is"],
    &["where", "are"],
    &["where", "is"],
    &["about"],
    &["explain"],
    &["what's"],
];
/// Words after a topic.
const ENDS: &[&str] = &[
    "described",
    "docs",
    "documentation",
    "documented",
    "explained",
    "guide",
    "section",
    "work",
    "works",
];
const ARTICLES: &[&str] = &["a", "an", "our", "the"];

impl Lookup<'_> {
    /// Puts the documents first that have a heading which is the topic of the question, and remembers its line in
    /// each. The order stays as it is if the time does not suffice.
    pub(super) fn headings_first(&self, q: &str, ranked: &mut Ranked) -> Result<()> {
        let Some(topic) = topic(q).filter(|_| matches!(self.only, None | Some(Only::Docs))) else {
            return Ok(());
        };
        let files = ranked.ranking.files.iter().filter(|file| {
            let path = file.path.display();
            file.n_in_line >= 2 && Role::of(&path) == Role::Docs && !is_change_log(&path)
        });
        let paths: Vec<_> = files.take(SEARCHED_MAX).map(|file| file.path.clone()).collect();
        if paths.is_empty() {
            return Ok(());
        }
        let case = Case::Insensitive;
        let mut request =
            self.request(PatternOptions { case, ..PatternOptions::regex(heading(&topic)) })?;
        request.only = Some(sorted(paths));
        request.limits.matches_per_file_max = Some(1);
        let mut heading_at: BTreeMap<String, u64> = BTreeMap::new();
        let each = &mut |file: FileMatches| {
            let line = file.lines.first().map(|line| line.number);
            heading_at.extend(line.map(|line| (file.path.display().into_owned(), line)));
            ControlFlow::Continue(())
        };
        let report = self.workspace.run_search_each(&request, &self.half_of_the_time(), each)?;
        let is_late = report.stopped == Some(StopReason::Deadline);
        if is_late || heading_at.len() > FILES_MAX {
            return Ok(());
        }
        // The others keep their order.
        ranked.ranking.files.sort_by_key(|file| !heading_at.contains_key(&*file.path.display()));
        ranked.heading_at = heading_at;
        Ok(())
    }

    /// Returns the heading in a line of a document and the first lines below it.
    pub(super) fn rows_of_heading(&self, path: &str, line: u64) -> Result<Vec<Hit>> {
        let wanted = (line, line..=line.saturating_add(LINES_AFTER));
        let lines = place::lines_of(self.workspace, path, wanted, self.call)?;
        let mut rows = lines.map_or_else(Vec::new, |lines| lines.hits.lines);
        rows.retain(|row| row.text.contains(char::is_alphanumeric));
        rows.truncate(DETAILED_ROWS);
        Ok(rows)
    }
}

/// Returns the topic of a question without the words around it that ask; `None` if there are none.
fn topic(q: &str) -> Option<Vec<&str>> {
    let mut words: Vec<&str> = q.split_whitespace().collect();
    let lower = |word: &&str| word.trim_end_matches(['?', '.', '!']).to_lowercase();
    let all: Vec<String> = words.iter().map(lower).collect();
    let begins = |beginning: &&&[&str]| {
        all.len() > beginning.len() && all.iter().zip(**beginning).all(|(word, own)| word == own)
    };
    let n_before = BEGINNINGS.iter().find(begins).map_or(0, |beginning| beginning.len());
    let has_end = all.last().is_some_and(|word| ENDS.contains(&word.as_str()));
    // "where is" asks for code.
    let asks_where = all.first().is_some_and(|word| word == "where");
    if (n_before == 0 || asks_where) && !has_end {
        return None;
    }
    words.truncate(words.len() - usize::from(has_end));
    words.drain(..n_before.min(words.len()));
    if words.first().is_some_and(|word| ARTICLES.contains(&word.to_lowercase().as_str())) {
        words.remove(0);
    }
    let last = words.pop()?;
    words.push(last.trim_end_matches(['?', '.', '!']));
    WORDS.contains(&words.len()).then_some(words)
}

/// Returns the expression for a heading of Markdown or AsciiDoc.
fn heading(topic: &[&str]) -> String {
    let words: Vec<String> = topic.iter().map(|word| regex_syntax::escape(word)).collect();
    let marks = "[*_`\"']*";
    format!(
        r"^(?:#{{1,6}}|={{1,6}})[ \t]+(?:[\d.]+[ \t]+)?{marks}{}{marks}[ \t]*:?[ \t]*(?:\{{#[^}}]*\}}|#*)[ \t]*$",
        words.join(&format!("{marks}[ \\t]+{marks}"))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_stands_between_words_that_ask() {
        for (q, expected) in [
            ("what are migration prefixes", Some("migration prefixes")),
            ("How does the fallback mode work?", Some("fallback mode")),
            ("where is error handling described", Some("error handling")),
            ("where is error handling", None),
            ("Error handling docs", Some("Error handling")),
            ("how do I use a proxy?", Some("use a proxy")),
            ("fallback mode", None),
            ("what is hedging", None),
            ("how does a client that has seen the end of the stream work", None),
            ("work", None),
            ("how do I", None),
            ("", None),
        ] {
            assert_eq!(topic(q).map(|words| words.join(" ")).as_deref(), expected, "{q}");
        }
    }

    #[test]
    fn a_heading_has_markup_around_it_alone() {
        let regex = regex::Regex::new(&format!("(?i){}", heading(&["use", "a", "proxy"]))).unwrap();
        for line in [
            "## Use a proxy",
            "= Use a proxy",
            "# Use a `proxy`",
            "### 2.1 Use a proxy {#proxy}",
            "# Use a proxy #",
            "= Use a proxy:",
        ] {
            assert!(regex.is_match(line), "{line}");
        }
        for line in ["Use a proxy", "- Use a proxy", "## Use a proxy server"] {
            assert!(!regex.is_match(line), "{line}");
        }
    }
}
