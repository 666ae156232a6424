//! Hidden files for a question of which words are nowhere else.

use super::answer::Lookup;
use super::left_out::{self, LeftOut};
use super::ranked::Ranked;
use searchscope::Result;
use searchscope::toolkit::both;
use std::sync::Arc;

impl Lookup<'_> {
    /// Ranks the hidden files that the search of `ranking` has left out, if a word of the question is nowhere in the
    /// others. Those of tools are not among them. Both rankings then know the number of all files with each word.
    pub(super) fn ranked_hidden(&mut self, ranked: &mut Ranked) -> Result<Option<Ranked>> {
        let ranking = &mut ranked.ranking;
        let has_hidden = ranking.report.skipped.hidden > 0 && !self.files.hidden;
        if !has_hidden || ranking.n_missing() == 0 {
            return Ok(None);
        }
        let Some(left_out) = LeftOut::of(&ranking.report) else { return Ok(None) };
        let files = self.files.clone();
        self.search_hidden();
        self.files.path_filter = Some(both(files.path_filter.clone(), Arc::new(left_out)));
        // Which names are rare is known of the other files.
        let hidden = self.ranked_by_words(ranked.question.clone(), ranked.terms.clone());
        self.files = files;
        let mut hidden = hidden?;
        let hidden_ranking = &mut hidden.ranking;
        for (n_hidden, n_others) in hidden_ranking.n_with.iter_mut().zip(&mut ranking.n_with) {
            *n_hidden += *n_others;
            *n_others = *n_hidden;
        }
        hidden_ranking.is_partial |= ranking.is_partial;
        hidden_ranking.report = left_out::joined(&ranking.report, hidden_ranking.report.clone());
        self.answer.note(&hidden_ranking.report);
        Ok(Some(hidden).filter(|hidden| !hidden.ranking.files.is_empty()))
    }

    /// Shows the files of a ranking of hidden files, and takes it, if one of them has more words of the question
    /// than `n_most`; the remark says that they have `what` of its words.
    pub(super) fn found_hidden(
        &mut self,
        hidden: &mut Option<Ranked>,
        (n_most, what): (usize, &str),
    ) -> Result<bool> {
        let has_more =
            |hidden: &mut Ranked| hidden.ranking.files.iter().any(|file| file.n_terms > n_most);
        let Some(hidden) = hidden.take_if(has_more) else { return Ok(false) };
        self.answer.remarks.push(format!("hidden files have {what} of its words"));
        let is_shown = self.show_ranking(&hidden)?;
        if !is_shown {
            self.answer.remarks.pop();
        }
        Ok(is_shown)
    }
}
