//! Lines without effect, and the reasons.

/// A line that should have an effect but has none. It never quotes the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineProblem {
    /// The number of the line, from 1.
    pub(crate) line: u64,
    /// The problem.
    pub(crate) problem: Problem,
}

/// Reason why a line has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The file is larger than [`FILE_BYTES_MAX`]; none of its lines has an effect.
    FileTooLarge,
    LineTooLong,
    /// Applies to this line and all after it.
    TooManyPatterns,
    /// Applies to this line and all after it.
    NoMemory,
    TooManyStars,
    /// The wildcard patterns before it used up the cost limit of a file.
    TooCostly,
    NotUtf8,
    /// The meaning that git gives to the pattern cannot be expressed here.
    Unsupported,
}

impl Problem {
    /// Returns whether no line after this one has an effect.
    pub(super) fn ends_file(self) -> bool {
        matches!(self, Problem::TooManyPatterns | Problem::NoMemory)
    }

    /// Returns the text of the problem, for a warning.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Problem::FileTooLarge => "the ignore file is too large and was not used",
            Problem::LineTooLong => "the line is too long",
            Problem::TooManyPatterns => "too many patterns; the rest of the file was ignored",
            Problem::NoMemory => "out of memory; the rest of the file was ignored",
            Problem::TooManyStars => "too many stars in one pattern",
            Problem::TooCostly => "the wildcard patterns of the file are too large in total",
            Problem::NotUtf8 => "the line is not UTF-8",
            Problem::Unsupported => "the pattern is not supported",
        }
    }
}
