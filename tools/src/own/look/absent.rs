//! Names of a question that are nowhere, although the words of which they are made are.

use super::answer::Lookup;
use super::fallback::FILES_FOR_SPELLING;
use super::query::{Query, folded};
use super::ranked::Ranked;
use searchscope::Result;
use searchscope::toolkit::{Ranking, sub_words};

/// Maximum number of names that are searched: each costs a search if it is absent.
const NAMES_MAX: usize = 2;
/// A question of more words is about more than its names.
const WORDS_MAX: usize = 4;

/// The names of a question that are in no line and in no path.
#[derive(Debug, Default)]
pub(super) struct Absent {
    pub(super) names: Vec<String>,
    /// Whether the question is about nothing else.
    pub(super) is_all: bool,
}

impl Lookup<'_> {
    /// Searches a small tree, its hidden files included, for the names of the question that are several words. A
    /// ranking by these words says nothing about such a name. None is called absent if the call has filters, or if
    /// a search was not complete.
    pub(super) fn find_absent_names(&mut self, ranked: &Ranked) -> Result<()> {
        let Ranked { question, ranking, .. } = ranked;
        if !self.may_call_absent(ranking) || question.is_message {
            return Ok(());
        }
        let is_plain =
            |name: &str| name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        let several =
            question.names.iter().filter(|name| is_plain(name) && sub_words(name).len() > 1);
        let files = self.files.clone();
        self.search_hidden();
        let mut names = Vec::new();
        for name in several.take(NAMES_MAX) {
            if self.is_nowhere(name, ranking)? {
                names.push(name.clone());
            }
        }
        self.files = files;
        let is_all = !names.is_empty()
            && names.len() == question.names.len()
            && question.content.len() <= WORDS_MAX
            && !question.is_change;
        self.absent = Absent { names, is_all };
        Ok(())
    }

    /// Searches a small tree for the name that is the whole question, as [`Lookup::find_absent_names`] does for those
    /// among words. `is_alone` says that it has no similar name.
    pub(super) fn find_absent_name(&mut self, ranked: &Ranked, is_alone: bool) -> Result<()> {
        let ranking = &ranked.ranking;
        if !self.may_call_absent(ranking) || !ranked.terms.is_one_name() {
            return Ok(());
        }
        let name = self.query.text.clone();
        let files = self.files.clone();
        self.search_hidden();
        let is_nowhere = self.is_nowhere(&name, ranking)?;
        self.files = files;
        if is_nowhere {
            self.absent = Absent { names: vec![name], is_all: is_alone };
        }
        Ok(())
    }

    /// Returns whether a name may be called absent: all of a small tree was searched, without filters.
    fn may_call_absent(&self, ranking: &Ranking) -> bool {
        let report = &ranking.report;
        report.searched_files <= FILES_FOR_SPELLING && report.complete && self.filters.is_empty()
    }

    /// Returns whether neither a line nor a path of a ranked file has `name` in any naming.
    fn is_nowhere(&mut self, name: &str, ranking: &Ranking) -> Result<bool> {
        let query = Query::literal(name);
        let pattern = query.renamed().unwrap_or_else(|| query.pattern());
        let key = folded(name);
        let is_in_path =
            ranking.files.iter().any(|file| folded(&file.path.display()).contains(&key));
        Ok(!is_in_path && !self.may_occur(pattern)?)
    }
}
