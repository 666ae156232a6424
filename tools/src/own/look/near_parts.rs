//! Names of the tree whose parts are all near to those of a name that it does not have.
//!
//! `spelling.rs` corrects a name by two letters. Callers also remember a name by its words: one of them
//! abbreviated, another with another ending, `confLoader` for `ConfigurationLoading`. Each part is compared with
//! those of the other name, and the parts that are right support the ones that are not. A name of which a part is
//! like none is another name.

use super::answer::Lookup;
use super::fallback::{FILES_FOR_SPELLING, is_worth};
use super::query::{Query, words_of};
use super::ranked::{Ranked, sorted};
use crate::replies::text::quoted;
use searchscope::toolkit::{Ranking, stem};
use searchscope::{Case, PatternOptions, Result};
use std::collections::HashMap;

/// The number of parts of a name that is compared.
const PARTS: std::ops::RangeInclusive<usize> = 2..=6;
/// Minimum length of an abbreviation, and of the beginning of a part that names are searched for.
const LETTERS_MIN: usize = 3;
/// Names of fewer letters are near to too many others.
const NAME_LETTERS_MIN: usize = 8;
/// Minimum likeness of a name; others that are shown with the best are hardly less like.
const LIKENESS_MIN: f64 = 0.82;
const LIKENESS_STEP: f64 = 0.02;
const NAMES_SHOWN: usize = 3;
/// The likeness of two parts with the same stem, of a part and its beginning, and of a part and some of its letters.
const SAME_STEM: f64 = 0.95;
const BEGINNING: f64 = 0.9;
const LETTERS: f64 = 0.85;
/// Minimum likeness of two parts by their letters.
const EDITED_MIN: f64 = 0.7;

impl Lookup<'_> {
    /// Shows the lines with the names nearest to the query by their parts, and below them the best files of a ranking.
    pub(super) fn found_near_parts(&mut self, ranked: &Ranked, similar: f32) -> Result<bool> {
        if !ranked.terms.is_one_name() {
            return Ok(false);
        }
        let found = self.found_like_parts(&ranked.ranking)?;
        if found && self.only.is_none() && is_worth(ranked, similar) {
            self.add_ranked(ranked, "then")?;
        }
        Ok(found)
    }

    /// Searches for the names nearest to the query in the files of a ranking, or in a small tree in all.
    fn found_like_parts(&mut self, ranking: &Ranking) -> Result<bool> {
        let wanted = parts_of(&self.query.text);
        let n_letters: usize = wanted.iter().map(|part| part.chars().count()).sum();
        let beginnings: Vec<String> = wanted.iter().filter_map(|part| beginning(part)).collect();
        if !self.query.is_name()
            || !PARTS.contains(&wanted.len())
            || n_letters < NAME_LETTERS_MIN
            || beginnings.is_empty()
        {
            return Ok(false);
        }
        let only = (ranking.report.searched_files > FILES_FOR_SPELLING)
            .then(|| sorted(ranking.files.iter().map(|file| file.path.clone()).collect()));
        let Some(names) = self.names_with(&beginnings, only)? else { return Ok(false) };
        let near = nearest(&wanted, names);
        let Some(best) = near.first() else { return Ok(false) };
        let others: Vec<String> = near[1..].iter().map(|name| quoted(name)).collect();
        let others =
            if others.is_empty() { String::new() } else { format!(" (or {})", others.join(", ")) };
        let shown = self.query.shown();
        let remark =
            format!("nothing contains {shown}; a name with like parts: {}{others}:", quoted(best));
        let written = std::mem::replace(&mut self.query, Query::literal(best));
        let case = Case::Sensitive;
        let pattern = PatternOptions { patterns: near, case, word: true, ..self.query.pattern() };
        let found = self.found(pattern, Some(&remark))?;
        if !found {
            self.query = written;
        }
        Ok(found)
    }
}

fn parts_of(name: &str) -> Vec<String> {
    words_of(name).iter().map(|part| part.to_lowercase()).collect()
}

/// Returns the expression for the beginning of a part.
fn beginning(part: &str) -> Option<String> {
    let (end, _) = part.char_indices().nth(LETTERS_MIN - 1)?;
    let end = end + part[end..].chars().next().map_or(0, char::len_utf8);
    Some(regex_syntax::escape(&part[..end]))
}

