//! Maxima of ignore files.

/// An ignore file, in bytes: a larger one has no effect. The caller need not read more than this and one byte.
pub(crate) const FILE_BYTES_MAX: usize = 1 << 20;
/// One line of an ignore file, in bytes.
pub(crate) const LINE_BYTES_MAX: usize = 4 << 10;
/// Runs (`*`, `**`) of one line; lines in use have one to four.
pub(crate) const LINE_RUNS_MAX: usize = 32;
/// Patterns of an ignore file. The largest one known to us has 9,298 lines of every kind (ripgrep#2750).
pub(crate) const FILE_PATTERNS_MAX: usize = 20_000;
/// Characters of all wildcard patterns of an ignore file, where a wildcard counts as four: 5,000 lines of a
/// dozen characters. It bounds a verdict on a name of 255 bytes to tens of milliseconds, with polls in between.
pub(crate) const FILE_COST_MAX: usize = 1 << 16;
/// The same for lines of an option that ignore letter case, whose literals count too: 5,000 lines of
/// a hundred characters.
pub(crate) const FOLDED_COST_MAX: usize = 1 << 19;
