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
mod parts;
mod simulate;
mod stepped;

pub(crate) use matcher::{BudgetedMatcher, LOOK_BYTES, StepMemory};

use crate::budget::{Budget, Stopped};
use crate::error::Result;
use ascii::AsciiLines;
use grep_regex::RegexMatcher;
use lazy::LazyMatcher;
use literal::Required;
use parts::Parts;
use regex_syntax::hir::Hir;
use std::sync::OnceLock;
use crate::index::{Plan, PlanMode};
use stepped::Stepped;

/// How the text of a pattern is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// Every character stands for itself. The default.
    #[default]
    Literal,
    /// The syntax of the `regex` crate: Unicode, no look-around, no back-references.
    Regex,
}

/// Whether letters match in the other case too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Case {
    /// Only as written. The default.
    #[default]
    Sensitive,
    /// In both cases, by Unicode's simple folding.
    Insensitive,
    /// Insensitive unless some pattern holds an upper-case letter, as ripgrep's smart case.
    Smart,
}

/// What to search for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PatternOptions {
    /// 1 to 64 patterns, of at most 64 KiB in all; a line matches when any of them does.
    pub patterns: Vec<String>,
    /// How the patterns are read.
    pub syntax: Syntax,
    /// Whether case counts.
    pub case: Case,
    /// Only matches with no word character next to them.
    pub word: bool,
    /// Matches may cross lines. The files are then held in memory whole, up to a limit.
    pub multi_line: bool,
    /// With `multi_line`: `.` matches a line feed too.
    pub dot_matches_line_feed: bool,
    /// How large the automaton of the patterns may become, in bytes: by default 3 MiB, at most 10
    /// MiB. A large one takes long to compile, up to some 90 ms at the default and 250 ms at most, and
    /// makes every search slower. A search does not wait for it behind its deadline or a cancel, unless
    /// it may have one thread only.
    pub size_bytes_max: Option<usize>,
}

impl PatternOptions {
    /// A single case-sensitive literal.
    pub fn literal(text: impl Into<String>) -> PatternOptions {
        PatternOptions { patterns: vec![text.into()], ..PatternOptions::default() }
    }

    /// A single case-sensitive regex.
    pub fn regex(text: impl Into<String>) -> PatternOptions {
        PatternOptions { syntax: Syntax::Regex, ..PatternOptions::literal(text) }
    }
}

/// Bytes of one match, within the text they were found in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    clippy::exhaustive_structs,
    reason = "where a match is and of which pattern: there is no more to it"
)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// Which of the request's patterns matched.
    pub pattern: usize,
}

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
