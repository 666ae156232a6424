//! Options that a pattern is compiled from, and the span of its match.

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
