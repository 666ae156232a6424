//! Names of a question that are nowhere, although the words of which they are made are.

use super::answer::Lookup;
use super::fallback::FILES_FOR_SPELLING;
use super::question::Question;
use searchscope::Result;
use searchscope::toolkit::{Ranking, SAME_PARTS, sub_words};

/// Maximum number of names that are searched: each costs a search if it is absent.
const NAMES_MAX: usize = 2;
/// A question of more words is about more than its names.
const WORDS_MAX: usize = 4;

/// The names of a question that no line contains.
#[derive(Debug, Default)]
pub(super) struct Absent {
    pub(super) names: Vec<String>,
    /// Whether the question is about nothing else.
    pub(super) is_all: bool,
}

impl Lookup<'_> {
    /// Searches a small tree for the names of the question that are several words. A ranking by these words says
    /// nothing about such a name.
    pub(super) fn find_absent_names(
        &mut self,
        question: &Question,
        ranking: &Ranking,
    ) -> Result<()> {
        let is_large = ranking.report.searched_files > FILES_FOR_SPELLING;
        let is_known = ranking.files.iter().any(|file| file.similar >= SAME_PARTS);
        if is_large || is_known || question.is_message {
            return Ok(());
        }
        let is_plain =
            |name: &str| name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        let several =
            question.names.iter().filter(|name| is_plain(name) && sub_words(name).len() > 1);
        let mut names = Vec::new();
        for name in several.take(NAMES_MAX) {
            if !self.occurs(name)? {
                names.push(name.clone());
            }
        }
        let is_all = !names.is_empty()
            && names.len() == question.names.len()
            && question.content.len() <= WORDS_MAX
            && !question.is_change;
        self.absent = Absent { names, is_all };
        Ok(())
    }
}
