//! Similar names for one that does not occur, at most two letters away.
//!
//! A name with at most `k` edits contains at least one of `k + 1` pieces of the right name
//! unchanged. One search for the pieces thus finds all names that may be meant, and only those are
//! compared. The alternative, an automaton of all names within the edits, is too large for two
//! edits.

use super::answer::Lookup;
use super::hits::limits;
use super::query::{folded, words_of};
use searchscope::toolkit::to_text;
use searchscope::{
    Call, Case, FileMatches, FileOptions, Line, PatternOptions, RelPath, Report, Result,
    SearchRequest, Syntax, Workspace,
};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// Minimum length of a name: shorter ones have too many neighbours.
const LETTERS_MIN: usize = 5;
/// Minimum length of a name that may differ in two letters.
const LETTERS_FOR_TWO: usize = 9;
/// Maximum number of names that are compared, so that a hostile tree costs bounded memory.
const NAMES_MAX: usize = 20_000;
/// Maximum length of a name that is compared.
const LETTERS_MAX: usize = 80;

/// A similar name that occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Near {
    pub(crate) name: String,
    /// The number of letters to change, add, remove or swap.
    pub(crate) edits: usize,
    /// The number of lines with the name; up to 16 occurrences in one line count.
    pub(super) n_lines: u64,
}

