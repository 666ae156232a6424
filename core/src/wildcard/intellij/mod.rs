//! IntelliJ's wildcards: pattern bodies of scopes, and names with stars.
//!
//! All bodies are matched with a path at once, byte by byte: a union of a thousand patterns must not cost a
//! thousand tests per file. The bodies are joined into one trie, which shares equal prefixes, and a
//! deterministic automaton over it is built while paths are read. A walk keeps the state of each directory
//! and continues from it; a state determines the bodies that match the input read so far, and those that can
//! still match a continuation.
//!
//! This folder knows only bodies: the caller decides which text they are compared with, and the meaning of a
//! combination of matches.

mod bodies;
mod cache;
mod names;
#[cfg(test)]
mod tests;
mod tokens;
mod trie;

pub(crate) use bodies::{Bodies, TooComplex};
pub(crate) use cache::{Cache, SetId, StateId};
pub(crate) use names::Stars;
pub(crate) use tokens::Separator;
