//! The order of relevance: ranks files by their names and matching lines alone.
//!
//! A first pass searches every file and keeps a few numbers for each file that matches. Then each file gets a
//! key, and the second pass searches the files in the order of their keys, as it does in the order of time.
//! Ranking lines as they arrive would need only one pass, but a limit would then report the best lines of the
//! files that happened to be searched first.
//!
//! The key compares in this order: the number of patterns that the file matches; whether a line defines a
//! match that is a whole word by a keyword (`fn`, `class`, `#define`); the role of the file in the project;
//! whether a line has the form of such a definition; whether the name of the file contains a pattern; whether
//! a match is a whole word; whether a line reads like a definition of a longer name; and a score similar to
//! BM25F over path, name, definitions and text. Equal keys keep the order of paths. No step depends on a
//! clock, a model or the number of threads.

use super::file::{FileSearch, Scratch};
use super::role::Role;
use super::{FileMatches, Line};
use crate::budget::Budget;
use crate::lines::to_text;
use crate::pattern::{PatternOptions, Syntax};
use crate::syntax::{Likeness, is_name_char, likeness};
use crate::walk::{Candidate, FileBlock, Tally, Visited, Visitor};
use std::ops::Range;

/// Maximum number of matching lines judged per file; they suffice to rank it.
pub(super) const LINES_MAX: u64 = 1_000;
/// A longer line is judged by this many bytes around its first match.
pub(super) const LINE_BYTES_MAX: usize = 300;
/// Maximum number of matches judged per line.
pub(super) const SPANS_MAX: usize = 16;
/// Number of lines that count as near each other.
const WINDOW_LINES: u64 = 12;
/// Saturation of the term frequency: at this number of lines a pattern adds half of its maximum.
const SATURATION: f64 = 1.2;
/// The number of lines that one occurrence of a pattern in another field is worth.
const PATH_LINES: f64 = 2.0;
const NAME_LINES: f64 = 4.0;
const DEFINITION_LINES: f64 = 4.0;
/// The score added when all patterns are in one window.
const NEARNESS: f64 = 2.0;
/// Steps per unit of the score in the key.
const SCORE_STEPS: f64 = 10_000.0;
/// A line has one bit per pattern; patterns beyond the limit share the last bit.
const PATTERN_BITS: usize = 64;

/// Properties of a matching line, derived from its text alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineTraits {
    /// The likeness of the line to a definition of a match.
    pub(crate) likeness: Likeness,
    /// The same for matches that are whole words.
    likeness_of_words: Likeness,
    /// Whether a match is between word boundaries.
    pub(crate) is_word: bool,
    /// The matching patterns, one bit each.
    pub(crate) patterns: u64,
}

impl LineTraits {
    /// Returns the properties of `line`, whose text is `text`.
    pub(crate) fn of(line: &Line, text: &str) -> LineTraits {
        let none = Likeness::None;
        let mut traits =
            LineTraits { likeness: none, likeness_of_words: none, is_word: false, patterns: 0 };
        for span in &line.spans {
            traits.patterns |= 1 << span.pattern.min(PATTERN_BITS - 1);
            let within = |at: usize| at.checked_sub(line.text_start).filter(|at| *at <= text.len());
            let (Some(start), Some(end)) = (within(span.start), within(span.end)) else { continue };
            let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else {
                continue;
            };
            let likeness = likeness(before, after);
            traits.likeness = traits.likeness.max(likeness);
            if !before.ends_with(is_name_char) && !after.starts_with(is_name_char) {
                traits.is_word = true;
                traits.likeness_of_words = traits.likeness_of_words.max(likeness);
            }
        }
        traits
    }
}

/// Properties of a path in relation to the patterns of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathTraits {
    pub(crate) role: Role,
    /// Whether the name of the file contains each pattern, ignoring case.
    in_name: Vec<bool>,
    /// The same for the directories above it.
    in_dirs: Vec<bool>,
}

impl PathTraits {
    /// Returns whether the name of the file contains a pattern.
    pub(crate) fn is_named(&self) -> bool {
        self.in_name.contains(&true)
    }
}

/// The patterns of a search as texts to find in paths.
#[derive(Clone, Debug)]
pub(crate) struct PathTexts {
    /// In lower case; empty for a regex that is not plain text.
    texts: Vec<String>,
}

impl PathTexts {
    pub(crate) fn new(pattern: &PatternOptions) -> PathTexts {
        let is_plain =
            |text: &str| pattern.syntax == Syntax::Literal || regex_syntax::escape(text) == text;
        let text = |text: &String| if is_plain(text) { text.to_lowercase() } else { String::new() };
        PathTexts { texts: pattern.patterns.iter().map(text).collect() }
    }

