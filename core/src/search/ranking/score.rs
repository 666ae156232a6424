//! Scores of files, from their counters and the statistics of the whole pass.
//!
//! The score of a file is a sum over the terms of the question, each weighted by its rarity: BM25 over the text
//! and over the best window, compressed by a power so that a long file with every word cannot outweigh a name;
//! the terms in the names that the file defines, in its own name and in its directories; and the share of its
//! name that the question explains. The share of the terms that it has at all, and its part in the project, are
//! factors, and so is a path with the area that the question names. The weights were chosen once on public
//! questions about public code; the measure hardly depends on them, but it depends on each part being there.

use super::counts::{FileCounts, SATURATION};
use super::packed::CountList;
use super::path::Part;
use super::terms::Terms;
use super::words::stem;

/// Number of bytes of a block of 40 lines, on average over source code.
const BLOCK_BYTES: f64 = 1_400.0;
/// The share of the rarity that is counted in blocks rather than files: in a small tree every file has every
/// word.
const RARITY_BY_BLOCKS: f64 = 0.7;
/// Saturation of BM25.
const K1: f64 = 1.2;
/// A file is at most this many times as long as the average, so that long files are not lost.
const LENGTH_MAX: f64 = 4.0;
/// The weight of the best window, compared with the whole text.
const WINDOW: f64 = 0.5;
/// The power that compresses the score of the text.
const TEXT_POWER: f64 = 0.515;
const DEFINITIONS: f64 = 1.0;
const FILE_NAME: f64 = 1.9;
const DIRECTORIES: f64 = 0.37;
const EXPLAINED_NAME: f64 = 3.3;
const EXPLAINED_POWER: f64 = 2.13;
/// A path that the words of the question spell.
const SPELLED_PATH: f64 = 3.0;
/// The share of the score that depends on the share of the terms that the file has.
const COVERAGE: f64 = 0.48;
/// All terms of a message in one line; a power keeps half of them from counting.
const ONE_LINE: f64 = 1.5;
const ONE_LINE_POWER: i32 = 3;
/// A definition of a name in the question, the factor if it is a type, and a file named after it.
const NAME: f64 = 1.9;
const TYPE_NAME: f64 = 1.55;
/// The weight of a use of a name of several parts, compared with a definition of it.
const NAME_USED: f64 = 0.6;
const NAMED_FILE: f64 = 3.0;
/// The factor of a definition of a pattern: who searches for a pattern writes what is there.
const PATTERN_NAME: f64 = 5.0;
/// The least factors of files of a part that the question asks for.
const ASKED_FOR: f64 = 0.8;
const TESTS_ASKED_FOR: f64 = 0.9;
/// The factor for documents where a question asks how its author does something, which the form says.
const GUIDES_ASKED_FOR: f64 = 1.2;
/// The factor for manifests where a question asks for versions or packages: they name one once, and code often.
const MANIFESTS_ASKED_FOR: f64 = 3.0;
/// The factor of files in the part of the project that the question names.
const AREA: f64 = 1.3;
/// The weight of names where the question has other words too.
const NAME_AMONG_WORDS: f64 = 0.6;

/// Statistics of a pass.
#[derive(Clone, Debug)]
pub(crate) struct Statistics {
    /// The weight of each term: its rarity.
    pub(super) rarities: Vec<f64>,
    /// The average size of a file.
    size: f64,
    /// The number of files with each term, in their text or path, not only abbreviated.
    pub(crate) n_files: Vec<u64>,
    /// The terms that no file has but as several sub-words together, as a set.
    pub(super) only_joined: u32,
    /// Whether a file may have a term in a part that was not read.
    pub(super) is_partial: bool,
}

impl Statistics {
    /// Computes the statistics of `files`, those with terms among `n_files` files of `n_bytes` in all.
    pub(super) fn of(terms: &Terms, files: &CountList, n_files: u64, n_bytes: u64) -> Statistics {
        let mut n_with = vec![0u64; terms.len()];
        let mut n_in_full = vec![0u64; terms.len()];
        let mut n_blocks = vec![0u64; terms.len()];
        let (mut is_joined, mut is_plain) = (0u32, 0u32);
        let mut is_partial = false;
        files.for_each(terms, &mut |file| {
            for (term, n) in n_with.iter_mut().enumerate() {
                *n += u64::from(file.has(term));
                n_in_full[term] += u64::from(file.has_in_full(term));
            }
            is_joined |= file.only_joined;
            is_plain |= file.in_full & !file.only_joined;
            is_partial |= file.is_partial;
            for (all, n) in n_blocks.iter_mut().zip(&file.n_blocks) {
                *all += u64::from(*n);
            }
        });
        let n_files = (n_files.max(files.len() as u64)) as f64;
        let n_blocks_all = n_files.max(n_bytes as f64 / BLOCK_BYTES);
        let rarities = n_with.iter().zip(&n_blocks).map(|(n_with, n_blocks)| {
            let by_files = rarity(*n_with as f64, n_files);
            let by_blocks = rarity(*n_blocks as f64, n_blocks_all);
            (1.0 - RARITY_BY_BLOCKS) * by_files + RARITY_BY_BLOCKS * by_blocks
        });
        Statistics {
            rarities: rarities.collect(),
            size: n_bytes as f64 / n_files.max(1.0),
            n_files: n_in_full,
            only_joined: is_joined & !is_plain,
            is_partial,
        }
    }

