//! Several words that do not occur as a phrase: finds the places where they are closest together.
//!
//! Files are ranked in the manner of BM25F: a rare word counts more than a frequent one, the tenth
//! line with a word less than the first, a word in the path as much as two lines. Words close
//! together count extra, because a caller who writes them as one query looks for one place.

use super::hits::{Hit, Hits};
use crate::search::{best_window, rarity, saturated};
use std::cmp::Ordering;

/// Weight of a word in the path, in lines.
const PATH_LINES: f64 = 2.0;
/// Weight of having all words in one window, in words of middling rarity.
const NEARNESS: f64 = 2.0;
/// Maximum number of rows per file.
const ROWS_PER_FILE: usize = 4;

/// The rows to show, in order, and the quality of the best file.
#[derive(Debug, Default)]
pub(super) struct Ranked {
    /// Indexes of lines.
    pub(super) rows: Vec<usize>,
    /// The largest number of words in one file.
    pub(super) n_words_best: usize,
    /// The number of files with that many words.
    pub(super) n_files_best: usize,
}

/// Ranks the lines of a search for each of `words`.
pub(super) fn rank(hits: &Hits, words: &[String]) -> Ranked {
    let n_with = |word: usize| hits.files.iter().filter(|file| file.n_by_pattern[word] > 0).count();
    let rarities: Vec<f64> =
        (0..words.len()).map(|word| rarity(n_with(word), hits.files.len().max(1))).collect();
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
                rarities[word] * saturated(lines)
            })
            .sum();
        let (window, near) = window_rows(&hits.lines[first..end]);
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

/// Returns the lines of the window with the most words, by index, and the number of its words.
fn window_rows(lines: &[Hit]) -> (impl Iterator<Item = usize> + use<>, u32) {
    let places: Vec<(u64, u64)> = lines.iter().map(|hit| (hit.line, hit.patterns)).collect();
    let (best, n_words) = best_window(&places);
    // A window with many lines shows those with the most words, in their order.
    let mut rows: Vec<usize> = best.collect();
    rows.sort_by_key(|&row| (std::cmp::Reverse(lines[row].patterns.count_ones()), row));
    rows.truncate(ROWS_PER_FILE);
    rows.sort_unstable();
    (rows.into_iter(), n_words)
}
