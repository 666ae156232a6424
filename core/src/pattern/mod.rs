//! Patterns: literals and regexes, compiled once into an immutable [`Pattern`].
//!
//! The regex engine is ripgrep's (`grep-regex`), so lines match as they do there. It is complemented by the
//! literals that every match must contain, which rule texts out quickly, and by an engine that can be
//! interrupted inside one long line. This area does no I/O and knows nothing of files.

mod ascii;
mod compile;
mod compiled;
mod lazy;
mod literal;
mod matcher;
mod memory;
mod options;
mod parts;
mod simulate;
mod stepped;

pub(crate) use compiled::Pattern;
pub(crate) use matcher::{BudgetedMatcher, LOOK_BYTES, StepMemory};
pub use options::{Case, PatternOptions, Span, Syntax};

#[cfg(test)]
mod tests;
