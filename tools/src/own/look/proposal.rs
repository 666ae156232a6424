//! Names of the tree that are near to a name that was not found: proposals, never results.
//!
//! `spelling.rs` corrects a name that is two letters off. A name that is further away is not corrected, because
//! the reply would be about something else, but the caller may recognise it.

use super::answer::Lookup;
use super::query::{is_name, words_of};
use super::question::Question;
use crate::replies::text::quoted;
use searchscope::Result;
use std::collections::{HashMap, HashSet};

/// In a larger tree a miss does not cost one more search.
const FILES_MAX: u64 = 2_000;
const PROPOSALS_MAX: usize = 3;
/// Maximum number of words of a question for which names are proposed, the longest first.
const WORDS_MAX: usize = 3;
/// Shorter parts of a name are like too many others.
const LETTERS_MIN: usize = 4;
/// Longer names are not compared.
const LETTERS_MAX: usize = 60;
/// Number of letters at the beginning, in the middle and at the end of a part of a name: most near ones have at
/// least one group.
const GROUP: usize = 3;
/// Minimum likeness of two parts of names, and of two names.
const PART_MIN: f64 = 0.6;
const NAME_MIN: f64 = 0.66;

impl Lookup<'_> {
    /// Adds a remark with the names nearest to those of the query, if the tree is small and has some.
    pub(super) fn propose(&mut self) -> Result<()> {
        if self.query.is_regex || self.answer.n_searched > FILES_MAX {
            return Ok(());
        }
        let wanted = wanted(&self.query.text);
        let groups: Vec<String> = wanted.iter().flatten().flat_map(|part| groups(part)).collect();
        if groups.is_empty() {
            return Ok(());
        }
        let Some(names) = self.names_with(&groups, None)? else { return Ok(()) };
        let proposals = nearest(&wanted, names);
        if !proposals.is_empty() {
            let shown: Vec<String> = proposals.iter().map(|name| quoted(name)).collect();
            self.answer.remarks.push(format!("proposals, not results: {}", shown.join(", ")));
        }
        Ok(())
    }
}

/// Returns the parts, in lower case, of the names that a text is about.
fn wanted(text: &str) -> Vec<Vec<String>> {
    let question = Question::read(text);
    let mut names: Vec<&String> = question.content.iter().filter(|word| is_name(word)).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.chars().count()));
    let parts = names.into_iter().map(|name| parts_of(name));
    parts.filter(|parts| !parts.is_empty()).take(WORDS_MAX).collect()
}

fn parts_of(name: &str) -> Vec<String> {
    if name.chars().count() > LETTERS_MAX {
        return Vec::new();
    }
    words_of(name).iter().map(|part| part.to_lowercase()).collect()
}

/// Returns expressions for the groups of letters of a part.
fn groups(part: &str) -> Vec<String> {
    let letters: Vec<char> = part.chars().collect();
    if letters.len() < LETTERS_MIN {
        return Vec::new();
    }
    let last = letters.len() - GROUP;
    let group = |at: usize| regex_syntax::escape(&String::from_iter(&letters[at..at + GROUP]));
    [0, last / 2, last].map(group).to_vec()
}

/// Returns the names nearest to one of the wanted ones, the nearest and then the most frequent first.
fn nearest(wanted: &[Vec<String>], names: HashMap<String, u64>) -> Vec<String> {
    let mut near: Vec<(f64, u64, String)> = Vec::new();
    // A word that the tree has needs no proposal and is none.
    let known: HashSet<Vec<String>> = names.keys().map(|name| parts_of(name)).collect();
    let (asked, wanted): (Vec<_>, Vec<_>) = wanted.iter().partition(|parts| known.contains(*parts));
    for (name, n) in names {
        let parts = parts_of(&name);
        if asked.contains(&&parts) {
            continue;
        }
        let likeness = wanted.iter().map(|wanted| likeness(wanted, &parts)).fold(0.0, f64::max);
        if likeness >= NAME_MIN {
            near.push((likeness, n, name));
        }
    }
    near.sort_by(|one, other| {
        other.0.total_cmp(&one.0).then(other.1.cmp(&one.1)).then(one.2.cmp(&other.2))
    });
    near.into_iter().take(PROPOSALS_MAX).map(|(_, _, name)| name).collect()
}

/// Returns the likeness of two names between 0 and 1, by the letters of their parts in any order.
fn likeness(one: &[String], other: &[String]) -> f64 {
    let (there, back) = (explained(one, other), explained(other, one));
    if there + back > 0.0 { 2.0 * there * back / (there + back) } else { 0.0 }
}

/// Returns the share of the letters of `parts` that like parts of `others` explain.
fn explained(parts: &[String], others: &[String]) -> f64 {
    let (mut all, mut sum) = (0.0, 0.0);
    for part in parts {
        let likeness = |other: &String| strsim::normalized_damerau_levenshtein(part, other);
        let best = others.iter().map(likeness).fold(0.0, f64::max);
        let n_letters = part.chars().count() as f64;
        all += n_letters;
        sum += if best >= PART_MIN { n_letters * best } else { 0.0 };
    }
    if all > 0.0 { sum / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_proposed_and_others_are_not() {
        let names = || -> HashMap<String, u64> {
            let names = ["search_documents", "searchDocument", "render", "documents", "all"];
            names.iter().zip(1..).map(|(name, n)| ((*name).to_owned(), n)).collect()
        };
        for (text, expected) in [
            ("serach_documnts_all", &["search_documents", "searchDocument"][..]),
            ("rendrer", &["render"]),
            ("how is a documnet renderd", &["render", "documents"]),
            ("frobnicate", &[]),
            ("how is a documnet rendered by render", &["documents"]),
            ("render or searchDocument", &[]),
            ("of", &[]),
        ] {
            let mut found = nearest(&wanted(text), names());
            let mut expected = expected.to_vec();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn groups_are_the_beginning_the_middle_and_the_end() {
        assert_eq!(groups("documnts"), ["doc", "cum", "nts"]);
        assert_eq!(groups("äöüß"), ["äöü", "äöü", "öüß"]);
        assert!(groups("all").is_empty());
    }
}
