//! What text: literals and regexes, compiled once into a frozen [`Pattern`].
//!
//! The regex engine is ripgrep's (`grep-regex`), so lines match as they do there. Beside it stand
//! the literals that every match must hold, for a quick no, and an engine that can be stopped inside
//! one long line. This area does no I/O and knows nothing of files.

mod ascii;
mod compile;
mod lazy;
mod literal;
mod matcher;
mod options;
mod parts;
mod simulate;
mod stepped;

pub(crate) use matcher::{BudgetedMatcher, LOOK_BYTES, StepMemory};
pub use options::{Case, PatternOptions, Span, Syntax};

use crate::budget::{Budget, Stopped};
use crate::error::Result;
use crate::index::{Plan, PlanMode};
use ascii::AsciiLines;
use grep_regex::RegexMatcher;
use lazy::LazyMatcher;
use literal::Required;
use parts::Parts;
use regex_syntax::hir::Hir;
use std::sync::OnceLock;
use stepped::Stepped;

/// Compiled patterns. Immutable; one serves all threads.
#[derive(Debug)]
pub(crate) struct Pattern {
    /// All patterns as one.
    lazy: LazyMatcher,
    /// Each pattern alone, where there are several.
    parts: Parts,
    required: Option<Required>,
    /// Where ASCII text is better searched in another way than by the matcher.
    ascii_lines: Option<AsciiLines>,
    stepped: Stepped,
    /// What was compiled, for a plan that is made when an index asks for one.
    hir: Hir,
    plan: OnceLock<Plan>,
    /// How much text the ordinary engine may get at once, so that no call of it takes long.
    bytes_per_call: usize,
    multi_line: bool,
}

impl Pattern {
    /// Compiles `options`.
    #[cfg(test)]
    pub(crate) fn new(options: &PatternOptions) -> Result<Pattern> {
        compile::compile(options)
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
        compile::compile_aside(budget, options)
    }

    /// Whether a match of the patterns of `options` may be empty, as that of `x*` may.
    ///
    /// # Errors
    ///
    /// Those of [`Pattern::new`] that a look at the text tells.
    pub(crate) fn may_match_empty(options: &PatternOptions) -> Result<bool> {
        compile::may_match_empty(options)
    }

    /// All patterns as one.
    fn matcher(&self) -> &RegexMatcher {
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

#[cfg(test)]
mod tests;
