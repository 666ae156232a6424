//! Files by relevance: the answer to a question that no line contains as written.
//!
//! One pass over the tree ranks all files (`search/ranking`). It also says which files can contain the question
//! in another naming or across lines, so those attempts read only these files.

use super::Only;
use super::answer::{Lookup, Rows};
use super::body::has_word;
use super::fallback::SIMILAR;
use super::hits::{Hit, HitFile, gather_up_to};
use super::named_first::RareNames;
use super::question::Question;
use super::runs::MessageLine;
use super::subject::is_import;
use crate::replies::text::quoted;
use searchscope::toolkit::{
    Likeness, LineShares, RankedFile, Ranking, Role, Terms, excerpt::floor_char_boundary,
    rank_files, sub_words,
};
use searchscope::{PatternOptions, RelPath, Result};
use std::collections::BTreeMap;

/// Maximum number of ranked files whose lines are shown, on all pages.
const FILES_MAX: usize = 40;
/// The number of files on the first page, and of all where terms are missing.
pub(super) const FILES_PER_PAGE: usize = 10;
/// The number of first files that have several rows, and of these rows.
const DETAILED_FILES: usize = 2;
pub(super) const DETAILED_ROWS: usize = 3;
/// The number of first files that have rows; the others are shown by their paths.
pub(super) const FILES_WITH_ROWS: usize = 5;
/// The number of files where the tree has only parts of a name, or few of the words of a question; and the number
/// of files with one of these words, which is rare enough to be what was meant.
const FILES_OF_ABSENT: usize = 3;
const FILES_OF_RARE: u64 = 3;
/// The number of these rows where terms are missing.
const ROWS_OF_WEAK: usize = 2;
/// Maximum number of words of a question about a name.
const WORDS_OF_NAME: usize = 3;
/// Maximum number of matching lines of a ranked file among which rows are chosen.
const LINES_PER_FILE: usize = 1_000;
/// Maximum number of words that a remark names.
const WORDS_SHOWN: usize = 6;
/// The factor of a line that only imports names.
const IMPORT: f32 = 0.5;
/// Where half of the words are nowhere, the share of what all words say that those of one window have at least.
/// Below it they are words of any project, such as `read` and `file`.
const SHARE_TOGETHER: f64 = 0.25;
/// Minimum similarity of a name of the first file that makes up for absent words.
const SIMILAR_FIRST: f32 = 0.75;
/// What a name of the question in a line counts besides the words in it.
const NAME_AS_WRITTEN: f32 = 1.0;
/// Number of lines before and after a line whose terms say something about it, and their weight.
const LINES_AROUND: u64 = 5;
const AROUND: f32 = 0.4;
/// The weight of a term in a line by its rarity, compared with that of the average term.
const WEIGHTS: std::ops::RangeInclusive<f32> = 0.4..=1.8;
/// Rows of a ranking are cut to this many bytes.
const ROW_BYTES: usize = 160;

/// A question with the files of the tree in the order of their relevance.
pub(super) struct Ranked {
    pub(super) question: Question,
    pub(super) terms: Terms,
    pub(super) ranking: Ranking,
    /// The names of the question that few files have.
    pub(super) rare: RareNames,
    /// The line of each file, by its path, that has the longest part of a message.
    pub(super) message_at: BTreeMap<String, MessageLine>,
    /// The line of the heading of each document, by its path, that is the topic.
    pub(super) heading_at: BTreeMap<String, u64>,
}

impl Ranked {
    /// Returns whether the first file has a name like the one of the question.
    fn has_similar_first(&self) -> bool {
        self.ranking.files.first().is_some_and(|file| file.similar >= SIMILAR_FIRST)
    }

    /// Returns whether half of the words or more are nowhere and the others are not together.
    fn is_barely_there(&self) -> bool {
        let Ranked { terms, ranking, .. } = self;
        let n_missing = ranking.n_missing();
        let (n_absent, n_words) = terms.n_absent_words(&ranking.n_with);
        let is_half_absent = terms.len() >= 4 && n_absent * 2 >= n_words;
        if n_missing * 2 <= terms.len() && !is_half_absent {
            return false;
        }
        let are_most_there = n_missing * 2 <= terms.len() && ranking.n_in_line(FILES_PER_PAGE) >= 3;
        let are_together =
            are_most_there || ranking.share_in_window(FILES_PER_PAGE) >= SHARE_TOGETHER;
        // A subject that names a part of this project is about it, whatever else it says.
        let is_of_part = ranking.files.iter().take(FILES_PER_PAGE).any(|file| file.is_in_area);
        !are_together && !is_of_part && !self.has_similar_first()
    }
}

