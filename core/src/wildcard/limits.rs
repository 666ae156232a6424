//! Maxima of wildcards: of globs (docs/contracts/general.md#limits), ignore files and scope
//! patterns.

/// One glob, in bytes.
pub(crate) const GLOB_BYTES_MAX: usize = 1 << 10;
/// Braces within braces.
pub(crate) const BRACE_DEPTH_MAX: usize = 8;
/// Commas of one glob: one with more alternatives is a list, and belongs in several globs.
pub(crate) const ALTERNATIVES_MAX: usize = 256;
/// Globs of one parameter.
pub(crate) const GLOBS_MAX: usize = 128;
/// All globs of one parameter, in bytes. Compiling as many takes some 40 ms, which nothing can stop.
pub(crate) const GLOBS_BYTES_MAX: usize = 16 << 10;

/// Patterns that one glob is spelled out to; one with more is compiled.
pub(crate) const SPELLED_OUT_MAX: usize = 32;
/// Tokens of all globs of one parameter that are compared with names, one by one: a comparison takes a
/// millisecond at worst. More are compiled.
pub(crate) const NAME_TOKENS_MAX: usize = 2 << 10;
/// The same of globs that are compared with paths, which are longer: some milliseconds.
pub(crate) const PATH_TOKENS_MAX: usize = 1 << 10;
/// Tokens that cost next to nothing.
pub(crate) const PLAIN_TOKENS_MAX: usize = 64;

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

/// All bodies of IntelliJ's patterns that are compiled together, in bytes.
pub(crate) const BODIES_BYTES_MAX: usize = 1 << 20;
/// Runs of such bodies where equal beginnings are one. A run stays active while a path is read, so their number is what
/// a byte costs at worst.
pub(crate) const BODIES_WILDCARDS_MAX: usize = 8_192;
