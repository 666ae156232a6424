//! Names of a question that few files have: these files come first, because many files with its other words, or with
//! parts of the names, would hide them.

use super::answer::Lookup;
use super::phrase::is_change_log;
use super::ranked::{Ranked, sorted};
use super::subject::FILES_OF_NAME;
use super::token::is_hyphenated;
use super::wanted::Wanted;
use searchscope::toolkit::{RankedFile, Ranking, Role, SAME_PARTS, sub_words};
use searchscope::{FileMatches, PatternOptions, RelPath, Result, Stop, StopReason};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Maximum number of files with the definition of a name that come first: a name of more is that of local variables.
const DEFINING_MAX: usize = 3;
/// Maximum number of words of a question about its names; in a longer one they are some of its words.
const WORDS_OF_NAMES: usize = 4;

/// The names of a question that few files have as written.
#[derive(Debug, Default)]
pub(super) struct RareNames {
    pub(super) names: Vec<String>,
    /// The number of files with one of them, which are the first ones of the ranking.
    pub(super) n_files: usize,
}

impl Lookup<'_> {
    /// Puts the files first that have the rare names of the question, then those that define a name of it, if they are
    /// few. A name is one of several parts. A message has values, and a change touches other files than its names are in.
    pub(super) fn names_first(&self, ranked: &mut Ranked) -> Result<()> {
        let Ranked { question, ranking, rare, .. } = ranked;
        let is_of_run = self.is_message || question.is_message;
        if is_of_run || question.is_of_change() || question.content.len() > WORDS_OF_NAMES {
            return Ok(());
        }
        let mut n_rare = vec![0_usize; ranking.files.len()];
        let is_only_name = question.names.len() == 1;
        let has_several = |name: &&String| !question.may_be_word(name) && sub_words(name).len() > 1;
        let counted = question.names.iter().enumerate().filter(|(at, name)| {
            let n_files = ranking.files.iter().filter(|file| file.names >> at & 1 == 1).count();
            has_several(name) && n_files <= FILES_OF_NAME
        });
        // The ranking does not count these, because most are words of a language, such as `read-only`.
        let is_other = |word: &&String| is_hyphenated(word) && !question.names.contains(word);
        let hyphenated = question.content.iter().filter(is_other);
        for name in counted.map(|(_, name)| name).chain(hyphenated) {
            let Some(having) = self.having(name, ranking)? else { continue };
            let is_in_code = |path: &RelPath| {
                matches!(Role::of(&path.display()), Role::Production | Role::Tests)
            };
            if is_hyphenated(name) && !having.iter().any(is_in_code) {
                continue;
            }
            // Other namings are the same name.
            let has_similar = |file: &RankedFile| is_only_name && file.similar >= SAME_PARTS;
            let has = |file: &RankedFile| {
                let path = file.path.display();
                having.contains(&file.path) && !is_change_log(&path)
                    || has_similar(file)
                    || path.rsplit('/').next() == Some(name)
            };
            let has: Vec<bool> = ranking.files.iter().map(has).collect();
            if (1..=FILES_OF_NAME).contains(&has.iter().filter(|has| **has).count()) {
                rare.names.push(name.clone());
                n_rare.iter_mut().zip(has).for_each(|(n, has)| *n += usize::from(has));
            }
        }
        rare.n_files = n_rare.iter().filter(|n| **n > 0).count();
        let n_defining = ranking.files.iter().filter(|file| file.defines_name).count();
        let has_name = question.names_of_parts().next().is_some();
        let asks_for_it = question.wanted.is_none_or(|wanted| wanted == Wanted::Settings);
        let defines_first = has_name && asks_for_it && n_defining <= DEFINING_MAX;
        let mut files: Vec<(usize, RankedFile)> =
            n_rare.into_iter().zip(std::mem::take(&mut ranking.files)).collect();
        files.sort_by_key(|(n_rare, file)| {
            (Reverse(*n_rare), !(defines_first && file.defines_name))
        });
        ranking.files = files.into_iter().map(|(_, file)| file).collect();
        Ok(())
    }

    /// Returns the files of a ranking that have `name` as a whole; `None` if too many have it. The counters of a ranking
    /// do not see all of a long line, and know no name with signs in it.
    fn having(&self, name: &str, ranking: &Ranking) -> Result<Option<HashSet<RelPath>>> {
        let escaped = regex_syntax::escape(name);
        let whole = match is_hyphenated(name) {
            true => hyphenated_name(name),
            false => format!(r"(?:^|[^\w.]){escaped}(?:$|\W)"),
        };
        let mut request = self.request(PatternOptions::regex(whole))?;
        request.only = Some(sorted(ranking.files.iter().map(|file| file.path.clone()).collect()));
        request.limits.matches_per_file_max = Some(1);
        let mut having = HashSet::new();
        let found = &mut |file: FileMatches| {
            having.insert(file.path.clone());
            match having.len() > FILES_OF_NAME {
                true => ControlFlow::Break(Stop::HERE),
                false => ControlFlow::Continue(()),
            }
        };
        let report = self.workspace.run_search_each(&request, &self.half_of_the_time(), found)?;
        let is_late = report.stopped == Some(StopReason::Deadline);
        Ok(Some(having).filter(|having| having.len() <= FILES_OF_NAME && !is_late))
    }
}

/// Returns the expression for a name with hyphens as a text, a key, an option or a part of a path: a sentence has words
/// such as `sub-routers`.
pub(super) fn hyphenated_name(name: &str) -> String {
    let escaped = regex_syntax::escape(name);
    format!(r#"(?:^\s*|["'`\[/.#]|--){escaped}(?:["'`\]]|\s*[:=])"#)
}