/// The files of a ranking that are shown.
#[derive(Clone, Copy)]
struct Extent {
    n_files: usize,
    /// The number of rows of each of the first ones.
    n_detailed: usize,
}

impl Lookup<'_> {
    /// Ranks the files for a question with these terms; those with its rare names come first.
    pub(super) fn ranked(&mut self, question: Question, terms: Terms) -> Result<Ranked> {
        let mut ranked = self.ranked_by_words(question, terms)?;
        self.names_first(&mut ranked)?;
        Ok(ranked)
    }

    /// Ranks the files by the terms of a question alone.
    pub(super) fn ranked_by_words(&mut self, question: Question, terms: Terms) -> Result<Ranked> {
        let request = self.request(self.query.pattern())?;
        let role = self.only.and_then(Only::role);
        let ranking = rank_files(self.workspace, &request, &terms, role, self.call)?;
        self.answer.note(&ranking.report);
        let rare = RareNames::default();
        let (message_at, heading_at) = (BTreeMap::new(), BTreeMap::new());
        Ok(Ranked { question, terms, ranking, rare, message_at, heading_at })
    }

    /// Shows the best files of a ranking in the form that `only` requests. Returns whether they are worth
    /// showing: at least one term must be in the tree.
    pub(super) fn show_ranking(&mut self, ranked: &Ranked) -> Result<bool> {
        let Ranked { terms, ranking, .. } = ranked;
        let n_missing = ranking.n_missing();
        let is_similar = ranked.has_similar_first();
        let n_in_line = ranking.n_in_line(FILES_PER_PAGE);
        let is_barely_there = ranked.is_barely_there();
        let has_rare = ranking.n_with.iter().any(|n_files| (1..=FILES_OF_RARE).contains(n_files));
        let is_nowhere = n_missing == terms.len();
        if ranking.files.is_empty()
            // A similar name of another file is no answer where all words are nowhere.
            || is_nowhere
            || is_barely_there && (!has_rare || terms.len() == 1)
        {
            return Ok(false);
        }
        let n_most = ranking.files.iter().map(|file| file.n_terms).max().unwrap_or_default();
        let is_half = terms.len() <= 3 || n_missing * 2 >= terms.len();
        let has_parts_alone = terms.is_one_name()
            && n_in_line < terms.len()
            && ranking.files.iter().all(|file| file.similar < SIMILAR);
        let is_weak = n_missing > 0 && is_half && !is_similar;
        let first = ranking.files.first().map(|file| file.path.display().into_owned());
        let message_at = first.and_then(|path| ranked.message_at.get(&path));
        let is_built_first = message_at.is_some_and(|at| at.builds_it);
        let remark = self.remark(ranked, (n_most, is_weak));
        self.answer.remarks.push(match (is_built_first, ranked.rare.names.as_slice()) {
            (true, _) => format!("a text of the first file fits it; {remark}"),
            _ if !ranked.heading_at.is_empty() => format!("the topic is a heading; {remark}"),
            (false, []) => remark,
            (false, names) => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                format!("files with {} first; {remark}", listed(&names))
            }
        });
        self.answer.n_files = ranking.n_files;
        self.answer.total = ranking.n_files;
        match self.only {
            Some(Only::Count) => {
                self.answer.is_count = true;
                self.answer.rows = Rows::Paths(Vec::new());
            }
            Some(Only::Files) => {
                let paths =
                    ranking.files.iter().map(|file| (file.path.display().into_owned(), None));
                self.answer.rows = Rows::Paths(paths.collect());
                self.answer.is_ranking = true;
            }
            _ => {
                let is_short =
                    is_barely_there || has_parts_alone || is_built_first || self.absent.is_all;
                let extent = match (is_short, is_weak) {
                    (true, _) => Extent { n_files: FILES_OF_ABSENT, n_detailed: 1 },
                    _ if self.has_name_first(ranked) => {
                        let n_files = ranked.rare.n_files.max(FILES_OF_ABSENT);
                        Extent { n_files, n_detailed: DETAILED_ROWS }
                    }
                    (false, true) => Extent { n_files: FILES_PER_PAGE, n_detailed: ROWS_OF_WEAK },
                    (false, false) => Extent { n_files: FILES_MAX, n_detailed: DETAILED_ROWS },
                };
                self.show_files(ranked, extent)?;
            }
        }
        self.answer.report = Some(ranking.report.clone());
        Ok(true)
    }

    /// Returns whether the first file defines the only name of the question, or is one of few that have it, and the
    /// question is about little else.
    fn has_name_first(&self, ranked: &Ranked) -> bool {
        let Ranked { question, ranking, rare, .. } = ranked;
        let defines_name = ranking.files.first().is_some_and(|file| file.defines_name);
        let has_name = defines_name || rare.n_files > 0;
        let is_short = question.content.len() <= WORDS_OF_NAME && question.wanted.is_none();
        let is_of_name = question.names.len() == 1 && question.names_of_parts().next().is_some();
        self.only.is_none() && has_name && is_short && is_of_name && !question.is_of_change()
    }

    /// Shows lines of the best files.
    fn show_files(&mut self, ranked: &Ranked, extent: Extent) -> Result<()> {
        let Extent { n_files, n_detailed } = extent;
        let files = &ranked.ranking.files;
        let best = &files[..files.len().min(n_files)];
        let n_with_rows = if self.only.is_some() { best.len() } else { FILES_WITH_ROWS };
        let (files, mut lines) = self.lines_of(ranked, best, (n_with_rows, n_detailed))?;
        if self.only == Some(Only::Definitions) {
            lines.retain(|hit| hit.is_definition);
        }
        if lines.is_empty() {
            self.answer.remarks.push("none of their lines reads like a definition".to_owned());
            (self.answer.total, self.answer.n_files) = (0, 0);
            return Ok(());
        }
        let n_of_page = lines.iter().filter(|hit| hit.file < FILES_PER_PAGE).count();
        self.answer.rows_per_page = Some(n_of_page.max(1));
        self.answer.is_ranking = true;
        let order = (0..lines.len()).collect();
        self.answer.rows = Rows::Lines { files, lines, order };
        Ok(())
    }

    /// Returns the files of a ranking with the lines to show, in its order: the line that has most of a message, or
    /// `n_detailed` of each of the first files, one of each other up to the `n_with_rows`th, and none of the rest.
    pub(super) fn lines_of(
        &self,
        ranked: &Ranked,
        best: &[RankedFile],
        (n_with_rows, n_detailed): (usize, usize),
    ) -> Result<(Vec<HitFile>, Vec<Hit>)> {
        let mut request = self.request(ranked.terms.pattern())?;
        let with_rows = best.iter().zip(0..).filter(|(file, at)| {
            *at < n_with_rows || ranked.message_at.contains_key(&*file.path.display())
        });
        request.only = Some(with_rows.map(|(file, _)| file.path.clone()).collect());
        let hits = gather_up_to(LINES_PER_FILE, self.workspace, &mut request, self.call)?;
        let weights = weights(&ranked.ranking.rarities);
        let (mut files, mut lines) = (Vec::new(), Vec::new());
        for file in best {
            let path = file.path.display().into_owned();
            let at = files.len();
            let n_rows = match at {
                _ if at < DETAILED_FILES => n_detailed,
                _ if at < n_with_rows => 1,
                _ => 0,
            };
            let own = hits.files.iter().position(|own| own.path == path);
            let own: Vec<&Hit> = hits.lines.iter().filter(|hit| Some(hit.file) == own).collect();
            let rows = self.rows_of((file, own), (ranked, &weights), n_rows)?;
            if rows.is_empty() {
                lines.push(Hit::heading(at));
            }
            lines.extend(rows.iter().map(|hit| shown(hit, at)));
            files.push(HitFile {
                role: Role::of(&path),
                path,
                n_lines: 0,
                n_by_pattern: Vec::new(),
            });
        }
        Ok((files, lines))
    }

    /// Returns the rows of a ranked file whose matching lines are `own`: the line that has most of a message; the
    /// definition of a name of the question and what is inside it; or the best lines.
    fn rows_of(
        &self,
        (file, own): (&RankedFile, Vec<&Hit>),
        (ranked, weights): (&Ranked, &[f32]),
        n_rows: usize,
    ) -> Result<Vec<Hit>> {
        let question = &ranked.question;
        let words = (&ranked.terms, weights);
        let path = file.path.display();
        let message_line = ranked.message_at.get(&*path).map(|at| at.line);
        if let Some(&hit) = own.iter().find(|hit| message_line == Some(hit.line)) {
            return Ok(vec![hit.clone()]);
        }
        if let Some(&line) = ranked.heading_at.get(&*path) {
            return self.rows_of_heading(&path, line);
        }
        let named = if n_rows > 1 { self.defined_names(question, &own) } else { Vec::new() };
        for (name, defining) in named {
            let places: Vec<(&str, &Hit)> = defining.iter().map(|hit| (&*path, *hit)).collect();
            if let Some((at, mut rows)) = self.rows_inside((&places, name), question, words)? {
                rows.insert(0, defining[at].clone());
                return Ok(rows);
            }
        }
        let has_rare = |hit: &&Hit| ranked.rare.names.iter().any(|name| has_word(&hit.text, name));
        let with_rare = own.iter().copied().find(has_rare);
        let mut best = best_lines(own, question, words, (file, n_rows));
        if let Some(hit) = with_rare.filter(|_| n_rows > 0 && !best.iter().any(has_rare)) {
            best.pop();
            best.push(hit);
            best.sort_by_key(|hit| hit.line);
        }
        Ok(best.into_iter().cloned().collect())
    }

    /// Returns the first line of a reply with ranked files.
    fn remark(&self, ranked: &Ranked, (n_most, is_weak): (usize, bool)) -> String {
        let Ranked { terms, ranking, .. } = ranked;
        let words: Vec<&str> = terms.shown().collect();
        let named = |with: bool| {
            let of = words.iter().zip(&ranking.n_with);
            of.filter(move |(_, n)| (**n > 0) == with).map(|(word, _)| *word)
        };
        let there = listed(&named(true).collect::<Vec<_>>());
        let n_files = ranking.n_files;
        let files = if n_files == 1 { "1 file".to_owned() } else { format!("{n_files} files") };
        let absent = &self.absent.names;
        let is_of_name =
            |word: &&str| absent.iter().any(|name| sub_words(name).iter().any(|part| part == word));
        let missing: Vec<&str> = absent
            .iter()
            .map(String::as_str)
            .chain(named(false).filter(|word| !is_of_name(word)))
            .collect();
        let nowhere = match (missing.is_empty(), &self.part) {
            (true, _) => String::new(),
            (false, Some(part)) => format!(" (not in {}: {})", quoted(part), listed(&missing)),
            // Absent names were searched for themselves.
            (false, None) if ranking.is_partial && missing.len() > absent.len() => {
                format!(" (not seen: {})", listed(&missing))
            }
            (false, None) => format!(" (nowhere: {})", listed(&missing)),
        };
        // What was not read may have the other words.
        let has = if ranking.is_partial { "seen with" } else { "has" };
        let all = if n_most < words.len() { format!("; none {has} all") } else { String::new() };
        match is_weak {
            true => format!("no file {has} all; best of {files} for {there}{nowhere}"),
            false => format!("best of {files} for {there}{all}{nowhere}"),
        }
    }

    /// Searches for `pattern` in the files of a ranking that `has` accepts, and shows its lines under `remark`.
    pub(super) fn found_among(
        &mut self,
        ranking: &Ranking,
        has: impl Fn(&RankedFile) -> bool,
        (pattern, remark): (Option<PatternOptions>, Option<&str>),
    ) -> Result<bool> {
        let Some(pattern) = pattern else { return Ok(false) };
        let only: Vec<RelPath> =
            ranking.files.iter().filter(|file| has(file)).map(|file| file.path.clone()).collect();
        if only.is_empty() {
            return Ok(false);
        }
        self.among = Some((sorted(only), ranking.report.clone()));
        let found = self.found(pattern, remark);
        self.among = None;
        found
    }
}

