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

/// Compiled patterns. Immutable; one serves all threads.
#[derive(Debug)]
pub(crate) struct Pattern {
    /// All patterns as one.
    pub(super) lazy: LazyMatcher,
    /// Each pattern alone, where there are several.
    pub(super) parts: Parts,
    pub(super) required: Option<Required>,
    /// Where ASCII text is better searched in another way than by the matcher.
    pub(super) ascii_lines: Option<AsciiLines>,
    pub(super) stepped: Stepped,
    /// What was compiled, for a plan that is made when an index asks for one.
    pub(super) hir: Hir,
    pub(super) plan: OnceLock<Plan>,
    /// How much text the ordinary engine may get at once, so that no call of it takes long.
    pub(super) bytes_per_call: usize,
    pub(super) multi_line: bool,
}

impl Pattern {
    /// Compiles `options`.
    #[cfg(test)]
    pub(crate) fn new(options: &PatternOptions) -> Result<Pattern> {
        super::compile::compile(options)
    }

    /// Compiles `options` within a budget. Nothing can interrupt that, so what may take long is done on
    /// a thread of its own, which is not waited for any longer.
    ///
    /// # Errors
    ///
    /// `pattern_syntax` with the span of the mistake, or when the compiled size is over the limit;
    /// `invalid_param` for no pattern, an empty one, more than 64, or more than 64 KiB in all.
    pub(crate) fn within(
        budget: &Budget,
        options: &PatternOptions,
    ) -> std::result::Result<Result<Pattern>, Stopped> {
        super::compile::compile_aside(budget, options)
    }

    /// Whether a match of the patterns of `options` may be empty, as that of `x*` may.
    ///
    /// # Errors
    ///
    /// Those of [`Pattern::new`] that a look at the text tells.
    pub(crate) fn may_match_empty(options: &PatternOptions) -> Result<bool> {
        super::compile::may_match_empty(options)
    }

    /// All patterns as one.
    pub(super) fn matcher(&self) -> &RegexMatcher {
        self.lazy.get()
    }

    /// Whether matches may cross lines.
    pub(crate) fn is_multi_line(&self) -> bool {
        self.multi_line
    }

    /// Returns what every match contains, as an index of trigrams can look for it.
    pub(crate) fn plan(&self) -> &Plan {
        self.plan.get_or_init(|| Plan::of(&self.hir))
    }

    /// Returns how far apart the parts of a match may be.
    pub(crate) fn plan_mode(&self) -> PlanMode {
        if self.multi_line { PlanMode::File } else { PlanMode::Lines }
    }

    /// The length of the longest literal that [`Pattern::may_match`] looks for; `None` when it has
    /// none and always says true.
    pub(crate) fn longest_required(&self) -> Option<usize> {
        self.required.as_ref().map(Required::longest)
    }

    /// False when no line of `text` can match; a quick look, so true says nothing. It is also true when
    /// the budget is at its end, as whoever looks closer will see.
    pub(crate) fn may_match(&self, text: &[u8], budget: &Budget) -> bool {
        let is_in = |required: &Required| required.is_in(text, budget).unwrap_or(true);
        self.required.as_ref().is_none_or(is_in)
    }
}