/// Returns the names that are like the wanted one, the nearest and then the most frequent first.
fn nearest(wanted: &[String], names: HashMap<String, u64>) -> Vec<String> {
    let mut near: Vec<(f64, u64, String)> = Vec::new();
    for (name, n) in names {
        let parts = parts_of(&name);
        let is_near = parts.len().abs_diff(wanted.len()) <= 1;
        let likeness = if is_near { likeness(wanted, &parts) } else { 0.0 };
        if likeness >= LIKENESS_MIN {
            near.push((likeness, n, name));
        }
    }
    near.sort_by(|one, other| {
        other.0.total_cmp(&one.0).then(other.1.cmp(&one.1)).then(one.2.cmp(&other.2))
    });
    let least = near.first().map_or(0.0, |best| best.0 - LIKENESS_STEP);
    let near = near.into_iter().take_while(|(likeness, ..)| *likeness >= least);
    near.take(NAMES_SHOWN).map(|(_, _, name)| name).collect()
}

/// Returns the likeness of two names between 0 and 1, by their parts in any order; 0 if a part of the first is like
/// none of the other.
fn likeness(wanted: &[String], parts: &[String]) -> f64 {
    let best = |part: &String, others: &[String]| {
        others.iter().map(|other| likeness_of_parts(part, other)).fold(0.0, f64::max)
    };
    if wanted.iter().any(|part| best(part, parts) == 0.0) {
        return 0.0;
    }
    let explained = |own: &[String], others: &[String]| {
        let letters = |part: &String| part.chars().count() as f64;
        let all: f64 = own.iter().map(letters).sum();
        own.iter().map(|part| letters(part) * best(part, others)).sum::<f64>() / all.max(1.0)
    };
    let (there, back) = (explained(wanted, parts), explained(parts, wanted));
    2.0 * there * back / (there + back).max(f64::MIN_POSITIVE)
}

fn likeness_of_parts(one: &str, other: &str) -> f64 {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if short == long {
        return 1.0;
    }
    if short.chars().count() < LETTERS_MIN || short.chars().next() != long.chars().next() {
        return 0.0;
    }
    if stem(short) == stem(long) {
        return SAME_STEM;
    }
    if long.starts_with(short) {
        return BEGINNING;
    }
    let edited = strsim::normalized_damerau_levenshtein(one, other);
    let by_letters = if is_abbreviation(short, long) { LETTERS } else { 0.0 };
    by_letters.max(if edited >= EDITED_MIN { edited } else { 0.0 })
}

/// Returns whether the letters of `short` are some of those of `long`, in its order: half of them, or consonants.
fn is_abbreviation(short: &str, long: &str) -> bool {
    let mut rest = long.chars();
    let are_in_order = short.chars().all(|c| rest.any(|other| other == c));
    let are_consonants = short.chars().skip(1).all(|c| !"aeiou".contains(c));
    are_in_order && (are_consonants || short.len() * 2 >= long.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_near_if_all_their_parts_are() {
        let tree = [
            "ConfigurationLoading",
            "load_configuration_file",
            "IntegrationsCreateRequest",
            "IntegrationsDeleteRequest",
            "user_management_service",
            "userName",
            "render",
        ];
        for (name, expected) in [
            ("confLoader", &["ConfigurationLoading"][..]),
            ("IntegrationsCreatReqst", &["IntegrationsCreateRequest"]),
            ("integratns_delet_requests", &["IntegrationsDeleteRequest"]),
            ("usrMngmentSrvice", &["user_management_service"]),
            ("confRenderer", &[]),
            ("integrationsUpdateRequest", &[]),
            ("requestCreator", &[]),
            ("userAge", &[]),
        ] {
            let names = tree.iter().map(|name| ((*name).to_owned(), 1)).collect();
            assert_eq!(nearest(&parts_of(name), names), expected, "{name}");
        }
    }

    #[test]
    fn parts_are_like_by_stem_beginning_letters_and_edits() {
        for (one, other, expected) in [
            ("loader", "loading", SAME_STEM),
            ("conf", "configuration", BEGINNING),
            ("mgr", "manager", LETTERS),
            ("reqst", "request", LETTERS),
            ("mgr", "merge", 0.0),
            ("age", "name", 0.0),
            ("to", "total", 0.0),
            ("reader", "writer", 0.0),
        ] {
            assert_eq!(likeness_of_parts(one, other), expected, "{one} {other}");
            assert_eq!(likeness_of_parts(other, one), expected, "{other} {one}");
        }
    }
}