    /// Returns the score of a file; higher is better, never negative.
    pub(super) fn score(&self, terms: &Terms, file: &FileCounts) -> f64 {
        let all: f64 = self.rarities.iter().sum::<f64>().max(1e-9);
        let n_terms = terms.len().max(1) as f64;
        let length = (file.size as f64 / self.size.max(1.0)).min(LENGTH_MAX);
        let (mut text, mut window, mut definitions, mut path, mut covered) =
            (0.0, 0.0, 0.0, 0.0, 0.0);
        for (term, rarity) in self.rarities.iter().enumerate() {
            let of = |counts: &[f32]| f64::from(counts.get(term).copied().unwrap_or_default());
            let n = of(&file.in_text);
            text += rarity * n * (K1 + 1.0) / (K1 * length + n + 1e-9);
            let n = of(&file.in_window);
            window += rarity * n * (K1 + 1.0) / (f64::from(SATURATION) + n);
            let n = of(&file.in_definitions);
            definitions += rarity * n / (1.0 + n);
            let (name, dirs) = (of(&file.path.in_name), of(&file.path.in_dirs));
            path += rarity
                * (FILE_NAME * name + DIRECTORIES * dirs * if name > 0.0 { 0.5 } else { 1.0 });
            covered += if file.has(term) { *rarity } else { 0.0 };
        }
        let most = all * (K1 + 1.0) * (1.0 + WINDOW);
        let text = ((text + WINDOW * window) / most).powf(TEXT_POWER) * most;
        let explained = f64::from(file.path.explained).powf(EXPLAINED_POWER);
        let score = text
            + DEFINITIONS * definitions
            + path
            + EXPLAINED_NAME * explained * all / n_terms.sqrt()
            + SPELLED_PATH * f64::from(file.path.spelled) * all / n_terms.sqrt();
        let in_line =
            self.rarities.iter().enumerate().filter(|(term, _)| file.in_line >> term & 1 == 1);
        let in_line = in_line.map(|(_, rarity)| rarity).sum::<f64>() / all;
        let of_message = ONE_LINE * in_line.powi(ONE_LINE_POWER) * all;
        let score = score + if terms.is_message { of_message } else { 0.0 };
        let score = score * (1.0 - COVERAGE + COVERAGE * covered / all);
        let score = (score + self.of_names(terms, file, all)) * weight_of_part(terms, file.part);
        let is_in_area = terms.area != 0 && file.path.has_all(terms.area);
        if is_in_area { AREA * score } else { score }
    }

    /// Returns the part of the score for the names of the question.
    fn of_names(&self, terms: &Terms, file: &FileCounts, all: f64) -> f64 {
        if terms.names.is_empty() {
            return 0.0;
        }
        let mut sum = 0.0;
        for at in 0..terms.names.len() {
            let counts = file.names.get(at).copied().unwrap_or_default();
            let is_named = file.path.names >> at & 1 == 1;
            sum += if counts.is_defined {
                let named = if is_named { NAMED_FILE } else { 0.0 };
                let pattern = if terms.are_patterns { PATTERN_NAME } else { 1.0 };
                NAME * pattern * if counts.is_type { TYPE_NAME } else { 1.0 } + named
            } else if is_named {
                NAMED_FILE * 0.7
            } else {
                // A similar name: its square keeps names with one common part out of the way.
                let defined = f64::from(counts.similar_defined).powi(2);
                let is_used = counts.similar == 1.0 && terms.names[at].n_parts > 1;
                let used =
                    if is_used { NAME_USED } else { f64::from(counts.similar).powi(2) * 0.4 };
                NAME * 0.8 * defined.max(used)
            };
        }
        let weight = if terms.is_name { 1.0 } else { NAME_AMONG_WORDS };
        weight * sum * all / terms.names.len() as f64 * 0.6
    }
}

