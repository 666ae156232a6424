//! The compiled form of patterns.

use super::PatternOptions;
use super::ascii::AsciiLines;
use super::lazy::LazyMatcher;
use super::literal::Required;
use super::parts::Parts;
use super::stepped::Stepped;
use crate::budget::{Budget, Stopped};
use crate::error::Result;
use crate::index::{Plan, PlanMode};
use grep_regex::RegexMatcher;
use regex_syntax::hir::Hir;
use std::sync::OnceLock;

/// Compiled patterns. Immutable; all threads share one.
#[derive(Debug)]
pub(crate) struct Pattern {
    /// All patterns as one regex.
    pub(super) lazy: LazyMatcher,
    /// Each pattern separately, if there are several.
    pub(super) parts: Parts,
    pub(super) required: Option<Required>,
    /// Searches ASCII text, if that is faster than the matcher.
    pub(super) ascii_lines: Option<AsciiLines>,
    pub(super) stepped: Stepped,
    /// The compiled expression, from which a plan is derived when the index needs one.
    pub(super) hir: Hir,
    pub(super) plan: OnceLock<Plan>,
    /// Maximum number of bytes for one call of the ordinary engine, so that no call takes long.
    pub(super) bytes_per_call: usize,
    pub(super) multi_line: bool,
}

impl Pattern {
    /// Compiles `options`.
    #[cfg(test)]
    pub(crate) fn new(options: &PatternOptions) -> Result<Pattern> {
        super::compile::compile(options)
    }

    /// Compiles `options` within a budget. Compilation cannot be interrupted, so a slow one runs on a thread
    /// of its own, which is abandoned when the budget ends.
    ///
    /// # Errors
    ///
    /// `pattern_syntax` with the span of the mistake, or if the compiled size exceeds the limit;
    /// `invalid_param` for no pattern, an empty one, more than 64, or more than 64 KiB in all.
    pub(crate) fn within(
        budget: &Budget,
        options: &PatternOptions,
    ) -> std::result::Result<Result<Pattern>, Stopped> {
        super::compile::compile_aside(budget, options)
    }

    /// Returns whether a match of the patterns of `options` may be empty, as that of `x*` may.
    ///
    /// # Errors
    ///
    /// Those of [`Pattern::new`] that parsing detects.
    pub(crate) fn may_match_empty(options: &PatternOptions) -> Result<bool> {
        super::compile::may_match_empty(options)
    }

    /// Returns all patterns as one regex.
    pub(super) fn matcher(&self) -> &RegexMatcher {
        self.lazy.get()
    }

    /// Returns whether matches may cross lines.
    pub(crate) fn is_multi_line(&self) -> bool {
        self.multi_line
    }

    /// Returns the trigrams that every match contains, for the index.
    pub(crate) fn plan(&self) -> &Plan {
        self.plan.get_or_init(|| Plan::of(&self.hir))
    }

    /// Returns the distance that the trigrams of a match may have.
    pub(crate) fn plan_mode(&self) -> PlanMode {
        if self.multi_line { PlanMode::File } else { PlanMode::Lines }
    }

    /// Returns the length of the longest literal that [`Pattern::may_match`] searches for; `None` if it has
    /// no literals and always returns true.
    pub(crate) fn longest_required(&self) -> Option<usize> {
        self.required.as_ref().map(Required::longest)
    }

    /// Returns false if no line of `text` can match. This is a quick test: true proves nothing. It also
    /// returns true when the budget is exhausted, which the search itself will notice.
    pub(crate) fn may_match(&self, text: &[u8], budget: &Budget) -> bool {
        let is_in = |required: &Required| required.is_in(text, budget).unwrap_or(true);
        self.required.as_ref().is_none_or(is_in)
    }
}
