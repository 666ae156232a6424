//! Options of a pattern, and the span of a match.

/// The syntax of patterns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// Every character is literal. The default.
    #[default]
    Literal,
    /// The syntax of the `regex` crate: Unicode, no look-around, no back-references.
    Regex,
}

/// The case sensitivity of letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Case {
    /// Only as written. The default.
    #[default]
    Sensitive,
    /// In both cases, by Unicode's simple folding.
    Insensitive,
    /// Insensitive unless some pattern contains an upper-case letter, as ripgrep's smart case.
    Smart,
}

/// One or more patterns and their options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers write the fields that differ from a default"
)]
pub struct PatternOptions {
    /// 1 to 64 patterns, of at most 64 KiB in all; a line matches when any of them does.
    pub patterns: Vec<String>,
    /// The syntax of the patterns.
    pub syntax: Syntax,
    /// The case sensitivity.
    pub case: Case,
    /// Only matches without a word character next to them.
    pub word: bool,
    /// Matches may cross lines. Files are then held in memory whole, up to a limit.
    pub multi_line: bool,
    /// With `multi_line`: `.` matches a line feed too.
    pub dot_matches_line_feed: bool,
    /// Maximum size of the automaton of the patterns, in bytes: by default 3 MiB, at most 10 MiB. A large one
    /// takes long to compile, up to some 90 ms at the default and 250 ms at the maximum, and makes every
    /// search slower. A search does not wait for the compilation past its deadline or cancellation, unless it
    /// may use only one thread.
    pub size_bytes_max: Option<usize>,
}

impl PatternOptions {
    /// Creates options for a single case-sensitive literal.
    pub fn literal(text: impl Into<String>) -> PatternOptions {
        PatternOptions { patterns: vec![text.into()], ..PatternOptions::default() }
    }

    /// Creates options for a single case-sensitive regex.
    pub fn regex(text: impl Into<String>) -> PatternOptions {
        PatternOptions { syntax: Syntax::Regex, ..PatternOptions::literal(text) }
    }
}

/// The byte range of one match in the searched text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_structs, reason = "the position of a match and its pattern")]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// The index of the matching pattern.
    pub pattern: usize,
}