/// Finds the names nearest to `name`: fewest edits first, then the most similar in case and
/// separators, then the most frequent.
///
/// `request` chooses the files. Returns no name if `name` is too short to have a neighbour.
///
/// # Errors
///
/// Those of a search.
pub(super) fn near(
    workspace: &Workspace,
    name: &str,
    request: &SearchRequest,
    call: &Call,
) -> Result<(Vec<Near>, Option<Report>)> {
    let key = folded(name);
    let n_letters = key.chars().count();
    if !(LETTERS_MIN..=LETTERS_MAX).contains(&n_letters) {
        return Ok((Vec::new(), None));
    }
    let edits_max = edits_max(n_letters);
    let mut request = request.clone();
    request.pattern = pieces(name, edits_max + 1);
    request.limits = limits();
    request.in_parts = true;
    let mut found: BTreeMap<String, Option<Near>> = BTreeMap::new();
    let report = workspace.run_search_each(&request, call, &mut |file: FileMatches| {
        for line in file.lines.iter().filter(|line| line.is_match) {
            for other in matches_in(line) {
                if let Some(known) = found.get_mut(&*other) {
                    if let Some(near) = known {
                        near.n_lines += 1;
                    }
                } else if found.len() < NAMES_MAX {
                    let edits = edits_between(&key, &other, edits_max);
                    let near = edits.map(|edits| Near {
                        name: other.clone().into_owned(),
                        edits,
                        n_lines: 1,
                    });
                    found.insert(other.into_owned(), near);
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    let mut near: Vec<Near> = found.into_values().flatten().collect();
    near.sort_by_cached_key(|near| {
        let distance = strsim::osa_distance(name, &near.name);
        (near.edits, distance, Reverse(near.n_lines), near.name.clone())
    });
    Ok((near, Some(report)))
}

impl Lookup<'_> {
    /// Returns the names with one of the `pieces`, which are regexes, in any case, and the number of lines with
    /// each; in the files `only`, or in all that the call includes. Returns `None` if the search did not end.
    ///
    /// # Errors
    ///
    /// Those of a search.
    pub(super) fn names_with(
        &mut self,
        pieces: &[String],
        only: Option<Vec<RelPath>>,
    ) -> Result<Option<HashMap<String, u64>>> {
        let mut request = self.request(PatternOptions {
            patterns: vec![format!(r"[\w-]*(?:{})[\w-]*", pieces.join("|"))],
            syntax: Syntax::Regex,
            case: Case::Insensitive,
            ..PatternOptions::default()
        })?;
        request.limits = limits();
        request.in_parts = true;
        request.only = only;
        let mut names: HashMap<String, u64> = HashMap::new();
        let add = &mut |file: FileMatches| {
            for line in file.lines.iter().filter(|line| line.is_match) {
                for name in matches_in(line) {
                    if let Some(n_lines) = names.get_mut(&*name) {
                        *n_lines += 1;
                    } else if names.len() < NAMES_MAX {
                        names.insert(name.into_owned(), 1);
                    }
                }
            }
            ControlFlow::Continue(())
        };
        let report = self.workspace.run_search_each(&request, self.call, add)?;
        self.answer.note(&report);
        Ok(report.stopped.is_none().then_some(names))
    }
}

/// Returns how many letters of a name may differ.
fn edits_max(n_letters: usize) -> usize {
    if n_letters >= LETTERS_FOR_TWO { 2 } else { 1 }
}

/// Returns the matches in a line.
fn matches_in(line: &Line) -> impl Iterator<Item = Cow<'_, str>> {
    line.spans.iter().filter_map(|span| {
        let start = span.start.checked_sub(line.text_start)?;
        let end = span.end.checked_sub(line.text_start)?;
        line.text.get(start..end).map(to_text)
    })
}

/// Searches like [`near`], in all files of the tree that `files` includes.
///
/// # Errors
///
/// Those of a search.
pub(crate) fn near_in_tree(
    workspace: &Workspace,
    name: &str,
    files: FileOptions,
    call: &Call,
) -> Result<Vec<Near>> {
    let mut request = SearchRequest::new(PatternOptions::literal(name), limits());
    request.files = files;
    Ok(near(workspace, name, &request, call)?.0)
}

/// Returns a search for names that contain one of `n` pieces of `name`, in any case and naming.
fn pieces(name: &str, n: usize) -> PatternOptions {
    // Another naming may have a separator between words.
    let mut letters: Vec<String> = Vec::new();
    for word in words_of(name) {
        for (at, c) in word.chars().enumerate() {
            let escaped = regex_syntax::escape(&c.to_string());
            let is_first = at == 0 && !letters.is_empty();
            letters.push(if is_first { format!("[_-]?{escaped}") } else { escaped });
        }
    }
    let n_letters = letters.len();
    let bounds: Vec<usize> = (0..=n).map(|piece| piece * n_letters / n).collect();
    let alternatives: Vec<String> = bounds
        .windows(2)
        .map(|bounds| letters[bounds[0]..bounds[1]].concat().trim_start_matches("[_-]?").to_owned())
        .collect();
    PatternOptions {
        patterns: vec![format!(r"[\w-]*(?:{})[\w-]*", alternatives.join("|"))],
        syntax: Syntax::Regex,
        case: Case::Insensitive,
        ..PatternOptions::default()
    }
}

/// Returns the least number of edits between `key` and `other` or successive words of it, if
/// between 1 and `edits_max`.
fn edits_between(key: &str, other: &str, edits_max: usize) -> Option<usize> {
    let words: Vec<String> = words_of(other).iter().map(|word| folded(word)).collect();
    let n_letters = key.chars().count();
    let mut best = None;
    // A slip in the first letter is rare, and a name with another one is most often another name.
    let begins_alike = |first: &usize| words[*first].chars().next() == key.chars().next();
    for first in (0..words.len().min(LETTERS_MAX)).filter(begins_alike) {
        let mut joined = String::new();
        for word in &words[first..] {
            joined.push_str(word);
            let len = joined.chars().count();
            if len > n_letters + edits_max {
                break;
            }
            if len + edits_max < n_letters {
                continue;
            }
            let edits = strsim::osa_distance(key, &joined);
            if (1..=edits_max).contains(&edits) && best.is_none_or(|best| edits < best) {
                best = Some(edits);
            }
        }
    }
    best
}

/// Returns a word in the spelling of the other side of the Atlantic: `colored` for `coloured`; `None` for a word that
/// has one spelling. The first pair that fits counts.
pub(super) fn across_the_atlantic(word: &str) -> Option<String> {
    /// The British and the American form.
    const PAIRS: &[(&str, &str)] = &[
        ("behaviour", "behavior"),
        ("colour", "color"),
        ("favour", "favor"),
        ("flavour", "flavor"),
        ("honour", "honor"),
        ("labour", "labor"),
        ("neighbour", "neighbor"),
        ("analys", "analyz"),
        ("catalys", "catalyz"),
        ("paralys", "paralyz"),
        ("isation", "ization"),
        ("ising", "izing"),
        ("ised", "ized"),
        ("iser", "izer"),
        ("ise", "ize"),
        ("elling", "eling"),
        ("elled", "eled"),
        ("eller", "eler"),
        ("ellation", "elation"),
        ("alling", "aling"),
        ("alled", "aled"),
        ("aller", "aler"),
        ("centred", "centered"),
        ("centre", "center"),
        ("metre", "meter"),
        ("fibre", "fiber"),
        ("catalogue", "catalog"),
        ("dialogue", "dialog"),
        ("defence", "defense"),
        ("licence", "license"),
        ("grey", "gray"),
    ];
    PAIRS.iter().find_map(|(british, american)| {
        let (at, from, to) = match word.rfind(british) {
            Some(at) => (at, british, american),
            None => (word.rfind(american)?, american, british),
        };
        Some(format!("{}{to}{}", &word[..at], &word[at + from.len()..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_have_two_spellings() {
        for (british, american) in [
            ("coloured", "colored"),
            ("behaviours", "behaviors"),
            ("serialisation", "serialization"),
            ("normaliser", "normalizer"),
            ("cancelled", "canceled"),
            ("labelling", "labeling"),
            ("analyse", "analyze"),
            ("centre", "center"),
        ] {
            assert_eq!(across_the_atlantic(british).as_deref(), Some(american));
            assert_eq!(across_the_atlantic(american).as_deref(), Some(british));
        }
        assert_eq!(across_the_atlantic("flooded"), None);
    }

    #[test]
    fn names_are_near_by_letters_and_not_by_naming() {
        for (key, other, edits) in [
            ("parsebody", "parse_bdy", Some(1)),
            ("parsebody", "parseBoyd", Some(1)),
            ("parsebody", "tryParseBodx", Some(1)),
            ("rabbitmq", "MadRabbit", None),
            ("parsebody", "sparseBody", None),
            ("parsebody", "purse_bady", Some(2)),
            ("parsebody", "parse_body", None),
            ("parsebody", "render", None),
        ] {
            assert_eq!(edits_between(key, other, edits_max(key.len())), edits, "{other}");
        }
    }

    proptest! {
        // The pieces match every name within the edits.
        #[test]
        fn pieces_are_in_every_near_name(
            name in "[a-z]{4,8}_[a-z]{4,8}", at in 0usize..16, other in "[a-z]", kind in 0u8..3,
        ) {
            let mut chars: Vec<char> = name.chars().collect();
            let at = at % chars.len();
            prop_assume!(chars[at] != '_');
            let c = other.chars().next().expect("one letter");
            match kind {
                0 => chars[at] = c,
                1 => chars.insert(at, c),
                _ => drop(chars.remove(at)),
            }
            let wrong: String = chars.iter().collect();
            let pattern = pieces(&wrong, 2);
            let regex = format!("(?i:{})", pattern.patterns[0]);
            let regex = regex_automata::meta::Regex::new(&regex).expect("it compiles");
            let found = regex.find(&name).map(|found| &name[found.range()]);
            prop_assert_eq!(found, Some(name.as_str()));
        }
    }
}
