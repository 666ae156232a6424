//! Several words that do not occur as a phrase: the places where they stand nearest to each other.
//!
//! Files are ranked in the manner of BM25F: a rare word counts more than a frequent one, the tenth
//! line with a word less than the first, a word in the path as much as two lines. Words that stand
//! close together count on top, because a caller who writes them in one breath looks for one place.

use super::hits::{Hit, Hits};
use std::cmp::Ordering;

/// How fast further lines with a word stop to count.
const SATURATION: f64 = 1.2;
/// What a word in the path counts for, in lines.
const PATH_LINES: f64 = 2.0;
/// Lines that belong to one place.
const WINDOW_LINES: u64 = 12;
/// What it adds when all words are in one window, in words of middling rarity.
const NEARNESS: f64 = 2.0;
/// Rows that are shown of one file.
const ROWS_PER_FILE: usize = 4;

/// The rows to show, in order, and how well they fit.
#[derive(Debug, Default)]
pub(super) struct Ranked {
    /// Indexes of lines.
    pub(super) rows: Vec<usize>,
    /// The most words that one file has.
    pub(super) n_words_best: usize,
    /// The number of files that have as many.
    pub(super) n_files_best: usize,
}

/// Ranks the lines of a search for each of `words`.
pub(super) fn rank(hits: &Hits, words: &[String]) -> Ranked {
    let n_files = hits.files.len().max(1) as f64;
    let n_with: Vec<u64> = (0..words.len())
        .map(|word| hits.files.iter().filter(|file| file.n_by_pattern[word] > 0).count() as u64)
        .collect();
    let rarity = |word: usize| {
        let n = n_with[word] as f64;
        (1.0 + (n_files - n + 0.5) / (n + 0.5)).ln()
    };
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let mut scored: Vec<(usize, f64, Vec<usize>, usize)> = Vec::new();
    let mut first = 0;
    while first < hits.lines.len() {
        let at = hits.lines[first].file;
        let end = first + hits.lines[first..].partition_point(|hit| hit.file == at);
        let file = &hits.files[at];
        let path = file.path.to_lowercase();
        let in_path = |word: usize| path.contains(&lower[word]);
        let has = |word: usize| file.n_by_pattern[word] > 0 || in_path(word);
        let n_words = (0..words.len()).filter(|&word| has(word)).count();
        let text: f64 = (0..words.len())
            .map(|word| {
                let lines =
                    file.n_by_pattern[word] as f64 + if in_path(word) { PATH_LINES } else { 0.0 };
                rarity(word) * lines / (lines + SATURATION)
            })
            .sum();
        let (window, near) = best_window(&hits.lines[first..end]);
        let weight = 1.0 / (1.0 + file.role as u8 as f64 * 0.25);
        let score = (text + NEARNESS * near as f64 / words.len() as f64) * weight;
        let rows = window.map(|row| first + row).collect();
        scored.push((n_words, score, rows, at));
        first = end;
    }
    scored.sort_by(|one, other| {
        let by_score = other.1.partial_cmp(&one.1).unwrap_or(Ordering::Equal);
        other.0.cmp(&one.0).then(by_score).then(one.3.cmp(&other.3))
    });
    let n_words_best = scored.first().map_or(0, |best| best.0);
    let best = scored.into_iter().take_while(|file| file.0 == n_words_best);
    let mut ranked = Ranked { n_words_best, ..Ranked::default() };
    for (_, _, rows, _) in best {
        ranked.n_files_best += 1;
        ranked.rows.extend(rows);
    }
    ranked
}

/// The lines of the window with the most words, the earliest of equals, and how many words it has.
fn best_window(lines: &[Hit]) -> (impl Iterator<Item = usize> + use<>, u32) {
    let (mut best, mut best_words) = (0..0, 0);
    let mut start = 0;
    for end in 0..lines.len() {
        while lines[end].line - lines[start].line >= WINDOW_LINES {
            start += 1;
        }
        let words = lines[start..=end].iter().fold(0, |words, hit| words | hit.patterns);
        if words.count_ones() > best_words {
            (best, best_words) = (start..end + 1, words.count_ones());
        }
    }
    // Of a window with many lines those with the most words, in their order.
    let mut rows: Vec<usize> = best.collect();
    rows.sort_by_key(|&row| (std::cmp::Reverse(lines[row].patterns.count_ones()), row));
    rows.truncate(ROWS_PER_FILE);
    rows.sort_unstable();
    (rows.into_iter(), best_words)
}
