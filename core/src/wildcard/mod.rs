//! Wildcards of every dialect: reading them, and matching them with names and paths.
//!
//! | dialect | `*` | `**` | read by | matched by |
//! | --- | --- | --- | --- | --- |
//! | gitignore | stays in a segment | crosses as a whole segment | `ignore_lines` | an index of lines, `linear` |
//! | globs of `rg` and `fd` | stays in a segment | crosses as a whole segment | `glob` | `linear`, else `overrides` and `globset` |
//! | scope patterns of IntelliJ | crosses | stays in a segment | `intellij` | one automaton of all patterns |
//! | names of modules in IntelliJ | any run | the same | `intellij` | `linear` |
//!
//! Each dialect reads its text into a list of [`token`]s. This area opens no file and knows no request: the
//! caller decides which text a pattern is compared with, and the meaning of a match.

mod extensions;
mod glob;
mod globs;
pub(crate) mod ignore_lines;
pub(crate) mod intellij;
pub(crate) mod limits;
pub(crate) mod linear;
mod mask;
mod overrides;
mod token;

pub(crate) use extensions::Extensions;
pub(crate) use glob::{bad_glob, check as check_glob, without_slash_in_classes};
pub(crate) use globs::Globs;
pub use globs::NameGlob;
pub(crate) use ignore_lines::{IGNORE_FILES, IgnoreLines, LetterCase, Verdict, changes_rules};
pub(crate) use linear::Steps;
pub use mask::FileMask;
