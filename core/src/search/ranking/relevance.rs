//! The reasons that the order of relevance reports: the properties of a matching line and of a path.

use crate::pattern::{PatternOptions, Syntax};
use crate::search::Line;
use crate::syntax::{Likeness, is_name_char, likeness};
use crate::walk::Role;

/// A line has one bit per pattern; patterns beyond the limit share the last bit.
const PATTERN_BITS: usize = 64;

/// Properties of a matching line, derived from its text alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineTraits {
    /// The likeness of the line to a definition of a match.
    pub likeness: Likeness,
    /// Whether a match is between word boundaries.
    pub is_word: bool,
    /// The matching patterns, one bit each.
    pub patterns: u64,
}

impl LineTraits {
    /// Returns the properties of `line`, whose text is `text`.
    pub fn of(line: &Line, text: &str) -> LineTraits {
        let none = Likeness::None;
        let mut traits = LineTraits { likeness: none, is_word: false, patterns: 0 };
        for span in &line.spans {
            traits.patterns |= 1 << span.pattern.min(PATTERN_BITS - 1);
            let within = |at: usize| at.checked_sub(line.text_start).filter(|at| *at <= text.len());
            let (Some(start), Some(end)) = (within(span.start), within(span.end)) else { continue };
            let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else {
                continue;
            };
            let likeness = likeness(before, after);
            traits.likeness = traits.likeness.max(likeness);
            if !before.ends_with(is_name_char) && !after.starts_with(is_name_char) {
                traits.is_word = true;
            }
        }
        traits
    }
}

/// Properties of a path in relation to the patterns of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathTraits {
    /// The part of the project that it belongs to.
    pub role: Role,
    /// Whether the name of the file contains a pattern, ignoring case.
    pub is_named: bool,
}

/// The patterns of a search as texts to find in paths.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PathTexts {
    /// In lower case; empty for a regex that is not plain text.
    texts: Vec<String>,
}

impl PathTexts {
    /// Reads the patterns that a path may contain.
    pub fn new(pattern: &PatternOptions) -> PathTexts {
        let is_plain =
            |text: &str| pattern.syntax == Syntax::Literal || regex_syntax::escape(text) == text;
        let text = |text: &String| if is_plain(text) { text.to_lowercase() } else { String::new() };
        PathTexts { texts: pattern.patterns.iter().map(text).collect() }
    }

    /// Returns the properties of `path`, which is relative to the root.
    pub fn traits(&self, path: &str) -> PathTraits {
        let lower = path.to_lowercase();
        let name = lower.rsplit('/').next().unwrap_or_default();
        let is_named =
            self.texts.iter().any(|text| !text.is_empty() && name.contains(text.as_str()));
        PathTraits { role: Role::of(path), is_named }
    }
}