    /// Returns the properties of `path`, which is relative to the root.
    pub(crate) fn traits(&self, path: &str) -> PathTraits {
        let lower = path.to_lowercase();
        let (dirs, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
        let contained = |place: &str| {
            let texts = self.texts.iter();
            texts.map(|text| !text.is_empty() && place.contains(text.as_str())).collect()
        };
        PathTraits { role: Role::of(path), in_name: contained(name), in_dirs: contained(dirs) }
    }
}

/// Properties of a file with matches.
#[derive(Debug)]
pub(super) struct FileTraits {
    path: PathTraits,
    /// The number of matching lines of each pattern, and of those that read like a definition.
    n_lines: Vec<(u32, u32)>,
    likeness: Likeness,
    likeness_of_words: Likeness,
    is_word: bool,
    /// The largest number of patterns near each other.
    n_near: u32,
}

impl FileTraits {
    fn of(file: &FileMatches, texts: &PathTexts) -> FileTraits {
        let mut traits = FileTraits {
            path: texts.traits(&file.path.display()),
            n_lines: vec![(0, 0); texts.texts.len()],
            likeness: Likeness::None,
            likeness_of_words: Likeness::None,
            is_word: false,
            n_near: 0,
        };
        let mut places = Vec::new();
        for line in file.lines.iter().filter(|line| line.is_match) {
            let of_line = LineTraits::of(line, &to_text(&line.text));
            traits.likeness = traits.likeness.max(of_line.likeness);
            traits.likeness_of_words = traits.likeness_of_words.max(of_line.likeness_of_words);
            traits.is_word |= of_line.is_word;
            for (pattern, (n_lines, n_definitions)) in traits.n_lines.iter_mut().enumerate() {
                let has = (of_line.patterns >> pattern.min(PATTERN_BITS - 1) & 1) as u32;
                *n_lines += has;
                *n_definitions += if of_line.likeness == Likeness::None { 0 } else { has };
            }
            places.push((line.number, of_line.patterns));
        }
        traits.n_near = best_window(&places).1;
        traits
    }

    /// Returns the size of the properties in memory.
    fn weight(&self) -> usize {
        size_of::<FileTraits>() + size_of_val(&*self.n_lines) + 2 * self.n_lines.len()
    }
}

/// Returns the range of `lines`, given as numbers and pattern bits, with the most patterns within a few
/// lines, the first of equals, and the number of these patterns.
pub(crate) fn best_window(lines: &[(u64, u64)]) -> (Range<usize>, u32) {
    let (mut best, mut n_best) = (0..0, 0);
    let mut start = 0;
    for end in 0..lines.len() {
        while lines[end].0 - lines[start].0 >= WINDOW_LINES {
            start += 1;
        }
        let patterns = lines[start..=end].iter().fold(0, |all, (_, patterns)| all | patterns);
        if patterns.count_ones() > n_best {
            (best, n_best) = (start..end + 1, patterns.count_ones());
        }
    }
    (best, n_best)
}

/// Returns the weight of a pattern that `n_with` of `n_files` files match: the rarer, the higher.
pub(crate) fn rarity(n_with: usize, n_files: usize) -> f64 {
    let (n_with, n_files) = (n_with as f64, n_files as f64);
    (1.0 + (n_files - n_with + 0.5) / (n_with + 0.5)).ln()
}

/// Returns the weight of a pattern in a file where `n_lines` lines match it.
pub(crate) fn saturated(n_lines: f64) -> f64 {
    n_lines / (n_lines + SATURATION)
}

/// Returns the keys of the files; the most relevant has the largest.
pub(super) fn keys(files: &[FileTraits]) -> Vec<i128> {
    let n_patterns = files.first().map_or(0, |file| file.n_lines.len());
    let n_with = |pattern: usize| files.iter().filter(|file| file.n_lines[pattern].0 > 0).count();
    let rarities: Vec<f64> =
        (0..n_patterns).map(|pattern| rarity(n_with(pattern), files.len())).collect();
    files.iter().map(|file| key(file, &rarities)).collect()
}

fn key(file: &FileTraits, rarities: &[f64]) -> i128 {
    let n_patterns = file.n_lines.iter().filter(|(n_lines, _)| *n_lines > 0).count();
    let score_of = |(pattern, rarity): (usize, &f64)| {
        let (n_lines, n_definitions) = file.n_lines[pattern];
        let field = |is_in: bool, lines: f64| if is_in { lines } else { 0.0 };
        let n_lines = f64::from(n_lines)
            + f64::from(n_definitions) * DEFINITION_LINES
            + field(file.path.in_name[pattern], NAME_LINES)
            + field(file.path.in_dirs[pattern], PATH_LINES);
        rarity * saturated(n_lines)
    };
    let score: f64 = rarities.iter().enumerate().map(score_of).sum();
    let score = score + NEARNESS * f64::from(file.n_near) / rarities.len().max(1) as f64;
    let levels = [
        n_patterns as i128,
        i128::from(file.likeness_of_words == Likeness::Strong),
        Role::Generated as i128 - file.path.role as i128,
        i128::from(file.likeness_of_words != Likeness::None),
        i128::from(file.path.is_named()),
        i128::from(file.is_word),
        file.likeness as i128,
    ];
    // Every level fits in a byte, and every score in 32 bits.
    let levels = levels.iter().fold(0, |key, level| key << 8 | level);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a score has a fraction that does not count"
    )]
    let score = (score * SCORE_STEPS) as i128;
    levels << 32 | score
}

/// Ranks each file with matches.
pub(super) struct Ranker {
    /// Finds the matching lines.
    pub(super) search: FileSearch,
    pub(super) texts: PathTexts,
}

impl Visitor for Ranker {
    type Scratch = Scratch;
    /// The index of a file in its batch.
    type Item = (u32, FileTraits);

    fn visit(
        &self,
        scratch: &mut Scratch,
        file: &Candidate<'_>,
        budget: &Budget,
        tally: &mut Tally,
        files: &mut FileBlock,
    ) -> Visited<Self::Item> {
        let Visited { found, effort, stopped, stamp } =
            self.search.visit(scratch, file, budget, tally, files);
        let found = found.filter(|found| found.n_matches > 0).and_then(|found| {
            let meta =
                file.stat().map_err(|error| tally.count_unopened(&found.path, &error)).ok()?;
            Some((file.add_to(files, Some(meta)), FileTraits::of(&found, &self.texts)))
        });
        Visited { found, effort, stopped, stamp }
    }

    fn weight((_, traits): &Self::Item) -> usize {
        traits.weight()
    }
}
