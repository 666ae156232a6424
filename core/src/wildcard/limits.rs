//! Limits of wildcards: globs (docs/contracts/general.md#limits), ignore files and scope patterns.

/// Size of one glob, in bytes.
pub(crate) const GLOB_BYTES_MAX: usize = 1 << 10;
/// Nesting depth of braces.
pub(crate) const BRACE_DEPTH_MAX: usize = 8;
/// Commas in one glob: more alternatives form a list, and belong in several globs.
pub(crate) const ALTERNATIVES_MAX: usize = 256;
/// Globs in one parameter.
pub(crate) const GLOBS_MAX: usize = 128;
/// Total size of the globs in one parameter, in bytes. Compiling that takes some 40 ms, uninterruptibly.
pub(crate) const GLOBS_BYTES_MAX: usize = 16 << 10;

/// Patterns that one glob is expanded to; one with more is compiled.
pub(crate) const SPELLED_OUT_MAX: usize = 32;
/// Tokens of all globs in one parameter that are compared with names one by one: a comparison takes a
/// millisecond at worst. With more tokens the globs are compiled.
pub(crate) const NAME_TOKENS_MAX: usize = 2 << 10;
/// The same for globs that are compared with paths, which are longer: some milliseconds.
pub(crate) const PATH_TOKENS_MAX: usize = 1 << 10;
/// Tokens whose comparison costs next to nothing.
pub(crate) const PLAIN_TOKENS_MAX: usize = 64;

/// Size of an ignore file, in bytes: a larger one has no effect. The caller may stop one byte past this.
pub(crate) const FILE_BYTES_MAX: usize = 1 << 20;
/// Size of one line of an ignore file, in bytes.
pub(crate) const LINE_BYTES_MAX: usize = 4 << 10;
/// Runs (`*`, `**`) in one line; real lines have one to four.
pub(crate) const LINE_RUNS_MAX: usize = 32;
/// Patterns in an ignore file. The largest one known to us has 9,298 lines of every kind (ripgrep#2750).
pub(crate) const FILE_PATTERNS_MAX: usize = 20_000;
/// Characters in all wildcard patterns of an ignore file, where a wildcard counts as four: 5,000 lines of a
/// dozen characters. It bounds a verdict on a name of 255 bytes to tens of milliseconds, with polls in
/// between.
pub(crate) const FILE_COST_MAX: usize = 1 << 16;
/// The same for lines of an option that ignore letter case, whose literals count too: 5,000 lines of a
/// hundred characters.
pub(crate) const FOLDED_COST_MAX: usize = 1 << 19;

/// Total size of the bodies of IntelliJ's patterns that are compiled together, in bytes.
pub(crate) const BODIES_BYTES_MAX: usize = 1 << 20;
/// Runs in such bodies, shared prefixes counted once. A run stays active while a path is read, so their
/// number bounds the cost of a byte.
pub(crate) const BODIES_WILDCARDS_MAX: usize = 8_192;