/// Returns the paths in their order, as a search reports them.
pub(super) fn sorted(mut paths: Vec<RelPath>) -> Vec<RelPath> {
    paths.sort();
    paths
}

/// Returns the first of `words` as a list.
pub(super) fn listed(words: &[&str]) -> String {
    let mut shown: Vec<String> =
        words.iter().take(WORDS_SHOWN).map(|word| plain_or_quoted(word)).collect();
    if words.len() > WORDS_SHOWN {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

fn plain_or_quoted(word: &str) -> String {
    if word.chars().all(char::is_alphanumeric) { word.to_owned() } else { quoted(word) }
}

/// Returns the weight of each term in a line, given their rarities.
fn weights(rarities: &[f64]) -> Vec<f32> {
    let mean = rarities.iter().sum::<f64>() / rarities.len().max(1) as f64;
    #[expect(clippy::cast_possible_truncation, reason = "a weight needs no more digits")]
    let weight = |rarity: &f64| (rarity / mean.max(f64::MIN_POSITIVE)) as f32;
    rarities.iter().map(|rarity| weight(rarity).clamp(*WEIGHTS.start(), *WEIGHTS.end())).collect()
}

/// Chooses the lines to show of a file: those with the most and rarest terms in them and around them, definitions
/// first, near each other.
fn best_lines<'a>(
    lines: Vec<&'a Hit>,
    question: &Question,
    (terms, weights): (&Terms, &[f32]),
    (file, n_rows): (&RankedFile, usize),
) -> Vec<&'a Hit> {
    if n_rows == 0 {
        return Vec::new();
    }
    let line_shares: Vec<LineShares> = lines.iter().map(|hit| terms.shares(&hit.text)).collect();
    // The rate of a line, and what it is without rarities and neighbours.
    let mut rated: Vec<(f32, f32, &Hit)> = Vec::with_capacity(lines.len());
    for (at, hit) in lines.iter().enumerate() {
        let near = |other: &usize| lines[*other].line.abs_diff(hit.line) <= LINES_AROUND;
        let LineShares { shares, similar, has_name, .. } = &line_shares[at];
        let mut around = shares.clone();
        let others = (0..at).rev().take_while(near).chain((at + 1..lines.len()).take_while(near));
        for other in others {
            around
                .iter_mut()
                .zip(&line_shares[other].shares)
                .for_each(|(most, own)| *most = most.max(*own));
        }
        let sum = |of: &[f32]| weights.iter().zip(of).map(|(weight, n)| weight * n).sum::<f32>();
        let (own, around) = (sum(shares), sum(&around));
        let is_near = (file.window.0..=file.window.1).contains(&hit.line);
        let form_rate = match hit.likeness {
            Likeness::Strong => 0.6,
            Likeness::Weak => 0.2,
            Likeness::None => 0.0,
        };
        // An import repeats a name that another line says more about.
        let import_factor = if is_import(hit.text.trim_start()) { IMPORT } else { 1.0 };
        let has_name = *has_name || question.has_joined_name(&hit.text);
        let name_rate = similar + if has_name { NAME_AS_WRITTEN } else { 0.0 };
        let number_rate = question.number_rate(&hit.text);
        let place_rate = name_rate + form_rate + number_rate + if is_near { 0.5 } else { 0.0 };
        let rate = import_factor * (own + AROUND * (around - own) + place_rate);
        let own_rate = import_factor * (shares.iter().sum::<f32>() + place_rate);
        rated.push((rate, own_rate, hit));
    }
    rated.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.2.line.cmp(&other.2.line)));
    let most = rated.iter().map(|(_, own, _)| *own).fold(0.0, f32::max);
    // Neighbours and rarities choose among lines that say enough.
    rated.retain(|(_, own, _)| *own * 2.0 >= most);
    let mut best: Vec<&Hit> = Vec::new();
    for (_, _, hit) in rated {
        // The same text again says nothing more.
        let is_new = || best.iter().all(|known| known.text.trim() != hit.text.trim());
        if best.len() < n_rows && is_new() {
            best.push(hit);
        }
    }
    best.sort_by_key(|hit| hit.line);
    best
}

/// Returns a line as a row of a ranking.
fn shown(hit: &Hit, file: usize) -> Hit {
    let mut hit = Hit {
        file,
        is_definition: hit.likeness == Likeness::Strong && hit.may_define(),
        ..hit.clone()
    };
    if hit.part_of.is_none() && hit.text.len() > ROW_BYTES {
        let whole = hit.text.len();
        let latest = whole - ROW_BYTES;
        let start =
            floor_char_boundary(&hit.text, hit.match_at.saturating_sub(ROW_BYTES / 4).min(latest));
        let end = floor_char_boundary(&hit.text, start + ROW_BYTES);
        hit.part_of = Some((start, whole));
        hit.text = hit.text[start..end].to_owned();
        hit.match_at = hit.match_at.saturating_sub(start);
    }
    hit
}
