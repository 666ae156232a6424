//! The verdicts of the ignore rules on the entries of a remembered directory.
//!
//! They follow from the entries, which never change in the memory of a directory, and from the rules.
//! Comparing names with rules takes a quarter of a search that opens no file, so they are kept.

use super::ignore_rules::Rules;
use crate::index::Listing;
use crate::room;
use crate::wildcard::Verdict;
use std::sync::Arc;

/// The verdicts on all entries of a directory, by their index in its memory.
pub(super) struct Judged {
    rules: Rules,
    require_git: bool,
    verdicts: Vec<Verdict>,
}

/// The verdicts of one walk on the entries of one directory.
pub(super) enum Verdicts {
    /// Kept from an earlier walk under the same rules.
    Known(Arc<Judged>),
    /// Noted one by one, to be kept for a later walk.
    Noted(Vec<Verdict>),
    /// Not kept.
    Passing,
}

impl Verdicts {
    /// Returns the verdicts under `rules` that `listing` keeps, or what will note them.
    pub(super) fn of(listing: &Listing, rules: &Rules, require_git: bool) -> Verdicts {
        let known = listing.judged().and_then(|judged| judged.downcast::<Judged>().ok());
        let is_of_rules =
            |judged: &Arc<Judged>| judged.require_git == require_git && judged.rules.is(rules);
        if let Some(known) = known.filter(is_of_rules) {
            return Verdicts::Known(known);
        }
        let mut verdicts = Vec::new();
        match verdicts.try_reserve_exact(listing.len()) {
            Ok(()) => Verdicts::Noted(verdicts),
            Err(_) => Verdicts::Passing,
        }
    }

    /// Returns the verdict on the entry at `index`. Entries are asked for in the order of the memory.
    pub(super) fn verdict(&mut self, index: usize, judge: impl FnOnce() -> Verdict) -> Verdict {
        match self {
            Verdicts::Known(judged) => judged.verdicts[index],
            Verdicts::Noted(verdicts) => {
                let verdict = judge();
                if room::push(verdicts, verdict).is_err() {
                    *self = Verdicts::Passing;
                }
                verdict
            }
            Verdicts::Passing => judge(),
        }
    }

    /// Keeps the verdicts in `listing` if they are new and there is one on each entry.
    pub(super) fn keep(self, listing: &Listing, rules: &Rules, require_git: bool) {
        if let Verdicts::Noted(verdicts) = self
            && verdicts.len() == listing.len()
        {
            let rules = rules.clone();
            listing.set_judged(Arc::new(Judged { rules, require_git, verdicts }));
        }
    }
}
