//! The verdicts of the ignore rules on the entries of a remembered directory.
//!
//! They follow from the entries, which never change in one listing, and from the rules, so they need no other
//! proof of freshness than the identity of both. Comparing names with rules takes a quarter of a search that
//! opens no file.

use super::ignore_rules::{Rules, RulesIdentity};
use crate::index::Listing;
use crate::room;
use crate::wildcard::Verdict;
use std::sync::Arc;

/// The verdicts on all entries of a listing, by their index in it.
pub(in crate::walk) struct KeptVerdicts {
    rules: RulesIdentity,
    require_git: bool,
    verdicts: Vec<Verdict>,
}

/// Where a walk gets the verdicts on the entries of one directory.
pub(in crate::walk) enum VerdictSource {
    /// From an earlier walk under the same rules.
    Kept(Arc<KeptVerdicts>),
    /// From the rules; the list records them for later walks.
    Recorded(Vec<Verdict>),
    /// From the rules.
    Rules,
}

impl VerdictSource {
    /// Returns the source of verdicts under `rules` for the entries of `listing`.
    pub(in crate::walk) fn of(
        listing: &Listing,
        rules: &Rules,
        require_git: bool,
    ) -> VerdictSource {
        let kept = listing.verdicts().and_then(|kept| kept.downcast::<KeptVerdicts>().ok());
        let is_of_rules =
            |kept: &Arc<KeptVerdicts>| kept.require_git == require_git && kept.rules.is_of(rules);
        if let Some(kept) = kept.filter(is_of_rules) {
            return VerdictSource::Kept(kept);
        }
        let mut verdicts = Vec::new();
        match verdicts.try_reserve_exact(listing.len()) {
            Ok(()) => VerdictSource::Recorded(verdicts),
            Err(_) => VerdictSource::Rules,
        }
    }

    /// Returns the verdict on the entry at `index`. The caller queries entries in the order of the listing.
    pub(in crate::walk) fn verdict(
        &mut self,
        index: usize,
        judge: impl FnOnce() -> Verdict,
    ) -> Verdict {
        match self {
            VerdictSource::Kept(kept) => kept.verdicts[index],
            VerdictSource::Recorded(verdicts) => {
                let verdict = judge();
                if room::push(verdicts, verdict).is_err() {
                    *self = VerdictSource::Rules;
                }
                verdict
            }
            VerdictSource::Rules => judge(),
        }
    }

    /// Keeps recorded verdicts in `listing`, if there is one on each entry.
    pub(in crate::walk) fn keep(self, listing: &Listing, rules: &Rules, require_git: bool) {
        if let VerdictSource::Recorded(verdicts) = self
            && verdicts.len() == listing.len()
            && let Some(rules) = rules.identity()
        {
            listing.set_verdicts(Arc::new(KeptVerdicts { rules, require_git, verdicts }));
        }
    }
}