/// Returns the rarity of a term that `n_with` of `n_all` units have.
fn rarity(n_with: f64, n_all: f64) -> f64 {
    (1.0 + (n_all.max(n_with) - n_with + 0.5) / (n_with + 0.5)).ln()
}

/// Stems of words of a question that ask for files of a part.
const ASKS_FOR_TESTS: &[&str] = &["test", "spec", "fixtur", "mock", "benchmark"];
const ASKS_FOR_EXAMPLES: &[&str] = &["exampl", "demo", "sampl", "tutori"];
const ASKS_FOR_DOCS: &[&str] =
    &["doc", "docu", "document", "readm", "changelog", "guid", "tutori", "licens", "chang"];
const ASKS_FOR_SETTINGS: &[&str] = &[
    "config",
    "configur",
    "workflow",
    "ci",
    "dock",
    "dockerfil",
    "makefil",
    "eslint",
    "github",
    "lint",
    "npmrc",
    "pretti",
    "pipelin",
];
const ASKS_FOR_MANIFESTS: &[&str] = &[MANIFEST, "depend", "dependenc", "dep", "vers"];
/// The word that a question for versions and packages is given by its form ([`Terms::asking_for`]).
pub const MANIFEST: &str = "manifest";
/// The word that a question such as "how do I …" is given by its form.
pub const GUIDE: &str = "guide";
const ASKS_FOR_DATA: &[&str] = &["json", "yaml", "toml", "css", "html"];

impl Terms {
    /// Returns whether the question asks for settings of the project, many of which are hidden files.
    pub fn ask_for_settings(&self) -> bool {
        self.ask_for(ASKS_FOR_SETTINGS)
    }

    fn asks_by_form(&self, word: &str) -> bool {
        self.asked.iter().any(|asked| asked == stem(word))
    }

    fn ask_for(&self, stems: &[&str]) -> bool {
        let mut own = self.terms.iter().map(|term| &term.stem).chain(&self.asked);
        own.any(|stem| stems.contains(&stem.as_str()))
    }
}

/// Returns the factor of the score of files of `part`.
pub(super) fn weight_of_part(terms: &Terms, part: Part) -> f64 {
    let asks = |stems| terms.ask_for(stems);
    let is_asked_for = match part {
        Part::Tests => asks(ASKS_FOR_TESTS),
        Part::Docs => asks(ASKS_FOR_DOCS),
        Part::Data => asks(ASKS_FOR_SETTINGS) || asks(ASKS_FOR_DATA),
        Part::Manifests => {
            asks(ASKS_FOR_MANIFESTS) || asks(ASKS_FOR_SETTINGS) || asks(ASKS_FOR_DATA)
        }
        Part::Examples => asks(ASKS_FOR_EXAMPLES) || terms.asks_by_form(GUIDE),
        _ => false,
    };
    match part {
        _ if !is_asked_for || terms.are_patterns => part.weight(),
        Part::Docs if terms.asks_by_form(GUIDE) => GUIDES_ASKED_FOR,
        Part::Manifests if terms.asks_by_form(MANIFEST) => MANIFESTS_ASKED_FOR,
        Part::Tests => part.weight().max(TESTS_ASKED_FOR),
        _ => part.weight().max(ASKED_FOR),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_is_asked_for_counts_as_code_does_or_nearly() {
        let terms = Terms::of_question("skip the tests of queries", &[], false);
        let weights =
            [Part::Code, Part::Tests, Part::Docs].map(|part| weight_of_part(&terms, part));
        assert_eq!(weights, [1.0, 0.9, 0.3]);
        let terms = Terms::of_question("guide to queries", &[], false);
        assert_eq!(weight_of_part(&terms, Part::Docs), 0.8);
    }

    #[test]
    fn words_that_ask_for_a_part_are_listed_as_stems() {
        for (stems, words) in [
            (ASKS_FOR_TESTS, "tests specs fixture mocks benchmarks"),
            (ASKS_FOR_EXAMPLES, "examples demo samples tutorial"),
            (
                ASKS_FOR_DOCS,
                "docs document documentation readme changelog guides tutorials license",
            ),
            (ASKS_FOR_SETTINGS, "config configure workflows docker dockerfile makefile pipeline"),
            (ASKS_FOR_SETTINGS, "eslint github lint linter npmrc prettier"),
            (ASKS_FOR_MANIFESTS, "depend depends dependency dependencies deps version versions"),
            (ASKS_FOR_DATA, "json yaml toml"),
        ] {
            for word in words.split(' ') {
                assert!(stems.contains(&stem(word)), "{word}: {}", stem(word));
            }
        }
    }
}
