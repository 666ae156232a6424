//! Wildcards of every dialect: reading them, and comparing them with names and paths.
//!
//! | dialect | `*` | `**` | read by | matched by |
//! | --- | --- | --- | --- | --- |
//! | gitignore | stays in a segment | crosses as a whole segment | `ignore_lines` | `linear` |
//!
//! Each dialect reads its text into the [`token`]s of one list. This area opens no file and knows no request:
//! the caller decides which text a pattern is compared with, and what a match means.

pub(crate) mod ignore_lines;
pub(crate) mod limits;
mod linear;
mod token;

pub(crate) use ignore_lines::{IgnoreLines, LetterCase, Verdict};
